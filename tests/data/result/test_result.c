/* Findings in their order, and results.json: letter by letter, there and back, and what it refuses. */

#include "data/sample_results.h"
#include "run_binary.h"

GROUP_ARENA((size_t)1 << 20)

TEST(some_statuses_fail)
{
    for (int i = 0; i < CASE_STATUS_COUNT; i++) {
        bool is_good = i == CASE_PASS || i == CASE_DRIFT || i == CASE_XFAIL || i == CASE_SKIP;
        assert_int_equal(case_status_fails((enum case_status)i, false), !is_good);
        assert_int_equal(case_status_fails((enum case_status)i, true), !is_good || i == CASE_DRIFT);
    }
}

static void add(struct findings *findings, enum stage stage, bool benign, double displacement, const char *text)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.subject = text;
    finding.benign = benign;
    finding.displacement = displacement;
    findings_add(findings, &finding, "%s", text);
}

/* Nodes that are gone are gone at every time. */
TEST(what_has_no_figures_is_said_once)
{
    struct findings list = {.arena = arena};
    add(&list, STAGE_ANIMATE, false, NAN, "node `hips` is missing");
    add(&list, STAGE_ANIMATE, false, NAN, "node `hand` is missing");
    add(&list, STAGE_ANIMATE, false, NAN, "node `hips` is missing");
    assert_int_equal(list.count, 2);
    add(&list, STAGE_ANIMATE, true, NAN, "node `hips` is missing");
    add(&list, STAGE_PALETTE, false, NAN, "node `hips` is missing");
    add(&list, STAGE_PALETTE, false, 0.5, "bone `hips` is off");
    add(&list, STAGE_PALETTE, false, 0.5, "bone `hips` is off");
    assert_int_equal(list.count, 6);
}

TEST(sorted_by_stage_then_harm_then_size)
{
    struct findings list = {.arena = arena};
    add(&list, STAGE_DRAW, false, 1, "j");
    add(&list, STAGE_PALETTE, false, 0.5, "f");
    add(&list, STAGE_PALETTE, true, 9, "i");
    add(&list, STAGE_PALETTE, false, 0.1, "g");
    add(&list, STAGE_PALETTE, false, 0.7, "e");
    add(&list, STAGE_PALETTE, false, 0.1, "h");
    add(&list, STAGE_IMPORT, true, NAN, "d");
    add(&list, STAGE_IMPORT, false, NAN, "a");
    add(&list, STAGE_IMPORT, false, 2, "c");
    add(&list, STAGE_IMPORT, false, NAN, "b");
    findings_sort(&list);
    for (int i = 0; i < 10; i++)
        assert_int_equal(list.items[i].text[0], "abcdefghij"[i]);
}

TEST(results_are_counted)
{
    size_t counts[CASE_STATUS_COUNT];
    results_tally(&sample_results, counts);
    for (int i = 0; i < CASE_STATUS_COUNT; i++)
        assert_int_equal(counts[i], 1);
    assert_false(results_good(&sample_results));
    struct case_result good[] = {{.status = CASE_PASS}, {.status = CASE_DRIFT}, {.status = CASE_XFAIL}};
    struct results run = {.case_count = 3, .cases = good};
    assert_true(results_good(&run));
    run.strict = true;
    assert_false(results_good(&run));
    run = (struct results){.not_run_count = 2};
    assert_false(results_good(&run));
}

/* results.example.json, letter by letter. */
SCRATCH_TEST(a_thing_is_a_line)
{
    struct case_result one[] = {sample_cases[1]};
    struct finding finding[] = {sample_findings[0]};
    struct results results = sample_results;
    SCOPED(text) text = {0};
    one[0].findings = finding;
    one[0].passes_from = "would pass from shell: 0.035";
    one[0].finding_count = one[0].bone_count = 1;
    results.cases = one;
    results.case_count = 1;
    results_write(&results, &text);
    spill("found.json", text_string(&text));
    assert_same_files(FIXTURES "/../tests/data/result/results.example.json", "found.json");
}

static struct results *read_back(const struct text *text)
{
    return assert_good(results_read(text->data, text->size, "results.json", err));
}

SCRATCH_TEST(what_is_written_is_read)
{
    const char *names[] = {"a", "b"};
    struct results sample = sample_results;
    SCOPED(text) first = {0}, second = {0};
    sample.not_run = names;
    sample.not_run_count = 2;
    sample.shader_warnings = names;
    sample.shader_warning_count = 2;
    results_write(&sample, &first);
    require_json(first.data, first.size);
    RESULTS *back = read_back(&first);
    assert_string_equal(back->suite, sample_results.suite);
    assert_int_equal(back->shard, 2);
    assert_int_equal(back->shard_count, 5);
    assert_int_equal(back->case_count, sample_results.case_count);
    const struct case_result *failing = &back->cases[1];
    assert_int_equal(failing->status, CASE_FAIL);
    assert_int_equal(failing->stage, STAGE_PALETTE);
    assert_true(failing->findings[0].tolerance == TOLERANCE_SHELL && failing->findings[0].measure == 0.0341);
    assert_true(isinf(failing->findings[1].measure) && isnan(failing->findings[1].displacement));
    assert_true(isinf(failing->measured[TOLERANCE_SHELL]) && failing->measured[TOLERANCE_SKIN] == 2.5e-7);
    assert_true(isnan(failing->times[1].error[STAGE_IMPORT]) && failing->times[1].error[STAGE_DRAW] == 0.0205);
    assert_true(failing->facts->compared[STAGE_DRAW] && !failing->facts->missing_what);
    assert_null(back->cases[0].facts);
    assert_string_equal(back->cases[1].bones[1].bone, EVIL_NAME);
    assert_string_equal(back->prune, sample_results.prune);
    assert_int_equal(back->not_run_count, 2);
    assert_string_equal(back->not_run[1], "b");
    assert_int_equal(back->shader_warning_count, 2);
    assert_string_equal(back->shader_warnings[1], "b");
    assert_string_equal(back->obsolete[1], "golden/walker-walk/0.125.png");
    results_write(back, &second);
    assert_string_equal(text_string(&first), text_string(&second));
}

/* In an arena of its own, whatever becomes of the original. */
TEST(a_copy_needs_no_original)
{
    struct case_result cases[sizeof sample_cases / sizeof sample_cases[0]];
    struct results copies = sample_results;
    SCOPED(text) first = {0}, second = {0};
    results_write(&sample_results, &first);
    RESULTS *original = read_back(&first);
    copies.cases = cases;
    for (size_t i = 0; i < copies.case_count; i++)
        cases[i] = *case_result_copy(&original->cases[i], arena);
    results_write(&copies, &second);
    assert_string_equal(text_string(&first), text_string(&second));
}

/* A run writes what diagnose gives it, up to six mistakes together; a report must read that. */
TEST(as_many_causes_as_there_may_be_are_read_back)
{
    struct case_cause causes[RESULT_MAX_CAUSES];
    struct case_explanation explanation = {1, 0, RESULT_MAX_CAUSES, causes};
    struct case_result one = sample_cases[0];
    struct results results = sample_results;
    SCOPED(text) text = {0};
    for (int i = 0; i < RESULT_MAX_CAUSES; i++)
        causes[i] = (struct case_cause){"parent-order", "palette", "a sentence", NULL, "a remedy"};
    one.explanations = &explanation;
    one.explanation_count = 1;
    results.cases = &one;
    results.case_count = 1;
    results_write(&results, &text);
    RESULTS *read = read_back(&text);
    assert_int_equal(6, read->cases[0].explanations[0].cause_count);
    assert_string_equal("a remedy", read->cases[0].explanations[0].causes[5].remedy);
}

/* The sample with the first `from` replaced by `to`. */
static void broken(const char *from, const char *to, struct text *out)
{
    SCOPED(text) whole = {0};
    results_write(&sample_results, &whole);
    char *at = strstr(whole.data, from);
    if (!at)
        fail_msg("there is no %s", from);
    text_add_bytes(out, whole.data, (size_t)(at - whole.data));
    text_add(out, to);
    text_add(out, at + strlen(from));
}

static void refuses(const char *from, const char *to, const char *complaint)
{
    SCOPED(text) text = {0};
    struct error err = {0};
    broken(from, to, &text);
    struct results *results = results_read(text.data, text.size, "shard.json", &err);
    if (results)
        fail_msg("%s was taken for %s", to, from);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_contains(err.text, "shard.json: ");
    assert_contains(err.text, complaint);
}

TEST(broken_files_are_refused)
{
    refuses("rigproof.results/1", "rigproof.results/2", "format: expected \"rigproof.results/1\"");
    refuses("\"name\": \"walker-walk\",", "", "cases[0].name: expected a string, found nothing");
    refuses("\"line\": 7", "\"line\": -1", "cases[0].line: expected a whole number");
    refuses("\"line\": 7", "\"line\": 7.5", "cases[0].line: expected a whole number");
    refuses("\"line\": 7", "\"line\": \"7\"", "cases[0].line: expected a whole number");
    refuses("\"status\": \"fail\"", "\"status\": \"failed\"", "cases[1].status: expected one of \"pass\"");
    refuses("\"stage\": \"palette\"", "\"stage\": \"palettes\"", "cases[1].stage: expected one of \"none\"");
    refuses("\"state\": \"differs\"", "\"state\": \"other\"", "cases[1].stages.palette.state: expected one of");
    refuses("\"state\": \"same\"", "\"state\": \"other\"", "cases[1].times[0].image.state: expected one of");
    refuses("\"vacuous\": false", "\"vacuous\": 0", "cases[0].vacuous: expected true or false");
    refuses("\"time\": 0.25", "\"time\": 1e999", "not valid JSON");
    refuses("\"time\": 0.25", "\"time\": NaN", "not valid JSON");
    refuses("\"displacement\": 0.0341", "\"displacement\": -0.1", "cases[1].findings[0].displacement");
    refuses("\"max_delta\": 143", "\"max_delta\": 256", "cases[1].times[1].image.max_delta: expected at most 255");
    refuses("\"width\": 320", "\"width\": 65536", "cases[1].times[0].image.width: expected at most 65535");
    refuses("[101, 40, 33, 52]", "[101, 40, 33]", "cases[1].times[1].image.box: expected 4 items");
    refuses("[101, 40, 33, 52]", "[101, 40, 33, -1]", "cases[1].times[1].image.box[3]");
    refuses("\"walker-walk-fbx/0.250.png\"", "\"/etc/shadow\"", "cases[1].times[1].image.actual: expected a path relative");
    refuses("\"walker-walk-fbx/0.250.png\"", "\"\"", "cases[1].times[1].image.actual: expected a path relative");
    refuses("\"over_time\": [0, 0.0341, null]", "\"over_time\": [0, 0.0341]",
            "cases[1].bones: over_time: expected a number for each of 3 times, but item 0 has 2");
    refuses("[2, 7]", "[143, 7]", "cases[1].times[1].image.levels: expected differences that ascend");
    refuses("[2, 7]", "[2]", "cases[1].times[1].image.levels[0]: expected 2 items");
    refuses("\"over_time\": [0, 0.0341, null]", "\"over_time\": [0, 0.0341, \"\"]", "bones[0].over_time[2]: expected a number");
    refuses("{\"number\": 2, \"of\": 5}", "{\"number\": 6, \"of\": 5}", "there is no shard 6 of 5");
    refuses("{\"number\": 2, \"of\": 5}", "[]", "shard: expected an object");
    refuses("\"mesa\": \"25.0.7\"", "\"mesa\": 25", "fingerprint.mesa: expected a string");
    refuses("\"pixel_delta\": 8", "\"pixel_delta\": 300", "cases[1].tolerance.pixel_delta: expected at most 255");
    refuses("\"obsolete\": [", "\"obsolete\": [null,", "obsolete[0]: expected a string");
    refuses("rigproof check suite.yaml", "rigproof check\\nrm -r", "cases[1].repeat: expected a command on one line");
    refuses("tests/suite.yaml --prune", "tests/suite.yaml --prune\\n#", "prune: expected a command on one line");
    refuses("rigproof accept suite.yaml", "\\u001b[8mrm -r", "cases[1].accept: expected a command on one line");
    refuses("\"suite\"", "\"format\": \"\", \"suite\"", "not valid JSON");
}

/* More of something than a report can hold. */
static void refuses_many(const char *list, const char *item, int count, const char *complaint)
{
    SCOPED(text) many = {0};
    char empty[64];
    snprintf(empty, sizeof empty, "\"%s\": []", list);
    text_addf(&many, "\"%s\": [", list);
    for (int i = 0; i < count; i++)
        text_addf(&many, "%s%s", i ? "," : "", item);
    text_add(&many, "]");
    refuses(empty, text_string(&many), complaint);
}

TEST(too_many_are_refused)
{
    refuses_many("findings", "0", RESULT_MAX_FINDINGS + 1, "cases[0].findings: expected at most 64 items, found 65");
    refuses_many("bones", "0", RESULT_MAX_BONES + 1, "cases[0].bones: expected at most 24 items");
    refuses_many("findings", "0", RESULT_MAX_FINDINGS, "cases[0].findings[0]: expected an object");
    refuses_many("times", "0", 100000, "more than fits in memory");
}

TEST(a_part_of_a_file_is_none)
{
    SCOPED(text) text = {0};
    results_write(&sample_results, &text);
    for (size_t size = 0; size < text.size - 1; size += 97) {
        FREED char *part = exact_copy(text.data, size);
        assert_refused(results_read(part, size, "part.json", err), "part.json: not valid JSON");
    }
}

/* What is read of one case is what is read of it among all, whatever its texts hold. */
TEST(one_case_is_read_without_the_others)
{
    SCOPED(text) all = {0}, one = {0}, two = {0};
    struct results results = sample_results, alone;
    struct case_result cases[3] = {sample_cases[0], sample_cases[1], sample_cases[3]};
    cases[0].headline = "\"name\": \"b\"}, {\"name\": \"b\", [\\";
    cases[0].name = "a";
    cases[1].name = "b";
    cases[2].name = "bb";
    results.cases = cases;
    results.case_count = 3;
    results_write(&results, &all);
    for (int i = 0; i < 3; i++) {
        one.size = two.size = 0;
        alone = results;
        alone.cases = &cases[i];
        alone.case_count = 1;
        results_write(&alone, &two);
        assert_true(results_narrow(all.data, all.size, cases[i].name, &one));
        RESULTS *read = assert_good(results_read(one.data, one.size, "one", err));
        one.size = 0;
        results_write(read, &one);
        assert_string_equal(text_string(&one), text_string(&two));
    }
    assert_false(results_narrow(all.data, all.size, "c", &one));
    assert_false(results_narrow(all.data, all.size, "walker-walk-fbx", &one));
    for (size_t size = 1; size < all.size; size++) { /* cut anywhere: no case, or what no reader takes */
        RESULTS *read = NULL;
        FREED char *cut = exact_copy(all.data, size);
        one.size = 0;
        if (results_narrow(cut, size, "b", &one))
            read = results_read(one.data, one.size, "cut", ANY_ERROR);
        assert_true(!read || size + 2 > all.size);
    }
}

/* Names and costs alone; of a file that is cut those that are whole. */
TEST(costs_are_read_without_the_rest)
{
    SCOPED(text) all = {0};
    struct results results = sample_results;
    struct case_result cases[3] = {sample_cases[0], sample_cases[1], sample_cases[3]};
    cases[0].headline = "\"name\": \"b\", \"cost\": 9}, {\"cost\": 8, [\\";
    for (uint32_t i = 0; i < 3; i++) {
        cases[i].cost = i < 2 ? 1000 + i : UINT32_MAX;
        cases[i].import_cost = 50 * i;
    }
    results.cases = cases;
    results.case_count = 3;
    results_write(&results, &all);
    RESULTS *read = results_read_costs(all.data, all.size, ANY_ERROR);
    assert_int_equal(read->case_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(read->cases[i].name, cases[i].name);
        assert_int_equal(read->cases[i].cost, cases[i].cost);
        assert_int_equal(read->cases[i].import_cost, cases[i].import_cost);
    }
    for (size_t size = 1; size < all.size; size += 7) {
        FREED char *cut = exact_copy(all.data, size);
        RESULTS *some = results_read_costs(cut, size, ANY_ERROR);
        assert_true(some->case_count <= 3);
    }
    static const char *const odd[] = {"", "{", "[]", "{\"cases\": 3}", "{\"cases\": [3, {\"cost\": 1}, {\"name\": \"", "{\"cases\": [{\"name\": \"a\", \"cost\": 99999999999}"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        RESULTS *none = results_read_costs(odd[i], strlen(odd[i]), ANY_ERROR);
        assert_int_equal(none->case_count, i == 5);
        assert_true(i != 5 || none->cases[0].cost == 0);
    }
}
