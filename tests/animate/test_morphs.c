/* Morph weights against closed forms, sampled and mixed. */
#include "cmocka_setup.h"

#include <math.h>

#include "animate/mix.h"
#include "animate/tracks.h"
#include "scene_builder.h"

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
    const float want[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        if (pose->morph_weights[i] != want[i])
            fail_msg("weight %d is %.9g, not %.9g", i, (double)pose->morph_weights[i], (double)want[i]);
}

/* What the channel on node 1 makes of a pose at rest. */
static void sampled(const struct morph_channel *channel, double time, float a, float b)
{
    struct scene *scene = make_scene();
    struct clip clip = {
        .name = "clip", .duration = 2, .morph_count = 1, .morphs = (struct morph_channel *)channel};
    struct pose pose = pose_create(scene, scene->arena);
    tracks_sample(tracks_create(scene, &clip, scene->arena), time, &pose);
    weights_are(&pose, a, b, 0.75f, -1);
    scene_free(scene);
}

static void pose_rests_at_its_instances_weights(void **state)
{
    struct scene *scene = make_scene();
    struct pose pose = pose_create(scene, scene->arena);
    assert_int_equal(pose.weight_count, 4);
    weights_are(&pose, 0.5f, 0.25f, 0.75f, -1);
    for (int i = 0; i < 4; i++)
        pose.morph_weights[i] = 9;
    pose_reset(&pose, scene);
    weights_are(&pose, 0.5f, 0.25f, 0.75f, -1);
    scene_free(scene);
}

/* Cubics as in glTF 2.0, appendix C: at u = 1/2 both values' halves, dt/8 of the out-tangent, -dt/8 of the in-tangent. */
static void weights_are_those_of_their_keys(void **state)
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

static void mixed_as_poses_are(void **state)
{
    struct scene *scene = make_scene(); /* a chain: node 2 hangs on node 1 */
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
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose_rests_at_its_instances_weights),
        cmocka_unit_test(weights_are_those_of_their_keys),
        cmocka_unit_test(mixed_as_poses_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
