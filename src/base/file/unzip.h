#pragma once

#include <stdbool.h>

#include "base/error.h"

/*
 * Unpacks a ZIP, which anyone may have made, into an empty folder of one's own. Refused: names that are absolute or
 * lead out of the folder, links and whatever is no file or folder, a name twice, encryption, and what is too large:
 * more than UNZIP_MOST_FILES, more than UNZIP_MOST_MIB in all, or UNZIP_MOST_RATIO times the size of the ZIP, unless
 * that is little. False with err set; what was written by then stays.
 */
enum { UNZIP_MOST_FILES = 200000, UNZIP_MOST_MIB = 8192, UNZIP_MOST_RATIO = 200, UNZIP_LITTLE_MIB = 64 };

bool unzip(const char *path, const char *folder, struct error *err);
