/* check draws with the golden's camera, and a framing that changed is a finding of its own. */

#include "cli/pictures.h"
#include "suite_runs.h"

#define RECORDED "golden/strip/recorded.json"

/* strip.gltf, which at 0 s stands as at rest, whatever channels of its clip are there. */
static void accept_model(const char *settings)
{
    copy_file(STRIP, "model.gltf");
    write_accepted_suite(at("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1]%s}\n", settings));
}

/* The clip loses its translation: the model is another one at 1 s only, and the bounds of both times are. */
static void lose_channel(void)
{
    const char *turn = json_at("model.gltf", "animations[12].channels[1]");
    tamper("model.gltf", "animations[12].channels", at("[%s, %s]", turn, json_at("model.gltf", "animations[12].channels[2]")));
    check_gives(1, NULL);
}

/* A member of the finding about the framing, or NULL where there is none. */
static const char *framing(const char *key)
{
    int count = 0;
    for (const char *text = result_of("strip", "findings"); (text = strstr(text, "\"stage\":")); text++)
        count++;
    for (int i = 0; i < count; i++)
        if (strcmp(result_of("strip", at("findings[%d].tolerance", i)), "framing") == 0)
            return result_of("strip", at("findings[%d].%s", i, key));
    return NULL;
}

#define is(...) result_is("strip", __VA_ARGS__)

/* What stands still stays where it is in the picture, though the camera would be another one; accept takes that one. */
SCRATCH_TEST(a_lost_channel_moves_what_it_moved)
{
    static const char *const settings[] = {"", ", crowd: 2x1, crowd-phase: 0", ", view: depth", ", overlay: bounds",
                                           ", view: displacement", ", view: stretch"}; /* whose ranges would be others too */
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        accept_model(settings[i]);
        const char *eye = json_at(RECORDED, "frames[0].camera.eye");
        lose_channel();
        is("stage", "import", "times[0].image.state", "same", "times[1].image.state", "differs");
        assert_string_equal(framing("benign"), "true");
        assert_string_equal(framing("stage"), "draw");
        accept_gives(0, NULL);
        assert_string_not_equal(json_at(RECORDED, "frames[0].camera.eye"), eye);
        check_gives(0, NULL);
        assert_null(framing("text"));
        shell("rm -r golden");
    }
}

/* The picture that a report shows is the one that was compared, the candidate the one that accept takes. */
SCRATCH_TEST(each_picture_has_its_camera)
{
#define DRAWN "render", "model.gltf", "--clip", "mixed", "--size", "64x64"
    accept_model("");
    lose_channel();
    is("times[1].image.actual", "strip/1.000.actual.png");
    rigproof_good(DRAWN, "--time", "1", "--camera", "@" RECORDED, "-o", "compared.png");
    rigproof_good(DRAWN, "--time", "0,1", "-o", "own_{time}.png");
    assert_int_equal(count_differences("compared.png", "out/check/strip/1.000.actual.png"), 0);
    assert_int_equal(count_differences("own_1.000.png", "out/check/strip/1.000.png"), 0);
    assert_true(count_differences("compared.png", "own_1.000.png") > 0);
}

/* A model that went out of the golden's view is another picture, and no case that tests nothing. */
SCRATCH_TEST(what_left_the_view_can_be_accepted)
{
    accept_model("");
    tamper("model.gltf", "nodes[0].translation", "[500, 0, 0]");
    check_gives(1, NULL);
    is("times[0].image.state", "differs", "vacuous", "false");
    assert_string_equal(framing("benign"), "true");
    is("times[0].image.actual", "strip/0.000.actual.png"); /* in the golden's frame; beside it what becomes the golden */
    is("times[0].image.candidate", "strip/0.000.png");
    assert_contains(rigproof("report", "out/check/results.json", "--case", "strip", NULL)->out,
                    "    new golden  out/check/strip/0.000.png\n");
    accept_gives(0, NULL);
    check_gives(0, NULL);
}

/*
 * By hand: the eye goes along the chord of 10 degrees on a circle whose radius is cos(10 degrees) of the distance, which is
 * 1 / sin(15 degrees) radii.
 */
SCRATCH_TEST(other_settings_are_a_finding)
{
    const double degree = acos(-1) / 180, chord = 2 * sin(5 * degree) * cos(10 * degree) / sin(15 * degree);
    accept_model("");
    write_suite("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1], camera: {yaw: 40}}\n");
    check_gives(1, NULL);
    is("stage", "draw", "times[0].image.state", "same", "times[1].image.state", "same");
    assert_contains(result_of("strip", "headline"), "turned by 10.0\302\260 (yaw 30 \342\206\222 40)");
    assert_true(fabs(strtod(framing("measure"), NULL) - chord) < 1e-5);
    assert_contains(result_of("strip", "passes_from"), "would pass from framing: 0.67");
    spill("loose.yaml", "framing: 0.67\n");
    spill("tight.yaml", "framing: 0.66\n");
    rigproof_good("report", "out/check/results.json", "--tolerance", "loose.yaml");
    rigproof_gives(1, "report", "out/check/results.json", "--tolerance", "tight.yaml");
    write_suite("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1], camera: {yaw: 40}, tolerance: {framing: 0.67}}\n");
    check_gives(0, NULL);
}

/* A bone that the camera goes around, and moves otherwise: the golden's camera stays, and where it would be now follows from the pose. */
SCRATCH_TEST(a_target_is_the_golden_s)
{
    static const char *const follows[] = {"1", "0", "rest"};
    for (int i = 0; i < 3; i++) {
        accept_model(at(", camera: {target: tip, follow: %s, zoom: 2}", follows[i]));
        lose_channel();
        is("stage", "import", "times[0].image.state", "same", "times[1].image.state", "differs");
        assert_string_equal(framing("benign"), "true"); /* at least the bounds are others */
        write_suite(at("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1], camera: {target: base, follow: %s, zoom: 2}}\n",
                       follows[i]));
        copy_file(STRIP, "model.gltf");
        check_gives(1, NULL);
        is("stage", "draw", "times[0].image.state", "same");
        assert_string_equal(framing("benign"), "false");
        assert_contains(result_of("strip", "headline"), "(target tip \342\206\222 base)");
        write_suite(at("  - {name: strip, model: model.gltf, clip: mixed, times: [0, 1], camera: {target: tip, follow: %s, zoom: 2}}\n",
                       follows[i]));
        check_gives(0, NULL);
        shell("rm -r golden");
    }
}

/* The camera's node is a part of the pose: that it stays behind is no fault of the pictures. */
SCRATCH_TEST(a_camera_of_the_file_is_the_golden_s)
{
    const char *suite = "  - {name: strip, model: model.gltf, times: [0.2, 1], camera: 'file:eye'}\n";
    copy_file(FIXTURES "/surfaces/surfaces.gltf", "model.gltf");
    write_accepted_suite(suite);
    tamper("model.gltf", "animations[0].channels[2].target", "{\"path\": \"translation\"}"); /* of no node: the eye's parent stays */
    check_gives(1, NULL);
    is("times[0].image.state", "same", "times[1].image.state", "same");
    assert_string_equal(framing("benign"), "true");
}

/* Goldens of builds that did not record it; those of a crowd lack bounds. */
SCRATCH_TEST(cameras_may_be_missing)
{
    static const char *const keys[] = {"\"camera\": {", "\"bounds\""};
    for (size_t i = 0; i < 2; i++) {
        accept_model(i ? ", crowd: 2x1, crowd-phase: 0" : "");
        char *json = slurp(RECORDED, NULL), *key = json;
        for (; (key = strstr(key, keys[i])); key++)
            key[1] = '_';
        spill(RECORDED, json);
        check_gives(0, NULL);
        lose_channel();
        is("stage", "import", "times[0].image.state", "differs");
        shell("rm -r golden");
    }
}

SCRATCH_TEST(what_is_no_camera_is_an_error)
{
    static const char *const rows[][2] = {
        {"frames[1].camera.near", "0"},        {"frames[1].camera.far", "0.001"}, {"frames[0].camera.fov_y", "3.2"},
        {"frames[0].camera.eye[1]", "1e39"},   {"frames[0].camera.up", "[0, 1]"}, {"frames[1].time", "0.5"},
        {"bounds", "[0, 0, 0, -1, 0, 0]"},
    };
    accept_model(", crowd: 2x1");
    copy_file(RECORDED, "good.json");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tamper(RECORDED, rows[i][0], rows[i][1]);
        check_gives(1, NULL);
        is("status", "error");
        assert_contains(result_of("strip", "headline"), RECORDED ": ");
        copy_file("good.json", RECORDED);
    }
}
