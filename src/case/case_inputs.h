#pragma once

#include "suite/suite_file.h"

/*
 * All files that a case's verdict depends on besides the suite itself, in one place for all who ask whether a verdict
 * is of today's: the key of a remembered one (run/cache), what --watch waits for (run/watch) and the `sources` of
 * results.json.
 *
 * A file is known by its path as named, links and all, and by where that leads: folder_follow() names each link on the
 * way. A link that is turned, of the file or of a folder above it, is thus a change, and so is a file that was looked
 * for in vain.
 */

enum input_kind {
    INPUT_FILE,    /* it need not be there */
    INPUT_GOLDEN,  /* a folder: files of a golden in it */
    INPUT_SHADERS, /* a folder: GLSL files in it and below */
    INPUT_MODELS,  /* a folder: model files in it, for there may be other cases, of a glob or `clips: all` */
    INPUT_FOLDER, /* a folder: all in it and below,
        for a model that could not be imported does not say what it is made of */
};

struct case_input {
    enum input_kind kind;
    const char *path; /* to open, as named */
    bool is_inside;   /* a file of a folder that was given before, or below it */
    bool is_source;   /* candidates are made of it */
    bool is_setting;  /* it is read with the suite: a saved camera */
};

/* They and their paths are in the arena. */
struct case_inputs {
    struct arena *arena;
    size_t count;
    struct case_input *items;
};

/*
 * Lists the files that the suite names: model, clip files, saved camera and shaders of the case and of the one that it
 * agrees with, the golden with the import.json that it shares, the program under test. With a result of the case, its
 * last, also what the import and the shaders opened or looked for. Of folders of goldens and shaders each file that
 * counts comes besides. A file may come twice.
 */
struct case_inputs case_inputs(const struct suite *suite, const struct suite_case *c, const struct case_result *result,
                               struct arena *arena);

/* Returns whether a file in a folder of that kind counts, by its path. Never one of a hidden name. */
bool input_counts(enum input_kind kind, const char *path);

/* A file as it is now: `file` as given, `leads_to` where it is, NULL: nowhere. In the arena. */
struct source source_look(const char *path, struct arena *arena);

/* The same as results.json has it: `file` and `leads_to` as seen from the folder, which is absolute and without
 * links. */
struct source source_see(const struct source *looked, const char *file, const char *folder, struct arena *arena);

/* Returns whether a file of results.json, seen from that folder, is as it was, and where it was. Makes `path` its
 * path, to open. */
bool source_is_same(const struct source *then, const char *folder, struct text *path);
bool source_equal(const struct source *then, const struct source *now);

/* Appends the path of a source, to open. */
void source_path(const char *folder, const char *file, struct text *out);
