/* agrees_with: one model in three formats, whose skinned points must be the same. */
#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>

#include "cli/pictures.h"
#include "suite_runs.h"

#define FBX FIXTURES "/walker/walker.fbx"
#define DAE FIXTURES "/walker/walker.dae"
/* Times of frames: between them the formats mean different curves. */
#define WALK "  - {name: walk, model: " WALKER ", clip: walk, times: [0, 0.25, 0.625]}\n"

static void formats_agree(void **state)
{
    (void)state;
    write_accepted_suite(WALK "  - {name: fbx, model: " FBX
                              ", clip: walk, agrees_with: {case: walk, unit: 0.01, up: y}}\n"
                              "  - {name: dae, model: " DAE ", times: [0.1, 0.4], agrees_with: walk}\n");
    const struct outcome *outcome = check_gives(0, NULL);
    assert_statuses("walk pass, fbx pass, dae pass");
    assert_contains(outcome->out, "3 cases, all good: 3 pass\n");
    assert_string_equal(result_of("fbx", "stages.skin.state"), "passed");
    assert_string_equal(result_of("fbx", "stages.import.state"), "not-compared");
    assert_string_equal(result_of("fbx", "times[2].label"), "0.625"); /* the other's times */
    assert_string_equal(result_of("dae", "times[1].label"), "0.400");
    assert_true(strtod(result_of("fbx", "times[1].error.skin"), NULL) > 0);
    assert_false(exists("golden/fbx") || exists("out/check/fbx"));
}

static void disagrees(const char *agreement, const char *headline)
{
    write_suite(at(WALK "  - {name: fbx, model: " FBX ", clip: walk, agrees_with: %s}\n", agreement));
    check_gives(1, NULL);
    assert_statuses("walk pass, fbx fail");
    assert_string_equal(result_of("fbx", "stage"), "skin");
    assert_contains(result_of("fbx", "headline"), headline);
    assert_string_equal(result_of("fbx", "accept"), "null");
}

static void wrong_unit_axis_and_clip_are_found(void **state)
{
    (void)state;
    write_accepted_suite(WALK);
    disagrees("{case: walk, unit: 1}", "100 times larger");
    disagrees("{case: walk, unit: 0.01, up: z}", "points");
    write_suite(WALK "  - {name: fbx, model: " FBX ", clip: idle, agrees_with: {case: walk, unit: 0.01}}\n");
    check_gives(1, NULL);
    assert_statuses("walk pass, fbx fail");
    write_suite(WALK "  - {name: fbx, model: " FBX
                     ", clip: idle, tolerance: {agree: 1}, agrees_with: {case: walk, unit: 0.01}}\n");
    check_gives(0, NULL);
}

/* The other case need not run, nor be good itself; that it cannot be read is an error. */
static void other_case_need_not_run(void **state)
{
    (void)state;
    write_suite(WALK "  - {name: fbx, model: " FBX ", clip: walk, agrees_with: {case: walk, unit: 0.01}}\n"
                     "  - {name: broken, model: " FIXTURES "/broken/truncated.glb, times: [0]}\n"
                     "  - {name: lost, model: " FBX ", clip: walk, agrees_with: broken}\n");
    check_gives(0, "--filter", "fbx", NULL);
    check_gives(1, NULL);
    assert_statuses("walk missing, fbx pass, broken error, lost error");
    assert_contains(result_of("lost", "headline"), "agrees_with `broken`: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(formats_agree),
        scratch_test(wrong_unit_axis_and_clip_are_found),
        scratch_test(other_case_need_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
