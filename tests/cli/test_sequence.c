/* Sequences: names, sheets, turntables; films of our own making, and through ffmpeg where that is installed. */

#include "cli/pictures.h"

#include "data/apng_read.h"

#define SMALL "--size", "24x24"
#define WALK "--clip", "walk", "--fps", "8"

/* Its frames, how long each is shown, and that the last pictures of it are those at the paths. */
static void film_has(const char *path, uint32_t count, uint32_t delay, uint32_t of, const char *const *pictures, size_t given)
{
    size_t size = 0;
    const char *bytes = slurp(path, &size);
    SCOPED(apng_read) film;
    apng_read(bytes, size, &film);
    assert_int_equal(film.frame_count, count);
    assert_int_equal(film.plays, 0);
    assert_true(film.delay[0] == delay && film.delay[1] == of);
    for (size_t i = 0; i < given; i++) {
        SCOPED(image) image = read_picture(pictures[i]);
        assert_true(film.width == image.width && film.height == image.height);
        assert_memory_equal(film.frames[count - given + i].rgba, image.rgba, 4 * (size_t)image.width * image.height);
    }
}
#define FILM_HAS(path, count, delay, of, ...) \
    film_has(path, count, delay, of, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- names and sheets ---------------------------------------------------------------------------------------------- */

SCRATCH_TEST(frames_get_their_names)
{
    const struct outcome *outcome =
        rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "8..10", "-o", "s_{frame:04}.png");
    assert_string_equal(scratch_listing(), "s_0008.png s_0009.png s_0010.png");
    assert_contains(outcome->err, "ffmpeg -framerate 24 -start_number 8 -i 's_%04d.png'");
    assert_string_equal(outcome->out, "");
    assert_false(files_equal("s_0008.png", "s_0010.png"));
    picture_has_size("s_0009.png", 24, 24);
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "3..3", "--fps", "12", "-o", "frame.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0.25", "-o", "time.png");
    assert_same_files("frame.png", "time.png");
}

SCRATCH_TEST(times_get_their_names)
{
    rigproof_good("render", FIXTURES "/walker/walker.fbx", SMALL, "--clip", "walk", "--time", "0,0.25,0.0416667", "-o",
                  "{model}/{clip}_{time}.png");
    assert_true(exists("walker/rig_walk_0.000.png"));
    assert_true(exists("walker/rig_walk_0.250.png"));
    assert_true(exists("walker/rig_walk_0.041667.png"));
    assert_string_equal(scratch_listing(), "walker");
    rigproof_good("render", WALKER, SMALL, "--clip", "none", "--time", "0,1", "-o", "{clip}-{frame}.png");
    assert_string_equal(scratch_listing(), "rest-0.png rest-1.png walker");
}

/* The camera is framed on the whole sequence: the order of times does not matter, and nothing jitters. */
SCRATCH_TEST(camera_is_that_of_the_sequence)
{
    rigproof_good("render", WALKER, SMALL, "--clip", "wave", "--time", "0,0.625", "-o", "a{time}.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "wave", "--time", "0.625,0", "-o", "b{time}.png");
    assert_same_files("a0.000.png", "b0.000.png");
    assert_same_files("a0.625.png", "b0.625.png");
}

SCRATCH_TEST(names_that_do_not_differ_are_refused)
{
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
    /* 100,000 frames of 400 MB: nothing of that is drawn */
    rigproof_refuses("--sheet: a sheet of 100000 tiles of 8192x8192", "render", WALKER, "--clip", "walk", "--size",
                     "8192x8192", "--fps", "100000", "--frames", "0..99999", "--sheet", "-o", "w{frame}.png");
    assert_string_equal(scratch_listing(), "");
}

static void tile_is_frame(const struct image *sheet, uint32_t x, uint32_t y, const char *path)
{
    SCOPED(image) frame = read_picture(path);
    for (uint32_t row = 0; row < frame.height; row++)
        assert_memory_equal(sheet->rgba + 4 * ((size_t)(y + row) * sheet->width + x),
                            frame.rgba + 4 * (size_t)row * frame.width, (size_t)frame.width * 4);
}

SCRATCH_TEST(sheet_shows_every_frame)
{
    const struct outcome *outcome = rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--frames", "0..2",
                                                  "--sheet", "--background", "336699", "-o", "w{frame}.png");
    assert_string_equal(scratch_listing(), "w0.png w1.png w2.png wsheet.png");
    assert_contains(outcome->err, "contact sheet: wsheet.png");
    SCOPED(image) sheet = read_picture("wsheet.png");
    assert_int_equal(sheet.width, 2 * 24 + 3 * 4);
    assert_int_equal(sheet.height, 2 * 24 + 3 * 4);
    assert_memory_equal(sheet.rgba, ((const uint8_t[]){0x33, 0x66, 0x99, 0xff}), 4);
    tile_is_frame(&sheet, 4, 4, "w0.png");
    tile_is_frame(&sheet, 32, 4, "w1.png");
    tile_is_frame(&sheet, 4, 32, "w2.png");
}

SCRATCH_TEST(pictures_are_png_and_nothing_else)
{
    static const char *const cases[][2] = {{"a.jpg", "-o a.jpg: pictures are PNG: name them .png"},
                                           {"{frame}.TIFF", "name them .png"},
                                           {"walk.mp4", "a film is --film walk.mp4"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rigproof_refuses(cases[i][1], "render", WALKER, "-o", cases[i][0]);
    rigproof_refuses("a film is --film t{frame}.gif", "turntable", WALKER, "-o", "t{frame}.gif");
    assert_string_equal(scratch_listing(), "");
    rigproof_good("render", WALKER, SMALL, "-o", "picture"); /* no extension is no claim */
    picture_has_size("picture", 24, 24);
}

SCRATCH_TEST(sheet_can_be_all_there_is)
{
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

SCRATCH_TEST(turntable_goes_around)
{
    const struct outcome *outcome = rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "-o", "t{frame}.png");
    assert_string_equal(scratch_listing(), "t0.png t1.png t2.png t3.png");
    assert_contains(outcome->err, "ffmpeg ");
    static const char *const names[] = {"t0.png", "t1.png", "t2.png", "t3.png"};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            assert_true(count_differences(names[a], names[b]) > 20);
    rigproof_refuses("does not turn", "turntable", WALKER, SMALL, "--camera", "file:any", "-o", "t{frame}.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "1", "--pitch", "-30", "-o", "down.png");
    rigproof_good("render", WALKER, SMALL, "--view", "studio", "--clip", "none", "--camera", "pitch=-30", "-o", "r.png");
    assert_same_files("down.png", "r.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "3", "--sheet", "-o", "s.png");
    picture_has_size("s.png", 2 * 24 + 3 * 4, 2 * 24 + 3 * 4);
    /* quarter turns from the front, of the rest pose: what render shows with that yaw */
    static const char *const yaws[] = {"yaw=30", "yaw=120", "yaw=210", "yaw=300"};
    for (int k = 0; k < 4; k++) {
        rigproof_good("render", WALKER, SMALL, "--view", "studio", "--clip", "none", "--camera", yaws[k], "-o", "r.png");
        assert_same_files("r.png", names[k]);
    }
}

SCRATCH_TEST(turntable_plays_the_clip)
{
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "-o", "t{frame}_{time}.png");
    assert_string_equal(scratch_listing(), "t0_0.000.png t1_0.250.png t2_0.500.png t3_0.750.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--loops", "2", "-o",
                  "u{frame}_{time}.png");
    assert_true(exists("u1_0.500.png") && exists("u3_1.500.png"));
    assert_contains(rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--frames", "1", "--loops", "1.5", "-o", "c.png")->err,
                    "does not loop");
    /* the second loop is the first again: frames at 0 and 1 s show one pose from two sides */
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--loops", "4", "-o", "v{frame}.png");
    rigproof_good("turntable", WALKER, SMALL, "--frames", "4", "--clip", "walk", "--time", "0", "-o", "h{frame}.png");
    assert_same_files("v0.png", "h0.png");
    assert_false(files_equal("h0.png", "h2.png"));
}

/* ---- dump ------------------------------------------------------------------------------------------------------- */

/* The names; what is in the files is test_dump's business. */
SCRATCH_TEST(dumps_get_their_names)
{
    const char *strip = FIXTURES "/strip/strip.gltf";
    rigproof_good("dump", strip, "--clip", "flip", "--frames", "0..2", "--format", "csv", "-o", "f{frame}.csv");
    assert_string_equal(scratch_listing(), "f0.csv f1.csv f2.csv");
    rigproof_good("dump", strip, "--clip", "flip", "--times", "auto", "--json", "-o", "auto/{time}.json");
    assert_contains(slurp("auto/0.375.json", NULL), "\"time\": 0.375");
    assert_true(exists("auto/0.000.json") && exists("auto/0.750.json"));
}

/* ---- playing ---------------------------------------------------------------------------------------------------- */

SCRATCH_TEST(a_clip_is_played_without_its_end)
{
    rigproof_good("render", WALKER, SMALL, WALK, "--play", "-o", "p{frame}_{time}.png");
    assert_string_equal(scratch_listing(), "p0_0.000.png p1_0.125.png p2_0.250.png p3_0.375.png p4_0.500.png "
                                           "p5_0.625.png p6_0.750.png p7_0.875.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0,1", "-o", "t{time}.png");
    assert_false(files_equal("p7_0.875.png", "p0_0.000.png"));
    assert_true(count_differences("t0.000.png", "t1.000.png") == 0); /* the end, left out, is the beginning */
    const char *dump = rigproof_good("dump", WALKER, WALK, "--play", "--format", "csv")->out;
    assert_non_null(strstr(dump, ",0.875,"));
    assert_null(strstr(dump, "walk,1,"));
}

SCRATCH_TEST(nothing_to_play_is_an_error)
{
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "none", "--play", "-o", "p{frame}.png");
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "none", "--film", "p.apng");
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "walk", "--play", "--fps", "100000", "-o", "p.png");
    assert_string_equal(scratch_listing(), "");
}

/* ---- .apng ------------------------------------------------------------------------------------------------------ */

SCRATCH_TEST(a_film_has_the_frames_of_the_sequence)
{
    const struct outcome *outcome = rigproof_good("render", WALKER, SMALL, WALK, "--film", "new/walk.apng");
    assert_contains(outcome->err, "film: new/walk.apng, 8 frames, 8 a second");
    assert_string_equal(outcome->out, "");
    assert_string_equal(scratch_listing(), "new");
    rigproof_good("render", WALKER, SMALL, WALK, "--play", "--film", "both.apng", "-o", "f{frame}.png");
    assert_same_files("new/walk.apng", "both.apng"); /* a film plays; pictures beside it change nothing */
    FILM_HAS("both.apng", 8, 1, 8, "f0.png", "f1.png", "f2.png", "f3.png", "f4.png", "f5.png", "f6.png", "f7.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0.5,0", "--film", "two.apng", "-o", "t{time}.png");
    FILM_HAS("two.apng", 2, 1, 24, "t0.500.png", "t0.000.png"); /* times that are asked for are the film's */
}

SCRATCH_TEST(a_turntable_is_a_film_too)
{
    rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--frames", "6", "--film", "turn.apng", "-o", "t{frame}.png");
    FILM_HAS("turn.apng", 6, 1, 6, "t5.png"); /* one second of clip in the circle */
    rigproof_good("turntable", WALKER, SMALL, "--frames", "5", "--fps", "12.5", "--film", "still.apng", "-o", "s{frame}.png");
    FILM_HAS("still.apng", 5, 2, 25, "s4.png");
}

/* What is made to be looked at, unless another view or shaders are named. */
SCRATCH_TEST(films_and_turntables_have_the_studio)
{
    static const char toon[] = FIXTURES "/shaders/toon";
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0", "--film", "a.apng", "-o", "film.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0", "--view", "studio", "-o", "studio.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0", "-o", "picture.png");
    assert_same_files("film.png", "studio.png");
    assert_true(count_differences("picture.png", "studio.png") > 20);
    rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--time", "0", "--frames", "1", "--view", "lit", "-o", "lit.png");
    assert_same_files("lit.png", "picture.png");
    rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--time", "0", "--frames", "1", "--shaders", toon, "-o", "t.png");
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0", "--shaders", toon, "-o", "toon.png");
    assert_same_files("t.png", "toon.png");
}

/* A clip that is held takes no time: the circle has any film's rate, not one in which the clip would have played. */
SCRATCH_TEST(a_held_clip_does_not_slow_the_turntable)
{
    const struct outcome *held = rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--time", "0.3", "--frames", "4",
                                               "-o", "t{frame}.png");
    assert_contains(held->err, "-framerate 24 ");
    rigproof_refuses("holds the clip at one time, and 2 are given", "turntable", WALKER, SMALL, "--time", "0.1,0.2",
                     "-o", "t{frame}.png");
}

/* ---- what goes wrong -------------------------------------------------------------------------------------------- */

SCRATCH_TEST(films_that_cannot_be_are_refused)
{
    static const char *const names[] = {"film.avi", "film", "film.png", "-", "film.mp4/"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        rigproof_refuses(".apng, .mp4, .webm and .gif", "render", WALKER, SMALL, WALK, "--film", names[i]);
    rigproof_refuses("at most 50 frames", "render", WALKER, SMALL, "--clip", "walk", "--play", "--fps", "51", "--film",
                     "fast.gif");
    rigproof_fails(2, "render", WALKER, SMALL);
    rigproof_fails(2, "turntable", WALKER, SMALL);
    rigproof_fails(2, "render", WALKER, SMALL, "--sheet", "--film", "film.apng");
    rigproof_fails(2, "render", WALKER, SMALL, "--time", "0,1", "-o", "one.png", "--film", "film.apng");
    spill("file", "");
    rigproof_fails(2, "render", WALKER, SMALL, "--film", "file/film.apng");
    mkdir("folder.apng", 0777);
    rigproof_fails(2, "render", WALKER, SMALL, "--film", "folder.apng");
    assert_string_equal(scratch_listing(), "file folder.apng");
}

SCRATCH_TEST(without_ffmpeg_it_says_what_to_do)
{
    const struct run_options nowhere = {.environment = (const char *const[]){"PATH=/nowhere", NULL}};
    static const char *const names[] = {"film.mp4", "film.webm", "film.gif"};
    for (size_t i = 0; i < 3; i++) {
        const struct outcome *outcome =
            run_fails(2, rigproof_with(&nowhere, "render", WALKER, SMALL, WALK, "--film", names[i], NULL));
        assert_contains(outcome->err, "there is no ffmpeg in PATH: install it", ".apng");
    }
    assert_string_equal(scratch_listing(), "");
    run_gives(0, rigproof_with(&nowhere, "render", WALKER, SMALL, WALK, "--film", "film.apng", NULL));
}

/* A program of that name which fails, stops reading, or is killed. */
SCRATCH_TEST(a_failing_ffmpeg_leaves_no_film)
{
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"#!/bin/sh\ncat >/dev/null\necho 'Unknown encoder libx264' >&2\nexit 1\n", "ffmpeg: Unknown encoder libx264"},
        {"#!/bin/sh\necho 'No space left on device' >&2\nexit 1\n", "ffmpeg: No space left on device"},
        {"#!/bin/sh\nkill -KILL $$\n", "ffmpeg: it was ended by SIGKILL"},
        {"#!/bin/sh\nexec 0<&-\nexit 0\n", ""},
    };
    const struct run_options here = {.environment = (const char *const[]){"PATH=.:/bin:/usr/bin", NULL}};
    spill("film.mp4", "the old one");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spill("ffmpeg", cases[i].script);
        chmod("ffmpeg", 0755);
        const struct outcome *outcome =
            run_fails(2, rigproof_with(&here, "render", WALKER, "--size", "200x200", WALK, "--film", "film.mp4", NULL));
        assert_contains(outcome->err, "--film film.mp4: ", cases[i].message);
        assert_string_equal(slurp("film.mp4", NULL), "the old one");
        assert_string_equal(scratch_listing(), "ffmpeg film.mp4");
    }
}

/* ---- through ffmpeg --------------------------------------------------------------------------------------------- */

static void skip_without_ffmpeg(void)
{
    if (system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0)
        skip_because("ffmpeg and ffprobe are not installed");
}

/* Returns what ffprobe counts: "width,height,frames". */
static void film_is(const char *path, const char *expected)
{
    char command[256], line[128] = "";
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 %s", path);
    FILE *probe = popen(command, "r");
    assert_non_null(probe);
    assert_non_null(fgets(line, sizeof line, probe));
    assert_int_equal(pclose(probe), 0);
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(line, expected);
}

/* Frame `index` of a film, decoded, is near to a picture of ours, laid on `background` where that is given. */
static void decoded_is_near(const char *film, int index, const char *picture, const char *decoder, int alpha)
{
    const char *command = at("ffmpeg -v error -y %s -i %s -vf 'select=eq(n\\,%d),scale=in_color_matrix=bt709' "
                             "-frames:v 1 -pix_fmt rgba d.png",
                             decoder, film, index);
    assert_int_equal(system(command), 0);
    SCOPED(image) decoded = read_picture("d.png"), image = read_picture(picture);
    double sum = 0;
    size_t count = 0;
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++) {
            const uint8_t *a = decoded.rgba + 4 * ((size_t)y * decoded.width + x);
            const uint8_t *b = image.rgba + 4 * ((size_t)y * image.width + x);
            for (int c = alpha ? 3 : 0; c < (alpha ? 4 : 3); c++, count++)
                sum += abs(a[c] - b[c]);
        }
    if (sum / (double)count > 6)
        fail_msg("frame %d of %s is %.1f levels from %s", index, film, sum / (double)count, picture);
}

SCRATCH_TEST(ffmpeg_films_have_every_frame)
{
    static const struct {
        const char *name, *is;
    } films[] = {{"film.mp4", "64,62,8"}, {"film.webm", "63,61,8"}, {"film.gif", "63,61,8"}, {"film.apng", "63,61,8"}};
    skip_without_ffmpeg();
    rigproof_good("render", WALKER, "--size", "63x61", WALK, "--play", "-o", "f{frame}.png");
    for (size_t i = 0; i < 4; i++) {
        rigproof_good("render", WALKER, "--size", "63x61", WALK, "--film", films[i].name);
        film_is(films[i].name, films[i].is);
        for (int frame = 0; frame < 8; frame += 7)
            decoded_is_near(films[i].name, frame, frame == 0 ? "f0.png" : "f7.png", "", 0);
    }
}

SCRATCH_TEST(the_same_frames_are_the_same_film)
{
    static const char *const names[][2] = {{"a.mp4", "b.mp4"}, {"a.webm", "b.webm"}, {"a.gif", "b.gif"}, {"a.apng", "b.apng"}};
    skip_without_ffmpeg();
    for (size_t i = 0; i < 4; i++) {
        rigproof_good("turntable", WALKER, "--size", "32x32", "--frames", "5", "--film", names[i][0]);
        rigproof_good("turntable", WALKER, "--size", "32x32", "--frames", "5", "--film", names[i][1]);
        assert_same_files(names[i][0], names[i][1]);
    }
}

/* VP9 keeps alpha, a GIF's pixels are there or not, H.264 has the background's colour. */
SCRATCH_TEST(transparency_is_what_the_format_can)
{
    skip_without_ffmpeg();
    const char *const clear = "c0203000";
    rigproof_good("render", WALKER, "--size", "64x64", WALK, "--background", clear, "--film", "film.webm");
    rigproof_good("render", WALKER, "--size", "64x64", WALK, "--background", clear, "--film", "film.gif");
    rigproof_good("render", WALKER, "--size", "64x64", WALK, "--background", clear, "--film", "film.mp4");
    rigproof_good("render", WALKER, "--size", "64x64", "--clip", "walk", "--background", clear, "-o", "clear.png");
    rigproof_good("render", WALKER, "--size", "64x64", "--clip", "walk", "--background", "c02030", "-o", "full.png");
    decoded_is_near("film.webm", 0, "clear.png", "-c:v libvpx-vp9", 1);
    decoded_is_near("film.gif", 0, "clear.png", "", 1);
    decoded_is_near("film.mp4", 0, "full.png", "", 0);
}

/* A name is neither an option nor a protocol. */
/* A node without a mesh that goes along x, in clips of one motion. */
static void write_clips(const char *path, const char *const *names, size_t count)
{
    SCOPED(text) gltf = {0};
    text_add(&gltf, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\",\"children\":[1]},"
                    "{\"name\":\"b\",\"translation\":[0,1,0]}],\"buffers\":[{\"byteLength\":32,\"uri\":\"data:application/octet-stream;base64,"
                    "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,"
                    "\"byteLength\":24}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
                    "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],\"animations\":[");
    for (size_t i = 0; i < count; i++) {
        text_addf(&gltf, "%s{\"name\":", i ? "," : "");
        text_add_quoted(&gltf, names[i]);
        text_add(&gltf, ",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}");
    }
    text_add(&gltf, "]}");
    spill(path, text_string(&gltf));
}

/* A folder or a film each; whatever they are called, nothing leaves the folder, and no two are one. */
SCRATCH_TEST(all_clips_are_played)
{
    static const char *const names[] = {"walk/left", "../../up", "walk:left", "WALK_LEFT", "2", "all that", "rest"};
    static const char *const files[] = {"walk_left", "_._.._up", "walk_left_2", "WALK_LEFT_3", "2", "all_that", "rest"};
    write_clips("clips.gltf", names, 7);
    rigproof_good("render", "clips.gltf", "--clip", "all", "--frames", "0..24:12", "--fps", "24", "--overlay", "skeleton", "--size", "32x32",
                  "--film", "out/{clip}.apng", "--save-camera", "c.json", "-o", "out/{clip}/{frame:02}.png");
    for (int i = 0; i < 7; i++)
        for (int frame = 0; frame <= 24; frame += 12) {
            char path[64];
            snprintf(path, sizeof path, "out/%s/%02d.png", files[i], frame);
            picture_has_size(path, 32, 32);
            snprintf(path, sizeof path, "out/%s.apng", files[i]);
            picture_has_size(path, 32, 32);
        }
    shell("test $(find . -type f | wc -l) = 30"); /* and the model and the camera */
    assert_contains(rigproof_fails(2, "render", "clips.gltf", "--clip", "all", "-o", "{frame}.png")->err, "--clip all: 7 clips need names that differ");
    rigproof_refuses("{clip}", "render", "clips.gltf", "--clip", "all", "-o", "{clip}.png", "--film", "a.apng");
    rigproof_good("turntable", WALKER, "--clip", "all", "--frames", "2", "--size", "16x16", "-o", "turn/{clip}_{frame}.png");
    shell("test $(find turn -type f | wc -l) = 6");
    static const char *const called_all[] = {"all", "other"};
    write_clips("called.gltf", called_all, 2); /* one of that name is that one */
    rigproof_good("render", "called.gltf", "--clip", "all", "--overlay", "skeleton", "--size", "16x16", "-o", "one.png");
    write_clips("none.gltf", NULL, 0);
    rigproof_good("render", "none.gltf", "--overlay", "skeleton", "--clip", "all", "--size", "16x16", "-o", "none_{clip}.png");
    picture_has_size("none_rest.png", 16, 16);
}

/* 24 frames a second and 1 second, by hand. */
SCRATCH_TEST(times_have_units)
{
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.25,0.5", "--size", "32x32", "-o", "s{time}.png");
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "6f,50%", "--size", "32x32", "-o", "u{time}.png");
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "15f,0.5", "--fps", "60", "--size", "32x32", "-o", "r{time}.png");
    for (int i = 0; i < 2; i++) {
        assert_same_files(i ? "s0.500.png" : "s0.250.png", i ? "u0.500.png" : "u0.250.png");
        assert_same_files(i ? "s0.500.png" : "s0.250.png", i ? "r0.500.png" : "r0.250.png");
    }
    rigproof_good("turntable", WALKER, "--clip", "walk", "--time", "25%", "--frames", "1", "--size", "32x32", "-o", "t.png");
    rigproof_good("turntable", WALKER, "--clip", "walk", "--time", "0.25", "--frames", "1", "--size", "32x32", "-o", "h.png");
    assert_same_files("t.png", "h.png");
    const char *says = rigproof_good("render", WALKER, "--clip", "walk", "--frames", "0..12:6", "--size", "8x8", "-o", "{frame}.png")->err;
    assert_contains(says, "ffmpeg -framerate 4 ");
    assert_contains(rigproof_good("dump", WALKER, "--clip", "walk", "--time", "12f", "--format", "json")->out, "\"time\": 0.5");
}

SCRATCH_TEST(odd_names_are_names)
{
    skip_without_ffmpeg();
    static const char *const names[] = {"-y.mp4", "http:x.mp4", "a b'c%d.gif", "pipe:1.webm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rigproof_good("turntable", WALKER, SMALL, "--frames", "2", at("--film=%s", names[i]));
        assert_true(exists(names[i]));
    }
}
