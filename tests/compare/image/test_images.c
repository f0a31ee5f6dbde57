/* The ladder of two pictures, each rung from below and from above, and the diagnosis. */

#include "compare/compare.h"
#include "compare/image/image_metrics.h"
#include "compare/pictures.h"

GROUP_ARENA((size_t)16 << 20)
static const uint8_t ground[4] = {128, 128, 128, 255}, figure[4] = {60, 90, 120, 255};

/* A rectangle of `pixels` pixels in rows of 100, on a ground of 120 x 110. */
static struct image figure_of(uint32_t pixels)
{
    struct image image = plain_picture(120, 110, ground);
    for (uint32_t i = 0; i < pixels; i++)
        memcpy(pixel_at(&image, 10 + i % 100, 5 + i / 100), figure, 4);
    return image;
}

/* Adds `delta` to the green of the first `pixels` pixels of the figure. */
static struct image changed_copy(const struct image *image, uint32_t pixels, int delta)
{
    struct image copy = copy_picture(image);
    for (uint32_t i = 0; i < pixels; i++)
        pixel_at(&copy, 10 + i % 100, 5 + i / 100)[1] += (uint8_t)delta;
    return copy;
}

/* Compares both ways around; figures are the same. Releases both. */
static struct image_result compared(struct image a, struct image b, int delta, double share)
{
    struct tolerance tolerance = {.pixel_delta = delta, .pixel_share = share};
    struct image_result result = {.golden = "golden.png", .changed = 77, .pixelmatch = 7, .flip_max = 7}, back = result;
    compare_images(&a, &b, ground, delta, arena, &result);
    compare_images(&b, &a, ground, delta, arena, &back);
    assert_memory_equal(result.levels, back.levels, result.level_count * sizeof *result.levels);
    back.levels = result.levels;
    assert_memory_equal(&result, &back, sizeof result);
    judge_picture(&tolerance, &result);
    assert_string_equal(result.golden, "golden.png");
    assert_int_equal(result.pixelmatch, 0);
    assert_true(result.flip_p999 == 0 && result.flip_max == 0);
    image_release(&a);
    image_release(&b);
    return result;
}

static void has_box(const struct image_result *result, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const uint32_t expected[4] = {x, y, width, height};
    assert_memory_equal(result->box, expected, sizeof expected);
}

TEST(equal_pixels_are_the_same)
{
    struct image_result result = compared(figure_of(500), figure_of(500), 0, 0);
    assert_int_equal(result.state, IMAGE_SAME);
    assert_int_equal(result.width, 120);
    assert_int_equal(result.height, 110);
    assert_int_equal(result.max_delta, 0);
    assert_int_equal(result.changed, 0);
    assert_int_equal(result.foreground, 500);
    assert_true(result.share == 0);
    has_box(&result, 0, 0, 0, 0);
}

/* The rungs from below and from above. */
TEST(ladder)
{
    static const struct {
        uint32_t pixels, changed;
        int by, delta;
        double share;
        enum image_state expected;
        uint32_t counted;
    } rungs[] = {
        {5000, 5000, 2, 2, 0, IMAGE_NOISE, 0},
        {5000, 5000, 3, 2, 0, IMAGE_DIFFERS, 5000},
        {5000, 5000, 1, 0, 0, IMAGE_NOISE, 5000}, /* whatever the tolerance */
        {5000, 5000, 8, 8, 0.0002, IMAGE_TOLERATED, 0},
        {5000, 5000, 9, 8, 0.0002, IMAGE_DIFFERS, 5000},
        {300, 9, 50, 8, 0.03, IMAGE_TOLERATED, 9}, /* 0.03 of 300 is 9 */
        {300, 10, 50, 8, 0.03, IMAGE_DIFFERS, 10},
        {100, 57, 50, 8, 0.57, IMAGE_TOLERATED, 57}, /* in binary 0.57 * 100 is a little less than 57 */
        {100, 58, 50, 8, 0.57, IMAGE_DIFFERS, 58},
        {300, 4, 50, 8, 0.0002, IMAGE_TOLERATED, 4}, /* four pixels are always few */
        {300, 5, 50, 8, 0.0002, IMAGE_DIFFERS, 5},
        {10000, 4, 50, 8, 0.0002, IMAGE_TOLERATED, 4},
        {10000, 5, 50, 8, 0.0002, IMAGE_DIFFERS, 5},
        {300, 1, 8, 8, 0, IMAGE_TOLERATED, 0}, /* a share of none is none */
        {300, 1, 9, 8, 0, IMAGE_DIFFERS, 1},
    };
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++) {
        struct image base = figure_of(rungs[i].pixels), changed = changed_copy(&base, rungs[i].changed, rungs[i].by);
        struct image_result result = compared(base, changed, rungs[i].delta, rungs[i].share);
        assert_int_equal(result.state, rungs[i].expected);
        assert_int_equal(result.max_delta, rungs[i].by);
        assert_int_equal(result.changed, rungs[i].counted);
        assert_int_equal(result.foreground, rungs[i].pixels);
        assert_true(result.share == (double)rungs[i].counted / rungs[i].pixels);
        assert_int_equal(result.level_count, 1);
        assert_int_equal(result.levels[0].delta, rungs[i].by);
        assert_int_equal(result.levels[0].count, rungs[i].changed);
        uint32_t width = rungs[i].counted < 100 ? rungs[i].counted : 100, rows = rungs[i].counted / 100;
        has_box(&result, width ? 10 : 0, width ? 5 : 0, width, width && !rows ? 1 : rows);
    }
}

TEST(sizes_must_be_equal)
{
    SCOPED(image) a = plain_picture(4, 5, ground), b = plain_picture(5, 4, ground);
    struct image_result result = {.max_delta = 9};
    compare_images(&a, &b, ground, 255, arena, &result);
    judge_picture(&(struct tolerance){.pixel_delta = 255, .pixel_share = 1}, &result);
    assert_int_equal(result.state, IMAGE_DIFFERS);
    assert_int_equal(result.width, 5);
    assert_int_equal(result.height, 4);
    assert_int_equal(result.max_delta, 0);
    assert_true(result.share == 1);
}

/* What is ground in one picture only is foreground. */
TEST(foreground_is_the_union)
{
    struct image a = figure_of(30), b = plain_picture(120, 110, ground);
    memcpy(pixel_at(&b, 10, 5), figure, 4);    /* in both */
    memcpy(pixel_at(&b, 119, 109), figure, 4); /* in this only */
    struct image_result result = compared(a, b, 8, 0.0002);
    assert_int_equal(result.foreground, 31);
    assert_int_equal(result.changed, 30);
    assert_int_equal(result.max_delta, 68); /* red 60 for 128 */
    has_box(&result, 11, 5, 109, 105);
}

TEST(box_spans_the_changed_pixels_only)
{
    struct image a = figure_of(10000), b = changed_copy(&a, 10000, 2); /* noise everywhere */
    pixel_at(&b, 70, 20)[0] ^= 0x40;
    pixel_at(&b, 30, 40)[2] ^= 0x40;
    pixel_at(&b, 50, 99)[0] ^= 0x40;
    struct image_result result = compared(a, b, 8, 0);
    assert_int_equal(result.changed, 3);
    has_box(&result, 30, 20, 41, 80);
}

/* One pixel after the other, in every channel, where rows are shorter and longer than what is looked at together. */
TEST(every_pixel_is_looked_at)
{
    static const uint32_t widths[] = {1, 63, 64, 65, 131};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        for (uint32_t at = 0; at < 3 * widths[i]; at++) {
            struct image a = noise_picture(widths[i], 3, 7, false), b = copy_picture(&a);
            b.rgba[5 * at % (12 * widths[i])] ^= 0x80;
            struct image_result result = compared(a, b, 127, 0);
            assert_int_equal(result.changed, 1);
            assert_int_equal(result.max_delta, 128);
            assert_int_equal(result.level_count, 1);
            assert_int_equal(result.foreground, 3 * widths[i]);
            has_box(&result, 5 * at / 4 % widths[i], 5 * at / 4 / widths[i] % 3, 1, 1);
        }
}

TEST(alpha_is_a_channel)
{
    struct image a = figure_of(100), b = copy_picture(&a);
    for (uint32_t x = 0; x < 50; x++)
        pixel_at(&b, 10 + x, 5)[3] = 200;
    struct image_result result = compared(a, b, 8, 0);
    assert_int_equal(result.state, IMAGE_DIFFERS);
    assert_int_equal(result.max_delta, 55);
    assert_int_equal(result.changed, 50);
}

static void has_pixel(const struct image *image, uint32_t x, uint32_t y, int r, int g, int b)
{
    const uint8_t expected[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, 255};
    assert_memory_equal(pixel_at(image, x, y), expected, 4);
}

TEST(difference_is_sixteen_times_the_channels)
{
    SCOPED(image) a = figure_of(100), b = copy_picture(&a), difference;
    struct image_result result = {0};
    memcpy(pixel_at(&b, 0, 0), (uint8_t[]){129, 126, 143, 255}, 4);
    memcpy(pixel_at(&b, 1, 0), (uint8_t[]){128, 144, 0, 255}, 4);
    memcpy(pixel_at(&b, 2, 0), (uint8_t[]){128, 133, 128, 252}, 4);
    compare_images_diagnose(&a, &b, &result, &difference, NULL);
    assert_int_equal(difference.width, 120);
    assert_int_equal(difference.height, 110);
    has_pixel(&difference, 0, 0, 16, 32, 240);
    has_pixel(&difference, 1, 0, 0, 255, 255);
    has_pixel(&difference, 2, 0, 48, 80, 48);
    for (uint32_t i = 3; i < 120 * 110; i++)
        has_pixel(&difference, i % 120, i / 120, 0, 0, 0);
}

TEST(color_map_shows_flip)
{
    SCOPED(image) a = figure_of(2000), b = changed_copy(&a, 700, 90), heat;
    struct image_result result = {0};
    compare_images_diagnose(&a, &b, &result, NULL, &heat);
    struct flip flip = flip_compare(&a, &b);
    for (uint32_t i = 0; i < 120 * 110; i++) {
        uint8_t expected[4] = {0, 0, 0, 255};
        color_map_at(flip.error[i], expected);
        assert_memory_equal(heat.rgba + 4 * (size_t)i, expected, 4);
    }
    has_pixel(&heat, 119, 109, 0, 0, 0);
    assert_true(pixel_at(&heat, 50, 7)[0] > 100);
    assert_true(fabs(result.flip_max - flip.max) <= 5e-7);
    assert_true(fabs(result.flip_p999 - flip.p999) <= 5e-7);
    assert_true(result.flip_p999 > 0 && result.flip_p999 <= result.flip_max);
    assert_true(fabs(result.flip_max * 1e6 - rint(result.flip_max * 1e6)) < 1e-6);
    assert_int_equal(result.pixelmatch, 700);
    free(flip.error);
}

static double linear(uint8_t level)
{
    double v = level / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* CIE L* of an sRGB colour. */
static double lightness(const uint8_t rgb[3])
{
    double y = 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* Clamped beyond its ends. */
TEST(color_map_grows_lighter_evenly)
{
    for (int i = -8; i <= 72; i++) {
        uint8_t rgb[3];
        double value = i < 0 ? 0 : i > 64 ? 1 : i / 64.0;
        color_map_at((float)i / 64, rgb);
        assert_true(fabs(lightness(rgb) - 96.0 * value) < (i % 8 == 0 ? 0.5 : 2.5));
    }
}
