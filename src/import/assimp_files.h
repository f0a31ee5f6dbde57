#ifndef RIGPROOF_IMPORT_ASSIMP_FILES_H
#define RIGPROOF_IMPORT_ASSIMP_FILES_H

#include <assimp/cfileio.h>

/*
 * File access for Assimp that sees only the model's own folder tree, links resolved: a model that names
 * "../../etc/passwd" as its buffer, its material library or its other half finds no such file. Read only.
 *
 * UserData holds the model's path, which must outlive the struct.
 */
struct aiFileIO assimp_files(const char *model_path);

#endif
