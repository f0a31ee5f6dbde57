#include "compare/image/pixelmatch.h"

#include <assert.h>
#include <string.h>

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
