#include <float.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/utf8.h"
#include "data/bounds.h"
#include "data/record/snapshot.h"

const char *const space_words[SPACE_WORDS] = {"scene", "root"};

/* As files have them. */
struct names {
    const char **nodes, **meshes;
};

static void gather_nodes(const struct pose_record *record, const struct names *names, struct pose_snapshot *out,
                         struct arena *arena)
{
    const struct pose_part *part = record->part;
    out->nodes = ARENA_NEW(arena, struct pose_node_snapshot, record->pose->node_count);
    for (uint32_t i = 0; i < record->pose->node_count; i++) {
        int32_t parent = record->scene->nodes[i].parent;
        if (!pose_part_has(part, i))
            continue;
        struct pose_node_snapshot *to = &out->nodes[out->node_count++];
        to->name = names->nodes[i];
        to->parent = parent == NO_INDEX ? NULL : names->nodes[parent];
        to->parent_index = parent;
        to->tells_index = part && part->indices && parent != NO_INDEX;
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

static void gather_morphs(const struct pose_record *record, const struct names *names, struct pose_snapshot *out,
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
        out->morphs[out->morph_count++] = (struct morph_weights_snapshot){names->meshes[instance->mesh],
                                                                          names->nodes[instance->node], count, weights};
    }
}

struct match_list pose_names(const struct pose_snapshot *pose, unsigned part, struct arena *arena)
{
    if (part == POSE_NODES)
        return MATCH_LIST(struct pose_node_snapshot, pose->nodes, pose->node_count, name, parent, arena);
    if (part == POSE_PALETTE)
        return MATCH_LIST(struct palette_snapshot, pose->palette, pose->palette_count, bone, mesh, arena);
    return MATCH_NAMES(pose->skin, pose->skin_count, arena);
}

struct matching pose_match(const struct pose_snapshot *golden, const struct pose_snapshot *actual, unsigned part,
                           struct arena *arena)
{
    const struct match_list was = pose_names(golden, part, arena), now = pose_names(actual, part, arena);
    return match_by_name(&was, &now, MATCH_PREFER_CONTEXT, arena);
}

struct skin_snapshot skin_summarise(const struct skinned *skinned)
{
    struct skin_snapshot out = {.vertices = skinned->vertex_count};
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
    const struct scene *scene = record->scene;
    const struct pose_part *part = record->part;
    const struct names names = {ARENA_NEW(arena, const char *, scene->node_count),
                                ARENA_NEW(arena, const char *, scene->mesh_count)};
    for (uint32_t i = 0; i < scene->node_count; i++)
        names.nodes[i] = utf8_fix(scene->nodes[i].name, arena);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        names.meshes[i] = utf8_fix(scene->meshes[i].name, arena);
    out->model = utf8_fix(path_base(scene->path), arena);
    out->clip = utf8_fix(record->clip, arena);
    out->time = record->time;
    out->space = space_words[record->space];
    out->left_out = part ? POSE_STAGES & ~part->stages : 0;
    gather_nodes(record, &names, out, arena);
    if (!(out->left_out & POSE_LOCAL) && !(part && part->nodes))
        gather_morphs(record, &names, out, arena);
    out->palette = ARENA_NEW(arena, struct palette_snapshot, record->palette->count);
    for (uint32_t i = 0; i < record->palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        if (!pose_part_has(part, binding->node))
            continue;
        struct palette_snapshot *to = &out->palette[out->palette_count++];
        to->mesh = names.meshes[scene->instances[binding->instance].mesh];
        to->bone = names.nodes[binding->node];
        to->node = binding->node;
        to->is_rigid = scene->meshes[scene->instances[binding->instance].mesh].bone_count == 0;
        memcpy(to->mesh_to_scene, record->palette->mesh_to_scene[i], sizeof(mat4));
    }
    out->skin_count = out->left_out & POSE_SKIN ? 0 : scene->instance_count;
    out->skin = ARENA_NEW(arena, struct skin_snapshot, out->skin_count);
    for (uint32_t i = 0; i < out->skin_count; i++) {
        const struct skinned *skinned = &record->skinned[i];
        struct skin_snapshot *skin = &out->skin[i];
        *skin = skin_summarise(skinned);
        skin->mesh = names.meshes[scene->instances[i].mesh];
        if (part && part->vertices) {
            skin->position_count = skin->normal_count = skinned->vertex_count;
            skin->positions = (const vec3 *)skinned->positions;
            skin->normals = (const vec3 *)skinned->normals;
        }
    }
    return out;
}

/* The box of no vertices is written as zeros, which are no place. */
int32_t snapshot_find_node(const struct pose_snapshot *pose, uint32_t guess, const char *name)
{
    for (uint32_t step = 0; step <= pose->node_count; step++) {
        const uint32_t i = step == 0 ? guess : step - 1;
        if (i < pose->node_count && strcmp(pose->nodes[i].name, name) == 0)
            return (int32_t)i;
    }
    return NO_INDEX;
}

int32_t snapshot_find_entry(const struct pose_snapshot *pose, uint32_t guess, const char *mesh, const char *bone)
{
    for (uint32_t step = 0; step <= pose->palette_count; step++) {
        const uint32_t i = step == 0 ? guess : step - 1;
        const struct palette_snapshot *entry = i < pose->palette_count ? &pose->palette[i] : NULL;
        if (entry && strcmp(entry->bone, bone) == 0 && (!entry->mesh || strcmp(entry->mesh, mesh) == 0))
            return (int32_t)i;
    }
    return NO_INDEX;
}

struct bounds pose_snapshot_bounds(const struct pose_snapshot *pose)
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
    return bounds;
}

float pose_snapshot_radius(const struct pose_snapshot *pose)
{
    struct bounds bounds = pose_snapshot_bounds(pose);
    const float radius = bounds_radius(&bounds);
    return radius > 0 ? fmaxf(fminf(radius, FLT_MAX), 1e-9f) : 1;
}

struct match_list palette_names(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list names = match_list_create(pose->palette_count, arena), bound = names;
    bound.keys = ARENA_NEW(arena, struct match_key, bound.count);
    for (uint32_t i = 0; i < names.count; i++) {
        names.keys[i].name = pose->palette[i].bone;
        bound.keys[i].name = pose->palette[i].is_rigid ? "" : pose->palette[i].bone;
    }
    const struct name_index index = name_index_create(&bound, arena);
    for (uint32_t i = 0; i < names.count; i++)
        if (pose->palette[i].is_rigid && name_find(&index, names.keys[i].name) != NO_INDEX)
            names.keys[i].name = "";
    return names;
}
