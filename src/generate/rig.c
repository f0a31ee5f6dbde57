#include "generate/rig.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

void rig_begin(struct rig *rig, const char *name, struct arena *arena)
{
    *rig = (struct rig){.arena = arena, .name = name, .scene_count = 1, .scene = 0};
    /* keys and halves of turns: speed and the end are rules of their own */
    rig_set_times(rig, 4, (const double[]){0, 0.3, 0.6, 0.8});
}

uint32_t rig_add_node(struct rig *rig, const char *name, int32_t parent, double x, double y, double z)
{
    rig->nodes = arena_room(rig->arena, rig->nodes, rig->node_count, sizeof *rig->nodes);
    rig->nodes[rig->node_count] = (struct rig_node){
        .name = name,
        .parent = parent,
        .place = rig->node_count,
        .translation = {x, y, z},
        .rotation = {0, 0, 0, 1},
        .scale = {1, 1, 1},
        .mesh = RIG_NONE,
        .skin = RIG_NONE,
    };
    return rig->node_count++;
}

void rig_turn(struct rig *rig, uint32_t node, double x, double y, double z, double w)
{
    const double q[4] = {x, y, z, w};
    memcpy(rig->nodes[node].rotation, q, sizeof q);
    quatd_normalise(rig->nodes[node].rotation);
}

uint32_t rig_add_clip(struct rig *rig, const char *name)
{
    rig->clips = arena_room(rig->arena, rig->clips, rig->clip_count, sizeof *rig->clips);
    rig->clips[rig->clip_count] = name;
    return rig->clip_count++;
}

struct rig_channel *rig_add_channel(struct rig *rig, uint32_t clip, int32_t node, enum rig_path path,
                                    enum rig_curve curve, uint32_t key_count, const double *times, const double *values,
                                    uint32_t width)
{
    const uint32_t numbers = width > 0 ? width : path == RIG_ROTATION ? 4 : 3;
    const size_t count = (size_t)key_count * numbers * (curve == RIG_CUBIC ? 3 : 1);
    rig->channels = arena_room(rig->arena, rig->channels, rig->channel_count, sizeof *rig->channels);
    struct rig_channel *channel = &rig->channels[rig->channel_count++];
    *channel = (struct rig_channel){.clip = clip, .node = node, .path = path, .curve = curve, .key_count = key_count,
                                    .width = numbers, .times = ARENA_NEW(rig->arena, double, key_count),
                                    .values = ARENA_NEW(rig->arena, double, count)};
    memcpy(channel->times, times, key_count * sizeof *times);
    memcpy(channel->values, values, count * sizeof *values);
    for (size_t i = 0; path == RIG_ROTATION && curve != RIG_CUBIC && i < key_count; i++)
        quatd_normalise(channel->values + 4 * i);
    return channel;
}

void rig_add_turn(struct rig *rig, uint32_t clip, uint32_t node, double x, double y, double z, double w)
{
    double turn[4] = {x, y, z, w}, back[4] = {-x, -y, -z, 3 * w}, values[3][4];
    quatd_normalise(turn);
    quatd_normalise(back);
    memcpy(values[0], rig->nodes[node].rotation, sizeof values[0]);
    quatd_mul(values[0], turn, values[1]);
    quatd_mul(values[1], back, values[2]);
    rig_add_channel(rig, clip, (int32_t)node, RIG_ROTATION, RIG_LINEAR, 3, (const double[]){0, 0.6, 1}, values[0], 0);
}

struct rig_skin *rig_add_skin(struct rig *rig, uint32_t first_joint, uint32_t joint_count)
{
    rig->skins = arena_room(rig->arena, rig->skins, rig->skin_count, sizeof *rig->skins);
    struct rig_skin *skin = &rig->skins[rig->skin_count++];
    *skin = (struct rig_skin){"skin", joint_count, ARENA_NEW(rig->arena, uint32_t, joint_count), NULL, RIG_NONE};
    for (uint32_t i = 0; i < joint_count; i++)
        skin->joints[i] = first_joint + i;
    return skin;
}

void rig_bind(struct rig *rig, struct rig_skin *skin)
{
    const struct affine_d *globals = rig_globals(rig);
    skin->inverse_bind = ARENA_NEW(rig->arena, struct affine_d, skin->joint_count);
    for (uint32_t i = 0; i < skin->joint_count; i++)
        affine_d_inverse(&globals[skin->joints[i]], &skin->inverse_bind[i]);
}

static uint32_t add_mesh(struct rig *rig, const char *name, uint32_t vertex_count, uint32_t index_count)
{
    rig->meshes = arena_room(rig->arena, rig->meshes, rig->mesh_count, sizeof *rig->meshes);
    rig->meshes[rig->mesh_count] = (struct rig_mesh){
        .name = name,
        .vertex_count = vertex_count,
        .index_count = index_count,
        .vertices = ARENA_NEW(rig->arena, struct rig_vertex, vertex_count),
        .indices = ARENA_NEW(rig->arena, uint32_t, index_count),
        .joint_number = RIG_U8,
        .index_number = RIG_U16,
        .has_normals = true,
    };
    return rig->mesh_count++;
}

/* A corner of the ring around `center`: the three corners lie at no right angles, so that no mistake leaves the ring
 * as it is. */
static void set_corner(struct rig_vertex *vertex, const double center[3], uint32_t corner)
{
    static const double corners[3][3] = {{0.31, 0.05, 0.02}, {-0.17, -0.04, 0.23}, {-0.12, 0.03, -0.29}};
    for (int i = 0; i < 3; i++) {
        vertex->positions[0][i] = center[i] + corners[corner][i];
        vertex->normals[0][i] = corners[corner][i] / vec3d_length(corners[corner]);
    }
}

uint32_t rig_add_tube(struct rig *rig, const char *name, uint32_t skin_index, int32_t parent)
{
    const struct rig_skin *skin = &rig->skins[skin_index];
    const uint32_t rings = skin->joint_count + 1;
    const uint32_t mesh_index = add_mesh(rig, name, 3 * rings, 3 + 18 * (rings - 1));
    struct rig_mesh *mesh = &rig->meshes[mesh_index];
    const struct affine_d *globals = rig_globals(rig);
    for (uint32_t ring = 0; ring < rings; ring++) {
        const uint32_t joint = ring < skin->joint_count ? ring : ring - 1;
        double center[3];
        affine_d_point(&globals[skin->joints[joint]], (const double[3]){0, ring > joint ? 0.8 : 0, 0}, center);
        for (uint32_t corner = 0; corner < 3; corner++) {
            struct rig_vertex *vertex = &mesh->vertices[3 * ring + corner];
            set_corner(vertex, center, corner);
            vertex->joints[0] = joint;
            vertex->weights[0] = joint > 0 ? 0.625 + 0.0625 * corner : 1;
            vertex->joints[1] = joint > 0 ? joint - 1 : 0;
            vertex->weights[1] = 1 - vertex->weights[0];
        }
    }
    /* The end comes first, so that triangles use vertices in their order: Assimp 5.4 and later puts them into that. */
    for (uint32_t i = 0; i < 3; i++)
        mesh->indices[i] = i;
    for (uint32_t i = 0; i < 18 * (rings - 1); i++) { /* two triangles for each side of a ring */
        static const uint32_t corners[6][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
        const uint32_t ring = i / 18, side = i / 6 % 3;
        mesh->indices[3 + i] = 3 * (ring + corners[i % 6][0]) + (side + corners[i % 6][1]) % 3;
    }
    mesh->sets = 1;
    mesh->joint_number = skin->joint_count > 256 ? RIG_U16 : RIG_U8;
    const uint32_t node = rig_add_node(rig, name, parent, 0, 0, 0);
    rig->nodes[node].mesh = (int32_t)mesh_index;
    rig->nodes[node].skin = (int32_t)skin_index;
    return node;
}

uint32_t rig_add_solid(struct rig *rig, const char *name)
{
    static const uint32_t indices[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const uint32_t index = add_mesh(rig, name, 4, 12);
    struct rig_mesh *mesh = &rig->meshes[index];
    for (uint32_t i = 0; i < 3; i++)
        set_corner(&mesh->vertices[i], (const double[3]){0, 0, 0}, i);
    set_corner(&mesh->vertices[3], (const double[3]){0.1, 0.7, 0.2}, 2);
    memcpy(mesh->indices, indices, sizeof indices);
    return index;
}

void rig_add_targets(struct rig *rig, uint32_t mesh_index, uint32_t count, bool normals)
{
    struct rig_mesh *mesh = &rig->meshes[mesh_index];
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t t = 0; t < count; t++)
            for (uint32_t i = 0; i < 3; i++) {
                mesh->vertices[v].positions[1 + t][i] = ((v * 7 + t * 5 + i * 3) % 11 - 5.0) / 16;
                mesh->vertices[v].normals[1 + t][i] = ((v * 5 + t * 3 + i * 7) % 7 - 3.0) / 8;
            }
    mesh->target_count = count;
    mesh->has_target_normals = normals;
}

void rig_quantise(struct rig *rig, uint32_t node, enum rig_number number)
{
    struct rig_mesh *mesh = &rig->meshes[rig->nodes[node].mesh];
    const struct rig_skin *skin = &rig->skins[rig->nodes[node].skin];
    const uint32_t count = (1 + mesh->target_count) * mesh->vertex_count;
    double reach = 1; /* a power of two that no number of positions and displacements is beyond */
    for (uint32_t i = 0; i < 3 * count; i++)
        while (fabs(mesh->vertices[i / 3 % mesh->vertex_count].positions[i / 3 / mesh->vertex_count][i % 3]) > reach)
            reach *= 2;
    for (uint32_t i = 0; i < 3 * count; i++)
        mesh->vertices[i / 3 % mesh->vertex_count].positions[i / 3 / mesh->vertex_count][i % 3] /= reach;
    for (uint32_t i = 0; i < 9 * skin->joint_count; i++)
        skin->inverse_bind[i / 9].column[i / 3 % 3][i % 3] *= reach;
    mesh->position_number = number;
}

void rig_set_times(struct rig *rig, uint32_t count, const double *times)
{
    rig->time_count = count;
    memcpy(rig->times, times, count * sizeof *times);
}

void rig_add_arm(struct rig *rig)
{
    const uint32_t root = rig_add_node(rig, "root", RIG_NONE, 0.2, -0.1, 0.3);
    rig_turn(rig, root, 1, 0, 2, 12);
    const uint32_t upper = rig_add_node(rig, "upper", (int32_t)root, 0, 0.5, 0.1);
    rig_turn(rig, upper, 2, 1, -1, 9);
    const uint32_t lower = rig_add_node(rig, "lower", (int32_t)upper, 0.1, 1, 0);
    rig_turn(rig, lower, -1, 3, 2, 11);
    rig_add_node(rig, "hand", (int32_t)lower, 0, 0.9, 0.2);
    rig_add_skin(rig, upper, 3);
    rig_bind(rig, &rig->skins[0]);
    rig_add_tube(rig, "body", 0, RIG_NONE);
    rig->shown_clip = RIG_NONE;
}

static const double largest[RIG_NUMBERS] = {1, 127, 255, 32767, 65535, 4294967295.0};

double rig_stored(double value, enum rig_number number)
{
    /* volatile, because GCC 12 leaves the rounding out where it makes vectors of two doubles of it */
    const volatile float real = (float)value;
    return number == RIG_FLOAT ? (double)real : floor(value * largest[number] + 0.5);
}

static void round_all(double *values, size_t count, enum rig_number number)
{
    for (size_t i = 0; i < count; i++)
        values[i] = rig_stored(values[i], number) / largest[number];
}

/* The largest weight becomes what the others leave of 1. */
static void settle_weights(struct rig_vertex *vertex, enum rig_number number)
{
    double *weights = vertex->weights, *most = weights, rest = 1;
    round_all(weights, RIG_INFLUENCES, number);
    for (uint32_t i = 1; i < RIG_INFLUENCES; i++)
        most = weights[i] > *most ? &weights[i] : most;
    for (uint32_t i = 0; i < RIG_INFLUENCES; i++)
        rest -= &weights[i] == most ? 0 : weights[i];
    *most = rest;
    round_all(most, 1, number);
}

void rig_settle(struct rig *rig)
{
    for (uint32_t i = 0; i < rig->node_count; i++) {
        struct rig_node *node = &rig->nodes[i];
        round_all(node->translation, 3, RIG_FLOAT);
        round_all(node->rotation, 4, RIG_FLOAT);
        round_all(node->scale, 3, RIG_FLOAT);
        round_all(node->weights, RIG_TARGETS, RIG_FLOAT);
    }
    for (uint32_t i = 0; i < rig->skin_count; i++)
        if (rig->skins[i].inverse_bind)
            round_all(rig->skins[i].inverse_bind->column[0], 12 * (size_t)rig->skins[i].joint_count, RIG_FLOAT);
    for (uint32_t i = 0; i < rig->mesh_count; i++) {
        struct rig_mesh *mesh = &rig->meshes[i];
        round_all(mesh->weights, RIG_TARGETS, RIG_FLOAT);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            struct rig_vertex *vertex = &mesh->vertices[v];
            round_all(vertex->positions[0], 3 * (1 + RIG_TARGETS), mesh->position_number);
            round_all(vertex->normals[0], 3 * (1 + RIG_TARGETS), RIG_FLOAT);
            round_all(vertex->tangent, 4, RIG_FLOAT);
            if (mesh->sets > 0)
                settle_weights(vertex, mesh->weight_number);
        }
    }
    for (uint32_t i = 0; i < rig->channel_count; i++) {
        struct rig_channel *channel = &rig->channels[i];
        const size_t numbers = (size_t)channel->key_count * channel->width * (channel->curve == RIG_CUBIC ? 3 : 1);
        round_all(channel->times, channel->key_count, RIG_FLOAT);
        round_all(channel->values, numbers, channel->number);
    }
}

struct affine_d rig_local(const struct rig_node *node)
{
    const double *t = node->translation, *s = node->scale;
    double q[4];
    memcpy(q, node->rotation, sizeof q);
    quatd_normalise(q);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    struct affine_d m = {{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                          {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                          {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
                          {t[0], t[1], t[2]}}};
    for (int i = 0; i < 9; i++)
        m.column[i / 3][i % 3] *= s[i / 3];
    return m;
}

/* The origin's sum begins with a's, unlike affine_d_mul()'s: rounding is part of the bytes that a seed gives. */
struct affine_d rig_multiply(const struct affine_d *a, const struct affine_d *b)
{
    struct affine_d m;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            m.column[i][k] = (i == 3 ? a->column[3][k] : 0) + a->column[0][k] * b->column[i][0] +
                             a->column[1][k] * b->column[i][1] + a->column[2][k] * b->column[i][2];
    return m;
}

struct affine_d *rig_globals(const struct rig *rig)
{
    struct affine_d *globals = ARENA_NEW(rig->arena, struct affine_d, rig->node_count);
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const struct affine_d local = rig_local(&rig->nodes[i]);
        globals[i] = rig->nodes[i].parent >= 0 ? rig_multiply(&globals[rig->nodes[i].parent], &local) : local;
    }
    return globals;
}
