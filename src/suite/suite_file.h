#pragma once

#include "base/text.h"
#include "compare/compare.h"
#include "data/result/result.h"
#include "subject/subject.h"
#include "options/settings.h"

/*
 * A suite: which models to pose, how, and against which goldens. YAML by a schema; docs/formats.md describes every key.
 * An error names file, line and column, and for a key that does not exist the nearest one that does.
 */

/* This case's skinned vertices must be those of another case, which agrees with none, as point sets, at this case's
 * times. */
struct agreement {
    const char *name;         /* of the other case */
    size_t other;             /* its index in suite.cases */
    struct point_frame frame; /* of this case's file */
    struct point_frame other_frame; /* {1, y} in a suite */
};

/* Reasons for which a case may test nothing without being vacuous. */
enum allowance {
    ALLOW_BLANK = 1 << 0,     /* a frame with nothing on it */
    ALLOW_STILL = 1 << 1,     /* samples that do not move */
    ALLOW_UNSKINNED = 1 << 2, /* a skeleton whose meshes no bone holds */
};

struct suite_case {
    const char *name;          /* [a-z0-9-]+; of a subject NAME@SUBJECT, against its golden NAME@SUBJECT@golden */
    int line;                  /* in the suite file */
    const struct tree_node *mapping; /* as the suite has it, with what `clips: all` or a glob puts there */
    const char *origin;        /* the name as written, where the case is one of several that this stands for; NULL */
    /* `clips: all` that was not expanded: it is not among what is chosen, or has a `problem` */
    bool all_clips;
    bool is_gone;              /* only its golden is left of a file or clip that `origin` stood for */
    const char *model;         /* as written */
    const char *model_path;         /* against the suite's folder: what to open */
    struct settings settings;
    struct tolerance tolerance;
    bool expect_fail;
    bool skip;
    const char *reason;        /* of either; NULL */
    const char **tags;
    size_t tag_count;
    unsigned allowed;          /* enum allowance */
    unsigned stages;           /* 1 << enum stage: those that are compared; 0: all */
    bool agrees;               /* with `agreement` */
    struct agreement agreement;
    struct option_list *subjects; /* as written; NULL: none */
    unsigned against;          /* as written: 1 << 0 the reference, 1 << 1 its golden; 0: the reference */
    const struct subject_spec *subject; /* the program under test; NULL: rigproof itself */
    const char *truth;                  /* file of poses in place of the reference's own numbers, for a subject; NULL */
    bool against_golden;       /* the subject's answers against those that were accepted; else against rigproof's own */
    double timeout;            /* seconds; 0: the command line's */
    /* why it cannot run: a file that is not there; NULL. Its paths are not to be opened then */
    const char *problem;
    const char *assimp;        /* glob: the case is skipped with another version of Assimp; NULL: any will do */
};

struct suite {
    struct arena *arena;
    const char *path;      /* as given */
    const char *folder;    /* of the suite file */
    const char *hash;      /* bytes_hash() of the suite file */
    const char *goldens;   /* folder, to open */
    const struct tree_node *defaults; /* as written; NULL: none */
    size_t subject_count;
    struct subject_spec *subjects;
    size_t case_count;
    struct suite_case *cases;
    const struct suite_case **by_name; /* [case_count] sorted */
};

/* The keys of a case besides the settings: members of struct suite_case. */
enum { CASE_KEYS = 17 };
enum case_key_group {
    ONLY_OF_CASE = 1, /* makes no sense as a default */
    BEFORE_OTHERS,    /* sets what others then change: read first, the case's own in place of the default */
};
extern const struct setting case_keys[CASE_KEYS];

/* Says how strict a case is, as its key `compare` has it: all stages to rounding; what skeleton and skin do; what is
 * seen. */
enum compare { COMPARE_EXACT, COMPARE_RIG, COMPARE_VISIBLE, COMPARE_COUNT };
extern const char *const compare_names[COMPARE_COUNT];

/*
 * Reads a suite. What a case names and is not there (a file, the case it agrees with) is the problem of that case
 * alone. Models, clip files and goldens must be inside the tree of suite_paths.h unless `allow_outside`; goldens may
 * be missing. A case has its times, those of the case it agrees with, of the defaults, or `auto`. NULL with err set
 * (exit code 2).
 */
struct suite *suite_read(const char *path, bool allow_outside, struct error *err);

/*
 * The same with more said. Models of cases with `clips: all` are imported for the names of their clips, each once; one
 * that cannot be is the problem of its case. A golden of such a case, or of one with a glob, whose clip or file is not
 * there any more becomes a case that cannot run and says so.
 */
struct suite_reading {
    bool allow_outside;
    const char *goldens;               /* in place of the suite's; NULL */
    bool has_no_goldens;               /* nothing is compared with them: none is missed */
    const struct selection *selection; /* only its filters count: what they leave out is not imported; NULL: all is */
};
struct suite *suite_open(const char *path, const struct suite_reading *reading, struct error *err);
void suite_free(struct suite *suite);

/* Goldens and repairs in place of what the suite says (--goldens, --repair; NULL: none), and that as a list. */
bool suite_override(struct suite *suite, const char *goldens, const char *repair, struct fingerprint *overrides,
                    struct error *err);

/* NULL when there is no such case. */
const struct suite_case *suite_find_case(const struct suite *suite, const char *name);

/* Returns whether it is compared with a golden of its own. */
bool suite_has_golden(const struct suite_case *c);

/* Keys of a subject: members of struct subject_spec. */
enum { SUBJECT_KEYS = 7 };
extern const struct setting subject_keys[SUBJECT_KEYS];

/* The mapping `subjects`, into the suite. */
bool suite_read_subjects(struct value_source *source, const struct tree_node *value, struct suite *suite);

/* A command whose words are parted by blanks, or stand in quotes; no shell. In the arena. */
struct subject_spec *subject_of_command(const char *line, struct arena *arena);

/* Another rigproof, whose pictures are compared, too, and which is asked for exactly this. In the arena. */
struct subject_spec *subject_of_rigproof(const char *path, struct arena *arena);

/* NULL with err set. */
struct subject_spec *suite_find_subject(const struct suite *suite, const char *name, struct error *err);

/* "NAME=PROGRAM": that subject runs another program, with the arguments that the suite has. */
bool suite_set_program(struct suite *suite, const char *given, struct error *err);

/* Notes what a subject cannot be asked for as the problem of its case. */
void suite_check_subject(struct suite_case *c);

/* Puts one more subject into the suite, in place of one of its name. */
void suite_add_subject(struct suite *suite, const struct subject_spec *spec);

/* All cases of the suite run on that subject, against the reference: one of the suite's by name, a command whose
 * words are parted by blanks, or with `is_rigproof` the path of a rigproof, which plays every case. What another
 * cannot be asked for skips the case. */
bool suite_use_subject(struct suite *suite, const char *name, bool is_rigproof, bool is_strict, struct error *err);

/* The subject of its cases starts in the present folder and not in the suite's, and may take so long for an answer. */
bool suite_start_here(struct suite *suite, double timeout, struct error *err);

/* The stages that the case does not ask for, as bits. */
unsigned suite_not_asked(const struct suite_case *c);

/* Bits of stages as --stages has them, appended: "palette,draw". */
void suite_stages_write(unsigned stages, struct text *out);

/* Reads what a suite has below `tolerance`, or a file with that key alone; limits that it does not name stay. False
 * with err set. */
bool suite_tolerance_read(const char *path, struct tolerance *tolerance, struct error *err);

/* Says which cases to run. */
struct selection {
    const char *const *filters;  /* globs on the name, or `tag:GLOB`; a leading `!` excludes; none: all */
    size_t filter_count;
    uint32_t shard;              /* 1-based; 0: all */
    uint32_t shard_count;
    const struct results *balance; /* an earlier run, by whose costs shards are made; NULL: by sizes */
    /* [suite->case_count] of each case, filled where it is not NULL; 0: the filters leave it out */
    uint32_t *shard_of;
    const char *const *only;     /* names to keep (--rerun-failed); NULL: all */
    size_t only_count;
};

/*
 * chosen[suite->case_count]: whether a case runs. Shards are of what the filters choose (suite/shard.h), and `only` is
 * of the shard. Returns how many; 0 with err set (exit code 2: an empty selection is an error) unless it is a shard
 * that happens to be empty.
 */
size_t suite_select(const struct suite *suite, const struct selection *selection, bool *chosen, struct error *err);

/* Returns whether the filters may choose the case, or one that it stands for. */
bool suite_may_choose(const struct suite_case *test, const struct selection *selection);

/* A line for each case that is chosen (NULL: all): name, model, clip, times, tags, what is special, in columns. */
void suite_list(const struct suite *suite, const bool *chosen, struct text *out);
