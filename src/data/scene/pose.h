#pragma once

#include "data/scene/scene.h"

/* Says where every node is at one time, and how far every mesh is morphed. `animate` writes the local parts and the
 * weights, `palette` the globals. Three arrays of node_count, in node order. */
struct pose {
    uint32_t node_count;
    struct transform *local; /* translation, rotation, scale to the parent; of a node that no channel moves: its rest */
    mat4 *local_to_parent;  /* the matrix of `local`; of a node that no channel moves its rest matrix, which may hold
                               shear */
    mat4 *node_to_scene;    /* "global" */
    uint32_t weight_count;  /* scene.weight_count */
    float *morph_weights;   /* target i of an instance: [instance.first_weight + i]; any number, also below 0 and
                               above 1 */
};

/* A pose in the arena, set to the rest pose (globals not yet computed). */
struct pose pose_create(const struct scene *scene, struct arena *arena);

/* The same pose in another arena. */
struct pose pose_copy(const struct pose *pose, const struct scene *scene, struct arena *arena);

/* Sets every node to its rest transform, and every morph weight to what it is at rest. */
void pose_reset(struct pose *pose, const struct scene *scene);

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
    vec4 *tangents; /* unit length across the normal, w the bitangent's sign, or zero; NULL where the mesh has none */
};

/* Memory for every instance of the scene: [scene.instance_count]. */
struct skinned *skinned_create(const struct scene *scene, struct arena *arena);

/* Says what of a pose is to be written: which stages, of which nodes, and whether with velocities. */

enum pose_stage {
    POSE_LOCAL = 1 << 0,   /* nodes, to their parents */
    POSE_GLOBAL = 1 << 1,  /* nodes, to the scene */
    POSE_PALETTE = 1 << 2, /* mesh space to scene space */
    POSE_SKIN = 1 << 3,    /* skinned vertices */
    POSE_NODES = POSE_LOCAL | POSE_GLOBAL,
    POSE_STAGES = POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE | POSE_SKIN,
};

/* Says how a node moves, seen from its parent or from the scene. */
struct motion {
    vec3 linear;  /* units a second, of its origin */
    vec3 angular; /* degrees a second, about the axes of the parent or the scene */
};

struct pose_part {
    unsigned stages;             /* enum pose_stage */
    const bool *nodes;           /* [node_count] those that are wanted, with their palette entries; NULL: all */
    const struct motion *local;  /* [node_count]; NULL: no velocities */
    const struct motion *global; /* [node_count]; NULL: no velocities */
    bool vertices;               /* positions and normals with the stage skin */
    bool indices;                /* of parents, too */
};

/* Says whether the part has that node, NULL being everything. */
static inline bool pose_part_has(const struct pose_part *part, uint32_t node)
{
    return !part || !part->nodes || part->nodes[node];
}
