#ifndef RIGPROOF_IMPORT_ASSIMP_FILES_H
#define RIGPROOF_IMPORT_ASSIMP_FILES_H

#include <assimp/cfileio.h>

#include "base/text.h"

/*
 * File access for Assimp that sees only the model's own folder tree, links resolved: a model that names
 * "../../etc/passwd" as its buffer, its material library or its other half finds no such file. Read only.
 *
 * `model` is UserData and must outlive the struct.
 */
struct model_file {
    const char *path;
    const struct text *content; /* what is in the file at `path` for Assimp; NULL or empty: what is there */
};

struct aiFileIO assimp_files(const struct model_file *model);

#endif
