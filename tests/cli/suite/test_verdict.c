/* One golden is changed, and check must name the stage, the thing and the time. */

#include "base/file/file.h"
#include "cli/pictures.h"
#include "suite_runs.h"

#define IMPORT import_of("golden/strip")
#define FRAME "golden/strip/0.750.png"
#define POSE "golden/strip/0.750.pose.json"
#define RECORDED "golden/strip/recorded.json"
#define TWINS_CASE "  - {name: twins, model: " TWINS ", times: [0.2]}\n"

/* Of the case strip. */
#define is(...) result_is("strip", __VA_ARGS__)

static double number(const char *place)
{
    return strtod(result_of("strip", place), NULL);
}

/* strip must fail at that stage, with this in its headline. */
static void fails_at(const char *stage, const char *headline)
{
    check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    is("stage", stage, at("stages.%s.state", stage), "differs");
    assert_contains(result_of("strip", "headline"), headline);
}

static void is_error(const char *headline)
{
    check_gives(1, NULL);
    assert_statuses("strip error, twins pass");
    assert_contains(result_of("strip", "headline"), headline);
}

/*
 * A number of the golden, and the worst finding that it gives. Offset matrix: 3 more units for `tip`, of a model that is 4
 * high. `tip` is turned by 90 degrees about z at 0.75 s, halfway between two keys: no turn at all in the golden. The second
 * row of a palette matrix moved by a unit: every point of the bone is one unit away.
 */
VERDICT_TEST(a_changed_number_is_named)
{
    static const struct {
        const char *list, *key, *name, *place, *value; /* of the item of that name; NULL: the place alone */
        const char *stage, *subject, *figure, *is;
    } rows[] = {
        {"meshes[0].bones", "bone", "tip", "offset[7]", "1", "import", "tip", "translation", "3"},
        {"meshes[0].bones", "bone", "base", "weights", "11", "import", "base", "translation", "null"},
        {"clips", "name", "linear-rotation", "duration", "48.0", "import", "linear-rotation", "time", "null"},
        {"nodes", "name", "tip", "parent", "\"rig\"", "import", "tip", "time", "null"},
        {"nodes", "name", "tip", "r", "[0, 0, 0, 1]", "animate", "tip", "time", "0.75"},
        {"palette", "bone", "base", "matrix[7]", "1", "palette", "base", "distance", "1"},
        {"palette", "bone", "base", "bone", "\"bottom\"", "palette", "bottom", "displacement", "null"},
    };
    copy_folder("golden", "good");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *file = strcmp(rows[i].stage, "import") == 0 ? IMPORT : POSE;
        tamper(file, at("%s[%d].%s", rows[i].list, index_of(file, rows[i].list, rows[i].key, rows[i].name), rows[i].place),
               rows[i].value);
        fails_at(rows[i].stage, at("`%s`", rows[i].subject));
        is("findings[0].stage", rows[i].stage, "findings[0].subject", rows[i].subject,
           at("findings[0].%s", rows[i].figure), rows[i].is, "stages.draw.state", "passed",
           "stages.skin.state", "passed");
        shell("rm -r golden");
        copy_folder("good", "golden");
    }
}

/* Vertices are compared while the picture of their time is drawn. What is found is as where nothing is drawn. */
VERDICT_TEST(vertices_do_not_wait_for_pictures_to_be_told)
{
    static const char *const stages[] = {"", ", stages: [import, animate, palette, skin]"};
    char *findings[2];
    tamper("golden/strip/0.250.pose.json", "palette[0].matrix[7]", "1");
    tamper(POSE, "palette[1].matrix[7]", "1");
    for (int i = 0; i < 2; i++) {
        write_suite(at("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], tolerance: {skin: 0}%s}\n",
                       stages[i]));
        check_gives(1, NULL);
        findings[i] = strdup(at("%s, %s of %s", result_of("strip", "times[0].error.skin"),
                                result_of("strip", "times[1].error.skin"), result_of("strip", "findings")));
        is("stages.palette.state", "differs", "stages.skin.state", "differs",
           "stages.draw.state", i == 0 ? "passed" : "not-compared");
    }
    assert_string_equal(findings[0], findings[1]);
    free(findings[0]);
    free(findings[1]);
}

/* The limit is by the model's radius: what is far below it is no finding, what is far above is. */
VERDICT_TEST(limit_is_the_shell_tolerance)
{
    const char *place = at("palette[%d].matrix[7]", index_of(POSE, "palette", "bone", "base"));
    tamper(POSE, place, "5e-6");
    check_gives(0, NULL);
    assert_true(number("times[1].error.palette") > 0);
    tamper(POSE, place, "1e-4");
    fails_at("palette", "`base`");
    is("findings[0].mesh", "strip-mesh");
    write_suite("  - {name: strip, model: " STRIP
                ", clip: linear-rotation, times: [0.25, 0.75], tolerance: {shell: 0.001}}\n");
    check_gives(0, NULL);
}

/* A matrix of the golden's, whose picture is not one of that matrix: neither explains the other, nor do weights of `base` a turn
 * of `tip`. */
VERDICT_TEST(each_stage_is_held_against_its_own_input)
{
    tint(FRAME, 100, 90);
    tamper(POSE, "palette[0].matrix[7]", "1");
    fails_at("palette", json_at(POSE, "palette[0].bone"));
    is("stages.animate.state", "passed", "stages.draw.state", "differs");
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    tamper(POSE, at("nodes[%d].r", index_of(POSE, "nodes", "name", "tip")), "[0, 0, 0, 1]");
    fails_at("import", "`base`");
    is("times[0].error.animate", "0");
    assert_true(number("times[1].error.animate") > 0.1);
    is("bones[0].over_time[0]", "0", "stages.animate.state", "differs");
    assert_contains(result_of("strip", "headline"), "; and on its own: animate: local transform of `tip`");
    is("stages.palette.state", "differs", "stages.skin.state", "passed");
    is("stages.draw.state", "explained"); /* by the mesh whose weights are others */
    is("stages.draw.by", "import");
}

VERDICT_TEST(a_picture_follows_where_the_golden_s_pose_gives_it)
{
    static const char clamped[] = ", wrap: clamp}\n", looped[] = "}\n";
    static const char strip[] = "  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.5, 2.25]%s" TWINS_CASE;
    write_suite(at(strip, clamped));
    accept_gives(0, NULL);
    write_suite(at(strip, looped));
    fails_at("animate", "`tip`");
    is("times[1].image.remaining.state", "same", "stages.draw.state", "explained", "stages.draw.by", "animate");
}

/* A colour explains what it changes: not another view, and the next time is drawn with it again. */
VERDICT_TEST(a_colour_explains_what_it_changes)
{
    static const char cases[] = "  - {name: strip, model: own.gltf, clip: linear-rotation, times: [0.5, 0.75], view: %s}\n"
                                "  - {name: twin, model: own.gltf, clip: linear-rotation, times: [1]}\n";
    copy_file(STRIP, "own.gltf");
    write_suite(at(cases, "lit"));
    accept_gives(0, NULL);
    tamper("own.gltf", "materials[0].pbrMetallicRoughness.baseColorFactor", "[0.2, 0.55, 0.2, 1]");
    check_gives(1, NULL);
    assert_statuses("strip fail, twin fail");
    is("stages.draw.by", "import", "times[1].image.state", "differs");
    assert_string_equal(result_of("twin", "stages.draw.by"), "import");
    write_suite(at(cases, "normals"));
    check_gives(1, NULL);
    assert_statuses("strip fail, twin fail");
    is("stages.draw.state", "differs");
    assert_string_equal(result_of("twin", "stages.draw.by"), "import");
}

/* A mesh that has another name is compared with the one it was. */
VERDICT_TEST(a_name_explains_no_matrix)
{
    copy_file(STRIP, "own.gltf");
    write_suite("  - {name: strip, model: own.gltf, clip: linear-rotation, times: [0.75]}\n" TWINS_CASE);
    accept_gives(0, NULL);
    tamper("own.gltf", "meshes[0].name", "\"renamed\"");
    fails_at("import", "mesh `strip-mesh` is named `renamed` now");
    is("stages.palette.state", "passed", "stages.draw.state", "passed");
    tamper(POSE, "palette[0].matrix[7]", "1");
    fails_at("import", "; and on its own: palette: bone `base` (mesh `strip-mesh`)");
}

/* What made the clip still is what is wrong; that the result tests nothing is said after it. */
VERDICT_TEST(stillness_does_not_lead)
{
    write_suite("  - {name: strip, model: " STRIP ", clip: single, times: [0.25, 0.75]}\n" TWINS_CASE);
    fails_at("animate", "the pose is of clip `single`");
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    fails_at("import", "`base`");
    is("vacuous", "false");
    assert_contains(result_of("strip", "vacuity"), "nothing moves: both samples of clip `single` ");
    is("accept", "null");
    assert_contains(accept_gives(1, NULL)->out, "strip: not accepted, it tests nothing: nothing moves: ");
}

/* Vertices whose weights are gone follow the mesh's node, by a repair: the loss leads, the repair is behind it. */
VERDICT_TEST(lost_weights_lead)
{
    static const char *const models[] = {"unnormalised-weights", "unweighted"};
    for (size_t i = 0; i < 2; i++) {
        write_suite(at("  - {name: strip, model: " FIXTURES "/broken/%s.gltf, times: [0.25, 0.75]}\n" TWINS_CASE, models[i]));
        if (i == 0)
            accept_gives(0, NULL);
    }
    fails_at("import", "vertices lost their weights (repair `unweighted` is new: mesh \"");
}

/* Matrices may be right and what they make of the mesh not: that is no fault of the GPU's, and may be accepted. */
VERDICT_TEST(the_golden_s_skin_is_compared)
{
    tamper(POSE, "skin[0].max[1]", "4.5");
    fails_at("skin", "the box of skinned mesh `strip-mesh` is off by ");
    is("stages.palette.state", "passed", "findings[0].tolerance", "shell",
       "accept", "rigproof accept suite.yaml --filter strip --allow-outside");
    accept_gives(0, "--filter", "strip", NULL);
    check_gives(0, NULL);
}

VERDICT_TEST(other_picture_is_draw)
{
    copy_file("golden/strip/0.250.png", FRAME);
    fails_at("draw", "frame 0.750: ");
    is("times[0].image.state", "same", "times[1].image.state", "differs",
       "times[1].image.golden", "strip/0.750.golden.png");
    assert_same_files("out/check/strip/0.750.golden.png", FRAME);
    assert_true(exists("out/check/strip/0.750.difference.png") && exists("out/check/strip/0.750.heat.png"));
    is("times[1].image.bones[0].mesh", "strip-mesh",
       "accept", "rigproof accept suite.yaml --filter strip --allow-outside", "stages.palette.state", "passed");
    rigproof_good("render", STRIP, "--size", "32x48", "-o", FRAME);
    fails_at("draw", "frame 0.750 is 64x64, its golden is 32x48");
}

/* Another rasteriser's picture beside the golden, and one that is neither's. */
VERDICT_TEST(further_picture_is_accepted)
{
    copy_file(FRAME, "golden/strip/0.750_2.png");
    copy_file("golden/strip/0.250.png", FRAME);
    record_hashes("golden/strip");
    copy_file("golden/strip/0.250.png", "golden/strip/0.750_1.png");
    check_gives(0, NULL);
    is("times[1].image.state", "same");
    copy_file("golden/strip/0.250.png", "golden/strip/0.750_2.png");
    fails_at("draw", "frame 0.750: ");
    spill("golden/strip/0.750_1.png", "no picture");
    is_error("golden/strip/0.750_1.png");
}

/* The pictures differ because the suite does: what was another option then is told. */
VERDICT_TEST(other_options_are_told)
{
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], camera: {yaw: 120}, select: tip}\n"
                TWINS_CASE);
    fails_at("draw", "the framing changed: ");
    is("golden.camera", "yaw=30,pitch=10,zoom=1,fov=30", "actual.camera", "yaw=120,pitch=10,zoom=1,fov=30",
       "actual.select", "tip");
    assert_null(strstr(slurp("out/check/results.json", NULL), "\"view\":"));
    assert_null(strstr(json_at("out/check/results.json", "fingerprint"), "select")); /* that is the run's */
    accept_gives(0, NULL);
    assert_string_equal(json_at(RECORDED, "options.camera"), "yaw=120,pitch=10,zoom=1,fov=30");
    assert_null(strstr(json_at(RECORDED, "fingerprint"), "camera"));
    check_gives(0, NULL);
    assert_null(strstr(slurp("out/check/results.json", NULL), "\"camera\":"));
}

/* Where clips come from, and how they are taken over. */
VERDICT_TEST(other_clip_files_are_told)
{
    write_suite("  - {name: strip, model: " FIXTURES "/pieces/body.glb, clips-from: " FIXTURES "/pieces/steps.glb, clips-scale: 2, times: [0.125, 0.625]}\n");
    check_gives(1, NULL);
    assert_null(strstr(slurp("out/check/results.json", NULL), "clips-prefix"));
    is("golden.clips-scale", "auto", "actual.clips-scale", "2", "golden.clips-from", "");
    assert_contains(result_of("strip", "actual.clips-from"), "/pieces/steps.glb");
    accept_gives(0, NULL);
    assert_string_equal(json_at(RECORDED, "options.clips-scale"), "2");
    assert_contains(json_at(RECORDED, "options.clips-from"), "/pieces/steps.glb");
    write_suite("  - {name: strip, model: " FIXTURES "/pieces/body.glb, clips-from: " FIXTURES "/pieces/steps.glb, times: [0.125, 0.625]}\n");
    check_gives(1, NULL);
    is("golden.clips-scale", "2", "actual.clips-scale", "auto");
}

/* As a process that was killed while it wrote a golden leaves it: files of two runs. Each alone shows nothing else. */
VERDICT_TEST(files_of_another_run_fail)
{
    static const char file[] = "golden/strip/0.250.pose.json";
    const char *whole = slurp(file, NULL);
    spill(file, at("%s\n", whole)); /* other bytes that say the same */
    check_gives(1, NULL);
    assert_statuses("strip fail, twins pass");
    assert_contains(result_of("strip", "headline"), "0.250.pose.json of the golden does not match its hash");
    is("stage", "none");
    accept_gives(0, "--missing", NULL);
    assert_string_not_equal(slurp(file, NULL), whole);
    accept_gives(0, NULL);
    check_gives(0, NULL);
    assert_string_equal(slurp(file, NULL), whole);
    tint(FRAME, 20, 1);
    accept_gives(0, "--all", NULL);
    copy_file(FRAME, "good.png");
    tint(FRAME, 20, 1);
    copy_file(FRAME, "tinted.png");
    copy_file("good.png", FRAME);
    record_hashes("golden/strip");
    copy_file("tinted.png", FRAME);
    check_gives(1, NULL);
    assert_contains(result_of("strip", "headline"), "0.750.png of the golden does not match its hash");
}

VERDICT_TEST(encoding_of_a_picture_is_free)
{
    SCOPED(image) image = read_picture(FRAME);
    copy_file(FRAME, "before.png");
    assert_true(image_write_png(&image, FRAME, PNG_OUTPUT, ANY_ERROR));
    assert_false(files_equal("before.png", FRAME));
    check_gives(0, NULL);
}

/* Of another renderer it is drift; numbers that moved are none, however little the pixels did. */
VERDICT_TEST(noise_is_drift_of_another_renderer)
{
    copy_folder("golden", "good");
    tint(FRAME, 20, 1);
    check_gives(0, "--strict", NULL);
    assert_statuses("strip pass, twins pass");
    is("times[1].image.state", "noise", "times[1].image.max_delta", "1");
    shell("rm -r golden && cp -r good golden");
    tamper(RECORDED, "fingerprint.mesa", "\"21.0.0\"");
    check_gives(0, "--strict", NULL); /* the pixels are the same */
    tint(FRAME, 20, 1);
    check_gives(0, NULL);
    assert_statuses("strip drift, twins pass");
    is("golden.mesa", "21.0.0", "accept", "null");
    check_gives(1, "--strict", NULL);
    assert_statuses("strip drift, twins pass");
    tamper(POSE, "palette[0].matrix[7]", "1");
    fails_at("palette", json_at(POSE, "palette[0].bone"));
    shell("cp good/strip/0.750.pose.json golden/strip");
    tint(FRAME, 200, 90);
    fails_at("draw", "frame 0.750: ");
}

static void is_missing(const char *headline)
{
    check_gives(1, NULL);
    assert_statuses("strip missing, twins pass");
    is("headline", headline, "accept", "rigproof accept suite.yaml --filter strip --allow-outside");
}

VERDICT_TEST(files_that_are_gone_are_missing)
{
    rename("golden/strip", "kept");
    is_missing("no golden");
    mkdir("golden/strip", 0777);
    is_missing("no golden recorded.json; compared at 0 of 2 times: no golden for 0.250 s, 0.750 s");
    copy_file("kept/recorded.json", RECORDED);
    is_missing("compared at 0 of 2 times: no golden for 0.250 s, 0.750 s");
    copy_file("kept/0.250.pose.json", "golden/strip/0.250.pose.json");
    copy_file("kept/0.750.pose.json", POSE);
    is_missing("compared at 0 of 2 times: no golden picture for 0.250 s, 0.750 s");
    copy_file("kept/0.250.png", "golden/strip/0.250.png");
    is_missing("compared at 1 of 2 times: no golden picture for 0.750 s");
    copy_file("kept/0.750.png", FRAME);
    check_gives(0, NULL);
    unlink("golden/strip/0.250.pose.json"); /* what differs counts more */
    tint(FRAME, 100, 90);
    fails_at("draw", "frame 0.750: ");
    assert_contains(result_of("strip", "headline"), "; compared at 1 of 2 times: no golden for 0.250 s");
}

/* Nor is a name that is there and cannot be read a golden that is missing. */
VERDICT_TEST(damaged_files_are_errors)
{
    const char *const files[] = {IMPORT, FRAME, "golden/strip/0.250.pose.json", RECORDED};
    static const char *const contents[] = {"", "{", "{\"format\": \"rigproof.pose/1\"}", "[]", "\x89PNG\r\n\x1a\n"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rename(files[i], "kept");
        for (size_t k = 0; k < sizeof contents / sizeof contents[0]; k++) {
            spill(files[i], contents[k]);
            is_error(files[i]);
            is("accept", "null");
        }
        unlink(files[i]);
        mkdir(files[i], 0777);
        is_error(files[i]);
        rmdir(files[i]);
        assert_int_equal(symlink("nowhere", files[i]), 0);
        is_error(files[i]);
        unlink(files[i]);
        rename("kept", files[i]);
    }
}

/* Two formats mean the same at times of frames. The other case need not run, nor be good itself; that it cannot be read is an error. */
VERDICT_TEST(an_error_is_not_what_differs_before_it)
{
    tamper(IMPORT, "meshes[0].bones[0].weights", "11");
    spill(FRAME, "no picture");
    is_error("not a");
    assert_contains(check_gives(1, NULL)->out, "\n  import     DIFFERS: ");
}

SCRATCH_TEST(agreement_needs_the_other_model_alone)
{
    write_suite("  - {name: walk, model: " WALKER ", clip: walk, times: [0, 0.625]}\n"
                "  - {name: fbx, model: " FIXTURES "/walker/walker.fbx, clip: walk, agrees_with: {case: walk, unit: 0.01}}\n"
                "  - {name: idle, model: " FIXTURES "/walker/walker.fbx, clip: idle, tolerance: {agree: 1}, agrees_with: {case: walk, unit: 0.01}}\n"
                "  - {name: broken, model: " FIXTURES "/broken/truncated.glb, times: [0]}\n"
                "  - {name: lost, model: " FIXTURES "/walker/walker.fbx, clip: walk, agrees_with: broken}\n");
    check_gives(0, "--filter", "fbx", NULL);
    assert_string_equal(result_of("fbx", "times[1].label"), "0.625"); /* the other's times */
    assert_string_equal(result_of("fbx", "stages.import.state"), "not-compared");
    assert_true(strtod(result_of("fbx", "times[1].error.skin"), NULL) > 0);
    check_gives(1, NULL);
    assert_statuses("walk missing, fbx pass, idle pass, broken error, lost error");
    assert_contains(result_of("lost", "headline"), "agrees_with `broken`: ");
    assert_false(exists("out/check/fbx"));
}
