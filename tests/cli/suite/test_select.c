/* Which cases check runs: filters, shards, lists, what failed before; and its other options. */

#include "suite_runs.h"

#define SIX_CASES                                                                                                      \
    "  - {name: strip-step, model: " STRIP ", clip: step-rotation, times: [0.25, 0.75], tags: [quick, strip]}\n"       \
    "  - {name: strip-turn, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], tags: strip}\n"              \
    "  - {name: strip-grow, model: " STRIP ", clip: linear-scale, times: [0.25, 0.75], tags: strip}\n"                 \
    "  - {name: twins-turn, model: " TWINS ", times: [0.2], tags: quick}\n"                                            \
    "  - {name: twins-late, model: " TWINS ", times: [0.75]}\n"                                                        \
    "  - {name: twins-rest, model: " TWINS ", clip: none, times: [0]}\n"

#define TWINS_POSE "golden/twins-turn/0.200.pose.json"

BEFORE_EACH
{
    write_accepted_suite(SIX_CASES);
}

SCRATCH_TEST(empty_selection_is_a_usage_error)
{
    const char *before = contents("out");
    assert_contains(check_fails(2, "--filter", "strip-trun", NULL)->err, "did you mean `strip-turn`?");
    accept_fails(2, "--filter", "nothing", NULL);
    assert_string_equal(contents("out"), before);
}

SCRATCH_TEST(list_runs_nothing)
{
    const char *before = snapshot("out");
    const struct outcome *all = check_gives(0, "--list", NULL);
    assert_int_equal(count_lines(all->out), 6);
    assert_contains(all->out, "strip-step  " STRIP "  step-rotation ", "quick,strip");
    assert_int_equal(count_lines(check_gives(0, "--list", "--filter", "tag:quick", NULL)->out), 2);
    assert_string_equal(snapshot("out"), before);
    check_gives(0, "--filter", "strip-*", "-f", "!*step", NULL);
    assert_statuses("strip-turn pass, strip-grow pass");
}

SCRATCH_TEST(shards_are_the_whole_once)
{
    tamper(TWINS_POSE, "palette[0].matrix[3]", "7");
    check_gives(1, "-o", "whole", NULL);
    for (int i = 1; i <= 3; i++) {
        const struct outcome *outcome = check("--shard", at("%d/3", i), "-o", at("shard%d", i), NULL);
        assert_true(outcome->status == 0 || outcome->status == 1);
        json_is(at("shard%d/results.json", i), "shard", at("{\"number\":%d,\"of\":3}", i));
    }
    const struct outcome *merged =
        rigproof_gives(1, "report", "shard1/results.json", "shard2/results.json", "shard3/results.json", "-o",
                       "merged");
    assert_string_equal(merged->err, ""); /* no case is in two of them */
    assert_string_equal(statuses("merged/results.json"), statuses("whole/results.json"));
    for (int i = 0; i < 6; i++)
        if (i != 3) /* the one that fails has pictures elsewhere */
            json_is("merged/results.json", at("cases[%d]", i), json_at("whole/results.json", at("cases[%d]", i)));
    assert_contains(rigproof_gives(1, "report", "shard1/results.json", "shard3/results.json")->err,
                    "shard 2 of 3 is missing");
}

/* An array's second task of three, as GitLab has it; its cases are those of --shard 2/3. */
SCRATCH_TEST(an_engine_says_which_shard)
{
    const char *const environment[] = {"CI_NODE_INDEX=2", "CI_NODE_TOTAL=3", NULL}, *const none[] = {"CI_NODE_INDEX", NULL};
    const struct run_options in_job = {.environment = environment}, alone = {.environment = none};
    const struct outcome *outcome = run_gives(
        0, rigproof_with(&in_job, "check", "suite.yaml", "--allow-outside", "--list", "--shard", "auto", NULL));
    assert_string_equal(outcome->err, "shard 2 of 3, by CI_NODE_INDEX\n");
    assert_string_equal(check_gives(0, "--list", "--shard", "2/3", NULL)->out, at("%s", outcome->out));
    outcome = rigproof_with(&alone, "check", "suite.yaml", "--allow-outside", "--list", "--shard", "auto", NULL);
    assert_contains(run_fails(2, outcome)->err, "--shard auto: neither RIGPROOF_SHARD=I/N nor");
}

/* The case that is said to cost as much as all others has a shard of its own. */
SCRATCH_TEST(shards_are_by_the_costs_of_an_earlier_run)
{
    check_gives(0, "-o", "whole", NULL);
    const char *cost = json_at("whole/results.json", "cases[1].cost");
    assert_true(atoi(cost) > 1600 && atoi(json_at("whole/results.json", "cases[1].import_cost")) > 7200);
    tamper("whole/results.json", "cases[1].cost", "4000000");
    check_gives(0, "--shard", "1/2", "--balance", "whole/results.json", "-o", "one", NULL);
    check_gives(0, "--shard", "2/2", "--balance", "whole/results.json", "-o", "two", NULL);
    assert_string_equal(statuses("one/results.json"), "strip-turn pass");
    assert_string_equal(json_at("two/results.json", "partition[0]"), "[\"strip-turn\"]");
    assert_string_equal(json_at("one/results.json", "partition[1]"),
                        "[\"strip-step\",\"strip-grow\",\"twins-turn\",\"twins-late\",\"twins-rest\"]");
    assert_contains(check_fails(2, "--balance", "whole/results.json", NULL)->err, "add --shard I/N");
    assert_contains(check_fails(2, "--shard", "1/2", "--balance", "suite.yaml", NULL)->err, "--balance: suite.yaml: not valid JSON");
}

SCRATCH_TEST(shard_without_a_case_is_good)
{
    for (int i = 1; i <= 4; i++) /* of 6 cases */
        check_gives(0, "--shard", at("%d/20", i), "-o", "shard", NULL);
    check_fails(2, "--shard", "1", NULL);
    check_fails(2, "--shard", "1/3", "--filter", "nothing", NULL);
}

/* What did not run is not good, until another run has done it. */
SCRATCH_TEST(fail_fast_begins_no_more)
{
    tamper("golden/strip-turn/0.250.pose.json", "palette[0].matrix[3]", "7");
    const struct outcome *outcome = check_gives(1, "--fail-fast", "-j", "1", "-o", "first", NULL);
    assert_string_equal(statuses("first/results.json"), "strip-step pass, strip-turn fail");
    assert_contains(outcome->err, "4 cases not run: --fail-fast\n");
    assert_string_equal(json_at("first/results.json", "not_run"),
                        "[\"strip-grow\",\"twins-turn\",\"twins-late\",\"twins-rest\"]");
    accept_gives(0, NULL);
    check_gives(0, "--filter", "strip-turn", "--filter", "twins-*", "-o", "second", NULL);
    outcome = rigproof("report", "first/results.json", "second/results.json", NULL);
    assert_int_equal(outcome->status, 1);
    assert_contains(outcome->out, "1 of 6 cases not run; 5 pass\n");
    check_gives(0, "--filter", "*-grow", "-o", "third", NULL);
    rigproof_good("report", "first/results.json", "second/results.json", "third/results.json");
}

/* By its frames, or by what the last run into the folder says that cases cost; what is printed is in the suite's order. */
SCRATCH_TEST(the_longest_case_is_begun_first)
{
    write_suite("  - {name: short, model: " STRIP ", times: [0]}\n"
                "  - {name: middle, model: " STRIP ", times: [0, 0.1]}\n"
                "  - {name: long, model: " STRIP ", times: {even: 9}}\n");
    check_gives(1, "--fail-fast", "-j", "1", "-o", "by-frames", NULL); /* there are no goldens */
    assert_string_equal(json_at("by-frames/results.json", "not_run"), "[\"short\",\"middle\"]");
    const struct outcome *outcome = check_gives(1, "-j", "1", "-o", "by-costs", NULL);
    const char *first = strstr(outcome->out, "short"), *last = strstr(outcome->out, "long");
    assert_true(first && last && first < last);
    tamper("by-costs/results.json", "cases[1].cost", "4000000");
    check_gives(1, "--fail-fast", "-j", "1", "-o", "by-costs", NULL);
    assert_string_equal(json_at("by-costs/results.json", "not_run"), "[\"short\",\"long\"]");
}

SCRATCH_TEST(failed_cases_are_run_again)
{
    const char *kept = slurp(TWINS_POSE, NULL);
    tamper("golden/strip-turn/0.250.pose.json", "palette[0].matrix[3]", "7");
    tamper(TWINS_POSE, "palette[0].matrix[3]", "7");
    check_gives(1, NULL);
    spill(TWINS_POSE, kept);
    record_hashes("golden/twins-turn");
    check_gives(1, "--rerun-failed", NULL);
    assert_statuses("strip-turn fail, twins-turn pass");
    check_gives(1, "--rerun-failed", NULL);
    assert_statuses("strip-turn fail");
    accept_gives(0, NULL);
    check_gives(1, "-o", "other", "--goldens", "none", NULL);
    check_gives(0, "-o", "other", "--rerun-failed", NULL);
    assert_contains(check_fails(2, "-o", "other", "--rerun-failed", NULL)->err, "nothing failed");
    assert_contains(check_fails(2, "-o", "new", "--rerun-failed", NULL)->err, "new/results.json");
    spill("bad/results.json", "{}");
    assert_contains(check_fails(2, "-o", "bad", "--rerun-failed", NULL)->err, "bad/results.json");
}

/* What an earlier run left of a case does not look like this run's. */
SCRATCH_TEST(old_candidates_go)
{
    tint("golden/twins-turn/0.200.png", 100, 90);
    check_gives(1, NULL);
    assert_true(exists("out/check/twins-turn/0.200.heat.png"));
    spill("out/check/twins-turn/notes.txt", "kept");
    accept_gives(0, NULL);
    check_gives(0, NULL);
    assert_false(exists("out/check/twins-turn/0.200.heat.png") || exists("out/check/twins-turn/0.200.png"));
    assert_true(exists("out/check/twins-turn/notes.txt"));
    assert_false(exists("out/check/strip-turn"));
}

SCRATCH_TEST(repairs_are_overridden)
{
    if (assimp_needs_no_repair())
        return;
    check_gives(1, "--repair", "none", "--filter", "strip-step", NULL);
    assert_statuses("strip-step fail");
    assert_string_equal(result_of("strip-step", "stage"), "import");
    assert_contains(result_of("strip-step", "headline"), "step");
    assert_contains(result_of("strip-step", "repeat"), " --repair none --allow-outside");
    assert_contains(check_fails(2, "--repair", "no-such", NULL)->err, "--repair");
}

SCRATCH_TEST(late_case_times_out_alone)
{
    write_suite("  - {name: film, model: " FIXTURES
                "/walker/walker.glb, clip: walk, size: [1024, 1024], times: {from: 0, to: 60, fps: 30}}\n"
                "  - {name: strip-turn, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75]}\n");
    const struct outcome *outcome = check_gives(1, "--timeout", "0.7", "-j", "1", NULL);
    assert_statuses("film timeout, strip-turn pass");
    assert_contains(outcome->out, "TIMEOUT  film  no result after 0.7 s (--timeout)\n");
}

SCRATCH_TEST(nonsense_is_a_usage_error)
{
    static const char *const lines[][4] = {
        {"check", "suite.yaml", "--filtre", "x"},      {"accept", "suite.yaml", "--purne"},
        {"accept", "suite.yaml", "--shard", "1/2"},    {"check", "suite.yaml", "--jobs", "0"},
        {"check", "suite.yaml", "--jobs", "1.5"},      {"check", "suite.yaml", "--timeout", "-1"},
        {"check", "suite.yaml", "--timeout", "soon"},  {"check", "suite.yaml", "--backend", "vulkan"},
        {"check", "suite.yaml", "another.yaml"},       {"check", "strip.yml"},
        {"check", "missing.yaml"},                     {"accept", "/"},
        {"check", "empty.yaml"},                       {"check", "suite.yaml", "-o", "empty.yaml"},
        {"check", "suite.yaml", "-o", "empty.yaml/x"},
    };
    static const char *const says[] = {"did you mean --filter?", "did you mean --prune?", "unknown option --shard"};
    spill("empty.yaml", "");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct outcome *outcome = rigproof(lines[i][0], lines[i][1], lines[i][2], lines[i][3], NULL);
        assert_contains(run_fails(2, outcome)->err, i < 3 ? says[i] : "");
    }
}
