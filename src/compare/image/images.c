#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/image/flip.h"
#include "compare/image/color_map.h"
#include "compare/image/pixelmatch.h"

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
