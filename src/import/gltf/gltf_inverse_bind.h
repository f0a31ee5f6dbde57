#ifndef RIGPROOF_IMPORT_GLTF_INVERSE_BIND_H
#define RIGPROOF_IMPORT_GLTF_INVERSE_BIND_H

#include <stdbool.h>

#include "base/text.h"
#include "data/scene/scene.h"

/*
 * glTF 2.0, skin.inverseBindMatrices: where it is left out each matrix is the identity. Assimp follows a null
 * pointer there, up to 6.0.5 at least.
 *
 * Appends the file with such matrices for the skins that lack them, as text or as GLB, and notes it in the scene.
 * Returns false, with nothing appended, when no skin lacks them or the file cannot be read: Assimp says why.
 */
bool gltf_add_inverse_binds(struct scene *scene, struct text *out);

#endif
