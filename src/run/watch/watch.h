#ifndef RIGPROOF_RUN_WATCH_H
#define RIGPROOF_RUN_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

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
 * From now on these folders, absolute and without links, and no others. In place of one that is not there the nearest above it that
 * is: when it is made, that is a change. False with err set: the system allows no more.
 */
bool watch_folders(struct watch *watch, const char *const *folders, size_t count, struct error *err);

/*
 * Waits at most so many seconds (negative: without end) for a change, then for an end of changes: a save is several. Adds to
 * `changes`; they may be none of one's business. Ends early when a handler of SIGHUP, SIGINT or SIGTERM has set *stop. False
 * with err set.
 */
bool watch_wait(struct watch *watch, double seconds, const volatile sig_atomic_t *stop, struct changes *changes,
                struct error *err);

#endif
