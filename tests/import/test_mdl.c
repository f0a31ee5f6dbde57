/* How long a sequence of a Half-Life MDL lasts; no such file is small enough to lie here. */
#include "cmocka_setup.h"

#include "import/convert.h"
#include "scene_builder.h"

/* A key a frame, as Assimp has them, and a duration of `duration` seconds. */
static double lasts(uint32_t frames, double rate, double duration)
{
    struct scene *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, duration);
    double times[64];
    float values[64 * 3] = {0};
    clip->ticks_per_second = rate;
    for (uint32_t k = 0; k < frames; k++)
        times[k] = k / rate;
    builder_keys(scene, &clip->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, frames, times, values);
    builder_keys(scene, &clip->channels[1], COMPONENT_SCALE, INTERPOLATE_LINEAR, frames ? 1 : 0, times, values);
    double result = mdl_duration(clip);
    scene_free(scene);
    return result;
}

/* Assimp: frames x rate ticks, at `rate` ticks a second. */
static void frames_are_no_seconds(void **state)
{
    (void)state;
    assert_true(lasts(26, 30, 26) == 25 / 30.0);
    assert_true(lasts(3, 25, 3) == 2 / 25.0);
    assert_true(lasts(2, 60, 2) == 1 / 60.0);
    assert_true(lasts(1, 10, 1) == 0); /* a pose */
}

static void other_durations_are_believed(void **state)
{
    (void)state;
    assert_true(lasts(26, 30, 25 / 30.0) == 25 / 30.0);
    assert_true(lasts(26, 30, 26 / 30.0) == 26 / 30.0);
    assert_true(lasts(26, 30, 27) == 27);
    assert_true(lasts(0, 30, 3) == 3); /* no key */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_no_seconds),
        cmocka_unit_test(other_durations_are_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
