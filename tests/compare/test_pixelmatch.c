/* pixelmatch: by hand at the threshold and at an edge, then against pixelmatch 7.2.0 itself. */
#include "cmocka_setup.h"

#include "compare/pictures.h"
#include "compare/pixelmatch.h"

static const uint8_t black[4] = {0, 0, 0, 255}, white[4] = {255, 255, 255, 255};

static uint32_t count(const struct image *a, const struct image *b, double threshold, bool include_aa, bool on_white)
{
    struct pixelmatch_options options = {threshold, include_aa, on_white};
    uint32_t there = pixelmatch(a, b, &options, NULL);
    assert_int_equal(pixelmatch(b, a, &options, NULL), there);
    return there;
}

/* Whether two pixels alone differ. */
static bool differ(const uint8_t p[4], const uint8_t q[4], double threshold, bool on_white)
{
    struct image a = plain_picture(1, 1, p), b = plain_picture(1, 1, q);
    uint32_t there = count(&a, &b, threshold, true, on_white);
    image_release(&a);
    image_release(&b);
    return there == 1;
}

static void same_pictures_match(void **state)
{
    (void)state;
    struct image a = noise_picture(33, 21, 1, false), b = copy_picture(&a);
    uint8_t mask[33 * 21], nothing[33 * 21] = {0};
    memset(mask, 9, sizeof mask);
    assert_int_equal(pixelmatch(&a, &b, &(struct pixelmatch_options){0}, mask), 0);
    assert_memory_equal(mask, nothing, sizeof mask);
    image_release(&a);
    image_release(&b);
}

/* ---- colours, by hand ------------------------------------------------------------------------------------------ */

/*
 * At threshold 0.1 the limit is 352.15. A grey step d has I = Q = 0 and the distance .5053 d^2: 341.6 at 26, 368.4 at
 * 27. One channel's is (.5053 y^2 + .299 i^2 + .1957 q^2) d^2 with the factors of its column: red .160096, 338.8 at 46,
 * 353.7 at 47; green .249815, 342.0 at 37, 360.7 at 38; blue .056532, 343.9 at 78, 352.8 at 79.
 */
static void threshold_is_where_the_formula_has_it(void **state)
{
    (void)state;
    static const struct {
        uint8_t similar[4], different[4];
    } steps[] = {
        {{26, 26, 26, 255}, {27, 27, 27, 255}},
        {{46, 0, 0, 255}, {47, 0, 0, 255}},
        {{0, 37, 0, 255}, {0, 38, 0, 255}},
        {{0, 0, 78, 255}, {0, 0, 79, 255}},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_false(differ(black, steps[i].similar, 0.1, false));
        assert_true(differ(black, steps[i].different, 0.1, false));
    }
}

/* Black and white: .5053 * 255^2 = 32857, of 35215 the square of 0.966. */
static void black_and_white_differ_up_to_threshold_966(void **state)
{
    (void)state;
    assert_true(differ(black, white, 0.965, false));
    assert_false(differ(black, white, 0.967, false));
}

static void defaults_count_antialiased_pixels_at_a_tenth(void **state)
{
    (void)state;
    assert_true(pixelmatch_defaults.threshold == 0.1);
    assert_true(pixelmatch_defaults.include_aa);
    assert_false(pixelmatch_defaults.white);
}

/* ---- alpha, by hand -------------------------------------------------------------------------------------------- */

static void what_is_clear_has_no_colour(void **state)
{
    (void)state;
    static const uint8_t clear_red[4] = {255, 0, 0, 0}, clear_blue[4] = {0, 0, 255, 0};
    assert_false(differ(clear_red, clear_blue, 0, false));
    assert_false(differ(clear_red, clear_blue, 0, true));
}

static void what_is_clear_shows_white(void **state)
{
    (void)state;
    static const uint8_t clear[4] = {0}, half[4] = {100, 100, 100, 128}, laid_on_white[4] = {177, 177, 177, 255};
    assert_false(differ(white, clear, 0.001, true));
    assert_true(differ(black, clear, 0.9, true));
    /* 100 * 128 + 255 * 127 = 177 * 255 + 50: 0.2 levels apart, a distance of .0194, which is 35215 * 0.00074^2. */
    assert_false(differ(half, laid_on_white, 0.00075, true));
    assert_true(differ(half, laid_on_white, 0.00073, true));
}

/* The squares are (48, 48, 48) at offset 0 and (48, 48, 207) at offset 4: 4 / 1.618 = 2.5, 4 / 2.618 = 1.5. */
static void what_is_clear_shows_the_checkerboard(void **state)
{
    (void)state;
    static const uint8_t first[4] = {48, 48, 48, 255}, second[4] = {48, 48, 207, 255}, clear[4] = {0};
    struct image a = plain_picture(2, 1, clear), b = plain_picture(2, 1, first);
    uint8_t mask[2];
    assert_int_equal(pixelmatch(&a, &b, &(struct pixelmatch_options){.include_aa = true}, mask), 1);
    assert_int_equal(mask[0], PIXEL_SIMILAR);
    assert_int_equal(mask[1], PIXEL_DIFFERENT);
    memcpy(pixel_at(&b, 1, 0), second, 4);
    assert_int_equal(count(&a, &b, 0, true, false), 0);
    image_release(&a);
    image_release(&b);
}

/* ---- anti-aliasing, by hand ------------------------------------------------------------------------------------ */

/* Three columns of black beside white. */
static struct image edge_picture(void)
{
    struct image image = plain_picture(7, 7, white);
    for (uint32_t y = 0; y < 7; y++)
        for (uint32_t x = 0; x < 3; x++)
            memcpy(pixel_at(&image, x, y), black, 4);
    return image;
}

static void paint_grey(struct image *image, uint32_t x, uint32_t y)
{
    memset(pixel_at(image, x, y), 128, 3);
}

/* Between a darker and a brighter surface that are there in both pictures. */
static void grey_pixel_on_an_edge_is_antialiasing(void **state)
{
    (void)state;
    struct image a = edge_picture(), b = edge_picture();
    uint8_t mask[49];
    paint_grey(&b, 3, 3);
    assert_int_equal(count(&a, &b, 0.1, true, false), 1);
    assert_int_equal(count(&a, &b, 0.1, false, false), 0);
    assert_int_equal(pixelmatch(&a, &b, &(struct pixelmatch_options){.threshold = 0.1}, mask), 0);
    for (int i = 0; i < 49; i++)
        assert_int_equal(mask[i], i == 3 * 7 + 3 ? PIXEL_ANTIALIASED : PIXEL_SIMILAR);
    image_release(&a);
    image_release(&b);
}

/* No darker neighbour. */
static void grey_pixel_on_white_is_a_difference(void **state)
{
    (void)state;
    struct image a = plain_picture(7, 7, white), b = plain_picture(7, 7, white);
    paint_grey(&b, 3, 3);
    assert_int_equal(count(&a, &b, 0.1, false, false), 1);
    image_release(&a);
    image_release(&b);
}

/* (3, 3) and (4, 3) have three neighbours like them, (3, 2) and (3, 4) two. */
static void grey_patch_is_a_surface(void **state)
{
    (void)state;
    static const uint8_t kinds[4] = {PIXEL_ANTIALIASED, PIXEL_DIFFERENT, PIXEL_DIFFERENT, PIXEL_ANTIALIASED};
    static const uint32_t places[4][2] = {{3, 2}, {3, 3}, {4, 3}, {3, 4}};
    struct image a = edge_picture(), b = edge_picture();
    uint8_t mask[49];
    for (int i = 0; i < 4; i++)
        paint_grey(&b, places[i][0], places[i][1]);
    assert_int_equal(pixelmatch(&a, &b, &(struct pixelmatch_options){.threshold = 0.1}, mask), 2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(mask[places[i][1] * 7 + places[i][0]], kinds[i]);
    assert_int_equal(count(&a, &b, 0.1, true, false), 4);
    image_release(&a);
    image_release(&b);
}

/* The picture's border counts as a neighbour like the pixel: with two more it is a surface. */
static void border_counts_as_a_sibling(void **state)
{
    (void)state;
    struct image a = edge_picture(), b = edge_picture();
    paint_grey(&b, 3, 0);
    assert_int_equal(count(&a, &b, 0.1, false, false), 0);
    paint_grey(&b, 3, 1);
    paint_grey(&b, 4, 0);
    assert_int_equal(count(&a, &b, 0.1, false, false), 2); /* (3, 0) and (4, 0); (3, 1) has but two siblings */
    image_release(&a);
    image_release(&b);
}

/* No two pixels alike, but some painted black; (x, 3) is between blacks on its left and a bright one on its right. */
static uint32_t count_beside_blacks(uint32_t x, const uint32_t (*blacks)[2], int number)
{
    struct image a = plain_picture(7, 7, white), b;
    for (int i = 0; i < 49; i++)
        memset(a.rgba + 4 * i, 101 + i, 3);
    for (int i = 0; i < number; i++)
        memset(pixel_at(&a, blacks[i][0], blacks[i][1]), 0, 3);
    memset(pixel_at(&a, x + 1, 3), 255, 3);
    b = copy_picture(&a);
    memset(pixel_at(&b, x, 3), 180, 3);
    uint32_t there = count(&a, &b, 0.1, false, false);
    image_release(&a);
    image_release(&b);
    return there;
}

/* The black beside (3, 3) needs three more around it. */
static void three_siblings_make_a_surface(void **state)
{
    (void)state;
    static const uint32_t blacks[][2] = {{2, 3}, {1, 2}, {1, 3}, {1, 4}};
    assert_int_equal(count_beside_blacks(3, blacks, 3), 1);
    assert_int_equal(count_beside_blacks(3, blacks, 4), 0);
}

/* On the border two more. Of the blacks beside (1, 3) the upper one is asked. */
static void border_is_a_sibling_of_the_surface(void **state)
{
    (void)state;
    static const uint32_t blacks[][2] = {{0, 2}, {0, 3}, {0, 1}};
    assert_int_equal(count_beside_blacks(1, blacks, 2), 1);
    assert_int_equal(count_beside_blacks(1, blacks, 3), 0);
}

/* ---- against pixelmatch 7.2.0 ---------------------------------------------------------------------------------- */

static const uint8_t red[4] = {200, 40, 30, 255}, grey[4] = {128, 128, 128, 255}, clear[4] = {0};

/* Thresholds 0.02, 0.1, 0.3; anti-aliased pixels counted on the checkerboard and on white, then not counted on both. */
struct counts {
    uint32_t of[3][4];
};

static void has_counts(struct image a, struct image b, struct counts expected)
{
    static const double thresholds[3] = {0.02, 0.1, 0.3};
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 4; i++)
            assert_int_equal(count(&a, &b, thresholds[t], i < 2, i % 2 == 1), expected.of[t][i]);
    image_release(&a);
    image_release(&b);
}

/* Counts of pixelmatch 7.2.0 on these pictures; metrics_oracle.py has the same. */
static void counts_are_those_of_pixelmatch(void **state)
{
    (void)state;
    has_counts(noise_picture(24, 17, 1, true), noise_picture(24, 17, 2, true),
               (struct counts){{{408, 408, 408, 408}, {397, 397, 397, 397}, {256, 256, 256, 256}}});
    has_counts(noise_picture(24, 17, 3, false), noise_picture(24, 17, 4, false),
               (struct counts){{{399, 402, 399, 402}, {324, 338, 324, 338}, {84, 124, 84, 124}}});
    has_counts(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 258, 192, 120, red, grey),
               (struct counts){{{96, 96, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
    has_counts(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 272, 200, 120, red, grey),
               (struct counts){{{208, 208, 68, 68}, {174, 174, 68, 68}, {86, 86, 68, 68}}});
    has_counts(disc_picture(64, 48, 256, 192, 120, red, clear), disc_picture(64, 48, 262, 189, 120, red, clear),
               (struct counts){{{125, 127, 61, 0}, {89, 107, 41, 0}, {35, 56, 23, 0}}});
    has_counts(disc_picture(40, 30, 16, 16, 90, red, grey), disc_picture(40, 30, 18, 20, 90, red, grey),
               (struct counts){{{27, 27, 0, 0}, {18, 18, 0, 0}, {0, 0, 0, 0}}});
}

static void small_pictures_have_counts_too(void **state)
{
    (void)state;
    has_counts(noise_picture(1, 40, 5, true), noise_picture(1, 40, 6, true),
               (struct counts){{{40, 40, 40, 40}, {39, 39, 39, 39}, {26, 26, 26, 26}}});
    has_counts(noise_picture(40, 1, 7, true), noise_picture(40, 1, 8, true),
               (struct counts){{{40, 40, 40, 40}, {39, 39, 39, 39}, {28, 28, 28, 28}}});
    has_counts(noise_picture(3, 2, 9, true), noise_picture(3, 2, 10, true),
               (struct counts){{{6, 6, 6, 6}, {5, 5, 5, 5}, {2, 2, 2, 2}}});
    has_counts(noise_picture(1, 1, 11, false), noise_picture(1, 1, 12, false),
               (struct counts){{{0, 1, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_pictures_match),
        cmocka_unit_test(threshold_is_where_the_formula_has_it),
        cmocka_unit_test(black_and_white_differ_up_to_threshold_966),
        cmocka_unit_test(defaults_count_antialiased_pixels_at_a_tenth),
        cmocka_unit_test(what_is_clear_has_no_colour),
        cmocka_unit_test(what_is_clear_shows_white),
        cmocka_unit_test(what_is_clear_shows_the_checkerboard),
        cmocka_unit_test(grey_pixel_on_an_edge_is_antialiasing),
        cmocka_unit_test(grey_pixel_on_white_is_a_difference),
        cmocka_unit_test(grey_patch_is_a_surface),
        cmocka_unit_test(border_counts_as_a_sibling),
        cmocka_unit_test(three_siblings_make_a_surface),
        cmocka_unit_test(border_is_a_sibling_of_the_surface),
        cmocka_unit_test(counts_are_those_of_pixelmatch),
        cmocka_unit_test(small_pictures_have_counts_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
