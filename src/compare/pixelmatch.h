#ifndef RIGPROOF_COMPARE_PIXELMATCH_H
#define RIGPROOF_COMPARE_PIXELMATCH_H

#include "data/image.h"

/*
 * How many pixels a person would call different: pixelmatch 7.2.0 by its definition, the counts are the same. (Later
 * versions measure in another colour space: counts differ.)
 *
 * Two pixels differ when .5053 Y^2 + .299 I^2 + .1957 Q^2 of their difference in YIQ (channels 0 to 255) is above
 * 35215 threshold^2 (Kotsarenko and Ramos 2010, "Measuring perceived color difference using YIQ NTSC transmission color
 * space in mobile applications"). A pixel with alpha is first laid over a checkerboard, or over white.
 *
 * Anti-aliased pixels: Vysniauskas 2009, "Anti-aliased Pixel and Intensity Slope Detector". A limb that moves by less
 * than a pixel changes little else but these, so a comparison of renderings counts them.
 */
struct pixelmatch_options {
    double threshold; /* 0 to 1 */
    bool include_aa;  /* count anti-aliased pixels too */
    bool white;       /* lay pixels with alpha over white instead of the checkerboard */
};

/* Threshold 0.1, anti-aliased pixels counted, checkerboard. */
extern const struct pixelmatch_options pixelmatch_defaults;

enum pixelmatch_pixel {
    PIXEL_SIMILAR,
    PIXEL_ANTIALIASED, /* differs, but is left out of the count */
    PIXEL_DIFFERENT,   /* counted */
};

/* The number of different pixels. Sizes are equal. `mask`: NULL, or [height][width] of enum pixelmatch_pixel. */
uint32_t pixelmatch(const struct image *a, const struct image *b, const struct pixelmatch_options *options,
                    uint8_t *mask);

#endif
