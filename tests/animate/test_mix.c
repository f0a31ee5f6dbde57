/* Blends, masks and additive layers against closed forms. */

#include "animate/mix.h"
#include "animate/pose_builder.h"
#include "animate/tracks.h"
#include "scene_builder.h"

enum { NODES = 8 };

struct poses {
    struct scene *scene;
    struct pose in[3], out;
};

static void drop(struct poses *p)
{
    scene_free(p->scene);
}
#define POSES RELEASED_BY(drop) struct poses

static struct poses make(void)
{
    struct poses p = {.scene = builder_scene(NODES)};
    for (int i = 0; i < 3; i++)
        p.in[i] = pose_create(p.scene, p.scene->arena);
    p.out = pose_create(p.scene, p.scene->arena);
    return p;
}

static struct poses make_random(uint64_t seed)
{
    struct poses p = make();
    for (int i = 0; i < 3; i++)
        random_pose(&seed, &p.in[i]);
    return p;
}

static void blend(struct poses *p, double a, double b, double c)
{
    const struct blend_input inputs[3] = {{&p->in[0], a}, {&p->in[1], b}, {&p->in[2], c}};
    blend_poses(inputs, 3, &p->out);
}

static void negate(struct pose *pose, uint32_t node)
{
    for (int i = 0; i < 4; i++)
        pose->local[node].rotation[i] = -pose->local[node].rotation[i];
}

/* The angle grows with the weight: a normalised sum would be at 24.5 instead of 26 degrees. */
TEST(two_turn_at_constant_speed)
{
    POSES p = make();
    for (int axis = 0; axis < 3; axis++) {
        set_turn(&p.in[1], 0, axis, 130);
        for (int i = 0; i <= 10; i++) {
            blend(&p, 1 - i / 10.0, i / 10.0, 0);
            is_turn(p.out.local[0].rotation, axis, 13.0 * i);
        }
    }
}

TEST(the_weight_belongs_to_its_pose)
{
    POSES p = make();
    set_turn(&p.in[1], 0, 2, 100);
    p.in[1].local[0].translation[0] = 8;
    p.in[1].local[0].scale[1] = 3;
    affine_from_transform(&p.in[1].local[0], p.in[1].local_to_parent[0]);
    blend(&p, 3, 1, 0); /* relative to their sum */
    is_turn(p.out.local[0].rotation, 2, 25);
    is_vector(p.out.local[0].translation, 2, 0, 0);
    is_vector(p.out.local[0].scale, 1, 1.5, 1);
}

/* About one axis the sum of three is at the angle of the mean of the half angles' unit vectors. */
TEST(three_are_a_normalised_sum)
{
    POSES p = make();
    const double degrees[3] = {0, 60, 140}, weights[3] = {0.2, 0.5, 0.3};
    double x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        set_turn(&p.in[i], 0, 0, degrees[i]);
        p.in[i].local[0].translation[2] = (float)(i * i);
        affine_from_transform(&p.in[i].local[0], p.in[i].local_to_parent[0]);
        x += weights[i] * cos(degrees[i] * PI / 360);
        y += weights[i] * sin(degrees[i] * PI / 360);
    }
    blend(&p, weights[0], weights[1], weights[2]);
    is_turn(p.out.local[0].rotation, 0, atan2(y, x) * 360 / PI);
    is_vector(p.out.local[0].translation, 0, 0, 0.5 + 4 * 0.3);
}

/* And the matrix is that of the parts. */
TEST(order_does_not_count)
{
    POSES p = make_random(11);
    blend(&p, 0.2, 0.5, 0.3);
    struct pose first = p.out;
    p.out = pose_create(p.scene, p.scene->arena);
    const struct blend_input turned[3] = {{&p.in[2], 0.3}, {&p.in[0], 0.2}, {&p.in[1], 0.5}};
    blend_poses(turned, 3, &p.out);
    for (uint32_t n = 0; n < NODES; n++) {
        mat4 want;
        is_rotation(first.local[n].rotation, p.out.local[n].rotation, 2e-7);
        affine_from_transform(&p.out.local[n], want);
        assert_memory_equal(want, p.out.local_to_parent[n], sizeof want);
    }
}

/* q and -q are one rotation: which one a file has makes no difference, and opposite ones do not cancel. */
TEST(the_sign_of_a_quaternion_does_not_count)
{
    POSES p = make();
    for (int i = 0; i < 3; i++) {
        set_turn(&p.in[i], 0, 2, 30.0 * i);
        set_turn(&p.in[i], 1, 1, 80);
    }
    p.in[1].local_to_parent[1][3][0] = 1; /* not equal as a whole */
    for (int negated = 0; negated < 2; negated++) {
        negate(&p.in[1 - negated], 0);
        negate(&p.in[1 - negated], 1);
        blend(&p, 0.5, 0.5, 0);
        is_turn(p.out.local[0].rotation, 2, 15);
        is_turn(p.out.local[1].rotation, 1, 80);
        blend(&p, 0.25, 0.5, 0.25);
        is_turn(p.out.local[0].rotation, 2, 30);
        is_turn(p.out.local[1].rotation, 1, 80);
    }
}

/* Whatever the weight of the one is, and though its matrix may hold what its parts do not; so do nodes equal in all. */
TEST(one_weight_gives_that_pose_bit_by_bit)
{
    POSES p = make_random(3), equal = make_random(3);
    for (int i = 0; i < 3; i++) {
        p.in[i].local_to_parent[1][1][0] += 0.25f; /* shear */
        equal.in[i] = p.in[0];
        blend(&p, i == 0, 0.3 * (i == 1), i == 2);
        poses_equal(&p.out, &p.in[i]);
    }
    blend(&equal, 0.1, 0.2, 0.7);
    poses_equal(&equal.out, &p.in[0]);
}

enum { REFERENCE, CLIP, POSE };

static void add(struct poses *p, double weight)
{
    additive_pose(&p->in[REFERENCE], &p->in[CLIP], weight, &p->in[POSE]);
}

TEST(the_whole_difference_on_the_reference_is_the_clip)
{
    POSES p = make_random(1);
    for (uint32_t n = 0; n < NODES; n++)
        set_node(&p.in[POSE], n, &p.in[REFERENCE].local[n]);
    add(&p, 1);
    for (uint32_t n = 0; n < NODES; n++) {
        const struct transform *want = &p.in[CLIP].local[n], *got = &p.in[POSE].local[n];
        is_rotation(got->rotation, want->rotation, 3e-7);
        is_vector(got->translation, (double)want->translation[0], (double)want->translation[1],
                  (double)want->translation[2]);
        is_vector(got->scale, (double)want->scale[0], (double)want->scale[1], (double)want->scale[2]);
    }
}

TEST(turns_grow_with_the_weight)
{
    static const double weights[] = {0.25, 0.5, 1, 1.5, 3, -0.5, -2};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        POSES p = make();
        set_turn(&p.in[REFERENCE], 0, 1, 10);
        set_turn(&p.in[CLIP], 0, 1, 50);
        set_turn(&p.in[POSE], 0, 1, 100);
        add(&p, weights[i]);
        is_turn(p.in[POSE].local[0].rotation, 1, 100 + 40 * weights[i]);
    }
}

/*
 * The delta is in the bone's own axes: on a bone that is turned by 90 degrees about z, a turn about its x axis is one
 * about its parent's y axis.
 */
TEST(the_delta_is_applied_before_the_base)
{
    POSES p = make();
    vec3 y_axis, z_axis;
    set_turn(&p.in[CLIP], 0, 0, 90);
    set_turn(&p.in[POSE], 0, 2, 90);
    add(&p, 1);
    affine_point(p.in[POSE].local_to_parent[0], (vec3){0, 1, 0}, y_axis); /* y -> z by the delta, z -> z by the base */
    is_vector(y_axis, 0, 0, 1);
    affine_point(p.in[POSE].local_to_parent[0], (vec3){0, 0, 1}, z_axis); /* z -> -y by the delta, -y -> x by the base */
    is_vector(z_axis, 1, 0, 0);
}

/* A mirror or a zero has no power: those scales add. */
TEST(places_add_and_scales_multiply)
{
    POSES p = make();
    set_node(&p.in[REFERENCE], 0, &(struct transform){{1, 2, 3}, {0, 0, 0, 1}, {2, 1, -1}});
    set_node(&p.in[CLIP], 0, &(struct transform){{2, 2, 1}, {0, 0, 0, 1}, {8, 1, -9}});
    set_node(&p.in[POSE], 0, &(struct transform){{10, 0, 0}, {0, 0, 0, 1}, {3, 5, 2}});
    set_node(&p.in[REFERENCE], 1, &(struct transform){{0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1}});
    set_node(&p.in[CLIP], 1, &(struct transform){{0, 0, 0}, {0, 0, 0, 1}, {2, -1, 0}});
    add(&p, 0.5);
    is_vector(p.in[POSE].local[0].translation, 10.5, 0, -1);
    is_vector(p.in[POSE].local[0].scale, 3 * 2, 5, 2 * 3); /* the roots of 4, 1 and 9 */
    is_vector(p.in[POSE].local[1].scale, 1 + 0.5 * 2, 1 - 0.5 * 2, 1 - 0.5);
}

TEST(nothing_to_add_changes_no_bit)
{
    POSES p = make_random(4), before = make_random(4);
    p.in[POSE].local_to_parent[2][1][0] = before.in[POSE].local_to_parent[2][1][0] = 0.5f; /* shear */
    add(&p, 0);
    poses_equal(&p.in[POSE], &before.in[POSE]);
    p.in[REFERENCE] = p.in[CLIP];
    add(&p, 1);
    poses_equal(&p.in[POSE], &before.in[POSE]);
}

/*
 *  0 ─ 1 ─ 2 ─ 3
 *      │   └─ 4
 *      └─ 5 ─ 6
 *  7 hangs on 0
 */
static const int32_t parents[NODES] = {-1, 0, 1, 2, 2, 1, 5, 0};

static void spread(struct scene *scene, const uint32_t *bones, uint32_t count, int32_t owners[NODES])
{
    for (uint32_t n = 0; n < NODES; n++) {
        scene->nodes[n].parent = parents[n];
        owners[n] = NO_INDEX;
    }
    for (uint32_t i = 0; i < count; i++)
        owners[bones[i]] = (int32_t)i;
    mask_spread(scene, owners);
}

TEST(a_bone_and_all_below_it_but_for_deeper_masks)
{
    static const struct {
        uint32_t count, bones[3];
        int32_t owners[NODES];
    } rows[] = {
        {0, {0}, {-1, -1, -1, -1, -1, -1, -1, -1}}, {1, {2}, {-1, -1, 0, 0, 0, -1, -1, -1}},
        {1, {6}, {-1, -1, -1, -1, -1, -1, 0, -1}},  {1, {0}, {0, 0, 0, 0, 0, 0, 0, 0}},
        {2, {1, 2}, {-1, 0, 1, 1, 1, 0, 0, -1}},    {2, {2, 1}, {-1, 1, 0, 0, 0, 1, 1, -1}},
        {3, {3, 1, 5}, {-1, 1, 1, 0, 1, 2, 2, -1}},
    };
    SCENE *scene = builder_scene(NODES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t owners[NODES];
        spread(scene, rows[i].bones, rows[i].count, owners);
        assert_memory_equal(owners, rows[i].owners, sizeof owners);
    }
}

TEST(other_nodes_stay_bit_by_bit)
{
    POSES p = make_random(9), base = make_random(9);
    int32_t owners[NODES];
    spread(p.scene, (uint32_t[]){5}, 1, owners);
    mask_apply(p.scene, owners, 0, &p.in[1], &p.in[0]);
    for (uint32_t n = 0; n < NODES; n++)
        assert_true(same_local(&p.in[0], n == 5 || n == 6 ? &p.in[1] : &base.in[0], n));
}

enum { TARGETS = 2, VERTICES = 1 };

/* Mesh with two targets on nodes 1 and 2: the first rests at the mesh's weights (0.5, 0.25), the other at (0.75, -1). */
static struct scene *make_scene(void)
{
    static const float own[TARGETS] = {0.75f, -1};
    struct scene *scene = builder_scene(4);
    struct mesh *mesh = builder_mesh(scene, 1, VERTICES, 0);
    mesh->target_count = TARGETS;
    mesh->targets = ARENA_NEW(scene->arena, struct morph_target, TARGETS);
    mesh->targets[0].default_weight = 0.5f;
    mesh->targets[1].default_weight = 0.25f;
    scene->instance_count = 2;
    scene->instances = ARENA_NEW(scene->arena, struct instance, 2);
    scene->instances[0] = (struct instance){.node = 1};
    scene->instances[1] = (struct instance){.node = 2, .weights = own};
    scene_bind(scene);
    return scene;
}

static void weights_are(const struct pose *pose, float a, float b, float c, float d)
{
    ASSERT_NUMBERS(pose->morph_weights, 0, a, b, c, d);
}

/* Returns what the channel on node 1 makes of a pose at rest. */
static void sampled(const struct morph_channel *channel, double time, float a, float b)
{
    SCENE *scene = make_scene();
    struct clip clip = {
        .name = "clip", .duration = 2, .morph_count = 1, .morphs = (struct morph_channel *)channel};
    struct pose pose = pose_create(scene, scene->arena);
    tracks_sample(tracks_create(scene, &clip, scene->arena), time, &pose);
    weights_are(&pose, a, b, 0.75f, -1);
}

TEST(pose_rests_at_its_instances_weights)
{
    SCENE *scene = make_scene();
    struct pose pose = pose_create(scene, scene->arena);
    assert_int_equal(pose.weight_count, 4);
    weights_are(&pose, 0.5f, 0.25f, 0.75f, -1);
    for (int i = 0; i < 4; i++)
        pose.morph_weights[i] = 9;
    pose_reset(&pose, scene);
    weights_are(&pose, 0.5f, 0.25f, 0.75f, -1);
}

/* Cubics as in glTF 2.0, appendix C: at u = 1/2 both values' halves, dt/8 of the out-tangent, -dt/8 of the in-tangent. */
TEST(weights_are_those_of_their_keys)
{
    static const double times[] = {0.5, 1, 3}, two[] = {1, 5}, same[] = {0, 1, 1, 2};
    static const float values[] = {0, 1, 2, -1, -2, 0}, jump[] = {0, 0, 1, 1, 5, 6, 7, 8}, one[] = {7, 8, 9};
    static const float tangents[] = {9, 9, 1, 0, 2, -4, /* in, value, out of both targets */ 6, 8, 3, 2, 9, 9};
    static const struct {
        struct morph_channel channel;
        struct {
            double time;
            float a, b;
        } at[8];
        int count;
    } rows[] = {
        {{"n", 1, TARGETS, {3, times, values, INTERPOLATE_LINEAR}}, /* before and after: the outermost keys */
         {{0, 0, 1}, {0.5, 0, 1}, {0.75, 1, 0}, {1, 2, -1}, {1.5, 1, -0.75f}, {3, -2, 0}, {4, -2, 0}, {NAN, 0, 1}}, 8},
        {{"n", 1, TARGETS, {3, times, values, INTERPOLATE_STEP}}, /* a float's rounding before its key is at it */
         {{0, 0, 1}, {0.999, 0, 1}, {1, 2, -1}, {1 - 1e-8, 2, -1}, {2.999, 2, -1}, {3, -2, 0}}, 6},
        {{"n", 1, TARGETS, {2, two, tangents, INTERPOLATE_CUBIC}},
         {{0, 1, 0}, {1, 1, 0}, {3, 2 + 0.5f * 2 - 0.5f * 6, 1 + 0.5f * -4 - 0.5f * 8}, {5, 3, 2}, {6, 3, 2}}, 5},
        {{"n", 1, TARGETS, {4, same, jump, INTERPOLATE_LINEAR}}, {{0.5, 0.5f, 0.5f}, {1, 5, 6}, {1.5, 6, 7}}, 3},
        /* counts need not agree */
        {{"n", 1, 1, {1, times, one, INTERPOLATE_LINEAR}}, {{1, 7, 0.25f}}, 1},
        {{"n", 1, 3, {1, times, one, INTERPOLATE_LINEAR}}, {{1, 7, 8}}, 1},
        {{"n", NO_INDEX, 2, {1, times, one, INTERPOLATE_LINEAR}}, {{1, 0.5f, 0.25f}}, 1},
        {{"n", 1, 2, {0}}, {{1, 0.5f, 0.25f}}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int k = 0; k < rows[i].count; k++)
            sampled(&rows[i].channel, rows[i].at[k].time, rows[i].at[k].a, rows[i].at[k].b);
}

static struct pose with_weights(const struct scene *scene, float a, float b, float c, float d)
{
    struct pose pose = pose_create(scene, scene->arena);
    memcpy(pose.morph_weights, (float[]){a, b, c, d}, 4 * sizeof(float));
    return pose;
}

TEST(mixed_as_poses_are)
{
    SCENE *scene = make_scene(); /* a chain: node 2 hangs on node 1 */
    int32_t owners[4] = {NO_INDEX, NO_INDEX, 0, NO_INDEX};
    struct pose a = with_weights(scene, 0, 1, -2, 0.1f), b = with_weights(scene, 4, 1, 2, 0.1f);
    struct pose out = pose_create(scene, scene->arena), base = with_weights(scene, 0.5f, 0.25f, 1, -1);
    blend_poses((struct blend_input[]){{&a, 3}, {&b, 1}}, 2, &out);
    weights_are(&out, 1, 1, -1, 0.1f);
    blend_poses((struct blend_input[]){{&a, 0}, {&b, 2}}, 2, &out);
    weights_are(&out, 4, 1, 2, 0.1f);
    additive_pose(&a, &b, 0.5, &base);
    weights_are(&base, 2.5f, 0.25f, 3, -1);
    mask_spread(scene, owners);
    mask_apply(scene, owners, 0, &a, &out);
    weights_are(&out, 4, 1, -2, 0.1f);
}
