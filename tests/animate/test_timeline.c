#include <math.h>
#include <stdlib.h>

#include "animate/tracks_layout.h"
#include "base/sort.h"
#include "cmocka_setup.h"
#include "scene_builder.h"

static uint32_t count_plainly(const double *times, uint32_t count, double time)
{
    uint32_t passed = 0;
    for (uint32_t i = 0; i < count; i++)
        passed += times[i] <= time;
    return passed;
}

static void check_around(const struct timeline *timeline, double time)
{
    const double around[] = {nextafter(time, -INFINITY), time, nextafter(time, INFINITY)};
    for (int i = 0; i < 3; i++)
        assert_int_equal(timeline_count_until(timeline, around[i]),
                         count_plainly(timeline->times, timeline->count, around[i]));
}

static void check(const double *times, uint32_t count)
{
    struct arena *arena = arena_create(1 << 24, NULL);
    struct timeline timeline = timeline_create(times, count, arena);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < count; i++) {
        check_around(&timeline, times[i]);
        if (i + 1 < count)
            check_around(&timeline, times[i] + 0.5 * (times[i + 1] - times[i]));
    }
    for (int i = 0; i < 200; i++)
        check_around(&timeline, builder_random(&seed, times[0] - 1, times[count - 1] + 1));
    assert_int_equal(timeline_count_until(&timeline, NAN), 0);
    assert_int_equal(timeline_count_until(&timeline, -INFINITY), 0);
    assert_int_equal(timeline_count_until(&timeline, INFINITY), count);
    arena_destroy(arena);
}

static void test_known_lists(void **state)
{
    (void)state;
    check((double[]){3.5}, 1);
    check((double[]){-1, -1}, 2);
    check((double[]){0, 1}, 2);
    check((double[]){0, 1, 1, 1, 2}, 5);
    check((double[]){0, 0, 0, 5, 5, 5}, 6);
    check((double[]){0, 1e-300, 2e-300, 1}, 4);
    check((double[]){502, 502.000007, 503}, 3);
    check((double[]){0, 5e-324, 1e-323}, 3);
    check((double[]){0, 1e-9, 2e-9, 3e-9, 4e-9, 1e9}, 6); /* all but one in one bucket */
    check((double[]){-1e308, 0, 1e308}, 3);               /* the range overflows */
}

static void test_even_spacing(void **state)
{
    (void)state;
    const double rates[] = {24, 25, 30, 1000, 29.97, 7};
    double times[601];
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < 601; i++)
            times[i] = 0.3 + i / rates[r];
        check(times, 601);
    }
}

static void test_random_lists(void **state)
{
    (void)state;
    uint64_t seed = 42;
    double times[64];
    for (int round = 0; round < 300; round++) {
        uint32_t count = 1 + builder_random_index(&seed, 64);
        double power = builder_random(&seed, 0.1, 12); /* from even to badly clustered */
        for (uint32_t i = 0; i < count; i++)
            times[i] = pow(builder_random(&seed, 0, 1), power) * 10;
        for (uint32_t i = 1; i < count; i += 5)
            times[i] = times[i - 1];
        qsort(times, count, sizeof *times, compare_doubles);
        check(times, count);
    }
}

/* A duration that was printed, or rounded to a float by an importer, is the end; what is farther away is not. */
static void test_wrap(void **state)
{
    (void)state;
    static const struct {
        double time, duration, loop, hold;
    } rows[] = {
        {0, 2, 0, 0},
        {1.5, 2, 1.5, 1.5},
        {2, 2, 2, 2}, /* the end is sampled as it is */
        {2.5, 2, 0.5, 2},
        {4, 2, 0, 2},
        {-0.5, 2, 1.5, 0},
        {-2, 2, 0, 0},
        {7, 0, 0, 0},
        {NAN, 2, 0, 0},
        {INFINITY, 2, 0, 0},
        {3.33332992, 3.33332983, 3.33332983, 3.33332983},
        {1000.001, 1000, 1000, 1000},
        {0.0416670, 0.0416666, 0.0416666, 0.0416666}, /* six decimals of it */
        {-1e-17, 2, 0, 0},
        {-4e-7, 2, 0, 0},
        {1.9999999, 2, 1.9999999, 1.9999999},
        {2.00001, 2, 1e-5, 2},
        {-1e-5, 2, 1.99999, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double loop = wrap_time(rows[i].time, rows[i].duration, WRAP_LOOP);
        assert_true(fabs(loop - rows[i].loop) < 1e-12 && !signbit(loop));
        assert_true(wrap_time(rows[i].time, rows[i].duration, WRAP_HOLD) == rows[i].hold);
    }
    assert_true(wrap_time(2, 2, WRAP_LOOP) == 2 && wrap_time(4, 2, WRAP_LOOP) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_lists),
        cmocka_unit_test(test_even_spacing),
        cmocka_unit_test(test_random_lists),
        cmocka_unit_test(test_wrap),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
