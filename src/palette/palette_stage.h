#pragma once

#include "data/scene/pose.h"

/*
 * Local pose -> global pose -> palette.
 *   node_to_scene(n)   = node_to_scene(parent(n)) * local_to_parent(n)
 *   mesh_to_scene(b)   = node_to_scene(bone(b)) * mesh_to_bone(b)            (glTF 2.0 section 3.7.3.1, LearnOpenGL)
 *   root space         = inverse(rest local_to_parent(root)) * mesh_to_scene  (ogldev tutorial 38)
 */

/* Fills pose->node_to_scene: one forward pass. */
void palette_globals(const struct scene *scene, struct pose *pose);

/* Fills the palette from pose->node_to_scene and the pose's morph weights. */
void palette_compute(const struct scene *scene, const struct pose *pose, enum palette_space space,
                     struct palette *palette);
