#ifndef RIGPROOF_ANIMATE_BLEND_H
#define RIGPROOF_ANIMATE_BLEND_H

#include "data/pose/pose.h"

/*
 * Several local poses as one, by weight, node by node:
 * - Translation, scale and morph weights: the weighted mean.
 * - Rotation of exactly two: along the shortest arc between them at the second's share of the weight (spherical linear
 *   interpolation; K. Shoemake, "Animating rotation with quaternion curves", 1985). It has constant angular speed, which a
 *   cross-fade shows.
 * - Rotation of three and more: each quaternion turned to the side of the heaviest (q and -q are one rotation; of equally
 *   heavy ones the first), the weighted sum, normalised. Unlike slerp after slerp it does not depend on the order, and no
 *   sum is zero. Between two of them it would lead and lag slerp by up to a degree or two at 90 degrees apart.
 * - Where all matrices are equal, that transform and its matrix (which may hold shear) are taken as they are.
 */

struct blend_input {
    const struct pose *pose;
    double weight; /* >= 0; those with 0 count for nothing, not even as one of two */
};

/*
 * Writes the local parts of every node and all morph weights. Weights count relative to their sum, which must not be 0; where only one is not
 * 0, the result is that pose bit by bit. `out` is none of the inputs. Computed in double, rounded once.
 */
void blend_poses(const struct blend_input *inputs, uint32_t count, struct pose *out);

/* The local parts of one node, without the morph weights of what hangs on it. */
void blend_copy_node(const struct pose *from, uint32_t node, struct pose *out);

#endif
