/* Annotations and the summary of a step. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/sample_results.h"
#include "report/report.h"
#include "run_binary.h"

#define FFFD "\xef\xbf\xbd"

static void failing_cases_are_errors(void **state)
{
    (void)state;
    struct text text = {0};
    report_github_annotations(&sample_results, "repo/tests/suite.yaml", &text);
    assert_string_equal(
        text_string(&text),
        "::error file=repo/tests/suite.yaml,line=12,title=walker-walk-fbx%3A fail at palette::palette diverges first: "
        "bone "
        "`hand.L` moves 3.41 %25 of the radius at 0.250 s%0Arigproof check suite.yaml --filter walker-walk-fbx\n"
        "::error file=repo/tests/suite.yaml,line=24,title=no-such-clip%3A error::twins.gltf has no clip "
        "`<script>alert(1)</script>\"'&" FFFD "[31m%0A::warning::x %250A ]]> ##[error]`\n"
        "::error file=repo/tests/suite.yaml,line=27,title=deep%3A crash::import of deep.gltf: crashed (SIGSEGV)\n"
        "::error file=repo/tests/suite.yaml,line=30,title=endless%3A timeout::took more than 60 s\n"
        "::error file=repo/tests/suite.yaml,line=36,title=mended%3A unexpected-pass::passes, although it is expected "
        "to "
        "fail: assimp#3390\n"
        "::error file=repo/tests/suite.yaml,line=21,title=walker-new%3A missing::there is no golden\n"
        "::notice file=repo/tests/suite.yaml,title=rigproof%3A drift::1 of 10 cases: the numbers agree, pixels differ "
        "a "
        "little, and the goldens were recorded with another setup\n"
        "::notice file=repo/tests/suite.yaml,title=rigproof%3A obsolete goldens::no case uses 2 of the goldens; accept "
        "--prune removes them\n");
    text_release(&text);
}

static struct results many_failures(struct case_result *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cases[i] = sample_cases[1];
    return (struct results){.suite = "s.yaml", .cases = cases, .case_count = count};
}

/* GitHub shows ten: the tenth says how many there are. */
static void ten_annotations_are_all_there_is(void **state)
{
    (void)state;
    static struct case_result cases[14];
    static const struct {
        size_t failing, lines;
    } runs[] = {{1, 1}, {10, 10}, {11, 10}, {14, 10}};
    for (size_t i = 0; i < 4; i++) {
        struct results results = many_failures(cases, runs[i].failing);
        struct text text = {0};
        report_github_annotations(&results, "s.yaml", &text);
        assert_int_equal(count_lines(text_string(&text)), runs[i].lines);
        text_release(&text);
    }
    struct results results = many_failures(cases, 14);
    struct text text = {0};
    report_github_annotations(&results, "s.yaml", &text);
    assert_contains(text_string(&text), "::error file=s.yaml,title=rigproof::5 more cases fail;");
    text_release(&text);
}

/* Forty new cases must not hide the one that broke. */
static void what_broke_comes_before_what_is_missing(void **state)
{
    (void)state;
    static struct case_result cases[40];
    struct results results = many_failures(cases, 40);
    struct text text = {0};
    for (size_t i = 0; i < 40; i++)
        cases[i] = sample_cases[i == 37 ? 1 : 3];
    report_github_annotations(&results, "s.yaml", &text);
    assert_true(strncmp(text_string(&text), "::error file=s.yaml,line=12,title=walker-walk-fbx", 49) == 0);
    text_release(&text);
    report_github_summary(&results, "out", &text);
    assert_contains(text_string(&text), "<th>what</th></tr>\n<tr><td>walker-walk-fbx</td>");
    assert_contains(text_string(&text), "</table>\n\n<details><summary>walker-walk-fbx</summary>");
    text_release(&text);
}

/* An import that differs has no bone of its own in the table of bones: the one that moves farthest for it is shown. */
static void explained_bones_are_shown(void **state)
{
    (void)state;
    struct case_result result = sample_cases[1];
    struct results results = {.suite = "s.yaml", .cases = &result, .case_count = 1};
    struct text text = {0};
    result.stage = STAGE_IMPORT;
    report_github_summary(&results, "out", &text);
    assert_contains(text_string(&text), "<td>import</td><td>hand.L</td><td>0.250 s</td>");
    text_release(&text);
}

static void good_runs_say_nothing(void **state)
{
    (void)state;
    struct results good = sample_results;
    struct text text = {0};
    good.case_count = 1;
    good.obsolete_count = 0;
    report_github_annotations(&good, "s.yaml", &text);
    assert_string_equal(text_string(&text), "");
    report_github_summary(&good, "out", &text);
    assert_string_equal(text_string(&text),
                        "<h3>rigproof: tests/suite.yaml, shard 2 of 5</h3>\n\n<p>1 case, all good: 1 pass\n</p>\n\n");
    text_release(&text);
}

static void summary_has_a_row_and_details(void **state)
{
    (void)state;
    struct text text = {0};
    report_github_summary(&sample_results, "out/check", &text);
    assert_contains(text_string(&text), "<h3>rigproof: tests/suite.yaml, shard 2 of 5</h3>\n\n<p>6 of 10 cases fail: ");
    assert_contains(
        text_string(&text),
        "<tr><td>walker-walk-fbx</td><td>fail</td><td>palette</td><td>hand.L</td><td>0.250 s</td><td>palette "
        "diverges first: bone `hand.L` moves 3.41 % of the radius at 0.250 s</td></tr>\n");
    assert_contains(text_string(&text),
                    "<tr><td>deep</td><td>crash</td><td></td><td></td><td></td><td>import of deep.gltf: "
                    "crashed (SIGSEGV)</td></tr>\n");
    assert_contains(text_string(&text),
                    "<details><summary>walker-walk-fbx</summary>\n\n<pre>FAIL     walker-walk-fbx: ");
    assert_null(strstr(text_string(&text), "<script"));
    assert_null(strstr(text_string(&text), "walker-wave"));
    text_release(&text);
}

/* An empty line would end the table for Markdown, and what follows would be Markdown. */
static void no_name_leaves_the_table(void **state)
{
    (void)state;
    struct case_result result = sample_cases[4];
    struct results results = {.suite = "s.yaml", .cases = &result, .case_count = 1};
    struct text text = {0};
    result.headline = "a\n\n# b\n\n</table>[x](y)";
    report_github_summary(&results, "out", &text);
    assert_contains(text_string(&text), "<td>a\\n\\n# b\\n\\n&lt;/table&gt;[x](y)</td></tr>\n</table>\n");
    text_release(&text);
}

static void long_summaries_are_cut(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    struct case_result *cases = calloc(MANY, sizeof *cases);
    assert_non_null(cases);
    struct results results = many_failures(cases, MANY);
    struct text text = {0};
    report_github_summary(&results, "out", &text);
    assert_true(text.size < 1 << 20);
    assert_contains(text_string(&text), "<tr><td colspan=\"6\">and 2800 more</td></tr>\n");
    text_release(&text);
    free(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_cases_are_errors),
        cmocka_unit_test(ten_annotations_are_all_there_is),
        cmocka_unit_test(what_broke_comes_before_what_is_missing),
        cmocka_unit_test(explained_bones_are_shown),
        cmocka_unit_test(good_runs_say_nothing),
        cmocka_unit_test(summary_has_a_row_and_details),
        cmocka_unit_test(no_name_leaves_the_table),
        cmocka_unit_test(long_summaries_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
