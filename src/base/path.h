#ifndef RIGPROOF_BASE_PATH_H
#define RIGPROOF_BASE_PATH_H

#include "base/error.h"
#include "base/text.h"

/* Paths as text. "a/b/../c" is taken for "a/c": links on the way are not followed. */

/* Appends `name` as seen from where `folder` is seen from; an absolute name stays itself. "" and "." are the same folder. */
void path_join(const char *folder, const char *name, struct text *out);

/*
 * Appends the path that leads from one existing folder to another, "." when they are the same. Links are resolved. False
 * with err set when one of them is no folder.
 */
bool path_between(const char *from, const char *to, struct text *out, struct error *err);

/* Appends the folder of a file's path: "a/b.json" gives "a", "b.json" gives ".". */
void path_folder(const char *path, struct text *out);

#endif
