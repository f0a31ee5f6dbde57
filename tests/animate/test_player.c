/* Whole clip mixes: clips that slide and turn at known speeds, so that every time has a closed form. */
#include "animate/mix.h"
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

static void drop_stage(struct stage *s)
{
    scene_free(s->scene);
}
#define STAGE RELEASED_BY(drop_stage) struct stage

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

TEST(one_clip_is_its_tracks_bit_by_bit)
{
    STAGE s = make();
    play(&s);
    struct tracks *tracks = tracks_create(s.scene, s.a, s.scene->arena);
    struct pose want = pose_create(s.scene, s.scene->arena);
    for (double time = -3; time < 5; time += 0.0777) {
        player_sample(s.player, time, &s.pose);
        tracks_sample(tracks, wrap_time(time, 2, WRAP_LOOP), &want);
        poses_equal(&s.pose, &want);
    }
    assert_true(player_duration(s.player) == 2);
}

TEST(no_clip_is_the_rest_pose)
{
    STAGE s = make();
    struct pose rest = pose_create(s.scene, s.scene->arena);
    s.parts[0].clip = NULL;
    play(&s);
    player_sample(s.player, 1, &s.pose);
    poses_equal(&s.pose, &rest);
    assert_true(player_duration(s.player) == 0);
}

enum { END, A, B, C, REST };

/* a is at 10 t; b, which lasts 1 s, at 100 + 10 t. */
TEST(every_clip_runs_on_its_own_clock)
{
    static const struct {
        struct {
            int clip;
            double weight;
        } parts[3];
        struct transition fades[2];
        double rate; /* 0: 1 */
        enum wrap wrap;
        double duration;
        struct {
            double seconds, x;
        } at[8]; /* those at 0 but the first end the list */
    } rows[] = {
        {{{A, 1}}, .rate = 4, .duration = 0.5, .at = {{0.125, 5}, {0.5, 20}, {0.625, 5}}},
        /* backwards from the end */
        {{{A, 1}}, .rate = -2, .duration = 1, .at = {{0, 20}, {0.25, 15}, {1, 0}, {1.25, 15}}},
        {{{A, 1}}, .rate = -2, .wrap = WRAP_HOLD, .duration = 1, .at = {{0, 20}, {0.25, 15}, {1, 0}, {1.25, 0}}},
        /* rounded to the nearest millionth, no end is the other one */
        {{{A, 1}}, .duration = 2, .at = {{2.000001, 20}}},
        {{{A, 1}}, .rate = -1, .duration = 2, .at = {{-0.0000004, 20}, {2.000001, 0}}},
        {{{A, 1}, {B, 1}}, .duration = 2, .at = {{2.000001, 0.5 * 20 + 0.5 * 100.00001}}},
        {{{A, 1}, {B, 1}}, {{0.3, 0.7}}, .duration = 2.6, .at = {{1.3000004, 110}, {2.6000004, 103}, {2.7, 1}}},
        /* blends: b for the second time at 1.5 */
        {{{A, 3}, {B, 1}}, .duration = 2, .at = {{0, 25}, {0.5, 30}, {1.5, 37.5}, {2.5, 30}}},
        {{{A, 0.25}, {A, 0.25}, {REST, 0.5}}, .duration = 2, .at = {{1, 5}}},
        {{{REST, 1}}, .duration = 0, .at = {{1, 0}}},
        /* a fade is linear in time, the second clip's own begins at its start; as long as both but for the fade, round as a whole */
        {{{A, 1}, {B, 1}}, {{1.5, 2}}, .duration = 2.5,
         .at = {{0.5, 5}, {1.5, 15}, {1.75, 60}, {1.875, 82.5}, {2, 105}, {2.5, 110}, {2.75, 2.5}, {4.25, 60}}},
        /* beyond its end the first clip wraps or holds; not over before the fade is */
        {{{A, 1}, {B, 1}}, {{3, 4}}, .duration = 4, .at = {{2.5, 5}, {3, 10}, {3.5, 60}, {4, 110}, {4.25, 2.5}}},
        {{{A, 1}, {B, 1}}, {{3, 4}}, .wrap = WRAP_HOLD, .duration = 4,
         .at = {{2.5, 20}, {3, 20}, {3.5, 62.5}, {4, 110}, {4.25, 110}}},
        /* no time between is a cut; end to end; a gap */
        {{{A, 1}, {B, 1}}, {{0.5, 0.5}}, .duration = 3, .at = {{-0.25, 102.5}, {0.5 - 1e-12, 5}, {0.5, 100}}},
        {{{A, 1}, {B, 1}}, {{2, 2}}, .duration = 3, .at = {{1.75, 17.5}}},
        {{{A, 1}, {B, 1}}, {{2.5, 2.75}}, .wrap = WRAP_HOLD, .duration = 3.5, .at = {{2.25, 20}}},
        /* several: b at its end, a once more from 0 */
        {{{A, 1}, {B, 1}, {A, 1}}, {{1, 1.5}, {1.75, 2.25}}, .duration = 4,
         .at = {{1.25, 57.5}, {1.6, 106}, {2, 56.25}, {2.25, 5}}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        STAGE s = make();
        const struct clip *clips[] = {[A] = s.a, [B] = s.b, [C] = s.c, [REST] = NULL};
        for (s.clip_mix.part_count = 0; s.clip_mix.part_count < 3; s.clip_mix.part_count++) {
            uint32_t i = s.clip_mix.part_count;
            if (rows[r].parts[i].clip == END)
                break;
            s.parts[i] = (struct mix_part){clips[rows[r].parts[i].clip], rows[r].parts[i].weight, NULL};
            s.clip_mix.transition_count += i > 0 && rows[r].fades[i - 1].end > 0;
        }
        s.clip_mix.transitions = rows[r].fades;
        s.clip_mix.wrap = rows[r].wrap;
        s.clip_mix.rate = rows[r].rate == 0 ? 1 : rows[r].rate;
        play(&s);
        double duration = player_duration(s.player), end = duration * fabs(s.clip_mix.rate);
        bool is_backwards = s.clip_mix.rate < 0;
        assert_true(fabs(duration - rows[r].duration) < 1e-12);
        assert_true(fabs(player_seconds(s.player, is_backwards ? end : 0)) < 1e-12);
        assert_true(fabs(player_seconds(s.player, is_backwards ? 0 : end) - duration) < 1e-12);
        for (int i = 0; i < 8 && (i == 0 || rows[r].at[i].seconds != 0); i++)
            is_at(&s, rows[r].at[i].seconds, rows[r].at[i].x);
    }
}

TEST(weights_0_and_1_are_the_clip_bit_by_bit)
{
    STAGE s = make(), single = make();
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
}

TEST(transitions_out_of_order_are_refused)
{
    static const struct transition bad[][2] = {
        {{-0.5, 1}, {2, 3}}, {{1, 0.5}, {2, 3}}, {{0, 2}, {1, 3}},
        {{NAN, 1}, {2, 3}},  {{0, NAN}, {2, 3}}, {{2, 3}, {0, 1}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(transition_check(bad[i], 2, &(struct error){0}));
    assert_true(transition_check((struct transition[]){{1, 2}, {2, 2}}, 2, ANY_ERROR)); /* may touch */
}

/* Their times, before the rate; a pose that stands still is none. */
TEST(clip_instances_are_listed)
{
    static const struct transition list[] = {{1, 1.5}, {1.75, 2.25}};
    STAGE s = make();
    s.parts[1] = (struct mix_part){.weight = 1};
    s.parts[2] = (struct mix_part){s.b, 1, NULL};
    s.clip_mix.part_count = 3;
    s.clip_mix.transition_count = 2;
    s.clip_mix.transitions = list;
    play(&s);
    struct player_clip_instance first, second;
    assert_true(player_clip_instance(s.player, 0, &first) && first.clip == s.a && first.begins == 0 &&
                first.from == 0 && first.to == 1.5);
    assert_true(player_clip_instance(s.player, 1, &second) && second.clip == s.b && second.begins == 1.75 &&
                second.from == 1.75 && second.to == 2.75);
    assert_false(player_clip_instance(s.player, 2, &second));
}

TEST(a_masks_clip_runs_ahead_by_its_offset)
{
    STAGE s = make();
    const struct mix_mask masks[] = {{2, s.c, 0.5}};
    s.clip_mix.masks = masks;
    s.clip_mix.mask_count = 1;
    play(&s);
    assert_true(player_duration(s.player) == 2);
    is_at(&s, 1, 10); /* the base goes on */
    is_turned(&s, 0, 15);
    is_turned(&s, 1, 45);
    is_turned(&s, 3.75, 7.5); /* wrapped by its own 4 s */
    is_turned(&s, 3.5000004, 120); /* a rounded end is no beginning */
}

TEST(a_mask_of_the_rest_pose_holds_still)
{
    STAGE s = make();
    const struct mix_mask masks[] = {{1, NULL, 0}, {2, s.c, 0}};
    s.clip_mix.masks = masks;
    s.clip_mix.mask_count = 2;
    play(&s);
    is_at(&s, 1, 0);
    is_turned(&s, 1, 30); /* the deeper one */
}

TEST(a_layer_adds_what_goes_beyond_its_first_frame)
{
    STAGE s = make();
    const struct mix_layer layers[] = {{s.b, 0.5, false}, {s.c, 2, false}};
    s.clip_mix.layers = layers;
    s.clip_mix.layer_count = 2;
    play(&s);
    is_at(&s, 0, 0);
    is_at(&s, 0.5, 5 + 0.5 * 5);
    is_turned(&s, 0.5, 30);
}

/* Node 1 at x = 40 and nothing else: as a part, in a mask, as a layer and as what a layer is the difference to. */
TEST(a_pose_may_stand_still_wherever_a_clip_plays)
{
    STAGE s = make();
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
}

TEST(or_beyond_the_rest_pose)
{
    STAGE s = make();
    const struct mix_layer layers[] = {{s.b, 0.5, true}};
    s.clip_mix.layers = layers;
    s.clip_mix.layer_count = 1;
    s.parts[0].clip = NULL;
    play(&s);
    is_at(&s, 0.5, 0.5 * 105);
    assert_true(player_duration(s.player) == 1); /* the only thing that has one */
}

/* Node 1 goes (0, 0, 0) -> (4, 6, 8) in 2 s; node 2 slides too, and is not the root. */
static void walk_away(struct stage *s)
{
    builder_keys(s->scene, &s->a->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2},
                 (float[]){1, 2, 3, 5, 8, 11});
    clip_slides(s->scene, s->a, 2, 0, 20);
    s->scene->nodes[2].is_bone = true;
    s->clip_mix.is_in_place = true;
}

TEST(in_place_keeps_what_is_vertical)
{
    STAGE s = make();
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
}

/*
 * 0 armature
 *   1 goal of a foot
 *   2 hips
 *     3 arm
 *       4 hand
 * All but the armature are bones; hips, arm and hand hold a vertex each.
 */
enum { ARMATURE, GOAL, HIPS, ARM, HAND, NODES };

static struct scene *make_skeleton(void)
{
    static const struct influence influences[] = {{0, 1}, {1, 1}, {2, 1}};
    static const uint32_t nodes[] = {HIPS, ARM, HAND, GOAL};
    struct scene *scene = builder_scene(NODES);
    scene->nodes[GOAL].parent = scene->nodes[HIPS].parent = ARMATURE;
    struct mesh *mesh = builder_mesh(scene, ARMATURE, 3, 4);
    for (uint32_t b = 0; b < 4; b++)
        mesh->bones[b].node = nodes[b];
    builder_influences(scene, mesh, 1, influences);
    scene_bind(scene);
    return scene;
}

static void is_root(struct scene *scene, const struct clip *clip, int32_t want)
{
    const struct clip *clips[] = {NULL, clip};
    assert_int_equal(in_place_root(scene, clips, 2, scene->arena), want);
    scene_free(scene);
}

TEST(the_topmost_that_carries_most_and_is_not_torn_off)
{
    static const struct {
        int32_t root;
        float slides[NODES]; /* along x, in the course of the clip */
        uint32_t turns;      /* a node that turns, or 0 */
        int32_t hips_parent;
    } rows[] = {
        {NO_INDEX, {0}, 0, ARMATURE},
        {HIPS, {[GOAL] = 50, [HIPS] = 2}, 0, ARMATURE},       /* before the goal beside them */
        {ARMATURE, {[ARMATURE] = 2, [HIPS] = 2}, 0, ARMATURE},
        {HIPS, {[ARMATURE] = 1e-6f, [HIPS] = 2}, 0, ARMATURE}, /* an armature that trembles */
        {NO_INDEX, {[HAND] = 1}, ARM, ARMATURE},               /* a hand that slides on its arm */
        {HAND, {[HAND] = 1}, 0, ARMATURE},                     /* on an arm that is still */
        {HIPS, {[HIPS] = 2}, GOAL, GOAL},                      /* below "root", as some engines have it, which holds nothing */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene *scene = make_skeleton();
        struct clip *clip = clip_beside(scene, "walk", 2);
        scene->nodes[HIPS].parent = rows[i].hips_parent;
        for (uint32_t n = 0; n < NODES; n++)
            if (rows[i].slides[n] > 0)
                clip_slides(scene, clip, n, 0, rows[i].slides[n]);
        if (rows[i].turns)
            clip_turns(scene, clip, rows[i].turns, 1, 40);
        is_root(scene, clip, rows[i].root);
    }
}

TEST(what_is_no_movement)
{
    static const float sides[] = {0, 0, 0, 1, 0, 0, 0, -1}; /* q and -q are one rotation */
    static const float still[] = {0, 0, 0, 1, 2, 3, 9, 9, 9, 7, 7, 7, 1, 2, 3, 0, 0, 0}; /* a value is between its tangents */
    struct scene *scene = make_skeleton();
    struct clip *clip = clip_beside(scene, "walk", 2);
    builder_keys(scene, &clip->channels[ARM], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2}, sides);
    builder_keys(scene, &clip->channels[HIPS], COMPONENT_TRANSLATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, still);
    clip_slides(scene, clip, HAND, 0, 1);
    is_root(scene, clip, HAND);
}

/* Without bones: what carries meshes, before a camera that comes first; in a file of clips alone what these move. */
TEST(without_bones)
{
    struct scene *rigid = builder_scene(3), *bare = builder_scene(4);
    struct clip *drive = clip_beside(rigid, "drive", 1), *walk = clip_beside(bare, "walk", 1);
    rigid->nodes[2].parent = 0;
    builder_mesh(rigid, 2, 1, 0);
    scene_bind(rigid);
    clip_slides(rigid, drive, 1, 0, 9);
    clip_slides(rigid, drive, 2, 0, 2);
    is_root(rigid, drive, 2);
    clip_slides(bare, walk, 2, 0, 2);
    clip_slides(bare, walk, 3, 0, 2);
    is_root(bare, walk, 2);
}
