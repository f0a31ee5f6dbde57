#pragma once

#include <stddef.h>

#include "generate/rig.h"

/* A step of the description of a rig. The macros below are rows of them; other functions may stand in `apply` too. */
struct step {
    void (*apply)(struct rig *rig, const struct step *step);
    int32_t at; /* a node, or what the function counts */
    double v[4];
    const char *text;
    size_t offset, size; /* of a member that becomes `value` */
    int32_t value;
    enum rig_path path;
    enum rig_curve curve;
    uint32_t count; /* of keys, times, joints, places */
    const double *times, *values;
};

#define DECLARE(name) void apply_##name(struct rig *rig, const struct step *step);
DECLARE(arm) DECLARE(still_arm) DECLARE(node) DECLARE(place) DECLARE(turn) DECLARE(scale) DECLARE(name)
DECLARE(solid) DECLARE(skin) DECLARE(tube) DECLARE(targets) DECLARE(clip) DECLARE(motion) DECLARE(keys)
DECLARE(times) DECLARE(rig_member) DECLARE(node_member) DECLARE(mesh_member) DECLARE(channel_member)
#undef DECLARE

#define NUMBERS(...) \
    .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double), .values = (const double[]){__VA_ARGS__}
#define MEMBER_SIZE(type, member) /* no larger than `value`, or it does not compile */ \
    (sizeof(((type *)0)->member) * sizeof(char[sizeof(((type *)0)->member) <= sizeof(int32_t) ? 1 : -1]))
#define MEMBER(type, member, to) \
    .offset = offsetof(type, member), .size = MEMBER_SIZE(type, member), .value = (to)

/* rig_add_arm() and rig_add_still_arm(). */
#define ARM {apply_arm}
#define STILL_ARM {apply_still_arm}

/* A node below a parent; its translation, rotation, scale and name; a tetrahedron that hangs on it. */
#define ADD(name, parent, ...) {apply_node, parent, {__VA_ARGS__}, .text = (name)}
#define AT(node, ...) {apply_place, node, {__VA_ARGS__}}
#define TURN(node, ...) {apply_turn, node, {__VA_ARGS__}}
#define SCALE(node, ...) {apply_scale, node, {__VA_ARGS__}}
#define NAME(node, name) {apply_name, node, .text = (name)}
#define SOLID(node, name) {apply_solid, node, .text = (name)}

/* A skin of those joints, bound as they stand; a tube around the last skin; targets of the first mesh. */
#define SKIN(...) {apply_skin, NUMBERS(__VA_ARGS__)}
#define TUBE(name) {apply_tube, .text = (name)}
#define TARGETS(count, has_normals) {apply_targets, count, .value = (has_normals)}

/* A clip, which is shown from then on; a turn there and back in it; a channel in it; the times that show the rule. */
#define CLIP(name) {apply_clip, .text = (name)}
#define MOVES(node, ...) {apply_motion, node, {__VA_ARGS__}}
#define KEYS(node, path_, curve_, keys, ...) \
    {apply_keys, node, .path = (path_), .curve = (curve_), .count = sizeof(keys) / sizeof(double), .times = (keys), \
     .values = (const double[]){__VA_ARGS__}}
#define TIMES(...) {apply_times, NUMBERS(__VA_ARGS__)}

/* A member of the rig, of a node, the first mesh, the last channel: a bool or a number of 32 bits. */
#define RIG(member, value) {apply_rig_member, MEMBER(struct rig, member, value)}
#define NODE(node, member, value) {apply_node_member, node, MEMBER(struct rig_node, member, value)}
#define MESH(member, value) {apply_mesh_member, MEMBER(struct rig_mesh, member, value)}
#define CHANNEL(member, value) {apply_channel_member, MEMBER(struct rig_channel, member, value)}
