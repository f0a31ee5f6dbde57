/* rigproof report: one file, shards, pictures, exit codes, annotations. */

#include "cli/pictures.h"
#include "data/sample_results.h"
#include "suite_runs.h"

/* ---- results to report on -------------------------------------------------------------------------------------- */

static void spill_results(const char *path, const struct results *results)
{
    SCOPED(text) text = {0};
    results_write(results, &text);
    spill(path, text_string(&text));
}

/* Some of the sample's cases, by their indices. */
static struct results some_of(struct case_result *cases, const size_t *indices, size_t count)
{
    struct results results = sample_results;
    for (size_t i = 0; i < count; i++)
        cases[i] = sample_cases[indices[i]];
    results.cases = cases;
    results.case_count = count;
    results.shard = results.shard_count = 0;
    results.obsolete_count = 0;
    return results;
}

static void write_shard(const char *path, uint32_t shard, uint32_t of, const size_t *indices, size_t count)
{
    struct case_result cases[16];
    struct results results = some_of(cases, indices, count);
    results.shard = shard;
    results.shard_count = of;
    spill_results(path, &results);
}

static void write_good(const char *path)
{
    write_shard(path, 0, 0, (const size_t[]){0, 2, 7, 9}, 4);
}

/* ---- one file -------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(text_goes_to_stdout)
{
    write_shard("out/results.json", 0, 0, (const size_t[]){0, 1}, 2);
    const struct outcome *outcome = rigproof_gives(1, "report", "out/results.json");
    assert_string_equal(outcome->err, "");
    assert_contains(outcome->out, "FAIL     walker-walk-fbx: palette diverges first",
                    "    golden      out/golden/walker-walk-fbx/0.250.png\n", "\n1 of 2 cases fails; 1 pass\n");
    assert_null(strchr(outcome->out, '\x1b'));
    assert_null(strstr(outcome->out, "::error"));
    assert_string_equal(scratch_listing(), "out");
}

SCRATCH_TEST(exit_code_tells_good_from_bad)
{
    write_good("good.json");
    rigproof_good("report", "good.json");
    static const size_t bad[] = {1, 3, 4, 5, 6, 8};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_shard("bad.json", 0, 0, &bad[i], 1);
        rigproof_gives(1, "report", "bad.json");
    }
    struct case_result cases[1];
    struct results strict = some_of(cases, (const size_t[]){2}, 1);
    strict.strict = true;
    spill_results("strict.json", &strict);
    rigproof_gives(1, "report", "strict.json");
}

/* Nothing that failed is nothing that was tested. */
SCRATCH_TEST(no_cases_are_an_error)
{
    struct case_result cases[1];
    struct results none = some_of(cases, (const size_t[]){2}, 0);
    spill_results("none.json", &none);
    rigproof_refuses("no case is in these results", "report", "none.json", "-o", "page");
    rigproof_refuses("no case is in these results", "report", "none.json", "--html", "page.html");
}

/* Without an argument the last run, and of a folder its results. */
SCRATCH_TEST(the_last_run_is_found)
{
    write_good("out/check/results.json");
    const struct outcome *found = rigproof_good("report");
    assert_string_equal(found->err, "results: out/check/results.json\n");
    assert_string_equal(rigproof_good("report", "out/check")->out, found->out);
    assert_string_equal(rigproof_good("report", "out/check/results.json")->out, found->out);
}

SCRATCH_TEST(unreadable_files_are_errors)
{
    spill("no.json", "{");
    spill("other.json", "{\"format\": \"rigproof.pose/1\"}");
    rigproof_refuses("cannot open nowhere.json", "report", "nowhere.json");
    rigproof_refuses("no.json: not valid JSON, line 1", "report", "no.json");
    rigproof_refuses("expected \"rigproof.results/1\"", "report", "other.json");
    rigproof_refuses("there is no run in out/check here", "report");
    write_good("good.json");
    rigproof_refuses("no.json: not valid JSON", "report", "good.json", "no.json");
    spill("limits.yaml", "shell: 1\n"); /* the sample is as earlier versions wrote it */
    rigproof_refuses("case `walker-walk` cannot be judged again: it has no `measured` and no `facts`", "report",
                     "good.json", "--tolerance", "limits.yaml");
}

SCRATCH_TEST(a_folder_holds_all)
{
    write_good("good.json");
    const struct outcome *outcome = rigproof_good("report", "good.json", "-o", "new/folder");
    assert_contains(outcome->out, "\nreport     new/folder/report.html\n");
    assert_contains(slurp("new/folder/report.html", NULL), "<title>4 cases, all good - tests/suite.yaml</title>");
    assert_contains(slurp("new/folder/junit.xml", NULL), "<testsuites name=\"rigproof\" tests=\"4\"");
    assert_same_files("good.json", "new/folder/results.json");
    rigproof_good("report", "new/folder/results.json", "-o", "new/folder"); /* onto itself */
    assert_same_files("good.json", "new/folder/results.json");
    assert_string_equal(rigproof_good("report", "good.json", "-q", "-o", "new/folder")->out, "");
}

SCRATCH_TEST(each_format_goes_where_it_is_wanted)
{
    write_good("good.json");
    rigproof_good("report", "good.json", "--html", "a/page.html", "--junit", "b/tests.xml", "--json", "c/all.json");
    assert_contains(slurp("a/page.html", NULL), "</html>");
    assert_contains(slurp("b/tests.xml", NULL), "</testsuites>");
    assert_same_files("good.json", "c/all.json");
    assert_string_equal(rigproof_good("report", "good.json", "--junit", "-")->out, slurp("b/tests.xml", NULL));
    rigproof_refuses("good.json", "report", "good.json", "-o", "good.json/x");
}

/* A test runner asks for one case after another: the text and the exit code are that case's. */
SCRATCH_TEST(a_case_is_told_alone)
{
    struct results results = sample_results;
    const char *not_run[] = {"too-late"};
    results.not_run = not_run;
    results.not_run_count = 1;
    spill_results("run/results.json", &results);
    static const struct {
        const char *name, *says;
        int code;
    } cases[] = {{"walker-walk", "pass     walker-walk", 0},      {"walker-walk-fbx", "FAIL     walker-walk-fbx: ", 1},
                 {"walker-wave", "drift    walker-wave", 0},      {"walker-new", "MISSING  walker-new", 1},
                 {"known-broken", "xfail    known-broken", 0},    {"mended", "XPASS    mended", 1},
                 {"later", "skip     later", 77},                 {"deep", "CRASH    deep", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct outcome *outcome = rigproof("report", "run/results.json", "--case", cases[i].name, NULL);
        run_gives(cases[i].code, outcome);
        assert_ptr_equal(strstr(outcome->out, cases[i].says), outcome->out);
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            assert_true(k == i || !strstr(outcome->out, cases[k].says));
        assert_null(strstr(outcome->out, "report.html")); /* there is none */
    }
    spill("run/report.html", "");
    const struct outcome *outcome = rigproof("report", "run/results.json", "--case", "walker-walk-fbx", NULL);
    assert_contains(outcome->out, "  palette    DIFFERS");
    assert_contains(outcome->out, "    golden      run/golden/walker-walk-fbx/0.250.png\n"); /* seen from here */
    assert_contains(outcome->out, "\n  report     run/report.html\n");
    assert_contains(rigproof_fails(1, "report", "run/results.json", "--case", "too-late")->err,
                    "case `too-late` was not run: the run ended before");
    rigproof_refuses("no case `walker`", "report", "run/results.json", "--case", "walker");
    rigproof("report", "run/results.json", "--case", "walker-walk", "--quiet", "--junit", "one.xml", NULL);
    assert_contains(slurp("one.xml", NULL), "<testsuites name=\"rigproof\" tests=\"1\" failures=\"0\"");
}

/* ---- shards ---------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(shards_are_merged_in_the_suites_order)
{
    write_shard("one/results.json", 1, 2, (const size_t[]){0, 2, 7}, 3);
    write_shard("two/results.json", 2, 2, (const size_t[]){1, 3, 9}, 3);
    assert_string_equal(rigproof_gives(1, "report", "two/results.json", "one/results.json", "-o", "all")->err, "");
    assert_string_equal(statuses("all/results.json"), "walker-walk pass, walker-walk-fbx fail, walker-wave drift, walker-new missing, "
                                                      "known-broken xfail, later skip");
    json_is("all/results.json", "shard", "null");
}

SCRATCH_TEST(without_lines_files_follow_one_another)
{
    struct case_result cases[2];
    struct results first = some_of(cases, (const size_t[]){9}, 1);
    cases[0].line = 0;
    spill_results("1.json", &first);
    write_shard("2.json", 0, 0, (const size_t[]){7, 0}, 2);
    rigproof_good("report", "1.json", "2.json", "--json", "all.json");
    assert_string_equal(statuses("all.json"), "later skip, known-broken xfail, walker-walk pass");
}

/* A run, and what was repeated of it after a repair. */
SCRATCH_TEST(the_last_of_two_counts)
{
    struct case_result again[1];
    struct results repeated = some_of(again, (const size_t[]){1}, 1);
    again[0].status = CASE_PASS;
    spill_results("again.json", &repeated);
    write_shard("run.json", 0, 0, (const size_t[]){0, 1, 2}, 3);
    const struct outcome *outcome = rigproof_good("report", "run.json", "again.json");
    assert_string_equal(outcome->err, "warning: the case `walker-walk-fbx` is in several files: the last one counts\n");
    assert_contains(outcome->out, "3 cases, all good: 2 pass, 1 drift\n");
    rigproof_gives(1, "report", "again.json", "run.json");
}

/* What nobody has run is not good. */
SCRATCH_TEST(a_missing_shard_is_no_success)
{
    write_shard("1.json", 1, 3, (const size_t[]){0}, 1);
    write_shard("3.json", 3, 3, (const size_t[]){9}, 1);
    const struct outcome *outcome = rigproof_gives(1, "report", "1.json", "3.json");
    assert_string_equal(outcome->err, "warning: shard 2 of 3 is missing\n");
    assert_contains(outcome->out, "2 cases, shard 2 of 3 is missing");
    outcome = run_gives(1, rigproof_with(&on_github, "report", "1.json", "3.json", "-o", "merged", "--annotate", NULL));
    assert_contains(outcome->out, "::error file=tests/suite.yaml,title=rigproof::shard 2 of 3: its results are missing\n");
    assert_contains(slurp("summary.md", NULL), "shard 2 of 3 is missing");
    assert_contains(slurp("merged/report.html", NULL), "shard 2 of 3 is missing");
    assert_contains(slurp("merged/junit.xml", NULL), " tests=\"3\" failures=\"0\" errors=\"1\"");
    assert_contains(slurp("merged/junit.xml", NULL), "<testcase name=\"shard 2 of 3\"");
    assert_contains(slurp("merged/results.json", NULL), "\"shard 2 of 3\"");
    rigproof_gives(1, "report", "merged/results.json");
    rigproof_gives(1, "report", "merged/results.json", "1.json");
    write_shard("2.json", 2, 3, (const size_t[]){2}, 0); /* nothing fell to it */
    assert_string_equal(rigproof_good("report", "1.json", "2.json", "3.json")->err, "");
    rigproof_good("report", "merged/results.json", "2.json");
    outcome = rigproof_gives(1, "report", "1.json"); /* the only one that came back */
    assert_contains(outcome->out, "1 case, shard 2 of 3 and shard 3 of 3 are missing");
}

/* Shard 2 of 3 of sample_cases 0, (1, 3), 9: the others know what it was to do. */
static void write_shard_of_three(const char *path, uint32_t shard, size_t index)
{
    const char *names[] = {sample_cases[0].name, sample_cases[1].name, sample_cases[3].name, sample_cases[9].name};
    struct shard_cases partition[] = {{1, names}, {2, names + 1}, {1, names + 3}};
    struct case_result cases[16];
    struct results results = some_of(cases, &index, 1);
    results.shard = shard;
    results.shard_count = results.partition_count = 3;
    results.partition = partition;
    spill_results(path, &results);
}

SCRATCH_TEST(a_missing_shard_names_its_cases)
{
    write_shard_of_three("1.json", 1, 0);
    write_shard_of_three("3.json", 3, 9);
    const struct outcome *outcome =
        run_gives(1, rigproof_with(&on_github, "report", "1.json", "3.json", "-o", "merged", "--annotate", NULL));
    assert_contains(outcome->out, "Not run:\n  - walker-walk-fbx, walker-new\n\n2 of 4 cases not run, shard 2 of 3 is missing");
    assert_contains(outcome->out, "::error file=tests/suite.yaml,title=rigproof%3A cases that were not run::Not run:%0A  - "
                                  "walker-walk-fbx, walker-new");
    assert_contains(slurp("summary.md", NULL), "walker-walk-fbx, walker-new");
    const char *junit = slurp("merged/junit.xml", NULL);
    assert_contains(junit, " tests=\"5\" failures=\"0\" errors=\"3\"");
    assert_contains(junit, "<testcase name=\"walker-new\" classname=\"tests/suite\">\n   <error message=\"it was not run\"/>");
    json_is("merged/results.json", "not_run", "[\"walker-walk-fbx\",\"walker-new\"]");
    write_shard_of_three("2.json", 2, 1); /* it came back, but was stopped before its second case */
    outcome = rigproof("report", "merged/results.json", "2.json", NULL);
    assert_contains(outcome->out, "Not run:\n  - walker-new\n\n");
    assert_null(strstr(outcome->out, "is missing"));
    assert_string_equal(outcome->err, "");
    assert_contains(rigproof("report", "1.json", NULL)->out, "Not run:\n  - walker-walk-fbx, walker-new, later\n");
}

/* What was made of different suites, by different programs, or twice, is told. */
SCRATCH_TEST(strangers_among_shards_are_told)
{
    write_shard_of_three("1.json", 1, 0);
    write_shard_of_three("2.json", 2, 1);
    write_shard_of_three("again.json", 2, 3);
    write_shard_of_three("3.json", 3, 9);
    const struct outcome *outcome = rigproof("report", "1.json", "2.json", "again.json", "3.json", NULL);
    assert_string_equal(outcome->err, "warning: shard 2 of 3 is in several files: the last one counts\n");
    assert_null(strstr(outcome->out, "Not run"));
    struct case_result cases[1];
    struct results other = some_of(cases, (const size_t[]){3}, 1);
    other.shard = 3;
    other.shard_count = 3;
    other.rigproof = "0.0.9";
    spill_results("other.json", &other);
    outcome = rigproof("report", "1.json", "2.json", "other.json", NULL);
    assert_contains(outcome->err, "warning: the shards are not of one partition");
    assert_contains(outcome->err, "warning: the runs were not by the same rigproof");
    assert_contains(outcome->out, "Not run:\n  - later\n"); /* of the partition that is known */
    struct shard_cases two[2] = {{0}};
    other.partition = two;
    other.partition_count = 2;
    spill_results("bad.json", &other);
    rigproof_refuses("2 lists of cases, but the run has 3 shards", "report", "bad.json");
}

SCRATCH_TEST(suites_do_not_mix)
{
    struct results other = sample_results;
    write_good("a.json");
    other.suite = "other/suite.yaml";
    spill_results("b.json", &other);
    rigproof_refuses("b.json is of the suite other/suite.yaml, not of tests/suite.yaml", "report", "a.json", "b.json");
    other.suite = "./tests//suite.yaml";
    other.case_count = 1;
    other.shard = other.shard_count = 0;
    spill_results("b.json", &other);
    rigproof_gives(0, "report", "a.json", "b.json");
}

SCRATCH_TEST(other_renderers_are_told)
{
    struct case_result cases[1];
    struct results other = some_of(cases, (const size_t[]){0}, 1);
    other.fingerprint = (struct fingerprint){2, sample_golden_entries};
    write_good("a.json");
    spill_results("b.json", &other);
    assert_contains(rigproof("report", "a.json", "b.json", NULL)->err,
                    "warning: the runs were not on the same renderer");
    other.fingerprint = (struct fingerprint){0};
    other.case_count = 0; /* a shard without cases has none */
    spill_results("b.json", &other);
    assert_null(strstr(rigproof("report", "b.json", "a.json", NULL)->err, "same renderer"));
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(pictures_are_found_from_elsewhere)
{
    static const char actual[] = "cases[0].times[1].image.actual";
    SCOPED(image) image;
    assert_true(image_create(&image, 4, 4, ANY_ERROR));
    memset(image.rgba, 0x7f, 64);
    assert_true(image_write_png(&image, "a.png", PNG_OUTPUT, ANY_ERROR));
    copy_file("a.png", "runs/one/golden/walker-walk-fbx/0.250.png");
    copy_file("a.png", "runs/one/walker-walk-fbx/0.250.png");
    write_shard("runs/one/results.json", 0, 0, (const size_t[]){1}, 1);
    rigproof("report", "runs/one/results.json", "-o", "all", "--html", "runs/page.html", "--json",
             "runs/one/sub/r.json", NULL);
    json_is("all/results.json", actual, "../runs/one/walker-walk-fbx/0.250.png", "cases[0].times[1].image.golden",
            "../runs/one/golden/walker-walk-fbx/0.250.png");
    json_is("runs/one/sub/r.json", actual, "../walker-walk-fbx/0.250.png");
    assert_contains(slurp("all/report.html", NULL), "id=\"picture-1\">iVBOR");
    assert_contains(slurp("runs/page.html", NULL), "\"one/walker-walk-fbx/0.250.png\": 1");
    assert_contains(slurp("all/junit.xml", NULL), "[[ATTACHMENT|runs/one/walker-walk-fbx/0.250.png]]");
    rigproof("report", "all/results.json", "-o", "runs/one", NULL); /* and back */
    json_is("runs/one/results.json", actual, "walker-walk-fbx/0.250.png");
}

/* ---- GitHub ---------------------------------------------------------------------------------------------------- */

/* Files are named as seen from the repository. */
SCRATCH_TEST(annotations_are_asked_for)
{
    const char *const environment[] = {"GITHUB_ACTIONS=true", at("GITHUB_WORKSPACE=%s", scratch_path()),
                                       at("GITHUB_STEP_SUMMARY=%s/summary.md", scratch_path()), NULL};
    const struct run_options options = {.environment = environment};
    write_shard("sub/r.json", 0, 0, (const size_t[]){0, 1}, 2);
    spill("summary.md", "# before\n");
    assert_lacks(rigproof_with(&options, "report", "sub/r.json", NULL)->out, "::error");
    assert_string_equal(slurp("summary.md", NULL), "# before\n");
    assert_contains(rigproof_with(&options, "report", "sub/r.json", "--annotate", NULL)->out,
                    "\n::error file=tests/suite.yaml,line=12,title=walker-walk-fbx%3A fail at palette::palette "
                    "diverges first");
    assert_contains(slurp("summary.md", NULL), "# before\n<h3>rigproof: tests/suite.yaml</h3>");
    assert_int_equal(chdir("sub"), 0);
    assert_contains(rigproof_with(&options, "report", "r.json", "--annotate", NULL)->out,
                    "::error file=sub/tests/suite.yaml,line=12,");
}

/* The accept command of a case is the pipeline's with its name; a shell's words stay words. Where nothing can be accepted there is none. */
SCRATCH_TEST(a_pipeline_says_how_to_accept)
{
    const char *const environment[] = {"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=summary.md", "RIGPROOF_ACCEPT=get 'a b' && accept <x>",
                                       NULL};
    const struct run_options options = {.environment = environment};
    struct case_result cases[2];
    struct results results = some_of(cases, (const size_t[]){1, 2}, 2);
    cases[0].name = "a b";
    cases[1].accept = NULL;
    spill_results("r.json", &results);
    const struct outcome *outcome = rigproof_with(&options, "report", "r.json", "-o", "all", "--annotate", NULL);
    assert_contains(outcome->out, "\n  accept     get 'a b' && accept <x> --filter 'a b'\n");
    assert_contains(outcome->out, "%0Aaccept: get 'a b' && accept <x> --filter 'a b'\n");
    assert_contains(slurp("summary.md", NULL), "<pre>get &#39;a b&#39; &amp;&amp; accept &lt;x&gt;</pre>\n");
    json_is("all/results.json", "cases[0].accept", "get 'a b' && accept <x> --filter 'a b'", "cases[1].accept", "null");
    cases[0].accept = NULL;
    spill_results("r.json", &results);
    unlink("summary.md");
    rigproof_with(&options, "report", "r.json", "--annotate", NULL);
    assert_null(strstr(slurp("summary.md", NULL), "get"));
}

SCRATCH_TEST(results_are_the_same_bytes_again)
{
    write_shard("r.json", 0, 0, (const size_t[]){0, 1, 2, 3}, 4);
    rigproof("report", "r.json", "-o", "a", NULL);
    rigproof("report", "r.json", "-o", "b", NULL);
    assert_same_files("a/report.html", "b/report.html");
    assert_same_files("a/results.json", "b/results.json");
}
