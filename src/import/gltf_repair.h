#ifndef RIGPROOF_IMPORT_GLTF_REPAIR_H
#define RIGPROOF_IMPORT_GLTF_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene.h"
#include "import/gltf_file.h"
#include "import/gltf_map.h"

/* The glTF repairs behind gltf_mend(), one source each. */

struct gltf_repair {
    struct scene *scene;
    const struct aiScene *source; /* what the scene was converted from */
    struct gltf_file *file;
    const struct gltf_map *map; /* NULL when the scene's nodes are not the file's: nothing is found by index then */
    uint32_t repairs;           /* enum repair */
    struct error *err;
};

/* The id of the warnings about what could not be read again. */
#define GLTF_UNREAD "gltf-unread"

/* gltf_clips.c: interpolation, integer keys, channels bound to the node the file means. Failures are warnings. */
void gltf_mend_clips(const struct gltf_repair *repair);

/* gltf_joints.c: bones bound to the joint the file means. Failures are warnings. */
void gltf_mend_joints(const struct gltf_repair *repair);

/*
 * gltf_weights.c: weights stored as integers. What cannot be read again is a warning. False with repair->err set when
 * the file's weights are wrong themselves: a joint that the skin does not have, or a weight that is not finite.
 */
bool gltf_mend_weights(const struct gltf_repair *repair);

#endif
