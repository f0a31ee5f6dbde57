#pragma once

#include "base/error.h"
#include "base/text.h"

/* Paths as text. "a/b/../c" is taken for "a/c": links on the way are not followed. */

/* Appends `name` as seen from where `folder` is; an absolute name stays itself. "" and "." are the same folder. */
void path_join(const char *folder, const char *name, struct text *out);

/* Appends the absolute path of an existing folder, links resolved. False with err set when it is none. */
bool path_real_folder(const char *path, struct text *out, struct error *err);

/* Appends the path that leads from a folder to a file or folder, "." when they are the same. Both are absolute and
 * without "." and "..", as path_real_folder() and path_join() give them. */
void path_relative(const char *from, const char *to, struct text *out);

/* The same of existing folders, links resolved. False with err set when one of them is no folder. */
bool path_between(const char *from, const char *to, struct text *out, struct error *err);

/* Appends the folder of a file's path: "a/b.json" gives "a", "b.json" gives ".". */
void path_folder(const char *path, struct text *out);
