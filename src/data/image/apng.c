#include "data/image/apng.h"

#include <assert.h>
#include <libdeflate.h>
#include <math.h>
#include <string.h>

enum { SIGNATURE = 8, CHUNK_HEADER = 8, CHUNK_FRAME = 12 }; /* bytes: length and type; these and the CRC */

struct rectangle {
    uint32_t x, y, width, height;
};

/* ---- time ------------------------------------------------------------------------------------------------------ */

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

/* ---- chunks ---------------------------------------------------------------------------------------------------- */

static void put32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)(value >> 8);
    out[1] = (uint8_t)value;
}

static uint32_t get32(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

/* Its data in two parts; the second may be empty. */
static void add_chunk(struct text *out, const char *type, const uint8_t *head, size_t head_size, const uint8_t *data,
                      size_t data_size)
{
    uint8_t number[4];
    uint32_t crc = libdeflate_crc32(0, type, 4);
    crc = libdeflate_crc32(crc, head, head_size);
    if (data_size > 0)
        crc = libdeflate_crc32(crc, data, data_size);
    put32(number, (uint32_t)(head_size + data_size));
    text_add_bytes(out, number, 4);
    text_add_bytes(out, type, 4);
    text_add_bytes(out, head, head_size);
    text_add_bytes(out, data, data_size);
    put32(number, crc);
    text_add_bytes(out, number, 4);
}

static void add_frame_control(struct apng *apng, const struct rectangle *where)
{
    uint8_t data[26] = {0}; /* the last two: dispose NONE, blend SOURCE */
    put32(data, apng->sequence++);
    put32(data + 4, where->width);
    put32(data + 8, where->height);
    put32(data + 12, where->x);
    put32(data + 16, where->y);
    put16(data + 20, apng->delay_numerator);
    put16(data + 22, apng->delay_denominator);
    add_chunk(&apng->bytes, "fcTL", data, sizeof data, NULL, 0);
}

/* The pixels of a PNG of ours as chunks of this animation. The header, of the first frame, comes before its control. */
static void add_pixels(struct apng *apng, const struct text *png, const struct rectangle *where)
{
    bool is_first = apng->added == 0;
    const uint8_t *bytes = (const uint8_t *)png->data;
    if (!is_first)
        add_frame_control(apng, where);
    for (size_t at = SIGNATURE; at + CHUNK_FRAME <= png->size;) {
        const uint8_t *chunk = bytes + at;
        size_t size = get32(chunk);
        bool is_header = memcmp(chunk + 4, "IHDR", 4) == 0, is_data = memcmp(chunk + 4, "IDAT", 4) == 0;
        if (is_first && (is_header || is_data))
            text_add_bytes(&apng->bytes, chunk, size + CHUNK_FRAME);
        if (is_first && is_header) {
            uint8_t control[8] = {0}; /* frames; plays, 0: for ever */
            put32(control, apng->frame_count);
            add_chunk(&apng->bytes, "acTL", control, sizeof control, NULL, 0);
            add_frame_control(apng, where);
        }
        if (!is_first && is_data) {
            uint8_t number[4];
            put32(number, apng->sequence++);
            add_chunk(&apng->bytes, "fdAT", number, sizeof number, chunk + CHUNK_HEADER, size);
        }
        at += size + CHUNK_FRAME;
    }
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

static const uint8_t *row_of(const struct image *image, uint32_t y)
{
    return image->rgba + 4 * (size_t)image->width * y;
}

/* The least rectangle that holds all that differs; a pixel where nothing does. */
static struct rectangle what_changed(const struct image *a, const struct image *b)
{
    uint32_t left = a->width, right = 0, top = a->height, bottom = 0;
    for (uint32_t y = 0; y < a->height; y++) {
        const uint8_t *p = row_of(a, y), *q = row_of(b, y);
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
    *apng = (struct apng){.frame_count = frame_count};
    apng_delay(fps, &apng->delay_numerator, &apng->delay_denominator);
}

bool apng_add(struct apng *apng, const struct image *frame, struct error *err)
{
    bool is_first = apng->added == 0;
    struct rectangle where = {0, 0, frame->width, frame->height};
    struct image part = {0};
    struct text png = {0};
    assert(apng->added < apng->frame_count);
    if (is_first && !apng->shown.rgba && !image_create(&apng->shown, frame->width, frame->height, err))
        return false;
    if (frame->width != apng->shown.width || frame->height != apng->shown.height)
        return error_set(err, "frame %u is %ux%u, the first is %ux%u", apng->added, frame->width, frame->height,
                         apng->shown.width, apng->shown.height);
    if (!is_first)
        where = what_changed(&apng->shown, frame);
    bool good = image_create(&part, where.width, where.height, err);
    for (uint32_t y = 0; good && y < where.height; y++)
        memcpy(part.rgba + 4 * (size_t)where.width * y, row_of(frame, where.y + y) + 4 * (size_t)where.x,
               4 * (size_t)where.width);
    good = good && image_encode_png(&part, PNG_GOLDEN, &png, err);
    if (good) {
        memcpy(apng->shown.rgba, frame->rgba, 4 * (size_t)frame->width * frame->height);
        if (is_first)
            text_add_bytes(&apng->bytes, png.data, SIGNATURE);
        add_pixels(apng, &png, &where);
        apng->added++;
        if (apng->added == apng->frame_count)
            add_chunk(&apng->bytes, "IEND", (const uint8_t *)"", 0, NULL, 0);
    }
    text_release(&png);
    image_release(&part);
    return good;
}

void apng_release(struct apng *apng)
{
    text_release(&apng->bytes);
    image_release(&apng->shown);
}
