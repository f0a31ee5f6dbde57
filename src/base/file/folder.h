#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Folders of results: made, found, locked and listed. */

/* Makes the folder and its parents. True also when it is there already. */
bool folder_make(const char *path, struct error *err);

/* Makes an empty folder in $TMPDIR, or /tmp where that is not absolute. Freed by the caller. NULL with err set. */
char *folder_make_temporary(struct error *err);

/* Appends where a file or folder is, or would be: an absolute path without links and dots. */
void folder_locate(const char *path, struct text *out);

/* The same. `found`, where not NULL, is told each link that the path goes over, by where the link is itself. */
void folder_follow(const char *path, struct text *out, void (*found)(void *context, const char *link), void *context);

/* A folder seen from another one, both as folder_locate() gives them: "" for the same, "a/b" for one below it, else
 * NULL. Points into `path`. */
const char *folder_below(const char *path, const char *folder);

/* Removes the folder with all that is in it, links but not what they lead to. As far as it can. */
void folder_remove(const char *path);

/* Appends what a path that leads to nothing was meant to be: the first of its parts that is not there becomes the
 * nearest name that is. A part with the signs of a glob counts as there. False: nothing is near. */
bool folder_suggest(const char *path, struct text *out);

#define FOLDER_LOCK ".lock"

/*
 * Holds `<path>/.lock` so that two runs do not mix their files. Does not wait: -1 with err set when another run holds
 * it or when it cannot be made. Freed by folder_unlock() or the end of the process and of those it forked; the file
 * stays. A file system without locks is used without.
 */
int folder_lock(const char *path, struct error *err);
void folder_unlock(int lock); /* -1 is fine */

/* The same of the folder itself, without a file in it: waits while another process holds it, and says so on stderr. -1
 * with err set when there is no such folder. */
int folder_wait_lock(const char *path, struct error *err);

enum folder_kind { FOLDER_FILES, FOLDER_FOLDERS };

struct folder_names {
    char **names; /* sorted by bytes */
    size_t count;
};

/*
 * Lists what the folder holds of one kind, links followed; names that begin with a dot are left out. A folder that is
 * not there is empty. False with err set when it cannot be read. Freed by folder_names_release(), which is safe after
 * both.
 */
bool folder_list(const char *path, enum folder_kind kind, struct folder_names *out, struct error *err);
void folder_names_release(struct folder_names *names);

/* Says whether a name has the signs of a glob: `*`, `?`, `[`. */
bool has_glob(const char *name);

/*
 * The files that a pattern means, seen from a folder, as the pattern begins them: "models/" + "fox/fox.glb". `*`, `?`
 * and `[...]` stand for a part of a name, `**` for any number of folders, none too; at the end for every file below.
 * Names
 * that begin with a dot are left out, and `**` follows no links. Sorted by bytes. False with err set when a folder
 * cannot be read or there are too many.
 */
bool folder_glob(const char *folder, const char *pattern, struct folder_names *out, struct error *err);
