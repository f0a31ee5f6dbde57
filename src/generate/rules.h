#pragma once

#include <stddef.h>

#include "generate/rig.h"

/*
 * A step of the description of a rig. The macros below are rows of them; a function does what no other rule needs.
 */
struct step {
    enum {
        STEP_NONE, STEP_CALL, STEP_ARM, STEP_NODE, STEP_PLACE, STEP_TURN, STEP_SCALE, STEP_NAME, STEP_SOLID, STEP_SKIN,
        STEP_TUBE, STEP_TARGETS, STEP_CLIP, STEP_MOTION, STEP_KEYS, STEP_TIMES,
        STEP_OF_RIG, STEP_OF_NODE, STEP_OF_MESH, STEP_OF_SKIN, STEP_OF_CHANNEL
    } what;
    int32_t at; /* a node, or what the function counts */
    double v[4];
    const char *text;
    void (*call)(struct rig *rig, const struct step *step);
    size_t offset, size; /* of a member that becomes `value` */
    int32_t value;
    enum rig_path path;
    enum rig_curve curve;
    uint32_t count; /* of keys, times, joints, places */
    const double *times, *values;
};

#define NUMBERS(...) \
    .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double), .values = (const double[]){__VA_ARGS__}
#define MEMBER_SIZE(type, member) /* no larger than `value`, or it does not compile */ \
    (sizeof(((type *)0)->member) * sizeof(char[sizeof(((type *)0)->member) <= sizeof(int32_t) ? 1 : -1]))
#define MEMBER(type, member, to) \
    .offset = offsetof(type, member), .size = MEMBER_SIZE(type, member), .value = (to)

/* rig_add_arm(), alone and with a clip that turns its second joint. */
#define STILL_ARM {STEP_ARM}
#define ARM STILL_ARM, CLIP("move"), MOVES(ARM_LOWER, 3, 1, 2, 4)
#define CALL(...) {STEP_CALL, .call = __VA_ARGS__}

/* A node below a parent; its translation, rotation, scale and name; a tetrahedron that hangs on it. */
#define ADD(name, parent, ...) {STEP_NODE, parent, {__VA_ARGS__}, .text = (name)}
#define AT(node, ...) {STEP_PLACE, node, {__VA_ARGS__}}
#define TURN(node, ...) {STEP_TURN, node, {__VA_ARGS__}}
#define SCALE(node, ...) {STEP_SCALE, node, {__VA_ARGS__}}
#define NAME(node, name) {STEP_NAME, node, .text = (name)}
#define SOLID(node, name) {STEP_SOLID, node, .text = (name)}

/* A skin of those joints, bound as they stand; a tube around the last skin; targets of the first mesh. */
#define SKIN(...) {STEP_SKIN, NUMBERS(__VA_ARGS__)}
#define TUBE(name) {STEP_TUBE, .text = (name)}
#define TARGETS(count, has_normals) {STEP_TARGETS, count, .value = (has_normals)}

/* A clip, which is shown from then on; a turn there and back in it; a channel in it; the times that show the rule. */
#define CLIP(name) {STEP_CLIP, .text = (name)}
#define MOVES(node, ...) {STEP_MOTION, node, {__VA_ARGS__}}
#define KEYS(node, path_, curve_, keys, ...) \
    {STEP_KEYS, node, .path = (path_), .curve = (curve_), .count = sizeof(keys) / sizeof(double), .times = (keys), \
     .values = (const double[]){__VA_ARGS__}}
#define TIMES(...) {STEP_TIMES, NUMBERS(__VA_ARGS__)}

/* A member of the rig, of a node, the first mesh, the first skin, the last channel: a bool or a number of 32 bits. */
#define RIG(member, value) {STEP_OF_RIG, MEMBER(struct rig, member, value)}
#define NODE(node, member, value) {STEP_OF_NODE, node, MEMBER(struct rig_node, member, value)}
#define MESH(member, value) {STEP_OF_MESH, MEMBER(struct rig_mesh, member, value)}
#define OF_SKIN(member, value) {STEP_OF_SKIN, MEMBER(struct rig_skin, member, value)}
#define CHANNEL(member, value) {STEP_OF_CHANNEL, MEMBER(struct rig_channel, member, value)}

enum { MOST_STEPS = 15 };

/* A sentence that a player of glTF must obey, its place in the specification (glTF 2.0), and the smallest rig that
 * shows it. */
struct rule {
    const char *name; /* "skins-two-on-one-mesh": group, "-", what it is about */
    const char *sentence;
    const char *place;
    struct step steps[MOST_STEPS]; /* of an empty rig; times are set where the usual ones do not show it */
};

/* Rules of one group; the order of the groups is that of all rules, and of the bits of enum rig_mix. */
struct rule_group {
    const struct rule *rules;
    uint32_t count;
};
enum { RULE_GROUPS = 6 };
extern const struct rule_group *const rule_groups[RULE_GROUPS], rules_of_nodes, rules_of_skins, rules_of_attributes,
    rules_of_samplers, rules_of_channels, rules_of_morphs;

uint32_t rule_count(void);
const struct rule *rule_at(uint32_t index);

/* NULL: there is none of that name. */
const struct rule *rule_find(const char *name);

/* The rule that a mistake of that id (docs/causes.md) breaks; NULL: none speaks of it. */
const struct rule *rule_of_cause(const char *cause);

/* The settled rig of a rule, in the arena. */
void rule_describe(const struct rule *rule, struct arena *arena, struct rig *out);
