#include "compare/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/image/image_metrics.h"

/* Pixels of a row that are not the background in at least one of the pictures. */
static uint32_t count_foreground(const uint8_t *p, const uint8_t *q, uint32_t width, const uint8_t background[4])
{
    uint32_t count = 0, ground;
    memcpy(&ground, background, sizeof ground);
    for (size_t x = 0; x < width; x++) {
        uint32_t a, b;
        memcpy(&a, p + 4 * x, sizeof a);
        memcpy(&b, q + 4 * x, sizeof b);
        count += (a != ground) | (b != ground);
    }
    return count;
}

void compare_images(const struct image *golden, const struct image *actual, const uint8_t background[4],
                    int tolerated, struct arena *arena, struct image_result *out)
{
    uint32_t counts[256] = {0}, left = UINT32_MAX, right = 0, top = UINT32_MAX, bottom = 0;
    *out = (struct image_result){
        .width = actual->width,
        .height = actual->height,
        .golden = out->golden,
        .actual = out->actual,
        .difference = out->difference,
        .heat = out->heat,
        .displacement = out->displacement,
        .bone_count = out->bone_count,
        .bones = out->bones,
        .state = IMAGE_SAME,
    };
    if (golden->width != actual->width || golden->height != actual->height) {
        out->state = IMAGE_DIFFERS;
        out->share = 1;
        return;
    }
    for (uint32_t y = 0; y < out->height; y++) {
        const size_t row = 4 * (size_t)out->width;
        const uint8_t *p = golden->rgba + row * y, *q = actual->rgba + row * y;
        out->foreground += count_foreground(p, q, out->width, background);
        for (uint32_t x = 0, count; x < out->width; x += count, p += 4 * IMAGE_RUN, q += 4 * IMAGE_RUN) {
            uint8_t deltas[IMAGE_RUN];
            count = out->width - x < IMAGE_RUN ? out->width - x : IMAGE_RUN;
            if (!image_deltas(p, q, count, deltas))
                continue;
            for (uint32_t i = 0; i < count; i++) {
                counts[deltas[i]]++;
                if (deltas[i] <= tolerated)
                    continue;
                left = x + i < left ? x + i : left;
                right = x + i > right ? x + i : right;
                top = y < top ? y : top;
                bottom = y;
            }
        }
    }
    if (top <= bottom)
        memcpy(out->box, (uint32_t[]){left, top, right - left + 1, bottom - top + 1}, sizeof out->box);
    out->levels = ARENA_NEW(arena, struct image_level, 255);
    for (uint32_t delta = 1; delta < 256; delta++)
        if (counts[delta] > 0) {
            out->levels[out->level_count++] = (struct image_level){delta, counts[delta]};
            out->max_delta = (int)delta;
        }
}

/* Everything in double and in the definition's order. What is clear shows a checkerboard, whose red goes by k % 2
 * and, as k is a multiple of 4, stays the same. */
uint32_t pixelmatch(const struct image *a, const struct image *b)
{
    const double threshold = 0.1, phi = 1.618033988749895, phi_squared = 2.618033988749895;
    assert(a->width == b->width && a->height == b->height);
    size_t size = (size_t)a->width * a->height * 4;
    uint32_t count = 0;
    for (size_t k = 0; k < size; k += 4) {
        const uint8_t *p = a->rgba + k, *q = b->rgba + k;
        if (memcmp(p, q, 4) == 0)
            continue;
        const double backdrop[3] = {48, 48 + 159 * (double)((uint64_t)((double)k / phi) % 2),
                                    48 + 159 * (double)((uint64_t)((double)k / phi_squared) % 2)};
        double d[3];
        for (int c = 0; c < 3; c++)
            d[c] = p[3] == 255 && q[3] == 255 ? p[c] - q[c]
                                              : (p[c] * p[3] - q[c] * q[3] - backdrop[c] * (p[3] - q[3])) / 255;
        double y = d[0] * 0.29889531 + d[1] * 0.58662247 + d[2] * 0.11448223;
        double i = d[0] * 0.59597799 - d[1] * 0.27417610 - d[2] * 0.32180189;
        double chroma = d[0] * 0.21147017 - d[1] * 0.52261711 + d[2] * 0.31114694;
        count += 0.5053 * y * y + 0.299 * i * i + 0.1957 * chroma * chroma > 35215 * threshold * threshold;
    }
    return count;
}

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

void compare_images_diagnose(const struct image *golden, const struct image *actual, struct image_result *out,
                             struct image *difference, struct image *heat)
{
    struct flip flip = flip_compare(golden, actual);
    size_t count = (size_t)golden->width * golden->height;
    out->pixelmatch = pixelmatch(golden, actual);
    out->flip_p999 = round(flip.p999 * 1e6) / 1e6;
    out->flip_max = round(flip.max * 1e6) / 1e6;
    if (difference)
        *difference = (struct image){golden->width, golden->height, memory_new(count, 4)};
    if (heat)
        *heat = (struct image){golden->width, golden->height, memory_new(count, 4)};
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = golden->rgba + 4 * i, *q = actual->rgba + 4 * i;
        int alpha = abs(p[3] - q[3]);
        for (int c = 0; difference && c < 4; c++) {
            int delta = abs(p[c] - q[c]), amplified = 16 * (delta > alpha ? delta : alpha);
            difference->rgba[4 * i + (size_t)c] = (uint8_t)(amplified < 255 && c < 3 ? amplified : 255);
        }
        if (!heat)
            continue;
        if (flip.error[i] > 0)
            color_map_at(flip.error[i], heat->rgba + 4 * i);
        heat->rgba[4 * i + 3] = 255;
    }
    free(flip.error);
}
