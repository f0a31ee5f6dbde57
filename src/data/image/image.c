#include "data/image/image.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stb_image.h>
#include <xxhash.h>

#include "base/file/file.h"
#include "data/image/png.h"

bool image_create(struct image *image, uint32_t width, uint32_t height, struct error *err)
{
    *image = (struct image){width, height, calloc((size_t)width * height, 4)};
    return image->rgba != NULL || error_set(err, "out of memory for an image of %ux%u", width, height);
}

void image_release(struct image *image)
{
    free(image->rgba);
    *image = (struct image){0};
}

bool image_decode(struct image *image, const void *data, size_t size, const char *name, struct error *err)
{
    int width = 0, height = 0, channels = 0;
    *image = (struct image){0};
    if (size > INT_MAX)
        return error_set(err, "image %s is too large: %zu MiB", name, size >> 20);
    image->rgba = stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4);
    if (!image->rgba)
        return error_set(err, "cannot decode image %s: %s", name, stbi_failure_reason());
    image->width = (uint32_t)width;
    image->height = (uint32_t)height;
    return true;
}

bool image_read(struct image *image, const char *path, struct error *err)
{
    enum { LIMIT = 1 << 30 };
    struct blob file;
    if (!file_read(path, LIMIT, &file, err))
        return false;
    bool good = image_decode(image, file.data, file.size, path, err);
    blob_release(&file);
    return good;
}

bool image_encode_png(const struct image *image, enum png_effort effort, struct text *out, struct error *err)
{
    size_t size;
    uint8_t *pixels = png_compress(image, &(struct rectangle){0, 0, image->width, image->height}, effort, &size);
    bool good = size <= INT_MAX || error_set(err, "cannot encode a picture of %ux%u", image->width, image->height);
    if (good) {
        png_begin(out, image->width, image->height);
        png_add_chunk(out, "IDAT", pixels, size, NULL, 0);
        png_add_chunk(out, "IEND", NULL, 0, NULL, 0);
    }
    free(pixels);
    return good;
}

bool image_write_png(const struct image *image, const char *path, enum png_effort effort, struct error *err)
{
    struct text png = {0};
    bool good = image_encode_png(image, effort, &png, err) ? file_write(path, png.data, png.size, err)
                                                           : error_prefix(err, "%s", path);
    text_release(&png);
    return good;
}

void image_hash(const struct image *image, char out[static 17])
{
    XXH64_hash_t seed = (XXH64_hash_t)image->width << 32 | image->height;
    XXH64_hash_t hash = XXH3_64bits_withSeed(image->rgba, (size_t)image->width * image->height * 4, seed);
    snprintf(out, 17, "%016llx", (unsigned long long)hash);
}

void bytes_hash(const void *data, size_t size, char out[static 17])
{
    snprintf(out, 17, "%016llx", (unsigned long long)XXH3_64bits(data, size));
}

void image_blit(struct image *target, const struct image *source, uint32_t x, uint32_t y)
{
    assert(x + source->width <= target->width && y + source->height <= target->height);
    for (uint32_t row = 0; row < source->height; row++)
        memcpy(target->rgba + 4 * ((size_t)(y + row) * target->width + x),
               source->rgba + 4 * (size_t)row * source->width, (size_t)source->width * 4);
}

struct sheet {
    uint32_t columns; /* 0: to be chosen */
    uint32_t gap;
    uint64_t width, height;
};

static bool measure_sheet(struct sheet *sheet, size_t count, uint32_t width, uint32_t height, struct error *err)
{
    bool is_given = sheet->columns > 0;
    double least = 1e30;
    for (uint32_t columns = 1; columns <= count && !is_given; columns++) {
        /* Neither a long strip nor a sheet with holes: the least of both, in the same currency; of two as good the wider. */
        uint32_t rows = (uint32_t)((count + columns - 1) / columns);
        double holes = (double)columns * rows / (double)count - 1.0;
        double stretch = fabs(log((double)columns * width / ((double)rows * height)));
        if (holes + stretch < least + 1e-9) {
            least = holes + stretch;
            sheet->columns = columns;
        }
    }
    uint32_t rows = (uint32_t)((count + sheet->columns - 1) / sheet->columns);
    sheet->width = (uint64_t)sheet->columns * width + (uint64_t)(sheet->columns + 1) * sheet->gap;
    sheet->height = (uint64_t)rows * height + (uint64_t)(rows + 1) * sheet->gap;
    if ((sheet->width * 4 + 1) * sheet->height > INT_MAX) /* what the PNG writer can count */
        return error_set(err, "a sheet of %zu frames of %ux%u would be %llux%llu: make the frames smaller or fewer", count,
                         width, height, (unsigned long long)sheet->width, (unsigned long long)sheet->height);
    return true;
}

bool image_sheet_fits(size_t count, uint32_t width, uint32_t height, uint32_t gap, struct error *err)
{
    struct sheet sheet = {.gap = gap};
    return measure_sheet(&sheet, count, width, height, err);
}

bool image_sheet(struct image *out, const struct image *images, size_t count, uint32_t columns, uint32_t gap,
                 const uint8_t background[4], struct error *err)
{
    const struct image *first = &images[0];
    struct sheet sheet = {.columns = columns, .gap = gap};
    if (!measure_sheet(&sheet, count, first->width, first->height, err) ||
        !image_create(out, (uint32_t)sheet.width, (uint32_t)sheet.height, err))
        return false;
    columns = sheet.columns;
    for (uint64_t i = 0; i < sheet.width * sheet.height; i++)
        memcpy(out->rgba + 4 * i, background, 4);
    for (size_t i = 0; i < count; i++)
        image_blit(out, &images[i], gap + (uint32_t)(i % columns) * (first->width + gap),
                   gap + (uint32_t)(i / columns) * (first->height + gap));
    return true;
}
