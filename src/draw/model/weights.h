#ifndef RIGPROOF_DRAW_WEIGHTS_H
#define RIGPROOF_DRAW_WEIGHTS_H

#include "data/scene/scene.h"

/*
 * Weights as bytes, k / 255 each. The bytes of a vertex sum up to 255 times the sum of its weights, rounded: exactly
 * 255 for weights that sum up to 1, so that no vertex is drawn towards the origin or away from it. Each byte is the
 * weight's floor; what is then missing goes, one each, to those with the largest remainders, the first of equals
 * (Hamilton's method). Weights below 0 or above 1 are cut.
 *
 * A byte is less than 1 / 255 off, and the n of a vertex together no more than n / 2 / 255: linear skinning moves a
 * vertex by no more than n / 4 / 255 times the distance of the two places farthest apart that its bones take it to.
 */
void weights_to_bytes(const struct influence *influences, uint32_t count, uint8_t *bytes);

/* A copy of all of a mesh's influences whose weights are such bytes over 255; malloc'd, NULL when out of memory. */
struct influence *weights_rounded(const struct mesh *mesh);

#endif
