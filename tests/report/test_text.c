/* The report on a terminal, letter by letter. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "data/sample_results.h"
#include "report/report.h"
#include "run_binary.h"

#define HARMLESS "<script>alert(1)</script>\"'&\\u001b[31m\\n::warning::x %0A ]]> ##\\u005berror]"

static void line_is(size_t index, const char *expected)
{
    struct text text = {0};
    report_case_line(&sample_cases[index], false, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void every_status_has_a_line(void **state)
{
    (void)state;
    line_is(0, "pass     walker-walk\n");
    line_is(1,
            "FAIL     walker-walk-fbx  palette diverges first: bone `hand.L` moves 3.41 % of the radius at 0.250 s\n");
    line_is(
        2, "drift    walker-wave  numbers agree, 12 pixels differ by one level; the goldens are of another renderer\n");
    line_is(3, "MISSING  walker-new  there is no golden\n");
    line_is(4, "ERROR    no-such-clip  twins.gltf has no clip `" HARMLESS "`\n");
    line_is(5, "CRASH    deep  import of deep.gltf: crashed (SIGSEGV)\n");
    line_is(6, "TIMEOUT  endless  took more than 60 s\n");
    line_is(7, "xfail    known-broken  fails as expected: assimp#5332\n");
    line_is(8, "XPASS    mended  passes, although it is expected to fail: assimp#3390\n");
    line_is(9, "skip     later  skipped: ::error::" HARMLESS "\n");
}

/* Without a headline the summary of the culprit speaks. */
static void a_line_needs_no_headline(void **state)
{
    (void)state;
    struct case_result result = sample_cases[1];
    struct text text = {0};
    result.headline = NULL;
    report_case_line(&result, false, &text);
    assert_contains(text_string(&text), "FAIL     walker-walk-fbx  palette: bone `hand.L` (mesh `body`) moves 3.41 %");
    text_release(&text);
}

static void a_failing_case_is_told_in_full(void **state)
{
    (void)state;
    struct text text = {0};
    report_case_text(&sample_cases[1], "out/check", false, &text);
    assert_string_equal(
        text_string(&text),
        "FAIL     walker-walk-fbx: palette diverges first: bone `hand.L` moves 3.41 % of the radius at 0.250 s\n"
        "  model      ../fixtures/walker/walker.fbx, clip `rig|walk`, 3 times\n"
        "  import     agrees\n"
        "  animate    agrees\n"
        "  palette    DIFFERS: bone `hand.L` (mesh `body`) moves 3.41 % of the radius (0.0612 units), 4.1\xc2\xb0, at "
        "0.250 s\n"
        "  skin       agrees\n"
        "  draw       differs, explained by palette: 412 of 20113 pixels (2.05 %) differ by more than 8\n"
        "  tolerance  no tolerance lets it pass: bone `" HARMLESS "` is gone\n"
        "\n"
        "         at   of radius    distance      turned       moved      scaled  worst bones (lengths in "
        "scene units)\n"
        "    0.250 s      3.41 %      0.0612        4.1\xc2\xb0      0.0605      0.25 %  `hand.L` of `body`\n"
        "\n"
        "  - bone `" HARMLESS "` is gone\n"
        "\n"
        "  picture at 0.250 s, moved by `hand.L` (301), `lower arm.L` (120)\n"
        "    golden      out/check/golden/walker-walk-fbx/0.250.png\n"
        "    actual      out/check/walker-walk-fbx/0.250.png\n"
        "    difference  out/check/walker-walk-fbx/0.250-difference.png\n"
        "    heat map    out/check/walker-walk-fbx/0.250-heat.png\n"
        "\n"
        "  the golden was recorded with another setup:\n"
        "    `renderer`: golden llvmpipe (LLVM 15.0.6, 256 bits), here llvmpipe (LLVM 19.1.7, 256 bits)\n"
        "    `mesa`: golden 22.3.6, here 25.0.7\n"
        "\n"
        "  repeat     rigproof check suite.yaml --filter walker-walk-fbx\n"
        "  accept     rigproof accept suite.yaml --filter walker-walk-fbx\n");
    text_release(&text);
}

static void all_of(const struct results *results, size_t details, bool colour, struct text *out)
{
    report_text(results, &(struct report_text_options){.folder = "out", .colour = colour, .details = details}, out);
}

static void notes_and_the_tally_come_last(void **state)
{
    (void)state;
    struct text text = {0};
    all_of(&sample_results, 0, false, &text);
    const char *notes = strstr(text_string(&text), "The numbers agree and pixels differ");
    assert_non_null(notes);
    assert_string_equal(
        notes,
        "The numbers agree and pixels differ a little (--strict makes it a failure):\n"
        "  drift    walker-wave  numbers agree, 12 pixels differ by one level; the goldens are of another renderer\n"
        "  the golden was recorded with another setup:\n"
        "    `renderer`: golden llvmpipe (LLVM 15.0.6, 256 bits), here llvmpipe (LLVM 19.1.7, 256 bits)\n"
        "    `mesa`: golden 22.3.6, here 25.0.7\n"
        "\n"
        "Known failures:\n"
        "  xfail    known-broken  fails as expected: assimp#5332\n"
        "\n"
        "Skipped:\n"
        "  skip     later  skipped: ::error::" HARMLESS "\n"
        "\n"
        "No case uses these goldens:\n"
        "  - golden/old-case\n"
        "  - golden/walker-walk/0.125.png\n"
        "  remove     rigproof accept tests/suite.yaml --prune --goldens tests/golden\n"
        "\n"
        "6 of 10 cases fail: 1 fail, 1 missing, 1 error, 1 crash, 1 timeout, 1 unexpected-pass; 1 pass, 1 drift, 1 "
        "xfail, 1 skip\n");
    text_release(&text);
}

static void strict_drift_is_a_failure(void **state)
{
    (void)state;
    struct results strict = sample_results;
    struct text text = {0};
    strict.strict = true;
    all_of(&strict, 0, false, &text);
    assert_contains(text_string(&text), "\ndrift    walker-wave: numbers agree");
    assert_contains(text_string(&text), "7 of 10 cases fail: 1 drift, 1 fail,");
    assert_null(strstr(text_string(&text), "--strict"));
    text_release(&text);
}

static void good_runs_are_short(void **state)
{
    (void)state;
    struct results good = sample_results;
    struct text text = {0};
    good.case_count = 1;
    good.obsolete_count = 0;
    all_of(&good, 0, false, &text);
    assert_string_equal(text_string(&text), "1 case, all good: 1 pass\n");
    text_release(&text);
    good.case_count = 0;
    all_of(&good, 0, false, &text);
    assert_string_equal(text_string(&text), "0 cases, all good\n");
    text_release(&text);
}

static void stopped_runs_are_not_good(void **state)
{
    (void)state;
    const char *names[] = {"a", "b"};
    struct results stopped = sample_results;
    struct text text = {0};
    stopped.not_run = names;
    stopped.not_run_count = 2;
    report_tally(&stopped, false, &text);
    assert_contains(text_string(&text), "6 of 12 cases fail, 2 not run: 1 fail, ");
    text_release(&text);
    stopped.case_count = 1;
    report_tally(&stopped, false, &text);
    assert_string_equal(text_string(&text), "2 of 3 cases not run: 1 pass\n");
    text_release(&text);
}

static void many_failures_get_a_line_each(void **state)
{
    (void)state;
    struct text text = {0};
    all_of(&sample_results, 2, false, &text);
    assert_contains(text_string(&text), "\nMISSING  walker-new: there is no golden\n  model");
    assert_contains(text_string(&text), "\nERROR    no-such-clip  twins.gltf has no clip");
    assert_contains(text_string(&text), "\nXPASS    mended  passes");
    text_release(&text);
}

/* Their lines were printed while they ran: they are counted. */
static void lines_are_not_said_twice(void **state)
{
    (void)state;
    struct text text = {0};
    report_text(&sample_results, &(struct report_text_options){.folder = "out", .has_lines = true, .details = 2}, &text);
    assert_true(strncmp(text_string(&text), "\nFAIL     walker-walk-fbx: ", 26) == 0);
    assert_contains(text_string(&text), "\n4 more fail: a line for each is above, all of them are in the report\n\n");
    assert_null(strstr(text_string(&text), "XPASS"));
    text_release(&text);
}

static struct results many_missing(struct case_result *cases, char (*names)[16], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "new-%zu", i + 1);
        cases[i] = sample_cases[3];
        cases[i].name = names[i];
        if (i == 0)
            cases[i].accept = "rigproof accept s.yaml --filter new-1 --allow-outside";
    }
    return (struct results){.suite = "s.yaml", .cases = cases, .case_count = count};
}

static void many_missing_goldens_are_told_together(void **state)
{
    (void)state;
    static struct case_result cases[50];
    static char names[50][16];
    struct results results = many_missing(cases, names, 50);
    struct text text = {0};
    cases[7] = sample_cases[1];
    cases[8].headline = "no golden for 0.250 s";
    all_of(&results, 0, false, &text);
    assert_contains(text_string(&text),
                    "  accept     rigproof accept suite.yaml --filter walker-walk-fbx\n\n"
                    "MISSING  48 cases: there is no golden\n"
                    "  - new-1, new-2, new-3, new-4, new-5, new-6, new-7, new-10, new-11, new-12, new-13, new-14, new-15,\n"
                    "  - new-16, ");
    assert_contains(text_string(&text), "new-50\nMISSING  1 case: no golden for 0.250 s\n  - new-9\n"
                                        "  accept     rigproof accept s.yaml --missing --allow-outside\n\n");
    for (const char *line = text_string(&text); line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_true(strncmp(line, "  - ", 4) != 0 || strcspn(line, "\n") <= 101);
    text_release(&text);
    report_text(&results, &(struct report_text_options){.folder = "", .has_lines = true}, &text);
    assert_contains(text_string(&text), "new-42\n    and 8 more\n");
    text_release(&text);
}

/* A stage that was not compared does not differ. */
static void the_culprit_is_called_what_it_is(void **state)
{
    (void)state;
    struct case_result result = {
        .name = "still", .model = "m.gltf", .status = CASE_FAIL, .stage = STAGE_ANIMATE, .vacuous = true,
        .headline = "clip `a` does not move anything",
        .stages = {{.state = STAGE_NOT_COMPARED},
                   {STAGE_DIFFERS, "clip `a` does not move anything"},
                   {.state = STAGE_NOT_COMPARED},
                   {.state = STAGE_PASSED},
                   {.state = STAGE_NOT_COMPARED}},
    };
    struct text text = {0};
    report_case_text(&result, "", false, &text);
    assert_string_equal(text_string(&text), "FAIL     still: clip `a` does not move anything\n"
                                            "  model      m.gltf\n"
                                            "  As it is, this case tests nothing.\n"
                                            "  animate    tests nothing\n"
                                            "  skin       agrees\n"
                                            "  not compared: import, palette, draw\n");
    text_release(&text);
    result.vacuous = false;
    result.status = CASE_ERROR;
    report_case_text(&result, "", false, &text);
    assert_contains(text_string(&text), "\n  animate    FAILED\n");
    text_release(&text);
}

static void common_culprits_are_told(void **state)
{
    (void)state;
    struct case_result cases[] = {sample_cases[1], sample_cases[1], sample_cases[1]};
    struct results results = {.cases = cases, .case_count = 3, .suite = "s.yaml"};
    struct text text = {0};
    cases[2].stage = STAGE_IMPORT;
    all_of(&results, 0, false, &text);
    assert_contains(text_string(&text), "\nThey diverge first at import (1), palette (2)\n3 of 3 cases fail: 3 fail\n");
    text_release(&text);
}

/* A bone within the limit is nothing to look at. */
static void bones_within_the_limit_are_left_out(void **state)
{
    (void)state;
    struct bone_result bones[8];
    struct case_result result = sample_cases[1];
    struct text text = {0};
    for (int i = 0; i < 8; i++)
        bones[i] = sample_bones[0];
    bones[7].displacement = 1e-5;
    bones[0].scale_percent = 8e-6;
    result.bones = bones;
    result.bone_count = 8;
    report_case_text(&result, "", false, &text);
    assert_contains(text_string(&text), "`hand.L` of `body`\n  and 2 more\n");
    assert_contains(text_string(&text), "0.0605         0 %  `hand.L` of `body`\n"); /* rounding scales nothing */
    text_release(&text);
}

static void colour_is_only_there_when_asked_for(void **state)
{
    (void)state;
    struct text plain = {0}, coloured = {0};
    all_of(&sample_results, 0, false, &plain);
    all_of(&sample_results, 0, true, &coloured);
    assert_null(strchr(text_string(&plain), '\x1b'));
    assert_contains(text_string(&coloured), "\x1b[1;31mFAIL\x1b[0m");
    assert_contains(text_string(&coloured), "\x1b[33mdrift\x1b[0m");
    assert_null(strstr(text_string(&coloured), "\x1b[31m")); /* the bone's own */
    text_release(&plain);
    text_release(&coloured);
}

/* GitHub's runner takes a line that begins with "::", after blanks, for a command. */
static void no_line_begins_with_a_name(void **state)
{
    (void)state;
    struct results results = sample_results;
    struct case_result cases[sizeof sample_cases / sizeof sample_cases[0]];
    struct bone_result bone = sample_bones[0];
    const char *obsolete[] = {"::error::x"};
    struct fingerprint_entry entries[] = {{"::error::x", "::error::y"}};
    struct text text = {0};
    memcpy(cases, sample_cases, sizeof cases);
    bone.bone = bone.mesh = "::error::x";
    for (size_t i = 0; i < results.case_count; i++) {
        cases[i].headline = cases[i].model = cases[i].clip = cases[i].reason = "::error::x";
        cases[i].bones = &bone;
        cases[i].bone_count = 1;
        cases[i].golden = (struct fingerprint){1, entries};
    }
    results.cases = cases;
    results.obsolete = obsolete;
    results.obsolete_count = 1;
    all_of(&results, 0, false, &text);
    for (const char *line = text.data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_true(strncmp(line + strspn(line, " \t"), "::", 2) != 0);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_line),
        cmocka_unit_test(a_line_needs_no_headline),
        cmocka_unit_test(a_failing_case_is_told_in_full),
        cmocka_unit_test(notes_and_the_tally_come_last),
        cmocka_unit_test(strict_drift_is_a_failure),
        cmocka_unit_test(good_runs_are_short),
        cmocka_unit_test(stopped_runs_are_not_good),
        cmocka_unit_test(many_failures_get_a_line_each),
        cmocka_unit_test(lines_are_not_said_twice),
        cmocka_unit_test(many_missing_goldens_are_told_together),
        cmocka_unit_test(the_culprit_is_called_what_it_is),
        cmocka_unit_test(common_culprits_are_told),
        cmocka_unit_test(bones_within_the_limit_are_left_out),
        cmocka_unit_test(colour_is_only_there_when_asked_for),
        cmocka_unit_test(no_line_begins_with_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
