/* Timelines of clips that fade into each other. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "animate/transition.h"

static const struct transition two[] = {{0.5, 0.75}, {1, 3}};

static void is_fade(const struct transition *list, uint32_t count, double time, uint32_t from, uint32_t to,
                    double weight)
{
    struct fade fade = transition_at(list, count, time);
    bool same = (fade.from == from || weight == 1) && fade.to == to && fabs(fade.weight - weight) < 1e-12;
    if (!same || (weight == 1 && fade.weight != 1))
        fail_msg("%g s: %u -> %u at %.17g, not %u -> %u at %.17g", time, fade.from, fade.to, fade.weight, from, to,
                 weight);
}

static void a_fade_is_linear_in_time(void **state)
{
    (void)state;
    is_fade(two, 1, 0.5, 0, 1, 0);
    is_fade(two, 1, 0.5625, 0, 1, 0.25);
    is_fade(two, 1, 0.625, 0, 1, 0.5);
    is_fade(two, 1, 0.6875, 0, 1, 0.75);
    is_fade(two, 1, 0.75, 0, 1, 1);
}

static void outside_one_clip_is_alone(void **state)
{
    (void)state;
    is_fade(two, 1, -3, 0, 0, 1);
    is_fade(two, 1, 0, 0, 0, 1);
    is_fade(two, 1, nextafter(0.5, 0), 0, 0, 1);
    is_fade(two, 1, nextafter(0.75, 1), 0, 1, 1);
    is_fade(two, 1, 1e6, 0, 1, 1);
    is_fade(two, 0, 12, 0, 0, 1);
}

static void several_follow_each_other(void **state)
{
    (void)state;
    is_fade(two, 2, 0.6, 0, 1, 0.4);
    is_fade(two, 2, 0.9, 0, 1, 1);
    is_fade(two, 2, 1, 1, 2, 0);
    is_fade(two, 2, 1.5, 1, 2, 0.25);
    is_fade(two, 2, 3, 1, 2, 1);
}

static void no_time_between_is_a_cut(void **state)
{
    (void)state;
    static const struct transition cut[] = {{0.5, 0.5}, {0.5, 0.5}};
    is_fade(cut, 1, nextafter(0.5, 0), 0, 0, 1);
    is_fade(cut, 1, 0.5, 0, 1, 1);
    is_fade(cut, 2, 0.5, 1, 2, 1); /* both at once: the first is never seen */
}

/* First clip 1 s, second 2 s: both minus what they overlap. */
static void duration_is_both_minus_the_overlap(void **state)
{
    (void)state;
    assert_true(transition_duration(two, 1, 2) == 1.0 + 2.0 - (1.0 - 0.5));
    assert_true(transition_duration((struct transition[]){{0.5, 1}}, 1, 2) == 2.5); /* they overlap while they fade */
    assert_true(transition_duration((struct transition[]){{1, 1}}, 1, 2) == 3);     /* end to end */
    assert_true(transition_duration((struct transition[]){{1.5, 1.75}}, 1, 2) == 3.5); /* beyond the first clip's end */
    assert_true(transition_duration((struct transition[]){{0.5, 4}}, 1, 2) == 4); /* a fade longer than the second */
    assert_true(transition_duration(two, 2, 0.25) == 3);
    assert_true(transition_duration(two, 0, 7) == 7);
}

static void what_is_out_of_order_is_refused(void **state)
{
    (void)state;
    static const struct transition bad[][2] = {
        {{-0.5, 1}, {2, 3}}, {{1, 0.5}, {2, 3}}, {{0, 2}, {1, 3}},
        {{NAN, 1}, {2, 3}},  {{0, NAN}, {2, 3}}, {{2, 3}, {0, 1}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error err = {0};
        assert_false(transition_check(bad[i], 2, &err));
        assert_true(strstr(err.text, "transition"));
    }
    struct error err = {0};
    assert_true(transition_check(two, 2, &err));
    assert_true(transition_check((struct transition[]){{1, 2}, {2, 2}}, 2, &err)); /* may touch */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fade_is_linear_in_time),           cmocka_unit_test(outside_one_clip_is_alone),
        cmocka_unit_test(several_follow_each_other),          cmocka_unit_test(no_time_between_is_a_cut),
        cmocka_unit_test(duration_is_both_minus_the_overlap), cmocka_unit_test(what_is_out_of_order_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
