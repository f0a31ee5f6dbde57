#ifndef RIGPROOF_COMPARE_FLIP_KERNELS_H
#define RIGPROOF_COMPARE_FLIP_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * FLIP's filters, one dimension at a time: a filter is the product of one kernel along x and one along y.
 *
 * A kernel is stored folded. Even ones are base * center + sum of weight[k] ((before_k - center) + (after_k - center)),
 * odd ones the sum of weight[k] (after_k - before_k). On a surface of one colour that is exact: neither edges nor
 * points appear there out of rounding, which FLIP's square root would magnify.
 */
enum flip_kernel {
    KERNEL_LUMINANCE,     /* what the eye makes of contrast: the contrast sensitivity functions of the three opponent */
    KERNEL_RED_GREEN,     /* channels; blue-yellow is the sum of two filters */
    KERNEL_BLUE_YELLOW_1,
    KERNEL_BLUE_YELLOW_2,
    KERNEL_SMOOTH,        /* a Gaussian, its first and its second derivative, for edges and points */
    KERNEL_SLOPE,
    KERNEL_CURVATURE,
    KERNEL_COUNT
};

struct kernel {
    bool odd;
    int half_width;      /* weights beyond are 0 */
    float base;     /* even: the sum of all weights */
    float *weights; /* [reach + 1]; weight 0 is not used */
};

struct flip_kernels {
    int radius; /* the largest reach */
    struct kernel kernels[KERNEL_COUNT];
    float *memory;
};

/* False when out of memory. */
bool flip_kernels_create(struct flip_kernels *kernels, double pixels_per_degree);
void flip_kernels_release(struct flip_kernels *kernels);

enum { KERNEL_BLOCK = 16 };

/*
 * Applies a kernel to `count` values, a multiple of KERNEL_BLOCK. lines[j][i] is what lies j - radius before or after
 * output i: shifts of one row, or rows of a picture.
 */
void flip_kernel_apply(const struct kernel *kernel, const float *const *lines, int radius, size_t count, float *out);

#endif
