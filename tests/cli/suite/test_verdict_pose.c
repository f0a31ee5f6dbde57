/* A golden pose is changed, and check must name stage, bone and time. */
#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>

#include "suite_runs.h"

#define POSE "golden/strip/0.750.pose.json"

static double number_of(const char *name, const char *place)
{
    return strtod(result_of(name, place), NULL);
}

/* strip must fail at that stage, its worst finding about that bone at 0.75 s. */
static const struct outcome *fails_at(const char *stage, const char *bone)
{
    const struct outcome *outcome = check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    assert_string_equal(result_of("strip", "stage"), stage);
    assert_string_equal(result_of("strip", "findings[0].stage"), stage);
    assert_string_equal(result_of("strip", "findings[0].subject"), bone);
    assert_string_equal(result_of("strip", "findings[0].time"), "0.75");
    assert_contains(result_of("strip", "headline"), bone);
    return outcome;
}

/* `tip` is turned by 90 degrees about z at 0.75 s, halfway between two keys; the golden gets no turn at all. */
static void local_transform_is_animate(void **state)
{
    (void)state;
    const char *place = at("nodes[%d].r", index_of(POSE, "nodes", "name", "tip"));
    tamper(POSE, place, "[0, 0, 0, 1]");
    const struct outcome *outcome = fails_at("animate", "tip");
    assert_string_equal(result_of("strip", "stages.import.state"), "passed");
    assert_string_equal(result_of("strip", "stages.palette.state"), "passed");
    assert_string_equal(result_of("strip", "times[0].error.animate"), "0");
    assert_true(number_of("strip", "times[1].error.animate") > 0.1);
    assert_string_equal(result_of("strip", "bones[0].bone"), "tip");
    assert_string_equal(result_of("strip", "bones[0].stage"), "animate");
    assert_string_equal(result_of("strip", "bones[0].over_time[0]"), "0");
    assert_contains(outcome->out, "worst bones");
}

/* The second row of the palette matrix is moved by a unit: every point of the bone is one unit away. */
static void palette_matrix_is_palette(void **state)
{
    (void)state;
    int entry = index_of(POSE, "palette", "bone", "base");
    const char *place = at("palette[%d].matrix[7]", entry);
    assert_string_equal(json_at(POSE, place), "0");
    tamper(POSE, place, "1");
    fails_at("palette", "base");
    assert_string_equal(result_of("strip", "findings[0].mesh"), "strip-mesh");
    assert_string_equal(result_of("strip", "findings[0].distance"), "1");
    assert_string_equal(result_of("strip", "findings[0].translation"), "1");
    assert_string_equal(result_of("strip", "stages.animate.state"), "passed");
    assert_string_equal(result_of("strip", "stages.draw.state"), "passed");
    assert_string_equal(result_of("strip", "bones[0].mesh"), "strip-mesh");
}

static void bone_that_is_gone_is_named(void **state)
{
    (void)state;
    tamper(POSE, at("palette[%d].bone", index_of(POSE, "palette", "bone", "base")), "\"bottom\"");
    check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    assert_string_equal(result_of("strip", "stage"), "palette");
    assert_contains(result_of("strip", "headline"), "`bottom`");
}

/* The limit is by the model's radius: what is far below it is no finding, what is far above is. */
static void limit_is_the_shell_tolerance(void **state)
{
    (void)state;
    const char *place = at("palette[%d].matrix[7]", index_of(POSE, "palette", "bone", "base"));
    tamper(POSE, place, "5e-6");
    check_gives(0, NULL);
    assert_true(number_of("strip", "times[1].error.palette") > 0);
    tamper(POSE, place, "1e-4");
    fails_at("palette", "base");
    write_suite("  - {name: strip, model: " STRIP
                ", clip: linear-rotation, times: [0.25, 0.75], tolerance: {shell: 0.001}}\n");
    check_gives(0, NULL);
}

/* Another clip of the same node: all that comes of it is explained by the animation. */
static void other_clip_is_animate_and_the_rest_is_explained(void **state)
{
    (void)state;
    write_suite("  - {name: strip, model: " STRIP ", clip: step-rotation, times: [0.25, 0.75]}\n"
                "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    const struct outcome *outcome = check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    assert_string_equal(result_of("strip", "stage"), "animate");
    assert_contains(result_of("strip", "headline"), "`step-rotation`, was of clip `linear-rotation`");
    assert_string_equal(result_of("strip", "bones[0].bone"), "tip");
    assert_string_equal(result_of("strip", "stages.import.state"), "passed");
    assert_string_equal(result_of("strip", "stages.palette.state"), "explained");
    assert_string_equal(result_of("strip", "stages.skin.state"), "passed");
    assert_string_equal(result_of("strip", "stages.draw.state"), "explained");
    assert_contains(outcome->out, "  palette    differs, explained by animate: ");
}

static void everything_is_explained_by_the_import(void **state)
{
    (void)state;
    tamper(import_of("golden/strip"), "meshes[0].bones[0].weights", "11");
    tamper(POSE, at("nodes[%d].r", index_of(POSE, "nodes", "name", "tip")), "[0, 0, 0, 1]");
    tamper(POSE, "palette[0].matrix[7]", "1");
    tint("golden/strip/0.750.png", 100, 90);
    check_gives(1, NULL);
    assert_string_equal(result_of("strip", "stage"), "import");
    assert_string_equal(result_of("strip", "stages.animate.state"), "explained");
    assert_string_equal(result_of("strip", "stages.palette.state"), "explained");
    assert_string_equal(result_of("strip", "stages.skin.state"), "passed");
    assert_string_equal(result_of("strip", "stages.draw.state"), "explained");
}

/* Numbers that moved are no drift, however little the pixels did. */
static void numbers_are_no_drift(void **state)
{
    (void)state;
    tamper("golden/strip/recorded.json", "fingerprint.mesa", "\"21.0.0\"");
    tint("golden/strip/0.750.png", 20, 1);
    tamper(POSE, "palette[0].matrix[7]", "1");
    fails_at("palette", json_at(POSE, "palette[0].bone"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        verdict_test(local_transform_is_animate),
        verdict_test(palette_matrix_is_palette),
        verdict_test(bone_that_is_gone_is_named),
        verdict_test(limit_is_the_shell_tolerance),
        verdict_test(other_clip_is_animate_and_the_rest_is_explained),
        verdict_test(everything_is_explained_by_the_import),
        verdict_test(numbers_are_no_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
