#ifndef RIGPROOF_RUN_DEPENDENCIES_H
#define RIGPROOF_RUN_DEPENDENCIES_H

#include "case/case_inputs.h"
#include "run/watch/watch.h"

/* Which files concern which cases: their inputs, and the links on the way to them. */

enum { WHOLE_SUITE = -1 };

struct dependency {
    const char *path; /* absolute */
    enum input_kind kind; /* of a link INPUT_FILE */
    bool is_setting;
    long case_index; /* in the suite; WHOLE_SUITE: its file */
};

/* By path. */
struct dependencies {
    struct arena *arena;
    const char *folder; /* of the suite, absolute */
    struct dependency *items;
    size_t count;
};

/* Of the chosen cases, by their last results. Their number is limited by memory alone; the arena is its owner. */
void dependencies_list(const struct suite *suite, const bool *chosen, const struct results *results, struct arena *arena,
                       struct dependencies *out);

/* The folders to wait on: with those above, up to where the suite is too, for a folder may be moved as a whole. In the arena. */
const char **dependencies_folders(const struct dependencies *dependencies, size_t *count);

/* Whether the suite is to be read anew: it may have other cases, or it is another one or lacked a file that is there now. */
enum reread { REREAD_NOT, REREAD_CASES, REREAD_ALL };

/* Cases that a change concerns, into concerned[suite->case_count]. Keeps of the changes those that concern anything. Returns
 * whether any does. */
bool dependencies_find(const struct dependencies *dependencies, const struct suite *suite, const bool *chosen,
                       struct changes *changes, bool *concerned, enum reread *reread);

/* Adds the sources of results that are not as they were when the case ran. */
void dependencies_add_stale(const struct suite *suite, const struct results *results, struct changes *changes);

/* A changed file, which a case needs, that is not there: in the middle of a save, say. NULL: none. */
const char *dependencies_find_gone(const struct dependencies *dependencies, const struct changes *changes);

#endif
