/* Images: PNG and back, hashes, contact sheets. */
#include "cmocka_setup.h"

#include <string.h>

#include "data/image/image.h"
#include "run_binary.h"

/* Every byte another, alpha included. */
static struct image pattern(uint32_t width, uint32_t height)
{
    struct image image;
    struct error err = {0};
    assert_true(image_create(&image, width, height, &err));
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        image.rgba[i] = (uint8_t)(i * 37 + i / 101);
    return image;
}

static void png_brings_every_pixel_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {33, 17}, {1, 300}, {300, 1}, {256, 256}};
    static const enum png_effort efforts[] = {PNG_OUTPUT, PNG_GOLDEN};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int e = 0; e < 2; e++) {
            struct image image = pattern(sizes[i][0], sizes[i][1]), back;
            struct error err = {0};
            assert_true(image_write_png(&image, "a.png", efforts[e], &err));
            assert_true(image_write_png(&image, "b.png", efforts[e], &err));
            assert_same_files("a.png", "b.png");
            assert_true(image_read(&back, "a.png", &err));
            assert_int_equal(back.width, image.width);
            assert_int_equal(back.height, image.height);
            assert_memory_equal(back.rgba, image.rgba, (size_t)image.width * image.height * 4);
            image_release(&image);
            image_release(&back);
        }
}

static void what_is_no_image_is_refused(void **state)
{
    (void)state;
    struct error err = {0};
    struct image image;
    assert_false(image_decode(&image, "no picture", 10, "x.png", &err));
    assert_contains(err.text, "x.png");
    assert_null(image.rgba);
    err = (struct error){0};
    assert_false(image_read(&image, "missing.png", &err));
    assert_contains(err.text, "missing.png");
    struct image whole = pattern(64, 64);
    err = (struct error){0};
    assert_true(image_write_png(&whole, "a.png", PNG_OUTPUT, &err));
    size_t size;
    const char *bytes = slurp("a.png", &size);
    assert_false(image_decode(&image, bytes, size / 2, "half.png", &err));
    assert_contains(err.text, "half.png");
    image_release(&whole);
}

static void hashes_tell_images_apart(void **state)
{
    (void)state;
    /* The value is part of golden files, so it stays the same from release to release. */
    struct image a = {2, 1, (uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}}, b = pattern(6, 4);
    char first[17], second[17];
    image_hash(&a, first);
    assert_string_equal(first, "221eb062d414e736");
    image_hash(&b, first);
    for (size_t i = 0; i < 6 * 4 * 4; i++) {
        b.rgba[i] ^= 1;
        image_hash(&b, second);
        assert_string_not_equal(first, second);
        b.rgba[i] ^= 1;
    }
    image_hash(&b, second);
    assert_string_equal(first, second);
    b.width = 4; /* the same bytes in another shape */
    b.height = 6;
    image_hash(&b, second);
    assert_string_not_equal(first, second);
    image_release(&b);
}

static void blit_copies_a_rectangle(void **state)
{
    (void)state;
    static const uint8_t none[4] = {0};
    struct error err = {0};
    struct image target, source = pattern(2, 3);
    assert_true(image_create(&target, 5, 5, &err));
    image_blit(&target, &source, 3, 2);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 5; x++) {
            bool inside = x >= 3 && y >= 2;
            const uint8_t *expected = inside ? source.rgba + 4 * (2 * (y - 2) + (x - 3)) : none;
            assert_memory_equal(target.rgba + 4 * (5 * y + x), expected, 4);
        }
    image_release(&target);
    image_release(&source);
}

/* ---- sheets ---------------------------------------------------------------------------------------------------- */

enum { MOST_FRAMES = 36 };

static void make_frames(struct image images[static MOST_FRAMES], uint32_t width, uint32_t height)
{
    struct error err = {0};
    for (size_t i = 0; i < MOST_FRAMES; i++) {
        assert_true(image_create(&images[i], width, height, &err));
        memset(images[i].rgba, (int)(10 + i), (size_t)width * height * 4);
    }
}

static void release_frames(struct image images[static MOST_FRAMES])
{
    for (size_t i = 0; i < MOST_FRAMES; i++)
        image_release(&images[i]);
}

static void sheet_has_rows_and_margins(void **state)
{
    (void)state;
    static const uint8_t background[4] = {200, 201, 202, 203};
    struct error err = {0};
    struct image sheet, images[MOST_FRAMES];
    make_frames(images, 4, 3);
    assert_true(image_sheet(&sheet, images, 5, 3, 2, background, &err));
    assert_int_equal(sheet.width, 3 * 4 + 4 * 2);
    assert_int_equal(sheet.height, 2 * 3 + 3 * 2);
    for (uint32_t y = 0; y < sheet.height; y++)
        for (uint32_t x = 0; x < sheet.width; x++) {
            uint32_t column = x / 6, row = y / 5, frame = 3 * row + column;
            bool inside = x % 6 >= 2 && y % 5 >= 2 && frame < 5 && column < 3 && row < 2;
            assert_int_equal(sheet.rgba[4 * (y * sheet.width + x)], inside ? 10 + frame : 200);
        }
    assert_memory_equal(sheet.rgba, background, 4);
    image_release(&sheet);
    release_frames(images);
}

static void sheets_are_nearly_square(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        uint32_t width, height, columns, rows;
    } cases[] = {
        {1, 10, 10, 1, 1}, {2, 10, 10, 2, 1},  {4, 10, 10, 2, 2}, {5, 10, 10, 3, 2},
        {9, 10, 10, 3, 3}, {36, 10, 10, 6, 6}, {4, 40, 10, 1, 4}, {4, 10, 40, 4, 1},
    };
    static const uint8_t background[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err = {0};
        struct image sheet, images[MOST_FRAMES];
        make_frames(images, cases[i].width, cases[i].height);
        assert_true(image_sheet(&sheet, images, cases[i].count, 0, 0, background, &err));
        assert_int_equal(sheet.width, cases[i].columns * cases[i].width);
        assert_int_equal(sheet.height, cases[i].rows * cases[i].height);
        image_release(&sheet);
        release_frames(images);
    }
}

static void monstrous_sheet_is_refused(void **state)
{
    (void)state;
    static const uint8_t background[4] = {0};
    struct error err = {0};
    struct image sheet, images[16];
    for (int i = 0; i < 16; i++)
        images[i] = (struct image){8192, 8192, NULL}; /* refused before a pixel is looked at */
    assert_false(image_sheet(&sheet, images, 16, 0, 4, background, &err));
    assert_contains(err.text, "32788x32788");
    err = (struct error){0};
    assert_false(image_sheet_fits(16, 8192, 8192, 4, &err)); /* and before there are pictures at all */
    assert_contains(err.text, "32788x32788");
    err = (struct error){0};
    assert_true(image_sheet_fits(5, 8192, 8192, 4, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(png_brings_every_pixel_back),
        scratch_test(what_is_no_image_is_refused),
        cmocka_unit_test(hashes_tell_images_apart),
        cmocka_unit_test(blit_copies_a_rectangle),
        cmocka_unit_test(sheet_has_rows_and_margins),
        cmocka_unit_test(sheets_are_nearly_square),
        cmocka_unit_test(monstrous_sheet_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
