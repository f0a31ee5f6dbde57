#pragma once

#include "data/result/result.h"

/* All reports of a run, where they belong: what `check` and `report` end with. */

struct publish_options {
    bool colour;    /* of the text on stdout */
    bool has_lines; /* a line of each failing case was printed while it ran */
    bool quiet;     /* no text on stdout; annotations all the same */
    bool local;     /* no annotations and no summary, even where GitHub runs it */
};

/*
 * Writes results.json, report.html and junit.xml into a folder, which is made when it is missing; `folder` NULL: none.
 * Then prints the text; where GITHUB_ACTIONS is `true` workflow commands follow, and the summary is appended to the
 * file that GITHUB_STEP_SUMMARY names. The command in RIGPROOF_ACCEPT takes the place of what cases say is to be typed
 * to accept them, with their --filter behind it. False with err set (exit code 2) when something cannot be written.
 */
bool publish(const struct results *results, const char *folder, const struct publish_options *options,
             struct error *err);

enum publish_format { PUBLISH_JSON, PUBLISH_HTML, PUBLISH_JUNIT, PUBLISH_COUNT };
extern const char *const publish_names[PUBLISH_COUNT]; /* "results.json" and so on */

/* One of them: "-" is stdout, NULL its name in `folder`, which the pictures are relative to. The file's folder is
 * made. */
bool publish_file(const struct results *results, enum publish_format format, const char *folder, const char *path,
                  struct error *err);

/* The results of the shards of a suite, or of a run and of what was repeated of it, as one. */

struct merge {
    const char *only; /* set before: the case that alone is wanted; NULL: all */
    size_t count;
    struct results **items; /* [count] as read; with `only` some may have all cases */
    const char **folders;   /* [count] of the files */
    bool complete;          /* they are all of a run: of one shard alone the others are missing, too */
};

/* Reads the files. False with err set: unreadable, no results, or of different suites. Release it in either case. */
bool merge_open(struct merge *merge, const char *const *paths, size_t count, struct error *err);
void merge_release(struct merge *merge);

/*
 * All cases as one, in the suite's order where their lines give it, else file after file. A case that several files
 * have is taken from the last of them. Paths of pictures become relative to `folder`, which must exist. The result is
 * the caller's and points into what was read; shards that are missing are its `missing`. `warn` hears once of these,
 * of cases that were there twice and of runs on different renderers; it may be NULL. NULL with err set when a folder
 * cannot be found.
 */
struct results *merge_into(const struct merge *merge, const char *folder, void (*warn)(const char *format, ...),
                           struct error *err);
