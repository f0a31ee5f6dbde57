/* Rules of skins: inverse bind matrices, the order of joints, the node of a skinned mesh, several skins. */
#include <string.h>

#include "generate/rules.h"

/* A skin over another one's joints, bound where the joints are now, on a tube of its own. */
static uint32_t add_second_tube(struct rig *rig, const char *name, int32_t parent)
{
    rig_add_skin(rig, ARM_UPPER, 3);
    rig_bind(rig, &rig->skins[rig->skin_count - 1]);
    return rig_add_tube(rig, name, rig->skin_count - 1, parent);
}

static void no_inverse_bind(struct rig *rig)
{
    rig_add_arm(rig);
    rig->skins[0].inverse_bind = NULL;
}

/* Inverse bind matrices that scale each joint's part by another factor along each axis. */
static void scaled_inverse_bind(struct rig *rig)
{
    rig_add_arm(rig);
    for (uint32_t joint = 0; joint < 3; joint++)
        for (int i = 0; i < 12; i++)
            rig->skins[0].inverse_bind[joint][i] *= 0.7 + 0.2 * (i / 4) + 0.1 * joint;
}

static void sheared_inverse_bind(struct rig *rig)
{
    rig_add_arm(rig);
    for (uint32_t joint = 0; joint < 3; joint++)
        for (int i = 0; i < 4; i++)
            rig->skins[0].inverse_bind[joint][i] += 0.3 * rig->skins[0].inverse_bind[joint][4 + i];
}

static void rest_is_not_bind(struct rig *rig)
{
    rig_add_arm(rig);
    rig_turn(rig, ARM_UPPER, -2, 3, 1, 6);
    rig->nodes[ARM_HAND].translation[0] = 0.4;
    rig_turn(rig, ARM_HAND, 1, 1, 1, 4);
}

static void joint_order(struct rig *rig)
{
    static const uint32_t joints[] = {ARM_HAND, ARM_UPPER, ARM_LOWER}, places[] = {1, 2, 0};
    rig_add_arm(rig);
    memcpy(rig->skins[0].joints, joints, sizeof joints);
    rig_bind(rig, &rig->skins[0]);
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++)
        for (int i = 0; i < 2; i++)
            rig->meshes[0].vertices[v].joints[i] = places[rig->meshes[0].vertices[v].joints[i]];
}

static void skeleton_of_root(struct rig *rig)
{
    rig_add_arm(rig);
    rig->skins[0].skeleton = ARM_ROOT;
}

static void skeleton_of_joint(struct rig *rig)
{
    rig_add_arm(rig);
    rig->skins[0].skeleton = ARM_UPPER;
    rig_turn(rig, ARM_ROOT, 3, 1, 0, 5);
}

static void move_node(struct rig *rig, uint32_t node)
{
    rig->nodes[node].translation[0] = 1.5;
    rig_turn(rig, node, 1, 2, 0, 4);
    rig_scale(rig, node, 2, 2, 2);
}

static void mesh_node(struct rig *rig)
{
    rig_add_arm(rig);
    move_node(rig, ARM_BODY);
}

static void mesh_node_parent(struct rig *rig)
{
    rig_add_arm(rig);
    const uint32_t above = rig_add_node(rig, "above", RIG_NONE, 0.5, 0.5, 0.5);
    move_node(rig, above);
    rig->nodes[ARM_BODY].mesh = rig->nodes[ARM_BODY].skin = RIG_NONE;
    const uint32_t body = rig_add_node(rig, "skinned", (int32_t)above, 0, 0.5, 0);
    rig->nodes[body].mesh = rig->nodes[body].skin = 0;
}

static void mesh_node_moves(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_turn(rig, 0, ARM_BODY, 1, 3, 0, 4);
}

static void mesh_below_joint(struct rig *rig)
{
    rig_add_still_arm(rig);
    rig->nodes[ARM_BODY].mesh = rig->nodes[ARM_BODY].skin = RIG_NONE;
    const uint32_t body = rig_add_node(rig, "skinned", ARM_LOWER, 0.1, 0.2, 0.3);
    rig->nodes[body].mesh = rig->nodes[body].skin = 0;
    rig->shown_clip = 0;
    rig_add_turn(rig, rig_add_clip(rig, "move"), ARM_LOWER, 3, 1, 2, 4);
}

static void two_skins(struct rig *rig)
{
    rig_add_arm(rig);
    rig_turn(rig, ARM_LOWER, 1, -2, 1, 6);
    add_second_tube(rig, "coat", RIG_NONE);
}

static void one_mesh_two_skins(struct rig *rig)
{
    rig_add_arm(rig);
    rig_turn(rig, ARM_UPPER, 1, -2, 1, 6);
    rig->nodes[ARM_HAND].translation[2] = 0.6;
    rig_add_skin(rig, ARM_UPPER, 3);
    rig_bind(rig, &rig->skins[1]);
    for (int i = 0; i < 3; i++)
        rig->skins[1].inverse_bind[i][3] += 1;
    const uint32_t second = rig_add_node(rig, "second", RIG_NONE, 0, 0, 0);
    rig->nodes[second].mesh = 0;
    rig->nodes[second].skin = 1;
}

static void shared_joints(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_skin(rig, ARM_LOWER, 2);
    rig_bind(rig, &rig->skins[1]);
    rig_add_tube(rig, "glove", 1, RIG_NONE);
}

static void same_skin_twice(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_tube(rig, "shirt", 0, RIG_NONE);
}

static void one_joint(struct rig *rig)
{
    rig_add_node(rig, "bone", RIG_NONE, 0.3, 0.2, 0.1);
    rig_turn(rig, 0, 1, 2, 3, 9);
    rig_add_skin(rig, 0, 1);
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    rig_add_turn(rig, rig_add_clip(rig, "move"), 0, 3, 1, 2, 4);
}

/* A chain of many joints that winds, whose last one moves; the tube's vertices need as many ids. */
static void many_joints(struct rig *rig, uint32_t count)
{
    rig_add_node(rig, "root", RIG_NONE, 0, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t column = i % 20;
        rig_add_node(rig, "joint", 0, column, 0.1 * (i / 20), 0.5 * (i / 20) + 0.02 * (column % 3));
        rig_turn(rig, i + 1, i % 3, 1, i % 2, 12);
    }
    rig_add_skin(rig, 1, count);
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    const uint32_t clip = rig_add_clip(rig, "move");
    rig_add_turn(rig, clip, count, 1, 3, 2, 5);
    rig_add_turn(rig, clip, count / 2, 2, 1, 1, 5);
}

static void joints_255(struct rig *rig)
{
    many_joints(rig, 255);
}

static void joints_256(struct rig *rig)
{
    many_joints(rig, 256);
}

static void joints_300(struct rig *rig)
{
    many_joints(rig, 300);
}

static void root_above(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_turn(rig, 0, ARM_ROOT, 2, 1, 0, 6);
}

/* Joints of the arm's mesh become other ones; two influences of one joint become one. */
static void move_influences(struct rig *rig, const uint32_t joints[3])
{
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++) {
        struct rig_vertex *vertex = &rig->meshes[0].vertices[v];
        for (int i = 0; i < 2; i++)
            vertex->joints[i] = joints[vertex->joints[i]];
        if (vertex->joints[0] == vertex->joints[1]) {
            vertex->weights[0] += vertex->weights[1];
            vertex->joints[1] = 0;
            vertex->weights[1] = 0;
        }
    }
}

/* Two joints whose nodes do not follow each other, with one between that is none. */
static void scattered(struct rig *rig)
{
    rig_add_still_arm(rig);
    struct rig_skin *skin = &rig->skins[0];
    skin->joint_count = 2;
    skin->joints[1] = ARM_HAND;
    rig_bind(rig, skin);
    move_influences(rig, (const uint32_t[]){0, 1, 1});
    rig->shown_clip = 0;
    rig_add_turn(rig, rig_add_clip(rig, "move"), ARM_LOWER, 3, 1, 2, 4);
}

static void unused_joint(struct rig *rig)
{
    rig_add_arm(rig);
    move_influences(rig, (const uint32_t[]){0, 2, 2});
}

#define SKINS "5.28 Skin"
#define OVERVIEW "3.7.3.1 Skins, Overview"
#define HIERARCHY "3.7.3.2 Joint Hierarchy"
#define ATTRIBUTES "3.7.3.3 Skinned Mesh Attributes"
static const struct rule list[] = {
    {"skins-no-inverse-binds", "inverse bind matrices that the file does not give are identities", SKINS,
     no_inverse_bind},
    {"skins-scaled-inverse-binds", "an inverse bind matrix is any affine matrix: it may scale", OVERVIEW,
     scaled_inverse_bind},
    {"skins-sheared-inverse-binds", "an inverse bind matrix is any affine matrix: it may shear", OVERVIEW,
     sheared_inverse_bind},
    {"skins-rest-is-not-bind", "the rest pose of the nodes need not be the bind pose", OVERVIEW, rest_is_not_bind},
    {"skins-joint-order", "JOINTS_n count in skin.joints, whose order is its own", ATTRIBUTES, joint_order},
    {"skins-skeleton-root", "skin.skeleton names a common root and moves nothing", SKINS, skeleton_of_root},
    {"skins-skeleton-joint", "skin.skeleton may be a joint: what is above it counts all the same", SKINS,
     skeleton_of_joint},
    {"skins-mesh-node", "joints' globals, not the mesh node's, place the vertices", HIERARCHY, mesh_node},
    {"skins-mesh-node-parent", "the parents of a skinned mesh's node do not place the vertices", HIERARCHY,
     mesh_node_parent},
    {"skins-mesh-node-moves", "an animated node of a skinned mesh moves no vertex", HIERARCHY, mesh_node_moves},
    {"skins-mesh-below-joint", "a skinned mesh below a joint is not moved twice", HIERARCHY, mesh_below_joint},
    {"skins-two-on-one-skeleton", "two skins may bind the same joints by other matrices", SKINS, two_skins},
    {"skins-one-mesh-two-skins", "a mesh may be shown by two nodes, each with another skin", HIERARCHY,
     one_mesh_two_skins},
    {"skins-shared-joints", "a joint may be in several skins, each time at another place", SKINS, shared_joints},
    {"skins-same-skin-twice", "two meshes may use one skin", SKINS, same_skin_twice},
    {"skins-one-joint", "a skin may have one joint, which is a root", SKINS, one_joint},
    {"skins-255-joints", "a skin may have 255 joints", SKINS, joints_255},
    {"skins-256-joints", "a skin may have 256 joints", SKINS, joints_256},
    {"skins-300-joints", "a skin may have 300 joints", SKINS, joints_300},
    {"skins-root-above", "an animated node above the joints moves them", HIERARCHY, root_above},
    {"skins-scattered-joints", "nodes between two joints need not be joints, and move those below", HIERARCHY,
     scattered},
    {"skins-unused-joint", "a joint that holds no vertex still moves those below it", SKINS, unused_joint},
};
const struct rule_group rules_of_skins = {list, sizeof list / sizeof list[0]};
