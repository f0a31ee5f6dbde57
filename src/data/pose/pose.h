#ifndef RIGPROOF_DATA_POSE_H
#define RIGPROOF_DATA_POSE_H

#include <stdint.h>

#include "data/scene/scene.h"

/* Where every node is at one time, and how far every mesh is morphed. `animate` writes the local parts and the weights,
 * `palette` the globals. Three arrays of node_count, in node order. */
struct pose {
    uint32_t node_count;
    struct transform *local; /* translation, rotation, scale to the parent; of a node that no channel moves: its rest */
    mat4 *local_to_parent;   /* the matrix of `local`; exact rest matrix (which may hold shear) where no channel moves it */
    mat4 *node_to_scene;     /* "global" */
    uint32_t weight_count;   /* scene.weight_count */
    float *morph_weights;    /* target i of an instance: [instance.first_weight + i]; any number, below 0 and beyond 1 too */
};

/* A pose in the arena, set to the rest pose (globals not yet computed). */
struct pose pose_create(const struct scene *scene, struct arena *arena);

/* The same pose in another arena. */
struct pose pose_copy(const struct pose *pose, const struct scene *scene, struct arena *arena);

/* Sets every node to its rest transform, and every morph weight to what it is at rest. */
void pose_reset(struct pose *pose, const struct scene *scene);

#endif
