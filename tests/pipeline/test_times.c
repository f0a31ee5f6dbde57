/* Which times are sampled: lists, frames, and the choice that `auto` makes. */

#include "animate/player.h"
#include "scene_builder.h"
#include "pipeline/pipeline.h"

enum { MOST = 64 };

/* A clip with one or two lists of key times, on two channels. */
struct clip_by_hand {
    struct clip clip;
    struct channel channels[2];
};

static void make_clip(struct clip_by_hand *c, double duration, double ticks, const double *a, uint32_t na,
                      const double *b, uint32_t nb)
{
    *c = (struct clip_by_hand){
        .clip = {.name = "hand", .duration = duration, .ticks_per_second = ticks, .channel_count = 2}};
    c->clip.channels = c->channels;
    c->channels[0].node = c->channels[1].node = NO_INDEX; /* only their times count */
    c->channels[0].keys[COMPONENT_TRANSLATION] = (struct keys){.count = na, .times = a};
    c->channels[1].keys[COMPONENT_SCALE] = (struct keys){.count = nb, .times = b};
}

static void set(struct settings *s, const char *name, const char *value)
{
    assert_true(settings_set(s, name, value, ANY_ERROR));
}

/* Makes a pipeline that plays a clip, NULL for the rest pose, or a mix of two. The scene is the caller's to free. */
static struct pipeline pipeline_by_hand(const struct settings *s, struct clip_mix clip_mix, const struct clip *clip,
                                        const struct clip *other)
{
    struct scene *scene = builder_scene(1);
    const struct mix_part parts[] = {{clip, 1}, {other, 1}};
    clip_mix.parts = parts;
    clip_mix.part_count = other ? 2 : 1;
    clip_mix.wrap = s->wrap;
    return (struct pipeline){
        .settings = s,
        .scene = scene,
        .clip = clip,
        .plays = clip ? clip->name : NULL,
        .player = player_create(scene, &clip_mix, scene->arena),
    };
}

#define ONCE ((struct clip_mix){.rate = 1})

static void times_are(struct settings *s, struct clip_mix clip_mix, const struct clip *clip, const struct clip *other,
                      const double *expected, size_t count)
{
    struct pipeline pipeline = pipeline_by_hand(s, clip_mix, clip, other);
    size_t got = 0;
    double *times = assert_good(pipeline_times(&pipeline, &got, err));
    for (size_t i = 0; i < got && i < count; i++) {
        if (!(fabs(times[i] - expected[i]) < 1e-12))
            fail_msg("time %zu is %.17g, not %.17g", i, times[i], expected[i]);
        assert_int_equal(pipeline_frame_number(&pipeline, i),
                         (s->time_choice == TIMES_FRAMES ? s->first_frame : 0) + (long)i * s->frame_step);
    }
    assert_int_equal(got, count);
    free(times);
    settings_release(s);
    scene_free(pipeline.scene);
}

/* Times are chosen of a clip, or of the rest pose, which has a negative duration here. */
static const struct {
    const char *options[2][2];
    double duration;
    double a[3], b[3]; /* keys of two channels, as many as counted */
    uint32_t na, nb;
    size_t count;
    double expected[8];
} rows[] = {
    {{{NULL}}, -1, {0}, {0}, 0, 0, 1, {0}},
    {{{"time", "3,0.25,0.25,-1"}}, -1, {0}, {0}, 0, 0, 4, {3, 0.25, 0.25, -1}},
    {{{"frames", "2..5"}, {"fps", "10"}}, -1, {0}, {0}, 0, 0, 4, {0.2, 0.3, 0.4, 0.5}},
    {{{"frames", "1..9:3"}, {"fps", "10"}}, -1, {0}, {0}, 0, 0, 3, {0.1, 0.4, 0.7}},
    {{{"frames", "0..6:3"}, {"fps", "10"}}, -1, {0}, {0}, 0, 0, 3, {0, 0.3, 0.6}},
    {{{"time", "12f,0.25,-6f"}, {"fps", "48"}}, -1, {0}, {0}, 0, 0, 3, {0.25, 0.25, -0.125}},
    {{{"time", "3f"}}, -1, {0}, {0}, 0, 0, 1, {0.125}}, /* the rest pose has no frame rate */
    {{{"frames", "-1..1"}, {"fps", "50"}}, -1, {0}, {0}, 0, 0, 3, {-0.02, 0, 0.02}},
    {{{"frames", "6..6"}}, -1, {0}, {0}, 0, 0, 1, {6 / 24.0}}, /* the rest pose has no frame rate */
    /* the end is left out, and the frames are evenly spread even where the rate does not divide the clip: 4.4 frames */
    {{{"play", "true"}, {"fps", "8"}}, 0.5, {0}, {0}, 0, 0, 4, {0, 0.125, 0.25, 0.375}},
    {{{"fps", "4"}, {"play", "true"}}, 1.1, {0}, {0}, 0, 0, 4, {0, 0.275, 0.55, 0.825}},
    {{{"play", "true"}}, 0.01, {0}, {0}, 0, 0, 1, {0}},
    /* auto: ends, keys and midpoints; keys outside the clip do not count; near duplicates are one */
    {{{"times", "auto"}}, 2, {0, 0.5}, {0.5, 1.5, 2}, 2, 3, 7, {0, 0.25, 0.5, 1, 1.5, 1.75, 2}},
    {{{"times", "auto"}}, 1, {-1, 0.5, 3}, {0}, 3, 0, 5, {0, 0.25, 0.5, 0.75, 1}},
    {{{"times", "auto"}}, 1, {0, 0.5}, {1e-9, 0.5 + 5e-7, 1 - 1e-9}, 2, 3, 5, {0, 0.25, 0.5, 0.75 - 5e-10, 1 - 1e-9}},
    {{{"times", "auto"}}, 0, {0}, {0}, 1, 0, 1, {0}},
    {{{"times", "auto"}}, -1, {0}, {0}, 0, 0, 1, {0}},
    /* even: both ends, whatever the keys are; one is the middle; of a clip without duration, and of a pose, one */
    {{{"times", "even:5"}}, 2, {0, 0.7}, {0}, 2, 0, 5, {0, 0.5, 1, 1.5, 2}},
    {{{"times", "even:4"}}, 0.1, {0}, {0}, 1, 0, 4, {0, 0.1 / 3, 0.2 / 3, 0.1}},
    {{{"times", "even:1"}}, 3, {0}, {0}, 1, 0, 1, {1.5}},
    {{{"times", "even:5"}}, 0, {0}, {0}, 1, 0, 1, {0}},
    {{{"times", "even:5"}}, -1, {0}, {0}, 0, 0, 1, {0}},
};

TEST(times_are_chosen)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct clip_by_hand c;
        struct settings s;
        make_clip(&c, rows[i].duration, 24, rows[i].a, rows[i].na, rows[i].b, rows[i].nb);
        settings_init(&s);
        for (int k = 0; k < 2 && rows[i].options[k][0]; k++)
            set(&s, rows[i].options[k][0], rows[i].options[k][1]);
        times_are(&s, ONCE, rows[i].duration < 0 ? NULL : &c.clip, NULL, rows[i].expected, rows[i].count);
    }
}

/* A frame rate of the file is taken where ticks can be frames; a thousand ticks a second are milliseconds. */
TEST(frame_rate_comes_from_the_file)
{
    static const double cases[][2] = {{30, 30},   {24, 24}, {10, 10}, {240, 240},
                                      {1000, 24}, {1, 24},  {0, 24},  {4800, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct clip_by_hand c;
        struct settings s;
        make_clip(&c, 1, cases[i][0], NULL, 0, NULL, 0);
        settings_init(&s);
        set(&s, "frames", "6..6");
        times_are(&s, ONCE, &c.clip, NULL, (double[]){6 / cases[i][1]}, 1);
    }
}

TEST(what_cannot_be_played_is_refused)
{
    static const double durations[] = {0, 5000};
    for (int i = 0; i < 3; i++) {
        struct clip_by_hand c;
        SCOPED(settings) s;
        size_t count = 0;
        struct error err = {0};
        make_clip(&c, i < 2 ? durations[i] : 1, 24, NULL, 0, NULL, 0);
        settings_init(&s);
        set(&s, "play", "true");
        set(&s, "fps", "21");
        struct pipeline pipeline = pipeline_by_hand(&s, ONCE, i < 2 ? &c.clip : NULL, NULL);
        assert_false(pipeline_times(&pipeline, &count, &err));
        assert_non_null(strstr(err.text, i == 1 ? "105000 frames" : "nothing plays"));
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        scene_free(pipeline.scene);
    }
}

/* A film lasts as long as the clip, to the frame rate as typed where that divides it. */
TEST(a_film_is_as_long_as_its_clip)
{
    static const struct {
        double duration, fps;
        size_t count;
        double rate;
    } cases[] = {{1, 24, 24, 24}, {1.1, 4, 4, 4 / 1.1}, {0.1 + 0.2, 10, 3, 10}, {2.5, 29.97, 75, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct clip_by_hand c;
        SCOPED(settings) s;
        make_clip(&c, cases[i].duration, 24, NULL, 0, NULL, 0);
        settings_init(&s);
        s.fps = cases[i].fps;
        struct pipeline pipeline = pipeline_by_hand(&s, ONCE, &c.clip, NULL);
        assert_true(pipeline_film_rate(&pipeline, cases[i].count) == cases[i].fps); /* a list of times has its rate */
        set(&s, "play", "true");
        assert_true(fabs(pipeline_film_rate(&pipeline, cases[i].count) - cases[i].rate) < 1e-12);
        scene_free(pipeline.scene);
    }
}

/* To the bit, so that the label is the key's too. Behind the last key a clip that goes on is sampled at its end; so is one that
 * has no other time. */
TEST(auto_ends_on_the_last_key)
{
    static const struct {
        double duration, keys[3], end;
        enum extrapolation after;
    } cases[] = {
        {1.0416666, {0, 0.5, 1.0 / 24 + 1}, 1.0 / 24 + 1, EXTRAPOLATE_DEFAULT},
        {1.0416668, {0, 0.5, 1.0 / 24 + 1}, 1.0 / 24 + 1, EXTRAPOLATE_LINEAR},
        {1, {0, 0.5, 1 + 4e-7}, 1 + 4e-7, EXTRAPOLATE_DEFAULT},
        {1, {0, 1 - 9e-7, 1 - 3e-7}, 1 - 3e-7, EXTRAPOLATE_DEFAULT},
        {5, {0, 1, 2.5}, 2.5, EXTRAPOLATE_CONSTANT},
        {5, {0, 1, 2.5}, 5, EXTRAPOLATE_LINEAR},
        {5, {0, 1, 2.5}, 5, EXTRAPOLATE_REPEAT},
        {5, {0, 0, 0}, 5, EXTRAPOLATE_DEFAULT},
        {2, {0, 1, 2.5}, 2, EXTRAPOLATE_DEFAULT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct clip_by_hand c;
        SCOPED(settings) s;
        size_t count = 0;
        make_clip(&c, cases[i].duration, 24, cases[i].keys, 3, NULL, 0);
        c.channels[0].after = cases[i].after;
        settings_init(&s);
        set(&s, "times", "auto");
        struct pipeline pipeline = pipeline_by_hand(&s, ONCE, &c.clip, NULL);
        double *times = assert_good(pipeline_times(&pipeline, &count, err));
        if (memcmp(&times[count - 1], &cases[i].end, sizeof(double)) != 0)
            fail_msg("case %zu ends at %.17g, not %.17g", i, times[count - 1], cases[i].end);
        free(times);
        scene_free(pipeline.scene);
    }
}

TEST(auto_is_capped_with_both_ends)
{
    static double keys[MOST];
    for (int i = 0; i < 21; i++)
        keys[i] = i / 20.0;
    for (int most = 1; most <= 60; most++) {
        struct clip_by_hand c;
        SCOPED(settings) s;
        size_t count = 0;
        make_clip(&c, 1, 24, keys, 21, NULL, 0);
        settings_init(&s);
        set(&s, "times", "auto");
        s.samples = (uint32_t)most;
        struct pipeline pipeline = pipeline_by_hand(&s, ONCE, &c.clip, NULL);
        double *times = assert_good(pipeline_times(&pipeline, &count, err));
        assert_int_equal(count, most < 41 ? most : 41);
        assert_float_equal(times[0], 0, 0);
        if (most > 1)
            assert_float_equal(times[count - 1], 1, 0);
        for (size_t i = 1; i < count; i++)
            assert_true(times[i] > times[i - 1] && times[i] - times[i - 1] < 2.1 / (double)(count - 1));
        free(times);
        scene_free(pipeline.scene);
    }
}

/* A mix of two clips; the times are all keys and the midpoints between them. */
static void mix_times_are(struct clip_mix clip_mix, const struct clip_by_hand *a, const struct clip_by_hand *b,
                          const double *expected, size_t count)
{
    struct settings s;
    settings_init(&s);
    set(&s, "times", "auto");
    s.samples = MOST;
    s.wrap = clip_mix.wrap;
    times_are(&s, clip_mix, &a->clip, &b->clip, expected, count);
}

TEST(auto_takes_the_keys_that_are_played)
{
    static const double keys_of_a[] = {0, 0.25, 1}, keys_of_b[] = {0, 0.5, 1};
    static const struct transition fade[] = {{0.5, 0.75}};
    struct clip_by_hand a, b;
    make_clip(&a, 1, 24, keys_of_a, 3, NULL, 0);
    make_clip(&b, 1, 24, keys_of_b, 3, NULL, 0);
    struct clip_mix clip_mix = {.transitions = fade, .transition_count = 1, .rate = 1};
    const double want[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.625, 1.75}; /* 1 + 1 - 0.25 s: the second clip goes on */
    mix_times_are(clip_mix, &a, &b, want, 13);
    clip_mix.rate = 2;
    double half[13], back[13];
    for (int i = 0; i < 13; i++) {
        half[i] = want[i] / 2;
        back[i] = (1.75 - want[12 - i]) / 2;
    }
    mix_times_are(clip_mix, &a, &b, half, 13);
    clip_mix.rate = -2;
    mix_times_are(clip_mix, &a, &b, back, 13);
}

TEST(auto_takes_every_turn_of_a_shorter_clip)
{
    static const double keys_of_a[] = {0, 1}, keys_of_b[] = {0.125};
    struct clip_by_hand a, b;
    make_clip(&a, 1, 24, keys_of_a, 2, NULL, 0);
    make_clip(&b, 0.5, 24, keys_of_b, 1, NULL, 0);
    struct clip_mix clip_mix = {.rate = 1};
    mix_times_are(clip_mix, &a, &b, (double[]){0, 0.0625, 0.125, 0.375, 0.625, 0.8125, 1}, 7);
    clip_mix.wrap = WRAP_HOLD;
    mix_times_are(clip_mix, &a, &b, (double[]){0, 0.0625, 0.125, 0.5625, 1}, 5);
}
