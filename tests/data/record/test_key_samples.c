/* Samples of keys, by hand: what import.json says of single keys and of blocks of them. */
#include "cmocka_setup.h"

#include "data/record/snapshot.h"

static const double degree = 3.14159265358979323846 / 180.0;
GROUP_ARENA((size_t)2 << 30)
static struct keys_snapshot found;

static void sample(struct keys keys, uint32_t width, bool is_rotation, uint32_t most)
{
    found = (struct keys_snapshot){
        .count = keys.count, .first = keys.times[0], .last = keys.times[keys.count - 1], .width = width};
    keys_sample(&keys, width, is_rotation, most, arena, &found);
}

/* They are rounded: equal. */
#define ASSERT_FLOATS(actual, count, ...)                                                                              \
    do {                                                                                                               \
        assert_int_equal(count, sizeof((float[]){__VA_ARGS__}) / sizeof(float));                                       \
        ASSERT_NUMBERS(actual, 0, __VA_ARGS__);                                                                        \
    } while (0)

TEST(blocks_share_the_keys)
{
    static const uint32_t expected[][4] = {
        {1, 64, 1, 1},     {64, 64, 1, 64}, {65, 64, 2, 33}, {128, 64, 2, 64},
        {600, 64, 10, 60}, {31, 4, 8, 4},   {0, 64, 0, 0},   {UINT32_MAX, 64, 67108864, 64}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(sample_block(expected[i][0], expected[i][1]), expected[i][2]);
        assert_int_equal(sample_blocks(expected[i][0], expected[i][1]), expected[i][3]);
    }
}

TEST(rotations_are_axis_times_angle)
{
    static const double times[] = {0, 1, 2, 3};
    const float half = (float)sqrt(0.5), s = (float)sin(6 * degree), c = (float)cos(6 * degree);
    const float values[][4] = {{0, 0, 0, 1}, {0, half, 0, -half}, {s, 0, 0, c}, {0, 0, 1, 0}};
    sample((struct keys){4, times, values[0], INTERPOLATE_LINEAR}, 4, true, 64);
    ASSERT_FLOATS(found.samples, found.sample_count, 0, 0, 0, 0, -90, 0, 12, 0, 0, 0, 0, 180);
    assert_int_equal(found.time_count, 0);
}

/* A block's keys have one sign before they are added up: here 10 and 30 degrees, and 350 and 10 behind. */
TEST(a_block_is_a_mean)
{
    static const double times[] = {0, 1, 2, 3, 4};
    float values[5][4] = {{0}};
    static const double angles[] = {10, 30 + 360, 350, 10, 70};
    for (int i = 0; i < 5; i++) {
        values[i][1] = (float)sin(0.5 * angles[i] * degree);
        values[i][3] = (float)cos(0.5 * angles[i] * degree);
    }
    sample((struct keys){5, times, values[0], INTERPOLATE_LINEAR}, 4, true, 3);
    ASSERT_FLOATS(found.samples, found.sample_count, 0, 20, 0, 0, 0, 0, 0, 70, 0);
    /* Half a turn apart there is no mean that last bits would not turn over: the first is taken. */
    for (int flip = -1; flip <= 1; flip += 2) {
        const float turned[2][4] = {{0, 0, 0, 1}, {0, 0, (float)flip, 1e-9f}};
        sample((struct keys){2, times, turned[0], INTERPOLATE_LINEAR}, 4, true, 1);
        assert_int_equal(found.sample_count, 0); /* one sample is as all are */
        ASSERT_FLOATS(found.samples, 3, 0, 0, 0);
    }
}

/* 3 digits behind the decade that they range over; no more than floats have of the largest. */
TEST(numbers_are_rounded_by_their_range)
{
    static const double times[] = {0, 1, 2};
    static const float near[][3] = {{0, 0, 0}, {0.123456f, 0, 0}, {0.5f, -0.98768f, 0}};
    static const float far[][3] = {{5000.125f, 0, 0}, {5000.5678f, 0, 0}, {5000.9f, 0, 0}};
    static const float large[][3] = {{0, 0, 0}, {123456, 0, 0}, {987654, 0, 0}};
    sample((struct keys){3, times, near[0], INTERPOLATE_LINEAR}, 3, false, 64);
    ASSERT_FLOATS(found.samples, found.sample_count, 0, 0, 0, 0.1235f, 0, 0, 0.5f, -0.9877f, 0); /* 0.99: below 1 */
    assert_float_equal(sample_step(found.samples, 9, 3, false), 1e-4, 1e-12);
    sample((struct keys){3, times, far[0], INTERPOLATE_LINEAR}, 3, false, 64);
    ASSERT_FLOATS(found.samples, found.sample_count, 5000.125f, 0, 0, 5000.568f, 0, 0, 5000.9f, 0, 0);
    sample((struct keys){3, times, large[0], INTERPOLATE_LINEAR}, 3, false, 64);
    ASSERT_FLOATS(found.samples, found.sample_count, 0, 0, 0, 123500, 0, 0, 987700, 0, 0);
}

TEST(what_holds_still_has_no_samples)
{
    static const double times[] = {0, 0.5, 2};
    static const float same[][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3.0000002f}};
    sample((struct keys){3, times, same[0], INTERPOLATE_LINEAR}, 3, false, 64);
    assert_int_equal(found.sample_count, 0);
    assert_int_equal(found.time_count, 0);
    sample((struct keys){1, times, same[0], INTERPOLATE_LINEAR}, 3, false, 64);
    assert_int_equal(found.sample_count, 0);
}

TEST(tangents_are_left_out)
{
    static const double times[] = {0, 1};
    static const float cubic[][3] = {{100, 100, 100}, {1, 2, 3}, {100, 100, 100}, {7, 7, 7}, {3, 4, 5}, {9, 9, 9}};
    sample((struct keys){2, times, cubic[0], INTERPOLATE_CUBIC}, 3, false, 64);
    ASSERT_FLOATS(found.samples, found.sample_count, 1, 2, 3, 3, 4, 5);
}

TEST(times_that_are_even_are_left_out)
{
    double times[] = {0.5, 1.00004, 1.5, 2, 2.5};
    static const float values[] = {1, 2, 3, 4, 5};
    sample((struct keys){5, times, values, INTERPOLATE_LINEAR}, 1, false, 64);
    assert_int_equal(found.time_count, 0); /* to half a ten-thousandth */
    times[1] = 1.00006;
    sample((struct keys){5, times, values, INTERPOLATE_LINEAR}, 1, false, 64);
    ASSERT_FLOATS(found.times, found.time_count, 0.5f, 1.0001f, 1.5f, 2, 2.5f);
    times[3] = 1.9; /* of a block the mean: any key of it shows */
    sample((struct keys){5, times, values, INTERPOLATE_LINEAR}, 1, false, 3);
    ASSERT_FLOATS(found.times, found.time_count, 0.75f, 1.7f, 2.5f);
}

/* One clip of `count` channels with `keys` moving rotation keys each, as an import has them. */
static uint32_t samples_of_clip(uint32_t count, uint32_t keys, size_t *numbers)
{
    double *times = ARENA_NEW(arena, double, keys);
    float(*values)[4] = arena_alloc(arena, keys, sizeof *values);
    for (uint32_t i = 0; i < keys; i++) {
        times[i] = i;
        values[i][0] = (float)sin(0.5 * i * degree);
        values[i][3] = (float)cos(0.5 * i * degree);
    }
    struct keys source = {keys, times, values[0], INTERPOLATE_LINEAR};
    struct clip_snapshot clip = {.channel_count = count};
    struct import_snapshot import = {.clip_count = 1, .clips = &clip};
    clip.channels = ARENA_NEW(arena, struct channel_snapshot, count);
    for (uint32_t i = 0; i < count; i++)
        clip.channels[i].keys[COMPONENT_ROTATION] =
            (struct keys_snapshot){.count = keys, .last = keys - 1.0, .width = 4, .source = &source};
    import_sample_keys(&import, arena);
    *numbers = 0;
    for (uint32_t i = 0; i < count; i++)
        *numbers += clip.channels[i].keys[COMPONENT_ROTATION].sample_count;
    return import.samples;
}

/* 10 numbers a component, or 6000 where that is more; 3 numbers a sample. */
TEST(a_large_file_has_fewer_samples)
{
    size_t numbers;
    assert_int_equal(samples_of_clip(31, 64, &numbers), 64);
    assert_int_equal(numbers, 31 * 64 * 3);                  /* 5952 */
    assert_int_equal(samples_of_clip(32, 64, &numbers), 48); /* 6144 are too many: blocks of 2 */
    assert_int_equal(numbers, 32 * 32 * 3);
    assert_int_equal(samples_of_clip(300, 600, &numbers), 6);
    assert_int_equal(numbers, 300 * 6 * 3);                    /* 5400 */
    assert_int_equal(samples_of_clip(3000, 600, &numbers), 4); /* never fewer */
    assert_int_equal(numbers, 3000 * 4 * 3);
}

/* A key of 64 is restored from its sample; of a block of two the run's keys where they have this mean, else the mean. */
TEST(samples_are_played_again)
{
    static const double times[] = {0, 1, 2, 3};
    const float s = (float)sin(15 * degree), c = (float)cos(15 * degree);
    const float turns[][4] = {{0, 0, 0, 1}, {s, 0, 0, c}, {0, 0, 0, -1}, {0, s, 0, c}};
    static const float was[] = {0, 1, 2, 4}, now[] = {0, 1, 3, 6};
    bool is_coarse = false;
    const char *why = NULL;
    struct keys out;
    sample((struct keys){4, times, turns[0], INTERPOLATE_LINEAR}, 4, true, 64);
    found.interpolation = "linear";
    assert_true(keys_restore(&found, NULL, true, 64, arena, &out, &is_coarse, &why));
    assert_int_equal(out.count, 4);
    assert_float_equal(out.times[3], 3, 0);
    assert_float_equal(out.values[4], s, 1e-4);
    assert_float_equal(out.values[15], c, 1e-4);
    assert_false(is_coarse);
    sample((struct keys){4, times, was, INTERPOLATE_LINEAR}, 1, false, 2);
    found.interpolation = "linear";
    const struct keys run = {4, times, now, INTERPOLATE_LINEAR};
    assert_true(keys_restore(&found, &run, false, 2, arena, &out, &is_coarse, &why));
    assert_int_equal(out.count, 3); /* two as the run has them, and the mean of the others */
    assert_float_equal(out.values[1], 1, 0);
    assert_float_equal(out.times[2], 2.5, 0);
    assert_float_equal(out.values[2], 3, 0);
    assert_true(is_coarse);
    found.interpolation = "cubic";
    assert_false(keys_restore(&found, &run, false, 2, arena, &out, &is_coarse, &why));
    assert_non_null(strstr(why, "tangents"));
    found.interpolation = "linear";
    assert_false(keys_restore(&found, &run, false, 0, arena, &out, &is_coarse, &why));
}
