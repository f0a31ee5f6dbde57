/* Rules of skins: inverse bind matrices, the order of joints, the node of a skinned mesh, several skins. */
#include "generate/rules.h"

static void no_inverse_bind(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    rig->skins[0].inverse_bind = NULL;
}

/* Inverse bind matrices that scale each joint's part by another factor along each axis. */
static void scaled_inverse_bind(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    for (uint32_t joint = 0; joint < 3; joint++)
        for (int i = 0; i < 12; i++)
            rig->skins[0].inverse_bind[joint].column[i / 3][i % 3] *= 0.7 + 0.2 * (i % 3) + 0.1 * joint;
}

static void sheared_inverse_bind(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    for (uint32_t i = 0; i < 3 * 4; i++) {
        double *column = rig->skins[0].inverse_bind[i / 4].column[i % 4];
        column[0] += 0.3 * column[1];
    }
}

static void moved_inverse_bind(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    for (int i = 0; i < 3; i++)
        rig->skins[1].inverse_bind[i].column[3][0] += 1;
}

/* The first skin's joints become others, bound as they stand. */
static void joints(struct rig *rig, const struct step *step)
{
    struct rig_skin *skin = &rig->skins[0];
    skin->joint_count = step->count;
    for (uint32_t i = 0; i < step->count; i++)
        skin->joints[i] = (uint32_t)step->values[i];
    rig_bind(rig, skin);
}

/* Joints of the arm's mesh become other ones; two influences of one joint become one. */
static void influences(struct rig *rig, const struct step *step)
{
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++) {
        struct rig_vertex *vertex = &rig->meshes[0].vertices[v];
        for (int i = 0; i < 2; i++)
            vertex->joints[i] = (uint32_t)step->values[vertex->joints[i]];
        if (vertex->joints[0] == vertex->joints[1]) {
            vertex->weights[0] += vertex->weights[1];
            vertex->joints[1] = 0;
            vertex->weights[1] = 0;
        }
    }
}

/* A chain of many joints that winds, whose last one moves; the tube's vertices need as many ids. */
static void many_joints(struct rig *rig, const struct step *step)
{
    rig_add_node(rig, "root", RIG_NONE, 0, 0, 0);
    for (uint32_t i = 0; i < step->count; i++) {
        const uint32_t column = i % 20;
        rig_add_node(rig, arena_printf(rig->arena, "joint %u", i), 0, column, 0.1 * (i / 20),
                     0.5 * (i / 20) + 0.02 * (column % 3));
        rig_turn(rig, i + 1, i % 3, 1, i % 2, 12);
    }
    rig_add_skin(rig, 1, step->count);
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    const uint32_t clip = rig_add_clip(rig, "move");
    rig_add_turn(rig, clip, step->count, 1, 3, 2, 5);
    rig_add_turn(rig, clip, step->count / 2, 2, 1, 1, 5);
}

#define JOINTS(...) CALL(joints, NUMBERS(__VA_ARGS__))
#define INFLUENCES(...) CALL(influences, NUMBERS(__VA_ARGS__))
#define MANY_JOINTS(many) CALL(many_joints, .count = (many))

/* The first mesh and a skin are a node's; the arm's body is none any more. */
#define WEARS(node, of) NODE(node, mesh, 0), NODE(node, skin, of)
#define NO_BODY NODE(ARM_BODY, mesh, RIG_NONE), NODE(ARM_BODY, skin, RIG_NONE)

#define SKINS "5.28 Skin"
#define OVERVIEW "3.7.3.1 Skins, Overview"
#define HIERARCHY "3.7.3.2 Joint Hierarchy"
#define ATTRIBUTES "3.7.3.3 Skinned Mesh Attributes"
static const struct rule list[] = {
    {"skins-no-inverse-binds", "inverse bind matrices that the file does not give are identities", SKINS,
     {ARM, CALL(no_inverse_bind)}},
    {"skins-scaled-inverse-binds", "an inverse bind matrix is any affine matrix: it may scale", OVERVIEW,
     {ARM, CALL(scaled_inverse_bind)}},
    {"skins-sheared-inverse-binds", "an inverse bind matrix is any affine matrix: it may shear", OVERVIEW,
     {ARM, CALL(sheared_inverse_bind)}},
    {"skins-rest-is-not-bind", "the rest pose of the nodes need not be the bind pose", OVERVIEW,
     {ARM, TURN(ARM_UPPER, -2, 3, 1, 6), AT(ARM_HAND, 0.4, 0.9, 0.2), TURN(ARM_HAND, 1, 1, 1, 4)}},
    {"skins-joint-order", "JOINTS_n count in skin.joints, whose order is its own", ATTRIBUTES,
     {ARM, JOINTS(ARM_HAND, ARM_UPPER, ARM_LOWER), INFLUENCES(1, 2, 0)}},
    {"skins-skeleton-root", "skin.skeleton names a common root and moves nothing", SKINS,
     {ARM, OF_SKIN(skeleton, ARM_ROOT)}},
    {"skins-skeleton-joint", "skin.skeleton may be a joint: what is above it counts all the same", SKINS,
     {ARM, OF_SKIN(skeleton, ARM_UPPER), TURN(ARM_ROOT, 3, 1, 0, 5)}},
    {"skins-mesh-node", "joints' globals, not the mesh node's, place the vertices", HIERARCHY,
     {ARM, AT(ARM_BODY, 1.5, 0, 0), TURN(ARM_BODY, 1, 2, 0, 4), SCALE(ARM_BODY, 2, 2, 2)}},
    {"skins-mesh-node-parent", "the parents of a skinned mesh's node do not place the vertices", HIERARCHY,
     {ARM, ADD("above", RIG_NONE, 1.5, 0.5, 0.5), TURN(5, 1, 2, 0, 4), SCALE(5, 2, 2, 2), NO_BODY,
      ADD("skinned", 5, 0, 0.5, 0), WEARS(6, 0)}},
    {"skins-mesh-node-moves", "an animated node of a skinned mesh moves no vertex", HIERARCHY,
     {ARM, MOVES(ARM_BODY, 1, 3, 0, 4)}},
    {"skins-mesh-below-joint", "a skinned mesh below a joint is not moved twice", HIERARCHY,
     {ARM, NO_BODY, ADD("skinned", ARM_LOWER, 0.1, 0.2, 0.3), WEARS(5, 0)}},
    {"skins-two-on-one-skeleton", "two skins may bind the same joints by other matrices", SKINS,
     {ARM, TURN(ARM_LOWER, 1, -2, 1, 6), SKIN(ARM_UPPER, ARM_LOWER, ARM_HAND), TUBE("coat")}},
    {"skins-one-mesh-two-skins", "a mesh may be shown by two nodes, each with another skin", HIERARCHY,
     {ARM, TURN(ARM_UPPER, 1, -2, 1, 6), AT(ARM_HAND, 0, 0.9, 0.6), SKIN(ARM_UPPER, ARM_LOWER, ARM_HAND),
      CALL(moved_inverse_bind), ADD("second", RIG_NONE, 0, 0, 0), WEARS(5, 1)}},
    {"skins-shared-joints", "a joint may be in several skins, each time at another place", SKINS,
     {ARM, SKIN(ARM_LOWER, ARM_HAND), TUBE("glove")}},
    {"skins-same-skin-twice", "two meshes may use one skin", SKINS, {ARM, TUBE("shirt")}},
    {"skins-mesh-twice", "two nodes may show one mesh with one skin", HIERARCHY,
     {ARM, ADD("second", RIG_NONE, 0.5, 0, 0), WEARS(5, 0)}},
    {"skins-mesh-is-joint", "the node of a skinned mesh may be a joint of its skin", HIERARCHY,
     {ARM, NO_BODY, WEARS(ARM_LOWER, 0)}},
    {"skins-one-joint", "a skin may have one joint, which is a root", SKINS,
     {ADD("bone", RIG_NONE, 0.3, 0.2, 0.1), TURN(0, 1, 2, 3, 9), SKIN(0), TUBE("body"), CLIP("move"),
      MOVES(0, 3, 1, 2, 4)}},
    {"skins-255-joints", "a skin may have 255 joints", SKINS, {MANY_JOINTS(255)}},
    {"skins-256-joints", "a skin may have 256 joints", SKINS, {MANY_JOINTS(256)}},
    {"skins-300-joints", "a skin may have 300 joints", SKINS, {MANY_JOINTS(300)}},
    {"skins-root-above", "an animated node above the joints moves them", HIERARCHY, {ARM, MOVES(ARM_ROOT, 2, 1, 0, 6)}},
    {"skins-scattered-joints", "nodes between two joints need not be joints, and move those below", HIERARCHY,
     {ARM, JOINTS(ARM_UPPER, ARM_HAND), INFLUENCES(0, 1, 1)}},
    {"skins-unused-joint", "a joint that holds no vertex still moves those below it", SKINS,
     {ARM, INFLUENCES(0, 2, 2)}},
};
const struct rule_group rules_of_skins = {list, sizeof list / sizeof list[0]};
