#pragma once

#include <stdbool.h>

#include "base/arena.h"

/*
 * Says where the files are that a suite names, and that it names none outside of its tree: the repository that the
 * suite file is in, which is the nearest folder upwards that holds `.git`; where there is none (an unpacked archive)
 * the working directory, if the suite is below it and it is not `/`; else the suite's own folder. Links are resolved
 * first.
 */

struct suite_paths {
    const char *folder; /* of the suite file, as given */
    const char *root;   /* real path of the tree; NULL: anything goes */
    const char *what;   /* `root` in words: "the suite's repository" */
};

/* False with err set when the folder cannot be resolved. */
bool suite_paths_open(struct suite_paths *paths, const char *suite_path, bool allow_outside, struct arena *arena,
                      struct error *err);

/* A path as written in the suite -> what to open. It must be a readable file in the tree. NULL with err set;
 * *absent: there is no such file, or it cannot be read. */
char *suite_paths_file(const struct suite_paths *paths, const char *name, struct arena *arena, bool *absent,
                       struct error *err);

/* The same for a folder that need not exist yet. */
char *suite_paths_folder(const struct suite_paths *paths, const char *name, struct arena *arena, struct error *err);

/*
 * Says if nobody but the user has made what a path leads to: inside the repository that a folder is in no part of the
 * path is a link. With `is_trusted` git tracks nothing there either, which is for what is believed as it is: caches and
 * keys. False with err set.
 */
bool suite_paths_are_own(const char *inside, const char *path, bool is_trusted, struct error *err);
