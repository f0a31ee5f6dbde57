#ifndef RIGPROOF_IMPORT_ASSIMP_LOAD_H
#define RIGPROOF_IMPORT_ASSIMP_LOAD_H

#include <stdint.h>

#include "base/error.h"
#include "data/scene/scene.h"

/*
 * Reads a file with Assimp, `flags` (aiProcess_ bits) besides its own, and converts it into a scene in the arena, in this process: to be called in the
 * child only, for it may crash, hang, or end the process with MEMORY_EXHAUSTED. NULL with err set.
 */
struct scene *assimp_load(const char *path, uint32_t repairs, uint32_t flags, struct arena *arena, struct error *err);

#endif
