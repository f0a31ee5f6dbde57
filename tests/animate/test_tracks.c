
#include "animate/pose_builder.h"
#include "animate/tracks.h"

/* One node with one channel, its rest far from the identity. */
struct one {
    struct scene *scene;
    struct clip *clip;
    struct channel *channel;
    struct pose pose;
};

static const struct transform rest = {{10, 20, 30}, {0.6f, 0, 0, 0.8f}, {2, 3, 4}};

static struct one one_channel(void)
{
    struct one one;
    one.scene = builder_scene(1);
    builder_rest(one.scene, 0, rest);
    one.clip = builder_clip(one.scene, 10);
    one.channel = one.clip->channels;
    one.pose = pose_create(one.scene, one.scene->arena);
    return one;
}

static void drop_one(struct one *one)
{
    scene_free(one->scene);
}
#define ONE RELEASED_BY(drop_one) struct one

/* The component's numbers at a time. */
static const float *sample(struct one *one, enum component component, double time)
{
    struct tracks *tracks = tracks_create(one->scene, one->clip, one->scene->arena);
    pose_reset(&one->pose, one->scene);
    tracks_sample(tracks, time, &one->pose);
    const struct transform *local = one->pose.local;
    const float *parts[] = {local->translation, local->rotation, local->scale};
    return parts[component];
}

static float x_at(struct one *one, double time)
{
    return sample(one, COMPONENT_TRANSLATION, time)[0];
}

static void assert_turn_z(const float q[4], double degrees)
{
    float want[4];
    turn(2, degrees, want);
    is_rotation(q, want, 4e-7);
}

static void x_keys(struct one *one, enum interpolation interpolation, uint32_t count, const double *times,
                   const float *x)
{
    float values[3 * 3 * 16] = {0};
    uint32_t vectors = count * (interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    for (uint32_t i = 0; i < vectors; i++)
        values[3 * i] = x[i];
    builder_keys(one->scene, one->channel, COMPONENT_TRANSLATION, interpolation, count, times, values);
}

enum { MOST = 8 };

/* Values at their keys are exact; so is everything that no extrapolation works out. */
TEST(test_vectors)
{
    static const struct {
        enum interpolation interpolation;
        enum extrapolation outside;
        uint32_t count;
        double times[MOST];
        float x[3 * MOST];
        struct {
            double time;
            float x;
        } want[2 * MOST];
        uint32_t wanted;
    } rows[] = {
        {INTERPOLATE_STEP, EXTRAPOLATE_DEFAULT, 3, {0, 1, 2}, {5, 7, 9},
         {{-1, 5}, {0, 5}, {0.5, 5}, {0.999999, 5}, {1, 7}, {1.5, 7}, {2, 9}, {3, 9}}, 8},
        {INTERPOLATE_STEP, EXTRAPOLATE_LINEAR, 2, {0, 2}, {1, 5}, {{-1, 1}, {3, 5}}, 2}, /* no slope */
        {INTERPOLATE_STEP, EXTRAPOLATE_REPEAT, 2, {0, 2}, {1, 5}, {{3.5, 1}}, 1},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_DEFAULT, 3, {1, 2, 4}, {1, 3, 4}, {{0, 1}, {1, 1}, {1.5, 2}, {3, 3.5f}, {6, 4}}, 5},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_CONSTANT, 3, {1, 2, 4}, {1, 3, 4}, {{0, 1}, {6, 4}}, 2},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_LINEAR, 3, {1, 2, 4}, {1, 3, 4},
         {{0, -1}, {-1.5, -4}, {6, 5}, {104, 54}, {3, 3.5f}}, 5},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_REPEAT, 3, {1, 2, 4}, {1, 3, 4},
         {{0, 3.5f}, {6, 3.5f}, {7, 1}, {4, 4}, {4.5, 2}, {-2, 1}, {-0.5, 3.25f}}, 7},
        /* In, value, out; two seconds apart. u = 1/4: 0.84375 * 1 + 0.140625 * 2 * 3 + 0.15625 * 5 - 0.046875 * 2 * -1;
         * u = 1/2: 0.5 * 1 + 0.125 * 2 * 3 + 0.5 * 5 - 0.125 * 2 * -1. */
        {INTERPOLATE_CUBIC, EXTRAPOLATE_DEFAULT, 2, {0, 2}, {99, 1, 3, -1, 5, 99},
         {{-1, 1}, {0, 1}, {0.5, 2.5625f}, {1, 4}, {2, 5}, {3, 5}}, 6},
        {INTERPOLATE_CUBIC, EXTRAPOLATE_DEFAULT, 2, {0, 1}, {0, 4, 8, 0, 4, 0}, {{0.5, 5}}, 1}, /* 4 + 0.125 * 8 */
        {INTERPOLATE_CUBIC, EXTRAPOLATE_LINEAR, 2, {0, 2}, {99, 1, 3, -1, 5, 99}, {{-1, -1}, {3, 7}}, 2}, /* not by tangents */
        /* Of keys at one time the last holds; between them is no slope. */
        {INTERPOLATE_LINEAR, EXTRAPOLATE_CONSTANT, 8, {0, 0, 1, 1, 1, 2, 3, 3}, {1, 2, 4, 50, 7, 9, 11, 20},
         {{-1, 1}, {0, 2}, {0.5, 3}, {1, 7}, {1.5, 8}, {2, 9}, {2.5, 10}, {3, 20}, {4, 20}, {1 - 1e-9, 4}}, 10},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_LINEAR, 8, {0, 0, 1, 1, 1, 2, 3, 3}, {1, 2, 4, 50, 7, 9, 11, 20},
         {{-1, 1}, {0, 2}, {3, 20}, {4, 20}}, 4},
        {INTERPOLATE_LINEAR, EXTRAPOLATE_REPEAT, 8, {0, 0, 1, 1, 1, 2, 3, 3}, {1, 2, 4, 50, 7, 9, 11, 20}, {{4.5, 8}}, 1},
        {INTERPOLATE_STEP, EXTRAPOLATE_DEFAULT, 4, {0, 1, 1, 2}, {1, 2, 3, 4}, {{1, 3}}, 1},
        {INTERPOLATE_CUBIC, EXTRAPOLATE_DEFAULT, 3, {0, 1, 1}, {0, 1, 0, 0, 2, 0, 0, 3, 0}, {{0.5, 1.5f}, {1, 3}}, 2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        ONE one = one_channel();
        x_keys(&one, rows[r].interpolation, rows[r].count, rows[r].times, rows[r].x);
        one.channel->before = one.channel->after = rows[r].outside;
        for (uint32_t i = 0; i < rows[r].wanted; i++)
            assert_float_equal(x_at(&one, rows[r].want[i].time), rows[r].want[i].x, 1e-6f);
        for (uint32_t k = 0; k + 1 < rows[r].count && rows[r].interpolation == INTERPOLATE_LINEAR; k++)
            if (rows[r].times[k + 1] > rows[r].times[k])
                assert_true(x_at(&one, rows[r].times[k]) == rows[r].x[k]);
    }
}

/* One key, or all at one time, whatever the extrapolation is. */
TEST(test_no_range)
{
    static const double times[] = {-1, 0, 2, 5};
    ONE one = one_channel();
    for (int m = 0; m < 4; m++)
        for (int t = 0; t < 4; t++) {
            one.channel->before = one.channel->after = (enum extrapolation)m;
            x_keys(&one, INTERPOLATE_STEP, 1, (double[]){2}, (float[]){6});
            assert_true(x_at(&one, times[t]) == 6);
            x_keys(&one, INTERPOLATE_LINEAR, 1, (double[]){2}, (float[]){6});
            assert_true(x_at(&one, times[t]) == 6);
            x_keys(&one, INTERPOLATE_CUBIC, 1, (double[]){2}, (float[]){1, 6, 1});
            assert_true(x_at(&one, times[t]) == 6);
            x_keys(&one, INTERPOLATE_LINEAR, 2, (double[]){2, 2}, (float[]){5, 6});
            assert_true(x_at(&one, times[t]) == (times[t] < 2 ? 5 : 6));
        }
}

/* A file of floats has the keys of frames beside n / 24, on either side; a step belongs to its frame all the same. */
TEST(test_steps_at_frames_of_a_file_of_floats)
{
    enum { FRAMES = 40 };
    double times[FRAMES];
    float values[FRAMES];
    int late = 0;
    for (int n = 0; n < FRAMES; n++) {
        times[n] = (double)((float)n / 24.0f);
        values[n] = (float)n;
        late += times[n] > n / 24.0;
    }
    assert_true(late > 0);
    ONE one = one_channel();
    x_keys(&one, INTERPOLATE_STEP, FRAMES, times, values);
    for (int n = 0; n < FRAMES; n++) {
        assert_true(x_at(&one, n / 24.0) == (float)n);
        assert_true(x_at(&one, (n + 0.9999) / 24.0) == (float)n);
    }
}

/* FBX key lists hold times like these: the quotient of two tiny numbers must stay within the two values. */
TEST(test_nearly_equal_times)
{
    ONE one = one_channel();
    const double times[] = {0, 502.0, 502.000007, 502.0000070000001, 503};
    x_keys(&one, INTERPOLATE_LINEAR, 5, times, (float[]){0, 1, 2, 3, 4});
    assert_float_equal(x_at(&one, 502.0000035), 1.5f, 1e-3f);
    for (int i = 0; i < 5; i++)
        assert_true(x_at(&one, times[i]) == (float)i);
    for (double t = 502.000006; t < 502.000008; t += 1e-13 * 997)
        assert_true(x_at(&one, t) >= 1 && x_at(&one, t) <= 4);
}

TEST(test_not_a_number)
{
    ONE one = one_channel();
    x_keys(&one, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, (float[]){5, 6});
    for (int m = 0; m < 4; m++) {
        one.channel->before = one.channel->after = (enum extrapolation)m;
        assert_true(x_at(&one, NAN) == 5);
        (void)x_at(&one, INFINITY);
        (void)x_at(&one, -INFINITY);
    }
}

TEST(test_rotation_keys_are_normalised)
{
    ONE one = one_channel();
    const float turns[] = {0, 0, 0, 1.001f, 0, 0, 0.9f * 0.70710678f, 0.9f * 0.70710678f};
    builder_keys(one.scene, one.channel, COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, turns);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 0), 0);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 0.5), 45);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 1), 90);
}

TEST(test_cubic_rotation)
{
    ONE one = one_channel();
    const float zero[4] = {0};
    float keys[6][4] = {{0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0}, {0, 0, 0.70710678f, 0.70710678f}, {0}};
    builder_keys(one.scene, one.channel, COMPONENT_ROTATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, keys[0]);
    /* u = 1/2: (0, 0, 0.25 + 0.35355339, 0.5 + 0.35355339) = 1.0453850 (0, 0, 1/sqrt 3, sqrt 2/sqrt 3) */
    const float *q = sample(&one, COMPONENT_ROTATION, 1);
    ASSERT_NUMBERS(q + 2, 2e-7, 0.57735027f, 0.81649658f);

    /* No sign is flipped: the curve goes the long way, as glTF has it. (0, 0, -0.35355339, 0.14644661) normalised. */
    memcpy(keys[2], zero, sizeof zero);
    keys[4][2] = keys[4][3] = -0.70710678f;
    builder_keys(one.scene, one.channel, COMPONENT_ROTATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, keys[0]);
    q = sample(&one, COMPONENT_ROTATION, 1);
    ASSERT_NUMBERS(q + 2, 2e-7, -0.92387953f, 0.38268343f);
}

TEST(test_rotation_extrapolation)
{
    ONE one = one_channel();
    /* 0, 60 and 150 degrees, the last written on the other side */
    const float turns[] = {0, 0, 0, 1, 0, 0, 0.5f, 0.8660254f, 0, 0, -0.9659258f, -0.25881905f};
    builder_keys(one.scene, one.channel, COMPONENT_ROTATION, INTERPOLATE_LINEAR, 3, (double[]){1, 2, 3}, turns);
    one.channel->before = one.channel->after = EXTRAPOLATE_LINEAR;
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 0), -60);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, -2.5), -210);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 4), 240);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 3.5), 195);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 3 + 40.1), 150 + 90 * 40.1);
    one.channel->before = one.channel->after = EXTRAPOLATE_REPEAT;
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 0), 60);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 3.5), 30);
    one.channel->before = one.channel->after = EXTRAPOLATE_CONSTANT;
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 0), 0);
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 4), 150);
    float cubic[6][4] = {{0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0}, {0, 0, 0.70710678f, 0.70710678f}, {0}};
    builder_keys(one.scene, one.channel, COMPONENT_ROTATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, cubic[0]);
    one.channel->after = EXTRAPOLATE_LINEAR; /* through the two outermost values whatever their tangents */
    assert_turn_z(sample(&one, COMPONENT_ROTATION, 3), 135);
}

TEST(test_missing_components_are_the_rest)
{
    ONE one = one_channel(), other = one_channel();
    x_keys(&one, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, (float[]){0, 1});
    sample(&one, COMPONENT_TRANSLATION, 0.5);
    const struct transform *local = one.pose.local;
    assert_memory_equal(local->translation, ((float[]){0.5f, 0, 0}), 12);
    assert_memory_equal(local->rotation, rest.rotation, 16);
    assert_memory_equal(local->scale, rest.scale, 12);
    mat4 expected;
    affine_from_transform(local, expected);
    assert_memory_equal(one.pose.local_to_parent[0], expected, sizeof expected);
    /* Nor is the place zero where only the scale has keys. */
    builder_keys(other.scene, other.channel, COMPONENT_SCALE, INTERPOLATE_LINEAR, 1, (double[]){0}, (float[]){5, 6, 7});
    sample(&other, COMPONENT_SCALE, 0.5);
    assert_memory_equal(other.pose.local->translation, rest.translation, 12);
    assert_memory_equal(other.pose.local->rotation, rest.rotation, 16);
    assert_memory_equal(other.pose.local->scale, ((float[]){5, 6, 7}), 12);
}

TEST(test_only_moved_nodes_are_written)
{
    SCENE *scene = builder_scene(7);
    struct clip *clip = builder_clip(scene, 1);
    scene->nodes[1].local_to_parent[1][0] = 0.25f; /* shear, which T R S cannot hold */
    const float values[] = {1, 2, 3, 4, 5, 6};
    builder_keys(scene, &clip->channels[2], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, values);
    builder_keys(scene, &clip->channels[5], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, (double[]){0, 1}, values);
    clip->channels[5].node = NO_INDEX;
    struct pose pose = pose_create(scene, scene->arena);
    struct tracks *tracks = tracks_create(scene, clip, scene->arena);
    memset(&pose.local[6], 0x55, sizeof pose.local[6]);
    tracks_sample(tracks, 1, &pose);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(memcmp(pose.local_to_parent[i], scene->nodes[i].local_to_parent, sizeof(mat4)) != 0, i == 2);
    assert_memory_equal(pose.local[2].translation, values + 3, 12);
    assert_int_equal(((unsigned char *)&pose.local[6])[5], 0x55);
}

TEST(test_empty_clips)
{
    SCENE *scene = builder_scene(3);
    struct clip *clip = builder_clip(scene, 1);
    struct pose pose = pose_create(scene, scene->arena);
    tracks_sample(tracks_create(scene, clip, scene->arena), 0.5, &pose);
    clip->channel_count = 0;
    tracks_sample(tracks_create(scene, clip, scene->arena), 0.5, &pose);
    for (int i = 0; i < 3; i++)
        assert_true(affine_is_identity(pose.local_to_parent[i], 0));
}

TEST(test_last_channel_of_a_node_counts)
{
    SCENE *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, 1);
    const double time = 0;
    const float one[3] = {1, 0, 0}, two[3] = {2, 0, 0};
    builder_keys(scene, &clip->channels[0], COMPONENT_TRANSLATION, INTERPOLATE_STEP, 1, &time, one);
    builder_keys(scene, &clip->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_STEP, 1, &time, two);
    clip->channels[1].node = 0;
    struct pose pose = pose_create(scene, scene->arena);
    tracks_sample(tracks_create(scene, clip, scene->arena), 0, &pose);
    assert_true(pose.local[0].translation[0] == 2);
}
