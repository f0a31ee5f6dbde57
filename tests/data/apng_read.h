#pragma once

#include "cmocka_setup.h"
#include "data/image/image.h"

/*
 * An animated PNG read by the letter of the specification: every CRC computed bit by bit, the order of the chunks
 * demanded, frames decoded as PNGs of their own and put where they belong. Fails the test where something is wrong.
 */

struct apng_read {
    uint32_t width, height, frame_count, plays;
    uint16_t delay[2];
    struct image frames[64];
    uint32_t areas[64]; /* pixels that are in the file for each */
};

static inline uint32_t apng_number(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static inline uint32_t apng_crc(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static inline void apng_put_number(struct text *out, uint32_t number)
{
    text_add_bytes(out, (uint8_t[]){(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number}, 4);
}

static inline void apng_put(struct text *out, const char *type, const uint8_t *data, uint32_t size)
{
    SCOPED(text) body = {0};
    text_add_bytes(&body, type, 4);
    text_add_bytes(&body, data, size);
    apng_put_number(out, size);
    text_add_bytes(out, body.data, body.size);
    apng_put_number(out, apng_crc((const uint8_t *)body.data, body.size));
}

/* The rectangle of a frame, from its control and its compressed pixels. */
static inline struct image apng_part(const uint8_t *header, const uint8_t *control, const uint8_t *data, uint32_t size)
{
    SCOPED(text) png = {0};
    struct image part;
    uint8_t own[13];
    memcpy(own, header, 13);
    memcpy(own, control + 4, 8); /* width and height */
    text_add_bytes(&png, "\x89PNG\r\n\x1a\n", 8);
    apng_put(&png, "IHDR", own, 13);
    apng_put(&png, "IDAT", data, size);
    apng_put(&png, "IEND", own, 0);
    assert_good(image_decode(&part, png.data, png.size, "part", err));
    return part;
}

static inline void apng_show(struct apng_read *out, uint32_t index, const uint8_t *control, struct image *part)
{
    struct image *frame = &out->frames[index];
    uint32_t x = apng_number(control + 12), y = apng_number(control + 16);
    assert_true(x + part->width <= out->width && y + part->height <= out->height);
    assert_true(image_create(frame, out->width, out->height, ANY_ERROR));
    if (index > 0)
        memcpy(frame->rgba, out->frames[index - 1].rgba, 4 * (size_t)out->width * out->height);
    assert_true(control[24] == 0 && control[25] == 0); /* left as it is, and put in place */
    image_blit(frame, part, x, y);
    out->areas[index] = part->width * part->height;
    image_release(part);
}

/* For SCOPED(apng_read). */
static inline void apng_read_release(struct apng_read *out)
{
    for (uint32_t i = 0; i < out->frame_count; i++)
        image_release(&out->frames[i]);
}

static inline void apng_read(const void *file, size_t file_size, struct apng_read *out)
{
    const uint8_t *bytes = file, *header = NULL, *control = NULL;
    uint32_t sequence = 0, shown = 0;
    bool ended = false;
    memset(out, 0, sizeof *out);
    assert_true(file_size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
    for (size_t at = 8; at < file_size;) {
        uint32_t size = apng_number(bytes + at);
        const uint8_t *type = bytes + at + 4, *data = bytes + at + 8;
        assert_true(!ended && at + 12 + size <= file_size);
        assert_int_equal(apng_crc(type, size + 4), apng_number(data + size));
        struct image part = {0};
        if (memcmp(type, "IHDR", 4) == 0) {
            assert_true(at == 8 && size == 13);
            header = data;
            out->width = apng_number(data);
            out->height = apng_number(data + 4);
        } else if (memcmp(type, "acTL", 4) == 0) {
            assert_true(header && size == 8 && out->frame_count == 0 && !control);
            out->frame_count = apng_number(data);
            out->plays = apng_number(data + 4);
            assert_true(out->frame_count > 0 && out->frame_count <= 64);
        } else if (memcmp(type, "fcTL", 4) == 0) {
            assert_true(out->frame_count > 0 && size == 26 && !control);
            assert_int_equal(apng_number(data), sequence++);
            control = data;
            for (int i = 0; i < 2; i++)
                out->delay[i] = (uint16_t)(data[20 + 2 * i] << 8 | data[21 + 2 * i]);
        } else if (memcmp(type, "IDAT", 4) == 0) {
            assert_true(control && shown == 0);
            part = apng_part(header, control, data, size);
            assert_true(part.width == out->width && part.height == out->height);
        } else if (memcmp(type, "fdAT", 4) == 0) {
            assert_true(control && shown > 0 && size > 4);
            assert_int_equal(apng_number(data), sequence++);
            part = apng_part(header, control, data + 4, size - 4);
        } else if (memcmp(type, "IEND", 4) == 0) {
            assert_true(size == 0);
            ended = true;
        } else
            fail_msg("a chunk that nobody asked for: %.4s", (const char *)type);
        if (part.rgba) {
            assert_true(shown < out->frame_count);
            apng_show(out, shown++, control, &part);
            control = NULL;
        }
        at += 12 + size;
    }
    assert_true(ended && !control);
    assert_int_equal(shown, out->frame_count);
}
