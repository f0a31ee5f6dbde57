/* stb_image is built here. Its writer's deflate would be eight times slower than libdeflate's. */
#include "data/image/png.h"

#include <libdeflate.h>
#include <string.h>

#include "base/memory.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wcast-qual"
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#include <stb_image.h>
#pragma GCC diagnostic pop

void png_put(uint8_t *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

void png_add_chunk(struct text *out, const char *type, const uint8_t *head, size_t head_size, const uint8_t *data,
                   size_t data_size)
{
    uint8_t number[4];
    size_t start = out->size + sizeof number;
    png_put(number, (uint32_t)(head_size + data_size), sizeof number);
    text_add_bytes(out, number, sizeof number);
    text_add(out, type);
    text_add_bytes(out, head, head_size);
    text_add_bytes(out, data, data_size);
    png_put(number, libdeflate_crc32(0, out->data + start, out->size - start), sizeof number);
    text_add_bytes(out, number, sizeof number);
}

void png_begin(struct text *out, uint32_t width, uint32_t height)
{
    uint8_t header[13] = {[8] = 8, [9] = 6}; /* bits; RGBA */
    png_put(header, width, 4);
    png_put(header + 4, height, 4);
    text_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    png_add_chunk(out, "IHDR", header, sizeof header, NULL, 0);
}

uint8_t *png_compress(const struct image *image, const struct rectangle *part, enum png_effort effort, size_t *size)
{
    enum { FILTER_SUB = 1, PIXEL = 4 };
    size_t row = PIXEL * (size_t)part->width, filtered_size = (1 + row) * part->height;
    uint8_t *filtered = memory_new(filtered_size, 1), *to = filtered;
    for (uint32_t y = part->y; y < part->y + part->height; y++) {
        const uint8_t *from = image->rgba + PIXEL * ((size_t)image->width * y + part->x);
        *to++ = FILTER_SUB;
        for (size_t i = 0; i < row; i++)
            *to++ = (uint8_t)(from[i] - (i < PIXEL ? 0 : from[i - PIXEL]));
    }
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor((int)effort);
    if (!compressor)
        memory_exhausted("a picture of %ux%u", part->width, part->height);
    size_t bound = libdeflate_zlib_compress_bound(compressor, filtered_size);
    uint8_t *out = memory_grow(NULL, bound, 1);
    *size = libdeflate_zlib_compress(compressor, filtered, filtered_size, out, bound);
    libdeflate_free_compressor(compressor);
    free(filtered);
    return out;
}
