#include "compare/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/image/image_metrics.h"

/* ---- measuring ------------------------------------------------------------------------------------------------- */

static uint32_t count_foreground(const uint8_t *golden, const uint8_t *actual, const uint8_t background[4],
                                 uint32_t width)
{
    uint32_t count = 0, ground, p, q;
    memcpy(&ground, background, sizeof ground);
    for (size_t x = 0; x < width; x++) {
        memcpy(&p, golden + 4 * x, sizeof p);
        memcpy(&q, actual + 4 * x, sizeof q);
        count += p != ground || q != ground;
    }
    return count;
}

/* The box is x, y, width, height; empty with width 0. */
static void extend_box(uint32_t box[4], uint32_t x, uint32_t y)
{
    if (box[2] == 0) {
        box[0] = x;
        box[1] = y;
    }
    uint32_t x0 = x < box[0] ? x : box[0], x1 = x >= box[0] + box[2] ? x + 1 : box[0] + box[2];
    box[0] = x0;
    box[2] = x1 - x0;
    box[3] = y - box[1] + 1; /* rows come in order */
}

/* How many pixels differ by how much, and the box of those beyond `tolerated`. */
static void measure_row(const uint8_t *golden, const uint8_t *actual, uint32_t y, int tolerated, uint32_t counts[256],
                        struct image_result *out)
{
    if (memcmp(golden, actual, (size_t)out->width * 4) == 0)
        return;
    for (uint32_t x = 0; x < out->width; x++) {
        int most = 0;
        for (size_t c = 4 * (size_t)x; c < 4 * (size_t)x + 4; c++) {
            int delta = abs(golden[c] - actual[c]);
            most = delta > most ? delta : most;
        }
        counts[most]++;
        if (most > tolerated)
            extend_box(out->box, x, y);
    }
}

static bool same_size(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height;
}

void compare_images(const struct image *golden, const struct image *actual, const uint8_t background[4],
                    int tolerated, struct arena *arena, struct image_result *out)
{
    uint32_t counts[256] = {0};
    *out = (struct image_result){
        .width = actual->width, .height = actual->height, .golden = out->golden, .actual = out->actual,
        .difference = out->difference, .heat = out->heat, .bone_count = out->bone_count, .bones = out->bones,
        .state = IMAGE_SAME,
    };
    if (!same_size(golden, actual)) {
        out->state = IMAGE_DIFFERS;
        out->share = 1;
        return;
    }
    for (uint32_t y = 0; y < out->height; y++) {
        const uint8_t *p = golden->rgba + 4 * (size_t)y * out->width, *q = actual->rgba + 4 * (size_t)y * out->width;
        out->foreground += count_foreground(p, q, background, out->width);
        measure_row(p, q, y, tolerated, counts, out);
    }
    out->levels = ARENA_NEW(arena, struct image_level, 255);
    for (uint32_t delta = 1; delta < 256; delta++)
        if (counts[delta] > 0) {
            out->levels[out->level_count++] = (struct image_level){delta, counts[delta]};
            out->max_delta = (int)delta;
        }
}

/* ---- pixelmatch ------------------------------------------------------------------------------------------------ */

/* Everything is in double and in the definition's order. */

static const double threshold = 0.1;

/* Difference of two pixels' channels, 0 to 255. */
struct rgb_delta {
    double r, g, b;
};

/* A colour to lay pixels with alpha over, 0 to 255. */
struct backdrop {
    double r, g, b;
};

/* Of the pixel at byte offset `k`, a multiple of 4: the checkerboard's red goes by k % 2 and stays the same. */
static struct backdrop backdrop_at(size_t k)
{
    const double phi = 1.618033988749895, phi_squared = 2.618033988749895;
    return (struct backdrop){
        .r = 48,
        .g = 48 + 159 * (double)((uint64_t)((double)k / phi) % 2),
        .b = 48 + 159 * (double)((uint64_t)((double)k / phi_squared) % 2),
    };
}

static double blend(int value1, int alpha1, int value2, int alpha2, double backdrop)
{
    return (value1 * alpha1 - value2 * alpha2 - backdrop * (alpha1 - alpha2)) / 255;
}

static struct rgb_delta rgb_delta(const uint8_t *p, const uint8_t *q, size_t k)
{
    if (p[3] == 255 && q[3] == 255)
        return (struct rgb_delta){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    struct backdrop under = backdrop_at(k);
    return (struct rgb_delta){
        .r = blend(p[0], p[3], q[0], q[3], under.r),
        .g = blend(p[1], p[3], q[1], q[3], under.g),
        .b = blend(p[2], p[3], q[2], q[3], under.b),
    };
}

static double color_distance(struct rgb_delta d)
{
    double y = d.r * 0.29889531 + d.g * 0.58662247 + d.b * 0.11448223;
    double i = d.r * 0.59597799 - d.g * 0.27417610 - d.b * 0.32180189;
    double q = d.r * 0.21147017 - d.g * 0.52261711 + d.b * 0.31114694;
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

uint32_t pixelmatch(const struct image *a, const struct image *b)
{
    assert(a->width == b->width && a->height == b->height);
    size_t size = (size_t)a->width * a->height * 4;
    uint32_t count = 0;
    for (size_t k = 0; k < size; k += 4) {
        const uint8_t *p = a->rgba + k, *q = b->rgba + k;
        count += memcmp(p, q, 4) != 0 && color_distance(rgb_delta(p, q, k)) > 35215 * threshold * threshold;
    }
    return count;
}

/* ---- the diagnosis --------------------------------------------------------------------------------------------- */

/* L* in steps of 12; hue from 295 over 0 to 95 degrees, chroma as far as sRGB goes. Between them straight lines. */
static const uint8_t stops[][3] = {
    {0, 0, 0},     {21, 28, 69},   {68, 42, 115},   {136, 47, 135},  {205, 49, 129},
    {251, 85, 111}, {255, 147, 110}, {255, 199, 133}, {255, 243, 209},
};

enum { LAST_STOP = sizeof stops / sizeof stops[0] - 1 };

void color_map_at(float value, uint8_t rgb[static 3])
{
    float position = fminf(fmaxf(value, 0), 1) * LAST_STOP;
    int i = position < LAST_STOP ? (int)position : LAST_STOP - 1;
    float part = position - (float)i;
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)((float)stops[i][c] + part * (float)(stops[i + 1][c] - stops[i][c]) + 0.5f);
}

static void draw_difference(const struct image *golden, const struct image *actual, struct image *out)
{
    for (size_t i = 0; i < (size_t)out->width * out->height; i++) {
        const uint8_t *p = golden->rgba + 4 * i, *q = actual->rgba + 4 * i;
        int alpha = abs(p[3] - q[3]);
        for (int c = 0; c < 3; c++) {
            int delta = abs(p[c] - q[c]), amplified = 16 * (delta > alpha ? delta : alpha);
            out->rgba[4 * i + (size_t)c] = (uint8_t)(amplified < 255 ? amplified : 255);
        }
        out->rgba[4 * i + 3] = 255;
    }
}

static void draw_heat(const struct flip *flip, struct image *out)
{
    for (size_t i = 0; i < (size_t)out->width * out->height; i++) {
        color_map_at(flip->error[i], out->rgba + 4 * i);
        out->rgba[4 * i + 3] = 255;
    }
}

static double six_decimals(double value)
{
    return round(value * 1e6) / 1e6;
}

bool compare_images_diagnose(const struct image *golden, const struct image *actual, struct image_result *out,
                             struct image *difference, struct image *heat, struct error *err)
{
    struct image none = {0}, made_difference = none, made_heat = none;
    struct flip flip = {0};
    uint32_t width = actual->width, height = actual->height;
    bool good = same_size(golden, actual) || error_set(err, "pictures of %ux%u and %ux%u have no difference to draw",
                                                       golden->width, golden->height, width, height);
    good = good && flip_compare(golden, actual, FLIP_PIXELS_PER_DEGREE, &flip, err) &&
           (!difference || image_create(&made_difference, width, height, err)) &&
           (!heat || image_create(&made_heat, width, height, err));
    if (good) {
        out->pixelmatch = pixelmatch(golden, actual);
        out->flip_p999 = six_decimals(flip.p999);
        out->flip_max = six_decimals(flip.max);
        draw_difference(golden, actual, &made_difference);
        draw_heat(&flip, &made_heat);
    } else {
        image_release(&made_difference);
        image_release(&made_heat);
    }
    if (difference)
        *difference = made_difference;
    if (heat)
        *heat = made_heat;
    flip_release(&flip);
    return good;
}
