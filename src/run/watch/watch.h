#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "case/case_inputs.h"

/* Folders that are waited on (inotify): what was written, renamed, made or removed in them. */

struct change {
    char *path; /* absolute */
    bool is_folder;
};

struct changes {
    struct change *items; /* sorted by path, each once */
    size_t count;
    bool everything; /* some were lost: anything may have changed */
};

void changes_add(struct changes *changes, const char *path, bool is_folder);
void changes_release(struct changes *changes);

struct watch;
struct watch *watch_create(struct error *err); /* NULL with err set */
void watch_destroy(struct watch *watch);       /* NULL is fine */

/*
 * From now on these folders, absolute and without links, and no others. In place of one that is not there the nearest
 * above it that is: when it is made, that is a change. False with err set: the system allows no more.
 */
bool watch_folders(struct watch *watch, const char *const *folders, size_t count, struct error *err);

/*
 * Waits at most so many seconds (negative: without end) for a change, then for an end of changes: a save is several.
 * Adds to `changes`; they may be none of one's business. Ends early when a handler of SIGHUP, SIGINT or SIGTERM has
 * set *stop. False with err set.
 */
bool watch_wait(struct watch *watch, double seconds, const volatile sig_atomic_t *stop, struct changes *changes,
                struct error *err);

/* Says which files concern which cases: their inputs, and the links on the way to them. */

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

/* Lists the dependencies of the chosen cases, by their last results, in the arena. */
void dependencies_list(const struct suite *suite, const bool *chosen, const struct results *results,
                       struct arena *arena, struct dependencies *out);

/* The folders to wait on, with those above up to the suite, since one may be moved as a whole. In the arena. */
const char **dependencies_folders(const struct dependencies *dependencies, size_t *count);

/* Says how the suite is to be read anew: for other cases, or as it is another one or lacked a file that came. */
enum reread { REREAD_NOT, REREAD_CASES, REREAD_ALL };

/* Marks the cases that a change concerns, and keeps those changes alone. Returns whether there are any. */
bool dependencies_find(const struct dependencies *dependencies, const struct suite *suite, const bool *chosen,
                       struct changes *changes, bool *concerned, enum reread *reread);

/* Adds the sources of results that are not as they were when the case ran. */
void dependencies_add_stale(const struct suite *suite, const struct results *results, struct changes *changes);

/* A changed file, which a case needs, that is not there: in the middle of a save, say. NULL: none. */
const char *dependencies_find_gone(const struct dependencies *dependencies, const struct changes *changes);

/*
 * The results of all cases after some of them ran again: `now` where it has the case, else `before` (NULL: none), in
 * the suite's order. A copy, which needs nothing of the suite; both are freed, also where NULL is returned with err
 * set.
 */
struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err);
