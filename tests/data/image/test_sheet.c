/* The layout of sheets: places and words computed here by hand. */

#include "cmocka_setup.h"

#include "base/memory.h"
#include "data/image/sheet.h"
#include "data/image/words.h"

static const uint8_t tile_color[4] = {10, 200, 30, 255};

static struct sheet make(uint32_t width, uint32_t height, uint32_t gap)
{
    return (struct sheet){.width = width, .height = height, .gap = gap, .page = {0, 0, 0, 255}, .has_words = true};
}

static void add(struct sheet *sheet, const char *label)
{
    struct sheet_tile *tile = sheet_add_tile(sheet, label ? memory_string(label) : NULL);
    assert_true(image_create(&tile->image, sheet->width, sheet->height, ANY_ERROR));
    for (size_t i = 0; i < (size_t)sheet->width * sheet->height; i++)
        memcpy(tile->image.rgba + 4 * i, tile_color, 4);
}

static struct image draw(struct sheet *sheet)
{
    struct image out;
    assert_good(sheet_draw(sheet, &out, err));
    return out;
}

static const uint8_t *at(const struct image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

/* The words at a place are those that the font makes of the text, bright or dim, on the black page. */
static void reads(const struct image *image, uint32_t x, uint32_t y, uint32_t em, const char *expected)
{
    const uint32_t width = (uint32_t)ceil(words_width(expected, strlen(expected), em)), height = words_line(em);
    bool same = false;
    for (int dim = 0; dim < 2 && !same; dim++) {
        const uint8_t ink = dim ? 178 : 255;
        SCOPED(image) words;
        assert_true(image_create(&words, width, height, ANY_ERROR));
        for (size_t i = 0; i < (size_t)width * height; i++)
            words.rgba[4 * i + 3] = 255;
        words_draw(&words, expected, strlen(expected), em, 0, 0, (const uint8_t[]){ink, ink, ink, 255});
        same = true;
        for (uint32_t row = 0; row < height && same; row++)
            same = memcmp(words.rgba + 4 * (size_t)row * width, at(image, x, y + row), 4 * (size_t)width) == 0;
    }
    if (!same)
        fail_msg("\"%s\" does not stand at %u,%u", expected, x, y);
}

TEST(places_and_words)
{
    SCOPED(sheet) sheet = make(60, 40, 5); /* words of 11 pixels, a line of them 15; titles of 16, a line 22 */
    sheet_add_row(&sheet, memory_string("big"), memory_string("facts"), NULL);
    sheet_add_row(&sheet, NULL, NULL, memory_string("row"));
    add(&sheet, "one\ntwo");
    add(&sheet, "b");
    add(&sheet, NULL);
    sheet.columns = 2;
    sheet_add_legend(&sheet, &(struct sheet_legend){.text = memory_string("end")});
    const uint32_t top = 5 + 22 + 15 + 5 + 15 + 2; /* gap, title, facts, gap, heading, a quarter of an em */
    const uint32_t second = top + 40 + 2 + 30 + 5; /* the tile, two lines of words, gap */
    SCOPED(image) image = draw(&sheet);
    assert_int_equal(image.width, 2 * 60 + 3 * 5);
    assert_int_equal(image.height, second + 40 + 5 + 15 + 5);
    assert_memory_equal(at(&image, 5, top), tile_color, 4);
    assert_memory_equal(at(&image, 64, top + 39), tile_color, 4);
    assert_memory_equal(at(&image, 65, top), sheet.page, 4);
    assert_memory_equal(at(&image, 5, second), tile_color, 4);
    assert_memory_equal(at(&image, 70, second), sheet.page, 4); /* no fourth */
    reads(&image, 5, 5, 16, "big");
    reads(&image, 5, 27, 11, "facts");
    reads(&image, 5, 47, 11, "row");
    reads(&image, 5, top + 42, 11, "one");
    reads(&image, 5, top + 57, 11, "two");
    reads(&image, 70, top + 42, 11, "b");
    reads(&image, 5, second + 45, 11, "end");
    assert_null(sheet.tiles[0].image.rgba); /* let go */
}

/* What is too long gets smaller, down to 9 pixels, and then loses its left. */
TEST(words_fit)
{
    static const char name[] = "mixamorig:LeftHandIndex1";
    SCOPED(sheet) sheet = make(60, 200, 0);
    sheet_add_row(&sheet, NULL, NULL, NULL);
    add(&sheet, name);
    add(&sheet, "it fits");
    add(&sheet, "k\xc3\xb6rperlich");
    sheet.columns = 3;
    SCOPED(image) image = draw(&sheet), high, wide;
    char cut[64];
    size_t from = 0;
    do
        snprintf(cut, sizeof cut, "\xe2\x80\xa6%s", name + ++from);
    while (words_width(cut, strlen(cut), 9) > 60);
    assert_true(from > 5 && from < 20);
    const uint32_t ellipsis = (uint32_t)lround(words_width(cut, 3, 9));
    reads(&image, ellipsis, 204, 9, name + from); /* 2 below the tile, 2 more to stand on the line */
    reads(&image, 60, 202, 11, "it fits");
    reads(&image, 120, 202, 11, "k\xc3\xb6rperlich");
    SCOPED(sheet) long_names = make(60, 200, 0); /* in no more time than it takes to read them */
    enum { LONG = 3000000 };
    char *letters = memory_new(LONG + 1, 1), *marks = memory_new(LONG + 1, 1);
    memset(letters, 'a', LONG);
    for (size_t i = 0; i < LONG; i += 2)
        memcpy(marks + i, "\xcc\x81", 2); /* no wider than nothing */
    sheet_add_row(&long_names, letters, memory_string(letters), marks);
    add(&long_names, NULL);
    high = draw(&long_names);
    assert_int_equal(high.height, 22 + 6 * 15 + 15 + 2 + 200);
    SCOPED(sheet) large = make(360, 360, 0); /* 20 pixels */
    sheet_add_row(&large, NULL, NULL, NULL);
    add(&large, "short");
    add(&large, "a name of a bone that is long");
    large.columns = 2;
    wide = draw(&large);
    reads(&wide, 0, 365, 20, "short");
    uint32_t em = 20;
    while (words_width("a name of a bone that is long", 29, em) > 360)
        em--;
    reads(&wide, 360, 365 + 20 - em, em, "a name of a bone that is long");
}

TEST(without_words_and_hidden)
{
    SCOPED(sheet) sheet = make(8, 6, 2);
    sheet.has_words = false;
    for (int i = 0; i < 3; i++) {
        sheet_add_row(&sheet, memory_string("title"), NULL, memory_string("heading"));
        add(&sheet, "label");
        add(&sheet, NULL);
    }
    sheet.rows[1].is_hidden = true;
    SCOPED(image) image = draw(&sheet);
    assert_int_equal(image.width, 2 * 8 + 3 * 2);
    assert_int_equal(image.height, 2 * 6 + 3 * 2);
}

/* Columns: of one row near to square, of several as many as the longest has, at most 12. */
TEST(columns_are_chosen)
{
    static const struct { size_t rows[2]; uint32_t columns, width, height; } cases[] = {
        {{9, 0}, 3, 10, 10}, {{4, 0}, 2, 10, 10}, {{7, 2}, 7, 10, 10}, {{30, 3}, SHEET_COLUMNS, 10, 10}, {{1, 0}, 1, 10, 10},
        {{2, 0}, 2, 10, 10}, {{5, 0}, 3, 10, 10}, {{36, 0}, 6, 10, 10}, {{4, 0}, 1, 40, 10}, {{4, 0}, 4, 10, 40}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        SCOPED(sheet) sheet = make(cases[c].width, cases[c].height, 0);
        sheet.has_words = false;
        for (int r = 0; r < 2; r++)
            for (size_t i = 0; i < cases[c].rows[r]; i++) {
                if (i == 0)
                    sheet_add_row(&sheet, NULL, NULL, NULL);
                add(&sheet, NULL);
            }
        SCOPED(image) image = draw(&sheet);
        assert_int_equal(image.width, cases[c].columns * cases[c].width);
    }
}

TEST(what_no_png_holds_is_refused)
{
    SCOPED(sheet) sheet = make(8192, 8192, 0);
    sheet_add_row(&sheet, NULL, NULL, NULL);
    for (int i = 0; i < 16; i++)
        sheet_add_tile(&sheet, NULL);
    assert_refused(sheet_fits(&sheet, NULL, err), "a sheet of 16 tiles of 8192x8192");
}

TEST(a_tile_says_a_sentence)
{
    SCOPED(image) image;
    assert_true(sheet_write_tile(&image, 68, 60, (const uint8_t[]){0, 0, 0, 255}, "no clip `walk` in it", ANY_ERROR));
    reads(&image, 5, 5, 11, "no clip"); /* broken at blanks */
    reads(&image, 5, 20, 11, "`walk` in");
    reads(&image, 5, 35, 11, "it");
}
