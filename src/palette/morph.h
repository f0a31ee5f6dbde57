#ifndef RIGPROOF_PALETTE_MORPH_H
#define RIGPROOF_PALETTE_MORPH_H

#include "data/pose/palette.h"

/*
 * Morph targets: what a mesh is before it is skinned (glTF 2.0 section 3.7.2.2), in mesh space.
 *   position = p + sum over targets of weight * position delta
 *   normal   = normalise(n + sum of weight * normal delta)
 * Targets in the mesh's order. Of a target without normals the normals stay.
 */

/* Whether any weight of the instance is not 0. */
bool morph_is_active(const struct mesh *mesh, const float *weights);

/*
 * Vertices first .. first + count - 1 of the mesh. `weights` is the instance's part of palette.morph_weights,
 * [mesh->target_count]; weights of 0 cost nothing. positions and normals: [count].
 */
void morph_vertices(const struct mesh *mesh, const float *weights, uint32_t first, uint32_t count, vec3 *positions,
                    vec3 *normals);

#endif
