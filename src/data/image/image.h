#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct blob;

/* 8-bit RGBA, sRGB-encoded, straight alpha, first row on top, rows packed. */
struct image {
    uint32_t width;
    uint32_t height;
    uint8_t *rgba; /* malloc'd; [height][width][4] */
};

/* Clear pixels. False with err set where so many do not fit: their number is the user's, unlike that of all else. */
bool image_create(struct image *image, uint32_t width, uint32_t height, struct error *err);
void image_release(struct image *image);

/* Decodes PNG, JPEG, TGA, BMP, GIF, PSD and whatever stb_image knows. `name` is for the message. */
bool image_decode(struct image *image, const void *data, size_t size, const char *name, struct error *err);
bool image_read(struct image *image, const char *path, struct error *err);

/*
 * Reads two files at the same time. *same: their bytes are equal, and images[1] is left empty. False with err set, of
 * the first where both are at fault. The caller releases images and files, also then.
 */
bool image_read_two(struct image images[2], struct blob *files, const char *const paths[2], bool *same,
                    struct error *err);

/* Says what image_decode() would make of it, from its header; 0 where that is nothing. */
void image_size(const void *data, size_t size, uint32_t *width, uint32_t *height);

enum png_effort {
    PNG_OUTPUT = 1, /* libdeflate level 1: pictures for looking at */
    PNG_GOLDEN = 6, /* level 6: pictures that stay in a repository */
};

/* Writes a PNG atomically (see file_write; "-" is stdout). Same pixels, same bytes. */
bool image_write_png(const struct image *image, const char *path, enum png_effort effort, struct error *err);

/* Appends the bytes of a PNG. */
bool image_encode_png(const struct image *image, enum png_effort effort, struct text *out, struct error *err);

/* Says whether size and pixels are the same. */
bool image_equal(const struct image *a, const struct image *b);

/*
 * Compares `count` pixels of two rows, at most IMAGE_RUN. False when they are equal; else deltas[i] is the largest
 * difference of a channel of pixel i, alpha too.
 */
enum { IMAGE_RUN = 64 };
bool image_deltas(const uint8_t *p, const uint8_t *q, uint32_t count, uint8_t deltas[static IMAGE_RUN]);

/* XXH3 over size and pixels, 16 hex digits: two images with the same hash are the same. */
void image_hash(const struct image *image, char out[static 17]);

/* XXH3 over bytes, 16 hex digits. */
void bytes_hash(const void *data, size_t size, char out[static 17]);

/* The same of a file of at most 1 GiB; "" and false where it cannot be read. */
bool file_hash(const char *path, char out[static 17]);

/* The mean of the pixels x0..x1 by y0..y1, ends excluded, by alpha, so that what is clear has no say in colours. */
void image_mean(const struct image *image, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, uint8_t out[4]);

/* Copies `source` into `target` at (x, y); it must fit. */
void image_blit(struct image *target, const struct image *source, uint32_t x, uint32_t y);

/*
 * An animated PNG, as the third edition of the PNG specification has it (acTL, fcTL, fdAT): plays for ever, and where
 * animation is not known it is a PNG of the first frame. Same frames, same bytes.
 *
 * The first frame is whole; of each further one only the rectangle that changed is kept, at least one pixel, put in
 * place of what was there (blend SOURCE, dispose NONE). Frames have one duration.
 */
struct apng {
    struct text bytes;         /* complete after the last frame */
    uint32_t frame_count;      /* that were announced */
    uint32_t added;
    uint32_t sequence;         /* number of the next fcTL or fdAT */
    uint16_t delay_numerator;  /* seconds a frame */
    uint16_t delay_denominator;
    struct image shown;        /* the frame before */
};

/* frame_count at least 1, fps above 0. */
void apng_begin(struct apng *apng, uint32_t frame_count, double fps);

/* Appends a frame; all have the size of the first. False with err set. No more than were announced. */
bool apng_add(struct apng *apng, const struct image *frame, struct error *err);

/* Frees what it holds. */
void apng_release(struct apng *apng);

/* 1/fps as a fraction of 16 bits each: the best of its continued fraction, above 0. */
void apng_delay(double fps, uint16_t *numerator, uint16_t *denominator);

/*
 * PNGs as renderers write them: 8 bits a channel, grey or RGB, with or without alpha, not interlaced, without tRNS.
 * False for every other file and for a broken one: stb_image then reads it or says what is wrong. Both give the same
 * pixels. Several times as fast: one buffer holds the inflated rows and then the pixels.
 */
bool png_decode(struct image *image, const uint8_t *data, size_t size);

/* Appends such a PNG without chunks that are not needed for its pixels (texts, times, colour profiles, which browsers
 * apply). False for other files, and where a checksum is wrong. */
bool png_copy(const uint8_t *data, size_t size, struct text *out);
