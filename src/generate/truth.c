#include "generate/truth.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

/* Appendix C.4 without trigonometry: the arc between two unit quaternions is halved until what is left is rounding. */
static void slerp(const double from[4], const double to[4], double share, double out[4])
{
    double high[4], middle[4], dot = 0;
    for (int i = 0; i < 4; i++)
        dot += from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        out[i] = from[i];
        high[i] = dot < 0 ? -to[i] : to[i];
    }
    for (double step = 0.5; step > 1e-17; step /= 2) {
        for (int i = 0; i < 4; i++)
            middle[i] = out[i] + high[i];
        quatd_normalise(middle);
        memcpy(share >= step ? out : high, middle, sizeof middle);
        share -= share >= step ? step : 0;
    }
}

/* Appendix C.5: tangents are multiplied by the time between the keys. */
static double spline(const double *key, const double *next, uint32_t width, double duration, double u)
{
    const double value = key[width], out_tangent = key[2 * width], in_tangent = next[0], end = next[width];
    const double square = u * u, cube = square * u;
    return (2 * cube - 3 * square + 1) * value + duration * (cube - 2 * square + u) * out_tangent +
           (-2 * cube + 3 * square) * end + duration * (cube - square) * in_tangent;
}

static void normalised(const double *from, double out[4])
{
    memcpy(out, from, 4 * sizeof *out);
    quatd_normalise(out);
}

static void sample(const struct rig_channel *c, double time, double *out)
{
    const uint32_t width = c->width;
    const size_t stride = (size_t)width * (c->curve == RIG_CUBIC ? 3 : 1), value = c->curve == RIG_CUBIC ? width : 0;
    uint32_t k = 0;
    while (k + 1 < c->key_count && time >= c->times[k + 1])
        k++;
    const double *key = c->values + k * stride, *next = key + stride;
    if (time <= c->times[0] || k + 1 == c->key_count || c->curve == RIG_STEP) {
        memcpy(out, key + value, width * sizeof *out);
    } else {
        const double duration = c->times[k + 1] - c->times[k], u = (time - c->times[k]) / duration;
        double from[4], to[4];
        if (c->path == RIG_ROTATION && c->curve == RIG_LINEAR) {
            normalised(key, from);
            normalised(next, to);
            slerp(from, to, u, out);
        }
        for (uint32_t i = 0; i < width; i++)
            if (c->curve == RIG_CUBIC)
                out[i] = spline(key + i, next + i, width, duration, u);
            else if (c->path != RIG_ROTATION)
                out[i] = key[i] * (1 - u) + next[i] * u;
    }
    if (c->path == RIG_ROTATION)
        quatd_normalise(out);
}

/* Nodes and weights as they are at the time: a copy of the rig whose arrays are its own. */
static struct rig posed(const struct rig *rig, int32_t clip, double time)
{
    struct rig pose = *rig;
    pose.nodes = ARENA_NEW(rig->arena, struct rig_node, rig->node_count);
    memcpy(pose.nodes, rig->nodes, rig->node_count * sizeof *pose.nodes);
    for (uint32_t i = 0; i < rig->node_count; i++) {
        struct rig_node *node = &pose.nodes[i];
        if (node->mesh >= 0 && node->weight_count == 0)
            memcpy(node->weights, rig->meshes[node->mesh].weights, sizeof node->weights);
    }
    for (uint32_t i = 0; i < rig->channel_count; i++) {
        const struct rig_channel *channel = &rig->channels[i];
        if ((int32_t)channel->clip != clip || channel->node < 0)
            continue;
        struct rig_node *node = &pose.nodes[channel->node];
        double *const parts[] = {node->translation, node->rotation, node->scale, node->weights};
        sample(channel, time, parts[channel->path]);
    }
    return pose;
}

/* Normals are multiplied by the inverse transpose, whose direction the cofactors have without a division. */
static void turn_normal(const struct affine_d *m, double normal[3])
{
    double cofactors[3][3], turned[3] = {0};
    for (int i = 0; i < 3; i++) {
        vec3d_cross(m->column[(i + 1) % 3], m->column[(i + 2) % 3], cofactors[i]);
        for (int k = 0; k < 3; k++)
            turned[k] += cofactors[i][k] * normal[i];
    }
    const double length = vec3d_length(turned), sign = vec3d_dot(cofactors[0], m->column[0]) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? sign * turned[i] / length : 0;
}

/* 3.7.2.2: targets are added before the skin. */
static void skin_vertex(const struct rig_mesh *mesh, const struct rig_node *node, const struct rig_vertex *vertex,
                        const struct affine_d *palette, vec3 position_out, vec3 normal_out)
{
    double position[3], normal[3];
    struct affine_d m = mesh->sets > 0 && node->skin >= 0 ? (struct affine_d){{{0}}} : palette[0];
    for (uint32_t i = 0; i < 3; i++) {
        position[i] = vertex->positions[0][i];
        normal[i] = vertex->normals[0][i];
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            position[i] += node->weights[t] * vertex->positions[1 + t][i];
            normal[i] += mesh->has_target_normals ? node->weights[t] * vertex->normals[1 + t][i] : 0;
        }
    }
    for (uint32_t i = 0; node->skin >= 0 && i < 4 * mesh->sets; i++)
        for (int k = 0; k < 12 && vertex->weights[i] > 0; k++)
            m.column[k / 3][k % 3] += vertex->weights[i] * palette[vertex->joints[i]].column[k / 3][k % 3];
    affine_d_point(&m, position, position);
    turn_normal(&m, normal);
    for (int i = 0; i < 3; i++) {
        position_out[i] = (float)position[i];
        normal_out[i] = (float)normal[i];
    }
}

struct making {
    const struct rig *rig; /* posed */
    const struct affine_d *globals;
    struct pose_snapshot *out;
    const char **names; /* [node_count] never NULL */
};

static void add_node(struct making *making, uint32_t index)
{
    const struct rig_node *node = &making->rig->nodes[index];
    struct pose_node_snapshot *out = &making->out->nodes[making->out->node_count++];
    double q[4];
    normalised(node->rotation, q);
    out->name = making->names[index];
    out->parent = node->parent >= 0 ? making->names[node->parent] : NULL;
    for (int i = 0; i < 3; i++) {
        out->local.translation[i] = (float)node->translation[i];
        out->local.scale[i] = (float)node->scale[i];
    }
    for (int i = 0; i < 4; i++)
        out->local.rotation[i] = (float)q[i];
    affine_d_to(&making->globals[index], out->node_to_scene);
    out->tells_index = true;
    out->parent_index = node->parent;
}

/* 3.7.3: a skinned mesh is where its joints are, whatever its own node does; a rigid one where its node is. */
static void add_mesh(struct making *making, uint32_t index)
{
    const struct rig *rig = making->rig;
    const struct rig_node *node = &rig->nodes[index];
    const struct rig_mesh *mesh = &rig->meshes[node->mesh];
    const struct rig_skin *skin = node->skin >= 0 ? &rig->skins[node->skin] : NULL;
    const uint32_t count = skin ? skin->joint_count : 1;
    struct affine_d *palette = ARENA_NEW(rig->arena, struct affine_d, count);
    for (uint32_t i = 0; i < count; i++) {
        palette[i] = making->globals[skin ? skin->joints[i] : index];
        if (skin && skin->inverse_bind)
            palette[i] = rig_multiply(&palette[i], &skin->inverse_bind[i]);
    }
    for (uint32_t bone = 0; bone < rig->node_count; bone++)
        for (uint32_t i = 0; i < count; i++)
            if (bone == (skin ? skin->joints[i] : index)) {
                struct palette_snapshot *entry = &making->out->palette[making->out->palette_count++];
                *entry = (struct palette_snapshot){.mesh = mesh->name, .bone = making->names[bone], .is_rigid = !skin};
                affine_d_to(&palette[i], entry->mesh_to_scene);
            }
    struct skin_snapshot *out = &making->out->skin[making->out->skin_count++];
    vec3 *points = ARENA_NEW(rig->arena, vec3, 2 * (size_t)mesh->vertex_count);
    vec3 *normals = points + mesh->vertex_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        skin_vertex(mesh, node, &mesh->vertices[v], palette, points[v], normals[v]);
    const struct skinned skinned = {.vertex_count = mesh->vertex_count, .positions = points, .normals = normals};
    *out = skin_summarise(&skinned);
    out->mesh = mesh->name;
    out->position_count = mesh->vertex_count;
    out->normal_count = mesh->has_normals ? mesh->vertex_count : 0;
    out->positions = (const vec3 *)points;
    out->normals = (const vec3 *)normals;
}

static bool is_shown(const struct rig *rig, uint32_t index)
{
    while (rig->nodes[index].parent >= 0)
        index = (uint32_t)rig->nodes[index].parent;
    return rig->nodes[index].scene == (rig->scene >= 0 ? rig->scene : 0);
}

struct pose_snapshot *truth_pose(const struct rig *rig, const char *model, int32_t clip, double time)
{
    const struct rig pose = posed(rig, clip, time);
    uint32_t entries = 0, *order = ARENA_NEW(rig->arena, uint32_t, rig->node_count);
    for (uint32_t i = 0; i < rig->node_count; i++)
        if (rig->nodes[i].mesh >= 0)
            entries += rig->nodes[i].skin >= 0 ? rig->skins[rig->nodes[i].skin].joint_count : 1;
    struct making making = {&pose, rig_globals(&pose), ARENA_NEW(rig->arena, struct pose_snapshot, 1),
                            ARENA_NEW(rig->arena, const char *, rig->node_count)};
    *making.out = (struct pose_snapshot){
        .model = model,
        .clip = clip >= 0 ? rig->clips[clip] : NULL,
        .time = time,
        .space = "scene",
        .nodes = ARENA_NEW(rig->arena, struct pose_node_snapshot, rig->node_count),
        .palette = ARENA_NEW(rig->arena, struct palette_snapshot, entries),
        .skin = ARENA_NEW(rig->arena, struct skin_snapshot, rig->node_count),
    };
    for (uint32_t i = 0; i < rig->node_count; i++)
        making.names[i] =
            rig->nodes[i].name ? rig->nodes[i].name : arena_printf(rig->arena, "node %u", rig->nodes[i].place);
    for (uint32_t i = 0; i < rig->node_count; i++)
        if (is_shown(rig, i)) {
            order[i] = making.out->node_count;
            add_node(&making, i);
            struct pose_node_snapshot *node = &making.out->nodes[order[i]];
            node->parent_index = node->parent_index >= 0 ? (int32_t)order[node->parent_index] : RIG_NONE;
            if (rig->nodes[i].mesh >= 0)
                add_mesh(&making, i);
        }
    return making.out;
}

void truth_write(const struct rig *rig, const char *model, struct text *out)
{
    text_add(out, "{\n\"format\": \"" TRUTH_FORMAT "\",\n\"poses\": [\n");
    for (uint32_t i = 0; i < rig->time_count; i++) {
        text_add(out, i > 0 ? ",\n" : "");
        pose_snapshot_write(truth_pose(rig, model, rig->shown_clip, rig->times[i]), out);
    }
    text_add(out, "]\n}\n");
}
