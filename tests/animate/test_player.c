/* Whole clip mixes: clips that slide and turn at known speeds, so that every time has a closed form. */
#include "cmocka_setup.h"

#include "animate/player.h"
#include "animate/pose_builder.h"

/* Node 0 is the root, 1 hangs on it, 2 on 1. */
struct stage {
    struct scene *scene;
    struct clip *a; /* 2 s, node 1 slides along x from 0 to 20 */
    struct clip *b; /* 1 s, from 100 to 110 */
    struct clip *c; /* 4 s, turns node 2 about z from 0 to 120 degrees */
    struct clip_mix clip_mix;
    struct mix_part parts[3];
    struct player *player;
    struct pose pose;
};

static struct stage make(void)
{
    struct stage s = {.scene = builder_scene(3), .clip_mix = {.rate = 1, .up_axis = 1}};
    s.a = clip_beside(s.scene, "a", 2);
    s.b = clip_beside(s.scene, "b", 1);
    s.c = clip_beside(s.scene, "c", 4);
    clip_slides(s.scene, s.a, 1, 0, 20);
    clip_slides(s.scene, s.b, 1, 100, 110);
    clip_turns(s.scene, s.c, 2, 2, 120);
    s.parts[0] = (struct mix_part){s.a, 1};
    s.clip_mix.part_count = 1;
    s.pose = pose_create(s.scene, s.scene->arena);
    return s;
}

static void play(struct stage *s)
{
    s->clip_mix.parts = s->parts;
    s->player = player_create(s->scene, &s->clip_mix, s->scene->arena);
}

static void is_at(struct stage *s, double seconds, double x)
{
    player_sample(s->player, seconds, &s->pose);
    double got = (double)s->pose.local[1].translation[0];
    if (!(fabs(got - x) < 1e-5))
        fail_msg("at %g s: %.9g, not %.9g", seconds, got, x);
    assert_true(s->pose.local_to_parent[1][3][0] == s->pose.local[1].translation[0]);
}

static void is_turned(struct stage *s, double seconds, double degrees)
{
    player_sample(s->player, seconds, &s->pose);
    is_turn(s->pose.local[2].rotation, 2, degrees);
}

/* ---- one clip ------------------------------------------------------------------------------------------------ */

static void one_clip_is_its_tracks_bit_by_bit(void **state)
{
    (void)state;
    struct stage s = make();
    play(&s);
    struct tracks *tracks = tracks_create(s.scene, s.a, s.scene->arena);
    struct pose want = pose_create(s.scene, s.scene->arena);
    for (double time = -3; time < 5; time += 0.0777) {
        player_sample(s.player, time, &s.pose);
        tracks_sample(tracks, wrap_time(time, 2, WRAP_LOOP), &want);
        poses_equal(&s.pose, &want);
    }
    assert_true(player_duration(s.player) == 2);
    scene_free(s.scene);
}

static void no_clip_is_the_rest_pose(void **state)
{
    (void)state;
    struct stage s = make();
    struct pose rest = pose_create(s.scene, s.scene->arena);
    s.parts[0].clip = NULL;
    play(&s);
    player_sample(s.player, 1, &s.pose);
    poses_equal(&s.pose, &rest);
    assert_true(player_duration(s.player) == 0);
    scene_free(s.scene);
}

static void rate_scales_time_once(void **state)
{
    (void)state;
    struct stage s = make();
    s.clip_mix.rate = 4;
    play(&s);
    assert_true(player_duration(s.player) == 0.5);
    assert_true(player_seconds(s.player, 2) == 0.5);
    is_at(&s, 0.125, 5);
    is_at(&s, 0.5, 20);
    is_at(&s, 0.625, 5);
    scene_free(s.scene);
}

static void a_negative_rate_plays_back_from_the_end(void **state)
{
    (void)state;
    for (int wrap = WRAP_LOOP; wrap <= WRAP_HOLD; wrap++) {
        struct stage s = make();
        s.clip_mix.rate = -2;
        s.clip_mix.wrap = (enum wrap)wrap;
        play(&s);
        assert_true(player_duration(s.player) == 1 && player_seconds(s.player, 2) == 0 &&
                    player_seconds(s.player, 0) == 1);
        is_at(&s, 0, 20);
        is_at(&s, 0.25, 15);
        is_at(&s, 1, 0);
        is_at(&s, 1.25, wrap == WRAP_LOOP ? 15 : 0);
        scene_free(s.scene);
    }
}

/* Rounded to the nearest millionth, no end is the other one: of a clip, backwards, of a blend, a fade and a mask. */
static void ends_stay_ends_when_rounded(void **state)
{
    (void)state;
    struct stage s = make();
    play(&s);
    is_at(&s, 2.000001, 20);
    s.clip_mix.rate = -1;
    play(&s);
    is_at(&s, -0.0000004, 20);
    is_at(&s, 2.000001, 0);
    s.clip_mix.rate = 1;
    s.parts[1] = (struct mix_part){s.b, 1};
    s.clip_mix.part_count = 2;
    play(&s);
    is_at(&s, 2.000001, 0.5 * 20 + 0.5 * 100.00001);
    const struct transition fade = {0.3, 0.7};
    s.clip_mix.transition_count = 1;
    s.clip_mix.transitions = &fade;
    play(&s);
    is_at(&s, 1.3000004, 110);
    struct stage masked = make();
    const struct mix_mask mask = {1, masked.b, -0.1};
    masked.clip_mix.mask_count = 1;
    masked.clip_mix.masks = &mask;
    play(&masked);
    is_at(&masked, 1.1000004, 110);
    is_at(&masked, 0.0999999, 100);
    scene_free(s.scene);
    scene_free(masked.scene);
}

/* ---- blends -------------------------------------------------------------------------------------------------- */

static void each_of_a_blend_has_its_own_duration(void **state)
{
    (void)state;
    struct stage s = make();
    s.parts[0].weight = 3;
    s.parts[1] = (struct mix_part){s.b, 1};
    s.clip_mix.part_count = 2;
    play(&s);
    assert_true(player_duration(s.player) == 2);
    is_at(&s, 0, 25);
    is_at(&s, 0.5, 0.75 * 5 + 0.25 * 105);
    is_at(&s, 1.5, 0.75 * 15 + 0.25 * 105); /* b for the second time */
    is_at(&s, 2.5, 0.75 * 5 + 0.25 * 105);
    scene_free(s.scene);
}

static void weights_0_and_1_are_the_clip_bit_by_bit(void **state)
{
    (void)state;
    struct stage s = make(), single = make();
    single.parts[0].clip = single.b;
    play(&single);
    s.parts[0] = (struct mix_part){s.c, 0};
    s.parts[1] = (struct mix_part){s.b, 1};
    s.parts[2] = (struct mix_part){s.a, 0};
    s.clip_mix.part_count = 3;
    play(&s);
    for (double time = -1; time < 3; time += 0.0777) {
        player_sample(s.player, time, &s.pose);
        player_sample(single.player, time, &single.pose);
        poses_equal(&s.pose, &single.pose);
    }
    assert_true(player_duration(s.player) == 1); /* what does not play does not count */
    scene_free(s.scene);
    scene_free(single.scene);
}

static void a_clip_may_be_blended_with_itself_and_the_rest_pose(void **state)
{
    (void)state;
    struct stage s = make();
    s.parts[0] = (struct mix_part){s.a, 0.25};
    s.parts[1] = (struct mix_part){s.a, 0.25};
    s.parts[2] = (struct mix_part){NULL, 0.5};
    s.clip_mix.part_count = 3;
    play(&s);
    is_at(&s, 1, 5);
    scene_free(s.scene);
}

/* ---- transitions --------------------------------------------------------------------------------------------- */

static void fade(struct stage *s, double start, double end, enum wrap wrap)
{
    static struct transition list[1];
    list[0] = (struct transition){start, end};
    s->parts[1] = (struct mix_part){s->b, 1};
    s->clip_mix.part_count = 2;
    s->clip_mix.transition_count = 1;
    s->clip_mix.transitions = list;
    s->clip_mix.wrap = wrap;
    play(s);
}

/* a is at 10 t; b, which begins at 1.5, at 100 + 10 (t - 1.5). */
static void the_second_clips_time_begins_at_start(void **state)
{
    (void)state;
    struct stage s = make();
    fade(&s, 1.5, 2, WRAP_LOOP);
    is_at(&s, 0.5, 5);
    is_at(&s, 1.5, 15);
    is_at(&s, 1.75, 0.5 * 17.5 + 0.5 * 102.5);
    is_at(&s, 1.875, 0.25 * 18.75 + 0.75 * 103.75);
    is_at(&s, 2, 105);
    is_at(&s, 2.25, 107.5);
    is_at(&s, 2.5, 110);
    is_at(&s, 2.75, 102.5); /* b goes round */
    assert_true(player_duration(s.player) == 2 + 1 - 0.5);
    scene_free(s.scene);
}

static void beyond_the_first_clips_end_it_holds_or_wraps(void **state)
{
    (void)state;
    for (int wrap = WRAP_LOOP; wrap <= WRAP_HOLD; wrap++) {
        struct stage s = make();
        fade(&s, 3, 4, (enum wrap)wrap);
        bool holds = wrap == WRAP_HOLD;
        is_at(&s, 2.5, holds ? 20 : 5);
        is_at(&s, 3, holds ? 20 : 10);
        is_at(&s, 3.5, 0.5 * (holds ? 20 : 15) + 0.5 * 105);
        is_at(&s, 4, 110);
        is_at(&s, 4.25, holds ? 110 : 102.5);
        assert_true(player_duration(s.player) == 4);
        scene_free(s.scene);
    }
}

/* Both durations minus their overlap; never over before the second is there alone. No time between is a cut. */
static void a_timeline_lasts_until_its_last_clip_was_played(void **state)
{
    (void)state;
    static const struct {
        double start, end, duration;
    } rows[] = {{0.5, 1, 1.5}, {2, 2, 3}, {2.5, 2.75, 3.5}, {0.5, 4, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage s = make();
        fade(&s, rows[i].start, rows[i].end, WRAP_HOLD);
        assert_true(player_duration(s.player) == rows[i].duration);
        scene_free(s.scene);
    }
    struct stage s = make();
    fade(&s, 0.5, 0.5, WRAP_LOOP);
    is_at(&s, -0.5, 15);
    is_at(&s, nextafter(0.5, 0), 5);
    is_at(&s, 0.5, 100);
    scene_free(s.scene);
}

static void transitions_out_of_order_are_refused(void **state)
{
    (void)state;
    static const struct transition bad[][2] = {
        {{-0.5, 1}, {2, 3}}, {{1, 0.5}, {2, 3}}, {{0, 2}, {1, 3}},
        {{NAN, 1}, {2, 3}},  {{0, NAN}, {2, 3}}, {{2, 3}, {0, 1}},
    };
    struct error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(transition_check(bad[i], 2, &(struct error){0}));
    assert_true(transition_check((struct transition[]){{1, 2}, {2, 2}}, 2, &err)); /* may touch */
}

static void several_transitions_follow_each_other(void **state)
{
    (void)state;
    static const struct transition list[] = {{1, 1.5}, {1.75, 2.25}};
    struct stage s = make();
    s.parts[1] = (struct mix_part){s.b, 1};
    s.parts[2] = (struct mix_part){s.a, 1};
    s.clip_mix.part_count = 3;
    s.clip_mix.transition_count = 2;
    s.clip_mix.transitions = list;
    play(&s);
    is_at(&s, 1.25, 0.5 * 12.5 + 0.5 * 102.5);
    is_at(&s, 1.6, 106);
    is_at(&s, 2, 0.5 * 110 + 0.5 * 2.5); /* b at its end, a once more from 0 */
    is_at(&s, 2.25, 5);
    assert_true(player_duration(s.player) == 1.75 + 2);
    struct player_clip_instance clip_instance;
    assert_true(player_clip_instance(s.player, 1, &clip_instance));
    assert_true(clip_instance.clip == s.b && clip_instance.begins == 1 && clip_instance.from == 1 &&
                clip_instance.to == 2.25);
    assert_true(player_clip_instance(s.player, 2, &clip_instance) && clip_instance.begins == 1.75 &&
                clip_instance.to == 3.75);
    assert_false(player_clip_instance(s.player, 3, &clip_instance));
    scene_free(s.scene);
}

/* ---- masks and layers ---------------------------------------------------------------------------------------- */

static void a_masks_clip_runs_ahead_by_its_offset(void **state)
{
    (void)state;
    struct stage s = make();
    const struct mix_mask masks[] = {{2, s.c, 0.5}};
    s.clip_mix.masks = masks;
    s.clip_mix.mask_count = 1;
    play(&s);
    assert_true(player_duration(s.player) == 2);
    is_at(&s, 1, 10); /* the base goes on */
    is_turned(&s, 0, 15);
    is_turned(&s, 1, 45);
    is_turned(&s, 3.75, 7.5); /* wrapped by its own 4 s */
    scene_free(s.scene);
}

static void a_mask_of_the_rest_pose_holds_still(void **state)
{
    (void)state;
    struct stage s = make();
    const struct mix_mask masks[] = {{1, NULL, 0}, {2, s.c, 0}};
    s.clip_mix.masks = masks;
    s.clip_mix.mask_count = 2;
    play(&s);
    is_at(&s, 1, 0);
    is_turned(&s, 1, 30); /* the deeper one */
    scene_free(s.scene);
}

static void a_layer_adds_what_goes_beyond_its_first_frame(void **state)
{
    (void)state;
    struct stage s = make();
    const struct mix_layer layers[] = {{s.b, 0.5, false}, {s.c, 2, false}};
    s.clip_mix.layers = layers;
    s.clip_mix.layer_count = 2;
    play(&s);
    is_at(&s, 0, 0);
    is_at(&s, 0.5, 5 + 0.5 * 5);
    is_turned(&s, 0.5, 30);
    scene_free(s.scene);
}

/* Node 1 at x = 40 and nothing else: as a part, in a mask, as a layer and as what a layer is the difference to. */
static void a_pose_may_stand_still_wherever_a_clip_plays(void **state)
{
    (void)state;
    struct stage s = make();
    struct pose still = pose_create(s.scene, s.scene->arena);
    still.local[1].translation[0] = still.local_to_parent[1][3][0] = 40;
    s.parts[0] = (struct mix_part){.still = &still, .weight = 1};
    play(&s);
    player_sample(s.player, 0.7, &s.pose);
    poses_equal(&s.pose, &still);
    assert_true(player_duration(s.player) == 0);
    s.parts[1] = (struct mix_part){s.b, 3, NULL};
    s.clip_mix.part_count = 2;
    play(&s);
    is_at(&s, 0.5, 0.25 * 40 + 0.75 * 105);
    s.clip_mix.part_count = 1;
    s.parts[0] = (struct mix_part){.clip = s.a, .weight = 1};
    const struct mix_mask mask = {.node = 1, .still = &still};
    s.clip_mix.masks = &mask;
    s.clip_mix.mask_count = 1;
    play(&s);
    is_at(&s, 0.5, 40);
    s.clip_mix.mask_count = 0;
    const struct mix_layer layers[] = {{.weight = 0.5, .still = &still, .is_to_pose = true},
                                        {s.b, 1, true, &still, NULL},
                                        {.weight = 7, .still = &still}}; /* beyond its own first frame: nothing */
    s.clip_mix.layers = layers;
    s.clip_mix.layer_count = 3;
    play(&s);
    is_at(&s, 0.5, 5 + 0.5 * 40 + (105 - 40));
    scene_free(s.scene);
}

static void or_beyond_the_rest_pose(void **state)
{
    (void)state;
    struct stage s = make();
    const struct mix_layer layers[] = {{s.b, 0.5, true}};
    s.clip_mix.layers = layers;
    s.clip_mix.layer_count = 1;
    s.parts[0].clip = NULL;
    play(&s);
    is_at(&s, 0.5, 0.5 * 105);
    assert_true(player_duration(s.player) == 1); /* the only thing that has one */
    scene_free(s.scene);
}

/* ---- in place ------------------------------------------------------------------------------------------------ */

/* Node 1 goes (0, 0, 0) -> (4, 6, 8) in 2 s; node 2 slides too, and is not the root. */
static void walk_away(struct stage *s)
{
    builder_keys(s->scene, &s->a->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2},
                 (float[]){1, 2, 3, 5, 8, 11});
    clip_slides(s->scene, s->a, 2, 0, 20);
    s->scene->nodes[2].is_bone = true;
    s->clip_mix.is_in_place = true;
}

static void in_place_keeps_what_is_vertical(void **state)
{
    (void)state;
    struct stage s = make();
    walk_away(&s);
    play(&s);
    player_sample(s.player, 1, &s.pose);
    is_vector(s.pose.local[1].translation, 1, 5, 3);
    is_vector(s.pose.local[2].translation, 10, 0, 0);
    s.clip_mix.up_axis = 2;
    play(&s);
    player_sample(s.player, 1, &s.pose);
    is_vector(s.pose.local[1].translation, 1, 2, 7);
    assert_true(s.pose.local_to_parent[1][3][2] == s.pose.local[1].translation[2]);
    scene_free(s.scene);
}

/* The parent is turned by 90 degrees about x, which takes its y to the scene's z, and 100 times as large. */
static void horizontal_is_meant_in_the_scene(void **state)
{
    (void)state;
    struct stage s = make();
    struct transform rest = {{7, 8, 9}, {0, 0, 0, 1}, {100, 100, 100}};
    turn(0, 90, rest.rotation);
    builder_rest(s.scene, 0, rest);
    s.pose = pose_create(s.scene, s.scene->arena);
    walk_away(&s);
    play(&s);
    player_sample(s.player, 1, &s.pose);
    is_vector(s.pose.local[1].translation, 1, 2, 7); /* its z is the scene's -y */
    scene_free(s.scene);
}

static void the_root_is_topmost_and_has_bones(void **state)
{
    (void)state;
    struct stage s = make();
    walk_away(&s);
    s.scene->nodes[1].parent = 0;
    s.scene->nodes[2].parent = 0; /* node 1 is a camera's, say: no bone below it */
    play(&s);
    player_sample(s.player, 1, &s.pose);
    is_vector(s.pose.local[1].translation, 3, 5, 7);
    is_vector(s.pose.local[2].translation, 0, 0, 0);
    scene_free(s.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_clip_is_its_tracks_bit_by_bit),
        cmocka_unit_test(no_clip_is_the_rest_pose),
        cmocka_unit_test(rate_scales_time_once),
        cmocka_unit_test(a_negative_rate_plays_back_from_the_end),
        cmocka_unit_test(ends_stay_ends_when_rounded),
        cmocka_unit_test(each_of_a_blend_has_its_own_duration),
        cmocka_unit_test(weights_0_and_1_are_the_clip_bit_by_bit),
        cmocka_unit_test(a_clip_may_be_blended_with_itself_and_the_rest_pose),
        cmocka_unit_test(the_second_clips_time_begins_at_start),
        cmocka_unit_test(beyond_the_first_clips_end_it_holds_or_wraps),
        cmocka_unit_test(a_timeline_lasts_until_its_last_clip_was_played),
        cmocka_unit_test(transitions_out_of_order_are_refused),
        cmocka_unit_test(several_transitions_follow_each_other),
        cmocka_unit_test(a_masks_clip_runs_ahead_by_its_offset),
        cmocka_unit_test(a_mask_of_the_rest_pose_holds_still),
        cmocka_unit_test(a_layer_adds_what_goes_beyond_its_first_frame),
        cmocka_unit_test(or_beyond_the_rest_pose),
        cmocka_unit_test(a_pose_may_stand_still_wherever_a_clip_plays),
        cmocka_unit_test(in_place_keeps_what_is_vertical),
        cmocka_unit_test(horizontal_is_meant_in_the_scene),
        cmocka_unit_test(the_root_is_topmost_and_has_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
