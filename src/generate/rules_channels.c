/* Rules of animation channels, and of morph targets. */
#include <string.h>

#include "generate/rules.h"

static const double two_keys[] = {0, 1}, step_keys[] = {0, 0.5, 1}, early_keys[] = {0, 0.25, 1};

/* Default weights of two targets. */
static void mesh_weights(struct rig *rig, const struct step *step)
{
    memcpy(rig->meshes[0].weights, step->v, 2 * sizeof(double));
    rig->meshes[0].weight_count = 2;
}

static void node_weights(struct rig *rig, const struct step *step)
{
    memcpy(rig->nodes[step->at].weights, step->v, 2 * sizeof(double));
    rig->nodes[step->at].weight_count = 2;
}

/* An arm whose lower bone has a translation, rotation and scale of its own, and an empty clip. */
#define POSED_ARM STILL_ARM, TURN(ARM_LOWER, 1, -2, 3, 8), SCALE(ARM_LOWER, 1.25, 0.75, 1.5), CLIP("move")
#define SCALES KEYS(ARM_LOWER, RIG_SCALE, RIG_LINEAR, two_keys, 1.25, 0.75, 1.5, 0.5, 1, 2)
/* A translation from where the node rests. */
#define SLIDES(node, x, y, z) \
    KEYS(node, RIG_TRANSLATION, RIG_LINEAR, two_keys, x, y, z, (x) + 0.4, (y) - 0.3, (z) + 0.5)

/* A chain of which the middle is no joint. */
#define GAP \
    ADD("upper", RIG_NONE, 0.2, 0.1, 0), ADD("between", 0, 0.1, 0.5, 0.2), TURN(1, 2, -1, 1, 5), \
        ADD("lower", 1, 0, 0.5, 0.1), SKIN(0, 2), TUBE("body"), CLIP("move"), MOVES(2, 1, 2, 3, 6)

/* A mesh without bones and its targets. */
#define FACE(count, has_normals) \
    ADD("face", RIG_NONE, 0.1, 0.2, 0.3), SOLID(0, "face"), TARGETS(count, has_normals), CLIP("talk")
#define TALKS(node, curve, keys, ...) KEYS(node, RIG_WEIGHTS, curve, keys, __VA_ARGS__)

#define ANIMATIONS "3.11 Animations"
#define MORPHS "3.7.2.2 Morph Targets"
static const struct rule list[] = {
    {"channels-only-rotation", "a node whose rotation alone is animated keeps its translation and scale", ANIMATIONS,
     {POSED_ARM, MOVES(ARM_LOWER, 2, 1, 3, 6)}},
    {"channels-only-translation", "a node whose translation alone is animated keeps its rotation and scale", ANIMATIONS,
     {POSED_ARM, SLIDES(ARM_LOWER, 0.1, 1, 0)}},
    {"channels-only-scale", "a node whose scale alone is animated keeps its translation and rotation", ANIMATIONS,
     {POSED_ARM, SCALES}},
    {"channels-all-three", "animated translation, rotation and scale are multiplied in this order", ANIMATIONS,
     {POSED_ARM, SCALES, SLIDES(ARM_LOWER, 0.1, 1, 0), MOVES(ARM_LOWER, 2, 1, 3, 6)}},
    {"channels-only-root", "a clip may move no joint but the node above them", ANIMATIONS,
     {POSED_ARM, SLIDES(ARM_ROOT, 0.2, -0.1, 0.3), MOVES(ARM_ROOT, 1, 0, 2, 6)}},
    {"channels-no-target", "a channel without a target node is ignored, and the others play",
     "5.7 Animation Channel Target",
     {POSED_ARM, MOVES(ARM_LOWER, 2, 1, 3, 6),
      KEYS(RIG_NONE, RIG_TRANSLATION, RIG_LINEAR, two_keys, 5, 5, 5, 6, 6, 6)}},
    {"channels-still-joints", "joints without a channel keep their rest transform", ANIMATIONS,
     {POSED_ARM, MOVES(ARM_HAND, 2, 1, 3, 6)}},
    {"channels-no-joint-between", "a node between two joints that no channel and no skin names is part of the chain",
     ANIMATIONS, {GAP}},
    {"channels-moving-between", "a node between two joints that is no joint may be animated", ANIMATIONS,
     {GAP, MOVES(1, 3, -1, 2, 6)}},
    {"channels-rigid", "nodes of meshes without a skin may be animated", ANIMATIONS,
     {ADD("base", RIG_NONE, 0.2, 0.1, 0), ADD("solid", 0, 0.5, 0.6, 0.7), SOLID(1, "solid"),
      CLIP("move"), SLIDES(0, 0.2, 0.1, 0), MOVES(1, 1, 2, 3, 6)}},
};
const struct rule_group rules_of_channels = {list, sizeof list / sizeof list[0]};

static const struct rule morph_list[] = {
    {"morphs-positions", "a vertex is moved by the sum of weight x displacement of all targets", MORPHS,
     {FACE(2, false), TALKS(0, RIG_LINEAR, two_keys, 0, 1, 0.75, 0.25)}},
    {"morphs-normals", "targets may move normals", MORPHS,
     {FACE(2, true), TALKS(0, RIG_LINEAR, two_keys, 0, 1, 0.75, 0.25)}},
    {"morphs-before-skin", "targets are added before the skin", MORPHS,
     {ARM, TARGETS(2, true), TALKS(ARM_BODY, RIG_LINEAR, two_keys, 0.25, 0.5, 1, 0)}},
    {"morphs-mesh-weights", "weights that no channel moves are the mesh's", MORPHS,
     {ARM, TARGETS(2, false), CALL(mesh_weights, .v = {0.625, 0.25})}},
    {"morphs-node-weights", "weights of the node take the place of the mesh's", MORPHS,
     {ARM, TARGETS(2, false), CALL(mesh_weights, .v = {0.125, 0.25}),
      CALL(node_weights, .at = ARM_BODY, .v = {0.625, 0.25})}},
    {"morphs-two-nodes", "two nodes may morph one mesh differently", MORPHS,
     {FACE(2, false), ADD("second", RIG_NONE, 1.5, 0, 0), NODE(1, mesh, 0),
      TALKS(0, RIG_LINEAR, two_keys, 0, 1, 0.75, 0.25), TALKS(1, RIG_LINEAR, two_keys, 1, 0.5, 0, 0.125)}},
    {"morphs-six-targets", "a mesh may have more than four targets at once", MORPHS,
     {FACE(6, false), TALKS(0, RIG_LINEAR, two_keys, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 0.8, 0.6, 0.4, 0.2, 0.7)}},
    {"morphs-one-target", "a mesh may have one target", MORPHS,
     {FACE(1, false), TALKS(0, RIG_LINEAR, early_keys, 0, 1, 0.5)}},
    {"morphs-step", "weights of morph targets may be STEP", MORPHS,
     {FACE(2, false), TALKS(0, RIG_STEP, step_keys, 0, 1, 0.75, 0.25, 0.5, 0)}},
    {"morphs-cubic", "weights may be CUBICSPLINE: all in-tangents of a key, all values, all out-tangents", MORPHS,
     {FACE(2, false), TALKS(0, RIG_CUBIC, two_keys, 0, 0, 0.25, 0.5, 2, -1, -1, 2, 0.75, 0.125, 0, 0)}},
    {"morphs-sparse", "displacements of a target may be a sparse accessor without a buffer view",
     "3.6.2.3 Sparse Accessors",
     {FACE(2, false), MESH(has_sparse_targets, true), TALKS(0, RIG_LINEAR, two_keys, 0, 1, 0.75, 0.25)}},
    {"morphs-any-weight", "weights may be below 0 and beyond 1", MORPHS,
     {FACE(2, false), TALKS(0, RIG_LINEAR, two_keys, -0.5, 1.5, 1.75, -0.25)}},
};
const struct rule_group rules_of_morphs = {morph_list, sizeof morph_list / sizeof morph_list[0]};
