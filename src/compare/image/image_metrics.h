#pragma once

#include "data/image/image.h"

/*
 * Says how much a person who flips between two pictures sees change, pixel by pixel: LDR-FLIP (Andersson, Nilsson,
 * Akenine-Möller, Oskarsson, Åström and Fairchild 2020, "FLIP: A Difference Evaluator for Alternating Images"), with
 * the constants and the separable filters of its version 1.7, for an eye 0.7 m from a screen 0.7 m wide with 3840
 * pixels: 67.02 pixels per degree. FLIP knows no alpha: such pictures are seen over black and over white, the larger
 * error counts.
 */
struct flip {
    float *error; /* malloc'd, the caller's; [height][width], 0 = no difference seen, 1 = the largest */
    double p999;  /* the least error that 99.9 % of the pixels do not exceed (nearest rank) */
    double max;
};

/* Says how far a pixel is seen, in x and in y: 3 sqrt(.04 / (2 pi^2)) degrees. Farther from all that changed the error
 * is 0. */
enum { FLIP_RADIUS = 10 };

/* Compares two images of equal sizes. */
struct flip flip_compare(const struct image *a, const struct image *b);

/*
 * Returns how many pixels a person would call different: pixelmatch 7.2.0 by its definition, the counts are the same.
 * (Later versions measure in another colour space: counts differ.)
 *
 * Two pixels differ when .5053 Y^2 + .299 I^2 + .1957 Q^2 of their difference in YIQ (channels 0 to 255) is above
 * 35215 threshold^2 (Kotsarenko and Ramos 2010, "Measuring perceived color difference using YIQ NTSC transmission color
 * space in mobile applications"). Anti-aliased pixels count too: a limb that moves by less than a pixel changes little
 * else. The threshold is 0.1, and a pixel with alpha is laid over a checkerboard. Sizes are equal.
 */
uint32_t pixelmatch(const struct image *a, const struct image *b);

/*
 * A colour map from 0 (black) over violet, red and orange to 1 (pale yellow), sRGB. Lightness grows evenly (CIE L* is
 * 96 times the value), so it orders the values for every eye and in grey print.
 */
void color_map_at(float value, uint8_t rgb[static 3]);
