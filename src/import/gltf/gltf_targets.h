#ifndef RIGPROOF_IMPORT_GLTF_TARGETS_H
#define RIGPROOF_IMPORT_GLTF_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene/scene.h"
#include "import/gltf/gltf_file.h"

/*
 * What an animation of the file moves, node by node, and which channel of the clip Assimp made from it.
 * Assimp makes one channel for each node, in the order of a hash table, and names the node but does not
 * number it; where several channels have one name their keys decide.
 */

/* After the components of a transform. */
enum { GLTF_WEIGHTS = COMPONENT_COUNT, GLTF_PATH_COUNT };

struct gltf_target {
    int32_t node;                      /* of the file */
    int32_t samplers[GLTF_PATH_COUNT]; /* of the animation, by enum component, then GLTF_WEIGHTS; GLTF_NONE:
                                          not moved */
    int32_t channel;                   /* of the clip; GLTF_NONE when none is certain */
    int32_t morph;                     /* of the clip's morphs; GLTF_NONE likewise */
};

struct gltf_targets {
    size_t count;
    struct gltf_target *items;
    size_t orphans; /* channels of the file that name no node or no property known to glTF 2.0: to be ignored,
                    * but Assimp takes them for translations and such of a node they do not name */
    bool *unclaimed; /* [clip->channel_count] channels that no target of the file accounts for */
};

/*
 * Gathers the targets of an animation, matched with the clip's channels. The memory is the heap's,
 * gltf_targets_release() in any case. False with err set when out of memory.
 */
bool gltf_targets_find(struct gltf_file *file, const json_t *animation, const struct clip *clip,
                       struct gltf_targets *targets, struct error *err);

/* Frees what the struct holds. A zeroed struct is fine. */
void gltf_targets_release(struct gltf_targets *targets);

#endif
