#ifndef RIGPROOF_SUITE_MERGE_H
#define RIGPROOF_SUITE_MERGE_H

#include "data/result/result.h"

/* The results of the shards of a suite, or of a run and of what was repeated of it, as one. */

struct merge {
    size_t count;
    struct results **items; /* [count] as read */
    const char **folders;   /* [count] of the files */
};

/* Reads the files. False with err set: unreadable, no results, or of different suites. Release it in either case. */
bool merge_open(struct merge *merge, const char *const *paths, size_t count, struct error *err);
void merge_release(struct merge *merge);

/*
 * All cases as one, in the suite's order where their lines give it, else file after file. A case that several files have
 * is taken from the last of them. Paths of pictures become relative to `folder`, which must exist. The result is the
 * caller's and points into what was read. `warn` hears once of cases that were there twice, of shards that are missing
 * and of runs on different renderers; it may be NULL. NULL with err set when a folder cannot be found.
 */
struct results *merge_into(const struct merge *merge, const char *folder, void (*warn)(const char *format, ...),
                           struct error *err);

/* Whether every shard of a sharded run is there. */
bool merge_is_complete(const struct merge *merge);

#endif
