#include "compare/image/image_metrics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * FLIP's filters, one dimension at a time: a filter is the product of one kernel along x and one along y.
 *
 * A kernel is stored folded. Even ones are base * center + sum of weight[k] ((before_k - center) + (after_k - center)),
 * odd ones the sum of weight[k] (after_k - before_k). On a surface of one colour that is exact: neither edges nor
 * points appear there out of rounding, which FLIP's square root would magnify.
 */
enum flip_kernel {
    KERNEL_LUMINANCE, /* what the eye makes of contrast: the contrast sensitivity functions of the three opponent */
    KERNEL_RED_GREEN, /* channels; blue-yellow is the sum of two filters */
    KERNEL_BLUE_YELLOW_1,
    KERNEL_BLUE_YELLOW_2,
    KERNEL_SMOOTH, /* a Gaussian, its first and its second derivative, for edges and points */
    KERNEL_SLOPE,
    KERNEL_CURVATURE,
    KERNEL_COUNT
};

/*
 * Opponent channels without their constant factors, which filters leave alone: y, x - y, y - z of XYZ divided by the
 * white's. The definition's YCxCz is 116 y - 16, 500 (x - y), 200 (y - z).
 */
enum channel { CHANNEL_LUMINANCE, CHANNEL_RED_GREEN, CHANNEL_BLUE_YELLOW, CHANNEL_COUNT };

enum { FEATURE_RADIUS = 9, ROWS = 2 * FLIP_RADIUS + 1, BLOCK = 16 };

struct kernel {
    bool odd;
    enum channel channel;           /* what is filtered along x */
    int radius;                     /* weights beyond are 0 */
    float base;                     /* even: the sum of all weights */
    float weights[FLIP_RADIUS + 1]; /* weight 0 is not used */
};

static const double pi = 3.14159265358979323846, pixels_per_degree = 3840 * 3.14159265358979323846 / 180;

/* Contrast sensitivity, a sqrt(pi / b) exp(-pi^2 r^2 / b), r in degrees; each dimension has the square root of its
 * factor. */
static const struct sensitivity {
    enum channel channel;
    double a, b;
} sensitivities[] = {
    [KERNEL_LUMINANCE] = {CHANNEL_LUMINANCE, 1, 0.0047},
    [KERNEL_RED_GREEN] = {CHANNEL_RED_GREEN, 1, 0.0053},
    [KERNEL_BLUE_YELLOW_1] = {CHANNEL_BLUE_YELLOW, 34.1, 0.04},
    [KERNEL_BLUE_YELLOW_2] = {CHANNEL_BLUE_YELLOW, 13.5, 0.025},
};

static double sensitivity_at(const struct sensitivity *s, int x)
{
    double r = x / pixels_per_degree;
    return sqrt(s->a * sqrt(pi / s->b)) * exp(-pi * pi * r * r / s->b);
}

/*
 * Those of contrast sensitivity sum to 1 in a channel, over both dimensions. Those for edges and points are of 0.082
 * degrees, which the eye sees best: the Gaussian sums to 1; of its derivatives the positive weights sum to 1 and the
 * negative ones to -1.
 */
static void make_kernels(struct kernel kernels[KERNEL_COUNT])
{
    double sums[KERNEL_SMOOTH], channels[CHANNEL_COUNT] = {0};
    for (int i = 0; i < KERNEL_SMOOTH; i++) {
        sums[i] = sensitivity_at(&sensitivities[i], 0);
        for (int x = 1; x <= FLIP_RADIUS; x++)
            sums[i] += 2 * sensitivity_at(&sensitivities[i], x);
        channels[sensitivities[i].channel] += sums[i] * sums[i];
    }
    for (int i = 0; i < KERNEL_SMOOTH; i++) {
        double scale = 1 / sqrt(channels[sensitivities[i].channel]);
        kernels[i].channel = sensitivities[i].channel;
        kernels[i].radius = FLIP_RADIUS;
        kernels[i].base = (float)(sums[i] * scale);
        for (int x = 0; x <= FLIP_RADIUS; x++)
            kernels[i].weights[x] = (float)(sensitivity_at(&sensitivities[i], x) * scale);
    }
    double sigma = 0.5 * 0.082 * pixels_per_degree, sum = 1, slope = 0, above = 0, below = 1;
    kernels[KERNEL_SMOOTH] = (struct kernel){.radius = FEATURE_RADIUS, .base = 1};
    kernels[KERNEL_SLOPE] = (struct kernel){.radius = FEATURE_RADIUS, .odd = true};
    kernels[KERNEL_CURVATURE] = (struct kernel){.radius = FEATURE_RADIUS};
    for (int x = 1; x <= FEATURE_RADIUS; x++) {
        double g = exp(-x * x / (2 * sigma * sigma)), bend = (x * x / (sigma * sigma) - 1) * g;
        sum += 2 * g;
        slope += x * g;
        *(bend > 0 ? &above : &below) += 2 * fabs(bend);
    }
    for (int x = 0; x <= FEATURE_RADIUS; x++) {
        double g = exp(-x * x / (2 * sigma * sigma)), bend = (x * x / (sigma * sigma) - 1) * g;
        kernels[KERNEL_SMOOTH].weights[x] = (float)(g / sum);
        kernels[KERNEL_SLOPE].weights[x] = (float)(x * g / slope);
        kernels[KERNEL_CURVATURE].weights[x] = (float)(bend / (bend > 0 ? above : below));
    }
}

/*
 * Applies a kernel to the blocks of a row that are wanted. lines[j][i] is what lies j - FLIP_RADIUS before or after
 * output i: shifts of one row, or rows of a picture. Inner loops have a fixed length: compilers make vectors of them.
 */
static void apply_kernel(const struct kernel *kernel, const float *const lines[ROWS], const uint8_t *wanted,
                         size_t blocks, float *out)
{
    for (size_t i = 0; i < blocks * BLOCK; i += BLOCK) {
        if (!wanted[i / BLOCK])
            continue;
        const float *center = lines[FLIP_RADIUS] + i;
        float sum[BLOCK];
        for (int b = 0; b < BLOCK; b++)
            sum[b] = kernel->base * center[b];
        for (int k = 1; k <= kernel->radius; k++) {
            const float *before = lines[FLIP_RADIUS - k] + i, *after = lines[FLIP_RADIUS + k] + i;
            float weight = kernel->weights[k];
            if (kernel->odd)
                for (int b = 0; b < BLOCK; b++)
                    sum[b] += weight * (after[b] - before[b]);
            else
                for (int b = 0; b < BLOCK; b++)
                    sum[b] += weight * ((before[b] - center[b]) + (after[b] - center[b]));
        }
        memcpy(out + i, sum, sizeof sum);
    }
}

/*
 * Linear sRGB to XYZ divided by the white's, and back: primaries of IEC 61966-2-1 (.64, .33), (.30, .60), (.15, .06),
 * white (.31271, .32902), so that (1, 1, 1) stays (1, 1, 1).
 */
static const float rgb_to_xyz[3][3] = {
    {0.433895388832f, 0.376242372622f, 0.189862238546f},
    {0.212636821677f, 0.715182981841f, 0.072180196481f},
    {0.017752423152f, 0.109465628662f, 0.872781948186f},
};
static const float xyz_to_rgb[3][3] = {
    {3.080341988280f, -1.537398969489f, -0.542943018792f},
    {-0.921178396165f, 1.875929983695f, 0.045248412470f},
    {0.052881292876f, -0.204011206124f, 1.151129913248f},
};

static inline void transform(const float m[3][3], const float v[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

/* CIE 1976: the cube root with a straight line at its foot. */
static inline float lab_root(float t)
{
    const float foot = 216.0f / 24389.0f, slope = 841.0f / 108.0f;
    return t > foot ? cbrtf(t) : slope * t + 4.0f / 29.0f;
}

/* CIELAB whose chroma follows the lightness (the Hunt effect). `rgb` is linear. */
static inline void hunt_lab(const float rgb[3], float lab[3])
{
    float xyz[3];
    transform(rgb_to_xyz, rgb, xyz);
    float x = lab_root(xyz[0]), y = lab_root(xyz[1]), z = lab_root(xyz[2]);
    lab[0] = 116 * y - 16;
    lab[1] = 0.01f * lab[0] * 500 * (x - y);
    lab[2] = 0.01f * lab[0] * 200 * (y - z);
}

/* HyAB, to the power that fits large differences. That of green and blue counts as the largest. */
static inline float lab_distance(const float a[3], const float b[3])
{
    float da = a[1] - b[1], db = a[2] - b[2];
    return powf(fabsf(a[0] - b[0]) + sqrtf(da * da + db * db), 0.7f);
}

/* The filters of a row: contrast by the kernels of its sensitivity, the same along both, then edges and points. */
enum response { EDGE_X = KERNEL_SMOOTH, EDGE_Y, POINT_X, POINT_Y, RESPONSE_COUNT };

static const struct {
    enum flip_kernel along_x, along_y;
} response_kernels[RESPONSE_COUNT] = {
    [KERNEL_LUMINANCE] = {KERNEL_LUMINANCE, KERNEL_LUMINANCE},
    [KERNEL_RED_GREEN] = {KERNEL_RED_GREEN, KERNEL_RED_GREEN},
    [KERNEL_BLUE_YELLOW_1] = {KERNEL_BLUE_YELLOW_1, KERNEL_BLUE_YELLOW_1},
    [KERNEL_BLUE_YELLOW_2] = {KERNEL_BLUE_YELLOW_2, KERNEL_BLUE_YELLOW_2},
    [EDGE_X] = {KERNEL_SLOPE, KERNEL_SMOOTH},
    [EDGE_Y] = {KERNEL_SMOOTH, KERNEL_SLOPE},
    [POINT_X] = {KERNEL_CURVATURE, KERNEL_SMOOTH},
    [POINT_Y] = {KERNEL_SMOOTH, KERNEL_CURVATURE},
};

struct picture {
    const struct image *image;
    float *source;    /* [CHANNEL_COUNT][stride + 2 FLIP_RADIUS] one row and what is beside it */
    float *rows;      /* [ROWS][KERNEL_COUNT][stride] rows filtered along x; row y is at y % ROWS */
    float *responses; /* [RESPONSE_COUNT][stride] one row filtered along both */
};

/* Where nothing differs as far as a filter reaches, the error is 0: only blocks of a row are looked at where something
 * does. */
struct evaluation {
    struct kernel kernels[KERNEL_COUNT];
    uint32_t width, height;
    size_t blocks, stride; /* of a row, and its width in whole ones */
    uint8_t *changed;      /* [height][blocks] whether pixels differ in the block or beside it in its row */
    uint8_t *wanted;       /* [blocks] */
    float linear[256];     /* of an sRGB channel */
    float largest;         /* what counts as the largest distance */
    uint8_t backdrop;      /* of pixels with alpha: black or white */
    struct picture pictures[2];
};

static uint32_t clamp_index(int64_t i, uint32_t count)
{
    return i < 0 ? 0 : i >= (int64_t)count ? count - 1 : (uint32_t)i;
}

static float *kept_row(const struct evaluation *e, const struct picture *picture, uint32_t y, enum flip_kernel kernel)
{
    return picture->rows + (y % ROWS * KERNEL_COUNT + (size_t)kernel) * e->stride;
}

/* The blocks in which something differs in this row or so many before and after it. False: in none. */
static bool find_wanted(struct evaluation *e, uint32_t y, uint32_t radius)
{
    uint32_t last = clamp_index((int64_t)y + radius, e->height);
    memset(e->wanted, 0, e->blocks);
    for (uint32_t row = clamp_index((int64_t)y - radius, e->height); row <= last; row++)
        for (size_t b = 0; b < e->blocks; b++)
            e->wanted[b] |= e->changed[row * e->blocks + b];
    return memchr(e->wanted, true, e->blocks) != NULL;
}

/* Brings a row's blocks that are wanted, and what is beside them, into opponent channels. */
static void find_channels(const struct evaluation *e, const struct picture *picture, uint32_t y)
{
    size_t length = e->stride + ROWS - 1, done = 0;
    const uint8_t *row = picture->image->rgba + 4 * (size_t)y * e->width;
    for (size_t b = 0; b < e->blocks; b++) {
        size_t end = (b + 1) * BLOCK + ROWS - 1, i = done > b * BLOCK ? done : b * BLOCK;
        for (; e->wanted[b] && i < end; i++) {
            const uint8_t *p = row + 4 * (size_t)clamp_index((int64_t)i - FLIP_RADIUS, e->width);
            float rgb[3], xyz[3];
            for (int c = 0; c < 3; c++)
                rgb[c] = e->linear[(p[c] * p[3] + e->backdrop * (255 - p[3]) + 127) / 255];
            transform(rgb_to_xyz, rgb, xyz);
            picture->source[CHANNEL_LUMINANCE * length + i] = xyz[1];
            picture->source[CHANNEL_RED_GREEN * length + i] = xyz[0] - xyz[1];
            picture->source[CHANNEL_BLUE_YELLOW * length + i] = xyz[1] - xyz[2];
        }
        done = e->wanted[b] ? end : done;
    }
}

static void filter_along_x(const struct evaluation *e, const struct picture *picture, uint32_t y)
{
    size_t length = e->stride + ROWS - 1;
    const float *lines[ROWS];
    find_channels(e, picture, y);
    for (int k = 0; k < KERNEL_COUNT; k++) {
        for (size_t i = 0; i < ROWS; i++)
            lines[i] = picture->source + e->kernels[k].channel * length + i;
        apply_kernel(&e->kernels[k], lines, e->wanted, e->blocks, kept_row(e, picture, y, (enum flip_kernel)k));
    }
}

/* Both pictures' row; the second is the first's where it does not differ. */
static void filter_rows(struct evaluation *e, uint32_t y)
{
    if (!find_wanted(e, y, 2 * FLIP_RADIUS))
        return;
    filter_along_x(e, &e->pictures[0], y);
    memcpy(kept_row(e, &e->pictures[1], y, 0), kept_row(e, &e->pictures[0], y, 0),
           KERNEL_COUNT * e->stride * sizeof(float));
    if (find_wanted(e, y, 0))
        filter_along_x(e, &e->pictures[1], y);
}

/* A pixel: its colour as hunt_lab(), and the strength of an edge and a point at it. */
struct seen {
    float lab[3], edge, point;
};

static struct seen look(const struct evaluation *e, const struct picture *picture, size_t i)
{
    float r[RESPONSE_COUNT], rgb[3];
    struct seen seen;
    for (size_t k = 0; k < RESPONSE_COUNT; k++)
        r[k] = picture->responses[k * e->stride + i];
    float y = r[KERNEL_LUMINANCE], blue_yellow = r[KERNEL_BLUE_YELLOW_1] + r[KERNEL_BLUE_YELLOW_2];
    transform(xyz_to_rgb, (float[]){y + r[KERNEL_RED_GREEN], y, y - blue_yellow}, rgb);
    for (int c = 0; c < 3; c++)
        rgb[c] = fminf(fmaxf(rgb[c], 0), 1);
    hunt_lab(rgb, seen.lab);
    seen.edge = sqrtf(r[EDGE_X] * r[EDGE_X] + r[EDGE_Y] * r[EDGE_Y]);
    seen.point = sqrtf(r[POINT_X] * r[POINT_X] + r[POINT_Y] * r[POINT_Y]);
    return seen;
}

static float error_at(const struct evaluation *e, size_t i)
{
    struct seen a = look(e, &e->pictures[0], i), b = look(e, &e->pictures[1], i);
    /* To 0 ... 1: up to 40 % of the largest distance takes 95 % of the range. */
    float distance = lab_distance(a.lab, b.lab), knee = 0.4f * e->largest;
    float color = distance < knee ? 0.95f / knee * distance : 0.95f + 0.05f * (distance - knee) / (e->largest - knee);
    float feature = fmaxf(fabsf(a.edge - b.edge), fabsf(a.point - b.point));
    return powf(color, 1 - fminf(sqrtf(feature / sqrtf(2)), 1));
}

/* Keeps the larger of the errors that are there and those over this backdrop. */
static void evaluate(struct evaluation *e, uint8_t backdrop, float *error)
{
    const float *lines[ROWS];
    e->backdrop = backdrop;
    for (uint32_t y = 0, next = 0; y < e->height; y++, error += e->width) {
        for (; next < e->height && next <= y + FLIP_RADIUS; next++)
            filter_rows(e, next);
        if (!find_wanted(e, y, FLIP_RADIUS))
            continue;
        for (int r = 0; r < 2 * RESPONSE_COUNT; r++) {
            const struct picture *picture = &e->pictures[r / RESPONSE_COUNT];
            int response = r % RESPONSE_COUNT;
            for (int i = 0; i < ROWS; i++)
                lines[i] = kept_row(e, picture, clamp_index((int64_t)y - FLIP_RADIUS + i, e->height),
                                    response_kernels[response].along_x);
            apply_kernel(&e->kernels[response_kernels[response].along_y], lines, e->wanted, e->blocks,
                         picture->responses + (size_t)response * e->stride);
        }
        for (size_t i = 0; i < e->width; i++)
            if (e->wanted[i / BLOCK])
                error[i] = fmaxf(error[i], error_at(e, i));
    }
}

/* False where nothing differs. */
static bool find_changed(struct evaluation *e)
{
    const uint8_t *p = e->pictures[0].image->rgba, *q = e->pictures[1].image->rgba;
    bool any = false;
    for (uint32_t y = 0; y < e->height; y++) {
        uint8_t *changed = e->changed + y * e->blocks;
        for (size_t b = 0; b < e->blocks; b++) {
            size_t x = b * BLOCK, count = e->width - x < BLOCK ? e->width - x : BLOCK;
            if (memcmp(p + 4 * (y * (size_t)e->width + x), q + 4 * (y * (size_t)e->width + x), 4 * count) == 0)
                continue;
            any = true;
            changed[b] = true;
            changed[b > 0 ? b - 1 : 0] = changed[b + 1 < e->blocks ? b + 1 : b] = true;
        }
    }
    return any;
}

/* The value that `above` others are not below; none is negative, so their bits are in their order. Sixteen bits at a
 * time. */
static float nth_largest(const float *values, size_t count, size_t above)
{
    enum { DIGITS = 1 << 16 };
    uint32_t prefix = 0;
    for (int shift = 16; shift >= 0; shift -= 16) {
        uint32_t *tally = memory_new(DIGITS, sizeof *tally), digit = DIGITS - 1;
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            if ((uint64_t)bits >> (shift + 16) == prefix)
                tally[bits >> shift & (DIGITS - 1)]++;
        }
        for (; tally[digit] <= above; digit--)
            above -= tally[digit];
        prefix = prefix << 16 | digit;
        free(tally);
    }
    float value;
    memcpy(&value, &prefix, sizeof value);
    return value;
}

struct flip flip_compare(const struct image *a, const struct image *b)
{
    assert(a->width == b->width && a->height == b->height && a->width > 0 && a->height > 0);
    size_t count = (size_t)a->width * a->height, blocks = (a->width + (size_t)BLOCK - 1) / BLOCK;
    struct evaluation e = {.pictures = {{.image = a}, {.image = b}}, .width = a->width, .height = a->height,
                           .blocks = blocks, .stride = blocks * BLOCK,
                           .changed = memory_new(blocks * a->height, 1), .wanted = memory_new(blocks, 1)};
    struct flip flip = {.error = memory_new(count, sizeof *flip.error)};
    if (find_changed(&e)) {
        float green[3], blue[3];
        hunt_lab((float[]){0, 1, 0}, green);
        hunt_lab((float[]){0, 0, 1}, blue);
        e.largest = lab_distance(green, blue);
        make_kernels(e.kernels);
        for (int i = 0; i < 256; i++)
            e.linear[i] = (float)(i / 255.0 <= 0.04045 ? i / 255.0 / 12.92 : pow((i / 255.0 + 0.055) / 1.055, 2.4));
        size_t source = CHANNEL_COUNT * (e.stride + ROWS - 1), rows = ROWS * KERNEL_COUNT * e.stride;
        size_t one = source + rows + RESPONSE_COUNT * e.stride;
        FREED float *memory = memory_new(2 * one, sizeof *memory);
        for (size_t p = 0; p < 2; p++) {
            e.pictures[p].source = memory + p * one;
            e.pictures[p].rows = e.pictures[p].source + source;
            e.pictures[p].responses = e.pictures[p].rows + rows;
        }
        uint8_t opaque = 255;
        for (size_t i = 0; i < count; i++)
            opaque &= a->rgba[4 * i + 3] & b->rgba[4 * i + 3];
        evaluate(&e, 0, flip.error);
        if (opaque != 255)
            evaluate(&e, 255, flip.error);
        for (size_t i = 0; i < count; i++)
            flip.max = (double)flip.error[i] > flip.max ? (double)flip.error[i] : flip.max;
        flip.p999 = (double)nth_largest(flip.error, count, count / 1000);
    }
    free(e.changed);
    free(e.wanted);
    return flip;
}
