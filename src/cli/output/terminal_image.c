#include "cli/output/terminal_image.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *pixel_at(const struct image *image, uint32_t x, uint32_t y)
{
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

static bool is_seen(const uint8_t *pixel)
{
    return pixel[3] >= 128;
}

/* ---- size -------------------------------------------------------------------------------------------------------- */

/* The mean of x0..x1 by y0..y1, by alpha. */
static void mean(const struct image *image, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, uint8_t out[4])
{
    uint64_t sums[4] = {0};
    const uint64_t count = (uint64_t)(x1 - x0) * (y1 - y0);
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++) {
            const uint8_t *pixel = pixel_at(image, x, y);
            for (int c = 0; c < 3; c++)
                sums[c] += (uint64_t)pixel[c] * pixel[3];
            sums[3] += pixel[3];
        }
    for (int c = 0; c < 3; c++)
        out[c] = sums[3] ? (uint8_t)((sums[c] + sums[3] / 2) / sums[3]) : 0;
    out[3] = (uint8_t)((sums[3] + count / 2) / count);
}

static bool fit(const struct image *image, uint32_t width, uint32_t height, struct image *out, struct error *err)
{
    uint64_t w = image->width, h = image->height;
    if (w > width) {
        h = (h * width + w / 2) / w;
        w = width;
    }
    if (height > 0 && h > height) {
        w = ((uint64_t)image->width * height + image->height / 2) / image->height;
        h = height;
    }
    w = w ? w : 1;
    h = h ? h : 1;
    if (!image_create(out, (uint32_t)w, (uint32_t)h, err))
        return false;
    for (uint64_t y = 0; y < h; y++)
        for (uint64_t x = 0; x < w; x++)
            mean(image, (uint32_t)(x * image->width / w), (uint32_t)((x + 1) * image->width / w),
                 (uint32_t)(y * image->height / h), (uint32_t)((y + 1) * image->height / h),
                 out->rgba + 4 * (y * w + x));
    return true;
}

/* ---- half blocks ------------------------------------------------------------------------------------------------- */

/* Returns the nearest of xterm's 256 colours: 16 to 231 are a cube of six levels, from 232 on greys. */
static unsigned nearest_of_256(const uint8_t *p)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    int cube = 0, far[2] = {0};
    const int sum = p[0] + p[1] + p[2], step = (sum / 3 - 3) / 10, grey = step < 0 ? 0 : step > 23 ? 23 : step;
    for (int c = 0; c < 3; c++) {
        int best = 0;
        for (int i = 1; i < 6; i++)
            best = abs(levels[i] - p[c]) < abs(levels[best] - p[c]) ? i : best;
        cube = 6 * cube + best;
        far[0] += (levels[best] - p[c]) * (levels[best] - p[c]);
        far[1] += (8 + 10 * grey - p[c]) * (8 + 10 * grey - p[c]);
    }
    return (unsigned)(far[1] < far[0] ? 232 + grey : 16 + cube);
}

/* Adds the colour of the character's foreground (3) or background (4). */
static void add_color(int ground, const uint8_t *pixel, enum terminal_colors colors, struct text *out)
{
    if (!pixel)
        text_addf(out, "\x1b[%d9m", ground);
    else if (colors == COLORS_256)
        text_addf(out, "\x1b[%d8;5;%um", ground, nearest_of_256(pixel));
    else
        text_addf(out, "\x1b[%d8;2;%u;%u;%um", ground, pixel[0], pixel[1], pixel[2]);
}

static bool is_same(const uint8_t *a, const uint8_t *b)
{
    return a == b || (a && b && memcmp(a, b, 3) == 0);
}

static void add_shade(const uint8_t *upper, const uint8_t *lower, struct text *out)
{
    static const char ramp[] = " .:-=+*#%@"; /* on a dark ground; `upper` is there */
    const uint8_t *halves[] = {upper, lower};
    unsigned sum = 0;
    for (int i = 0; i < 2; i++)
        sum += halves[i] && is_seen(halves[i]) ? 2126u * halves[i][0] + 7152u * halves[i][1] + 722u * halves[i][2] : 0;
    text_add_bytes(out, &ramp[sum * (sizeof ramp - 2) / (2 * 255 * 10000u)], 1);
}

static void add_line(const struct image *image, uint32_t y, enum terminal_colors colors, struct text *out)
{
    const uint8_t *front = NULL, *back = NULL; /* the terminal's own */
    for (uint32_t x = 0; x < image->width; x++) {
        const uint8_t *upper = pixel_at(image, x, y), *lower = y + 1 < image->height ? pixel_at(image, x, y + 1) : NULL;
        if (colors == COLORS_NONE) {
            add_shade(upper, lower, out);
            continue;
        }
        upper = is_seen(upper) ? upper : NULL;
        lower = lower && is_seen(lower) ? lower : NULL;
        const uint8_t *ink = upper ? upper : lower, *ground = upper ? lower : NULL;
        if (ink && !is_same(ink, front))
            add_color(3, front = ink, colors, out);
        if (!is_same(ground, back))
            add_color(4, back = ground, colors, out);
        text_add(out, upper ? "\u2580" : lower ? "\u2584" : " ");
    }
    text_add(out, front || back ? "\x1b[0m\n" : "\n");
}

bool terminal_image_blocks(const struct image *image, uint32_t columns, uint32_t rows, enum terminal_colors colors,
                           struct text *out, struct error *err)
{
    struct image fitted;
    if (!fit(image, columns, 2 * rows, &fitted, err))
        return false;
    for (uint32_t y = 0; y < fitted.height; y += 2)
        add_line(&fitted, y, colors, out);
    image_release(&fitted);
    return true;
}
