#pragma once

#include "data/scene/upload_format.h"

/*
 * The CPU reference of linear blend skinning, which the GPU is held against.
 *   M(v)      = sum over influences of weight * palette[bone]
 *   position  = M(v) p,  normal = normalise(inverse_transpose(M(v)) n)
 *   tangent   = normalise(t' - normal (normal . t')),  t' = M(v) t without the translation;  w: the sign of det M(v)
 * times it where p and n are the mesh's, morphed by the palette's weights (below); t is the mesh's at rest, as glTF's
 * TANGENT deltas are not read. Where next to nothing is left of a tangent it is zero, w too: t' below 1e-3 of M(v)'s
 * largest element, or all but a hundredth of it along the normal, or w is 0; in the shader below half of these, so that
 * what is here is there too. Any number of influences. Weights are used as they are. A vertex of a skinned mesh without
 * influences (only possible with the repair "unweighted" off) collapses to the origin, as a plain palette sum has it.
 */

/* Skins all: out[scene->instance_count], whose positions and normals must hold their vertices (skinned_create). */
void skin_scene(const struct scene *scene, const struct palette *palette, struct skinned *out);

/* That of a tangent: t', M(v)'s largest element, the skinned normal, and the sign. */
void skin_tangent(const double moved[3], double size, const vec3 normal, float sign, vec4 out);

/*
 * Morph targets: what a mesh is before it is skinned (glTF 2.0 section 3.7.2.2), in mesh space.
 *   position = p + sum over targets of weight * position delta
 *   normal   = normalise(n + sum of weight * normal delta)
 * Targets in the mesh's order. Of a target without normals the normals stay.
 */

/* Says whether any weight of the instance is not 0. */
bool morph_is_active(const struct mesh *mesh, const float *weights);

/*
 * Vertices first .. first + count - 1 of the mesh. `weights` is the instance's part of palette.morph_weights,
 * [mesh->target_count]; weights of 0 cost nothing. positions and normals: [count].
 */
void morph_vertices(const struct mesh *mesh, const float *weights, uint32_t first, uint32_t count, vec3 *positions,
                    vec3 *normals);

/*
 * Returns how far two implementations of skinning in floats may be apart, in scene units. A vertex is the sum of what
 * its bones make of it, M p = L p + t, and floats round relative to the size of L p and t: where the two nearly cancel,
 * or the model stands far from the origin, that is much of its radius.
 *   1e-6 (|L p| + |t|), 17 times half a unit in the last place; the largest of all influences. Measured: up to 1e-7
 *   with linear skinning, 4e-7 with dual quaternions, on models up to 10,000 radii from the origin
 *   plus 3e-5 |L p| for `format` trs, which may miss its matrix by that (data/scene/upload_format.h)
 */
double skin_rounding(const struct scene *scene, const struct palette *palette, enum palette_format format);
