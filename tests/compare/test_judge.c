/* From findings to a verdict: which stage is blamed, what status a case gets, from which limits on it would pass. */
#include "cmocka_setup.h"

#include "compare/compare.h"
#include "report/sentences.h"

struct court {
    struct arena *arena;
    struct findings findings;
    struct judge_facts facts;
    struct case_result result;
    struct time_result times[2];
};

static struct court court;

/* Everything compared before the pictures, nothing found. */
static void open_court(void)
{
    arena_destroy(court.arena);
    court = (struct court){.arena = arena_require((size_t)1 << 20)};
    court.findings.arena = court.arena;
    court.result.times = court.times;
    court.result.time_count = 2;
    court.times[0] = (struct time_result){.label = "0.000"};
    court.times[1] = (struct time_result){.label = "0.250", .time = 0.25};
    for (int s = 0; s < STAGE_COUNT; s++)
        court.facts.compared[s] = true;
}

static int open_it(void **state)
{
    open_court();
    return 0;
}

#define COURT_TEST(name) TEST_WITH(name, open_it, NULL)

static void find(struct finding finding, const char *text)
{
    findings_add(&court.findings, &finding, "%s", text);
}

/* A finding that no tolerance allows. */
static struct finding of(enum stage stage, double displacement)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.displacement = displacement;
    return finding;
}

static struct finding measured(enum tolerance_key key, double measure)
{
    struct finding finding = of(tolerance_stage(key), measure);
    finding.tolerance = key;
    finding.measure = measure;
    return finding;
}

static struct finding benign(struct finding finding)
{
    finding.benign = true;
    return finding;
}

static struct finding coded(enum finding_code code, const char *mesh)
{
    struct finding finding = finding_of(code);
    finding.mesh = mesh;
    return finding;
}

static struct finding explained(struct finding finding, enum stage by)
{
    finding.explained = by;
    return finding;
}

static void judged(enum case_status status, enum stage stage, const char *headline)
{
    judge_case(&court.findings, &court.facts, &court.result);
    report_say(&court.result, court.arena);
    assert_int_equal(court.result.status, status);
    assert_int_equal(court.result.stage, stage);
    if (!headline) {
        assert_null(court.result.headline);
        return;
    }
    assert_memory_equal(court.result.headline, headline, strlen(headline));
    const char *visible = court.result.headline + strlen(headline); /* which tests/report/test_sentences.c is about */
    assert_true(!*visible || strncmp(visible, "; the skin", 10) == 0 || strncmp(visible, "; pixels differ", 15) == 0 ||
                strcmp(visible, "; skin and pixels differ") == 0);
}

static void require_states(const char *states)
{
    static const char letters[] = {[STAGE_NOT_COMPARED] = '-', [STAGE_PASSED] = 'p', [STAGE_DIFFERS] = 'D', [STAGE_EXPLAINED] = 'e',
                                   [STAGE_UNVERIFIED] = 'u'};
    for (int s = 0; s < STAGE_COUNT; s++)
        assert_int_equal(letters[court.result.stages[s].state], states[s]);
}

COURT_TEST(the_first_stage_is_the_culprit)
{
    judged(CASE_PASS, STAGE_NONE, NULL);
    require_states("ppppp");
    find(benign(of(STAGE_ANIMATE, 0.9)), "an order");
    find(of(STAGE_NONE, 0.1), "nobody's");
    judged(CASE_PASS, STAGE_NONE, NULL);
    find(explained(of(STAGE_DRAW, 0.5), STAGE_PALETTE), "the picture");
    find(of(STAGE_PALETTE, 0.1), "bone b");
    find(of(STAGE_PALETTE, 0.2), "bone a");
    court.facts.compared[STAGE_IMPORT] = false;
    judged(CASE_FAIL, STAGE_PALETTE, "bone a");
    require_states("-pDpe");
    assert_string_equal(court.result.stages[STAGE_ANIMATE].summary, "an order");
    assert_null(court.result.stages[STAGE_SKIN].summary);
    assert_int_equal(court.result.finding_count, 5);
    for (int i = 0; i < RESULT_MAX_FINDINGS + 6; i++)
        find(of(STAGE_PALETTE, 1 + i), "a bone");
    judged(CASE_FAIL, STAGE_PALETTE, "a bone");
    assert_int_equal(court.result.finding_count, RESULT_MAX_FINDINGS);
    assert_int_equal(court.result.findings_left_out, 11);
    assert_true(court.result.findings[2].displacement == RESULT_MAX_FINDINGS + 6);
}

/* A regression may have stilled the clip, or emptied the frame: it leads, in the stage of the vacuity as well. */
COURT_TEST(what_remains_is_another_culprit)
{
    find(of(STAGE_IMPORT, 1e-4), "toe end");
    find(explained(of(STAGE_ANIMATE, 1e-4), STAGE_IMPORT), "local toe end");
    find(explained(of(STAGE_PALETTE, 3.0), STAGE_ANIMATE), "toe end follows");
    find(of(STAGE_PALETTE, 2.0), "thumb_L");
    find(of(STAGE_PALETTE, 1.0), "thumb_R");
    find(explained(of(STAGE_DRAW, 0.9), STAGE_PALETTE), "the picture");
    judged(CASE_FAIL, STAGE_IMPORT, "toe end; and on its own: palette: thumb_L");
    require_states("DeDpe");
    assert_string_equal(court.result.stages[STAGE_PALETTE].summary, "thumb_L"); /* not what follows, which is off more */
    assert_string_equal(court.result.stages[STAGE_ANIMATE].by, "import");
    assert_string_equal(court.result.stages[STAGE_DRAW].by, "palette");
    assert_null(court.result.stages[STAGE_PALETTE].by);
}

/* Neither a stage that does not fail, nor one after it, nor itself. */
COURT_TEST(only_what_fails_before_explains)
{
    find(benign(of(STAGE_IMPORT, NAN)), "an order");
    find(explained(of(STAGE_ANIMATE, 0.1), STAGE_IMPORT), "a node");
    find(explained(of(STAGE_PALETTE, 0.1), STAGE_DRAW), "a bone");
    find(explained(of(STAGE_DRAW, 0.1), STAGE_DRAW), "the picture");
    judged(CASE_FAIL, STAGE_ANIMATE, "a node; and on its own: palette: a bone; and on its own: draw: the picture");
    require_states("pDDpD");
}

/* A case may leave out stages of the pose. What follows from one of these follows from the stage before that fails. */
COURT_TEST(a_stage_that_is_left_out_hands_on)
{
    static const struct {
        unsigned left_out;
        enum stage fails, later, by, said;
    } cases[] = {
        {1u << STAGE_PALETTE, STAGE_ANIMATE, STAGE_SKIN, STAGE_PALETTE, STAGE_ANIMATE},
        {1u << STAGE_ANIMATE | 1u << STAGE_PALETTE, STAGE_SKIN, STAGE_DRAW, STAGE_ANIMATE, STAGE_SKIN},
        {0, STAGE_ANIMATE, STAGE_SKIN, STAGE_PALETTE, STAGE_NONE},                  /* it was compared, and agrees */
        {1u << STAGE_IMPORT, STAGE_SKIN, STAGE_DRAW, STAGE_IMPORT, STAGE_NONE}, /* a texture is nothing of a pose */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_court();
        court.findings.not_asked = cases[i].left_out;
        find(of(cases[i].fails, 0.1), "the first");
        find(explained(of(cases[i].later, 0.1), cases[i].by), "the later");
        judge_case(&court.findings, &court.facts, &court.result);
        const char *by = court.result.stages[cases[i].later].by;
        assert_string_equal(by ? by : "", cases[i].said == STAGE_NONE ? "" : stage_name(cases[i].said));
    }
}

COURT_TEST(what_cannot_be_recomputed_is_neither)
{
    struct finding picture = of(STAGE_DRAW, 0.5);
    picture.unverified = true;
    find(picture, "the picture");
    judged(CASE_FAIL, STAGE_DRAW, "the picture"); /* there is nothing that it could follow from */
    require_states("ppppD");
    open_court();
    find(of(STAGE_IMPORT, 0.1), "a node");
    find(picture, "the picture");
    judged(CASE_FAIL, STAGE_IMPORT, "a node");
    require_states("Dpppu");
    find(of(STAGE_DRAW, 0.1), "another picture");
    judged(CASE_FAIL, STAGE_IMPORT, "a node; and on its own: draw: another picture");
    require_states("DpppD");
}

COURT_TEST(vacuity_does_not_hide_a_difference)
{
    static const enum stage differing[] = {STAGE_NONE, STAGE_IMPORT, STAGE_ANIMATE, STAGE_DRAW};
    for (size_t i = 0; i < sizeof differing / sizeof differing[0]; i++) {
        open_court();
        find(coded(CODE_LOCALS_STILL, NULL), "clip `walk` does not move anything");
        if (differing[i] != STAGE_NONE)
            find(of(differing[i], 0.5), "what differs");
        bool leads = differing[i] == STAGE_IMPORT || differing[i] == STAGE_ANIMATE;
        judged(CASE_FAIL, leads ? differing[i] : STAGE_ANIMATE,
               leads                        ? "what differs"
               : differing[i] == STAGE_DRAW ? "clip `walk` does not move anything; and on its own: draw: what differs"
                                            : "clip `walk` does not move anything");
        assert_int_equal(court.result.stages[STAGE_ANIMATE].state, /* what differs before may have stilled it */
                         differing[i] == STAGE_IMPORT ? STAGE_EXPLAINED : STAGE_DIFFERS);
        assert_int_equal(court.result.vacuous, !leads);
        assert_string_equal(court.result.vacuity, "clip `walk` does not move anything");
    }
}

COURT_TEST(repairs_are_said_behind_the_import_s_difference)
{
    find(coded(CODE_REPAIR_NEW, "arm"), "repair `a` is new: mesh \"arm\"");
    judged(CASE_PASS, STAGE_NONE, NULL);
    find(coded(CODE_MESH_INFLUENCES, "body"), "12 vertices lost their weights");
    judged(CASE_FAIL, STAGE_IMPORT, "12 vertices lost their weights (repair `a` is new: mesh \"arm\")");
    assert_memory_equal(court.result.headline, court.result.stages[STAGE_IMPORT].summary,
                        strlen(court.result.stages[STAGE_IMPORT].summary));
    open_court();
    find(coded(CODE_MESH_INFLUENCES, "body #1"), "12 vertices lost their weights");
    struct finding gone = coded(CODE_REPAIR_GONE, "body #1"), other = coded(CODE_REPAIR_NEW, "body #0");
    gone.subject = "c";
    other.subject = "a";
    find(gone, "repair `c` is no longer needed; it said: mesh \"body\" #1");
    find(other, "repair `a` is new: mesh \"body\" #0");
    find(coded(CODE_REPAIR_NEW, "body #1"), "repair `b` is new: mesh \"body\" #1");
    for (int again = 0; again < 2; again++)
        judged(CASE_FAIL, STAGE_IMPORT,
               "12 vertices lost their weights (repair `b` is new: mesh \"body\" #1; `a` is new too; `c` is no longer needed)");
    other.subject = "gltf-integers";
    open_court();
    find(coded(CODE_MESH_INFLUENCES, "body"), "142 vertices with 2 influences, were 133");
    find(other, "repair `gltf-integers` is new: 51 attributes of vertices are integers");
    judged(CASE_FAIL, STAGE_IMPORT,
           "the file's numbers are integers now (quantised); 142 vertices with 2 influences, were 133");
}

/* One status outweighs another: an error, a difference, a golden of two runs, a missing golden, what is expected. */
COURT_TEST(facts_have_an_order)
{
    static const char two_runs[] = "import.json of the golden does not match its hash in recorded.json: an `accept` was "
                                   "interrupted, or the file was changed by hand; look at it and accept the case again";
    court.facts.expect_fail = true;
    judged(CASE_UNEXPECTED_PASS, STAGE_NONE,
           "the case passes, but the suite expects it to fail: remove `expect: fail`");
    court.facts.missing_what = "no golden for 0.250 s";
    judged(CASE_MISSING, STAGE_NONE, "no golden for 0.250 s");
    court.facts.mismatch = "import.json";
    judged(CASE_FAIL, STAGE_NONE, arena_printf(court.arena, "%s; no golden for 0.250 s", two_runs));
    find(of(STAGE_SKIN, 0.1), "vertex 3");
    judged(CASE_XFAIL, STAGE_SKIN,
           "vertex 3; import.json of the golden does not match its hash in recorded.json; no golden for 0.250 s");
    court.facts.not_sampled = "0.500 s too many";
    judged(CASE_XFAIL, STAGE_SKIN,
           "vertex 3; import.json of the golden does not match its hash in recorded.json; 0.500 s too many; no golden for 0.250 s");
    assert_string_equal(court.result.passes_from, "no tolerance lets it pass");
    judged(CASE_XFAIL, STAGE_SKIN, court.result.headline); /* not said twice */
    court.facts.expect_fail = false;
    judged(CASE_FAIL, STAGE_SKIN, court.result.headline);
    court.facts.error = "no clip";
    judged(CASE_ERROR, STAGE_SKIN, "no clip");
    court.facts.expect_fail = true;
    judged(CASE_XFAIL, STAGE_SKIN, "no clip");
}

COURT_TEST(drift_needs_another_renderer)
{
    court.times[1].image = (struct image_result){.state = IMAGE_NOISE, .max_delta = 2};
    judged(CASE_PASS, STAGE_NONE, NULL);
    court.facts.fingerprint_differs = true;
    judged(CASE_DRIFT, STAGE_NONE, "pixels differ by up to 2 levels; the golden was recorded with another setup");
    struct fingerprint_entry golden[] = {{"mesa", "22.3.6"}, {"fma", "yes"}, {"llvm", "15"}};
    struct fingerprint_entry actual[] = {{"mesa", "25.0.7"}, {"fma", "yes"}, {"new", "1"}};
    court.result.golden = (struct fingerprint){3, golden};
    court.result.actual = (struct fingerprint){3, actual};
    judged(CASE_DRIFT, STAGE_NONE,
           "pixels differ by up to 2 levels; the golden was recorded with another setup: `mesa`, `llvm`, `new`");
    court.times[1].image.state = IMAGE_SAME; /* another renderer, same pixels */
    judged(CASE_PASS, STAGE_NONE, NULL);
}

COURT_TEST(pictures_say_where)
{
    struct image_bone bones[] = {{"hand.L", "body", 40}, {"fore.L", "body", 12}};
    const struct image golden = {.width = 160, .height = 120}, smaller = {.width = 160, .height = 100};
    judge_image(court.times, 0, &golden, &court.findings); /* equal: nothing to say */
    assert_int_equal(court.findings.count, 0);
    court.times[1].image = (struct image_result){
        .state = IMAGE_DIFFERS, .width = 160, .height = 120, .max_delta = 120, .changed = 52, .foreground = 1040, .share = 0.05,
        .box = {12, 34, 56, 78}, .bone_count = 2, .bones = bones,
    };
    judge_image(court.times, 1, &golden, &court.findings);
    judge_image(court.times, 1, &smaller, &court.findings);
    const struct finding *differs = &court.findings.items[0], *other_size = &court.findings.items[1];
    assert_true(differs->code == CODE_FRAME && differs->index == 1);
    assert_int_equal(court.findings.count, 2);
    assert_int_equal(differs->stage, STAGE_DRAW);
    assert_string_equal(differs->subject, "hand.L");
    assert_true(differs->tolerance == TOLERANCE_PIXEL_SHARE && differs->measure == 0.05);
    assert_true(other_size->tolerance == TOLERANCE_NONE && isinf(other_size->measure));
    assert_int_equal(other_size->code, CODE_FRAME_SIZE);
    judged(CASE_FAIL, STAGE_DRAW, "frame 0.250: 5 % of the foreground differs (52 of 1040 px, by up to 120 levels) in "
                                          "56x78 at 12,34; bones `hand.L`, `fore.L`");
    assert_string_equal(court.result.findings[1].text, "frame 0.250 is 160x120, its golden is 160x100");
}

/* A limit within which importers and rasterisers differ is named without more. */
COURT_TEST(sane_limits_are_told_from_others)
{
    for (enum tolerance_key key = TOLERANCE_IMPORT; key < TOLERANCE_COUNT; key++) {
        double sane = key == TOLERANCE_PIXEL_SHARE || key == TOLERANCE_FRAMING || key == TOLERANCE_INFLUENCES ? 0.01
                      : key == TOLERANCE_KEYS                                                                 ? 2
                                                                                                              : 0.001;
        assert_null(tolerance_risk(key, sane));
        assert_non_null(tolerance_risk(key, 1.1 * sane));
    }
    findings_measure(&court.findings, TOLERANCE_KEYS, 2);
    find(measured(TOLERANCE_KEYS, 2), "keys");
    findings_measure(&court.findings, TOLERANCE_INFLUENCES, 0.0049);
    find(measured(TOLERANCE_INFLUENCES, 0.0049), "influences");
    judged(CASE_FAIL, STAGE_IMPORT, "keys");
    assert_string_equal(court.result.passes_from, "would pass from influences: 0.0049 (import), keys: 2 (import)");
}

/* What nobody asked for is no finding, no measure and no explanation; that a case tests nothing is. */
COURT_TEST(what_was_not_asked_for_is_not_found)
{
    court.findings.not_asked = 1u << STAGE_IMPORT | 1u << STAGE_ANIMATE;
    assert_false(findings_measure(&court.findings, TOLERANCE_IMPORT, 0.5));
    assert_false(findings_measure(&court.findings, TOLERANCE_LOCAL, INFINITY));
    find(measured(TOLERANCE_IMPORT, 0.5), "import");
    findings_add_fault(&court.findings, &(struct import_fault){.about = FAULT_NODE, .name = "a"});
    assert_int_equal(court.findings.count + court.findings.fault_count, 0);
    struct finding follows = measured(TOLERANCE_SHELL, 0.01);
    follows.explained = STAGE_ANIMATE;
    find(follows, "bone a");
    court.facts.compared[STAGE_IMPORT] = court.facts.compared[STAGE_ANIMATE] = false;
    court.facts.absent[STAGE_IMPORT] = court.facts.absent[STAGE_ANIMATE] = "not asked for";
    judged(CASE_FAIL, STAGE_PALETTE, "bone a");
    assert_int_equal(court.result.stages[STAGE_PALETTE].state, STAGE_DIFFERS);
    assert_int_equal(court.result.stages[STAGE_IMPORT].state, STAGE_NOT_COMPARED);
    assert_string_equal(court.result.stages[STAGE_ANIMATE].summary, "not asked for");
    assert_true(court.result.measured[TOLERANCE_IMPORT] == 0);
    find(coded(CODE_LOCALS_STILL, NULL), "it does not move");
    assert_int_equal(court.findings.count, 2);
}

/* Rounded up, so that what is printed is enough; of all keys that do not suffice. */
COURT_TEST(limits_that_would_do_are_named)
{
    findings_measure(&court.findings, TOLERANCE_SKIN, 2e-6); /* within */
    findings_measure(&court.findings, TOLERANCE_SHELL, 0.003031);
    find(measured(TOLERANCE_SHELL, 0.003031), "bone a");
    judged(CASE_FAIL, STAGE_PALETTE, "bone a");
    assert_string_equal(court.result.passes_from, "would pass from shell: 0.0031 (palette); look at it first: 0.0031 of "
                                                 "the model's radius hides a wrong limb");
    assert_int_equal(court.result.needed_count, 1);
    assert_true(court.result.needed[0].key == TOLERANCE_SHELL && court.result.needed[0].least == 0.0031);
    findings_measure(&court.findings, TOLERANCE_LOCAL, 0.021);
    find(measured(TOLERANCE_LOCAL, 0.021), "node a");
    struct image_level levels[] = {{2, 900}, {9, 5}, {77, 20}};
    court.times[1].image = (struct image_result){
        .state = IMAGE_DIFFERS, .levels = levels, .level_count = 3, .foreground = 1000, .max_delta = 77};
    judge_picture(&tolerance_defaults, &court.times[1].image);
    assert_int_equal(court.times[1].image.changed, 25);
    court.times[1].image.explained = "animate";
    judge_image(court.times, 1, NULL, &court.findings);
    judged(CASE_FAIL, STAGE_ANIMATE, "node a; and on its own: palette: bone a");
    require_states("pDDpe");
    assert_string_equal(court.result.passes_from, "would pass from shell: 0.021 (animate, palette), pixels: {share: 0.025} (draw); look at it first: 0.021 of the "
                        "model's radius hides a wrong limb, 0.025 of the foreground hides a hand that is missing");
    assert_int_equal(court.result.needed_count, 3);
    assert_true(court.result.measured[TOLERANCE_SKIN] == 2e-6 && court.result.measured[TOLERANCE_PIXEL_SHARE] == 0.025);
    find(of(STAGE_SKIN, NAN), "bone `x` is missing");
    judged(CASE_FAIL, STAGE_ANIMATE,
           "node a; and on its own: palette: bone a; and on its own: skin: bone `x` is missing");
    assert_string_equal(court.result.passes_from, "no tolerance lets it pass: bone `x` is missing");
    assert_true(isinf(court.result.measured[TOLERANCE_SKIN]));
}

/* A picture drawn from the golden's pose says what of it is the picture's own, under any tolerance. */
COURT_TEST(what_remains_of_a_picture_counts)
{
    struct image_level levels[] = {{100, 500}}, few[] = {{100, 30}};
    struct image_bone bones[] = {{"hand.L", "body", 40}};
    struct image_result rest = {.state = IMAGE_DIFFERS, .levels = few, .level_count = 1, .foreground = 1000, .max_delta = 100, .bones = bones,
                                .bone_count = 1};
    find(of(STAGE_ANIMATE, 0.5), "node a");
    court.times[1].image = (struct image_result){.state = IMAGE_DIFFERS, .levels = levels, .level_count = 1,
        .foreground = 1000, .max_delta = 100, .explained = "animate", .remaining = &rest};
    judge_picture(&tolerance_defaults, &court.times[1].image);
    judge_image(court.times, 1, NULL, &court.findings);
    assert_string_equal(court.findings.items[1].subject, "hand.L");
    assert_true(court.findings.items[1].displacement == 0.03 && court.findings.items[1].measure == 0.5);
    judged(CASE_FAIL, STAGE_ANIMATE,
           "node a; and on its own: draw: frame 0.250: 3 % of the foreground differs beside what is explained (30 of 1000 px, "
           "by up to 100 levels) in 0x0 at 0,0; bone `hand.L`");
    struct tolerance loose = tolerance_defaults;
    loose.pixel_share = 0.03;
    judge_again(&court.result, &loose, court.arena);
    report_say(&court.result, court.arena);
    require_states("pDppe");
    assert_string_equal(court.result.headline, "node a; pixels differ, the skin does not");
}

COURT_TEST(results_are_judged_again)
{
    struct tolerance loose = tolerance_defaults, tight = tolerance_defaults;
    findings_measure(&court.findings, TOLERANCE_SHELL, 0.003);
    findings_measure(&court.findings, TOLERANCE_LOCAL, 5e-6);
    find(measured(TOLERANCE_SHELL, 0.003), "bone a");
    judged(CASE_FAIL, STAGE_PALETTE, "bone a");
    loose.shell = 0.003;
    tight.shell = 1e-6;
    struct case_result again = court.result;
    judge_again(&again, &loose, court.arena);
    report_say(&again, court.arena);
    assert_int_equal(again.status, CASE_PASS);
    assert_int_equal(again.finding_count, 0);
    again = court.result;
    judge_again(&again, &tight, court.arena);
    report_say(&again, court.arena);
    assert_int_equal(again.stage, STAGE_ANIMATE); /* which was within the limit */
    assert_string_equal(again.headline,
                        "local transforms differ by up to 0.0005 % of the model's radius; and on its own: palette: bone a; the skin "
                        "agrees");
    assert_true(judge_can_repeat(&again));
    again = court.result;
    again.measured[TOLERANCE_SHELL] = INFINITY; /* of a finding that was one of too many */
    judge_again(&again, &tight, court.arena);
    report_say(&again, court.arena);
    assert_string_equal(again.passes_from, "no tolerance lets it pass");
    again.facts = NULL; /* as earlier versions wrote it */
    assert_false(judge_can_repeat(&again));
    again.status = CASE_CRASH;
    assert_true(judge_can_repeat(&again));
    judge_again(&again, &loose, court.arena);
    report_say(&again, court.arena);
    assert_int_equal(again.status, CASE_CRASH);
}
