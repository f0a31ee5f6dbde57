#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/image/flip.h"
#include "compare/image/color_map.h"
#include "compare/image/pixelmatch.h"

/* ---- the ladder ------------------------------------------------------------------------------------------------ */

enum {
    NOISE_DELTA = 2,    /* what fused multiply-adds and other rasterisers make of a channel */
    LEAST_ALLOWANCE = 4 /* pixels: a share of a small figure would be less than one */
};

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

static int pixel_delta(const uint8_t *p, const uint8_t *q)
{
    int most = 0;
    for (int c = 0; c < 4; c++) {
        int delta = abs(p[c] - q[c]);
        most = delta > most ? delta : most;
    }
    return most;
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

static void compare_row(const uint8_t *golden, const uint8_t *actual, uint32_t y, int tolerated,
                        struct image_result *out)
{
    if (memcmp(golden, actual, (size_t)out->width * 4) == 0)
        return;
    for (uint32_t x = 0; x < out->width; x++) {
        int delta = pixel_delta(golden + 4 * (size_t)x, actual + 4 * (size_t)x);
        out->max_delta = delta > out->max_delta ? delta : out->max_delta;
        if (delta > tolerated) {
            out->changed++;
            extend_box(out->box, x, y);
        }
    }
}

/* Whole pixels: 0.57 of 100 is 57, in spite of binary fractions. */
static double allowed_pixels(double share, uint32_t foreground)
{
    return share > 0 ? fmax(floor(share * foreground + 1e-6), LEAST_ALLOWANCE) : 0;
}

static enum image_state state_of(const struct image_result *result, double share)
{
    if (result->max_delta == 0)
        return IMAGE_SAME;
    if (result->max_delta <= NOISE_DELTA)
        return IMAGE_NOISE;
    return result->changed <= allowed_pixels(share, result->foreground) ? IMAGE_TOLERATED : IMAGE_DIFFERS;
}

static void clear_figures(struct image_result *out, const struct image *actual)
{
    out->width = actual->width;
    out->height = actual->height;
    out->max_delta = 0;
    out->changed = out->foreground = out->pixelmatch = 0;
    out->share = out->flip_p999 = out->flip_max = 0;
    memset(out->box, 0, sizeof out->box);
}

static bool same_size(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height;
}

void compare_images(const struct image *golden, const struct image *actual, const uint8_t background[4],
                    const struct tolerance *tolerance, struct image_result *out)
{
    clear_figures(out, actual);
    if (!same_size(golden, actual)) {
        out->share = 1;
        out->state = IMAGE_DIFFERS;
        return;
    }
    for (uint32_t y = 0; y < out->height; y++) {
        const uint8_t *p = golden->rgba + 4 * (size_t)y * out->width, *q = actual->rgba + 4 * (size_t)y * out->width;
        out->foreground += count_foreground(p, q, background, out->width);
        compare_row(p, q, y, tolerance->pixel_delta, out);
    }
    out->share = out->foreground > 0 ? (double)out->changed / out->foreground : 0;
    out->state = state_of(out, tolerance->pixel_share);
}

/* ---- the diagnosis --------------------------------------------------------------------------------------------- */

static uint8_t amplified(int delta)
{
    enum { AMPLIFICATION = 16 };
    return (uint8_t)(delta * AMPLIFICATION < 255 ? delta * AMPLIFICATION : 255);
}

static void draw_difference(const struct image *golden, const struct image *actual, struct image *out)
{
    for (size_t i = 0; i < (size_t)out->width * out->height; i++) {
        const uint8_t *p = golden->rgba + 4 * i, *q = actual->rgba + 4 * i;
        int alpha = abs(p[3] - q[3]);
        for (int c = 0; c < 3; c++) {
            int delta = abs(p[c] - q[c]);
            out->rgba[4 * i + (size_t)c] = amplified(delta > alpha ? delta : alpha);
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
