#ifndef RIGPROOF_COMPARE_FLIP_H
#define RIGPROOF_COMPARE_FLIP_H

#include "data/image/image.h"

/*
 * How much a person who flips between two pictures sees change, pixel by pixel: LDR-FLIP (Andersson, Nilsson,
 * Akenine-Möller, Oskarsson, Åström and Fairchild 2020, "FLIP: A Difference Evaluator for Alternating Images"), with
 * the constants and the separable filters of its version 1.7.
 *
 * FLIP knows no alpha. Pictures with alpha are seen over black and over white, and the larger error counts.
 */

/* Of an eye 0.7 m from a screen 0.7 m wide with 3840 pixels: 67.02. */
#define FLIP_PIXELS_PER_DEGREE (3840 * 3.14159265358979323846 / 180)

struct flip {
    uint32_t width;
    uint32_t height;
    float *error; /* malloc'd; [height][width], 0 = no difference seen, 1 = the largest */
    double mean;  /* of all pixels, as are the next two */
    double p999;  /* the least error that 99.9 % of the pixels do not exceed (nearest rank) */
    double max;
};

/*
 * Sizes are equal, pixels_per_degree is at least 1. Errors are computed near changed pixels only: farther than
 * flip_radius() from all of them, in x or in y, both pictures look the same and the error is 0. Release `out` with
 * flip_release(). False with err set when out of memory.
 */
bool flip_compare(const struct image *a, const struct image *b, double pixels_per_degree, struct flip *out,
                  struct error *err);
void flip_release(struct flip *flip);

/* How far a pixel is seen, in pixels: 10 at 67.02 pixels per degree. */
int flip_radius(double pixels_per_degree);

#endif
