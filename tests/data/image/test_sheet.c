/* The layout of sheets: places and words computed here by hand. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_setup.h"

#include "base/memory.h"
#include "data/image/font.h"
#include "data/image/sheet.h"

static const uint8_t tile_color[4] = {10, 200, 30, 255};

static struct sheet make(uint32_t width, uint32_t height, uint32_t gap)
{
    return (struct sheet){.width = width, .height = height, .gap = gap, .page = {0, 0, 0, 255}, .has_words = true};
}

static void add(struct sheet *sheet, const char *label)
{
    struct sheet_tile *tile = sheet_add_tile(sheet, label ? memory_string(label) : NULL);
    struct error err = {0};
    assert_true(image_create(&tile->image, sheet->width, sheet->height, &err));
    for (size_t i = 0; i < (size_t)sheet->width * sheet->height; i++)
        memcpy(tile->image.rgba + 4 * i, tile_color, 4);
}

static struct image draw(struct sheet *sheet)
{
    struct image out;
    struct error err = {0};
    if (!sheet_draw(sheet, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static const uint8_t *at(const struct image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

/* The characters at a place, as the font has them; what is none of it is `~`. */
static void reads(const struct image *image, uint32_t x, uint32_t y, uint32_t scale, const char *expected)
{
    char read[64] = "";
    for (size_t i = 0; i < strlen(expected); i++) {
        read[i] = '~';
        for (char c = ' '; c < '~'; c++) {
            bool same = true;
            for (uint32_t v = 0; same && v < FONT_HEIGHT * scale; v++)
                for (uint32_t u = 0; same && u < FONT_WIDTH * scale; u++) {
                    const uint8_t *pixel = at(image, x + (uint32_t)(i * FONT_ADVANCE) * scale + u, y + v);
                    same = font_covers(c, (int)(u / scale), (int)(v / scale)) == (pixel[0] > 100 && pixel[0] == pixel[1]);
                }
            if (same) {
                read[i] = c;
                break;
            }
        }
    }
    assert_string_equal(read, expected);
}

static void places_and_words(void **state)
{
    (void)state;
    struct sheet sheet = make(60, 40, 5); /* words 1 pixel a pixel of the font, a line of them 10, titles twice that */
    sheet_add_row(&sheet, memory_string("big"), memory_string("facts"), NULL);
    sheet_add_row(&sheet, NULL, NULL, memory_string("row"));
    add(&sheet, "one\ntwo");
    add(&sheet, "b");
    add(&sheet, NULL);
    sheet.columns = 2;
    sheet_add_legend(&sheet, &(struct sheet_legend){.text = memory_string("end")});
    const uint32_t top = 5 + 20 + 10 + 5 + 10; /* gap, title, facts, gap, heading */
    const uint32_t second = top + 40 + 3 + 20 + 5; /* the tile, two lines of words, gap */
    struct image image = draw(&sheet);
    assert_int_equal(image.width, 2 * 60 + 3 * 5);
    assert_int_equal(image.height, second + 40 + 5 + 10 + 5);
    assert_memory_equal(at(&image, 5, top), tile_color, 4);
    assert_memory_equal(at(&image, 64, top + 39), tile_color, 4);
    assert_memory_equal(at(&image, 65, top), sheet.page, 4);
    assert_memory_equal(at(&image, 5, second), tile_color, 4);
    assert_memory_equal(at(&image, 70, second), sheet.page, 4); /* no fourth */
    reads(&image, 5, 5, 2, "big");
    reads(&image, 5, 25, 1, "facts");
    reads(&image, 5, 40, 1, "row");
    reads(&image, 5, top + 43, 1, "one");
    reads(&image, 5, top + 53, 1, "two");
    reads(&image, 70, top + 43, 1, "b");
    reads(&image, 5, second + 45, 1, "end");
    assert_null(sheet.tiles[0].image.rgba); /* let go */
    image_release(&image);
    sheet_release(&sheet);
}

static void words_fit(void **state)
{
    (void)state;
    struct sheet sheet = make(60, 200, 0); /* room for ten characters */
    sheet_add_row(&sheet, NULL, NULL, NULL);
    add(&sheet, "mixamorig:LeftHandIndex1");
    add(&sheet, "exactly 10");
    add(&sheet, "k\xc3\xb6rper"); /* a character that the font has not */
    sheet.columns = 3;
    struct image image = draw(&sheet);
    reads(&image, 0, 203, 1, "mixa..dex1");
    reads(&image, 60, 203, 1, "exactly 10");
    reads(&image, 120, 203, 1, "k?rper");
    image_release(&image);
    sheet_release(&sheet);
    struct sheet large = make(200, 200, 0); /* two pixels a pixel, one where that is too long */
    sheet_add_row(&large, NULL, NULL, NULL);
    add(&large, "short");
    add(&large, "twenty characters ..");
    large.columns = 2;
    image = draw(&large);
    reads(&image, 0, 206, 2, "short");
    reads(&image, 200, 206, 1, "twenty characters ..");
    image_release(&image);
    sheet_release(&large);
}

static void without_words_and_hidden(void **state)
{
    (void)state;
    struct sheet sheet = make(8, 6, 2);
    sheet.has_words = false;
    for (int i = 0; i < 3; i++) {
        sheet_add_row(&sheet, memory_string("title"), NULL, memory_string("heading"));
        add(&sheet, "label");
        add(&sheet, NULL);
    }
    sheet.rows[1].is_hidden = true;
    struct image image = draw(&sheet);
    assert_int_equal(image.width, 2 * 8 + 3 * 2);
    assert_int_equal(image.height, 2 * 6 + 3 * 2);
    image_release(&image);
    sheet_release(&sheet);
}

/* Columns: of one row near to square, of several as many as the longest has, at most 12. */
static void columns_are_chosen(void **state)
{
    (void)state;
    static const struct { size_t rows[2]; uint32_t columns, width, height; } cases[] = {
        {{9, 0}, 3, 10, 10}, {{4, 0}, 2, 10, 10}, {{7, 2}, 7, 10, 10}, {{30, 3}, SHEET_COLUMNS, 10, 10}, {{1, 0}, 1, 10, 10},
        {{2, 0}, 2, 10, 10}, {{5, 0}, 3, 10, 10}, {{36, 0}, 6, 10, 10}, {{4, 0}, 1, 40, 10}, {{4, 0}, 4, 10, 40}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sheet sheet = make(cases[c].width, cases[c].height, 0);
        sheet.has_words = false;
        for (int r = 0; r < 2; r++)
            for (size_t i = 0; i < cases[c].rows[r]; i++) {
                if (i == 0)
                    sheet_add_row(&sheet, NULL, NULL, NULL);
                add(&sheet, NULL);
            }
        struct image image = draw(&sheet);
        assert_int_equal(image.width, cases[c].columns * cases[c].width);
        image_release(&image);
        sheet_release(&sheet);
    }
}

static void what_no_png_holds_is_refused(void **state)
{
    (void)state;
    struct sheet sheet = make(8192, 8192, 0);
    struct error err = {0};
    sheet_add_row(&sheet, NULL, NULL, NULL);
    for (int i = 0; i < 16; i++)
        sheet_add_tile(&sheet, NULL);
    assert_false(sheet_fits(&sheet, NULL, &err));
    assert_non_null(strstr(err.text, "a sheet of 16 tiles of 8192x8192"));
    sheet_release(&sheet);
}

static void a_tile_says_a_sentence(void **state)
{
    (void)state;
    struct image image;
    struct error err = {0};
    assert_true(sheet_write_tile(&image, 68, 40, (const uint8_t[]){0, 0, 0, 255}, "no clip `walk` in it", &err));
    reads(&image, 4, 4, 1, "no clip"); /* ten characters fit; broken at blanks */
    reads(&image, 4, 14, 1, "`walk` in");
    reads(&image, 4, 24, 1, "it");
    image_release(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_words),          cmocka_unit_test(words_fit),
        cmocka_unit_test(without_words_and_hidden),  cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(what_no_png_holds_is_refused), cmocka_unit_test(a_tile_says_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
