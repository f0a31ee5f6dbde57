/* From findings to a verdict: which stage is blamed, what status a case gets. */
#include "cmocka_setup.h"

#include <string.h>

#include "compare/judge.h"

struct court {
    struct arena *arena;
    struct findings findings;
    struct judge_facts facts;
    struct case_result result;
    struct time_result times[2];
};

/* Everything compared, nothing found. */
static void open_court(struct court *court)
{
    struct error err = {0};
    memset(court, 0, sizeof *court);
    court->arena = arena_create((size_t)1 << 20, &err);
    assert_non_null(court->arena);
    court->findings.arena = court->arena;
    court->result.times = court->times;
    court->result.time_count = 2;
    court->times[0] = (struct time_result){.label = "0.000", .image.state = IMAGE_SAME};
    court->times[1] = (struct time_result){.label = "0.250", .time = 0.25, .image.state = IMAGE_SAME};
    for (int s = 0; s < STAGE_COUNT; s++)
        court->facts.compared[s] = true;
}

static void find(struct court *court, enum stage stage, bool benign, double displacement, const char *text)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.benign = benign;
    finding.displacement = displacement;
    findings_add(&court->findings, &finding, "%s", text);
}

static void judge(struct court *court)
{
    judge_case(&court->findings, &court->facts, &court->result);
}

static void require_states(const struct court *court, const enum stage_state expected[STAGE_COUNT])
{
    for (int s = 0; s < STAGE_COUNT; s++)
        assert_int_equal(court->result.stages[s].state, expected[s]);
}

static void nothing_found_passes(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    judge(&court);
    assert_int_equal(court.result.status, CASE_PASS);
    assert_int_equal(court.result.stage, STAGE_NONE);
    assert_null(court.result.headline);
    require_states(&court, (enum stage_state[]){STAGE_PASSED, STAGE_PASSED, STAGE_PASSED, STAGE_PASSED, STAGE_PASSED});
    arena_destroy(court.arena);
}

static void the_first_stage_is_the_culprit(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    find(&court, STAGE_DRAW, false, 0.5, "the picture");
    find(&court, STAGE_PALETTE, false, 0.1, "bone b");
    find(&court, STAGE_PALETTE, false, 0.2, "bone a");
    find(&court, STAGE_ANIMATE, true, 0.9, "an order");
    judge(&court);
    assert_int_equal(court.result.status, CASE_FAIL);
    assert_int_equal(court.result.stage, STAGE_PALETTE);
    assert_string_equal(court.result.headline, "bone a");
    require_states(&court,
                   (enum stage_state[]){STAGE_PASSED, STAGE_PASSED, STAGE_DIFFERS, STAGE_PASSED, STAGE_EXPLAINED});
    assert_string_equal(court.result.stages[STAGE_ANIMATE].summary, "an order");
    assert_string_equal(court.result.stages[STAGE_PALETTE].summary, "bone a");
    assert_null(court.result.stages[STAGE_SKIN].summary);
    assert_int_equal(court.result.finding_count, 4);
    arena_destroy(court.arena);
}

static void find_kind(struct court *court, enum stage stage, enum finding_kind kind, const char *mesh, const char *text)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.kind = kind;
    finding.benign = kind == FINDING_REPAIR;
    finding.mesh = mesh;
    findings_add(&court->findings, &finding, "%s", text);
}

/* A regression may have stilled the clip, or emptied the frame: it leads, in the stage of the vacuity as well. */
static void vacuity_does_not_hide_a_difference(void **state)
{
    (void)state;
    static const enum stage differing[] = {STAGE_NONE, STAGE_IMPORT, STAGE_ANIMATE, STAGE_DRAW};
    for (size_t i = 0; i < sizeof differing / sizeof differing[0]; i++) {
        struct court court;
        open_court(&court);
        find_kind(&court, STAGE_ANIMATE, FINDING_VACUITY, NULL, "clip `walk` does not move anything");
        if (differing[i] != STAGE_NONE)
            find(&court, differing[i], false, 0.5, "what differs");
        judge(&court);
        bool leads = differing[i] == STAGE_IMPORT || differing[i] == STAGE_ANIMATE;
        assert_int_equal(court.result.status, CASE_FAIL);
        assert_string_equal(court.result.headline, leads ? "what differs" : "clip `walk` does not move anything");
        assert_int_equal(court.result.vacuous, !leads);
        assert_string_equal(court.result.vacuity, "clip `walk` does not move anything");
        arena_destroy(court.arena);
    }
}

static void repairs_are_said_behind_the_import_s_difference(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    find_kind(&court, STAGE_IMPORT, FINDING_REPAIR, NULL, "repair `a` is new: mesh \"arm\"");
    judge(&court);
    assert_int_equal(court.result.status, CASE_PASS);
    find_kind(&court, STAGE_IMPORT, FINDING_DIFFERENCE, "body", "12 vertices lost their weights");
    judge(&court);
    assert_string_equal(court.result.headline, "12 vertices lost their weights (repair `a` is new: mesh \"arm\")");
    assert_string_equal(court.result.stages[STAGE_IMPORT].summary, court.result.headline);
    arena_destroy(court.arena);
    open_court(&court);
    find_kind(&court, STAGE_IMPORT, FINDING_DIFFERENCE, "body #1", "12 vertices lost their weights");
    find_kind(&court, STAGE_IMPORT, FINDING_REPAIR, NULL, "repair `a` is new: mesh \"body\" #0");
    find_kind(&court, STAGE_IMPORT, FINDING_REPAIR, NULL, "repair `b` is new: mesh \"body\" #1");
    judge(&court);
    assert_string_equal(court.result.headline,
                        "12 vertices lost their weights (repair `b` is new: mesh \"body\" #1; 1 more came or went)");
    arena_destroy(court.arena);
}

static void a_golden_of_two_runs_fails(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    court.facts.mismatch = "import.json";
    court.facts.missing = court.facts.expect_fail = true;
    judge(&court);
    assert_int_equal(court.result.status, CASE_FAIL);
    assert_int_equal(court.result.stage, STAGE_NONE);
    assert_non_null(strstr(court.result.headline, "import.json of the golden does not match its hash in recorded.json: "));
    find(&court, STAGE_ANIMATE, false, 0.1, "bone a");
    court.facts.expect_fail = false;
    judge(&court);
    assert_int_equal(court.result.stage, STAGE_ANIMATE);
    assert_string_equal(court.result.headline,
                        "bone a; import.json of the golden does not match its hash in recorded.json");
    arena_destroy(court.arena);
}

static void what_was_not_compared_is_no_pass(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    court.facts.compared[STAGE_IMPORT] = court.facts.compared[STAGE_DRAW] = false;
    find(&court, STAGE_SKIN, false, 0.1, "vertex 3");
    judge(&court);
    require_states(&court, (enum stage_state[]){STAGE_NOT_COMPARED, STAGE_PASSED, STAGE_PASSED, STAGE_DIFFERS,
                                               STAGE_NOT_COMPARED});
    arena_destroy(court.arena);
}

static void benign_findings_pass(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    find(&court, STAGE_IMPORT, true, NAN, "bones come in another order");
    judge(&court);
    assert_int_equal(court.result.status, CASE_PASS);
    assert_int_equal(court.result.finding_count, 1);
    arena_destroy(court.arena);
}

static void a_failure_outweighs_a_missing_golden(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    court.facts.missing = true;
    court.facts.missing_what = "no golden for 0.250 s";
    judge(&court);
    assert_int_equal(court.result.status, CASE_MISSING);
    assert_string_equal(court.result.headline, "no golden for 0.250 s");
    find(&court, STAGE_SKIN, false, 0.1, "vertex 3");
    judge(&court);
    assert_int_equal(court.result.status, CASE_FAIL);
    arena_destroy(court.arena);
}

static void drift_needs_another_renderer(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    court.times[1].image = (struct image_result){.state = IMAGE_NOISE, .max_delta = 2};
    judge(&court);
    assert_int_equal(court.result.status, CASE_PASS);
    court.facts.fingerprint_differs = true;
    judge(&court);
    assert_int_equal(court.result.status, CASE_DRIFT);
    assert_string_equal(court.result.headline, "pixels differ by up to 2 levels, and it was recorded with another setup");
    struct fingerprint_entry golden[] = {{"mesa", "22.3.6"}, {"fma", "yes"}, {"llvm", "15"}}, actual[] = {{"mesa", "25.0.7"}, {"fma", "yes"}};
    court.result.golden = (struct fingerprint){3, golden};
    court.result.actual = (struct fingerprint){2, actual};
    judge(&court);
    assert_non_null(strstr(court.result.headline, ", and it was recorded with another setup: `mesa`, `llvm`"));
    court.times[1].image.state = IMAGE_SAME; /* another renderer, same pixels */
    judge(&court);
    assert_int_equal(court.result.status, CASE_PASS);
    arena_destroy(court.arena);
}

static void expected_failures(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    court.facts.expect_fail = true;
    judge(&court);
    assert_int_equal(court.result.status, CASE_UNEXPECTED_PASS);
    assert_non_null(court.result.headline);
    court.facts.missing = true;
    court.facts.missing_what = "no golden";
    judge(&court);
    assert_int_equal(court.result.status, CASE_MISSING);
    find(&court, STAGE_IMPORT, false, 0.1, "offset");
    judge(&court);
    assert_int_equal(court.result.status, CASE_XFAIL);
    assert_int_equal(court.result.stage, STAGE_IMPORT);
    arena_destroy(court.arena);
}

static void findings_are_capped(void **state)
{
    (void)state;
    struct court court;
    open_court(&court);
    for (int i = 0; i < RESULT_MAX_FINDINGS + 10; i++)
        find(&court, STAGE_PALETTE, false, i, "a bone");
    judge(&court);
    assert_int_equal(court.result.finding_count, RESULT_MAX_FINDINGS);
    assert_int_equal(court.result.findings_left_out, 10);
    assert_true(court.result.findings[0].displacement == RESULT_MAX_FINDINGS + 9);
    arena_destroy(court.arena);
}

static void a_picture_says_where(void **state)
{
    (void)state;
    struct court court;
    struct image_bone bones[] = {{"hand.L", "body", 40}, {"fore.L", "body", 12}};
    const struct image golden = {.width = 160, .height = 120};
    open_court(&court);
    judge_image(&court.times[0], &golden, &court.findings); /* equal: nothing to say */
    assert_int_equal(court.findings.count, 0);
    court.times[1].image = (struct image_result){
        .state = IMAGE_DIFFERS, .width = 160, .height = 120, .max_delta = 120, .changed = 52, .foreground = 1040, .share = 0.05,
        .box = {12, 34, 56, 78}, .bone_count = 2, .bones = bones,
    };
    judge_image(&court.times[1], &golden, &court.findings);
    assert_int_equal(court.findings.count, 1);
    assert_int_equal(court.findings.items[0].stage, STAGE_DRAW);
    assert_false(court.findings.items[0].benign);
    assert_string_equal(court.findings.items[0].subject, "hand.L");
    assert_string_equal(court.findings.items[0].text,
                        "frame 0.250: 5 % of the foreground differs (52 of 1040 px, by up to 120 levels) in 56x78 at 12,34; "
                        "bones `hand.L`, `fore.L`");
    arena_destroy(court.arena);
}

static void a_picture_of_another_size_says_so(void **state)
{
    (void)state;
    struct court court;
    const struct image golden = {.width = 160, .height = 100};
    open_court(&court);
    court.times[1].image = (struct image_result){.state = IMAGE_DIFFERS, .width = 160, .height = 120, .share = 1};
    judge_image(&court.times[1], &golden, &court.findings);
    assert_int_equal(court.findings.count, 1);
    assert_string_equal(court.findings.items[0].text, "frame 0.250 is 160x120, its golden 160x100");
    arena_destroy(court.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_found_passes),
        cmocka_unit_test(the_first_stage_is_the_culprit),
        cmocka_unit_test(vacuity_does_not_hide_a_difference),
        cmocka_unit_test(repairs_are_said_behind_the_import_s_difference),
        cmocka_unit_test(a_golden_of_two_runs_fails),
        cmocka_unit_test(what_was_not_compared_is_no_pass),
        cmocka_unit_test(benign_findings_pass),
        cmocka_unit_test(a_failure_outweighs_a_missing_golden),
        cmocka_unit_test(drift_needs_another_renderer),
        cmocka_unit_test(expected_failures),
        cmocka_unit_test(findings_are_capped),
        cmocka_unit_test(a_picture_says_where),
        cmocka_unit_test(a_picture_of_another_size_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
