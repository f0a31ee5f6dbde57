/* Rules of vertex attributes and accessors. */
#include "generate/rules.h"

static void joints_u8(struct rig *rig)
{
    rig_add_arm(rig);
}

static void joints_u16(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].joint_number = RIG_U16;
}

static void weights_u8(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].weight_number = RIG_U8;
}

static void weights_u16(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].weight_number = RIG_U16;
}

/* A skin of eight joints of which each vertex uses `used`, in both sets; the smallest weights come first. */
static void many_influences(struct rig *rig, uint32_t used)
{
    const uint32_t clip = rig_add_clip(rig, "move");
    rig_add_node(rig, "root", RIG_NONE, 0.1, 0.2, 0.3);
    for (uint32_t i = 0; i < RIG_INFLUENCES; i++) {
        rig_add_node(rig, arena_printf(rig->arena, "joint %u", i), i < 2 ? 0 : (int32_t)i - 1, 0.3 * (i % 2), 0.4,
                     0.1 * (i % 3));
        rig_turn(rig, i + 1, i % 3, 1, i % 2, 9);
    }
    rig_add_skin(rig, 1, RIG_INFLUENCES);
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    rig->meshes[0].sets = used > 4 ? 2 : 1;
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++)
        for (uint32_t i = 0; i < RIG_INFLUENCES; i++) {
            rig->meshes[0].vertices[v].joints[i] = i < used ? (v + 3 * i) % RIG_INFLUENCES : 0;
            rig->meshes[0].vertices[v].weights[i] = i < used ? 2.0 * (i + 1) / (used * (used + 1)) : 0;
        }
    for (uint32_t i = 1; i <= RIG_INFLUENCES; i++)
        rig_add_turn(rig, clip, i, i % 3 + 1, i % 2, 1, 8);
}

static void four(struct rig *rig)
{
    many_influences(rig, 4);
}

static void five(struct rig *rig)
{
    many_influences(rig, 5);
}

static void eight(struct rig *rig)
{
    many_influences(rig, 8);
}

static void eight_u8(struct rig *rig)
{
    many_influences(rig, 8);
    rig->meshes[0].weight_number = RIG_U8;
}

static void unused_slots(struct rig *rig)
{
    rig_add_arm(rig);
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++) {
        struct rig_vertex *vertex = &rig->meshes[0].vertices[v];
        vertex->joints[2] = vertex->joints[0];
        vertex->weights[2] = vertex->weights[0];
        vertex->joints[0] = 0;
        vertex->weights[0] = 0;
    }
}

static void small_weights(struct rig *rig)
{
    many_influences(rig, 4);
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++)
        for (uint32_t i = 0; i < 4; i++)
            rig->meshes[0].vertices[v].weights[i] = i == 3 ? 0.85 : 0.05;
}

static void sparse(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].is_sparse = true;
}

static void sparse_alone(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].is_sparse_alone = true;
}

static void interleaved(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].is_interleaved = true;
}

static void offsets(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].has_offsets = true;
}

static void normals(struct rig *rig)
{
    rig_add_node(rig, "base", RIG_NONE, 0, 0.2, 0.1);
    rig_scale(rig, 0, 1, 4, 0.5);
    rig_add_node(rig, "solid", 0, 0.1, 0.3, 0);
    rig_turn(rig, 1, 1, 2, 1, 5);
    rig->nodes[1].mesh = (int32_t)rig_add_solid(rig, "solid");
    rig_add_turn(rig, rig_add_clip(rig, "move"), 1, 2, 1, 3, 6);
}

static void skinned_normals(struct rig *rig)
{
    rig_add_arm(rig);
    rig_add_channel(rig, 0, ARM_UPPER, RIG_SCALE, RIG_LINEAR, 2, (const double[]){0, 1},
                    (const double[]){1, 1, 1, 0.4, 2, 1}, 0);
}

static void tangents(struct rig *rig)
{
    rig_add_arm(rig);
    rig_scale(rig, ARM_ROOT, -1, 1, 1);
    struct rig_mesh *mesh = &rig->meshes[0];
    mesh->has_tangents = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) { /* across the normal, of unit length to rounding: (-y, x, 0) */
        struct rig_vertex *vertex = &mesh->vertices[v];
        double across[4] = {-vertex->normal[1], vertex->normal[0], 0, 0};
        quaternion_normalise(across);
        for (int i = 0; i < 3; i++)
            vertex->tangent[i] = across[i];
        vertex->tangent[3] = v % 2 ? -1 : 1;
    }
}

static void indices_u8(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].index_number = RIG_U8;
}

static void indices_u32(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].index_number = RIG_U32;
}

static void no_indices(struct rig *rig)
{
    rig_add_arm(rig);
    rig->meshes[0].index_count = 0;
}

#define ACCESSORS "3.6.2 Accessors"
#define ATTRIBUTES "3.7.3.3 Skinned Mesh Attributes"
#define MESHES "3.7.2.1 Meshes, Overview"
static const struct rule list[] = {
    {"attributes-joints-u8", "JOINTS_0 may be unsigned bytes", ATTRIBUTES, joints_u8},
    {"attributes-joints-u16", "JOINTS_0 may be unsigned shorts", ATTRIBUTES, joints_u16},
    {"attributes-weights-u8", "WEIGHTS_0 may be normalised unsigned bytes: each is divided by 255", ATTRIBUTES,
     weights_u8},
    {"attributes-weights-u16", "WEIGHTS_0 may be normalised unsigned shorts: each is divided by 65535", ATTRIBUTES,
     weights_u16},
    {"attributes-four-influences", "all four influences of a vertex count, in any order of size", ATTRIBUTES, four},
    {"attributes-five-influences", "a vertex may have more than four influences, in JOINTS_1 and WEIGHTS_1", ATTRIBUTES,
     five},
    {"attributes-eight-influences", "a vertex may have eight influences", ATTRIBUTES, eight},
    {"attributes-eight-influences-u8", "eight influences may have weights of bytes", ATTRIBUTES, eight_u8},
    {"attributes-unused-slots", "an influence of weight 0 does not end the list", ATTRIBUTES, unused_slots},
    {"attributes-small-weights", "a weight of 0.05 counts", ATTRIBUTES, small_weights},
    {"attributes-sparse", "a sparse accessor's values take the place of those of its buffer view",
     "3.6.2.3 Sparse Accessors", sparse},
    {"attributes-sparse-alone", "a sparse accessor without a buffer view begins as zeros", "3.6.2.3 Sparse Accessors",
     sparse_alone},
    {"attributes-interleaved", "attributes may be interleaved by bufferView.byteStride", "3.6.2.4 Data Alignment",
     interleaved},
    {"attributes-offsets", "accessor.byteOffset counts from the beginning of the buffer view", ACCESSORS, offsets},
    {"attributes-normals", "normals are turned by the inverse transpose of the node's matrix", MESHES, normals},
    {"attributes-normals-skinned", "normals of a skinned mesh follow its joints, which may scale", MESHES,
     skinned_normals},
    {"attributes-mirrored-tangents", "a mirrored skin has the same vertices, whatever its tangents", MESHES, tangents},
    {"attributes-indices-u8", "indices may be unsigned bytes", "5.24 Mesh Primitive", indices_u8},
    {"attributes-indices-u32", "indices may be unsigned ints", "5.24 Mesh Primitive", indices_u32},
    {"attributes-no-indices", "a primitive without indices has its triangles in the order of the vertices",
     "5.24 Mesh Primitive", no_indices},
};
const struct rule_group rules_of_attributes = {list, sizeof list / sizeof list[0]};
