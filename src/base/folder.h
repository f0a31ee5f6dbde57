#ifndef RIGPROOF_BASE_FOLDER_H
#define RIGPROOF_BASE_FOLDER_H

#include "base/error.h"

/* Folders that results are written into. */

/* Makes a folder and its parents; one that is there already is fine. */
bool folder_make(const char *path, struct error *err);

/*
 * Holds the folder for this process: two runs into one folder would mix their results. *lock is closed to let go, or
 * when the process ends, however it ends; children must not inherit it. False with err set when another process holds
 * it, or nothing can be written there.
 */
bool folder_lock(const char *path, int *lock, struct error *err);

#endif
