#ifndef RIGPROOF_IMPORT_ASSIMP_FLAGS_H
#define RIGPROOF_IMPORT_ASSIMP_FLAGS_H

#include <stdint.h>

/* What steps of Assimp do to the order of things; their names are import.h's. */

/* What is no longer as in the file, so that a repair cannot find it there by index. */
enum flag_effect {
    CHANGES_VERTICES = 1 << 0,
    CHANGES_WEIGHTS = 1 << 1,
    CHANGES_MESHES = 1 << 2,
    CHANGES_NODES = 1 << 3,
    CHANGES_KEYS = 1 << 4,
};

/* Of all steps together. */
unsigned assimp_flags_effects(uint32_t flags);

#endif
