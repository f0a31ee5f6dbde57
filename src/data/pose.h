#ifndef RIGPROOF_DATA_POSE_H
#define RIGPROOF_DATA_POSE_H

#include <stdint.h>

#include "data/scene.h"

/*
 * Where every node is at one time. `animate` writes the local parts, `palette` the globals. Three arrays of
 * node_count, in node order; the memory belongs to the arena it was made in.
 */
struct pose {
    uint32_t node_count;
    struct transform *local; /* translation, rotation, scale to the parent; of a node that no channel moves: its rest */
    mat4 *local_to_parent;   /* the matrix of `local`; exact rest matrix (which may hold shear) where no channel moves it */
    mat4 *node_to_scene;     /* "global" */
};

/* A pose in the arena, set to the rest pose (globals not yet computed). */
struct pose pose_create(const struct scene *scene, struct arena *arena);

/* Sets every node to its rest transform. */
void pose_reset(struct pose *pose, const struct scene *scene);

#endif
