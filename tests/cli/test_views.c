/* The views on a scale of colours, as a user asks for them: legends, ranges, what they are against, suites. */

#include "cli/pictures.h"
#include "suite_runs.h"

#define SMALL "--size", "160x160"
#define WALK "render", WALKER, "--clip", "walk", SMALL, "--camera", "zoom=0.7"

/* The legend's bar with its numbers in a picture of 160, where no model is behind it: lower left, above two lines of words. */
enum { LEGEND_TOP = 65, LEGEND_ROWS = 70, LEGEND_LEFT = 4, LEGEND_COLUMNS = 36 };

static bool same_legend(const char *a, const char *b)
{
    SCOPED(image) first = read_picture(a), second = read_picture(b);
    bool same = true;
    for (size_t y = LEGEND_TOP; y < LEGEND_TOP + LEGEND_ROWS; y++) {
        const size_t at = 4 * (y * first.width + LEGEND_LEFT);
        same = same && memcmp(first.rgba + at, second.rgba + at, 4 * LEGEND_COLUMNS) == 0;
    }
    return same;
}

/* How many pixels of a picture without background are not of the hue of the scale's lower end, however dark. */
static size_t count_above_zero(const char *path)
{
    SCOPED(image) image = read_picture(path);
    size_t count = 0;
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        const uint8_t *p = image.rgba + 4 * i;
        const bool is_lowest = p[2] > p[0] && p[0] > p[1] && p[2] <= 84;
        count += p[3] > 0 && !is_lowest;
    }
    return count;
}

SCRATCH_TEST(a_legend_is_drawn_unless_it_is_left_out)
{
    static const char *const views[] = {"weight-sum", "displacement", "stretch", "speed",
                                        "weights",    "weight:hips",  "depth",   "influences"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        rigproof_good(WALK, "--view", views[i], "-o", "with.png");
        rigproof_good(WALK, "--view", views[i], "--overlay", "legend", "-o", "asked.png");
        rigproof_good(WALK, "--view", views[i], "--overlay", "none", "-o", "without.png");
        rigproof_good(WALK, "--view", views[i], "--overlay", "bounds", "-o", "other.png");
        assert_int_equal(count_differences("with.png", "asked.png"), 0);
        assert_true(count_differences("with.png", "without.png") > 400);
        assert_false(same_legend("with.png", "other.png"));
    }
    rigproof_good(WALK, "--overlay", "legend", "-o", "asked.png"); /* of a view that has none */
    rigproof_good(WALK, "-o", "without.png");
    assert_int_equal(count_differences("asked.png", "without.png"), 0);
}

/* The bar's numbers stay over a sequence; a single picture has its own. */
SCRATCH_TEST(a_film_does_not_flicker)
{
    rigproof_good(WALK, "--view", "speed", "--frames", "0..5", "--fps", "8", "-o", "film_{frame}.png");
    rigproof_good(WALK, "--view", "speed", "--time", "0.5", "--range", "0..2.4", "-o", "fixed.png");
    for (int i = 1; i < 6; i++)
        assert_true(same_legend("film_0.png", at("film_%d.png", i)));
    rigproof_good(WALK, "--view", "speed", "--range", "0..1", "--time", "0.5", "-o", "set.png");
    assert_true(count_differences("fixed.png", "set.png") > 100);
    rigproof_good("turntable", WALKER, SMALL, "--camera", "zoom=0.7", "--view", "stretch", "--frames", "2", "-o", "turn_{frame}.png"); /* at rest */
    assert_true(same_legend("turn_0.png", "turn_1.png"));
}

SCRATCH_TEST(ranges_are_checked)
{
    rigproof_refuses("not a range of numbers", WALK, "--view", "speed", "--range", "1..0", "-o", "x.png");
    rigproof_refuses("--range is for", WALK, "--range", "0..1", "-o", "x.png");
    rigproof_refuses("above 0", WALK, "--view", "stretch", "--range", "0..4", "-o", "x.png");
}

SCRATCH_TEST(weights_are_said_to_be_repaired)
{
#define SUMS "render", FIXTURES "/broken/unnormalised-weights.gltf", SMALL, "--view", "weight-sum", "-o", "sums.png"
    assert_contains(rigproof_good(SUMS)->err, "--repair none shows the file's");
    assert_null(strstr(rigproof_good(SUMS, "--repair", "none")->err, "--repair none"));
}

/* A model against itself is not displaced; against its pose at another time it is; against vertices that are others it cannot be. */
SCRATCH_TEST(against_a_model_or_a_pose)
{
#define AGAINST(file) WALK, "--time", "0.5", "--view", "displacement", "--overlay", "none", "--background", "00000000", "--range", "0..0.4", "--against", file
    rigproof_good(AGAINST(WALKER), "-o", "itself.png");
    assert_int_equal(count_above_zero("itself.png"), 0);
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.5", "--stage", "palette", "--json", "-o", "now.json");
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.2", "--stage", "palette", "--json", "-o", "earlier.json");
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.2", "-o", "earlier.obj");
    rigproof_good(AGAINST("now.json"), "-o", "pose.png");
    assert_int_equal(count_above_zero("pose.png"), 0);
    rigproof_good(AGAINST("earlier.json"), "-o", "moved.png");
    rigproof_good(AGAINST("earlier.obj"), "-o", "vertices.png");
    assert_true(count_above_zero("moved.png") > 100);
    assert_true(count_differences("moved.png", "vertices.png") < 20); /* numbers of an OBJ are rounded */
    const struct outcome *outcome = rigproof_fails(2, AGAINST(FIXTURES "/walker/walker.fbx"), "-o", "x.png");
    assert_contains(outcome->err, "1578 vertices and 2540 triangles here, 5276 and 2540 in", "cannot be paired");
    rigproof_refuses("--against", AGAINST("gone.glb"), "-o", "x.png");
    rigproof_refuses("--view displacement and stretch", WALK, "--against", WALKER, "-o", "x.png");
}

/* A suite's pictures are those of render; another rigproof is told the range of the sequence. */
SCRATCH_TEST(suites_have_them_too)
{
    write_accepted_suite("  - {name: a, model: " WALKER ", clip: walk, times: [0.2, 0.5], view: displacement}\n"
                         "  - {name: b, model: " STRIP ", clip: linear-scale, times: [0.5, 2], view: stretch, range: 0.2..8}\n"
                         "  - {name: c, model: " WALKER ", clip: walk, times: [0.2, 0.5], view: speed, overlay: none}\n"
                         "  - {name: d, model: " WALKER ", clip: walk, times: [0.2], view: weight-sum, overlay: [legend, label]}\n");
    assert_string_equal(json_at("golden/b/recorded.json", "options.range"), "0.2..8");
    assert_string_equal(json_at("golden/a/recorded.json", "options.overlay"), "legend");
    check_gives(0, NULL);
    check_gives(0, "--against", RIGPROOF_BINARY, NULL);
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.2,0.5", "--size", "64x64", "--view", "displacement", "-o", "a_{frame}.png");
    assert_int_equal(count_differences("a_1.png", "golden/a/0.500.png"), 0);
}

/* A case whose pose is not the golden's shows how far, as render does against the golden's pose; of one whose picture alone differs
 * there is nothing to show. */
SCRATCH_TEST(reports_show_what_moved)
{
    write_accepted_suite("  - {name: a, model: " WALKER ", clip: walk, times: [0.2, 0.5]}\n"
                         "  - {name: b, model: " WALKER ", clip: walk, times: [0.2]}\n");
    write_suite("  - {name: a, model: " WALKER ", clip: walk, times: [0.2, 0.5], rate: 1.3}\n"
                "  - {name: b, model: " WALKER ", clip: walk, times: [0.2], view: unlit}\n");
    assert_contains(check_gives(1, NULL)->out, "displaced   out/check/a/0.500.displacement.png");
    assert_string_equal(result_of("a", "times[0].image.displacement"), "a/0.200.displacement.png");
    assert_string_equal(result_of("b", "times[0].image.state"), "differs");
    assert_null(strstr(result_of("b", "times[0].image"), "displacement"));
    rigproof_good("render", WALKER, "--clip", "walk", "--rate", "1.3", "--time", "0.5", "--size", "64x64", "--camera", "@golden/a/recorded.json",
                  "--view", "displacement", "--against", "golden/a/0.500.pose.json", "-o", "asked.png");
    assert_int_equal(count_differences("asked.png", "out/check/a/0.500.displacement.png"), 0);
    rigproof_good("render", WALKER, "--clip", "walk", "--rate", "1.3", "--time", "0.2", "--size", "64x64", "--camera", "@golden/a/recorded.json",
                  "--view", "displacement", "--against", "golden/a/0.200.pose.json", "--range", "0..0.2", "-o", "asked.png"); /* one range for both */
    assert_int_equal(count_differences("asked.png", "out/check/a/0.200.displacement.png"), 0);
    accept_gives(0, NULL);
    check_gives(0, NULL);
}

/* The clip loses its translation: at 0 s its pose is the golden's and its speed is not, which only the times around it say. */
SCRATCH_TEST(a_speed_is_of_other_times)
{
    copy_file(STRIP, "model.gltf");
    write_accepted_suite("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1], view: speed}\n");
    const char *turn = json_at("model.gltf", "animations[12].channels[1]");
    tamper("model.gltf", "animations[12].channels", at("[%s, %s]", turn, json_at("model.gltf", "animations[12].channels[2]")));
    check_gives(1, NULL);
    result_is("strip", "stage", "import", "times[0].image.state", "differs", "times[0].image.explained", "unverified");
}
