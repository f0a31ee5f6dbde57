#ifndef RIGPROOF_SUITE_DEPENDENCIES_H
#define RIGPROOF_SUITE_DEPENDENCIES_H

#include "suite/file/suite_file.h"
#include "suite/watch/watch.h"

/* Which files concern which cases: the model with what it was made of in the last run, the case's shaders, its golden, the program
 * under test. */

enum dependency_kind {
    DEPENDS_ON_FILE,
    DEPENDS_ON_SHADERS, /* all GLSL files in a folder and below */
    DEPENDS_ON_GOLDEN,  /* files of a golden in a folder */
    DEPENDS_ON_MODELS,  /* model files in a folder: there may be other cases, of a glob or `clips: all` */
    DEPENDS_ON_FOLDER,  /* whatever is in it: a model that could not be imported does not say what it is made of */
};

enum { WHOLE_SUITE = -1 };

struct dependency {
    const char *path; /* absolute */
    enum dependency_kind kind;
    long case_index; /* in the suite; WHOLE_SUITE: its file */
};

/* By path. */
struct dependencies {
    struct arena *arena;
    struct dependency *items;
    size_t count;
};

/* Of the chosen cases, by their last results. Their number is limited by memory alone; the arena is its owner. */
void dependencies_list(const struct suite *suite, const bool *chosen, const struct results *results, struct arena *arena,
                       struct dependencies *out);

/* The folders to wait on. In the arena. */
const char **dependencies_folders(const struct dependencies *dependencies, size_t *count);

/* Whether the suite is to be read anew: it may have other cases, or it is another one or lacked a file that is there now. */
enum reread { REREAD_NOT, REREAD_CASES, REREAD_ALL };

/* Cases that a change concerns, into concerned[suite->case_count]. Keeps of the changes those that concern anything. Returns
 * whether any does. */
bool dependencies_find(const struct dependencies *dependencies, const struct suite *suite, const bool *chosen,
                       struct changes *changes, bool *concerned, enum reread *reread);

/* Whether a file of that name may be one of a folder of shaders. */
bool dependencies_is_shader(const char *name);

/* Adds the sources of results that are not as they were when the case ran. */
void dependencies_add_stale(const struct suite *suite, const struct results *results, struct changes *changes);

/* A changed file, which a case needs, that is not there: in the middle of a save, say. NULL: none. */
const char *dependencies_find_gone(const struct dependencies *dependencies, const struct changes *changes);

#endif
