/*
 * FLIP and pixelmatch: closed forms on plain pictures and at thresholds, symmetries, then the numbers of metrics_oracle.py, which
 * are those of pixelmatch 7.2.0 itself.
 */

#include "compare/image/image_metrics.h"
#include "compare/pictures.h"

static const uint8_t black[4] = {0, 0, 0, 255}, white[4] = {255, 255, 255, 255}, clear[4] = {0};
static const uint8_t red[4] = {200, 40, 30, 255}, green[4] = {0, 255, 0, 255}, blue[4] = {0, 0, 255, 255};
static const uint8_t grey[4] = {128, 128, 128, 255};

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f is not within %g of %.9f", value, tolerance, expected);
}

/* Two pictures and their FLIP. */
struct pair {
    struct image a, b;
    struct flip flip;
    double mean;
};

static struct pair pair_of(struct image a, struct image b)
{
    struct pair pair = {a, b, flip_compare(&a, &b), 0};
    for (uint32_t i = 0; i < a.width * a.height; i++)
        pair.mean += (double)pair.flip.error[i] / (a.width * a.height);
    return pair;
}

static void release(struct pair *pair)
{
    free(pair->flip.error);
    image_release(&pair->a);
    image_release(&pair->b);
}

/* Two plain pictures are compared; the error is the same everywhere. */
static double plain_error(const uint8_t p[4], const uint8_t q[4])
{
    struct pair pair = pair_of(plain_picture(30, 20, p), plain_picture(30, 20, q));
    for (int i = 0; i < 30 * 20; i++)
        near(pair.flip.error[i], pair.flip.max, 1e-6);
    near(pair.flip.p999, pair.flip.max, 1e-6);
    release(&pair);
    return pair.flip.max;
}

/* Green (L 87.736, a' -75.610, b' 72.981) and blue (32.298, 25.578, -34.836) are 203.302 apart: the largest. */
static const double largest = 203.3016546;

/* A plain picture has no features, so FLIP is the colour's: |dL| + sqrt(da'^2 + db'^2) to the power .7, spread. */
static double spread(double distance)
{
    double d = pow(distance, 0.7), most = pow(largest, 0.7), knee = 0.4 * most;
    return d < knee ? 0.95 * d / knee : 0.95 + 0.05 * (d - knee) / (most - knee);
}

static double lightness(int level)
{
    double v = level / 255.0, y = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* L 0 and 100: 100^.7 = 25.1189; the knee is at 16.5104, the end at 41.2761: .95 + .05 * 8.6084 / 24.7657 = .967380. */
TEST(plain_pictures_are_as_far_apart_as_their_colours)
{
    near(plain_error(green, blue), 1, 1e-6);
    near(plain_error(black, white), 0.967380, 1e-6);
    near(spread(100), 0.967380, 1e-6);
    for (int i = 0; i < 255; i += 17)
        for (int step = 1; i + step < 256; step *= 5) {
            uint8_t p[4] = {(uint8_t)i, (uint8_t)i, (uint8_t)i, 255}, q[4];
            memset(q, i + step, 3);
            q[3] = 255;
            near(plain_error(p, q), spread(lightness(i + step) - lightness(i)), 3e-6);
        }
}

TEST(what_is_clear_is_seen_over_black_and_over_white)
{
    static const uint8_t clear_red[4] = {255, 0, 0, 0}, half_black[4] = {0, 0, 0, 128};
    assert_true(plain_error(clear, clear_red) == 0);
    near(plain_error(clear, black), 0.967380, 1e-6);                    /* over white */
    near(plain_error(clear, white), 0.967380, 1e-6);                    /* over black */
    near(plain_error(black, half_black), spread(lightness(127)), 1e-6); /* over white it is grey */
}

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* The picture with its border pixels repeated around it. */
static struct image with_margin(const struct image *image, uint32_t margin)
{
    struct image wide = blank_picture(image->width + 2 * margin, image->height + 2 * margin);
    for (uint32_t y = 0; y < wide.height; y++)
        for (uint32_t x = 0; x < wide.width; x++) {
            uint32_t u = x < margin ? 0 : x - margin, v = y < margin ? 0 : y - margin;
            u = u < image->width ? u : image->width - 1;
            v = v < image->height ? v : image->height - 1;
            memcpy(pixel_at(&wide, x, y), pixel_at(image, u, v), 4);
        }
    return wide;
}

/* Symmetric, in range; and beyond the border FLIP sees the border's pixels: a picture with them around it has the same errors. */
static void holds_for(uint32_t width, uint32_t height, uint32_t seed)
{
    enum { MARGIN = 13 };
    struct image noise = noise_picture(width, height, seed, seed % 3 != 0), changed = copy_picture(&noise);
    for (uint32_t n = next_random(&seed, width * height) + 1; n > 0; n--)
        pixel_at(&changed, next_random(&seed, width), next_random(&seed, height))[next_random(&seed, 4)] ^= 0x55;
    struct pair pair = pair_of(noise, changed), back = pair_of(copy_picture(&changed), copy_picture(&noise));
    struct pair wide = pair_of(with_margin(&noise, MARGIN), with_margin(&changed, MARGIN));
    assert_memory_equal(pair.flip.error, back.flip.error, (size_t)width * height * sizeof(float));
    for (uint32_t i = 0; i < width * height; i++)
        assert_true(pair.flip.error[i] >= 0 && pair.flip.error[i] <= 1);
    for (size_t y = 0; y < height; y++)
        assert_memory_equal(pair.flip.error + y * width, wide.flip.error + (y + MARGIN) * wide.a.width + MARGIN,
                            width * sizeof(float));
    release(&pair);
    release(&back);
    release(&wide);
}

TEST(any_size_is_symmetric_and_in_range)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {2, 2}, {9, 11}, {16, 16}, {17, 33}, {21, 20}};
    uint32_t seed = 4711;
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        holds_for(sizes[i][0], sizes[i][1], i);
    for (uint32_t i = 0; i < 25; i++)
        holds_for(next_random(&seed, 40) + 1, next_random(&seed, 40) + 1, seed);
}

/* Says if pixel (x, y) is at most the radius away from a box in both axes. */
static bool within_reach(int x, int y, int x0, int y0, int x1, int y1)
{
    return x >= x0 - FLIP_RADIUS && x <= x1 + FLIP_RADIUS && y >= y0 - FLIP_RADIUS && y <= y1 + FLIP_RADIUS;
}

/*
 * With the corners changed too the whole picture is evaluated: out of the corners' reach there are the same errors, bit
 * by bit, and beyond the reach of any change they are 0.
 */
TEST(nothing_is_seen_beyond_the_radius)
{
    enum { WIDTH = 100, HEIGHT = 90, X0 = 40, Y0 = 41, X1 = 44, Y1 = 43 };
    struct image a = noise_picture(WIDTH, HEIGHT, 3, true), b = copy_picture(&a), corners = copy_picture(&a);
    for (uint32_t y = Y0; y <= Y1; y++)
        for (uint32_t x = X0; x <= X1; x++) {
            pixel_at(&b, x, y)[1] ^= 0x80;
            pixel_at(&corners, x, y)[1] ^= 0x80;
        }
    for (int i = 0; i < 4; i++)
        pixel_at(&corners, i % 2 * (WIDTH - 1), i / 2 * (HEIGHT - 1))[0] ^= 0x80;
    struct pair part = pair_of(a, b), whole = pair_of(copy_picture(&a), corners);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool at_corner = within_reach(x < 50 ? x : WIDTH - 1 - x, y < 45 ? y : HEIGHT - 1 - y, 0, 0, 0, 0);
            float expected = part.flip.error[y * WIDTH + x], error = whole.flip.error[y * WIDTH + x];
            assert_true(expected == 0 || within_reach(x, y, X0, Y0, X1, Y1));
            assert_true(error == expected || at_corner);
        }
    assert_true(whole.flip.error[0] > 0);
    assert_true(part.flip.error[42 * WIDTH + X1 + 10] > 0);
    assert_true(part.flip.error[42 * WIDTH + X1 + 11] == 0);
    release(&part);
    release(&whole);
}

static int descending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

TEST(percentile_is_of_all_pixels)
{
    static const uint32_t sizes[][2] = {{37, 27}, {40, 25}, {50, 40}, {61, 67}}, ranks[] = {0, 1, 2, 4};
    for (int s = 0; s < 4; s++) {
        uint32_t width = sizes[s][0], height = sizes[s][1]; /* 999, 1000, 2000, 4087 pixels */
        struct pair pair = pair_of(disc_picture(width, height, 140, 100, 70, red, grey),
                                   disc_picture(width, height, 145, 103, 70, red, grey));
        qsort(pair.flip.error, width * height, sizeof(float), descending);
        assert_true(pair.flip.max == (double)pair.flip.error[0]);
        assert_true(pair.flip.p999 == (double)pair.flip.error[ranks[s]]);
        release(&pair);
    }
}

/* The other way round pixelmatch is the same. Releases both. */
static void has_count(struct image a, struct image b, uint32_t expected)
{
    assert_int_equal(pixelmatch(&a, &b), expected);
    assert_int_equal(pixelmatch(&b, &a), expected);
    image_release(&a);
    image_release(&b);
}

/*
 * At threshold 0.1 the limit is 352.15. A grey step d has I = Q = 0 and the distance .5053 d^2: 341.6 at 26, 368.4 at
 * 27. One channel's is (.5053 y^2 + .299 i^2 + .1957 q^2) d^2 with the factors of its column: red .160096, 338.8 at 46,
 * 353.7 at 47; green .249815, 342.0 at 37, 360.7 at 38; blue .056532, 343.9 at 78, 352.8 at 79.
 */
TEST(threshold_is_where_the_formula_has_it)
{
    static const struct {
        uint8_t similar[4], different[4];
    } steps[] = {
        {{26, 26, 26, 255}, {27, 27, 27, 255}},
        {{46, 0, 0, 255}, {47, 0, 0, 255}},
        {{0, 37, 0, 255}, {0, 38, 0, 255}},
        {{0, 0, 78, 255}, {0, 0, 79, 255}},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        has_count(plain_picture(1, 1, black), plain_picture(1, 1, steps[i].similar), 0);
        has_count(plain_picture(1, 1, black), plain_picture(1, 1, steps[i].different), 1);
    }
}

/* The squares are (48, 48, 48) at offset 0 and (48, 48, 207) at offset 4: 4 / 1.618 = 2.5, 4 / 2.618 = 1.5. */
TEST(what_is_clear_shows_the_checkerboard)
{
    static const uint8_t first[4] = {48, 48, 48, 255}, second[4] = {48, 48, 207, 255}, clear_blue[4] = {0, 0, 255, 0};
    struct image squares = plain_picture(2, 1, first);
    has_count(plain_picture(2, 1, clear), copy_picture(&squares), 1);
    memcpy(pixel_at(&squares, 1, 0), second, 4);
    has_count(plain_picture(2, 1, clear), squares, 0);
    has_count(plain_picture(2, 1, clear), plain_picture(2, 1, clear_blue), 0); /* what is clear has no colour */
}

/* `first` is FLIP of the first pixel, `inside` of that in the middle row at three quarters of the width; `count` is pixelmatch's. */
static void has_figures(struct image a, struct image b, uint32_t count, double mean, double p999, double max,
                        double first, double inside)
{
    struct pair pair = pair_of(a, b);
    near(pair.mean, mean, 1e-6);
    near(pair.flip.p999, p999, 2e-6);
    near(pair.flip.max, max, 2e-6);
    near(pair.flip.error[0], first, 1e-5);
    near(pair.flip.error[a.height / 2 * a.width + a.width * 3 / 4], inside, 1e-5);
    free(pair.flip.error);
    has_count(a, b, count);
}

TEST(figures_are_those_of_the_definition)
{
    has_figures(noise_picture(24, 17, 1, true), noise_picture(24, 17, 2, true), 397, 0.4649063, 0.9656756, 0.9656756,
                0.4470013, 0.2636136);
    has_figures(noise_picture(24, 17, 3, false), noise_picture(24, 17, 4, false), 324, 0.4377138, 0.8573647, 0.8573647,
                0.3850528, 0.2588114);
    has_figures(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 258, 192, 120, red, grey), 0,
                0.0147473, 0.1605394, 0.1777287, 0.0000000, 0.1338268);
    has_figures(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 272, 200, 120, red, grey), 174,
                0.0732586, 0.5835848, 0.5871347, 0.0000000, 0.5551618);
    has_figures(disc_picture(64, 48, 256, 192, 120, red, clear), disc_picture(64, 48, 262, 189, 120, red, clear), 89,
                0.0703607, 0.6593087, 0.6648016, 0.0000000, 0.4594919);
    has_figures(disc_picture(40, 30, 16, 16, 90, red, grey), disc_picture(40, 30, 18, 20, 90, red, grey), 18, 0.0200893,
                0.2572351, 0.2599129, 0.0000389, 0.0000000);
    has_figures(noise_picture(1, 40, 5, true), noise_picture(1, 40, 6, true), 39, 0.6921165, 0.9738984, 0.9738984,
                0.8293046, 0.4609481);
    has_figures(noise_picture(40, 1, 7, true), noise_picture(40, 1, 8, true), 39, 0.7878454, 0.9793410, 0.9793410,
                0.9793410, 0.8982938);
    has_figures(noise_picture(3, 2, 9, true), noise_picture(3, 2, 10, true), 5, 0.6013493, 0.7382827, 0.7382827,
                0.5421417, 0.7382827);
    has_figures(noise_picture(1, 1, 11, false), noise_picture(1, 1, 12, false), 0, 0.2312424, 0.2312424, 0.2312424,
                0.2312424, 0.2312424);
}
