#pragma once

/* PNG files in the scratch folder, looked at. */

#include "data/image/image.h"
#include "run_binary.h"

#define WALKER FIXTURES "/walker/walker.glb"

static inline struct image read_picture(const char *path)
{
    struct image image;
    assert_good(image_read(&image, path, err));
    return image;
}

static inline void picture_has_size(const char *path, uint32_t width, uint32_t height)
{
    struct image image = read_picture(path);
    if (image.width != width || image.height != height)
        fail_msg("%s is %ux%u, not %ux%u", path, image.width, image.height, width, height);
    image_release(&image);
}

/* Pixels that are not of the colour. */
static inline size_t count_others(const struct image *image, const uint8_t color[4])
{
    size_t others = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        others += memcmp(image->rgba + 4 * i, color, 4) != 0;
    return others;
}

/* How many pixels differ between two pictures of one size. */
static inline size_t count_differences(const char *a, const char *b)
{
    struct image first = read_picture(a), second = read_picture(b);
    size_t differences = 0;
    assert_int_equal(first.width, second.width);
    assert_int_equal(first.height, second.height);
    for (size_t i = 0; i < (size_t)first.width * first.height; i++)
        differences += memcmp(first.rgba + 4 * i, second.rgba + 4 * i, 4) != 0;
    image_release(&first);
    image_release(&second);
    return differences;
}
