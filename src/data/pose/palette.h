#ifndef RIGPROOF_DATA_PALETTE_H
#define RIGPROOF_DATA_PALETTE_H

#include <stdint.h>

#include "data/scene/scene.h"

enum palette_space {
    SPACE_SCENE, /* mesh space -> scene space: glTF's and LearnOpenGL's definition */
    SPACE_ROOT,  /* mesh space -> the root node's space: ogldev's, which multiplies by the inverse root transform */
};

/* All that moves vertices at one time: one matrix per scene.bindings[], same order, and the pose's morph weights. */
struct palette {
    uint32_t count;
    mat4 *mesh_to_scene; /* bone_to_scene * mesh_to_bone; scene or root space, as asked for */
    uint32_t weight_count;
    float *morph_weights; /* [scene.weight_count] as struct pose has them */
};

struct palette palette_create(const struct scene *scene, struct arena *arena);

/* The same palette in another arena. */
struct palette palette_copy(const struct palette *palette, const struct scene *scene, struct arena *arena);

/* Vertices of one instance after skinning, in the palette's space. */
struct skinned {
    uint32_t instance;
    uint32_t vertex_count;
    vec3 *positions;
    vec3 *normals; /* unit length, or zero where the file's normal was zero */
};

/* Memory for every instance of the scene: [scene.instance_count]. */
struct skinned *skinned_create(const struct scene *scene, struct arena *arena);

#endif
