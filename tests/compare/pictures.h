#pragma once

#include "cmocka_setup.h"
#include "data/image/image.h"

/* Pictures by formula, in integers; metrics_oracle.py makes the same ones. */

static inline struct image blank_picture(uint32_t width, uint32_t height)
{
    struct image image;
    struct error err = {0};
    assert_true(image_create(&image, width, height, &err));
    return image;
}

static inline struct image plain_picture(uint32_t width, uint32_t height, const uint8_t color[4])
{
    struct image image = blank_picture(width, height);
    for (size_t i = 0; i < (size_t)width * height; i++)
        memcpy(image.rgba + 4 * i, color, 4);
    return image;
}

static inline struct image copy_picture(const struct image *image)
{
    struct image copy = blank_picture(image->width, image->height);
    memcpy(copy.rgba, image->rgba, (size_t)image->width * image->height * 4);
    return copy;
}

static inline uint8_t *pixel_at(const struct image *image, uint32_t x, uint32_t y)
{
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

/* Bytes of a linear congruential generator (Numerical Recipes), alpha too unless `opaque`. */
static inline struct image noise_picture(uint32_t width, uint32_t height, uint32_t seed, bool opaque)
{
    struct image image = blank_picture(width, height);
    for (size_t i = 0; i < (size_t)width * height * 4; i++) {
        seed = seed * 1664525u + 1013904223u;
        image.rgba[i] = opaque && i % 4 == 3 ? 255 : (uint8_t)(seed >> 24);
    }
    return image;
}

/* A disc with smooth edge, 4 x 4 samples a pixel; center and radius in eighths of a pixel. */
static inline struct image disc_picture(uint32_t width, uint32_t height, int x8, int y8, int r8, const uint8_t disc[4],
                                        const uint8_t ground[4])
{
    struct image image = blank_picture(width, height);
    for (uint32_t i = 0; i < width * height; i++) {
        int inside = 0;
        for (int s = 0; s < 16; s++) {
            int dx = (int)(i % width) * 8 + s % 4 * 2 + 1 - x8, dy = (int)(i / width) * 8 + s / 4 * 2 + 1 - y8;
            inside += dx * dx + dy * dy <= r8 * r8;
        }
        for (int c = 0; c < 4; c++)
            image.rgba[4 * i + (uint32_t)c] = (uint8_t)((disc[c] * inside + ground[c] * (16 - inside) + 8) / 16);
    }
    return image;
}
