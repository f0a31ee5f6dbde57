/* Rules of nodes: transforms, the tree, scenes, names. */
#include "generate/rules.h"

/* The order of the nodes in the file. */
static void apply_places(struct rig *rig, const struct step *step)
{
    for (uint32_t i = 0; i < step->count; i++)
        rig->nodes[i].place = (uint32_t)step->values[i];
}

static void deep(struct rig *rig, const struct step *step)
{
    for (uint32_t i = 0; i < (uint32_t)step->count; i++) {
        rig_add_node(rig, arena_printf(rig->arena, "link %u", i), (int32_t)i - 1, 0.01, 0.05, 0.02 * (i % 3));
        rig_turn(rig, i, i % 5, 1, i % 2, 60);
    }
}

static void wide(struct rig *rig, const struct step *step)
{
    rig_add_node(rig, "stem", RIG_NONE, 0, 0.5, 0);
    for (uint32_t i = 1; i <= step->count; i++)
        rig_add_node(rig, arena_printf(rig->arena, "leaf %u", i), 0, 0.1 * i, 0.05 * (i % 7), 0.1 * (i % 3));
}

/* Rigid nodes with a solid at the tip, and a clip that turns the middle. */
#define CHAIN \
    ADD("base", RIG_NONE, 0.3, 0.2, -0.4), TURN(0, 2, -1, 3, 7), ADD("middle", 0, 0.1, 1, 0.2), \
        TURN(1, 1, 2, -2, 8), ADD("tip", 1, -0.2, 0.8, 0.3), SOLID(2, "solid"), CLIP("move"), MOVES(1, 1, -2, 3, 5)
#define PLACES(...) CALL(apply_places, NUMBERS(__VA_ARGS__))

#define TRANSFORMS "3.5.3 Transformations"
#define TREE "3.5.2 Nodes and Hierarchy"
static const struct rule list[] = {
    {"nodes-trs", "a node's local transform is translation x rotation x scale", TRANSFORMS,
     {CHAIN, SCALE(0, 1.2, 0.8, 1.5)}},
    {"nodes-matrix", "a node's matrix has 16 numbers column by column and is its local transform", TRANSFORMS,
     {CHAIN, SCALE(0, 1.2, 0.8, 1.5), NODE(0, is_matrix, true), NODE(2, is_matrix, true)}},
    {"nodes-rest-pose", "without an animation a node has the transform that the file gives it", TRANSFORMS,
     {STILL_ARM, TURN(ARM_LOWER, 3, 1, -2, 6), TIMES(0)}},
    {"nodes-children-first", "the order of nodes in the file says nothing of the tree: children may come first", TREE,
     {ARM, PLACES(4, 3, 2, 1, 0)}},
    {"nodes-mixed-order", "nodes of one chain may be anywhere in the file's list", TREE, {ARM, PLACES(3, 0, 4, 1, 2)}},
    {"nodes-forest", "a scene may have several roots", "3.5.1 Scenes",
     {CHAIN, ADD("other", RIG_NONE, -1, 0.5, 0.25), TURN(3, 1, 1, 0, 3), NODE(3, mesh, 0), MOVES(3, 2, 0, 1, 4)}},
    {"nodes-deep", "a chain may be 200 nodes deep", TREE,
     {CALL(deep, .count = 200), SOLID(199, "solid"), CLIP("move"), MOVES(100, 1, -2, 3, 9)}},
    {"nodes-wide", "a node may have 60 children", TREE,
     {CALL(wide, .count = 60), SOLID(47, "solid"), CLIP("move"), MOVES(0, 1, 2, 1, 6), MOVES(47, 2, -1, 1, 4)}},
    {"nodes-negative-scale", "a scale may be negative, which mirrors all below it", TRANSFORMS,
     {CHAIN, SCALE(0, -1, 1, 1)}},
    {"nodes-uneven-scale", "a scale that is not uniform shears turned children, so globals are products of matrices",
     TRANSFORMS, {CHAIN, SCALE(0, 1, 3, 0.5)}},
    {"nodes-uneven-scale-skinned", "joints below a scale that is not uniform are products of matrices too", TRANSFORMS,
     {ARM, SCALE(ARM_UPPER, 1, 2.5, 0.5)}},
    {"nodes-zero-scale", "a scale may be zero, which hides all below it", TRANSFORMS,
     {ARM, SCALE(ARM_HAND, 0, 0, 0), MESH(has_normals, false)}},
    {"nodes-small-scale", "a scale above the joints is part of their globals", TRANSFORMS,
     {ARM, SCALE(ARM_ROOT, 0.01, 0.01, 0.01)}},
    {"nodes-joint-with-mesh", "a joint may have a mesh of its own, which follows it", TREE,
     {ARM, SOLID(ARM_HAND, "solid")}},
    {"nodes-outside-scene", "nodes that no scene has are not shown", "3.5.1 Scenes",
     {CHAIN, ADD("unseen", RIG_NONE, 5, 5, 5), NODE(3, mesh, 0), NODE(3, scene, RIG_NONE)}},
    {"nodes-several-scenes", "the scene that is shown is the one the property `scene` names", "3.5.1 Scenes",
     {CHAIN, ADD("unseen", RIG_NONE, 5, 5, 5), NODE(3, mesh, 0), NODE(0, scene, 1), RIG(scene_count, 2),
      RIG(scene, 1)}},
    {"nodes-unnamed", "nodes need no name: joints and channels find them by index", "3.3 Indices and Names",
     {ARM, NAME(ARM_ROOT, NULL), NAME(ARM_UPPER, NULL), NAME(ARM_LOWER, NULL), NAME(ARM_HAND, NULL)}},
    {"nodes-same-names", "names need not be unique: joints and channels find nodes by index", "3.3 Indices and Names",
     {ARM, NAME(ARM_UPPER, "bone"), NAME(ARM_LOWER, "bone"), NAME(ARM_HAND, "bone")}},
    {"nodes-namesake-at-origin", "a node that gives no translation has none, whatever a node of its name has",
     TRANSFORMS,
     {ARM, ADD("lower", ARM_ROOT, 0, 0, 0), MOVES(5, 1, -2, 1, 4)}},
    {"nodes-any-names", "a name is any Unicode text", "3.3 Indices and Names",
     {ARM, NAME(ARM_UPPER, "Schlüsselbein 1"), NAME(ARM_LOWER, "\u9AA8.\u8155/\U0001F9B4"),
      NAME(ARM_HAND, "mixamorig:Hand[\u03B1]")}},
    {"nodes-instances", "a mesh that two nodes name is shown at both", TREE,
     {CHAIN, ADD("second", 1, 0.5, 0.1, -0.3), NODE(3, mesh, 0), TURN(3, 1, 3, 1, 2)}},
    {"nodes-turned-root", "a turn above the joints is part of their globals", TRANSFORMS,
     {ARM, TURN(ARM_ROOT, -1, 0, 0, 1), SCALE(ARM_ROOT, 0.5, 0.5, 0.5)}},
    {"nodes-matrix-above-joints", "a matrix above the joints is part of their globals", TRANSFORMS,
     {ARM, TURN(ARM_ROOT, -1, 0, 0, 1), SCALE(ARM_ROOT, 0.5, 0.5, 0.5), NODE(ARM_ROOT, is_matrix, true)}},
    {"nodes-mirrored-joint", "a joint may mirror all below it", TRANSFORMS, {ARM, SCALE(ARM_UPPER, 1, 1, -1)}},
};
const struct rule_group rules_of_nodes = {list, sizeof list / sizeof list[0]};
