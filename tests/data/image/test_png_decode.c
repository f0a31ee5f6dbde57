/* PNGs of 8 bits: every filter as the specification has it, what is left to stb_image, and two files at a time. */

#include "base/file/file.h"
#include "data/apng_read.h"
#include "data/image/image.h"
#include "run_binary.h"

enum { COLORS = 4, ANY_FILTER = 5 };

struct sample {
    uint8_t header[13];
    struct text rows; /* filtered */
    uint32_t parts;   /* IDATs */
    const char *chunk; /* before them; NULL */
    bool endless;     /* without IEND */
};

/* The bytes of a row before it is filtered. */
static uint8_t value_at(uint32_t row, uint32_t i)
{
    uint32_t bits = (row * 1000 + i + 1) * 2654435761u;
    return (uint8_t)(i % 7 < 3 ? bits >> 24 : row * 3 + i);
}

/* Chapter 9 of the specification. */
static uint8_t predict(int filter, int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    int nearest = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    return (uint8_t)(filter == 1 ? a : filter == 2 ? b : filter == 3 ? (a + b) / 2 : filter == 4 ? nearest : 0);
}

static struct sample sample_of(uint8_t channels, uint32_t width, uint32_t height, uint32_t filter)
{
    static const uint8_t types[] = {0, 0, 4, 2, 6};
    struct sample out = {.header = {[2] = (uint8_t)(width >> 8), (uint8_t)width, [6] = (uint8_t)(height >> 8),
                                    (uint8_t)height, 8, types[channels]}, .parts = 1};
    for (uint32_t y = 0; y < height; y++) {
        uint8_t kind = (uint8_t)(filter == ANY_FILTER ? (y * 7 + y / 5) % 5 : filter);
        text_add_bytes(&out.rows, &kind, 1);
        for (uint32_t i = 0; i < width * channels; i++) {
            int a = i < channels ? 0 : value_at(y, i - channels), b = y == 0 ? 0 : value_at(y - 1, i);
            int c = i < channels || y == 0 ? 0 : value_at(y - 1, i - channels);
            uint8_t byte = (uint8_t)(value_at(y, i) - predict(kind, a, b, c));
            text_add_bytes(&out.rows, &byte, 1);
        }
    }
    return out;
}

/* The file; the rows are stored, not compressed. */
static struct text file_of(const struct sample *sample)
{
    SCOPED(text) zlib = {0};
    struct text png = {0};
    uint32_t a = 1, b = 0;
    text_add_bytes(&zlib, "\x78\x01", 2);
    for (size_t at = 0, size; at < sample->rows.size; at += size) {
        size = sample->rows.size - at < 1000 ? sample->rows.size - at : 1000;
        uint16_t length = (uint16_t)size;
        text_add_bytes(&zlib, (uint8_t[]){at + size == sample->rows.size, (uint8_t)length, (uint8_t)(length >> 8),
                                          (uint8_t)~length, (uint8_t)(~length >> 8)}, 5);
        text_add_bytes(&zlib, sample->rows.data + at, size);
    }
    for (size_t i = 0; i < sample->rows.size; i++) {
        a = (a + (uint8_t)sample->rows.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    text_add_bytes(&zlib, (uint8_t[]){(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a}, 4);
    text_add_bytes(&png, "\x89PNG\r\n\x1a\n", 8);
    apng_put(&png, "IHDR", sample->header, 13);
    if (sample->chunk)
        apng_put(&png, sample->chunk, (const uint8_t *)"\0\1\0\2\0\3", 6);
    for (uint32_t i = 0; i < sample->parts; i++) {
        size_t from = zlib.size * i / sample->parts, to = zlib.size * (i + 1) / sample->parts;
        apng_put(&png, "IDAT", (const uint8_t *)zlib.data + from, (uint32_t)(to - from));
    }
    if (!sample->endless)
        apng_put(&png, "IEND", sample->header, 0);
    return png;
}

static bool decodes(struct sample *sample, struct image *image)
{
    SCOPED(text) png = file_of(sample);
    FREED uint8_t *copy = exact_copy(png.data, png.size);
    *image = (struct image){0};
    bool good = png_decode(image, copy, png.size);
    assert_true(good == (image->rgba != NULL));
    text_release(&sample->rows);
    return good;
}

TEST(every_filter_is_undone)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {2, 5}, {37, 23}, {300, 11}};
    for (uint8_t channels = 1; channels <= COLORS; channels++)
        for (uint32_t filter = 0; filter <= ANY_FILTER; filter++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                struct sample sample = sample_of(channels, sizes[s][0], sizes[s][1], filter);
                SCOPED(image) image;
                sample.parts = 1 + (uint32_t)s;
                sample.chunk = s % 2 ? "gAMA" : NULL;
                assert_true(decodes(&sample, &image));
                assert_int_equal(image.width, sizes[s][0]);
                assert_int_equal(image.height, sizes[s][1]);
                for (uint32_t i = 0; i < COLORS * image.width * image.height; i++) {
                    uint32_t c = i % COLORS, first = i / COLORS % image.width * channels, y = i / COLORS / image.width;
                    uint8_t expected = c == 3 ? (channels % 2 ? 255 : value_at(y, first + channels - 1u))
                                              : value_at(y, first + (channels < 3 ? 0 : c));
                    assert_int_equal(image.rgba[i], expected);
                }
            }
}

/* Each is read by stb_image, or it says what is wrong: png_decode() has to leave it alone. */
TEST(what_is_of_another_kind_or_broken_is_left_alone)
{
    struct image image;
    static const struct {
        int at;
        uint8_t value;
    } headers[] = {{8, 16}, {8, 4}, {9, 3}, {9, 1}, {9, 7}, {9, 255}, {10, 1}, {11, 1}, {12, 1}, {3, 0}, {7, 0}, {3, 21}, {7, 10},
                   {7, 12}, {2, 65}, {1, 1}, {6, 65}, {4, 255}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct sample sample = sample_of(3, 20, 11, ANY_FILTER);
        sample.header[headers[i].at] = headers[i].value;
        assert_false(decodes(&sample, &image));
    }
    static const char *const chunks[] = {"tRNS", "CgBI", "PLTE", "IHDR", "ABCD"};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct sample sample = sample_of(3, 20, 11, ANY_FILTER);
        sample.chunk = chunks[i];
        assert_false(decodes(&sample, &image));
    }
    struct sample sample = sample_of(3, 20, 11, ANY_FILTER);
    sample.rows.data[61 * 4] = 5; /* no filter */
    assert_false(decodes(&sample, &image));
    sample = sample_of(3, 20, 11, ANY_FILTER);
    sample.endless = true;
    assert_false(decodes(&sample, &image));
    sample = sample_of(3, 20, 11, ANY_FILTER);
    sample.parts = 0;
    assert_false(decodes(&sample, &image));
}

/* Wherever it ends, and whatever bit of it is another: no pixels or the right ones, as where a chunk's checksum is
 * another. */
TEST(torn_files_do_no_harm)
{
    struct sample sample = sample_of(4, 9, 7, ANY_FILTER);
    sample.parts = 3;
    SCOPED(text) png = file_of(&sample);
    SCOPED(image) whole = {0};
    assert_true(png_decode(&whole, (const uint8_t *)png.data, png.size));
    for (size_t bit = 0; bit < 16 * png.size; bit++) {
        SCOPED(image) image = {0};
        size_t size = bit < 8 * png.size ? png.size : bit / 8 - png.size;
        FREED uint8_t *copy = exact_copy(png.data, size);
        if (size == png.size)
            copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (png_decode(&image, copy, size))
            assert_true(size == png.size && image_equal(&image, &whole));
    }
    text_release(&sample.rows);
}

/* What is not of the pixels is left out, and nothing is copied that a browser would refuse. */
TEST(a_copy_has_the_pixels_alone)
{
    struct sample sample = sample_of(3, 20, 11, ANY_FILTER), with = sample_of(3, 20, 11, ANY_FILTER);
    with.chunk = "gAMA";
    sample.parts = with.parts = 2;
    SCOPED(text) plain = file_of(&sample), more = file_of(&with), copy = {0};
    assert_true(more.size > plain.size);
    assert_true(png_copy((const uint8_t *)more.data, more.size, &copy));
    assert_int_equal(copy.size, plain.size);
    assert_memory_equal(copy.data, plain.data, plain.size);
    more.data[20] ^= 1; /* of the width */
    assert_false(png_copy((const uint8_t *)more.data, more.size, &copy));
    assert_int_equal(copy.size, 0);
    assert_false(png_copy((const uint8_t *)plain.data, plain.size - 12, &copy));
    text_release(&sample.rows);
    text_release(&with.rows);
}

SCRATCH_TEST(two_files_are_read_at_a_time)
{
    const char *const ways[][2] = {{"a.png", "b.png"}, {"a.png", "c.png"}, {"a.png", "broken.png"}, {"broken.png", "gone.png"},
                                   {"broken.png", "broken.png"}};
    struct image images[2];
    SCOPED(image) a, b;
    struct blob files[2];
    assert_true(image_create(&a, 300, 200, ANY_ERROR) && image_create(&b, 20, 10, ANY_ERROR));
    a.rgba[99] = b.rgba[77] = 5;
    assert_true(image_write_png(&a, "a.png", PNG_OUTPUT, ANY_ERROR) && image_write_png(&a, "c.png", PNG_OUTPUT, ANY_ERROR));
    assert_true(image_write_png(&b, "b.png", PNG_OUTPUT, ANY_ERROR));
    spill("broken.png", "\x89PNG\r\n\x1a\nIHDR");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool same;
        struct error err = {0};
        assert_int_equal(image_read_two(images, files, ways[i], &same, &err), i < 2);
        assert_true(i == 3 || same == (i == 1 || i == 4));
        assert_true(i < 2 || strstr(err.text, i == 3 ? "gone.png" : "broken.png"));
        assert_true(i >= 2 || image_equal(&images[0], &a));
        assert_true(i != 0 || image_equal(&images[1], &b));
        assert_true(i != 1 || !images[1].rgba);
        for (int k = 0; k < 2; k++) {
            image_release(&images[k]);
            blob_release(&files[k]);
        }
    }
}
