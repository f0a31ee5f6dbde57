#pragma once

#include "base/error.h"

struct conversion;

/* A warning of this id says that a file is a Git LFS pointer. */
#define LFS_NOTE "lfs-pointer"

/* Sets c->err: why Assimp refused the file, from its message, and what to do. */
void import_explain_refusal(struct conversion *c, const char *message);

/* Sets err: why a path that is no file that can be read is none, and what may be meant. Returns false. */
bool import_explain_path(const char *path, struct error *err);
