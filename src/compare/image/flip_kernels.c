#include "compare/image/flip_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/image/image_metrics.h"

static const double pi = 3.14159265358979323846;

/* ---- contrast sensitivity -------------------------------------------------------------------------------------- */

/* a sqrt(pi / b) exp(-pi^2 r^2 / b), r in degrees. */
struct gaussian {
    int channel;
    double a, b;
};

static const struct gaussian sensitivity[] = {
    [KERNEL_LUMINANCE] = {0, 1, 0.0047},
    [KERNEL_RED_GREEN] = {1, 1, 0.0053},
    [KERNEL_BLUE_YELLOW_1] = {2, 34.1, 0.04},
    [KERNEL_BLUE_YELLOW_2] = {2, 13.5, 0.025},
};

enum { SENSITIVITY_COUNT = sizeof sensitivity / sizeof sensitivity[0], WIDEST = KERNEL_BLUE_YELLOW_1 };

int flip_radius(double pixels_per_degree)
{
    return (int)ceil(3 * sqrt(sensitivity[WIDEST].b / (2 * pi * pi)) * pixels_per_degree);
}

/* The square root of its factor goes to each dimension. */
static double sensitivity_at(const struct gaussian *g, int x, double pixels_per_degree)
{
    double r = x / pixels_per_degree;
    return sqrt(g->a * sqrt(pi / g->b)) * exp(-pi * pi * r * r / g->b);
}

static double even_sum(const struct gaussian *g, int half_width, double pixels_per_degree)
{
    double sum = sensitivity_at(g, 0, pixels_per_degree);
    for (int x = 1; x <= half_width; x++)
        sum += 2 * sensitivity_at(g, x, pixels_per_degree);
    return sum;
}

/* The filters of a channel sum to 1 over both dimensions. */
static void make_sensitivity(struct kernel *kernels, double pixels_per_degree)
{
    double sums[SENSITIVITY_COUNT], channels[3] = {0};
    for (int i = 0; i < SENSITIVITY_COUNT; i++) {
        sums[i] = even_sum(&sensitivity[i], kernels[i].half_width, pixels_per_degree);
        channels[sensitivity[i].channel] += sums[i] * sums[i];
    }
    for (int i = 0; i < SENSITIVITY_COUNT; i++) {
        double scale = 1 / sqrt(channels[sensitivity[i].channel]);
        kernels[i].base = (float)(sums[i] * scale);
        for (int x = 0; x <= kernels[i].half_width; x++)
            kernels[i].weights[x] = (float)(sensitivity_at(&sensitivity[i], x, pixels_per_degree) * scale);
    }
}

/* ---- edges and points ------------------------------------------------------------------------------------------ */

static double feature_sigma(double pixels_per_degree)
{
    const double width = 0.082; /* degrees: of the edges that the eye sees best */
    return 0.5 * width * pixels_per_degree;
}

/* The Gaussian sums to 1; of its derivatives the positive weights sum to 1 and the negative ones to -1. */
static void make_features(struct kernel *kernels, double pixels_per_degree)
{
    double sigma = feature_sigma(pixels_per_degree), sum = 1, slope = 0, above = 0, below = 1;
    int half_width = kernels[KERNEL_SMOOTH].half_width;
    for (int x = 1; x <= half_width; x++) {
        double g = exp(-x * x / (2 * sigma * sigma)), bend = (x * x / (sigma * sigma) - 1) * g;
        sum += 2 * g;
        slope += x * g;
        *(bend > 0 ? &above : &below) += 2 * fabs(bend);
    }
    for (int x = 0; x <= half_width; x++) {
        double g = exp(-x * x / (2 * sigma * sigma)), bend = (x * x / (sigma * sigma) - 1) * g;
        kernels[KERNEL_SMOOTH].weights[x] = (float)(g / sum);
        kernels[KERNEL_SLOPE].weights[x] = (float)(x * g / slope);
        kernels[KERNEL_CURVATURE].weights[x] = (float)(bend / (bend > 0 ? above : below));
    }
    kernels[KERNEL_SMOOTH].base = 1;
    kernels[KERNEL_SLOPE].odd = true;
    kernels[KERNEL_CURVATURE].base = 0;
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

bool flip_kernels_create(struct flip_kernels *kernels, double pixels_per_degree)
{
    int radius = flip_radius(pixels_per_degree);
    *kernels = (struct flip_kernels){.radius = radius};
    kernels->memory = calloc((size_t)(radius + 1) * KERNEL_COUNT, sizeof(float));
    if (!kernels->memory)
        return false;
    for (int i = 0; i < KERNEL_COUNT; i++) {
        kernels->kernels[i].half_width =
            i < SENSITIVITY_COUNT ? radius : (int)ceil(3 * feature_sigma(pixels_per_degree));
        kernels->kernels[i].weights = kernels->memory + (size_t)(radius + 1) * (size_t)i;
    }
    make_sensitivity(kernels->kernels, pixels_per_degree);
    make_features(kernels->kernels, pixels_per_degree);
    return true;
}

void flip_kernels_release(struct flip_kernels *kernels)
{
    free(kernels->memory);
    *kernels = (struct flip_kernels){0};
}

/* Inner loops have a fixed length: compilers make vectors of them. */
void flip_kernel_apply(const struct kernel *kernel, const float *const *lines, int radius, size_t count, float *out)
{
    for (size_t i = 0; i < count; i += KERNEL_BLOCK) {
        const float *center = lines[radius] + i;
        float sum[KERNEL_BLOCK];
        for (int b = 0; b < KERNEL_BLOCK; b++)
            sum[b] = kernel->base * center[b];
        for (int k = 1; k <= kernel->half_width; k++) {
            const float *before = lines[radius - k] + i, *after = lines[radius + k] + i;
            float weight = kernel->weights[k];
            if (kernel->odd)
                for (int b = 0; b < KERNEL_BLOCK; b++)
                    sum[b] += weight * (after[b] - before[b]);
            else
                for (int b = 0; b < KERNEL_BLOCK; b++)
                    sum[b] += weight * ((before[b] - center[b]) + (after[b] - center[b]));
        }
        memcpy(out + i, sum, sizeof sum);
    }
}
