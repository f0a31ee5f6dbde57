/* check --pictures: of which cases a run leaves pictures. */

#include "suite_runs.h"

static const char picture[] = "out/check/strip/0.250.golden.png";

/* Pictures below out/check. */
static int count_pictures(void)
{
    int count = 0;
    for (const char *at = contents("out/check"); (at = strstr(at, ".png")); at++)
        count++;
    return count;
}

VERDICT_TEST(passing_cases_have_none_unless_asked)
{
    check_gives(0, NULL);
    assert_int_equal(count_pictures(), 0);
    assert_string_equal(result_of("strip", "times[0].image.golden"), "null");
    check_gives(0, "--pictures", "all", NULL);
    assert_int_equal(count_pictures(), 3);
    assert_same_files(picture, "golden/strip/0.250.png");
    result_is("strip", "times[0].image.state", "same", "times[0].image.golden", "strip/0.250.golden.png");
    assert_contains(slurp("out/check/report.html", NULL), "id=\"picture-2\"");
    check_gives(0, "--pictures", "failing", NULL);
    assert_int_equal(count_pictures(), 0);
    check_fails(2, "--pictures", "some", NULL);
}

VERDICT_TEST(what_is_tolerated_shows_both)
{
    tint("golden/strip/0.250.png", 5, 1);
    check_gives(0, "--pictures", "all", NULL);
    assert_string_equal(result_of("strip", "times[0].image.state"), "noise");
    assert_same_files(picture, "golden/strip/0.250.png");
    assert_string_equal(result_of("strip", "times[0].image.actual"), "strip/0.250.actual.png");
    assert_true(exists("out/check/strip/0.250.actual.png"));
}

/* Nor candidates, of which pictures are a part: accept draws again. */
VERDICT_TEST(none_leaves_no_picture)
{
    tint("golden/strip/0.250.png", 500, 90);
    check_gives(1, "--pictures", "none", NULL);
    assert_int_equal(count_pictures(), 0);
    result_is("strip", "times[0].image.state", "differs", "times[0].image.actual", "null");
    assert_false(exists("out/check/strip/recorded.json"));
    check_gives(1, NULL);
    assert_true(count_pictures() > 3);
    accept_gives(0, "--filter", "strip", NULL);
    check_gives(0, NULL);
}

/* A verdict is remembered without its pictures, and they are the golden's. */
SCRATCH_TEST(remembered_cases_have_pictures_too)
{
    write_accepted_suite(TWO_CASES "  - {name: again, model: " STRIP ", clip: linear-rotation, agrees_with: strip}\n");
    check_gives(0, "--cache", "cache", "--pictures", "all", NULL);
    assert_string_equal(result_of("again", "times[0].image.actual"), "again/0.250.actual.png");
    assert_contains(check_gives(0, "--cache", "cache", NULL)->out, "2 remembered");
    assert_contains(check_gives(0, "--cache", "cache", NULL)->out, "3 remembered");
    assert_int_equal(count_pictures(), 0);
    assert_string_equal(result_of("strip", "times[0].image.golden"), "null");
    assert_contains(check_gives(0, "--cache", "cache", "--pictures", "all", NULL)->out, "2 remembered");
    assert_int_equal(count_pictures(), 5);
    assert_same_files(picture, "golden/strip/0.250.png");
    assert_string_equal(result_of("strip", "times[0].image.golden"), "strip/0.250.golden.png");
}

VERDICT_TEST(shards_are_merged_with_theirs)
{
    check_gives(0, "--pictures", "all", "--shard", "1/2", "-o", "out/1", NULL);
    check_gives(0, "--pictures", "all", "--shard", "2/2", "-o", "out/2", NULL);
    rigproof_good("report", "out/1/results.json", "out/2/results.json", "-o", "out/check");
    const char *place = result_of("strip", "times[0].image.golden");
    assert_true(strcmp(place, "../1/strip/0.250.golden.png") == 0 || strcmp(place, "../2/strip/0.250.golden.png") == 0);
    assert_contains(slurp("out/check/report.html", NULL), "id=\"picture-2\"");
}

/* A bone of the golden stands elsewhere at the second time: its curve, and both poses in a file and in the page. */
VERDICT_TEST(a_failing_case_can_be_turned_around)
{
    const int tip = index_of("golden/strip/0.750.pose.json", "nodes", "name", "tip");
    tamper("golden/strip/0.750.pose.json", at("nodes[%d].t", tip), "[0, 2.5, 0]");
    check_gives(1, NULL);
    result_is("strip", "curve.bone", "tip", "curve.space", "local", "curve.samples[1].time", "0.75",
              "curve.samples[0].golden[1]", result_of("strip", "curve.samples[0].actual[1]"),
              "curve.samples[1].golden[1]", "2.5", "curve.samples[1].actual[1]", "2");
    assert_string_equal(result_of("strip", "curve.lines[0].side"), "actual"); /* no key makes the golden's pose */
    assert_contains(result_of("strip", "curve.line_note"), "do not give its poses");
    result_is("strip", "curve.lines[0].points[0].time", "0", "curve.lines[0].keys[0]", "0");
    assert_string_equal(json_at("out/check/strip/viewer.json", "sides[1].poses[0].time"), "0.25"); /* it plays */
    assert_string_equal(json_at("out/check/strip/viewer.json", "sides[1].poses[1].time"), "0.75");
    assert_string_equal(result_of("strip", "viewer"), "strip/viewer.json");
    json_is("out/check/strip/viewer.json", "format", "rigproof.viewer/1", "start.time", "0.75");
    assert_contains(slurp("out/check/report.html", NULL), "id=\"model-0\"");
    assert_false(exists("out/check/twins/viewer.json"));
    rigproof("report", "out/check/results.json", "--html", "out/else/page.html", NULL);
    assert_contains(slurp("out/else/page.html", NULL), "id=\"model-0\"");
    rigproof("report", "out/check/results.json", "--html", "page.html", "--viewer-size", "0.001", NULL);
    assert_null(strstr(slurp("page.html", NULL), "id=\"model-0\""));
    assert_contains(slurp("page.html", NULL), "left out: it takes ");
    check_gives(1, "--viewer-size", "0.001", NULL);
    assert_true(strlen(result_of("strip", "viewer_note")) > 20);
    assert_false(exists("out/check/strip/viewer.json"));
    check_gives(1, "--viewer-size", "0", NULL);
    assert_false(exists("out/check/strip/viewer.json"));
    assert_string_equal(result_of("strip", "curve.bone"), "tip");
}
