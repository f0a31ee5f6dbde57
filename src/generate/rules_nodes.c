/* Rules of nodes: transforms, the tree, scenes, names. */
#include <string.h>

#include "generate/rules.h"

static void hang_solid(struct rig *rig, uint32_t node)
{
    rig->nodes[node].mesh = (int32_t)rig_add_solid(rig, "solid");
}

/* A chain of rigid nodes: base, middle, tip, with a solid at the tip and a clip that turns the middle. */
static void add_chain(struct rig *rig)
{
    rig_add_node(rig, "base", RIG_NONE, 0.3, 0.2, -0.4);
    rig_turn(rig, 0, 2, -1, 3, 7);
    rig_add_node(rig, "middle", 0, 0.1, 1, 0.2);
    rig_turn(rig, 1, 1, 2, -2, 8);
    rig_add_node(rig, "tip", 1, -0.2, 0.8, 0.3);
    hang_solid(rig, 2);
    rig_add_turn(rig, rig_add_clip(rig, "move"), 1, 1, -2, 3, 5);
}

static void trs(struct rig *rig)
{
    add_chain(rig);
    rig_scale(rig, 0, 1.2, 0.8, 1.5);
}

static void matrix(struct rig *rig)
{
    trs(rig);
    rig->nodes[0].is_matrix = rig->nodes[2].is_matrix = true;
}

static void rest(struct rig *rig)
{
    rig_add_still_arm(rig);
    rig_turn(rig, ARM_LOWER, 3, 1, -2, 6);
    rig_set_times(rig, 1, (const double[]){0});
}

static void children_first(struct rig *rig)
{
    rig_add_arm(rig);
    for (uint32_t i = 0; i < rig->node_count; i++)
        rig->nodes[i].place = rig->node_count - 1 - i;
}

static void mixed_order(struct rig *rig)
{
    static const uint32_t places[] = {3, 0, 4, 1, 2};
    rig_add_arm(rig);
    for (uint32_t i = 0; i < rig->node_count; i++)
        rig->nodes[i].place = places[i];
}

static void forest(struct rig *rig)
{
    add_chain(rig);
    const uint32_t other = rig_add_node(rig, "other", RIG_NONE, -1, 0.5, 0.25);
    rig_turn(rig, other, 1, 1, 0, 3);
    rig->nodes[other].mesh = rig->nodes[2].mesh;
    rig_add_turn(rig, 0, other, 2, 0, 1, 4);
}

static void deep(struct rig *rig)
{
    for (uint32_t i = 0; i < 200; i++) {
        rig_add_node(rig, "link", i > 0 ? (int32_t)i - 1 : RIG_NONE, 0.01, 0.05, 0.02 * (i % 3));
        rig_turn(rig, i, i % 5, 1, i % 2, 60);
    }
    hang_solid(rig, 199);
    rig_add_turn(rig, rig_add_clip(rig, "move"), 100, 1, -2, 3, 9);
}

static void wide(struct rig *rig)
{
    const uint32_t clip = rig_add_clip(rig, "move");
    rig_add_node(rig, "stem", RIG_NONE, 0, 0.5, 0);
    for (uint32_t i = 1; i <= 60; i++)
        rig_add_node(rig, "leaf", 0, 0.1 * i, 0.05 * (i % 7), 0.1 * (i % 3));
    hang_solid(rig, 47);
    rig_add_turn(rig, clip, 0, 1, 2, 1, 6);
    rig_add_turn(rig, clip, 47, 2, -1, 1, 4);
}

static void negative_scale(struct rig *rig)
{
    add_chain(rig);
    rig_scale(rig, 0, -1, 1, 1);
}

static void uneven_scale(struct rig *rig)
{
    add_chain(rig);
    rig_scale(rig, 0, 1, 3, 0.5);
}

static void skinned_uneven_scale(struct rig *rig)
{
    rig_add_still_arm(rig);
    rig_scale(rig, ARM_UPPER, 1, 2.5, 0.5);
    rig->shown_clip = 0;
    rig_add_turn(rig, rig_add_clip(rig, "move"), ARM_LOWER, 3, 1, 2, 4);
}

static void zero_scale(struct rig *rig)
{
    rig_add_arm(rig);
    rig_scale(rig, ARM_HAND, 0, 0, 0);
    rig->meshes[0].has_normals = false;
}

static void small_scale(struct rig *rig)
{
    rig_add_arm(rig);
    rig_scale(rig, ARM_ROOT, 0.01, 0.01, 0.01);
}

static void joint_with_mesh(struct rig *rig)
{
    rig_add_arm(rig);
    hang_solid(rig, ARM_HAND);
}

static void outside_scene(struct rig *rig)
{
    add_chain(rig);
    const uint32_t other = rig_add_node(rig, "unseen", RIG_NONE, 5, 5, 5);
    rig->nodes[other].mesh = rig->nodes[2].mesh;
    rig->nodes[other].scene = RIG_NONE;
}

static void several_scenes(struct rig *rig)
{
    outside_scene(rig);
    rig->nodes[3].scene = 0;
    rig->nodes[0].scene = 1;
    rig->scene_count = 2;
    rig->scene = 1;
}

static void unnamed(struct rig *rig)
{
    rig_add_arm(rig);
    for (uint32_t i = 0; i < ARM_BODY; i++)
        rig->nodes[i].name = NULL;
}

static void same_names(struct rig *rig)
{
    rig_add_arm(rig);
    rig->nodes[ARM_UPPER].name = rig->nodes[ARM_LOWER].name = rig->nodes[ARM_HAND].name = "bone";
}

static void other_scripts(struct rig *rig)
{
    rig_add_arm(rig);
    rig->nodes[ARM_UPPER].name = "Schlüsselbein 1";
    rig->nodes[ARM_LOWER].name = "\u9AA8.\u8155/\U0001F9B4";
    rig->nodes[ARM_HAND].name = "mixamorig:Hand[\u03B1]";
}

static void instances(struct rig *rig)
{
    add_chain(rig);
    const uint32_t second = rig_add_node(rig, "second", 1, 0.5, 0.1, -0.3);
    rig->nodes[second].mesh = rig->nodes[2].mesh;
    rig_turn(rig, second, 1, 3, 1, 2);
}

static void turned_root(struct rig *rig)
{
    rig_add_arm(rig);
    rig_turn(rig, ARM_ROOT, -1, 0, 0, 1);
    rig_scale(rig, ARM_ROOT, 0.5, 0.5, 0.5);
}

static void matrix_above_joints(struct rig *rig)
{
    turned_root(rig);
    rig->nodes[ARM_ROOT].is_matrix = true;
}

static void mirrored_joint(struct rig *rig)
{
    rig_add_still_arm(rig);
    rig_scale(rig, ARM_UPPER, 1, 1, -1);
    rig->shown_clip = 0;
    rig_add_turn(rig, rig_add_clip(rig, "move"), ARM_LOWER, 3, 1, 2, 4);
}

#define TRANSFORMS "3.5.3 Transformations"
#define TREE "3.5.2 Nodes and Hierarchy"
static const struct rule list[] = {
    {"nodes-trs", "a node's local transform is translation x rotation x scale", TRANSFORMS, trs},
    {"nodes-matrix", "a node's matrix has 16 numbers column by column and is its local transform", TRANSFORMS, matrix},
    {"nodes-rest-pose", "without an animation a node has the transform that the file gives it", TRANSFORMS, rest},
    {"nodes-children-first", "the order of nodes in the file says nothing of the tree: children may come first", TREE,
     children_first},
    {"nodes-mixed-order", "nodes of one chain may be anywhere in the file's list", TREE, mixed_order},
    {"nodes-forest", "a scene may have several roots", "3.5.1 Scenes", forest},
    {"nodes-deep", "a chain may be 200 nodes deep", TREE, deep},
    {"nodes-wide", "a node may have 60 children", TREE, wide},
    {"nodes-negative-scale", "a scale may be negative, which mirrors all below it", TRANSFORMS, negative_scale},
    {"nodes-uneven-scale", "a scale that is not uniform shears turned children, so globals are products of matrices",
     TRANSFORMS, uneven_scale},
    {"nodes-uneven-scale-skinned", "joints below a scale that is not uniform are products of matrices too", TRANSFORMS,
     skinned_uneven_scale},
    {"nodes-zero-scale", "a scale may be zero, which hides all below it", TRANSFORMS, zero_scale},
    {"nodes-small-scale", "a scale above the joints is part of their globals", TRANSFORMS, small_scale},
    {"nodes-joint-with-mesh", "a joint may have a mesh of its own, which follows it", TREE, joint_with_mesh},
    {"nodes-outside-scene", "nodes that no scene has are not shown", "3.5.1 Scenes", outside_scene},
    {"nodes-several-scenes", "the scene that is shown is the one the property `scene` names", "3.5.1 Scenes",
     several_scenes},
    {"nodes-unnamed", "nodes need no name: joints and channels find them by index", "3.3 Indices and Names", unnamed},
    {"nodes-same-names", "names need not be unique: joints and channels find nodes by index", "3.3 Indices and Names",
     same_names},
    {"nodes-any-names", "a name is any Unicode text", "3.3 Indices and Names", other_scripts},
    {"nodes-instances", "a mesh that two nodes name is shown at both", TREE, instances},
    {"nodes-turned-root", "a turn above the joints is part of their globals", TRANSFORMS, turned_root},
    {"nodes-matrix-above-joints", "a matrix above the joints is part of their globals", TRANSFORMS,
     matrix_above_joints},
    {"nodes-mirrored-joint", "a joint may mirror all below it", TRANSFORMS, mirrored_joint},
};
const struct rule_group rules_of_nodes = {list, sizeof list / sizeof list[0]};
