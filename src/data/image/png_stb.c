/*
 * stb_image and stb_image_write, built once. The writer's deflate is libdeflate's: about eight times faster than stb's
 * own and smaller.
 */
#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>

#include "data/image/png_stb.h"

int png_deflate_level = 1;

static unsigned char *deflate_zlib(unsigned char *data, int size, int *out_size, int quality)
{
    (void)quality;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(png_deflate_level);
    if (!compressor)
        return NULL;
    size_t bound = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    unsigned char *out = malloc(bound);
    size_t written = out ? libdeflate_zlib_compress(compressor, data, (size_t)size, out, bound) : 0;
    libdeflate_free_compressor(compressor);
    if (written == 0 || written > INT_MAX) {
        free(out);
        return NULL;
    }
    *out_size = (int)written;
    return out;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wcast-qual"

#define STBIW_ZLIB_COMPRESS deflate_zlib
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#include <stb_image.h>

#pragma GCC diagnostic pop
