/* Goldens keep their times: which are compared, which are told, and which files accept removes. */

#include "suite_runs.h"

#define RECORDED "golden/strip/recorded.json"
#define is(...) result_is("strip", __VA_ARGS__)

/* The one case, of a copy of strip.gltf. */
static void suite_with(const char *settings)
{
    write_suite(at("  - {name: strip, model: model.gltf, clip: late, %s}\n", settings));
}

static void accepted_with(const char *settings)
{
    copy_file(STRIP, "model.gltf");
    suite_with(settings);
    accept_gives(0, NULL);
}

/* The keys of `late`, at 0.5 and 1.5 s, become those of another clip, at 0 and 1 s. */
static void move_keys(void)
{
    tamper("model.gltf", "animations[10].samplers[0].input", "32");
}

/* Times of the pictures in the golden, from its record. */
static const char *recorded(void)
{
    struct text all = {0};
    for (const char *at = slurp(RECORDED, NULL); (at = strstr(at, "\"label\": \"")); at++)
        text_addf(&all, "%s%.5s", all.size ? " " : "", at + strlen("\"label\": \""));
    return keep(all.data);
}

SCRATCH_TEST(auto_is_resolved_when_it_is_accepted)
{
    accepted_with("times: auto");
    assert_string_equal(recorded(), "0.000 0.250 0.500 1.000 1.500");
    check_gives(0, NULL);
    is("findings", "[]");
    suite_with("times: auto, samples: 3");
    check_gives(0, NULL);
    is("times[1].label", "0.250", "stages.animate.state", "passed", "findings[0].stage", "animate",
       "findings[0].benign", "true",
       "findings[0].text", "`times: auto` would now choose other times: 0.250 s, 1.000 s go; the golden's were compared");
    const char *before = snapshot("golden");
    assert_string_equal(accept_gives(0, NULL)->out, "nothing to accept\n"); /* it passes */
    assert_string_equal(snapshot("golden"), before);
    assert_contains(accept_gives(0, "--all", NULL)->out, "\n  1.000.png: removed, the case has not that time\n");
    assert_string_equal(recorded(), "0.000 0.500 1.500");
    check_gives(0, NULL);
    is("findings", "[]");
}

/* What differs is compared at the golden's times; accepted it has its own, and what was of other times is gone. */
SCRATCH_TEST(moved_keys_are_told_and_accepted)
{
    accepted_with("times: auto");
    copy_file("golden/strip/0.250.png", "golden/strip/0.250_1.png");
    copy_file("golden/strip/0.250.png", "golden/strip/1.500_1.png");
    copy_file("golden/strip/0.250.png", "golden/strip/mine.png");
    move_keys();
    check_gives(1, NULL);
    is("status", "fail", "times[4].label", "1.500");
    assert_null(strstr(result_of("strip", "headline"), "compared at"));
    assert_contains(result_of("strip", "findings"), "other times: 0.250 s, 1.500 s go; ");
    const char *before = snapshot("golden");
    const struct outcome *outcome = accept_gives(0, "--dry-run", NULL);
    assert_contains(outcome->out, "\n  0.250.png: would be removed, the case has not that time\n  0.250.pose.json: would be removed,");
    assert_string_equal(snapshot("golden"), before);
    outcome = accept_gives(0, NULL);
    assert_contains(outcome->out, "\n  0.250_1.png: removed, the case has not that time\n");
    assert_contains(outcome->out, "\n  1.500_1.png: removed, ");
    assert_string_equal(recorded(), "0.000 0.500 1.000");
    assert_false(exists("golden/strip/0.250.pose.json") || exists("golden/strip/0.250.png") ||
                 exists("golden/strip/0.250_1.png") || exists("golden/strip/1.500.png"));
    assert_true(exists("golden/strip/mine.png")); /* is not ours */
    assert_null(strstr(check_gives(0, NULL)->out, "No case uses"));
}

/* Which times are missing is said whatever else differs; a golden that nobody looks at is a failure too. */
SCRATCH_TEST(every_time_counts)
{
    accepted_with("times: [0]");
    suite_with("times: [0, 0.25, 0.5, 0.75, 1]");
    check_gives(1, NULL);
    is("status", "missing", "headline", "compared at 1 of 5 times: no golden for 0.250 s, 0.500 s, 0.750 s, 1.000 s");
    tint("golden/strip/0.000.png", 100, 90);
    check_gives(1, NULL);
    is("status", "fail");
    assert_contains(result_of("strip", "headline"), "frame 0.000: ");
    assert_contains(result_of("strip", "headline"), "; compared at 1 of 5 times: no golden for 0.250 s, ");
    accept_gives(0, NULL);
    check_gives(0, NULL);
    suite_with("times: [0, 0.25, 0.75, 1]");
    check_gives(1, NULL);
    is("status", "fail", "stage", "none", "headline", "0.500 s of the golden is not among the times of the case",
       "passes_from", "no tolerance lets it pass");
    rigproof("report", "out/check/results.json", "-o", "again", NULL);
    assert_string_equal(json_at("again/results.json", "cases[0].status"), "fail");
    suite_with("times: [0, 0.7]");
    check_gives(1, NULL);
    is("headline", "0.250 s, 0.500 s, 0.750 s, 1.000 s of the golden are not among the times of the case; compared at 1 of 2 times: "
                   "no golden for 0.700 s");
    assert_string_equal(accept_gives(0, "--missing", NULL)->out, "nothing to accept\n"); /* it would remove some */
    accept_gives(0, NULL);
    assert_string_equal(recorded(), "0.000 0.700");
    check_gives(0, NULL);
}

/* Frames and plays follow the clip: where that is as it was the suite is taken at its word, else the golden's times count. */
SCRATCH_TEST(frames_follow_the_clip)
{
    accepted_with("play: true, fps: 4");
    assert_string_equal(recorded(), "0.000 0.250 0.500 0.750 1.000 1.250");
    suite_with("play: true, fps: 2");
    check_gives(1, NULL);
    is("headline", "0.250 s, 0.750 s, 1.250 s of the golden are not among the times of the case");
    suite_with("play: true, fps: 4");
    move_keys();
    check_gives(1, NULL);
    is("stage", "import");
    assert_null(strstr(result_of("strip", "headline"), "compared at"));
    assert_contains(result_of("strip", "findings"), "`play` would now choose other times: 1.000 s, 1.250 s go; ");
    is("times[5].label", "1.250");
    accept_gives(0, NULL);
    assert_string_equal(recorded(), "0.000 0.250 0.500 0.750");
    check_gives(0, NULL);
}
