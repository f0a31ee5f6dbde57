/* The parts of the stage that are plain integer arithmetic: resolve and mipmaps. */
#include "draw/frame/resolve.h"
#include "draw/renderer.h"

#include "rendering.h"

static void resolve_one(const uint8_t samples[4][4], const uint8_t background[4], uint8_t out[4])
{
    resolve_samples(samples[0], 1, 1, 2, background, out, 4);
}

static void assert_bytes(const uint8_t got[4], int r, int g, int b, int a)
{
    if (got[0] != r || got[1] != g || got[2] != b || got[3] != a)
        fail_msg("expected %d %d %d %d, observed %d %d %d %d", r, g, b, a, got[0], got[1], got[2], got[3]);
}

static void opaque_samples_are_averaged_halves_up(void **state)
{
    (void)state;
    const uint8_t samples[4][4] = {{10, 0, 255, 255}, {11, 0, 255, 255}, {11, 1, 255, 255}, {12, 1, 254, 255}};
    const uint8_t background[4] = {99, 99, 99, 7};
    uint8_t out[4];
    resolve_one(samples, background, out);
    assert_bytes(out, 11, 1, 255, 255); /* 44/4, 2/4 = 0.5, 1019/4 = 254.75 */
}

static void nothing_drawn_is_the_backgrounds_bytes(void **state)
{
    (void)state;
    const uint8_t samples[4][4] = {{0}};
    uint8_t out[4];
    resolve_one(samples, (const uint8_t[4]){1, 2, 3, 0}, out);
    assert_bytes(out, 1, 2, 3, 0);
    resolve_one(samples, (const uint8_t[4]){201, 202, 203, 1}, out);
    assert_bytes(out, 201, 202, 203, 1);
}

static void a_half_covered_pixel_keeps_its_colour_over_nothing(void **state)
{
    (void)state;
    const uint8_t samples[4][4] = {{200, 100, 50, 255}, {200, 100, 50, 255}, {0}, {0}};
    uint8_t out[4];
    resolve_one(samples, (const uint8_t[4]){0, 0, 0, 0}, out);
    assert_bytes(out, 200, 100, 50, 128); /* 510/1020 * 255 = 127.5 */
    resolve_one(samples, (const uint8_t[4]){100, 100, 100, 255}, out);
    assert_bytes(out, 150, 100, 75, 255);
}

/* Against the formula of resolve.h in double, for every alpha and background alpha. */
static void compositing_follows_the_formula(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        uint8_t sample[4], background[4], out[4];
        sample[3] = (uint8_t)(1 + 254 * hand_random(&seed));
        for (int c = 0; c < 3; c++)
            sample[c] = (uint8_t)(hand_random(&seed) * (sample[3] + 1));
        for (int c = 0; c < 4; c++)
            background[c] = (uint8_t)(256 * hand_random(&seed));
        resolve_samples(sample, 1, 1, 1, background, out, 4);
        double a = sample[3] / 255.0, behind = (1 - a) * background[3] / 255.0, alpha = a + behind;
        assert_int_equal(out[3], (int)floor(255 * alpha + 0.5 + 1e-9));
        for (int c = 0; c < 3; c++)
            assert_int_equal(out[c], (int)floor((sample[c] + behind * background[c]) / alpha + 0.5 + 1e-9));
    }
}

static void rows_are_turned_top_down(void **state)
{
    (void)state;
    uint8_t samples[2 * 3][4], out[2 * 4 * 3];
    for (int i = 0; i < 6; i++)
        memcpy(samples[i], (uint8_t[4]){(uint8_t)(10 * i), 0, 0, 255}, 4);
    memset(out, 0xee, sizeof out);
    resolve_samples(samples[0], 1, 6, 1, (const uint8_t[4]){0}, out, 4);
    for (int y = 0; y < 6; y++)
        assert_bytes(out + 4 * y, 50 - 10 * y, 0, 0, 255);
    memset(out, 0xee, sizeof out);
    resolve_samples(samples[0], 1, 3, 1, (const uint8_t[4]){0}, out, 8); /* a stride leaves bytes alone */
    assert_bytes(out + 16, 0, 0, 0, 255);
    assert_bytes(out + 4, 0xee, 0xee, 0xee, 0xee);
}

static void numbers_are_read_low_byte_first_and_turned_top_down(void **state)
{
    (void)state;
    const uint8_t samples[4][4] = {{1, 0, 0, 255}, {0, 2, 0, 255}, {3, 2, 1, 255}, {255, 255, 255, 0}};
    uint32_t out[6] = {7, 7, 7, 7, 7, 7};
    resolve_numbers(samples[0], 2, 2, out, 3);
    const uint32_t expected[6] = {0x010203, 0xffffff, 7, 1, 0x200, 7};
    assert_memory_equal(out, expected, sizeof expected);
}

static void mipmaps_are_means(void **state)
{
    (void)state;
    const uint8_t four[4][4] = {{0, 10, 1, 255}, {1, 20, 1, 255}, {0, 30, 1, 0}, {1, 41, 2, 0}};
    uint8_t out[4];
    mipmap_reduce(four[0], 2, 2, out);
    assert_bytes(out, 1, 25, 1, 128);
    const uint8_t row[3][4] = {{3, 0, 0, 255}, {6, 0, 0, 255}, {9, 0, 0, 255}}; /* odd: all three into one */
    mipmap_reduce(row[0], 3, 1, out);
    assert_bytes(out, 6, 0, 0, 255);
}

static void mipmaps_of_one_colour_keep_it(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 9; width++)
        for (uint32_t height = 1; height <= 9; height++) {
            uint8_t in[9 * 9][4], out[9 * 9][4];
            for (uint32_t i = 0; i < width * height; i++)
                memcpy(in[i], (uint8_t[4]){7, 77, 177, 200}, 4);
            mipmap_reduce(in[0], width, height, out[0]);
            for (uint32_t i = 0; i < mipmap_half(width) * mipmap_half(height); i++)
                assert_bytes(out[i], 7, 77, 177, 200);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opaque_samples_are_averaged_halves_up),
        cmocka_unit_test(nothing_drawn_is_the_backgrounds_bytes),
        cmocka_unit_test(a_half_covered_pixel_keeps_its_colour_over_nothing),
        cmocka_unit_test(compositing_follows_the_formula),
        cmocka_unit_test(rows_are_turned_top_down),
        cmocka_unit_test(numbers_are_read_low_byte_first_and_turned_top_down),
        cmocka_unit_test(mipmaps_are_means),
        cmocka_unit_test(mipmaps_of_one_colour_keep_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
