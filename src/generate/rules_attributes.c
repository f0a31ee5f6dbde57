/* Rules of vertex attributes and accessors. */
#include "data/vector.h"
#include "generate/rules.h"

static const double two_keys[] = {0, 1};

/* A skin of eight joints of which each vertex uses some, in both sets; the smallest weights come first. */
static void many_influences(struct rig *rig, const struct step *step)
{
    const uint32_t clip = rig_add_clip(rig, "move"), used = step->count;
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

static void unused_slots(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++) {
        struct rig_vertex *vertex = &rig->meshes[0].vertices[v];
        vertex->joints[2] = vertex->joints[0];
        vertex->weights[2] = vertex->weights[0];
        vertex->joints[0] = 0;
        vertex->weights[0] = 0;
    }
}

static void small_weights(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    for (uint32_t v = 0; v < rig->meshes[0].vertex_count; v++)
        for (uint32_t i = 0; i < 4; i++)
            rig->meshes[0].vertices[v].weights[i] = i == 3 ? 0.85 : 0.05;
}

/* Across the normal, of unit length to rounding: (-y, x, 0). */
static void tangents(struct rig *rig, __attribute__((unused)) const struct step *step)
{
    struct rig_mesh *mesh = &rig->meshes[0];
    mesh->has_tangents = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double *tangent = mesh->vertices[v].tangent;
        tangent[0] = -mesh->vertices[v].normals[0][1];
        tangent[1] = mesh->vertices[v].normals[0][0];
        quatd_normalise(tangent);
        tangent[3] = v % 2 ? -1 : 1;
    }
}

static void quantise(struct rig *rig, const struct step *step)
{
    rig_quantise(rig, ARM_BODY, (enum rig_number)step->value);
}

#define INFLUENCES(used) CALL(many_influences, .count = (used))

#define ACCESSORS "3.6.2 Accessors"
#define SPARSE "3.6.2.3 Sparse Accessors"
#define ATTRIBUTES "3.7.3.3 Skinned Mesh Attributes"
#define MESHES "3.7.2.1 Meshes, Overview"
#define PRIMITIVE "5.24 Mesh Primitive"
#define QUANTISED "KHR_mesh_quantization"
static const struct rule list[] = {
    {"attributes-joints-u8", "JOINTS_0 may be unsigned bytes", ATTRIBUTES, {ARM}},
    {"attributes-joints-u16", "JOINTS_0 may be unsigned shorts", ATTRIBUTES, {ARM, MESH(joint_number, RIG_U16)}},
    {"attributes-weights-u8", "WEIGHTS_0 may be normalised unsigned bytes: each is divided by 255", ATTRIBUTES,
     {ARM, MESH(weight_number, RIG_U8)}},
    {"attributes-weights-u16", "WEIGHTS_0 may be normalised unsigned shorts: each is divided by 65535", ATTRIBUTES,
     {ARM, MESH(weight_number, RIG_U16)}},
    {"attributes-four-influences", "all four influences of a vertex count, in any order of size", ATTRIBUTES,
     {INFLUENCES(4)}},
    {"attributes-five-influences", "a vertex may have more than four influences, in JOINTS_1 and WEIGHTS_1", ATTRIBUTES,
     {INFLUENCES(5)}},
    {"attributes-eight-influences", "a vertex may have eight influences", ATTRIBUTES, {INFLUENCES(8)}},
    {"attributes-eight-influences-u8", "eight influences may have weights of bytes", ATTRIBUTES,
     {INFLUENCES(8), MESH(weight_number, RIG_U8)}},
    {"attributes-unused-slots", "an influence of weight 0 does not end the list", ATTRIBUTES,
     {ARM, CALL(unused_slots)}},
    {"attributes-small-weights", "a weight of 0.05 counts", ATTRIBUTES, {INFLUENCES(4), CALL(small_weights)}},
    {"attributes-sparse", "a sparse accessor's values take the place of those of its buffer view", SPARSE,
     {ARM, MESH(is_sparse, true)}},
    {"attributes-sparse-alone", "a sparse accessor without a buffer view begins as zeros", SPARSE,
     {ARM, MESH(is_sparse_alone, true)}},
    {"attributes-interleaved", "attributes may be interleaved by bufferView.byteStride", "3.6.2.4 Data Alignment",
     {ARM, MESH(is_interleaved, true)}},
    {"attributes-offsets", "accessor.byteOffset counts from the beginning of the buffer view", ACCESSORS,
     {ARM, MESH(has_offsets, true)}},
    {"attributes-normals", "normals are turned by the inverse transpose of the node's matrix", MESHES,
     {ADD("base", RIG_NONE, 0, 0.2, 0.1), SCALE(0, 1, 4, 0.5), ADD("solid", 0, 0.1, 0.3, 0), TURN(1, 1, 2, 1, 5),
      SOLID(1, "solid"), CLIP("move"), MOVES(1, 2, 1, 3, 6)}},
    {"attributes-normals-skinned", "normals of a skinned mesh follow its joints, which may scale", MESHES,
     {ARM, KEYS(ARM_UPPER, RIG_SCALE, RIG_LINEAR, two_keys, 1, 1, 1, 0.4, 2, 1)}},
    {"attributes-mirrored-tangents", "a mirrored skin has the same vertices, whatever its tangents", MESHES,
     {ARM, SCALE(ARM_ROOT, -1, 1, 1), CALL(tangents)}},
    {"attributes-indices-u8", "indices may be unsigned bytes", PRIMITIVE, {ARM, MESH(index_number, RIG_U8)}},
    {"attributes-indices-u32", "indices may be unsigned ints", PRIMITIVE, {ARM, MESH(index_number, RIG_U32)}},
    {"attributes-positions-i16", "positions may be normalised shorts, which the inverse bind matrices scale", QUANTISED,
     {ARM, CALL(quantise, .value = RIG_I16)}},
    {"attributes-positions-i8", "positions may be normalised bytes", QUANTISED, {ARM, CALL(quantise, .value = RIG_I8)}},
    {"attributes-targets-i16-sparse", "displacements of targets may be normalised shorts in a sparse accessor alone",
     QUANTISED,
     {ARM, TARGETS(2, false), CALL(quantise, .value = RIG_I16), MESH(has_sparse_targets, true),
      KEYS(ARM_BODY, RIG_WEIGHTS, RIG_LINEAR, two_keys, 0, 1, 0.75, 0.25)}},
    {"attributes-no-indices", "a primitive without indices has its triangles in the order of the vertices", PRIMITIVE,
     {ARM, MESH(index_count, 0)}},
};
const struct rule_group rules_of_attributes = {list, sizeof list / sizeof list[0]};
