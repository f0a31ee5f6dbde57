#include "compare/pixelmatch.h"

#include <assert.h>
#include <string.h>

/* Everything is in double and in the definition's order: some of its tests are for equality. */

const struct pixelmatch_options pixelmatch_defaults = {.threshold = 0.1, .include_aa = true};

/* Difference of two pixels' channels, 0 to 255. */
struct rgb_delta {
    double r, g, b;
};

/* A colour to lay pixels with alpha over, 0 to 255. */
struct backdrop {
    double r, g, b;
};

/* Of the pixel at byte offset `k`, a multiple of 4: the checkerboard's red goes by k % 2 and stays the same. */
static struct backdrop backdrop_at(size_t k, bool white)
{
    const double phi = 1.618033988749895, phi_squared = 2.618033988749895;
    if (white)
        return (struct backdrop){255, 255, 255};
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

static struct rgb_delta rgb_delta(const uint8_t *p, const uint8_t *q, size_t k, bool white)
{
    if (p[3] == 255 && q[3] == 255)
        return (struct rgb_delta){p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    struct backdrop under = backdrop_at(k, white);
    return (struct rgb_delta){
        .r = blend(p[0], p[3], q[0], q[3], under.r),
        .g = blend(p[1], p[3], q[1], q[3], under.g),
        .b = blend(p[2], p[3], q[2], q[3], under.b),
    };
}

static double brightness(struct rgb_delta d)
{
    return d.r * 0.29889531 + d.g * 0.58662247 + d.b * 0.11448223;
}

static double color_distance(struct rgb_delta d)
{
    double y = brightness(d);
    double i = d.r * 0.59597799 - d.g * 0.27417610 - d.b * 0.32180189;
    double q = d.r * 0.21147017 - d.g * 0.52261711 + d.b * 0.31114694;
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/* ---- anti-aliasing --------------------------------------------------------------------------------------------- */

/* A pixel and those around it that are in the picture; all ends included. */
struct patch {
    uint32_t x, y;
    uint32_t x0, y0, x1, y1;
};

static struct patch patch_around(const struct image *image, uint32_t x, uint32_t y)
{
    return (struct patch){
        .x = x,
        .y = y,
        .x0 = x > 0 ? x - 1 : 0,
        .y0 = y > 0 ? y - 1 : 0,
        .x1 = x + 1 < image->width ? x + 1 : x,
        .y1 = y + 1 < image->height ? y + 1 : y,
    };
}

/* Beyond the picture's border there is a neighbour that equals the pixel. */
static int equal_beyond_border(const struct patch *patch)
{
    return patch->x == patch->x0 || patch->x == patch->x1 || patch->y == patch->y0 || patch->y == patch->y1;
}

static const uint8_t *pixel(const struct image *image, uint32_t x, uint32_t y)
{
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

/* Three or more neighbours of the very same colour: part of a surface rather than of an edge. */
static bool has_siblings(const struct image *image, uint32_t x, uint32_t y)
{
    struct patch patch = patch_around(image, x, y);
    const uint8_t *center = pixel(image, x, y);
    int equal = equal_beyond_border(&patch);
    for (uint32_t i = patch.x0; i <= patch.x1; i++)
        for (uint32_t j = patch.y0; j <= patch.y1; j++)
            if ((i != x || j != y) && memcmp(center, pixel(image, i, j), 4) == 0 && ++equal > 2)
                return true;
    return false;
}

/* A neighbour and by how much the pixel in the middle is brighter than it. */
struct extreme {
    double delta;
    uint32_t x, y;
};

/* The neighbours that stand out most on both sides; false when more than two are as bright as the pixel. Columns first:
 * of several that stand out as much the first counts. */
static bool find_extremes(const struct image *image, const struct patch *patch, bool white, struct extreme *least,
                          struct extreme *most)
{
    const uint8_t *center = pixel(image, patch->x, patch->y);
    size_t k = (size_t)(center - image->rgba);
    int equal = equal_beyond_border(patch);
    for (uint32_t x = patch->x0; x <= patch->x1; x++)
        for (uint32_t y = patch->y0; y <= patch->y1; y++) {
            if (x == patch->x && y == patch->y)
                continue;
            double delta = brightness(rgb_delta(center, pixel(image, x, y), k, white));
            if (delta == 0 && ++equal > 2)
                return false;
            if (delta < least->delta)
                *least = (struct extreme){delta, x, y};
            else if (delta > most->delta)
                *most = (struct extreme){delta, x, y};
        }
    return true;
}

/* Between a darker and a brighter neighbour of which one belongs to a surface in both pictures. */
static bool is_antialiased(const struct image *image, const struct image *other, uint32_t x, uint32_t y, bool white)
{
    struct patch patch = patch_around(image, x, y);
    struct extreme least = {0}, most = {0};
    if (!find_extremes(image, &patch, white, &least, &most) || least.delta == 0 || most.delta == 0)
        return false;
    return (has_siblings(image, least.x, least.y) && has_siblings(other, least.x, least.y)) ||
           (has_siblings(image, most.x, most.y) && has_siblings(other, most.x, most.y));
}

/* ---- the count ------------------------------------------------------------------------------------------------- */

static enum pixelmatch_pixel classify(const struct image *a, const struct image *b, uint32_t x, uint32_t y,
                                      const struct pixelmatch_options *options)
{
    const uint8_t *p = pixel(a, x, y), *q = pixel(b, x, y);
    double most = 35215 * options->threshold * options->threshold;
    if (memcmp(p, q, 4) == 0 || !(color_distance(rgb_delta(p, q, (size_t)(p - a->rgba), options->white)) > most))
        return PIXEL_SIMILAR;
    if (!options->include_aa &&
        (is_antialiased(a, b, x, y, options->white) || is_antialiased(b, a, x, y, options->white)))
        return PIXEL_ANTIALIASED;
    return PIXEL_DIFFERENT;
}

uint32_t pixelmatch(const struct image *a, const struct image *b, const struct pixelmatch_options *options,
                    uint8_t *mask)
{
    assert(a->width == b->width && a->height == b->height);
    size_t stride = (size_t)a->width * 4;
    uint32_t count = 0;
    if (mask)
        memset(mask, PIXEL_SIMILAR, (size_t)a->width * a->height);
    for (uint32_t y = 0; y < a->height; y++) {
        if (memcmp(a->rgba + y * stride, b->rgba + y * stride, stride) == 0)
            continue;
        for (uint32_t x = 0; x < a->width; x++) {
            enum pixelmatch_pixel kind = classify(a, b, x, y, options);
            count += kind == PIXEL_DIFFERENT;
            if (mask)
                mask[(size_t)y * a->width + x] = (uint8_t)kind;
        }
    }
    return count;
}
