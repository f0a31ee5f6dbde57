/* check and accept, from no goldens to goldens that pass, and that a check leaves them alone. */

#include <sys/resource.h>

#include "cli/pictures.h"
#include "suite_runs.h"

/* The suite is found where it is called as usual, and what was meant is guessed. */
SCRATCH_TEST(a_suite_is_found)
{
    assert_contains(rigproof_fails(2, "check")->err, "check: there is no suite.yaml here: name a suite, or let `rigproof init MODEL...` write one");
    rigproof_refuses("accept: there is no suite.yaml here", "accept", "--missing");
    mkdir("tests", 0777);
    rigproof_refuses("there is no suite.yaml in tests", "check", "tests");
    write_suite(TWO_CASES);
    const struct outcome *found = rigproof_good("check", "--list", "--allow-outside");
    assert_string_equal(found->err, "suite: suite.yaml\n");
    assert_string_equal(rigproof_good("check", ".", "--list", "--allow-outside")->out, found->out);
    assert_string_equal(rigproof_good("check", "-q", "--list", "--allow-outside")->err, "");
    rigproof_good("accept", "--missing", "--allow-outside");
    assert_true(exists("golden/strip/recorded.json") && exists("golden/twins/recorded.json"));
    rigproof_refuses("there is no suite suit.yaml; did you mean suite.yaml?", "check", "suit.yaml");
    copy_file(STRIP, "strip.gltf");
    rigproof_refuses("strip.gltf is a model, and a suite is wanted: `rigproof init strip.gltf`", "check", "strip.gltf");
}

SCRATCH_TEST(missing_goldens_fail_and_say_how_to_go_on)
{
    write_suite(TWO_CASES);
    const struct outcome *first = check_gives(1, NULL);
    assert_statuses("strip missing, twins missing");
    assert_contains(first->out, "MISSING  strip  no golden\n", "\n2 of 2 cases fail: 2 missing\n",
                    "  accept     rigproof accept suite.yaml --filter twins --allow-outside\n",
                    "\nreport     out/check/report.html\nreview     rigproof review --allow-outside\n" "accept     rigproof accept suite.yaml --missing --allow-outside\n");
    assert_contains(check_gives(1, "-o", "out/a b", NULL)->out, "\nreview     rigproof review 'out/a b' --allow-outside\n");
    assert_null(strstr(check_gives(1, "--goldens", "elsewhere", NULL)->out, "\nreview  ")); /* it wants the same options */
    first = check_gives(1, NULL);
    assert_string_equal(result_of("strip", "accept"), "rigproof accept suite.yaml --filter strip --allow-outside");
    assert_string_equal(first->err, "");
    assert_string_equal(scratch_listing(), "out suite.yaml");
    assert_true(exists("out/check/strip/0.750.png") && exists("out/check/strip/import.json"));

    rigproof_good("accept", "suite.yaml", "--filter", "strip", "--allow-outside"); /* as printed */
    check_gives(1, NULL);
    assert_statuses("strip pass, twins missing");
    accept_gives(0, NULL);
    const struct outcome *last = check_gives(0, NULL);
    assert_statuses("strip pass, twins pass");
    assert_string_equal(
        last->out, "pass     strip\npass     twins\n2 cases, all good\nreport     out/check/report.html\n");
    assert_string_equal(scratch_listing(), "golden out suite.yaml");
}

VERDICT_TEST(golden_is_what_its_format_says)
{
    json_is("golden/strip/recorded.json", "options.size", "64x64", "frames[1].label", "0.750");
    rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "0.75", "--json", "-o", "dumped");
    assert_same_files("dumped", "golden/strip/0.750.pose.json");
    rigproof_good("inspect", STRIP, "--json", "-o", "inspected");
    assert_same_files("inspected", import_of("golden/strip"));
    rigproof_good("render", STRIP, "--clip", "linear-rotation", "--time", "0.25,0.75", "--size", "64x64", "-o",
                  "{time}.png");
    assert_int_equal(count_differences("0.750.png", "golden/strip/0.750.png"), 0);
    assert_int_not_equal(count_differences("0.750.png", "golden/strip/0.250.png"), 0);
}

VERDICT_TEST(check_never_writes_goldens)
{
    copy_file("golden/strip/recorded.json", "golden/old/recorded.json");
    spill(import_of("golden/strip"), "{}");
    unlink("golden/twins/0.200.png");
    const char *before = snapshot("golden");
    check_gives(1, NULL);
    check_gives(1, "--strict", "--rerun-failed", NULL);
    check_gives(1, "--repair", "none", "-j", "1", NULL);
    assert_string_equal(snapshot("golden"), before);
}

/* Not even where the candidates are sent there. */
SCRATCH_TEST(output_among_the_goldens_is_refused)
{
    static const char *const places[] = {"golden", "./golden/",  "golden/strip", "golden/strip/more",
                                         "link",   "link/twins", "out/../golden"};
    write_suite(TWO_CASES);
    mkdir("out", 0777);
    assert_contains(check_fails(2, "-o", "golden", NULL)->err, "-o golden ");
    assert_contains(accept_fails(2, "-o", "golden/strip", NULL)->err, "-o golden/strip ");
    assert_string_equal(scratch_listing(), "out suite.yaml");
    accept_gives(0, NULL);
    assert_int_equal(symlink("golden", "link"), 0);
    const char *before = snapshot("golden");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_contains(check_fails(2, "-o", places[i], NULL)->err, "choose another");
        assert_contains(accept_fails(2, "--all", "-o", places[i], NULL)->err, "choose another");
    }
    assert_string_equal(snapshot("golden"), before);
}

/* Of another suite, or of this one while --goldens names others: a run would clear what is there of its cases. */
VERDICT_TEST(output_over_other_goldens_is_refused)
{
    rename("golden", "theirs");
    write_accepted_suite(TWO_CASES);
    const char *golden = snapshot("golden"), *theirs = snapshot("theirs");
    assert_contains(check_fails(2, "-o", "theirs", NULL)->err, "-o theirs holds strip, which was not written by a run");
    assert_contains(check_fails(2, "-o", "golden", "--goldens", "theirs", NULL)->err, "choose another folder");
    assert_contains(accept_fails(2, "-o", "theirs", "--filter", "twins", NULL)->err, "-o theirs holds twins");
    assert_string_equal(snapshot("golden"), golden);
    assert_string_equal(snapshot("theirs"), theirs);
    check_gives(1, "-o", "new", "--goldens", "none", NULL);
    check_gives(1, "-o", "new", "--goldens", "none", NULL);
    unlink("new/.lock"); /* copies of results may lack it */
    check_gives(1, "-o", "new", "--goldens", "none", "--rerun-failed", NULL);
}

/* Nor where a link among the candidates leads there. */
VERDICT_TEST(candidates_are_not_written_through_links)
{
    const char *before = snapshot("golden");
    assert_int_equal(rename("out/check/strip", "before"), 0);
    assert_int_equal(symlink("../../golden/strip", "out/check/strip"), 0);
    assert_contains(check_fails(2, NULL)->err, "out/check/strip is a link");
    assert_contains(accept_fails(2, "--all", NULL)->err, "out/check/strip is a link");
    assert_string_equal(snapshot("golden"), before);
    check_gives(0, "--filter", "twins", NULL);
    unlink("out/check/strip");
    check_gives(0, NULL);
}

/* The goldens' folder may hold the output: `goldens: .` beside out/check is the usual case. */
SCRATCH_TEST(output_beside_the_goldens_is_fine)
{
    write_suite(TWO_CASES);
    accept_gives(0, "--goldens", ".", NULL);
    check_gives(0, "--goldens", ".", NULL);
    check_gives(0, "--goldens", ".", "-o", "stripe", NULL);
    assert_string_equal(scratch_listing(), "imports out strip stripe suite.yaml twins");
}

/* Many cases of three models, so that four workers end them in any order. */
SCRATCH_TEST(print_order_is_the_suites)
{
    static const char *const models[] = {STRIP, WALKER, TWINS};
    SCOPED(text) cases = {0};
    for (int i = 0; i < 12; i++)
        text_addf(&cases, "  - {name: c%d, model: %s, clip: 0, times: [%d.25], allow: still}\n", i * 7 % 12,
                  models[i % 3], i % 2);
    write_accepted_suite(text_string(&cases));
    tamper("golden/c7/1.250.pose.json", "palette[0].matrix[3]", "7");
    unlink("golden/c2/recorded.json");
    const struct outcome *one = check_gives(1, "-j", "1", NULL);
    const char *results = slurp("out/check/results.json", NULL), *page = slurp("out/check/report.html", NULL);
    assert_contains(one->out, "FAIL     c7");
    for (int i = 0; i < 2; i++) {
        assert_string_equal(check_gives(1, "-j", "4", NULL)->out, one->out);
        assert_string_equal(slurp("out/check/results.json", NULL), results);
        assert_string_equal(slurp("out/check/report.html", NULL), page);
    }
}

/* What is done with all times before the first is posed, in seconds of CPU: no pair of them is looked at. */
SCRATCH_TEST(many_times_begin_soon)
{
    struct rusage before, after;
    write_suite("  - {name: many, model: " TWINS ", frames: 0..99998, fps: 100000, palette-format: trs}\n");
    getrusage(RUSAGE_CHILDREN, &before);
    check_gives(1, NULL);
    getrusage(RUSAGE_CHILDREN, &after);
    assert_contains(result_of("many", "headline"), "time 0 s: --palette-format trs holds"); /* nothing was posed */
    assert_in_range(after.ru_utime.tv_sec - before.ru_utime.tv_sec, 0, 9);
}

/* Of what nobody asked for a run may be all good; a case that compares nothing is not. */
SCRATCH_TEST(what_was_not_compared_is_said)
{
    write_accepted_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25]}\n"
                         "  - {name: part, model: " STRIP ", clip: linear-rotation, times: [0.25], stages: [palette, draw]}\n"
                         "  - {name: same, model: " STRIP ", clip: linear-rotation, times: [0.25], agrees_with: strip}\n"
                         "  - {name: again, model: " STRIP ", clip: linear-rotation, times: [0.25], agrees_with: strip}\n");
    const struct outcome *outcome = check_gives(0, NULL);
    assert_contains(outcome->out, "pass     strip\n");
    assert_contains(outcome->out, "pass     part  palette and draw agree; import, animate, skin: not asked for\n");
    assert_contains(outcome->out, "pass     same  skin agrees; not compared: import, animate, palette, draw\n");
    assert_contains(outcome->out, "4 cases, all good\n");
    assert_contains(rigproof_good("report", "out/check/results.json")->out,
                    "Not every stage was compared:\n"
                    "  part: palette and draw agree; import, animate, skin: not asked for\n"
                    "  same, again: skin agrees; not compared: import, animate, palette, draw\n\n4 cases, all good\n");
    assert_contains(slurp("out/check/junit.xml", NULL), "skin agrees; not compared: import, animate, palette, draw");
    write_suite("  - {name: a, model: " FIXTURES "/../tests/import/models/inherit.fbx, times: [0]}\n"
                "  - {name: b, model: " FIXTURES "/../tests/import/models/inherit.fbx, times: [0], agrees_with: a}\n");
    check_gives(1, "--filter", "b", NULL);
    assert_contains(result_of("b", "headline"), "nothing was compared");
}

/* A dot on the horizon passes, and is told. */
SCRATCH_TEST(next_to_nothing_is_told)
{
    static const struct {
        double away;
        const char *allow;
        bool told;
    } rows[] = {{400, "", true}, {400, ", allow: blank", false}, {20, "", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_accepted_suite(at("  - {name: far, model: " STRIP ", clip: linear-rotation, times: [0.5, 0.75], size: [128, 128], "
                                "camera: {eye: [0, 1, %g], target: [0, 1, 0]}%s}\n", rows[i].away, rows[i].allow));
        check_gives(0, NULL);
        const char *results = slurp("out/check/results.json", NULL), *said = strstr(results, "frame 0.500 is nearly blank: all but ");
        assert_int_equal(said != NULL, rows[i].told);
        assert_null(strstr(results, "frame 0.750 is nearly blank")); /* once a case */
    }
}

/* Of what is good nothing is said, of what fails as much as ever. */
SCRATCH_TEST(quiet_runs_tell_of_failures_alone)
{
    write_suite(TWO_CASES);
    const struct outcome *outcome = accept_gives(0, "-q", NULL);
    assert_string_equal(outcome->out, "");
    assert_string_equal(outcome->err, "");
    assert_string_equal(check_gives(0, "--quiet", NULL)->out, "");
    assert_string_equal(rigproof_good("report", "out/check/results.json", "-q", "-o", "again")->out, "");
    assert_string_equal(rigproof_good("diff", "golden", "golden", "-q")->out, "");
    tint("golden/strip/0.250.png", 100, 80);
    outcome = check_gives(1, "-q", NULL);
    assert_contains(outcome->out, "FAIL     strip", "1 of 2 cases fails");
    assert_null(strstr(outcome->out, "pass     twins"));
    assert_contains(rigproof_gives(1, "report", "out/check/results.json", "-q")->out, "1 of 2 cases fails");
    outcome = rigproof_good("turntable", STRIP, "--frames", "1", "--size", "8x8", "-o", "a.png"); /* says: the rest pose */
    assert_string_not_equal(outcome->err, "");
    assert_string_equal(rigproof_good("turntable", STRIP, "--frames", "1", "--size", "8x8", "-o", "a.png", "-q")->err, "");
    rigproof_fails(2, "render", "absent.glb", "-q", "-o", "a.png");
}
