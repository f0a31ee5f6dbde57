/* Sequences: names, sheets, turntables; dumps at several times. */
#include "cli/pictures.h"

#include <stdlib.h>

#define SMALL "--size", "24x24"

static void frames_get_their_names(void **state)
{
    (void)state;
    const struct outcome *outcome =
        rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "8..10", "-o", "s_{frame:04}.png");
    assert_string_equal(scratch_listing(), "s_0008.png s_0009.png s_0010.png");
    assert_contains(outcome->err, "ffmpeg -framerate 24 -start_number 8 -i 's_%04d.png'");
    assert_string_equal(outcome->out, "");
    assert_false(files_equal("s_0008.png", "s_0010.png"));
    picture_has_size("s_0009.png", 24, 24);
}

static void times_get_their_names(void **state)
{
    (void)state;
    rigproof_good("render", FIXTURES "/walker/walker.fbx", SMALL, "--clip", "walk", "--time", "0,0.25,0.0416667", "-o",
                  "{model}/{clip}_{time}.png");
    assert_true(exists("walker/rig_walk_0.000.png"));
    assert_true(exists("walker/rig_walk_0.250.png"));
    assert_true(exists("walker/rig_walk_0.041667.png"));
    assert_string_equal(scratch_listing(), "walker");
    rigproof_good("render", WALKER, SMALL, "--clip", "none", "--time", "0,1", "-o", "{clip}-{frame}.png");
    assert_string_equal(scratch_listing(), "rest-0.png rest-1.png walker");
}

static void frame_times_come_from_the_rate(void **state)
{
    (void)state;
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "3..3", "--fps", "12", "-o", "frame.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0.25", "-o", "time.png");
    assert_same_files("frame.png", "time.png");
}

/* The camera is framed on the whole sequence: the order of times does not matter, and nothing jitters. */
static void camera_is_that_of_the_sequence(void **state)
{
    (void)state;
    rigproof_good("render", WALKER, SMALL, "--clip", "wave", "--time", "0,0.625", "-o", "a{time}.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "wave", "--time", "0.625,0", "-o", "b{time}.png");
    assert_same_files("a0.000.png", "b0.000.png");
    assert_same_files("a0.625.png", "b0.625.png");
}

static void names_that_do_not_differ_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"0,0.5", "one.png"}, {"0,0.5", "{clip}.png"}, {"0,0.25,0.25", "{time}.png"}, {"0.5,0.5", "new/{time}.png"},
        {"0,0.25,0.2500001", "{time}.png"}, {"0,0.5", "-"}, {"0", "{bogus}.png"}, {"0,1", "{frame:x}.png"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_fails(2, "render", WALKER, SMALL, "--time", cases[i][0], "-o", cases[i][1]);
        if (strcmp(cases[i][1], "-") != 0 && strchr(cases[i][1], '{'))
            rigproof_fails(2, "dump", WALKER, "--format", "obj", "--time", cases[i][0], "-o", cases[i][1]);
    }
    rigproof_fails(2, "dump", WALKER, "--format", "obj", "--time", "0,1");
    rigproof_fails(2, "turntable", WALKER, SMALL, "--frames", "2", "-o", "{time}.png");
    assert_string_equal(scratch_listing(), "");
}

static void tile_is_frame(const struct image *sheet, uint32_t x, uint32_t y, const char *path)
{
    struct image frame = read_picture(path);
    for (uint32_t row = 0; row < frame.height; row++)
        assert_memory_equal(sheet->rgba + 4 * ((size_t)(y + row) * sheet->width + x),
                            frame.rgba + 4 * (size_t)row * frame.width, (size_t)frame.width * 4);
    image_release(&frame);
}

static void sheet_shows_every_frame(void **state)
{
    (void)state;
    const struct outcome *outcome = rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "0..2",
                                                  "--sheet", "--background", "336699", "-o", "w{frame}.png");
    assert_string_equal(scratch_listing(), "w0.png w1.png w2.png wsheet.png");
    assert_contains(outcome->err, "contact sheet: wsheet.png");
    struct image sheet = read_picture("wsheet.png");
    assert_int_equal(sheet.width, 2 * 24 + 3 * 4);
    assert_int_equal(sheet.height, 2 * 24 + 3 * 4);
    assert_memory_equal(sheet.rgba, ((const uint8_t[]){0x33, 0x66, 0x99, 0xff}), 4);
    tile_is_frame(&sheet, 4, 4, "w0.png");
    tile_is_frame(&sheet, 32, 4, "w1.png");
    tile_is_frame(&sheet, 4, 32, "w2.png");
    image_release(&sheet);
}

static void pictures_are_png_and_nothing_else(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"a.jpg", "-o a.jpg: pictures are PNG: name them .png"},
                                           {"{frame}.TIFF", "name them .png"},
                                           {"walk.mp4", "a film is --film walk.mp4"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_contains(rigproof_fails(2, "render", WALKER, "-o", cases[i][0])->err, cases[i][1]);
    assert_contains(rigproof_fails(2, "turntable", WALKER, "-o", "t{frame}.gif")->err, "a film is --film t{frame}.gif");
    assert_string_equal(scratch_listing(), "");
    rigproof_good("render", WALKER, SMALL, "-o", "picture"); /* no extension is no claim */
    picture_has_size("picture", 24, 24);
}

/* 100,000 frames of 400 MB: nothing of that is drawn. */
static void a_sheet_that_cannot_be_is_refused_at_once(void **state)
{
    (void)state;
    const struct outcome *outcome = rigproof_fails(2, "render", WALKER, "--clip", "walk", "--size", "8192x8192", "--frames",
                                                   "0..99999", "--sheet", "-o", "w{frame}.png");
    assert_contains(outcome->err, "--sheet: a sheet of 100000 frames of 8192x8192");
    assert_string_equal(scratch_listing(), "");
}

static void sheet_can_be_all_there_is(void **state)
{
    (void)state;
    rigproof_good("render", WALKER, SMALL, "--time", "0,0.5", "--sheet", "-o", "two.png");
    picture_has_size("two.png", 2 * 24 + 3 * 4, 24 + 2 * 4);
    rigproof_good("render", WALKER, SMALL, "--sheet", "-o", "one.png"); /* of one frame too */
    picture_has_size("one.png", 24 + 2 * 4, 24 + 2 * 4);
    assert_string_equal(scratch_listing(), "one.png two.png");
    static const char *const cases[][2] = {{"0,0.5", "two.png"}, {"0", "one.png"}};
    for (int i = 0; i < 2; i++) {
        size_t size = 0;
        const char *bytes = slurp(cases[i][1], &size);
        const struct outcome *piped =
            rigproof_good("render", WALKER, SMALL, "--time", cases[i][0], "--sheet", "-o", "-");
        assert_int_equal(piped->out_size, size);
        assert_memory_equal(piped->out, bytes, size);
    }
}

/* ---- turntable -------------------------------------------------------------------------------------------------- */

static void turntable_goes_around(void **state)
{
    (void)state;
    const struct outcome *outcome = rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "-o", "t{frame}.png");
    assert_string_equal(scratch_listing(), "t0.png t1.png t2.png t3.png");
    assert_contains(outcome->err, "ffmpeg ");
    static const char *const names[] = {"t0.png", "t1.png", "t2.png", "t3.png"};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            assert_true(count_differences(names[a], names[b]) > 20);
    /* quarter turns from the front, of the rest pose: what render shows with that yaw */
    static const char *const yaws[] = {"yaw=30", "yaw=120", "yaw=210", "yaw=300"};
    for (int k = 0; k < 4; k++) {
        rigproof_good("render", WALKER, SMALL, "--clip", "none", "--camera", yaws[k], "-o", "r.png");
        assert_same_files("r.png", names[k]);
    }
}

static void turntable_plays_the_clip(void **state)
{
    (void)state;
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "-o", "t{frame}_{time}.png");
    assert_string_equal(scratch_listing(), "t0_0.000.png t1_0.250.png t2_0.500.png t3_0.750.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--loops", "2", "-o",
                  "u{frame}_{time}.png");
    assert_true(exists("u1_0.500.png") && exists("u3_1.500.png"));
    /* the second loop is the first again: frames at 0 and 1 s show one pose from two sides */
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--loops", "4", "-o", "v{frame}.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--time", "0", "-o", "h{frame}.png");
    assert_same_files("v0.png", "h0.png");
    assert_false(files_equal("h0.png", "h2.png"));
}

static void turntable_looks_down(void **state)
{
    (void)state;
    rigproof_good("turntable", WALKER, SMALL, "--frames", "1", "--pitch", "45", "-o", "t.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "none", "--camera", "pitch=45", "-o", "r.png");
    assert_same_files("t.png", "r.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "1", "--pitch", "-30", "-o", "t.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "none", "--camera", "pitch=-30", "-o", "r.png");
    assert_same_files("t.png", "r.png");
    const struct outcome *fixed = rigproof("turntable", WALKER, SMALL, "--camera", "file:any", "-o", "t{frame}.png", NULL);
    require_error(fixed, 2, __FILE__, __LINE__);
    assert_contains(fixed->err, "does not turn");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "3", "--sheet", "-o", "s.png");
    picture_has_size("s.png", 2 * 24 + 3 * 4, 2 * 24 + 3 * 4);
}

/* ---- dump ------------------------------------------------------------------------------------------------------- */

static size_t count_parts(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *c = text; (c = strstr(c, part)); c += strlen(part))
        count++;
    return count;
}

static void dump_of_many_times(void **state)
{
    (void)state;
    const char *strip = FIXTURES "/strip/strip.gltf";
    const char *csv = rigproof_good("dump", strip, "--clip", "flip", "--time", "0,0.375,0.75", "--format", "csv")->out;
    assert_int_equal(count_parts(csv, "model,clip,time"), 1);
    assert_int_equal(count_parts(csv, ",0.375,palette,strip-mesh,tip,base,"), 1);
    rigproof_good("dump", strip, "--clip", "flip", "--frames", "0..2", "--format", "csv", "-o", "f{frame}.csv");
    assert_string_equal(scratch_listing(), "f0.csv f1.csv f2.csv");
    assert_int_equal(count_parts(slurp("f2.csv", NULL), "model,clip,time"), 1);
    rigproof_good("dump", strip, "--clip", "flip", "--times", "auto", "--json", "-o", "auto/{time}.json");
    assert_contains(slurp("auto/0.375.json", NULL), "\"time\": 0.375");
    assert_true(exists("auto/0.000.json") && exists("auto/0.750.json"));
    rigproof_good("dump", strip, "--clip", "flip", "--times", "auto", "--samples", "2", "--json", "-o",
                  "two/{time}.json");
    assert_true(exists("two/0.000.json") && exists("two/0.750.json") && !exists("two/0.375.json"));
}

static void root_space_is_seen_from_the_root(void **state)
{
    (void)state;
    const char *strip = FIXTURES "/strip/strip.gltf"; /* the root stands at (1, 0, 0) */
    const char *scene = rigproof_good("dump", strip, "--clip", "none", "--json")->out;
    const char *root = rigproof_good("dump", strip, "--clip", "none", "--json", "--space", "root")->out;
    assert_contains(scene, "\"space\": \"scene\"");
    assert_contains(scene, "\"bone\": \"base\", \"matrix\": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]");
    assert_contains(root, "\"space\": \"root\"");
    assert_contains(root, "\"bone\": \"base\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(frames_get_their_names),
        scratch_test(times_get_their_names),
        scratch_test(frame_times_come_from_the_rate),
        scratch_test(camera_is_that_of_the_sequence),
        scratch_test(names_that_do_not_differ_are_refused),
        scratch_test(sheet_shows_every_frame),
        scratch_test(a_sheet_that_cannot_be_is_refused_at_once),
        scratch_test(pictures_are_png_and_nothing_else),
        scratch_test(sheet_can_be_all_there_is),
        scratch_test(turntable_goes_around),
        scratch_test(turntable_plays_the_clip),
        scratch_test(turntable_looks_down),
        scratch_test(dump_of_many_times),
        scratch_test(root_space_is_seen_from_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
