/* Rules of animation channels, and of morph targets. */
#include <string.h>

#include "generate/rules.h"

static const double two_keys[] = {0, 1};

/* An arm whose lower bone has a translation, rotation and scale of its own, and an empty clip. */
static void add_posed_arm(struct rig *rig)
{
    rig_add_still_arm(rig);
    rig_turn(rig, ARM_LOWER, 1, -2, 3, 8);
    rig_scale(rig, ARM_LOWER, 1.25, 0.75, 1.5);
    rig->shown_clip = 0;
    rig_add_clip(rig, "move");
}

static void move(struct rig *rig, uint32_t node)
{
    const double *t = rig->nodes[node].translation;
    rig_add_channel(rig, 0, (int32_t)node, RIG_TRANSLATION, RIG_LINEAR, 2, two_keys,
                    (const double[]){t[0], t[1], t[2], t[0] + 0.4, t[1] - 0.3, t[2] + 0.5}, 0);
}

static void only_rotation(struct rig *rig)
{
    add_posed_arm(rig);
    rig_add_turn(rig, 0, ARM_LOWER, 2, 1, 3, 6);
}

static void only_translation(struct rig *rig)
{
    add_posed_arm(rig);
    move(rig, ARM_LOWER);
}

static void only_scale(struct rig *rig)
{
    add_posed_arm(rig);
    rig_add_channel(rig, 0, ARM_LOWER, RIG_SCALE, RIG_LINEAR, 2, two_keys, (const double[]){1.25, 0.75, 1.5, 0.5, 1, 2},
                    0);
}

static void all_three(struct rig *rig)
{
    only_scale(rig);
    move(rig, ARM_LOWER);
    rig_add_turn(rig, 0, ARM_LOWER, 2, 1, 3, 6);
}

static void only_root(struct rig *rig)
{
    add_posed_arm(rig);
    move(rig, ARM_ROOT);
    rig_add_turn(rig, 0, ARM_ROOT, 1, 0, 2, 6);
}

static void no_target(struct rig *rig)
{
    only_rotation(rig);
    rig_add_channel(rig, 0, RIG_NONE, RIG_TRANSLATION, RIG_LINEAR, 2, two_keys, (const double[]){5, 5, 5, 6, 6, 6}, 0);
}

static void still_joints(struct rig *rig)
{
    add_posed_arm(rig);
    rig_add_turn(rig, 0, ARM_HAND, 2, 1, 3, 6);
}

static void no_joint_between(struct rig *rig)
{
    rig_add_node(rig, "upper", RIG_NONE, 0.2, 0.1, 0);
    rig_add_node(rig, "between", 0, 0.1, 0.5, 0.2);
    rig_turn(rig, 1, 2, -1, 1, 5);
    rig_add_node(rig, "lower", 1, 0, 0.5, 0.1);
    rig_add_skin(rig, 0, 2)->joints[1] = 2;
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    rig_add_turn(rig, rig_add_clip(rig, "move"), 2, 1, 2, 3, 6);
}

static void moving_between(struct rig *rig)
{
    no_joint_between(rig);
    rig_add_turn(rig, 0, 1, 3, -1, 2, 6);
}

static void rigid(struct rig *rig)
{
    rig_add_node(rig, "base", RIG_NONE, 0.2, 0.1, 0);
    rig_add_node(rig, "solid", 0, 0.5, 0.6, 0.7);
    rig->nodes[1].mesh = (int32_t)rig_add_solid(rig, "solid");
    rig_add_clip(rig, "move");
    move(rig, 0);
    rig_add_turn(rig, 0, 1, 1, 2, 3, 6);
}

/* A mesh without bones and `count` targets; the clip moves their weights by two keys where `curve` is linear. */
static void add_morphed_solid(struct rig *rig, uint32_t count, bool normals)
{
    const uint32_t node = rig_add_node(rig, "face", RIG_NONE, 0.1, 0.2, 0.3);
    rig->nodes[node].mesh = (int32_t)rig_add_solid(rig, "face");
    rig_add_targets(rig, 0, count, normals);
}

static void add_weights(struct rig *rig, int32_t node, enum rig_curve curve, uint32_t keys, const double *times,
                        const double *values)
{
    if (rig->clip_count == 0)
        rig_add_clip(rig, "talk");
    rig->shown_clip = 0;
    rig_add_channel(rig, 0, node, RIG_WEIGHTS, curve, keys, times, values,
                    rig->meshes[rig->nodes[node].mesh].target_count);
}

static void positions(struct rig *rig)
{
    add_morphed_solid(rig, 2, false);
    add_weights(rig, 0, RIG_LINEAR, 2, two_keys, (const double[]){0, 1, 0.75, 0.25});
}

static void morphed_normals(struct rig *rig)
{
    add_morphed_solid(rig, 2, true);
    add_weights(rig, 0, RIG_LINEAR, 2, two_keys, (const double[]){0, 1, 0.75, 0.25});
}

static void before_skin(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_targets(rig, 0, 2, true);
    add_weights(rig, ARM_BODY, RIG_LINEAR, 2, two_keys, (const double[]){0.25, 0.5, 1, 0});
}

static void set_weights(double *weights, uint32_t *count)
{
    weights[0] = 0.625;
    weights[1] = 0.25;
    *count = 2;
}

static void mesh_weights(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_targets(rig, 0, 2, false);
    set_weights(rig->meshes[0].weights, &rig->meshes[0].weight_count);
}

static void node_weights(struct rig *rig)
{
    mesh_weights(rig);
    rig->meshes[0].weights[0] = 0.125;
    set_weights(rig->nodes[ARM_BODY].weights, &rig->nodes[ARM_BODY].weight_count);
}

static void two_nodes(struct rig *rig)
{
    add_morphed_solid(rig, 2, false);
    const uint32_t second = rig_add_node(rig, "second", RIG_NONE, 1.5, 0, 0);
    rig->nodes[second].mesh = 0;
    add_weights(rig, 0, RIG_LINEAR, 2, two_keys, (const double[]){0, 1, 0.75, 0.25});
    add_weights(rig, (int32_t)second, RIG_LINEAR, 2, two_keys, (const double[]){1, 0.5, 0, 0.125});
}

static void six_targets(struct rig *rig)
{
    add_morphed_solid(rig, 6, false);
    add_weights(rig, 0, RIG_LINEAR, 2, two_keys,
                (const double[]){0, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 0.8, 0.6, 0.4, 0.2, 0.7});
}

static void step(struct rig *rig)
{
    add_morphed_solid(rig, 2, false);
    add_weights(rig, 0, RIG_STEP, 3, (const double[]){0, 0.5, 1}, (const double[]){0, 1, 0.75, 0.25, 0.5, 0});
}

static void cubic(struct rig *rig)
{
    add_morphed_solid(rig, 2, false);
    add_weights(rig, 0, RIG_CUBIC, 2, two_keys, (const double[]){0, 0, 0.25, 0.5, 2, -1, -1, 2, 0.75, 0.125, 0, 0});
}

static void any_weight(struct rig *rig)
{
    add_morphed_solid(rig, 2, false);
    add_weights(rig, 0, RIG_LINEAR, 2, two_keys, (const double[]){-0.5, 1.5, 1.75, -0.25});
}

static void one_target(struct rig *rig)
{
    add_morphed_solid(rig, 1, false);
    add_weights(rig, 0, RIG_LINEAR, 3, (const double[]){0, 0.25, 1}, (const double[]){0, 1, 0.5});
}

#define ANIMATIONS "3.11 Animations"
#define MORPHS "3.7.2.2 Morph Targets"
static const struct rule list[] = {
    {"channels-only-rotation", "a node whose rotation alone is animated keeps its translation and scale", ANIMATIONS,
     only_rotation},
    {"channels-only-translation", "a node whose translation alone is animated keeps its rotation and scale", ANIMATIONS,
     only_translation},
    {"channels-only-scale", "a node whose scale alone is animated keeps its translation and rotation", ANIMATIONS,
     only_scale},
    {"channels-all-three", "animated translation, rotation and scale are multiplied in this order", ANIMATIONS,
     all_three},
    {"channels-only-root", "a clip may move no joint but the node above them", ANIMATIONS, only_root},
    {"channels-no-target", "a channel without a target node is ignored, and the others play",
     "5.7 Animation Channel Target", no_target},
    {"channels-still-joints", "joints without a channel keep their rest transform", ANIMATIONS, still_joints},
    {"channels-no-joint-between", "a node between two joints that no channel and no skin names is part of the chain",
     ANIMATIONS, no_joint_between},
    {"channels-moving-between", "a node between two joints that is no joint may be animated", ANIMATIONS,
     moving_between},
    {"channels-rigid", "nodes of meshes without a skin may be animated", ANIMATIONS, rigid},
};
const struct rule_group rules_of_channels = {list, sizeof list / sizeof list[0]};

static const struct rule morph_list[] = {
    {"morphs-positions", "a vertex is moved by the sum of weight x displacement of all targets", MORPHS, positions},
    {"morphs-normals", "targets may move normals", MORPHS, morphed_normals},
    {"morphs-before-skin", "targets are added before the skin", MORPHS, before_skin},
    {"morphs-mesh-weights", "weights that no channel moves are the mesh's", MORPHS, mesh_weights},
    {"morphs-node-weights", "weights of the node take the place of the mesh's", MORPHS, node_weights},
    {"morphs-two-nodes", "two nodes may morph one mesh differently", MORPHS, two_nodes},
    {"morphs-six-targets", "a mesh may have more than four targets at once", MORPHS, six_targets},
    {"morphs-one-target", "a mesh may have one target", MORPHS, one_target},
    {"morphs-step", "weights of morph targets may be STEP", MORPHS, step},
    {"morphs-cubic", "weights may be CUBICSPLINE: all in-tangents of a key, all values, all out-tangents", MORPHS,
     cubic},
    {"morphs-any-weight", "weights may be below 0 and beyond 1", MORPHS, any_weight},
};
const struct rule_group rules_of_morphs = {morph_list, sizeof morph_list / sizeof morph_list[0]};
