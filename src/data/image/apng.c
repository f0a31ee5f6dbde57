#include "data/image/apng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/image/png.h"

void apng_delay(double fps, uint16_t *numerator, uint16_t *denominator)
{
    double remainder = 1 / fps, before[2] = {0, 1}, now[2] = {1, 0}; /* convergents of the continued fraction */
    for (int step = 0; step < 32; step++) {
        double whole = floor(remainder);
        double next[2] = {whole * now[0] + before[0], whole * now[1] + before[1]};
        if (next[0] > UINT16_MAX || next[1] > UINT16_MAX)
            break;
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
        if (now[0] > 0 && fabs(now[0] / now[1] * fps - 1) < 1e-9)
            break;
        remainder = 1 / (remainder - whole);
    }
    bool none = now[0] < 1 || now[1] < 1; /* shorter or longer than 16 bits can say */
    *numerator = (uint16_t)(!none ? now[0] : fps > 1 ? 1 : UINT16_MAX);
    *denominator = (uint16_t)(!none ? now[1] : fps > 1 ? UINT16_MAX : 1);
}

/* The least rectangle that holds all that differs; a pixel where nothing does. */
static struct rectangle what_changed(const struct image *a, const struct image *b)
{
    uint32_t left = a->width, right = 0, top = a->height, bottom = 0;
    for (uint32_t y = 0; y < a->height; y++) {
        size_t row = 4 * (size_t)a->width * y;
        const uint8_t *p = a->rgba + row, *q = b->rgba + row;
        if (memcmp(p, q, 4 * (size_t)a->width) == 0)
            continue;
        for (uint32_t x = 0; x < left; x++)
            if (memcmp(p + 4 * (size_t)x, q + 4 * (size_t)x, 4) != 0)
                left = x;
        for (uint32_t x = a->width; x > right; x--)
            if (memcmp(p + 4 * (size_t)(x - 1), q + 4 * (size_t)(x - 1), 4) != 0)
                right = x;
        top = y < top ? y : top;
        bottom = y + 1;
    }
    return bottom > 0 ? (struct rectangle){left, top, right - left, bottom - top} : (struct rectangle){0, 0, 1, 1};
}

void apng_begin(struct apng *apng, uint32_t frame_count, double fps)
{
    assert(frame_count >= 1 && fps > 0);
    *apng = (struct apng){.frame_count = frame_count};
    apng_delay(fps, &apng->delay_numerator, &apng->delay_denominator);
}

bool apng_add(struct apng *apng, const struct image *frame, struct error *err)
{
    uint8_t number[4] = {0}, animation[8] = {0}; /* frames; plays, 0: for ever */
    uint8_t control[26] = {0};                   /* the last two: dispose NONE, blend SOURCE */
    bool is_first = apng->added == 0;
    size_t size;
    assert(apng->added < apng->frame_count);
    if (is_first && !image_create(&apng->shown, frame->width, frame->height, err))
        return false;
    if (frame->width != apng->shown.width || frame->height != apng->shown.height)
        return error_set(err, "frame %u is %ux%u, the first is %ux%u", apng->added, frame->width, frame->height,
                         apng->shown.width, apng->shown.height);
    struct rectangle where = {0, 0, frame->width, frame->height};
    if (is_first) {
        png_begin(&apng->bytes, frame->width, frame->height);
        png_put(animation, apng->frame_count, 4);
        png_add_chunk(&apng->bytes, "acTL", animation, sizeof animation, NULL, 0);
    } else {
        where = what_changed(&apng->shown, frame);
    }
    const uint32_t numbers[] = {apng->sequence++, where.width, where.height, where.x, where.y};
    for (int i = 0; i < 5; i++)
        png_put(control + 4 * i, numbers[i], 4);
    png_put(control + 20, apng->delay_numerator, 2);
    png_put(control + 22, apng->delay_denominator, 2);
    png_add_chunk(&apng->bytes, "fcTL", control, sizeof control, NULL, 0);
    uint8_t *pixels = png_compress(frame, &where, PNG_GOLDEN, &size);
    if (!is_first)
        png_put(number, apng->sequence++, sizeof number);
    png_add_chunk(&apng->bytes, is_first ? "IDAT" : "fdAT", number, is_first ? 0 : sizeof number, pixels, size);
    free(pixels);
    memcpy(apng->shown.rgba, frame->rgba, 4 * (size_t)frame->width * frame->height);
    if (++apng->added == apng->frame_count)
        png_add_chunk(&apng->bytes, "IEND", NULL, 0, NULL, 0);
    return true;
}

void apng_release(struct apng *apng)
{
    text_release(&apng->bytes);
    image_release(&apng->shown);
}
