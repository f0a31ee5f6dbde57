#pragma once

/* Poses and clips by hand for tests of what puts clips together. Include "cmocka_setup.h" before. */

#include "data/scene/pose.h"
#include "scene_builder.h"

#define PI 3.14159265358979323846

/* `degrees` about axis 0 x, 1 y, 2 z. */
static inline void turn(int axis, double degrees, float out[4])
{
    out[0] = out[1] = out[2] = 0;
    out[axis] = (float)sin(degrees * PI / 360);
    out[3] = (float)cos(degrees * PI / 360);
}

static inline void set_node(struct pose *pose, uint32_t node, const struct transform *local)
{
    pose->local[node] = *local;
    affine_from_transform(local, pose->local_to_parent[node]);
}

static inline void set_turn(struct pose *pose, uint32_t node, int axis, double degrees)
{
    struct transform local = transform_identity;
    turn(axis, degrees, local.rotation);
    set_node(pose, node, &local);
}

/* One quaternion or the other side of it. */
static inline void is_rotation(const float got[4], const float want[4], double limit)
{
    double dot = 0, worst = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)got[i] * want[i];
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs(got[i] - (dot < 0 ? -(double)want[i] : want[i])));
    if (!(worst <= limit))
        fail_msg("(%.9g %.9g %.9g %.9g) is not (%.9g %.9g %.9g %.9g)", (double)got[0], (double)got[1], (double)got[2],
                 (double)got[3], (double)want[0], (double)want[1], (double)want[2], (double)want[3]);
}

static inline void is_turn(const float got[4], int axis, double degrees)
{
    float want[4];
    turn(axis, degrees, want);
    is_rotation(got, want, 2e-7);
}

static inline void is_vector(const float got[3], double x, double y, double z)
{
    const double want[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)got[i] - want[i]) <= 1e-6))
            fail_msg("(%.9g %.9g %.9g) is not (%.9g %.9g %.9g)", (double)got[0], (double)got[1], (double)got[2], x, y, z);
}

/* Bit by bit, without the padding of a transform. */
static inline bool same_local(const struct pose *a, const struct pose *b, uint32_t node)
{
    const struct transform *x = &a->local[node], *y = &b->local[node];
    return memcmp(x->translation, y->translation, sizeof x->translation) == 0 &&
           memcmp(x->rotation, y->rotation, sizeof x->rotation) == 0 &&
           memcmp(x->scale, y->scale, sizeof x->scale) == 0 &&
           memcmp(a->local_to_parent[node], b->local_to_parent[node], sizeof(mat4)) == 0;
}

static inline void poses_equal(const struct pose *a, const struct pose *b)
{
    for (uint32_t n = 0; n < a->node_count; n++)
        if (!same_local(a, b, n))
            fail_msg("node %u differs", n);
}

static inline void random_pose(uint64_t *seed, struct pose *pose)
{
    for (uint32_t n = 0; n < pose->node_count; n++) {
        struct transform local = transform_identity;
        builder_random_rotation(seed, local.rotation);
        for (int i = 0; i < 3; i++) {
            local.translation[i] = (float)builder_random(seed, -5, 5);
            local.scale[i] = (float)builder_random(seed, 0.2, 3);
        }
        set_node(pose, n, &local);
    }
}

/* Another clip for a scene of builder_scene(): one channel per node, no keys; not among scene->clips. */
static inline struct clip *clip_beside(struct scene *scene, const char *name, double duration)
{
    struct clip *clip = builder_clip(scene, duration);
    clip->name = name;
    return clip;
}

/* From `from` to `to` along x, linear over the clip. */
static inline void clip_slides(struct scene *scene, struct clip *clip, uint32_t node, float from, float to)
{
    builder_keys(scene, &clip->channels[node], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2,
                 (double[]){0, clip->duration}, (float[]){from, 0, 0, to, 0, 0});
}

/* From 0 to `degrees` about an axis, linear over the clip. */
static inline void clip_turns(struct scene *scene, struct clip *clip, uint32_t node, int axis, double degrees)
{
    float values[8];
    turn(axis, 0, values);
    turn(axis, degrees, values + 4);
    builder_keys(scene, &clip->channels[node], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2,
                 (double[]){0, clip->duration}, values);
}
