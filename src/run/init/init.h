#pragma once

#include "base/text.h"
#include "options/settings.h"
#include "suite/suite_file.h"

/*
 * `rigproof init`: a suite for models that there are. A case for each clip, the rest pose for a skeleton without any.
 * Of files that differ in their extension alone the first has goldens, and clips of the others agree with its ones
 * where they do: this is measured, as a case does it.
 */

struct init_case {
    const char *name;
    const char *clip;    /* as the key `clip` has it */
    uint32_t clip_index; /* in the model */
    const char *times;   /* its own, with those at which is seen what the suite's miss; NULL: the suite's */
    const char *unseen;  /* what none of them shows moving; NULL: nothing */
    unsigned allowed;    /* enum allowance, without which it would be vacuous */
    bool shows_skeleton; /* there is nothing else to see */
    const char *counterpart;    /* the case whose vertices these are; NULL: it has goldens of its own */
    double unit;         /* of agrees_with */
    int up_axis;
    const char *agree; /* tolerance that it needs; NULL: the default */
    double measured;   /* distance from the counterpart */
};

struct init_model {
    const char *path;
    const char *name;  /* of its cases, before the clip's */
    const char *found; /* "24 bones, 3 clips"; NULL: it could not be read, or is left out */
    bool is_counterpart; /* of the one before: the same path but for the extension */
    struct init_case *cases;
    size_t case_count;
};

struct init {
    /* what is asked for */
    const char *output;              /* the suite, "-" for stdout */
    const struct settings *settings; /* its defaults: times and size */
    bool with_static;                /* also models without bones and clips */
    int compare;                     /* enum compare: how strict the cases are */
    const struct suite *suite;       /* to which cases are added; NULL: a new one is written */
    struct arena *arena;

    /* what there is */
    struct init_model *models; /* those of one base name one after the other, the one with goldens first */
    size_t model_count;
    size_t case_count;
    const char **names; /* malloc'd: of all cases, after those of the suite */
    size_t name_count;
    size_t unreadable;  /* models, and clips that cannot be posed */
    bool is_outside;    /* a model is not in the suite's tree */
    struct text report; /* what was found, a line a model */
    struct text left_out; /* models without bones and clips: comments of the suite, a line each */
};

/*
 * The models that files, folders (with all below) and globs mean. Of several operands, as a shell's glob gives them,
 * files without a model's extension and folders without a model are left out and reported. False with err set: one
 * means nothing.
 */
bool init_find(struct init *init, const char *const *operands, size_t operand_count, struct error *err);

/* An item of a list in the report, of which the first few are named; `before` stands before the first. */
void init_report_item(struct text *out, const char *before, const char *item, size_t at);

/* Files that are left out for one reason, and their line in the report: "left out, WHY: 2 models: a.glb, b.glb". */
struct left_out {
    struct text names;
    size_t count;
};
void init_leave_out(struct left_out *list, const char *path);
void init_report_left_out(struct init *init, struct left_out *list, const char *why, const char *noun);

/* Imports the models, plans their cases, reports. One that cannot be read is an error on stderr and `unreadable`. */
void init_examine(struct init *init);

/*
 * `init --add`: reads the suite, and into `settings` at which times its defaults say that cases are looked at. False
 * with err set. The suite is freed by the caller.
 */
bool init_open(struct init *init, const char *path, struct settings *settings, struct error *err);

/* Leaves out models that the suite has; they are reported. */
void init_drop_known(struct init *init);

/* The suite's text with the new cases at its end. False with err set: none fit there; `out` has them alone. */
bool init_append(struct init *init, struct text *out, struct error *err);

/* The cases as items of a list, two blanks before each. */
void init_write_cases(struct init *init, const struct suite_paths *paths, struct text *out);

/* The suite file. Its folder must exist. */
bool init_write(struct init *init, struct text *out, struct error *err);

/* The goldens' folder, seen from the suite. */
const char *init_goldens(const struct init *init);
