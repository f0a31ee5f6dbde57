#ifndef RIGPROOF_PALETTE_ROUNDING_H
#define RIGPROOF_PALETTE_ROUNDING_H

#include "data/pose/upload_format.h"
#include "data/pose/palette.h"

/*
 * How far two implementations of skinning in floats may be apart, in scene units. A vertex is the sum of what its bones
 * make of it, M p = L p + t, and floats round relative to the size of L p and t: where the two nearly cancel, or the
 * model stands far from the origin, that is much of its radius.
 *   1e-6 (|L p| + |t|), 17 times half a unit in the last place; the largest of all influences. Measured: up to 1e-7
 *   with linear skinning, 4e-7 with dual quaternions, on models up to 10,000 radii from the origin
 *   plus 3e-5 |L p| for `format` trs, which may miss its matrix by that (data/pose/similarity.h)
 */
double skin_rounding(const struct scene *scene, const struct palette *palette, enum palette_format format);

#endif
