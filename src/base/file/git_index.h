#pragma once

#include <stdbool.h>

#include "base/error.h"

/*
 * Says whether a commit may have put a folder, or anything in it, where it is: git's index of the working tree has it.
 * The index is read here, so that git need not be installed and nothing that the repository configures is run. False
 * with err set also where the index cannot be read: one that is damaged, compressed (version 4) or split.
 */
bool git_leaves_alone(const char *root, const char *below, struct error *err);
