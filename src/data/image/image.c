/* Pictures in memory and as files, by stb, with libdeflate in place of its own zlib, which is eight times slower. */
#include "data/image/image.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <xxhash.h>

#include "base/file/file.h"
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
#define STBI_NO_ZLIB /* inflate_png() stands for it */
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#include <stb_image.h>
static uint8_t *compress(uint8_t *data, int size, int *out_size, int level);
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS compress
#define STBIW_CRC32(bytes, count) libdeflate_crc32(0, bytes, (size_t)(count))
#include <stb_image_write.h>
#pragma GCC diagnostic pop

/*
* stb's PNG reader calls this to inflate, three times as fast as its own. `guess` is what the rows take; passes of an
 * interlaced picture have more filter bytes, so that the room is made twice as large once, and no file makes it larger.
 */
char *stbi_zlib_decode_malloc_guesssize_headerflag(const char *buffer, int length, int guess, int *size, int has_header)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    char *out = NULL;
    bool good = false;
    for (int times = 1; times <= 2 && !good && decompressor && guess > 0; times++) {
        size_t room = (size_t)times * (size_t)guess, written = 0;
        char *larger = realloc(out, room);
        if (!larger)
            break;
        out = larger;
        enum libdeflate_result result =
            has_header ? libdeflate_zlib_decompress(decompressor, buffer, (size_t)length, out, room, &written)
                       : libdeflate_deflate_decompress(decompressor, buffer, (size_t)length, out, room, &written);
        good = result == LIBDEFLATE_SUCCESS && written <= INT_MAX;
        *size = (int)written;
    }
    libdeflate_free_decompressor(decompressor);
    if (good)
        return out;
    free(out);
    stbi__err("its compressed data is broken", "its compressed data is broken");
    return NULL;
}

struct rectangle {
    uint32_t x, y, width, height;
};

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
    if (png_decode(image, data, size))
        return true;
    image->rgba = stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4);
    if (!image->rgba)
        return error_set(err, "%s is not a picture that can be read: %s", name, stbi_failure_reason());
    image->width = (uint32_t)width;
    image->height = (uint32_t)height;
    return true;
}

void image_size(const void *data, size_t size, uint32_t *width, uint32_t *height)
{
    int across = 0, down = 0, channels;
    if (size > INT_MAX || !stbi_info_from_memory(data, (int)size, &across, &down, &channels))
        across = down = 0;
    *width = (uint32_t)across;
    *height = (uint32_t)down;
}

enum { FILE_LIMIT = 1 << 30 };

bool image_read(struct image *image, const char *path, struct error *err)
{
    SCOPED(blob) file = {0};
    return file_read(path, FILE_LIMIT, &file, err) && image_decode(image, file.data, file.size, path, err);
}

struct decoding {
    const struct blob *file;
    struct image *image;
};

static void *decode_in_thread(void *argument)
{
    const struct decoding *d = argument;
    png_decode(d->image, d->file->data, d->file->size);
    return NULL;
}

bool image_read_two(struct image images[2], struct blob *files, const char *const paths[2], bool *same,
                    struct error *err)
{
    images[0] = images[1] = (struct image){0};
    files[0] = files[1] = (struct blob){0};
    *same = false;
    if (!file_read(paths[0], FILE_LIMIT, &files[0], err) || !file_read(paths[1], FILE_LIMIT, &files[1], err))
        return false;
    *same = files[0].size == files[1].size && memcmp(files[0].data, files[1].data, files[0].size) == 0;
    struct decoding second = {&files[1], &images[1]};
    pthread_t thread;
    bool runs = !*same && pthread_create(&thread, NULL, decode_in_thread, &second) == 0;
    bool good = image_decode(&images[0], files[0].data, files[0].size, paths[0], err);
    if (runs)
        pthread_join(thread, NULL);
    /* stb_image, which reads what is left, has globals */
    return good && (*same || images[1].rgba || image_decode(&images[1], files[1].data, files[1].size, paths[1], err));
}

/* Bytes of a PNG before its IDAT (signature and IHDR) and behind that chunk's data (its sum and IEND). */
enum { PNG_DATA = 8 + 25, PNG_REST = 4 + 12 };

/* The highest byte first. */
static void png_put(uint8_t *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

/* A chunk whose data is in two parts; either may be empty. */
static void png_add_chunk(struct text *out, const char *type, const uint8_t *head, size_t head_size,
                          const uint8_t *data, size_t data_size)
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

static uint8_t *compress(uint8_t *data, int size, int *out_size, int level)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (!compressor)
        memory_exhausted("compressing a picture");
    const size_t bound = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    uint8_t *out = memory_grow(NULL, bound, 1);
    const size_t written = libdeflate_zlib_compress(compressor, data, (size_t)size, out, bound);
    libdeflate_free_compressor(compressor);
    *out_size = written <= INT_MAX ? (int)written : 0;
    return out;
}

/* A PNG of a part of the image, rows filtered by "sub": signature, IHDR, IDAT, IEND. NULL with err set; for free(). */
static uint8_t *png_encode(const struct image *image, const struct rectangle *part, enum png_effort effort, int *size,
                           struct error *err)
{
    enum { FILTER_SUB = 1, PIXEL = 4 };
    const uint8_t *first = image->rgba + PIXEL * ((size_t)image->width * part->y + part->x);
    const uint64_t filtered = (PIXEL * (uint64_t)part->width + 1) * part->height;
    uint8_t *out = NULL;
    stbi_write_force_png_filter = FILTER_SUB;
    stbi_write_png_compression_level = (int)effort;
    if (filtered <= INT_MAX && PIXEL * (uint64_t)image->width <= INT_MAX)
        out =
            stbi_write_png_to_mem(first, (int)(PIXEL * image->width), (int)part->width, (int)part->height, PIXEL, size);
    if (!out)
        error_set(err, "cannot encode a picture of %ux%u", part->width, part->height);
    return out;
}

bool image_encode_png(const struct image *image, enum png_effort effort, struct text *out, struct error *err)
{
    int size = 0;
    FREED uint8_t *png = png_encode(image, &(struct rectangle){0, 0, image->width, image->height}, effort, &size, err);
    text_add_bytes(out, png, (size_t)size);
    return png != NULL;
}

bool image_write_png(const struct image *image, const char *path, enum png_effort effort, struct error *err)
{
    SCOPED(text) png = {0};
    return image_encode_png(image, effort, &png, err) ? file_write(path, png.data, png.size, err)
                                                           : error_prefix(err, "%s", path);
}

bool image_equal(const struct image *a, const struct image *b)
{
    return a->width == b->width && a->height == b->height &&
           (a->rgba == b->rgba || memcmp(a->rgba, b->rgba, 4 * (size_t)a->width * a->height) == 0);
}

bool image_deltas(const uint8_t *p, const uint8_t *q, uint32_t count, uint8_t deltas[static IMAGE_RUN])
{
    if (memcmp(p, q, 4 * (size_t)count) == 0)
        return false;
    for (size_t x = 0; x < count; x++, p += 4, q += 4) { /* compilers make vectors of it */
        uint8_t most = 0;
        for (int c = 0; c < 4; c++) {
            uint8_t delta = (uint8_t)((p[c] > q[c] ? p[c] : q[c]) - (p[c] > q[c] ? q[c] : p[c]));
            most = delta > most ? delta : most;
        }
        deltas[x] = most;
    }
    return true;
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

bool file_hash(const char *path, char out[static 17])
{
    enum { LARGEST = 1 << 30 };
    SCOPED(blob) file = {0};
    out[0] = '\0';
    if (!file_exists(path) || !file_read(path, LARGEST, &file, ERROR_IGNORED))
        return false;
    bytes_hash(file.data, file.size, out);
    return true;
}

void image_mean(const struct image *image, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1, uint8_t out[4])
{
    uint64_t sums[4] = {0}, plain[3] = {0};
    const uint64_t count = (uint64_t)(x1 - x0) * (y1 - y0);
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++) {
            const uint8_t *pixel = image->rgba + 4 * ((size_t)y * image->width + x);
            for (int c = 0; c < 3; c++) {
                sums[c] += (uint64_t)pixel[c] * pixel[3];
                plain[c] += pixel[c];
            }
            sums[3] += pixel[3];
        }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(sums[3] ? (sums[c] + sums[3] / 2) / sums[3] : (plain[c] + count / 2) / count);
    out[3] = (uint8_t)((sums[3] + count / 2) / count);
}

void image_blit(struct image *target, const struct image *source, uint32_t x, uint32_t y)
{
    assert(x + source->width <= target->width && y + source->height <= target->height);
    for (uint32_t row = 0; row < source->height; row++)
        memcpy(target->rgba + 4 * ((size_t)(y + row) * target->width + x),
               source->rgba + 4 * (size_t)row * source->width, (size_t)source->width * 4);
}

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

void apng_begin(struct apng *apng, uint32_t frame_count, double fps)
{
    assert(frame_count >= 1 && fps > 0);
    *apng = (struct apng){.frame_count = frame_count};
    apng_delay(fps, &apng->delay_numerator, &apng->delay_denominator);
}

/* The least rectangle that holds all that differs; a pixel where nothing does. */
static struct rectangle changed(const struct image *before, const struct image *frame)
{
    uint32_t left = frame->width, right = 0, top = frame->height, bottom = 0;
    for (uint32_t y = 0; y < frame->height; y++) {
        size_t row = 4 * (size_t)frame->width;
        const uint8_t *p = before->rgba + row * y, *q = frame->rgba + row * y;
        if (memcmp(p, q, row) == 0)
            continue;
        for (uint32_t x = 0; x < left; x++)
            if (memcmp(p + 4 * (size_t)x, q + 4 * (size_t)x, 4) != 0)
                left = x;
        for (uint32_t x = frame->width; x > right; x--)
            if (memcmp(p + 4 * (size_t)(x - 1), q + 4 * (size_t)(x - 1), 4) != 0)
                right = x;
        top = y < top ? y : top;
        bottom = y + 1;
    }
    return bottom > 0 ? (struct rectangle){left, top, right - left, bottom - top} : (struct rectangle){0, 0, 1, 1};
}

bool apng_add(struct apng *apng, const struct image *frame, struct error *err)
{
    uint8_t number[4] = {0}, animation[8] = {0}; /* frames; plays, 0: for ever */
    uint8_t control[26] = {0};                   /* the last two: dispose NONE, blend SOURCE */
    bool is_first = apng->added == 0;
    int size;
    assert(apng->added < apng->frame_count);
    if (is_first && !image_create(&apng->shown, frame->width, frame->height, err))
        return false;
    if (frame->width != apng->shown.width || frame->height != apng->shown.height)
        return error_set(err, "frame %u is %ux%u, the first is %ux%u", apng->added, frame->width, frame->height,
                         apng->shown.width, apng->shown.height);
    const struct rectangle where =
        is_first ? (struct rectangle){0, 0, frame->width, frame->height} : changed(&apng->shown, frame);
    FREED uint8_t *png = png_encode(frame, &where, PNG_GOLDEN, &size, err);
    if (!png)
        return false;
    if (is_first) {
        text_add_bytes(&apng->bytes, png, PNG_DATA);
        png_put(animation, apng->frame_count, 4);
        png_add_chunk(&apng->bytes, "acTL", animation, sizeof animation, NULL, 0);
    }
    const uint32_t numbers[] = {apng->sequence++, where.width, where.height, where.x, where.y};
    for (int i = 0; i < 5; i++)
        png_put(control + 4 * i, numbers[i], 4);
    png_put(control + 20, apng->delay_numerator, 2);
    png_put(control + 22, apng->delay_denominator, 2);
    png_add_chunk(&apng->bytes, "fcTL", control, sizeof control, NULL, 0);
    if (!is_first)
        png_put(number, apng->sequence++, sizeof number);
    png_add_chunk(&apng->bytes, is_first ? "IDAT" : "fdAT", number, is_first ? 0 : sizeof number, png + PNG_DATA + 8,
                  (size_t)size - PNG_DATA - 8 - PNG_REST);
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
