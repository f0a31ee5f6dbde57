#include <float.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/utf8.h"
#include "data/bounds.h"
#include "data/record/snapshot.h"

const char *const space_words[SPACE_WORDS] = {"scene", "root"};

static void gather_nodes(const struct pose_record *record, struct pose_snapshot *out, struct arena *arena)
{
    const struct pose_part *part = record->part;
    out->node_count = record->pose->node_count;
    out->nodes = ARENA_NEW(arena, struct pose_node_snapshot, out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++) {
        const struct node *node = &record->scene->nodes[i];
        struct pose_node_snapshot *to = &out->nodes[i];
        to->name = utf8_fix(node->name, arena);
        to->parent = node->parent == NO_INDEX ? NULL : out->nodes[node->parent].name;
        to->local = record->pose->local[i];
        memcpy(to->node_to_scene, record->pose->node_to_scene[i], sizeof(mat4));
        to->left_out = out->left_out;
        to->has_local_motion = part && part->local && part->stages & POSE_LOCAL;
        to->has_motion = part && part->global && part->stages & POSE_GLOBAL;
        if (to->has_local_motion)
            to->local_motion = part->local[i];
        if (to->has_motion)
            to->motion = part->global[i];
    }
}

/* Drops the nodes and palette entries that the part has not. */
static void keep_part(const struct pose_record *record, struct pose_snapshot *out)
{
    uint32_t nodes = 0, entries = 0;
    for (uint32_t i = 0; i < out->node_count; i++)
        if (pose_part_has(record->part, i))
            out->nodes[nodes++] = out->nodes[i];
    for (uint32_t i = 0; i < out->palette_count; i++)
        if (pose_part_has(record->part, record->scene->bindings[i].node))
            out->palette[entries++] = out->palette[i];
    out->node_count = nodes;
    out->palette_count = entries;
}

/* The name of each instance's mesh. */
static const char **mesh_names(const struct scene *scene, struct arena *arena)
{
    const char **meshes = ARENA_NEW(arena, const char *, scene->mesh_count);
    const char **names = ARENA_NEW(arena, const char *, scene->instance_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        meshes[i] = utf8_fix(scene->meshes[i].name, arena);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        names[i] = meshes[scene->instances[i].mesh];
    return names;
}

static void gather_morphs(const struct pose_record *record, const char *const *meshes, struct pose_snapshot *out,
                          struct arena *arena)
{
    const struct scene *scene = record->scene;
    out->morphs = ARENA_NEW(arena, struct morph_weights_snapshot, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count && record->pose->weight_count > 0; i++) {
        const struct instance *instance = &scene->instances[i];
        uint32_t count = scene->meshes[instance->mesh].target_count;
        float *weights = ARENA_NEW(arena, float, count);
        if (count == 0)
            continue;
        memcpy(weights, record->pose->morph_weights + instance->first_weight, count * sizeof *weights);
        out->morphs[out->morph_count++] =
            (struct morph_weights_snapshot){meshes[i], out->nodes[instance->node].name, count, weights};
    }
}

static void gather_palette(const struct pose_record *record, const char *const *meshes, struct pose_snapshot *out,
                           struct arena *arena)
{
    out->palette_count = record->palette->count;
    out->palette = ARENA_NEW(arena, struct palette_snapshot, out->palette_count);
    for (uint32_t i = 0; i < out->palette_count; i++) {
        const struct binding *binding = &record->scene->bindings[i];
        out->palette[i].mesh = meshes[binding->instance];
        out->palette[i].bone = out->nodes[binding->node].name;
        memcpy(out->palette[i].mesh_to_scene, record->palette->mesh_to_scene[i], sizeof(mat4));
    }
}

struct skin_summary skin_summarise(const struct skinned *skinned)
{
    struct skin_summary out = {0};
    double sum[3] = {0, 0, 0}; /* in vertex order: the mean of many floats must not depend on how it is summed */
    struct bounds bounds = bounds_empty();
    bounds_add_points(&bounds, skinned->positions, skinned->vertex_count);
    if (!bounds_is_empty(&bounds)) {
        memcpy(out.min, bounds.min, sizeof(vec3));
        memcpy(out.max, bounds.max, sizeof(vec3));
    }
    for (uint32_t v = 0; v < skinned->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            sum[k] += skinned->positions[v][k];
    for (int k = 0; k < 3 && skinned->vertex_count > 0; k++)
        out.centroid[k] = (float)(sum[k] / skinned->vertex_count);
    return out;
}

struct pose_snapshot *pose_snapshot_gather(const struct pose_record *record, struct arena *arena)
{
    struct pose_snapshot *out = ARENA_NEW(arena, struct pose_snapshot, 1);
    const struct pose_part *part = record->part;
    const char **meshes = mesh_names(record->scene, arena);
    out->model = utf8_fix(path_base(record->scene->path), arena);
    out->clip = utf8_fix(record->clip, arena);
    out->time = record->time;
    out->space = space_words[record->space];
    out->left_out = part ? POSE_STAGES & ~part->stages : 0;
    gather_nodes(record, out, arena);
    if (!(out->left_out & POSE_LOCAL) && !(part && part->nodes))
        gather_morphs(record, meshes, out, arena);
    gather_palette(record, meshes, out, arena);
    keep_part(record, out);
    out->skin_count = out->left_out & POSE_SKIN ? 0 : record->scene->instance_count;
    out->skin = ARENA_NEW(arena, struct skin_snapshot, out->skin_count);
    for (uint32_t i = 0; i < out->skin_count; i++) {
        const struct skinned *skinned = &record->skinned[i];
        struct skin_summary summary = skin_summarise(skinned);
        struct skin_snapshot *skin = &out->skin[i];
        skin->mesh = meshes[i];
        skin->vertices = skinned->vertex_count;
        memcpy(skin->min, summary.min, sizeof(vec3));
        memcpy(skin->max, summary.max, sizeof(vec3));
        memcpy(skin->centroid, summary.centroid, sizeof(vec3));
        if (part && part->vertices) {
            skin->position_count = skin->normal_count = skinned->vertex_count;
            skin->positions = (const vec3 *)skinned->positions;
            skin->normals = (const vec3 *)skinned->normals;
        }
    }
    return out;
}

/* The box of no vertices is written as zeros, which are no place. */
float pose_snapshot_radius(const struct pose_snapshot *pose)
{
    struct bounds bounds = bounds_empty();
    for (uint32_t i = 0; i < pose->skin_count; i++)
        if (pose->skin[i].vertices > 0) {
            bounds_add_points(&bounds, (const vec3 *)&pose->skin[i].min, 1);
            bounds_add_points(&bounds, (const vec3 *)&pose->skin[i].max, 1);
        }
    bool has_skin = !bounds_is_empty(&bounds);
    for (uint32_t i = 0; !has_skin && i < pose->node_count; i++)
        bounds_add_points(&bounds, (const vec3 *)&pose->nodes[i].node_to_scene[3], 1);
    return fmaxf(fminf(bounds_radius(&bounds), FLT_MAX), 1e-9f);
}
