#include "data/image/image.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "base/memory.h"

enum { MOST_ACROSS = 16384, RGBA = 4, SLACK = 4 /* pixels of fewer bytes are read and written as four */ };

enum png_filter { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTER_COUNT };

struct png {
    uint32_t width, height;
    int channels;
    size_t row;             /* bytes of a row without its filter */
    const uint8_t *deflated; /* the zlib stream: one IDAT's data or, where there are several, `joined` */
    size_t deflated_size;
    uint8_t *joined;
};

static uint32_t read_number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool read_header(struct png *png, const uint8_t header[13])
{
    static const int channels[] = {[0] = 1, [2] = 3, [4] = 2, [6] = 4}; /* by colour type */
    png->width = read_number(header);
    png->height = read_number(header + 4);
    png->channels = header[9] < sizeof channels / sizeof *channels ? channels[header[9]] : 0;
    png->row = (size_t)png->width * (size_t)png->channels;
    return png->width - 1 < MOST_ACROSS && png->height - 1 < MOST_ACROSS && header[8] == 8 && png->channels > 0 &&
           memcmp(header + 10, "\0\0\0", 3) == 0; /* deflate, filters a row, not interlaced */
}

static void add_data(struct png *png, const uint8_t *data, size_t size, size_t most)
{
    if (png->deflated_size == 0) {
        png->deflated = data;
    } else {
        if (!png->joined) {
            png->joined = memory_unset(most);
            memcpy(png->joined, png->deflated, png->deflated_size);
            png->deflated = png->joined;
        }
        memcpy(png->joined + png->deflated_size, data, size);
    }
    png->deflated_size += size;
}

enum { SIGNATURE = 8, HEAD = 8, CHECKSUM = 4 };

/* Up to IEND. Checksums of chunks are not looked at; that of the pixels is. */
static bool read_chunks(struct png *png, const uint8_t *data, size_t size)
{
    if (size < SIGNATURE || memcmp(data, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0)
        return false;
    for (size_t at = SIGNATURE, length; size - at >= HEAD + CHECKSUM; at += HEAD + length + CHECKSUM) {
        const uint8_t *type = data + at + 4, *content = type + 4;
        bool is_first = at == SIGNATURE, is_header = memcmp(type, "IHDR", 4) == 0;
        length = read_number(data + at);
        if (memcmp(type, "IEND", 4) == 0)
            return png->deflated_size > 0;
        if (length > size - at - HEAD - CHECKSUM || is_first != is_header)
            return false;
        if (is_header && (length != 13 || !read_header(png, content)))
            return false;
        if (memcmp(type, "IDAT", 4) == 0)
            add_data(png, content, length, size);
        else if (!is_header && (!(type[0] & 0x20) || memcmp(type, "tRNS", 4) == 0))
            return false;
    }
    return false;
}

/* A pixel in a vector, as compilers have them everywhere: its channels are the first four bytes, or 16-bit numbers. */
typedef uint8_t pixel_bytes __attribute__((vector_size(16)));
typedef int16_t pixel __attribute__((vector_size(16)));

static inline pixel_bytes load(const uint8_t *from)
{
    typedef uint32_t words __attribute__((vector_size(16)));
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return (pixel_bytes)(words){bytes};
}

static inline pixel widen(pixel_bytes bytes)
{
    return (pixel)__builtin_shufflevector(bytes, (pixel_bytes){0}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7,
                                          23);
}

static inline void store(uint8_t *to, pixel value)
{
    typedef uint8_t bytes __attribute__((vector_size(8)));
    const bytes packed = __builtin_convertvector(value, bytes);
    memcpy(to, &packed, 4);
}

/* Whichever of left, above and corner is nearest to left + above - corner; the first of them where two are. */
static inline pixel paeth(pixel left, pixel above, pixel corner)
{
    const pixel threshold = 3 * corner - above - left, is_less = left < above, swap = (left ^ above) & is_less;
    const pixel least = above ^ swap, most = left ^ swap;
    const pixel is_above = most <= threshold, is_below = threshold <= least;
    return (most & is_below) | (~is_below & ((least & is_above) | (corner & ~is_above)));
}

/* A row from its filtered form; `above` is the row before it. All have SLACK bytes behind them. */
static inline void unfilter_row(enum png_filter filter, const uint8_t *restrict raw, const uint8_t *restrict above,
                                uint8_t *restrict out, size_t size, size_t step)
{
    pixel_bytes left = {0};
    pixel before = {0}, corner = {0};
    switch (filter) {
    case FILTER_SUB:
        for (size_t i = 0; i < size; i += step) {
            left += load(raw + i);
            memcpy(out + i, &left, 4);
        }
        break;
    case FILTER_UP:
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(raw[i] + above[i]);
        break;
    case FILTER_AVERAGE:
        for (size_t i = 0; i < size; i += step) {
            pixel_bytes up = load(above + i);
            left = load(raw + i) + (left & up) + ((left ^ up) >> 1);
            memcpy(out + i, &left, 4);
        }
        break;
    case FILTER_PAETH:
        for (size_t i = 0; i < size; i += step) {
            pixel up = widen(load(above + i));
            before = (widen(load(raw + i)) + paeth(before, up, corner)) & 255;
            corner = up;
            store(out + i, before);
        }
        break;
    default:
        memcpy(out, raw, size);
    }
}

static inline void expand_row(const uint8_t *restrict from, uint8_t *restrict to, uint32_t width, int channels)
{
    for (size_t x = 0; x < width; x++, from += channels, to += RGBA) {
        memcpy(to, from, RGBA);
        if (channels < 3)
            memset(to, from[0], 3);
        to[3] = channels % 2 == 0 ? from[channels - 1] : 255;
    }
}

/* Inlined with a constant for `channels`, for speed. */
static inline __attribute__((always_inline)) bool unfilter(const struct png *png, const uint8_t *from, uint8_t *to,
                                                           uint8_t *rows[2], int channels)
{
    for (uint32_t y = 0; y < png->height; y++, from += 1 + png->row, to += RGBA * (size_t)png->width) {
        uint8_t *out = rows[y % 2];
        if (*from >= FILTER_COUNT)
            return false;
        unfilter_row((enum png_filter)*from, from + 1, rows[(y + 1) % 2], out, png->row, (size_t)channels);
        if (channels == RGBA)
            memcpy(to, out, png->row);
        else
            expand_row(out, to, png->width, channels);
    }
    return true;
}

static bool unfilter_any(const struct png *png, const uint8_t *from, uint8_t *to)
{
    uint8_t *const memory = memory_new(2 * (png->row + SLACK), 1), *rows[2] = {memory, memory + png->row + SLACK};
    bool good = png->channels == 4   ? unfilter(png, from, to, rows, 4)
                : png->channels == 3 ? unfilter(png, from, to, rows, 3)
                : png->channels == 2 ? unfilter(png, from, to, rows, 2)
                                     : unfilter(png, from, to, rows, 1);
    free(memory);
    return good;
}

/*
 * The rows are inflated to the buffer's end and become pixels at its start: row y ends there at 4 (y + 1) width, which
 * is never beyond where the inflated row y + 1 starts.
 */
static uint8_t *decode_pixels(const struct png *png)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    size_t inflated = (1 + png->row) * png->height, pixels = RGBA * (size_t)png->width * png->height;
    size_t capacity = inflated > pixels ? inflated : pixels;
    enum { BEST_RATIO = 1032 }; /* of deflate: a header that promises more is broken */
    if (!decompressor || inflated / BEST_RATIO > png->deflated_size) {
        libdeflate_free_decompressor(decompressor);
        return NULL;
    }
    uint8_t *buffer = memory_unset(capacity + SLACK), *from = buffer + capacity - inflated;
    bool good = libdeflate_zlib_decompress(decompressor, png->deflated, png->deflated_size, from, inflated, NULL) ==
                    LIBDEFLATE_SUCCESS &&
                unfilter_any(png, from, buffer);
    libdeflate_free_decompressor(decompressor);
    if (good)
        return buffer;
    free(buffer);
    return NULL;
}

bool png_decode(struct image *image, const uint8_t *data, size_t size)
{
    struct png png = {0};
    uint8_t *pixels = read_chunks(&png, data, size) ? decode_pixels(&png) : NULL;
    if (pixels)
        *image = (struct image){png.width, png.height, pixels};
    free(png.joined);
    return pixels != NULL;
}

bool png_copy(const uint8_t *data, size_t size, struct text *out)
{
    static const char end[] = "\0\0\0\0IEND\xae\x42\x60\x82";
    struct png png = {0};
    bool good = read_chunks(&png, data, size);
    free(png.joined);
    if (good)
        text_add_bytes(out, data, SIGNATURE);
    for (const uint8_t *at = data + SIGNATURE; good && memcmp(at + 4, "IEND", 4) != 0;) {
        const size_t length = read_number(at), whole = HEAD + length + CHECKSUM;
        if (memcmp(at + 4, "IHDR", 4) == 0 || memcmp(at + 4, "IDAT", 4) == 0) {
            good = libdeflate_crc32(0, at + 4, 4 + length) == read_number(at + HEAD + length);
            text_add_bytes(out, at, whole);
        }
        at += whole;
    }
    if (good)
        text_add_bytes(out, end, sizeof end - 1);
    else
        text_release(out);
    return good;
}
