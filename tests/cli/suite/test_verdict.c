#define _GNU_SOURCE /* symlink */

/* One golden is changed, and check must name the stage, the thing and the time. Poses: test_verdict_pose.c. */
#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "cli/pictures.h"
#include "suite_runs.h"

#define IMPORT import_of("golden/strip")
#define PICTURE "golden/strip/0.750.png"
#define RECORDED "golden/strip/recorded.json"

/* strip must fail at that stage, with this headline. */
static const struct outcome *fails_at(const char *stage, const char *headline)
{
    const struct outcome *outcome = check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    assert_string_equal(result_of("strip", "stage"), stage);
    assert_contains(result_of("strip", "headline"), headline);
    assert_string_equal(result_of("strip", at("stages.%s.state", stage)), "differs");
    assert_contains(outcome->out, at("FAIL     strip  %s", result_of("strip", "headline")));
    return outcome;
}

/* ---- import ------------------------------------------------------------------------------------------------------ */

/* 3 more units for the offset matrix of `tip`: of a model that is 4 units high. */
static void offset_matrix_is_import(void **state)
{
    (void)state;
    tamper(IMPORT, at("meshes[0].bones[%d].offset[7]", index_of(IMPORT, "meshes[0].bones", "bone", "tip")), "1");
    const struct outcome *outcome = fails_at("import", "`tip`");
    assert_string_equal(result_of("strip", "findings[0].subject"), "tip");
    assert_string_equal(result_of("strip", "findings[0].translation"), "3");
    assert_string_equal(result_of("strip", "stages.animate.state"), "passed");
    assert_string_equal(result_of("strip", "stages.draw.state"), "passed");
    assert_contains(outcome->out, "  import     DIFFERS\n");
}

static void number_of_weights_is_import(void **state)
{
    (void)state;
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    fails_at("import", "`base`");
    assert_contains(result_of("strip", "headline"), "12");
    assert_contains(result_of("strip", "headline"), "11");
}

static void duration_is_import(void **state)
{
    (void)state;
    tamper(IMPORT, at("clips[%d].duration", index_of(IMPORT, "clips", "name", "linear-rotation")), "48.0");
    fails_at("import", "`linear-rotation`");
    assert_contains(result_of("strip", "headline"), "24 times");
}

static void parent_is_import(void **state)
{
    (void)state;
    tamper(IMPORT, at("nodes[%d].parent", index_of(IMPORT, "nodes", "name", "tip")), "\"rig\"");
    fails_at("import", "`tip`");
    assert_contains(result_of("strip", "headline"), "`rig`");
}

static void later_stages_are_explained_by_the_first(void **state)
{
    (void)state;
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    tint(PICTURE, 100, 90);
    const struct outcome *outcome = fails_at("import", "`base`");
    assert_string_equal(result_of("strip", "stages.draw.state"), "explained");
    assert_string_equal(result_of("strip", "stages.animate.state"), "passed");
    assert_contains(outcome->out, "  draw       differs, explained by import: ");
}

/* What made the clip still is what is wrong; that the result tests nothing is said after it. */
static void stillness_does_not_lead(void **state)
{
    (void)state;
    write_suite("  - {name: strip, model: " STRIP ", clip: single, times: [0.25, 0.75]}\n"
                "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    fails_at("animate", "the pose is of clip `single`");
    assert_string_equal(result_of("strip", "vacuous"), "false");
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    const struct outcome *outcome = fails_at("import", "`base`");
    assert_string_equal(result_of("strip", "vacuous"), "false");
    assert_contains(outcome->out, "  import     DIFFERS\n");
    assert_contains(outcome->out, "\n  With this difference it tests nothing: clip `single` does not move anything: ");
    assert_string_equal(result_of("strip", "accept"), "null");
    assert_contains(accept_gives(1, NULL)->out, "strip: not accepted, it tests nothing: clip `single` does not move");
}

/* Vertices whose weights are gone follow the mesh's node, by a repair: the loss leads, the repair is behind it. */
static void lost_weights_lead(void **state)
{
    (void)state;
    static const char *const models[] = {"unnormalised-weights", "unweighted"};
    for (size_t i = 0; i < 2; i++) {
        write_suite(at("  - {name: strip, model: " FIXTURES "/broken/%s.gltf, times: [0.25, 0.75]}\n"
                       "  - {name: twins, model: " TWINS ", times: [0.2]}\n", models[i]));
        if (i == 0)
            accept_gives(0, NULL);
    }
    fails_at("import", "vertices lost their weights (repair `unweighted` is new: mesh \"");
}

/* The walker's body has two materials, and so is two meshes of one name. */
static void meshes_of_one_name_are_numbered(void **state)
{
    (void)state;
    static const char pose[] = "golden/strip/0.250.pose.json";
    write_suite("  - {name: strip, model: " FIXTURES "/walker/walker.fbx, clip: walk, times: [0.25]}\n"
                "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    accept_gives(0, NULL);
    tamper(IMPORT, at("meshes[1].bones[%d].weights", index_of(IMPORT, "meshes[1].bones", "bone", "head")), "7");
    fails_at("import", "bone `head` (mesh `body` #1): ");
    assert_string_equal(result_of("strip", "findings[0].mesh"), "body #1");
    accept_gives(0, NULL);
    tamper(pose, "palette[35].matrix[3]", "50"); /* of 30 bones each */
    assert_contains(fails_at("palette", "(mesh `body` #1) is off by")->out, "` of `body` #1\n");
    const char *text = rigproof_good("inspect", FIXTURES "/walker/walker.fbx")->out;
    assert_contains(text, "\n  body #0: ");
    assert_contains(text, "\n  body #1: ");
    assert_contains(rigproof_good("inspect", FIXTURES "/walker/walker.fbx", "--bones")->out, "\n  body #1: ");
}

static void damaged_json_is_an_error(void **state)
{
    (void)state;
    static const char *const contents_of[] = {"", "{", "{\"format\": \"rigproof.pose/1\"}", "[]"};
    for (size_t i = 0; i < sizeof contents_of / sizeof contents_of[0]; i++) {
        spill(IMPORT, contents_of[i]);
        check_gives(1, NULL);
        assert_statuses("strip error, twins pass");
        assert_contains(result_of("strip", "headline"), IMPORT);
    }
    spill(IMPORT, "{");
    spill(RECORDED, "{");
    check_gives(1, NULL);
    assert_contains(result_of("strip", "headline"), RECORDED);
    assert_string_equal(result_of("strip", "accept"), "null");
}

/* ---- draw -------------------------------------------------------------------------------------------------------- */

static void other_picture_is_draw(void **state)
{
    (void)state;
    copy_file("golden/strip/0.250.png", PICTURE);
    const struct outcome *outcome = fails_at("draw", "frame 0.750: ");
    assert_string_equal(result_of("strip", "times[0].image.state"), "same");
    assert_string_equal(result_of("strip", "times[1].image.state"), "differs");
    assert_string_equal(result_of("strip", "times[1].image.golden"), "strip/0.750.golden.png");
    assert_same_files("out/check/strip/0.750.golden.png", PICTURE);
    assert_true(exists("out/check/strip/0.750.difference.png") && exists("out/check/strip/0.750.heat.png"));
    assert_contains(outcome->out, "moved by `");
    assert_contains(outcome->out, "  accept     rigproof accept suite.yaml --filter strip");
    assert_string_equal(result_of("strip", "stages.palette.state"), "passed");
}

/* 100 pixels of one colour in the middle of a picture: the box is theirs. */
static void box_is_where_pixels_changed(void **state)
{
    (void)state;
    struct image image = read_picture(PICTURE);
    struct error err = {0};
    for (uint32_t y = 30; y < 40; y++)
        for (uint32_t x = 20; x < 30; x++)
            memcpy(image.rgba + 4 * (y * 64 + x), "\xff\x00\xff\xff", 4);
    assert_true(image_write_png(&image, PICTURE, PNG_GOLDEN, &err));
    image_release(&image);
    fails_at("draw", "10x10 at 20,30");
    assert_string_equal(result_of("strip", "times[1].image.box"), "[20,30,10,10]");
    assert_string_equal(result_of("strip", "times[1].image.changed"), "100");
}

static void other_size_is_draw(void **state)
{
    (void)state;
    rigproof_good("render", STRIP, "--size", "32x48", "-o", PICTURE);
    fails_at("draw", "frame 0.750 is 64x64, its golden 32x48");
    assert_string_equal(result_of("strip", "times[1].image.golden"), "strip/0.750.golden.png");
}

static void damaged_picture_is_an_error(void **state)
{
    (void)state;
    size_t size;
    char *png = slurp(PICTURE, &size);
    FILE *stream = fopen(PICTURE, "wb");
    fwrite(png, 1, size / 2, stream);
    fclose(stream);
    check_gives(1, NULL);
    assert_statuses("strip error, twins pass");
    assert_contains(result_of("strip", "headline"), PICTURE);
    spill(PICTURE, "");
    check_gives(1, NULL);
    assert_contains(result_of("strip", "headline"), PICTURE);
}

/* Another rasteriser's picture beside the golden, and one that is neither's. */
static void further_picture_is_accepted(void **state)
{
    (void)state;
    copy_file(PICTURE, "golden/strip/0.750_2.png");
    copy_file("golden/strip/0.250.png", PICTURE);
    record_hashes("golden/strip");
    copy_file("golden/strip/0.250.png", "golden/strip/0.750_1.png");
    check_gives(0, NULL);
    assert_statuses("strip pass, twins pass");
    assert_string_equal(result_of("strip", "times[1].image.state"), "same");
    copy_file("golden/strip/0.250.png", "golden/strip/0.750_2.png");
    fails_at("draw", "frame 0.750: ");
    spill("golden/strip/0.750_1.png", "no picture");
    check_gives(1, NULL);
    assert_statuses("strip error, twins pass");
    assert_contains(result_of("strip", "headline"), "golden/strip/0.750_1.png");
}

/* The pictures differ because the suite does: what was another option then is told. */
static void other_options_are_told(void **state)
{
    (void)state;
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], camera: {yaw: 120}, select: tip}\n"
                "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    const struct outcome *outcome = fails_at("draw", "frame 0.");
    assert_contains(outcome->out,
                    "    `camera`: golden yaw=30,pitch=10,zoom=1,fov=30, here yaw=120,pitch=10,zoom=1,fov=30\n");
    assert_string_equal(result_of("strip", "actual.camera"), "yaw=120,pitch=10,zoom=1,fov=30");
    assert_null(strstr(slurp("out/check/results.json", NULL), "\"view\":"));
    assert_string_equal(result_of("strip", "actual.select"), "tip");
    assert_null(strstr(json_at("out/check/results.json", "fingerprint"), "select")); /* that is the run's */
    accept_gives(0, NULL);
    assert_string_equal(json_at(RECORDED, "options.camera"), "yaw=120,pitch=10,zoom=1,fov=30");
    assert_null(strstr(json_at(RECORDED, "fingerprint"), "camera"));
    check_gives(0, NULL);
    assert_null(strstr(slurp("out/check/results.json", NULL), "\"camera\":"));
}

/* ---- what recorded.json is for ----------------------------------------------------------------------------------- */

static void without_recorded_json_pictures_are_decoded(void **state)
{
    (void)state;
    keep_own_import("golden/strip"); /* recorded.json would name a shared one */
    unlink(RECORDED);
    check_gives(0, NULL);
    assert_statuses("strip pass, twins pass");
    tint(PICTURE, 100, 90);
    fails_at("draw", "frame 0.750: ");
}

/* The hashes in recorded.json are not believed where the PNG is another one. */
static void replaced_picture_is_decoded(void **state)
{
    (void)state;
    tint(PICTURE, 100, 90);
    fails_at("draw", "100 of ");
}

/* As a process that was killed while it wrote a golden leaves it: files of two runs. Each alone shows nothing else. */
static void files_of_another_run_fail(void **state)
{
    (void)state;
    static const char *const files[] = {"golden/strip/import.json", "golden/strip/0.250.pose.json"};
    keep_own_import("golden/strip");
    keep_own_import("golden/twins");
    assert_int_equal(system("rm -r golden/imports"), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *whole = slurp(files[i], NULL);
        spill(files[i], at("%s\n", whole)); /* other bytes that say the same */
        check_gives(1, NULL);
        assert_statuses("strip fail, twins pass");
        assert_contains(result_of("strip", "headline"), "does not match its hash in recorded.json");
        assert_contains(result_of("strip", "headline"), path_base(files[i]));
        assert_string_equal(result_of("strip", "stage"), "none");
        accept_gives(0, "--missing", NULL);
        assert_string_not_equal(slurp(files[i], NULL), whole);
        accept_gives(0, NULL);
        check_gives(0, NULL);
        assert_string_equal(slurp(files[i], NULL), whole);
    }
    tint(PICTURE, 20, 1);
    accept_gives(0, "--all", NULL);
    copy_file(PICTURE, "good.png");
    tint(PICTURE, 20, 1);
    copy_file(PICTURE, "tinted.png");
    copy_file("good.png", PICTURE);
    record_hashes("golden/strip");
    copy_file("tinted.png", PICTURE);
    check_gives(1, NULL);
    assert_contains(result_of("strip", "headline"), "0.750.png of the golden does not match its hash");
}

static void encoding_of_a_picture_is_free(void **state)
{
    (void)state;
    struct image image = read_picture(PICTURE);
    struct error err = {0};
    copy_file(PICTURE, "before.png");
    assert_true(image_write_png(&image, PICTURE, PNG_OUTPUT, &err));
    image_release(&image);
    assert_false(files_equal("before.png", PICTURE));
    check_gives(0, NULL);
}

/* Goldens of a version that did not record them. */
static void hashes_may_be_missing(void **state)
{
    (void)state;
    keep_own_import("golden/strip");
    tamper(RECORDED, "import", "null");
    check_gives(1, NULL);
    assert_statuses("strip error, twins pass");
    char *json = slurp(RECORDED, NULL);
    char *line = strstr(json, "\"import\"");
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
    for (char *pose; (pose = strstr(json, "\"pose\""));)
        pose[1] = '_';
    spill(RECORDED, json);
    spill(IMPORT, at("%s\n", slurp(IMPORT, NULL)));
    check_gives(0, NULL);
    assert_statuses("strip pass, twins pass");
}

static void noise_passes_on_the_recorded_renderer(void **state)
{
    (void)state;
    tint(PICTURE, 20, 1);
    check_gives(0, "--strict", NULL);
    assert_statuses("strip pass, twins pass");
    assert_string_equal(result_of("strip", "times[1].image.state"), "noise");
    assert_string_equal(result_of("strip", "times[1].image.max_delta"), "1");
}

static void noise_of_another_renderer_is_drift(void **state)
{
    (void)state;
    tamper(RECORDED, "fingerprint.mesa", "\"21.0.0\"");
    check_gives(0, "--strict", NULL);
    assert_statuses("strip pass, twins pass"); /* the pixels are the same */
    tint(PICTURE, 20, 1);
    const struct outcome *outcome = check_gives(0, NULL);
    assert_statuses("strip drift, twins pass");
    assert_contains(outcome->out, "drift    strip  pixels differ by up to 1 level");
    assert_contains(outcome->out, "21.0.0");
    assert_string_equal(result_of("strip", "accept"), "null");
    outcome = check_gives(1, "--strict", NULL);
    assert_statuses("strip drift, twins pass");
    assert_contains(outcome->out, "1 of 2 cases fails: 1 drift");
    tint(PICTURE, 200, 90);
    fails_at("draw", "frame 0.750: ");
}

/* ---- what is not there ------------------------------------------------------------------------------------------- */

static void is_missing(const char *headline)
{
    check_gives(1, NULL);
    assert_statuses("strip missing, twins pass");
    assert_string_equal(result_of("strip", "headline"), headline);
    assert_string_equal(result_of("strip", "accept"), "rigproof accept suite.yaml --filter strip --allow-outside");
}

static void files_that_are_gone_are_missing(void **state)
{
    (void)state;
    keep_own_import("golden/strip");
    rename("golden/strip", "kept");
    is_missing("no golden");
    mkdir("golden/strip", 0777);
    is_missing("no golden import.json");
    copy_file("kept/import.json", "golden/strip/import.json");
    is_missing("no golden for 0.250 s");
    copy_file("kept/0.250.pose.json", "golden/strip/0.250.pose.json");
    copy_file("kept/0.750.pose.json", "golden/strip/0.750.pose.json");
    is_missing("no golden picture for 0.250 s");
    copy_file("kept/0.250.png", "golden/strip/0.250.png");
    is_missing("no golden picture for 0.750 s");
    copy_file("kept/0.750.png", PICTURE);
    check_gives(0, NULL);
}

static void what_differs_counts_more_than_what_is_missing(void **state)
{
    (void)state;
    unlink("golden/strip/0.250.pose.json");
    tint(PICTURE, 100, 90);
    fails_at("draw", "frame 0.750: ");
}

/* A name that is there and cannot be read is no golden that is missing. */
static void what_is_no_file_is_an_error(void **state)
{
    (void)state;
    const char *const files[] = {IMPORT, PICTURE, "golden/strip/0.250.pose.json", RECORDED};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rename(files[i], "kept");
        mkdir(files[i], 0777);
        check_gives(1, NULL);
        assert_statuses("strip error, twins pass");
        assert_contains(result_of("strip", "headline"), files[i]);
        rmdir(files[i]);
        assert_int_equal(symlink("nowhere", files[i]), 0);
        check_gives(1, NULL);
        assert_statuses("strip error, twins pass");
        unlink(files[i]);
        rename("kept", files[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        verdict_test(offset_matrix_is_import),
        verdict_test(number_of_weights_is_import),
        verdict_test(duration_is_import),
        verdict_test(parent_is_import),
        verdict_test(later_stages_are_explained_by_the_first),
        verdict_test(stillness_does_not_lead),
        verdict_test(lost_weights_lead),
        verdict_test(meshes_of_one_name_are_numbered),
        verdict_test(damaged_json_is_an_error),
        verdict_test(other_picture_is_draw),
        verdict_test(box_is_where_pixels_changed),
        verdict_test(other_size_is_draw),
        verdict_test(damaged_picture_is_an_error),
        verdict_test(further_picture_is_accepted),
        verdict_test(other_options_are_told),
        verdict_test(without_recorded_json_pictures_are_decoded),
        verdict_test(replaced_picture_is_decoded),
        verdict_test(files_of_another_run_fail),
        verdict_test(encoding_of_a_picture_is_free),
        verdict_test(hashes_may_be_missing),
        verdict_test(noise_passes_on_the_recorded_renderer),
        verdict_test(noise_of_another_renderer_is_drift),
        verdict_test(files_that_are_gone_are_missing),
        verdict_test(what_differs_counts_more_than_what_is_missing),
        verdict_test(what_is_no_file_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
