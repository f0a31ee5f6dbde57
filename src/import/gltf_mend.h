#ifndef RIGPROOF_IMPORT_GLTF_MEND_H
#define RIGPROOF_IMPORT_GLTF_MEND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "data/scene.h"

struct aiScene;

bool gltf_mend(struct scene *scene, const struct aiScene *source, uint32_t repairs, struct error *err);

#endif
