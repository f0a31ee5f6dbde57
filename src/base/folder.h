#ifndef RIGPROOF_BASE_FOLDER_H
#define RIGPROOF_BASE_FOLDER_H

#include "base/error.h"
#include "base/text.h"

/* Folders that results are written into. */

/* Makes a folder and its parents; one that is there already is fine. */
bool folder_make(const char *path, struct error *err);

/*
 * Appends where the folder is, or would be when it is made: an absolute path without links and dots. What does not exist
 * yet is taken as it is written.
 */
void folder_locate(const char *path, struct text *out);

/*
 * Where a folder is, seen from another one: "" for the same, "a/b" for one below it; NULL when it is neither. Points into
 * `path`. Both as folder_locate() gives them.
 */
const char *folder_below(const char *path, const char *folder);

/*
 * Holds the folder for this process: two runs into one folder would mix their results. *lock is closed to let go, or
 * when the process ends, however it ends; children must not inherit it. False with err set when another process holds
 * it, or nothing can be written there.
 */
bool folder_lock(const char *path, int *lock, struct error *err);

#endif
