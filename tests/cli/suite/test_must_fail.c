/* tests/must-fail: a case for every status and every stage, and what accept makes of them. */

#include "suite_runs.h"

#define MUST_FAIL FIXTURES "/../tests/must-fail"
#define SUITE MUST_FAIL "/suite.yaml"

BEFORE_EACH
{
    rigproof_good("accept", MUST_FAIL "/goldens.yaml", "--goldens", "golden");
}

static void run(void)
{
    rigproof_gives(1, "check", SUITE, "--goldens", "golden");
}

static const struct {
    const char *name, *status, *stage, *headline; /* a part of it */
    bool vacuous;
} expected[] = {
    {"fail-import", "fail", "import", "`ribbon`", false},
    {"fail-map", "fail", "import", "material `paint` lost its normal map `paint_n.png`", false},
    {"fail-animate", "fail", "animate", "local transform of `tip`", false},
    {"fail-palette", "fail", "palette", "in scene space, was in root space", false},
    {"fail-draw", "fail", "draw", "frame 0.250", false},
    {"fail-framing", "fail", "draw", "(yaw 120 \342\206\222 30)", false},
    {"fail-two-stages", "fail", "animate", "; and on its own: draw: frame ", false},
    {"fail-times", "fail", "none", "0.500 s of the golden is not among the times", false},
    {"fail-time-missing", "missing", "none", "compared at 1 of 2 times: no golden for 0.750 s", false},
    {"fail-skin", "fail", "skin", "the GPU puts vertex ", false},
    {"xfail-tutorial-normals", "xfail", "skin", "the GPU turns the normal of vertex ", false},
    {"xfail-printed-ogldev", "xfail", "skin", "the GPU turns the normal of vertex ", false},
    {"xfail-printed-learnopengl", "xfail", "skin", "the GPU turns the normal of vertex ", false},
    {"fail-normals-zero", "fail", "skin", " a normal of length 0 at 0.250 s; it should be a unit vector", false},
    {"fail-normals-nan", "fail", "skin", " a normal that is no number at 0.250 s", false},
    {"fail-normals-long", "fail", "skin", " a normal of length 3 at 0.250 s", false},
    {"fail-other-motion", "fail", "skin", "away from the golden's", false},
    {"fail-other-unit", "fail", "skin", "100 times larger", false},
    {"fail-blank", "fail", "draw", "(`allow: blank` permits that)", true},
    {"fail-still", "fail", "animate", "both samples of clip `single` are the same, and no key of it moves anything; permit it with `allow: still`", true},
    {"fail-unskinned", "fail", "import", "nothing is skinned (`allow: unskinned` permits that)", true},
    {"missing", "missing", "none", "no golden", false},
    {"error-truncated", "error", "import", "truncated.glb", false},
    {"error-not-finite", "error", "import", "not a sensible number", false},
    {"error-no-such-clip", "error", "none", "no clip `run`", false},
    {"timeout", "timeout", "none", "no result after 0.001 s", false},
    {"xfail", "xfail", "animate", "of clip `linear-rotation`", false},
    {"xfail-error", "xfail", "import", "cyclic-nodes.gltf", false},
    {"unexpected-pass", "unexpected-pass", "none", "expects it to fail", false},
    {"skip", "skip", "none", NULL, false},
};
enum { CASES = sizeof expected / sizeof expected[0] };

SCRATCH_TEST(every_status_and_stage_is_found)
{
    SCOPED(text) all = {0};
    run();
    for (int i = 0; i < CASES; i++)
        text_addf(&all, "%s%s %s", i ? ", " : "", expected[i].name, expected[i].status);
    assert_statuses(text_string(&all));
    for (int i = 0; i < CASES; i++) {
        const char *name = expected[i].name, *stage = result_of(name, "stage");
        if (strcmp(stage, expected[i].stage) != 0)
            fail_msg("%s is said to be %s: %s", name, stage, result_of(name, "headline"));
        if (expected[i].headline)
            assert_contains(result_of(name, "headline"), expected[i].headline);
        assert_string_equal(result_of(name, "vacuous"), expected[i].vacuous ? "true" : "false");
        bool offered = strcmp(result_of(name, "accept"), "null") != 0;
        bool wanted = (strcmp(expected[i].status, "fail") == 0 && !expected[i].vacuous && strcmp(stage, "skin") != 0) ||
                      strcmp(expected[i].status, "missing") == 0;
        if (offered != wanted)
            fail_msg("%s: accept is %soffered", name, offered ? "" : "not ");
    }
    assert_contains(result_of("fail-map", "findings"), "metallic factor of material `paint` is 0.9, was 0.2");
    assert_contains(result_of("fail-map", "findings"), "the emissive map of material `paint` is `glow_b.png`, was `glow.png`");
    assert_string_equal(result_of("xfail", "reason"), "its golden has another clip");
    result_is("fail-animate", "stages.palette.state", "explained", "stages.draw.state", "explained");
    result_is("fail-two-stages", "stages.palette.state", "explained", "stages.draw.state", "differs");
    assert_string_equal(result_of("fail-palette", "stages.animate.state"), "passed");
    assert_string_equal(result_of("fail-draw", "stages.palette.state"), "passed");
    assert_string_equal(result_of("fail-skin", "stages.draw.state"), "passed");
    assert_string_equal(result_of("fail-other-unit", "stages.import.state"), "not-compared");
    assert_string_equal(result_of("fail-other-unit", "times[0].image.state"), "none"); /* there need be no golden */
}

/* One case of each status: its exit code. */
SCRATCH_TEST(exit_code_of_each)
{
    for (int i = 0; i < CASES; i++) {
        const char *status = expected[i].status;
        if (i > 0 && strcmp(status, expected[i - 1].status) == 0)
            continue;
        bool fails = strncmp(status, "xfail", 5) != 0 && strcmp(status, "skip") != 0;
        rigproof_gives(fails, "check", SUITE, "--goldens", "golden", "--filter", expected[i].name);
    }
}

SCRATCH_TEST(what_tests_nothing_is_not_accepted)
{
    const char *before = contents("golden");
    const struct outcome *outcome =
        run_gives(1, rigproof("accept", SUITE, "--goldens", "golden", "-f", "fail-blank", "-f", "fail-still", "-f",
                              "fail-unskinned", "-f", "error-truncated", "-f", "timeout", "-f", "fail-skin", "-f",
                              "fail-normals-*", NULL));
    assert_contains(outcome->out, "fail-skin: not accepted, ", "timeout: not accepted, ",
                    "accepted 0 cases (0 files), 9 refused: mend those cases or leave them out, and accept again\n");
    outcome = rigproof_good("accept", SUITE, "--goldens", "golden", "-f", "xfail", "-f", "unexpected-pass", "-f", "skip",
                            "-f", "fail-other-motion", "-f", "xfail-tutorial-normals");
    assert_string_equal(outcome->out, "nothing to accept\n");
    assert_string_equal(contents("golden"), before);
}

/* `--missing` leaves out what differs from its golden, and not what has none and can have none. */
SCRATCH_TEST(what_can_have_no_golden_is_named)
{
    const struct outcome *outcome =
        rigproof_gives(1, "accept", SUITE, "--goldens", "none", "--missing", "-n", "-f", "fail-blank", "-f",
                       "fail-still", "-f", "error-truncated", "-f", "timeout", "-f", "fail-skin", "-f", "fail-import");
    assert_contains(outcome->out, "fail-blank: not accepted, it tests nothing: ");
    assert_contains(outcome->out, "fail-still: not accepted, it tests nothing: nothing moves: ");
    assert_contains(outcome->out, "error-truncated: not accepted, it did not run to its end: ");
    assert_contains(outcome->out, "timeout: not accepted, it did not run to its end: ");
    assert_contains(outcome->out, "fail-skin: not accepted, the GPU does not skin as the CPU does");
    assert_contains(outcome->out, "would accept 1 case (6 files), 5 refused: mend those cases");
    outcome = rigproof_good("accept", SUITE, "--goldens", "golden", "--missing", "-f", "fail-import", "-f", "fail-draw");
    assert_string_equal(outcome->out, "nothing to accept\n");
}
