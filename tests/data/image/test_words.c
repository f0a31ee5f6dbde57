/* Words in pictures: how wide they are, where their ink is, and what it does to what is there. */

#include "cmocka_setup.h"

#include "data/image/words.h"

static const uint8_t white[4] = {255, 255, 255, 255};

static struct image blank(uint32_t width, uint32_t height, uint8_t alpha)
{
    struct image image;
    assert_true(image_create(&image, width, height, ANY_ERROR));
    for (size_t i = 0; i < (size_t)width * height; i++)
        image.rgba[4 * i + 3] = alpha;
    return image;
}

static double width_of(const char *text, uint32_t em)
{
    return words_width(text, strlen(text), em);
}

TEST(widths_are_sums_of_advances)
{
    assert_true(fabs(width_of("ab", 20) - width_of("a", 20) - width_of("b", 20)) < 1e-9);
    assert_true(fabs(width_of("bone", 40) - 2 * width_of("bone", 20)) < 1e-4);
    assert_true(width_of("i", 20) < 0.5 * width_of("m", 20));
    assert_true(fabs(width_of("k\xc3\xb6r", 20) - width_of("kor", 20)) < 1e-6); /* one character, as wide as without dots */
    assert_true(fabs(width_of("\xff\xff", 20) - 2 * width_of("\xff", 20)) < 1e-9); /* no UTF-8: each byte a box */
    assert_true(words_width("\xc3\xb6", 1, 20) > 0); /* and what is cut in its middle */
    assert_true(words_line(30) == 40);
}

/* An l of DejaVu Sans is a bar of 184 units of 2048, 193 from the left, and 1556 high. */
TEST(ink_is_where_the_outline_is)
{
    SCOPED(image) image = blank(90, 200, 255);
    words_draw(&image, "l", 1, 128, 20, 10, white);
    const double left = 20 + 128 * 193 / 2048.0, right = left + 128 * 184 / 2048.0, bottom = 10 + 128, top = bottom - 128 * 1556 / 2048.0;
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++) {
            const double wide = fmax(0, fmin(x + 1.0, right) - fmax(x, left)), high = fmax(0, fmin(y + 1.0, bottom) - fmax(y, top));
            assert_true(fabs(image.rgba[4 * (y * image.width + x)] - 255 * wide * high) < 3);
        }
}

TEST(what_leaves_the_picture_is_not_drawn)
{
    SCOPED(image) image = blank(12, 10, 255), same = blank(12, 10, 255);
    words_draw(&image, "Mm", 2, 20, 6, 1, white);
    assert_memory_not_equal(image.rgba, same.rgba, 4 * 12 * 10);
    words_draw(&same, "Mm", 2, 20, 12, 0, white);
    words_draw(&same, "Mm", 2, 20, 4, 10, white);
    for (size_t i = 0; i < 4 * 12 * 10; i++)
        assert_int_equal(same.rgba[i], i % 4 == 3 ? 255 : 0);
}

/* On nothing an edge keeps the colour and is as opaque as the letter covers it. */
TEST(edges_are_shares_of_the_colour)
{
    static const uint8_t red[4] = {200, 10, 20, 255};
    SCOPED(image) clear = blank(40, 40, 0), opaque = blank(40, 40, 255);
    size_t edges = 0;
    words_draw(&clear, "o", 1, 30, 2, 2, red);
    words_draw(&opaque, "o", 1, 30, 2, 2, red);
    for (size_t i = 0; i < 4 * 40 * 40; i += 4) {
        const uint8_t alpha = clear.rgba[i + 3];
        edges += alpha > 0 && alpha < 255;
        if (alpha > 0)
            assert_memory_equal(clear.rgba + i, red, 3);
        assert_int_equal(opaque.rgba[i + 3], 255);
        assert_true(abs(opaque.rgba[i] - 200 * alpha / 255) <= 1);
    }
    assert_true(edges > 10);
}

TEST(it_is_known_what_the_font_lacks)
{
    assert_true(words_are_readable("mixamorig:Hips"));
    assert_true(words_are_readable("\xd0\xba\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c")); /* Cyrillic */
    assert_false(words_are_readable("\xe5\xb7\xa6\xe8\x85\x95"));                 /* Chinese */
    assert_false(words_are_readable("\xe5\xb7\xa6\xe8\x85\x95.L"));
    assert_false(words_are_readable(""));
}
