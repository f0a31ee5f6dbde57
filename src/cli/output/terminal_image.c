#include "cli/output/terminal_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

bool terminal_image_fit(const struct image *image, uint32_t width, uint32_t height, struct image *out, struct error *err)
{
    uint64_t w = image->width, h = image->height;
    if (width > 0 && w > width) {
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
                 (uint32_t)(y * image->height / h), (uint32_t)((y + 1) * image->height / h), out->rgba + 4 * (y * w + x));
    return true;
}

/* ---- sixels ------------------------------------------------------------------------------------------------------ */

enum { BUCKETS = 1 << 15, MOST_COLORS = 255 };

/* Pixels of one colour but for the lowest three bits of a channel. */
struct bucket {
    uint32_t index; /* five bits a channel */
    uint32_t count;
    uint64_t sums[3];
};

struct color_box {
    size_t first, count; /* buckets */
    uint64_t pixels;
    int axis, extent; /* the longest */
};

static int level_of(const struct bucket *bucket, int channel)
{
    return (int)(bucket->index >> (10 - 5 * channel) & 31);
}

static int compare_on(const void *a, const void *b, int channel)
{
    const struct bucket *p = a, *q = b;
    const int by = level_of(p, channel) - level_of(q, channel);
    return by ? by : (p->index > q->index) - (p->index < q->index);
}

static int by_red(const void *a, const void *b)
{
    return compare_on(a, b, 0);
}

static int by_green(const void *a, const void *b)
{
    return compare_on(a, b, 1);
}

static int by_blue(const void *a, const void *b)
{
    return compare_on(a, b, 2);
}

static void measure(const struct bucket *buckets, struct color_box *box)
{
    box->pixels = 0;
    box->extent = -1;
    for (int c = 0; c < 3; c++) {
        int least = 31, most = 0;
        for (size_t i = box->first; i < box->first + box->count; i++) {
            const int level = level_of(&buckets[i], c);
            least = level < least ? level : least;
            most = level > most ? level : most;
            box->pixels += c == 0 ? buckets[i].count : 0;
        }
        if (most - least > box->extent) {
            box->extent = most - least;
            box->axis = c;
        }
    }
}

/* Halves the box with most to halve, by its pixels. False where no box can be. */
static bool split(struct bucket *buckets, struct color_box *boxes, size_t *count)
{
    static int (*const orders[])(const void *, const void *) = {by_red, by_green, by_blue};
    size_t chosen = *count;
    uint64_t most = 0, left = 0;
    for (size_t i = 0; i < *count; i++) {
        const uint64_t worth = boxes[i].pixels * (uint64_t)boxes[i].extent;
        if (worth > most) {
            most = worth;
            chosen = i;
        }
    }
    if (chosen == *count)
        return false;
    struct color_box *box = &boxes[chosen], *other = &boxes[(*count)++];
    qsort(buckets + box->first, box->count, sizeof *buckets, orders[box->axis]);
    size_t cut = 0;
    while (cut < box->count - 1 && (cut == 0 || 2 * left < box->pixels))
        left += buckets[box->first + cut++].count;
    *other = (struct color_box){.first = box->first + cut, .count = box->count - cut};
    box->count = cut;
    measure(buckets, box);
    measure(buckets, other);
    return true;
}

/* Adds the colours, and fills which of them each pixel has, from 1 on; 0: none. */
static size_t add_palette(const struct image *image, uint8_t *color_of, struct text *out)
{
    const size_t pixels = (size_t)image->width * image->height;
    struct bucket *buckets = memory_new(BUCKETS, sizeof *buckets);
    uint8_t *color_of_bucket = memory_new(BUCKETS, 1);
    struct color_box boxes[MOST_COLORS] = {{0}};
    size_t used = 0, count = 0;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = image->rgba + 4 * i;
        const uint32_t index = (uint32_t)(p[0] >> 3) << 10 | (uint32_t)(p[1] >> 3) << 5 | p[2] >> 3;
        buckets[index].index = index;
        buckets[index].count += is_seen(p);
        for (int c = 0; c < 3; c++)
            buckets[index].sums[c] += is_seen(p) ? p[c] : 0;
    }
    for (size_t i = 0; i < BUCKETS; i++)
        if (buckets[i].count > 0)
            buckets[used++] = buckets[i];
    if (used > 0) {
        boxes[count++].count = used;
        measure(buckets, boxes);
        while (count < MOST_COLORS && split(buckets, boxes, &count))
            continue;
    }
    for (size_t b = 0; b < count; b++) {
        uint64_t sums[3] = {0};
        for (size_t i = boxes[b].first; i < boxes[b].first + boxes[b].count; i++) {
            color_of_bucket[buckets[i].index] = (uint8_t)(b + 1);
            for (int c = 0; c < 3; c++)
                sums[c] += buckets[i].sums[c];
        }
        text_addf(out, "#%zu;2", b);
        for (int c = 0; c < 3; c++) /* per cent */
            text_addf(out, ";%u", (unsigned)((200 * sums[c] / boxes[b].pixels + 255) / 510));
    }
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = image->rgba + 4 * i;
        color_of[i] = is_seen(p) ? color_of_bucket[(size_t)(p[0] >> 3) << 10 | (size_t)(p[1] >> 3) << 5 | p[2] >> 3] : 0;
    }
    free(buckets);
    free(color_of_bucket);
    return count;
}

static void add_run(char sixel, uint32_t length, struct text *out)
{
    if (length > 3)
        text_addf(out, "!%u%c", length, sixel);
    for (; length > 0 && length <= 3; length--)
        text_add_bytes(out, &sixel, 1);
}

/* What of six rows has that colour. */
static void add_band(const struct image *image, const uint8_t *color_of, uint32_t top, uint8_t color, struct text *out)
{
    char before = '?';
    uint32_t run = 0;
    for (uint32_t x = 0; x < image->width; x++) {
        char sixel = 0;
        for (uint32_t y = 0; y < 6 && top + y < image->height; y++)
            if (color_of[(size_t)(top + y) * image->width + x] == color)
                sixel = (char)(sixel | 1 << y);
        sixel = (char)(sixel + '?');
        if (sixel != before) {
            add_run(before, run, out);
            before = sixel;
            run = 0;
        }
        run++;
    }
    if (before != '?') /* what is empty up to the end need not be said */
        add_run(before, run, out);
}

void terminal_image_sixel(const struct image *image, struct text *out)
{
    uint8_t *color_of = memory_new(image->width, image->height);
    text_addf(out, "\x1bP0;1;0q\"1;1;%u;%u", image->width, image->height); /* square pixels; others stay as they are */
    const size_t count = add_palette(image, color_of, out);
    for (uint32_t top = 0; top < image->height; top += 6) {
        const uint32_t rows = image->height - top < 6 ? image->height - top : 6;
        bool has[MOST_COLORS + 1] = {false}, is_first = true;
        for (size_t i = 0; i < (size_t)rows * image->width; i++)
            has[color_of[(size_t)top * image->width + i]] = true;
        for (size_t c = 1; c <= count; c++) {
            if (!has[c])
                continue;
            text_addf(out, "%s#%zu", is_first ? "" : "$", c - 1);
            add_band(image, color_of, top, (uint8_t)c, out);
            is_first = false;
        }
        text_add(out, top + 6 < image->height ? "-" : "");
    }
    text_add(out, "\x1b\\");
    free(color_of);
}

/* ---- kitty ------------------------------------------------------------------------------------------------------- */

/* tmux hands on what is in its own escape sequence, with each ESC twice. */
static void add_command(const struct text *command, bool in_tmux, struct text *out)
{
    text_add(out, in_tmux ? "\x1bPtmux;" : "");
    for (size_t i = 0; i < command->size; i++) {
        text_add(out, in_tmux && command->data[i] == '\x1b' ? "\x1b" : "");
        text_add_bytes(out, command->data + i, 1);
    }
    text_add(out, in_tmux ? "\x1b\\" : "");
}

bool terminal_image_kitty(const struct image *image, uint32_t columns, uint32_t rows, bool in_tmux, struct text *out, struct error *err)
{
    enum { CHUNK = 4096 };
    struct text png = {0}, data = {0}, command = {0};
    bool good = image_encode_png(image, PNG_OUTPUT, &png, err);
    if (good)
        text_add_base64(&data, png.data, png.size);
    for (size_t at = 0; good && at < data.size; at += CHUNK) {
        const size_t length = data.size - at < CHUNK ? data.size - at : CHUNK;
        command.size = 0;
        text_add(&command, "\x1b_G");
        if (at == 0)
            text_addf(&command, "a=T,f=100,q=2,c=%u,r=%u,", columns, rows);
        text_addf(&command, "m=%d;", at + length < data.size);
        text_add_bytes(&command, data.data + at, length);
        text_add(&command, "\x1b\\");
        add_command(&command, in_tmux, out);
    }
    text_release(&png);
    text_release(&data);
    text_release(&command);
    return good;
}

/* ---- half blocks ------------------------------------------------------------------------------------------------- */

/* Of xterm's 256 colours: 16 to 231 a cube of six levels, from 232 on greys. */
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

/* Of the character's foreground (3) or background (4). */
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

void terminal_image_blocks(const struct image *image, enum terminal_colors colors, struct text *out)
{
    for (uint32_t y = 0; y < image->height; y += 2) {
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
}
