#ifndef RIGPROOF_COMPARE_PIXELMATCH_H
#define RIGPROOF_COMPARE_PIXELMATCH_H

#include "data/image/image.h"

/*
 * How many pixels a person would call different: pixelmatch 7.2.0 by its definition, the counts are the same. (Later
 * versions measure in another colour space: counts differ.)
 *
 * Two pixels differ when .5053 Y^2 + .299 I^2 + .1957 Q^2 of their difference in YIQ (channels 0 to 255) is above
 * 35215 threshold^2 (Kotsarenko and Ramos 2010, "Measuring perceived color difference using YIQ NTSC transmission color
 * space in mobile applications").
 *
 * Anti-aliased pixels count too: a limb that moves by less than a pixel changes little else. The threshold is 0.1, and
 * a pixel with alpha is laid over a checkerboard. Sizes are equal.
 */
uint32_t pixelmatch(const struct image *a, const struct image *b);

#endif
