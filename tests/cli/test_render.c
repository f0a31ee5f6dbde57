/* render: sizes, background, what the options change in a picture, PNG on stdout, upload formats. */
#include "cli/pictures.h"

SCRATCH_TEST(sizes_are_as_asked)
{
    static const uint32_t sizes[][2] = {{1, 1}, {33, 17}, {640, 48}, {7, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        rigproof_good("render", WALKER, "--size", at("%ux%u", sizes[i][0], sizes[i][1]), "-o", "out.png");
        picture_has_size("out.png", sizes[i][0], sizes[i][1]);
    }
    const struct outcome *silent = rigproof_good("render", WALKER, "-o", "out.png");
    picture_has_size("out.png", 512, 512);
    assert_string_equal(silent->out, "");
    assert_string_equal(silent->err, "");
    assert_string_equal(scratch_listing(), "out.png");
}

/* The model is framed: something in the middle, the background in the corners, exactly as asked for. */
SCRATCH_TEST(background_is_exact)
{
    static const struct {
        const char *text;
        uint8_t rgba[4];
    } cases[] = {{"808080", {0x80, 0x80, 0x80, 0xff}},
                 {"10203040", {0x10, 0x20, 0x30, 0x40}},
                 {"ff000000", {0xff, 0, 0, 0}},
                 {"00ff00ff", {0, 0xff, 0, 0xff}},
                 {"01fe7f80", {0x01, 0xfe, 0x7f, 0x80}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_good("render", WALKER, "--size", "96x96", "--background", cases[i].text, "-o", "out.png");
        SCOPED(image) image = read_picture("out.png");
        const size_t corners[] = {0, 95, 95 * 96, 96 * 96 - 1};
        for (int k = 0; k < 4; k++)
            assert_memory_equal(image.rgba + 4 * corners[k], cases[i].rgba, 4);
        size_t others = count_others(&image, cases[i].rgba);
        assert_true(others > 96 * 96 / 20 && others < 96 * 96 * 9 / 10);
        assert_int_equal(image.rgba[4 * (48 * 96 + 48) + 3], 0xff); /* the model is opaque */
    }
    rigproof_good("render", WALKER, "--size", "96x96", "-o", "default.png");
    rigproof_good("render", WALKER, "--size", "96x96", "--background", "808080", "-o", "grey.png");
    assert_same_files("default.png", "grey.png");
}

/* Each row changes the picture of the row "base". */
SCRATCH_TEST(options_change_the_picture)
{
    static const char *const rows[][2] = {
        {"--time", "0.3"}, {"--clip", "wave"}, {"--clip", "none"}, {"--view", "unlit"}, {"--view", "normals"},
        {"--view", "weights"}, {"--view", "weight:hips"}, {"--view", "bones"}, {"--view", "depth"}, {"--view", "uv"},
        {"--view", "influences"}, {"--overlay", "wireframe"}, {"--overlay", "bounds"}, {"--overlay", "axes"},
        {"--overlay", "label"},
        {"--overlay", "skeleton"}, {"--camera", "yaw=100"}, {"--camera", "pitch=60"}, {"--camera", "zoom=2"},
        {"--camera", "fov=0"}, {"--up", "z"}, {"--background", "ffffff"},
    };
    rigproof_good("render", WALKER, "--size", "64x64", "--clip", "walk", "-o", "base.png");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *clip = strcmp(rows[i][0], "--clip") == 0 ? rows[i][1] : "walk"; /* which may be named once */
        rigproof_good("render", WALKER, "--size", "64x64", "--clip", clip, rows[i][0], rows[i][1], "-o", "out.png");
        if (count_differences("base.png", "out.png") < 20)
            fail_msg("%s %s changes nothing", rows[i][0], rows[i][1]);
    }
}

SCRATCH_TEST(bones_are_found_by_name)
{
    rigproof_refuses("did you mean `hips`?", "render", WALKER, "--view", "weight:hip", "-o", "out.png");
    rigproof_refuses("--select: ", "render", WALKER, "--select", "tail", "-o", "out.png");
    rigproof_good("render", WALKER, "--size", "96x96", "--overlay", "skeleton", "-o", "none.png");
    rigproof_good("render", WALKER, "--size", "96x96", "--overlay", "skeleton", "--select", "head", "-o", "head.png");
    assert_true(count_differences("none.png", "head.png") >= 10);
}

/* And these do not. */
SCRATCH_TEST(equal_words_give_equal_pictures)
{
    static const char *const rows[][2] = {
        {"--time", "0"},           {"--clip", "1"},
        {"--view", "lit"},         {"--camera", "yaw=30,pitch=10,zoom=1,fov=30"},
        {"--up", "auto"},          {"--up", "y"},
        {"--profile", "portable"}, {"--wrap", "loop"},
        {"--influences", "all"},   {"--frames", "0..0"},
        {"--camera", "yaw=390"},   {"--overlay", "none"},
        {"--select", "hips"},
    };
    rigproof_good("render", WALKER, "--size", "64x64", "--clip", "walk", "-o", "base.png");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *clip = strcmp(rows[i][0], "--clip") == 0 ? rows[i][1] : "walk";
        rigproof_good("render", WALKER, "--size", "64x64", "--clip", clip, rows[i][0], rows[i][1], "-o", "out.png");
        if (!files_equal("base.png", "out.png"))
            fail_msg("%s %s changes the picture", rows[i][0], rows[i][1]);
    }
}

/* Nothing but clips: no surface, and that is said; the nodes that the clips move are the skeleton. */
SCRATCH_TEST(a_file_of_clips_alone_shows_its_skeleton)
{
    static const uint8_t grey[4] = {0x80, 0x80, 0x80, 0xff};
    static const char steps[] = FIXTURES "/pieces/steps.glb";
    const struct outcome *empty = rigproof_good("render", steps, "--size", "96x96", "-o", "empty.png");
    assert_contains(empty->err, "steps.glb has no triangles");
    struct image image = read_picture("empty.png");
    assert_int_equal(count_others(&image, grey), 0);
    image_release(&image);
    assert_string_equal(
        rigproof_good("render", steps, "--size", "96x96", "--overlay", "skeleton", "-o", "bones.png")->err, "");
    image = read_picture("bones.png");
    assert_true(count_others(&image, grey) > 100);
    image_release(&image);
}

SCRATCH_TEST(clips_from_another_file_move)
{
    const char *body = FIXTURES "/pieces/body.glb", *steps = FIXTURES "/pieces/steps.glb";
    rigproof_good("render", body, "--size", "64x64", "-o", "still.png");
    const struct outcome *moved = rigproof_good("render", body, "--clips-from", steps, "--clip", "steps", "--time",
                                                "0.25", "--size", "64x64", "-o", "moved.png");
    assert_contains(moved->err, "warning: unmatched-channels: ", "lantern");
    assert_true(count_differences("still.png", "moved.png") > 50);
}

SCRATCH_TEST(stdout_gets_the_png_alone)
{
    size_t size = 0;
    rigproof_good("render", WALKER, "--size", "40x30", "-o", "out.png");
    const char *bytes = slurp("out.png", &size);
    const struct outcome *outcome = rigproof_good("render", WALKER, "--size", "40x30", "-o", "-");
    assert_int_equal(outcome->out_size, size);
    assert_memory_equal(outcome->out, bytes, size);
    assert_string_equal(outcome->err, "");
    assert_string_equal(scratch_listing(), "out.png");
}

SCRATCH_TEST(dropped_influences_are_told)
{
    const char *crowd = FIXTURES "/crowd/crowd.glb";
    const struct outcome *four = rigproof_good("render", crowd, "--size", "32x32", "-o", "four.png");
    assert_contains(four->err, "warning: influences-dropped: mesh `crowd-mesh`: 2560 of 2560 vertices have more than 4",
                    "--influences all");
    assert_string_equal(rigproof_good("render", crowd, "--size", "32x32", "--influences", "8", "-o", "eight.png")->err,
                        "");
    assert_string_equal(rigproof_good("render", crowd, "--size", "32x32", "--influences", "all", "-o", "all.png")->err,
                        "");
    assert_same_files("eight.png", "all.png");
}

SCRATCH_TEST(trs_names_the_bone)
{
    const struct outcome *run =
        rigproof_fails(2, "render", WALKER, "--time", "0.23", "--palette-format", "trs", "-o", "out.png");
    assert_contains(run->err, "time 0.23 s: --palette-format trs holds only rotation, translation and uniform scale, but the "
                              "matrix of bone \"head\" of mesh \"body-0\" has a scale that is not uniform (scale 1.0");
    assert_string_equal(scratch_listing(), "");
}

SCRATCH_TEST(all_is_a_table)
{
    const struct outcome *run = rigproof_good("render", WALKER, "--time", "0.3", "--size", "64x64", "--palette", "all");
    assert_contains(run->out, "\n48 combinations: 32 good, 16 cannot hold the model, 0 failed\n");
    assert_string_equal(run->err, "");
    assert_string_equal(scratch_listing(), "");
    rigproof_refuses("leave -o out", "render", WALKER, "--palette", "all", "-o", "x.png");
    rigproof_refuses("turntable: --palette all is for rigproof render", "turntable", WALKER, "--palette", "all", "-o",
                     "x{frame}.png");
}

#define FIXED "--time", "0.3", "--size", "160x120", "--camera", "eye=0:1:5,target=0:0.8:0"
#define WALK_LEFT "turn=30,move=-0.8:0:0"
#define SHAPES_RIGHT "scale=0.2,move=1:1.2:0"
#define MATERIALS_BEHIND "scale=0.3,move=0.3:0.4:-1"

/* Each as alone where it stands, whatever the order: skinned, morphed, rigid, with textures; the nearer hides the farther. */
SCRATCH_TEST(several_models_stand_in_one_picture)
{
    static const char *const models[3] = {WALKER, FIXTURES "/shapes/shapes.gltf", FIXTURES "/surfaces/surfaces.gltf"};
    static const char *const clips[3] = {"wave", "bend", "turn"}, *const places[3] = {WALK_LEFT, SHAPES_RIGHT, MATERIALS_BEHIND};
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    struct image alone[3];
    for (int i = 0; i < 3; i++) {
        rigproof_good("render", models[i], FIXED, "--clip", clips[i], "--place", places[i], "-o", "alone.png");
        alone[i] = read_picture("alone.png");
        assert_true(count_others(&alone[i], (const uint8_t[]){0x80, 0x80, 0x80, 0xff}) > 300);
    }
    for (size_t n = 0; n < sizeof orders / sizeof orders[0]; n++) {
        const int *o = orders[n];
        size_t seen[3] = {0};
        const struct outcome *run =
            rigproof_good("render", models[o[0]], models[o[1]], models[o[2]], FIXED, "--clip", clips[o[0]], "--clip", clips[o[1]],
                          "--clip", clips[o[2]], "--place", places[o[0]], "--place", places[o[1]], "--place", places[o[2]], "-o", "all.png");
        assert_string_equal(run->err, "");
        SCOPED(image) all = read_picture("all.png");
        for (size_t i = 0; i < (size_t)all.width * all.height; i++) {
            int covering = 0, whose = 0;
            for (int k = 0; k < 3; k++)
                if (memcmp(alone[k].rgba + 4 * i, alone[k].rgba, 4) != 0) {
                    covering++;
                    whose = k;
                }
            seen[whose] += covering == 1;
            if (covering < 2 && memcmp(all.rgba + 4 * i, alone[whose].rgba + 4 * i, 4) != 0)
                fail_msg("order %zu: pixel %zu is not that of model %d alone", n, i, whose);
        }
        assert_true(seen[0] > 300 && seen[1] > 300 && seen[2] > 300);
    }
    for (int i = 0; i < 3; i++)
        image_release(&alone[i]);
}

/* One clip is all models'; the camera frames all; what is made for one model is refused. */
SCRATCH_TEST(models_share_what_they_are_not_given)
{
    rigproof_good("render", WALKER, WALKER, "--clip", "wave", "--place", "move=0:0:0", "--place", "move=1:0:0", "--time", "0.3", "--size",
                  "64x64", "-o", "two.png");
    rigproof_good("render", WALKER, WALKER, "--clip", "wave", "--clip", "wave", "--place", "move=0:0:0", "--place", "move=1:0:0", "--time",
                  "0.3", "--size", "64x64", "-o", "again.png");
    assert_int_equal(count_differences("two.png", "again.png"), 0);
    rigproof_good("render", WALKER, "--clip", "wave", "--time", "0.3", "--size", "64x64", "-o", "one.png");
    assert_true(count_differences("two.png", "one.png") > 100);
    rigproof_refuses("several models are for pictures", "render", WALKER, WALKER, "--crowd", "2x2", "-o", "x.png");
    rigproof_refuses("several models are for pictures", "render", WALKER, WALKER, "--view", "speed", "-o", "x.png");
    assert_contains(rigproof_fails(2, "render", WALKER, "--clip", "walk", "--clip", "wave", "-o", "x.png")->err, "--clip walk and --clip wave: only one of them may be given");
    rigproof_refuses("only one of them may be given for each model", "render", WALKER, WALKER, "--place", "move=1:0:0",
                     "--place", "move=2:0:0", "--place", "scale=2", "-o", "x.png");
    assert_contains(rigproof_fails(2, "render", WALKER, FIXTURES "/walker/walker.fbx", "--view", "studio", "-o", "x.png")->err, "use --view lit");
    const char *why = rigproof_fails(2, "render", WALKER, FIXTURES "/strip/strip.gltf", "--clip", "walk", "-o", "x.png")->err;
    assert_contains(why, "strip.gltf has no clip `walk`");
    rigproof_refuses("none.glb", "render", WALKER, "none.glb", "-o", "x.png");
}
