/* pixelmatch: by hand at the threshold and over the checkerboard, then against pixelmatch 7.2.0 itself. */
#include "cmocka_setup.h"

#include "compare/image/image_metrics.h"
#include "compare/pictures.h"

static const uint8_t black[4] = {0, 0, 0, 255};

/* The other way round it is the same. Releases both. */
static void has_count(struct image a, struct image b, uint32_t expected)
{
    assert_int_equal(pixelmatch(&a, &b), expected);
    assert_int_equal(pixelmatch(&b, &a), expected);
    image_release(&a);
    image_release(&b);
}

/* Whether two pixels alone differ. */
static void differ(const uint8_t p[4], const uint8_t q[4], bool expected)
{
    has_count(plain_picture(1, 1, p), plain_picture(1, 1, q), expected);
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
        differ(black, steps[i].similar, false);
        differ(black, steps[i].different, true);
    }
}

/* ---- alpha, by hand -------------------------------------------------------------------------------------------- */

static void what_is_clear_has_no_colour(void **state)
{
    (void)state;
    static const uint8_t clear_red[4] = {255, 0, 0, 0}, clear_blue[4] = {0, 0, 255, 0};
    differ(clear_red, clear_blue, false);
}

/* The squares are (48, 48, 48) at offset 0 and (48, 48, 207) at offset 4: 4 / 1.618 = 2.5, 4 / 2.618 = 1.5. */
static void what_is_clear_shows_the_checkerboard(void **state)
{
    (void)state;
    static const uint8_t first[4] = {48, 48, 48, 255}, second[4] = {48, 48, 207, 255}, clear[4] = {0};
    struct image squares = plain_picture(2, 1, first);
    has_count(plain_picture(2, 1, clear), copy_picture(&squares), 1);
    memcpy(pixel_at(&squares, 1, 0), second, 4);
    has_count(plain_picture(2, 1, clear), squares, 0);
}

/* ---- against pixelmatch 7.2.0 ---------------------------------------------------------------------------------- */

static const uint8_t red[4] = {200, 40, 30, 255}, grey[4] = {128, 128, 128, 255}, clear[4] = {0};

/* Counts of pixelmatch 7.2.0 on these pictures; metrics_oracle.py has the same. */
static void counts_are_those_of_pixelmatch(void **state)
{
    (void)state;
    has_count(noise_picture(24, 17, 1, true), noise_picture(24, 17, 2, true), 397);
    has_count(noise_picture(24, 17, 3, false), noise_picture(24, 17, 4, false), 324);
    has_count(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 258, 192, 120, red, grey), 0);
    has_count(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 272, 200, 120, red, grey), 174);
    has_count(disc_picture(64, 48, 256, 192, 120, red, clear), disc_picture(64, 48, 262, 189, 120, red, clear), 89);
    has_count(disc_picture(40, 30, 16, 16, 90, red, grey), disc_picture(40, 30, 18, 20, 90, red, grey), 18);
}

static void small_pictures_have_counts_too(void **state)
{
    (void)state;
    has_count(noise_picture(1, 40, 5, true), noise_picture(1, 40, 6, true), 39);
    has_count(noise_picture(40, 1, 7, true), noise_picture(40, 1, 8, true), 39);
    has_count(noise_picture(3, 2, 9, true), noise_picture(3, 2, 10, true), 5);
    has_count(noise_picture(1, 1, 11, false), noise_picture(1, 1, 12, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold_is_where_the_formula_has_it),
        cmocka_unit_test(what_is_clear_has_no_colour),
        cmocka_unit_test(what_is_clear_shows_the_checkerboard),
        cmocka_unit_test(counts_are_those_of_pixelmatch),
        cmocka_unit_test(small_pictures_have_counts_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
