#ifndef RIGPROOF_PALETTE_SKIN_H
#define RIGPROOF_PALETTE_SKIN_H

#include "data/pose/palette.h"

/*
 * The CPU reference of linear blend skinning, which the GPU is held against.
 *   M(v)      = sum over influences of weight * palette[bone]
 *   position  = M(v) p,  normal = normalise(inverse_transpose(M(v)) n)
 * where p and n are the mesh's, morphed by the palette's weights (palette/morph.h).
 * Any number of influences. Weights are used as they are. A vertex of a skinned mesh without influences (only possible
 * with the repair "unweighted" off) collapses to the origin, as a plain palette sum has it.
 */

/* Skins one instance: out->positions and out->normals must hold its vertices (skinned_create). */
void skin_instance(const struct scene *scene, const struct palette *palette, struct skinned *out);

/* Skins all: out[scene->instance_count]. */
void skin_scene(const struct scene *scene, const struct palette *palette, struct skinned *out);

#endif
