#include "compare/image/image_metrics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/image/flip_kernels.h"

/* ---- colours --------------------------------------------------------------------------------------------------- */

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

static float linear_from_srgb(int value)
{
    double v = value / 255.0;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
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

/* HyAB, to the power that fits large differences. */
static inline float lab_distance(const float a[3], const float b[3])
{
    float da = a[1] - b[1], db = a[2] - b[2];
    return powf(fabsf(a[0] - b[0]) + sqrtf(da * da + db * db), 0.7f);
}

/* Of green and blue: what counts as the largest distance. */
static float largest_distance(void)
{
    float green[3], blue[3];
    hunt_lab((float[]){0, 1, 0}, green);
    hunt_lab((float[]){0, 0, 1}, blue);
    return lab_distance(green, blue);
}

/* To 0 ... 1: up to 40 % of the largest distance takes 95 % of the range. */
static inline float spread(float distance, float largest)
{
    const float knee = 0.4f * largest;
    return distance < knee ? 0.95f / knee * distance : 0.95f + 0.05f * (distance - knee) / (largest - knee);
}

/* ---- a picture on its way through the filters ------------------------------------------------------------------ */

/*
 * Opponent channels without their constant factors, which filters leave alone: y, x - y, y - z of XYZ divided by the
 * white's. The definition's YCxCz is 116 y - 16, 500 (x - y), 200 (y - z).
 */
enum channel { CHANNEL_LUMINANCE, CHANNEL_RED_GREEN, CHANNEL_BLUE_YELLOW, CHANNEL_COUNT };

/* What is filtered along x by each kernel. */
static const enum channel kernel_channel[KERNEL_COUNT] = {
    [KERNEL_LUMINANCE] = CHANNEL_LUMINANCE,
    [KERNEL_RED_GREEN] = CHANNEL_RED_GREEN,
    [KERNEL_BLUE_YELLOW_1] = CHANNEL_BLUE_YELLOW,
    [KERNEL_BLUE_YELLOW_2] = CHANNEL_BLUE_YELLOW,
};

enum response {
    SEEN_LUMINANCE,
    SEEN_RED_GREEN,
    SEEN_BLUE_YELLOW_1,
    SEEN_BLUE_YELLOW_2,
    EDGE_X,
    EDGE_Y,
    POINT_X,
    POINT_Y,
    RESPONSE_COUNT
};

static const struct {
    enum flip_kernel along_x, along_y;
} response_kernels[RESPONSE_COUNT] = {
    [SEEN_LUMINANCE] = {KERNEL_LUMINANCE, KERNEL_LUMINANCE},
    [SEEN_RED_GREEN] = {KERNEL_RED_GREEN, KERNEL_RED_GREEN},
    [SEEN_BLUE_YELLOW_1] = {KERNEL_BLUE_YELLOW_1, KERNEL_BLUE_YELLOW_1},
    [SEEN_BLUE_YELLOW_2] = {KERNEL_BLUE_YELLOW_2, KERNEL_BLUE_YELLOW_2},
    [EDGE_X] = {KERNEL_SLOPE, KERNEL_SMOOTH},
    [EDGE_Y] = {KERNEL_SMOOTH, KERNEL_SLOPE},
    [POINT_X] = {KERNEL_CURVATURE, KERNEL_SMOOTH},
    [POINT_Y] = {KERNEL_SMOOTH, KERNEL_CURVATURE},
};

struct picture {
    const struct image *image;
    float *source;    /* [CHANNEL_COUNT][stride + 2 radius] one row of the region and what is beside it */
    float *rows;      /* [rows_kept][KERNEL_COUNT][stride] rows filtered along x; row y is at y % rows_kept */
    float *responses; /* [RESPONSE_COUNT][stride] one row filtered along both */
};

/* What is evaluated. */
struct region {
    uint32_t x, y, width, height;
};

struct evaluation {
    struct flip_kernels kernels;
    struct region region;
    size_t stride;       /* the region's width in whole blocks */
    uint32_t rows_kept;  /* 2 radius + 1 */
    float linear[256];   /* of an sRGB channel */
    float largest;       /* largest_distance() */
    uint8_t backdrop;    /* of pixels with alpha: black or white */
    const float **lines; /* [rows_kept] for flip_kernel_apply() */
    struct picture pictures[2];
    float *memory;
};

static uint32_t clamp_index(int64_t i, uint32_t count)
{
    return i < 0 ? 0 : i >= (int64_t)count ? count - 1 : (uint32_t)i;
}

static void load_source(const struct evaluation *e, struct picture *picture, uint32_t y)
{
    size_t length = e->stride + 2 * (size_t)e->kernels.radius;
    const uint8_t *row = picture->image->rgba + 4 * (size_t)y * picture->image->width;
    for (size_t i = 0; i < length; i++) {
        int64_t x = (int64_t)e->region.x - e->kernels.radius + (int64_t)i;
        const uint8_t *p = row + 4 * (size_t)clamp_index(x, picture->image->width);
        float rgb[3], xyz[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = e->linear[(p[c] * p[3] + e->backdrop * (255 - p[3]) + 127) / 255];
        transform(rgb_to_xyz, rgb, xyz);
        picture->source[CHANNEL_LUMINANCE * length + i] = xyz[1];
        picture->source[CHANNEL_RED_GREEN * length + i] = xyz[0] - xyz[1];
        picture->source[CHANNEL_BLUE_YELLOW * length + i] = xyz[1] - xyz[2];
    }
}

static float *kept_row(const struct evaluation *e, const struct picture *picture, uint32_t y, enum flip_kernel kernel)
{
    return picture->rows + (y % e->rows_kept * KERNEL_COUNT + (size_t)kernel) * e->stride;
}

static void filter_along_x(struct evaluation *e, struct picture *picture, uint32_t y)
{
    size_t length = e->stride + 2 * (size_t)e->kernels.radius;
    load_source(e, picture, y);
    for (int k = 0; k < KERNEL_COUNT; k++) {
        for (uint32_t i = 0; i < e->rows_kept; i++)
            e->lines[i] = picture->source + kernel_channel[k] * length + i;
        flip_kernel_apply(&e->kernels.kernels[k], e->lines, e->kernels.radius, e->stride,
                          kept_row(e, picture, y, (enum flip_kernel)k));
    }
}

static void filter_along_y(struct evaluation *e, struct picture *picture, uint32_t y)
{
    for (int r = 0; r < RESPONSE_COUNT; r++) {
        for (uint32_t i = 0; i < e->rows_kept; i++) {
            uint32_t row = clamp_index((int64_t)y - e->kernels.radius + i, picture->image->height);
            e->lines[i] = kept_row(e, picture, row, response_kernels[r].along_x);
        }
        flip_kernel_apply(&e->kernels.kernels[response_kernels[r].along_y], e->lines, e->kernels.radius, e->stride,
                          picture->responses + (size_t)r * e->stride);
    }
}

/* ---- the error of a pixel -------------------------------------------------------------------------------------- */

static inline float at(const struct evaluation *e, const struct picture *picture, enum response response, size_t i)
{
    return picture->responses[(size_t)response * e->stride + i];
}

static void seen_color(const struct evaluation *e, const struct picture *picture, size_t i, float lab[3])
{
    float y = at(e, picture, SEEN_LUMINANCE, i), rgb[3];
    float blue_yellow = at(e, picture, SEEN_BLUE_YELLOW_1, i) + at(e, picture, SEEN_BLUE_YELLOW_2, i);
    transform(xyz_to_rgb, (float[]){y + at(e, picture, SEEN_RED_GREEN, i), y, y - blue_yellow}, rgb);
    for (int c = 0; c < 3; c++)
        rgb[c] = fminf(fmaxf(rgb[c], 0), 1);
    hunt_lab(rgb, lab);
}

static float color_error(const struct evaluation *e, size_t i)
{
    float a[3], b[3];
    seen_color(e, &e->pictures[0], i, a);
    seen_color(e, &e->pictures[1], i, b);
    return spread(lab_distance(a, b), e->largest);
}

static float strength(const struct evaluation *e, const struct picture *picture, enum response along_x,
                      enum response along_y, size_t i)
{
    float x = at(e, picture, along_x, i), y = at(e, picture, along_y, i);
    return sqrtf(x * x + y * y);
}

static float feature_error(const struct evaluation *e, size_t i)
{
    const struct picture *a = &e->pictures[0], *b = &e->pictures[1];
    float edge = fabsf(strength(e, a, EDGE_X, EDGE_Y, i) - strength(e, b, EDGE_X, EDGE_Y, i));
    float point = fabsf(strength(e, a, POINT_X, POINT_Y, i) - strength(e, b, POINT_X, POINT_Y, i));
    return fminf(sqrtf(fmaxf(edge, point) / sqrtf(2)), 1);
}

/* ---- the region ------------------------------------------------------------------------------------------------ */

/* Keeps the larger of the errors that are there and those over this backdrop. */
static void evaluate(struct evaluation *e, uint8_t backdrop, float *error)
{
    uint32_t radius = (uint32_t)e->kernels.radius, height = e->pictures[0].image->height;
    uint32_t next = e->region.y > radius ? e->region.y - radius : 0;
    e->backdrop = backdrop;
    for (uint32_t y = e->region.y; y < e->region.y + e->region.height; y++) {
        for (; next < height && next <= y + radius; next++)
            for (int p = 0; p < 2; p++)
                filter_along_x(e, &e->pictures[p], next);
        for (int p = 0; p < 2; p++)
            filter_along_y(e, &e->pictures[p], y);
        float *row = error + (size_t)y * e->pictures[0].image->width + e->region.x;
        for (size_t i = 0; i < e->region.width; i++)
            row[i] = fmaxf(row[i], powf(color_error(e, i), 1 - feature_error(e, i)));
    }
}

/* False when no pixel differs. */
static bool find_changes(const struct image *a, const struct image *b, struct region *out)
{
    uint32_t x0 = a->width, x1 = 0, y0 = a->height, y1 = 0;
    size_t stride = 4 * (size_t)a->width;
    for (uint32_t y = 0; y < a->height; y++) {
        const uint8_t *p = a->rgba + y * stride, *q = b->rgba + y * stride;
        if (memcmp(p, q, stride) == 0)
            continue;
        y0 = y < y0 ? y : y0;
        y1 = y;
        for (uint32_t x = 0; x < x0; x++)
            if (memcmp(p + 4 * (size_t)x, q + 4 * (size_t)x, 4) != 0)
                x0 = x;
        for (uint32_t x = a->width - 1; x > x1; x--)
            if (memcmp(p + 4 * (size_t)x, q + 4 * (size_t)x, 4) != 0)
                x1 = x;
    }
    *out = (struct region){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
    return y0 < a->height;
}

static struct region dilate(struct region box, int radius, const struct image *image)
{
    uint32_t x1 = clamp_index((int64_t)box.x + box.width - 1 + radius, image->width);
    uint32_t y1 = clamp_index((int64_t)box.y + box.height - 1 + radius, image->height);
    uint32_t x0 = clamp_index((int64_t)box.x - radius, image->width);
    uint32_t y0 = clamp_index((int64_t)box.y - radius, image->height);
    return (struct region){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

static bool evaluation_create(struct evaluation *e, struct region changes, const struct image *a, const struct image *b,
                              double pixels_per_degree)
{
    *e = (struct evaluation){.largest = largest_distance(), .pictures = {{.image = a}, {.image = b}}};
    if (!flip_kernels_create(&e->kernels, pixels_per_degree))
        return false;
    e->region = dilate(changes, e->kernels.radius, a);
    e->rows_kept = 2 * (uint32_t)e->kernels.radius + 1;
    e->stride = (e->region.width + (size_t)KERNEL_BLOCK - 1) / KERNEL_BLOCK * KERNEL_BLOCK;
    size_t source = CHANNEL_COUNT * (e->stride + e->rows_kept - 1), rows = e->rows_kept * KERNEL_COUNT * e->stride;
    size_t one = source + rows + RESPONSE_COUNT * e->stride;
    e->memory = malloc(2 * one * sizeof *e->memory);
    e->lines = malloc(e->rows_kept * sizeof *e->lines);
    if (!e->memory || !e->lines)
        return false;
    for (size_t p = 0; p < 2; p++) {
        e->pictures[p].source = e->memory + p * one;
        e->pictures[p].rows = e->pictures[p].source + source;
        e->pictures[p].responses = e->pictures[p].rows + rows;
    }
    for (int i = 0; i < 256; i++)
        e->linear[i] = linear_from_srgb(i);
    return true;
}

static void evaluation_release(struct evaluation *e)
{
    flip_kernels_release(&e->kernels);
    free(e->lines);
    free(e->memory);
}

static bool is_opaque(const struct image *image)
{
    uint8_t all = 255;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        all &= image->rgba[4 * i + 3];
    return all == 255;
}

/* ---- figures --------------------------------------------------------------------------------------------------- */

/* The value that `above` others are not below; none is negative, so their bits are in their order. A byte at a time. */
static float nth_largest(const float *values, size_t count, size_t above)
{
    uint32_t prefix = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        size_t tally[256] = {0};
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            if ((uint64_t)bits >> (shift + 8) == prefix)
                tally[bits >> shift & 255]++;
        }
        uint32_t digit = 255;
        for (; tally[digit] <= above; digit--)
            above -= tally[digit];
        prefix = prefix << 8 | digit;
    }
    float value;
    memcpy(&value, &prefix, sizeof value);
    return value;
}

static void summarize(struct flip *flip)
{
    size_t count = (size_t)flip->width * flip->height;
    double sum = 0;
    float max = 0;
    for (size_t i = 0; i < count; i++) {
        sum += flip->error[i];
        max = fmaxf(max, flip->error[i]);
    }
    flip->mean = sum / (double)count;
    flip->max = max;
    flip->p999 = nth_largest(flip->error, count, count / 1000);
}

bool flip_compare(const struct image *a, const struct image *b, double pixels_per_degree, struct flip *out,
                  struct error *err)
{
    assert(a->width == b->width && a->height == b->height && a->width > 0 && a->height > 0 && pixels_per_degree >= 1);
    struct region changes;
    struct evaluation e = {0};
    *out = (struct flip){.width = a->width, .height = a->height};
    out->error = calloc((size_t)a->width * a->height, sizeof *out->error);
    bool good = out->error != NULL;
    if (good && find_changes(a, b, &changes)) {
        good = evaluation_create(&e, changes, a, b, pixels_per_degree);
        if (good)
            evaluate(&e, 0, out->error);
        if (good && !(is_opaque(a) && is_opaque(b)))
            evaluate(&e, 255, out->error);
        evaluation_release(&e);
    }
    if (good)
        summarize(out);
    else
        flip_release(out);
    return good || error_set(err, "out of memory for the FLIP of two pictures of %ux%u", a->width, a->height);
}

void flip_release(struct flip *flip)
{
    free(flip->error);
    *flip = (struct flip){0};
}
