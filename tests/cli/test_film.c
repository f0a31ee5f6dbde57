/* Films: of our own making, and through ffmpeg where that is installed. */
#define _GNU_SOURCE /* popen */

#include "cli/pictures.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/apng_read.h"

#define SMALL "--size", "24x20"
#define WALK "--clip", "walk", "--fps", "8"

static void read_film(const char *path, struct apng_read *out)
{
    size_t size = 0;
    const char *bytes = slurp(path, &size);
    apng_read(bytes, size, out);
}

static void frame_is_picture(const struct apng_read *film, uint32_t index, const char *path)
{
    struct image image = read_picture(path);
    assert_true(film->width == image.width && film->height == image.height);
    assert_memory_equal(film->frames[index].rgba, image.rgba, 4 * (size_t)image.width * image.height);
    image_release(&image);
}

/* ---- playing ---------------------------------------------------------------------------------------------------- */

static void a_clip_is_played_without_its_end(void **state)
{
    (void)state;
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

static void nothing_to_play_is_an_error(void **state)
{
    (void)state;
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "none", "--play", "-o", "p{frame}.png");
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "none", "--film", "p.apng");
    rigproof_fails(2, "render", WALKER, SMALL, "--clip", "walk", "--play", "--fps", "100000", "-o", "p.png");
    assert_string_equal(scratch_listing(), "");
}

/* ---- .apng ------------------------------------------------------------------------------------------------------ */

static void a_film_has_the_frames_of_the_sequence(void **state)
{
    (void)state;
    struct apng_read film;
    const struct outcome *outcome = rigproof_good("render", WALKER, SMALL, WALK, "--film", "new/walk.apng");
    assert_contains(outcome->err, "film: new/walk.apng, 8 frames, 8 a second");
    assert_string_equal(outcome->out, "");
    assert_string_equal(scratch_listing(), "new");
    rigproof_good("render", WALKER, SMALL, WALK, "--play", "--film", "both.apng", "-o", "f{frame}.png");
    assert_same_files("new/walk.apng", "both.apng"); /* a film plays; pictures beside it change nothing */
    read_film("both.apng", &film);
    assert_int_equal(film.frame_count, 8);
    assert_int_equal(film.plays, 0);
    assert_true(film.delay[0] == 1 && film.delay[1] == 8);
    char path[32];
    for (uint32_t i = 0; i < 8; i++) {
        snprintf(path, sizeof path, "f%u.png", i);
        frame_is_picture(&film, i, path);
    }
    apng_read_release(&film);
}

static void times_that_are_asked_for_are_the_films(void **state)
{
    (void)state;
    struct apng_read film;
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0.5,0", "--film", "two.apng", "-o", "t{time}.png");
    read_film("two.apng", &film);
    assert_int_equal(film.frame_count, 2);
    assert_true(film.delay[0] == 1 && film.delay[1] == 24);
    frame_is_picture(&film, 0, "t0.500.png");
    frame_is_picture(&film, 1, "t0.000.png");
    apng_read_release(&film);
}

static void a_turntable_is_a_film_too(void **state)
{
    (void)state;
    struct apng_read film;
    rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--frames", "6", "--film", "turn.apng", "-o", "t{frame}.png");
    read_film("turn.apng", &film);
    assert_int_equal(film.frame_count, 6);
    assert_true(film.delay[0] == 1 && film.delay[1] == 6); /* one second of clip in the circle */
    frame_is_picture(&film, 5, "t5.png");
    apng_read_release(&film);
    rigproof_good("turntable", WALKER, SMALL, "--frames", "5", "--fps", "12.5", "--film", "still.apng");
    read_film("still.apng", &film);
    assert_true(film.frame_count == 5 && film.delay[0] == 2 && film.delay[1] == 25);
    apng_read_release(&film);
}

/* A clip that is held takes no time: the circle has any film's rate, not one in which the clip would have played. */
static void a_held_clip_does_not_slow_the_turntable(void **state)
{
    (void)state;
    const struct outcome *held = rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--time", "0.3", "--frames", "4",
                                               "-o", "t{frame}.png");
    assert_contains(held->err, "-framerate 24 ");
    assert_contains(rigproof_fails(2, "turntable", WALKER, SMALL, "--time", "0.1,0.2", "-o", "t{frame}.png")->err,
                    "`0.1,0.2` is several times");
}

/* Steps are even, and that from the last frame to the first is one of them: as a turntable that begins there shows. */
static void a_turntable_has_no_seam(void **state)
{
    (void)state;
    rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--frames", "8", "-o", "t{frame}_{time}.png");
    assert_true(exists("t0_0.000.png") && exists("t7_0.875.png"));
    /* the frame after the last: a whole turn, the clip at its end */
    rigproof_good("render", WALKER, SMALL, "--clip", "walk", "--time", "0,0.125,0.25,0.375,0.5,0.625,0.75,0.875,1",
                  "--camera", "yaw=390", "-o", "next_{time}.png");
    assert_int_equal(count_differences("next_1.000.png", "t0_0.000.png"), 0);
    assert_true(count_differences("t7_0.875.png", "t0_0.000.png") > 20);
    const struct outcome *cut =
        rigproof_good("turntable", WALKER, SMALL, "--clip", "walk", "--frames", "3", "--loops", "1.5", "-o", "c{frame}.png");
    assert_contains(cut->err, "does not loop");
}

/* ---- what goes wrong -------------------------------------------------------------------------------------------- */

static void films_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"film.avi", "film", "film.png", "-", "film.mp4/"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_contains(rigproof_fails(2, "render", WALKER, SMALL, WALK, "--film", names[i])->err,
                        ".apng, .mp4, .webm and .gif");
    assert_contains(rigproof_fails(2, "render", WALKER, SMALL, "--clip", "walk", "--play", "--fps", "51", "--film",
                                   "fast.gif")->err, "at most 50 frames");
    rigproof_fails(2, "render", WALKER, SMALL);
    rigproof_fails(2, "turntable", WALKER, SMALL);
    rigproof_fails(2, "render", WALKER, SMALL, "--sheet", "--film", "film.apng");
    rigproof_fails(2, "render", WALKER, SMALL, "--time", "0,1", "-o", "one.png", "--film", "film.apng");
    spill("file", "");
    rigproof_fails(2, "render", WALKER, SMALL, "--film", "file/film.apng");
    assert_int_equal(mkdir("folder.apng", 0777), 0);
    rigproof_fails(2, "render", WALKER, SMALL, "--film", "folder.apng");
    assert_string_equal(scratch_listing(), "file folder.apng");
}

static void without_ffmpeg_it_says_what_to_do(void **state)
{
    (void)state;
    const struct run_options nowhere = {.environment = (const char *const[]){"PATH=/nowhere", NULL}};
    static const char *const names[] = {"film.mp4", "film.webm", "film.gif"};
    for (size_t i = 0; i < 3; i++) {
        const struct outcome *outcome = rigproof_with(&nowhere, "render", WALKER, SMALL, WALK, "--film", names[i], NULL);
        require_error(outcome, 2, __FILE__, __LINE__);
        assert_contains(outcome->err, "there is no ffmpeg in PATH: install it");
        assert_contains(outcome->err, ".apng");
    }
    assert_string_equal(scratch_listing(), "");
    require_status(rigproof_with(&nowhere, "render", WALKER, SMALL, WALK, "--film", "film.apng", NULL), 0, __FILE__,
                   __LINE__);
}

/* A program of that name which fails, stops reading, or is killed. */
static void a_failing_ffmpeg_leaves_no_film(void **state)
{
    (void)state;
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
            rigproof_with(&here, "render", WALKER, "--size", "200x200", WALK, "--film", "film.mp4", NULL);
        require_error(outcome, 2, __FILE__, __LINE__);
        assert_contains(outcome->err, "--film film.mp4: ");
        assert_contains(outcome->err, cases[i].message);
        assert_string_equal(slurp("film.mp4", NULL), "the old one");
        assert_string_equal(scratch_listing(), "ffmpeg film.mp4");
    }
}

/* ---- through ffmpeg --------------------------------------------------------------------------------------------- */

static void skip_without_ffmpeg(void)
{
    if (system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0) {
        print_message("skipped: ffmpeg and ffprobe are not installed\n");
        skip();
    }
}

/* What ffprobe counts: "width,height,frames". */
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
    char command[256];
    snprintf(command, sizeof command, "ffmpeg -v error -y %s -i %s -vf 'select=eq(n\\,%d),scale=in_color_matrix=bt709' "
             "-frames:v 1 -pix_fmt rgba d.png", decoder, film, index);
    assert_int_equal(system(command), 0);
    struct image decoded = read_picture("d.png"), image = read_picture(picture);
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
    image_release(&decoded);
    image_release(&image);
}

static void ffmpeg_films_have_every_frame(void **state)
{
    (void)state;
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

static void the_same_frames_are_the_same_film(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"a.mp4", "b.mp4"}, {"a.webm", "b.webm"}, {"a.gif", "b.gif"}, {"a.apng", "b.apng"}};
    skip_without_ffmpeg();
    for (size_t i = 0; i < 4; i++) {
        rigproof_good("turntable", WALKER, "--size", "32x32", "--frames", "5", "--film", names[i][0]);
        rigproof_good("turntable", WALKER, "--size", "32x32", "--frames", "5", "--film", names[i][1]);
        assert_same_files(names[i][0], names[i][1]);
    }
}

/* VP9 keeps alpha, a GIF's pixels are there or not, H.264 has the background's colour. */
static void transparency_is_what_the_format_can(void **state)
{
    (void)state;
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
static void odd_names_are_names(void **state)
{
    (void)state;
    skip_without_ffmpeg();
    static const char *const names[] = {"-y.mp4", "http:x.mp4", "a b'c%d.gif", "pipe:1.webm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char option[64];
        snprintf(option, sizeof option, "--film=%s", names[i]);
        rigproof_good("turntable", WALKER, SMALL, "--frames", "2", option);
        assert_true(exists(names[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_clip_is_played_without_its_end),
        scratch_test(nothing_to_play_is_an_error),
        scratch_test(a_film_has_the_frames_of_the_sequence),
        scratch_test(times_that_are_asked_for_are_the_films),
        scratch_test(a_turntable_is_a_film_too),
        scratch_test(a_held_clip_does_not_slow_the_turntable),
        scratch_test(a_turntable_has_no_seam),
        scratch_test(films_that_cannot_be_are_refused),
        scratch_test(without_ffmpeg_it_says_what_to_do),
        scratch_test(a_failing_ffmpeg_leaves_no_film),
        scratch_test(ffmpeg_films_have_every_frame),
        scratch_test(the_same_frames_are_the_same_film),
        scratch_test(transparency_is_what_the_format_can),
        scratch_test(odd_names_are_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
