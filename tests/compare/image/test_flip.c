/* FLIP: closed forms on plain pictures, its own symmetries, then the numbers of metrics_oracle.py. */
#include "cmocka_setup.h"

#include <math.h>
#include <stdlib.h>

#include "compare/image/image_metrics.h"
#include "compare/image/flip_kernels.h"
#include "compare/pictures.h"

static const uint8_t black[4] = {0, 0, 0, 255}, white[4] = {255, 255, 255, 255}, clear[4] = {0};
static const uint8_t red[4] = {200, 40, 30, 255}, green[4] = {0, 255, 0, 255}, blue[4] = {0, 0, 255, 255};
static const uint8_t grey[4] = {128, 128, 128, 255};

static struct flip flip_of(const struct image *a, const struct image *b)
{
    struct flip flip;
    struct error err = {0};
    assert_true(flip_compare(a, b, FLIP_PIXELS_PER_DEGREE, &flip, &err));
    assert_int_equal(flip.width, a->width);
    assert_int_equal(flip.height, a->height);
    return flip;
}

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f is not within %g of %.9f", value, tolerance, expected);
}

static void same_errors(const struct flip *a, const struct flip *b)
{
    assert_memory_equal(a->error, b->error, (size_t)a->width * a->height * sizeof *a->error);
}

/* Of two plain pictures; the error is the same everywhere. */
static double plain_error(const uint8_t p[4], const uint8_t q[4])
{
    struct image a = plain_picture(30, 20, p), b = plain_picture(30, 20, q);
    struct flip flip = flip_of(&a, &b);
    double error = flip.max;
    for (int i = 0; i < 30 * 20; i++)
        near(flip.error[i], error, 1e-6);
    near(flip.mean, error, 1e-6);
    near(flip.p999, error, 1e-6);
    flip_release(&flip);
    image_release(&a);
    image_release(&b);
    return error;
}

/* ---- closed forms ---------------------------------------------------------------------------------------------- */

static void same_pictures_have_no_error(void **state)
{
    (void)state;
    struct image a = noise_picture(33, 21, 1, false), b = copy_picture(&a);
    struct flip flip = flip_of(&a, &b);
    for (int i = 0; i < 33 * 21; i++)
        assert_true(flip.error[i] == 0);
    assert_true(flip.mean == 0 && flip.p999 == 0 && flip.max == 0);
    flip_release(&flip);
    image_release(&a);
    image_release(&b);
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

static void green_and_blue_are_one_apart(void **state)
{
    (void)state;
    near(plain_error(green, blue), 1, 1e-6);
}

/* L 0 and 100: 100^.7 = 25.1189; the knee is at 16.5104, the end at 41.2761: .95 + .05 * 8.6084 / 24.7657 = .967380. */
static void black_and_white_are_967_thousandths_apart(void **state)
{
    (void)state;
    near(plain_error(black, white), 0.967380, 1e-6);
    near(spread(100), 0.967380, 1e-6);
}

static void greys_are_as_far_apart_as_their_lightness(void **state)
{
    (void)state;
    for (int i = 0; i < 255; i += 17)
        for (int step = 1; i + step < 256; step *= 5) {
            uint8_t p[4] = {(uint8_t)i, (uint8_t)i, (uint8_t)i, 255}, q[4];
            memset(q, i + step, 3);
            q[3] = 255;
            near(plain_error(p, q), spread(lightness(i + step) - lightness(i)), 3e-6);
        }
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

static void radius_follows_the_resolution(void **state)
{
    (void)state;
    assert_int_equal(flip_radius(FLIP_PIXELS_PER_DEGREE), 10); /* 3 sqrt(.04 / (2 pi^2)) = .13505 degrees: 9.05 */
    assert_int_equal(flip_radius(30), 5);                      /* 4.05 */
    assert_int_equal(flip_radius(1), 1);
}

static void kernels_have_unit_sums(void **state)
{
    (void)state;
    static const double resolutions[] = {1, 20, FLIP_PIXELS_PER_DEGREE, 200};
    for (int r = 0; r < 4; r++) {
        struct flip_kernels all;
        assert_true(flip_kernels_create(&all, resolutions[r]));
        double sums[KERNEL_COUNT][2] = {{0}}; /* of positive and of negative weights beside the center */
        for (int k = 0; k < KERNEL_COUNT; k++)
            for (int x = 1; x <= all.kernels[k].half_width; x++)
                sums[k][all.kernels[k].weights[x] < 0] += all.kernels[k].weights[x];
        for (int k = KERNEL_LUMINANCE; k <= KERNEL_SMOOTH; k++)
            near(all.kernels[k].weights[0] + 2 * sums[k][0], all.kernels[k].base, 1e-6);
        near(all.kernels[KERNEL_LUMINANCE].base, 1, 1e-6);
        near(all.kernels[KERNEL_RED_GREEN].base, 1, 1e-6);
        near(all.kernels[KERNEL_SMOOTH].base, 1, 1e-6);
        double first = all.kernels[KERNEL_BLUE_YELLOW_1].base, second = all.kernels[KERNEL_BLUE_YELLOW_2].base;
        near(first * first + second * second, 1, 1e-6);
        near(sums[KERNEL_SLOPE][0], 1, 1e-6);
        near(2 * sums[KERNEL_CURVATURE][0], 1, 1e-6);
        near(all.kernels[KERNEL_CURVATURE].weights[0] + 2 * sums[KERNEL_CURVATURE][1], -1, 1e-6);
        flip_kernels_release(&all);
    }
}

/* A step of 1 has the slope 1 at its foot; a line of slope 1 the sum of 2 k weight k; a plain nothing, exactly. */
static void kernels_answer_to_steps_and_plains(void **state)
{
    (void)state;
    enum { RADIUS = 10, LENGTH = KERNEL_BLOCK + 2 * RADIUS };
    struct flip_kernels all;
    float step[LENGTH], plain[LENGTH], out[KERNEL_BLOCK];
    const float *steps[2 * RADIUS + 1], *plains[2 * RADIUS + 1];
    assert_true(flip_kernels_create(&all, FLIP_PIXELS_PER_DEGREE));
    for (int i = 0; i < LENGTH; i++) {
        step[i] = i > RADIUS; /* output 0 is the last of the low ones */
        plain[i] = 0.3f;
    }
    for (int i = 0; i <= 2 * RADIUS; i++) {
        steps[i] = step + i;
        plains[i] = plain + i;
    }
    flip_kernel_apply(&all.kernels[KERNEL_SLOPE], steps, RADIUS, KERNEL_BLOCK, out);
    near(out[0], 1, 1e-6);
    assert_true(out[RADIUS] == 0); /* it reaches 9 */
    assert_true(out[RADIUS - 1] > 0);
    flip_kernel_apply(&all.kernels[KERNEL_SLOPE], plains, RADIUS, KERNEL_BLOCK, out);
    assert_true(out[0] == 0);
    flip_kernel_apply(&all.kernels[KERNEL_CURVATURE], plains, RADIUS, KERNEL_BLOCK, out);
    assert_true(out[0] == 0);
    flip_kernel_apply(&all.kernels[KERNEL_LUMINANCE], plains, RADIUS, KERNEL_BLOCK, out);
    near(out[0], 0.3, 1e-7);
    flip_kernels_release(&all);
}

/* ---- what must hold for all pictures ---------------------------------------------------------------------------- */

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

/* Beyond the border FLIP sees the border's pixels: a picture with them around it has the same errors. */
static void repeated_border_changes_nothing(const struct image *a, const struct image *b, const struct flip *flip)
{
    enum { MARGIN = 13 };
    struct image wide_a = with_margin(a, MARGIN), wide_b = with_margin(b, MARGIN);
    struct flip wide = flip_of(&wide_a, &wide_b);
    for (uint32_t y = 0; y < a->height; y++)
        assert_memory_equal(flip->error + (size_t)y * a->width,
                            wide.error + (size_t)(y + MARGIN) * wide_a.width + MARGIN, a->width * sizeof(float));
    flip_release(&wide);
    image_release(&wide_a);
    image_release(&wide_b);
}

static void holds_for(uint32_t width, uint32_t height, uint32_t seed)
{
    struct image a = noise_picture(width, height, seed, seed % 3 != 0), b = copy_picture(&a);
    for (uint32_t n = next_random(&seed, width * height) + 1; n > 0; n--)
        pixel_at(&b, next_random(&seed, width), next_random(&seed, height))[next_random(&seed, 4)] ^= 0x55;
    struct flip flip = flip_of(&a, &b), back = flip_of(&b, &a);
    same_errors(&flip, &back);
    for (uint32_t i = 0; i < width * height; i++)
        assert_true(flip.error[i] >= 0 && flip.error[i] <= 1);
    repeated_border_changes_nothing(&a, &b, &flip);
    flip_release(&flip);
    flip_release(&back);
    image_release(&a);
    image_release(&b);
}

static void any_size_is_symmetric_and_in_range(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {2, 2}, {9, 11}, {16, 16}, {17, 33}, {21, 20}};
    uint32_t seed = 4711;
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        holds_for(sizes[i][0], sizes[i][1], i);
    for (uint32_t i = 0; i < 25; i++)
        holds_for(next_random(&seed, 40) + 1, next_random(&seed, 40) + 1, seed);
}

/* Whether pixel (x, y) is at most the radius away from a box in both axes. */
static bool within_reach(int x, int y, int x0, int y0, int x1, int y1)
{
    int radius = flip_radius(FLIP_PIXELS_PER_DEGREE);
    return x >= x0 - radius && x <= x1 + radius && y >= y0 - radius && y <= y1 + radius;
}

/*
 * With the corners changed too the whole picture is evaluated: out of the corners' reach there are the same errors, bit
 * by bit, and beyond the reach of any change they are 0.
 */
static void nothing_is_seen_beyond_the_radius(void **state)
{
    (void)state;
    enum { WIDTH = 100, HEIGHT = 90, X0 = 40, Y0 = 41, X1 = 44, Y1 = 43 };
    struct image a = noise_picture(WIDTH, HEIGHT, 3, true), b = copy_picture(&a), corners = copy_picture(&a);
    for (uint32_t y = Y0; y <= Y1; y++)
        for (uint32_t x = X0; x <= X1; x++) {
            pixel_at(&b, x, y)[1] ^= 0x80;
            pixel_at(&corners, x, y)[1] ^= 0x80;
        }
    for (int i = 0; i < 4; i++)
        pixel_at(&corners, i % 2 * (WIDTH - 1), i / 2 * (HEIGHT - 1))[0] ^= 0x80;
    struct flip part = flip_of(&a, &b), whole = flip_of(&a, &corners);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool at_corner = within_reach(x < 50 ? x : WIDTH - 1 - x, y < 45 ? y : HEIGHT - 1 - y, 0, 0, 0, 0);
            float expected = part.error[y * WIDTH + x], error = whole.error[y * WIDTH + x];
            assert_true(expected == 0 || within_reach(x, y, X0, Y0, X1, Y1));
            assert_true(error == expected || at_corner);
        }
    assert_true(whole.error[0] > 0);
    assert_true(part.error[42 * WIDTH + X1 + 10] > 0);
    assert_true(part.error[42 * WIDTH + X1 + 11] == 0);
    flip_release(&part);
    flip_release(&whole);
    image_release(&a);
    image_release(&b);
    image_release(&corners);
}

static int descending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

static void figures_are_of_all_pixels(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{37, 27}, {40, 25}, {50, 40}, {61, 67}}; /* 999, 1000, 2000, 4087 pixels */
    for (int s = 0; s < 4; s++) {
        uint32_t count = sizes[s][0] * sizes[s][1];
        struct image a = disc_picture(sizes[s][0], sizes[s][1], 140, 100, 70, red, grey);
        struct image b = disc_picture(sizes[s][0], sizes[s][1], 145, 103, 70, red, grey);
        struct flip flip = flip_of(&a, &b);
        double sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += flip.error[i];
        qsort(flip.error, count, sizeof *flip.error, descending);
        near(flip.mean, sum / count, 1e-12);
        assert_true(flip.max == (double)flip.error[0]);
        assert_true(flip.p999 == (double)flip.error[s < 1 ? 0 : s < 2 ? 1 : s < 3 ? 2 : 4]);
        flip_release(&flip);
        image_release(&a);
        image_release(&b);
    }
}

/* One changed pixel of a million: too few to raise the 99.9th percentile. */
static void few_pixels_are_the_maximum_only(void **state)
{
    (void)state;
    struct image a = plain_picture(1000, 1000, grey), b = copy_picture(&a);
    memset(pixel_at(&b, 500, 500), 255, 3);
    struct flip flip = flip_of(&a, &b);
    assert_true(flip.p999 == 0);
    assert_true(flip.max > 0.1);
    flip_release(&flip);
    image_release(&a);
    image_release(&b);
}

/* ---- alpha ----------------------------------------------------------------------------------------------------- */

static void what_is_clear_is_seen_over_black_and_over_white(void **state)
{
    (void)state;
    static const uint8_t clear_red[4] = {255, 0, 0, 0}, half_black[4] = {0, 0, 0, 128};
    assert_true(plain_error(clear, clear_red) == 0);
    near(plain_error(clear, black), 0.967380, 1e-6);                    /* over white */
    near(plain_error(clear, white), 0.967380, 1e-6);                    /* over black */
    near(plain_error(black, half_black), spread(lightness(127)), 1e-6); /* over white it is grey */
}

/* ---- metrics_oracle.py ----------------------------------------------------------------------------------------- */

struct figures {
    double mean, p999, max, first, inside;
};

/* `first` is of the first pixel, `inside` of that in the middle row at three quarters of the width. */
static void has_figures(struct image a, struct image b, struct figures expected)
{
    struct flip flip = flip_of(&a, &b);
    near(flip.mean, expected.mean, 1e-6);
    near(flip.p999, expected.p999, 2e-6);
    near(flip.max, expected.max, 2e-6);
    near(flip.error[0], expected.first, 1e-5);
    near(flip.error[a.height / 2 * a.width + a.width * 3 / 4], expected.inside, 1e-5);
    flip_release(&flip);
    image_release(&a);
    image_release(&b);
}

static void figures_are_those_of_the_definition(void **state)
{
    (void)state;
    has_figures(noise_picture(24, 17, 1, true), noise_picture(24, 17, 2, true),
                (struct figures){0.4649063, 0.9656756, 0.9656756, 0.4470013, 0.2636136});
    has_figures(noise_picture(24, 17, 3, false), noise_picture(24, 17, 4, false),
                (struct figures){0.4377138, 0.8573647, 0.8573647, 0.3850528, 0.2588114});
    has_figures(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 258, 192, 120, red, grey),
                (struct figures){0.0147473, 0.1605394, 0.1777287, 0.0000000, 0.1338268});
    has_figures(disc_picture(64, 48, 256, 192, 120, red, grey), disc_picture(64, 48, 272, 200, 120, red, grey),
                (struct figures){0.0732586, 0.5835848, 0.5871347, 0.0000000, 0.5551618});
    has_figures(disc_picture(64, 48, 256, 192, 120, red, clear), disc_picture(64, 48, 262, 189, 120, red, clear),
                (struct figures){0.0703607, 0.6593087, 0.6648016, 0.0000000, 0.4594919});
    has_figures(disc_picture(40, 30, 16, 16, 90, red, grey), disc_picture(40, 30, 18, 20, 90, red, grey),
                (struct figures){0.0200893, 0.2572351, 0.2599129, 0.0000389, 0.0000000});
    has_figures(noise_picture(1, 40, 5, true), noise_picture(1, 40, 6, true),
                (struct figures){0.6921165, 0.9738984, 0.9738984, 0.8293046, 0.4609481});
    has_figures(noise_picture(40, 1, 7, true), noise_picture(40, 1, 8, true),
                (struct figures){0.7878454, 0.9793410, 0.9793410, 0.9793410, 0.8982938});
    has_figures(noise_picture(3, 2, 9, true), noise_picture(3, 2, 10, true),
                (struct figures){0.6013493, 0.7382827, 0.7382827, 0.5421417, 0.7382827});
    has_figures(noise_picture(1, 1, 11, false), noise_picture(1, 1, 12, false),
                (struct figures){0.2312424, 0.2312424, 0.2312424, 0.2312424, 0.2312424});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_pictures_have_no_error),
        cmocka_unit_test(green_and_blue_are_one_apart),
        cmocka_unit_test(black_and_white_are_967_thousandths_apart),
        cmocka_unit_test(greys_are_as_far_apart_as_their_lightness),
        cmocka_unit_test(radius_follows_the_resolution),
        cmocka_unit_test(kernels_have_unit_sums),
        cmocka_unit_test(kernels_answer_to_steps_and_plains),
        cmocka_unit_test(any_size_is_symmetric_and_in_range),
        cmocka_unit_test(nothing_is_seen_beyond_the_radius),
        cmocka_unit_test(figures_are_of_all_pixels),
        cmocka_unit_test(few_pixels_are_the_maximum_only),
        cmocka_unit_test(what_is_clear_is_seen_over_black_and_over_white),
        cmocka_unit_test(figures_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
