#include "data/pose/pose.h"

#include <string.h>

#include "data/pose/upload_format.h"

struct pose pose_create(const struct scene *scene, struct arena *arena)
{
    struct pose pose = {
        .node_count = scene->node_count,
        .local = ARENA_NEW(arena, struct transform, scene->node_count),
        .local_to_parent = ARENA_NEW(arena, mat4, scene->node_count),
        .node_to_scene = ARENA_NEW(arena, mat4, scene->node_count),
        .weight_count = scene->weight_count,
        .morph_weights = ARENA_NEW(arena, float, scene->weight_count),
    };
    pose_reset(&pose, scene);
    return pose;
}

struct pose pose_copy(const struct pose *pose, const struct scene *scene, struct arena *arena)
{
    struct pose copy = pose_create(scene, arena);
    memcpy(copy.local, pose->local, copy.node_count * sizeof *copy.local);
    memcpy(copy.local_to_parent, pose->local_to_parent, copy.node_count * sizeof *copy.local_to_parent);
    memcpy(copy.node_to_scene, pose->node_to_scene, copy.node_count * sizeof *copy.node_to_scene);
    memcpy(copy.morph_weights, pose->morph_weights, copy.weight_count * sizeof *copy.morph_weights);
    return copy;
}

void pose_reset(struct pose *pose, const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        pose->local[i] = scene->nodes[i].rest;
        memcpy(pose->local_to_parent[i], scene->nodes[i].local_to_parent, sizeof(mat4));
    }
    for (uint32_t i = 0; i < scene->instance_count && pose->weight_count > 0; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        for (uint32_t t = 0; t < mesh->target_count; t++)
            pose->morph_weights[instance->first_weight + t] =
                instance->weights ? instance->weights[t] : mesh->targets[t].default_weight;
    }
}

struct palette palette_create(const struct scene *scene, struct arena *arena)
{
    return (struct palette){
        .count = scene->binding_count,
        .mesh_to_scene = ARENA_NEW(arena, mat4, scene->binding_count),
        .weight_count = scene->weight_count,
        .morph_weights = ARENA_NEW(arena, float, scene->weight_count),
    };
}

struct palette palette_copy(const struct palette *palette, const struct scene *scene, struct arena *arena)
{
    struct palette copy = palette_create(scene, arena);
    memcpy(copy.mesh_to_scene, palette->mesh_to_scene, copy.count * sizeof *copy.mesh_to_scene);
    memcpy(copy.morph_weights, palette->morph_weights, copy.weight_count * sizeof *copy.morph_weights);
    return copy;
}

struct skinned *skinned_create(const struct scene *scene, struct arena *arena)
{
    struct skinned *skinned = ARENA_NEW(arena, struct skinned, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        uint32_t vertices = scene->meshes[scene->instances[i].mesh].vertex_count;
        skinned[i] =
            (struct skinned){i, vertices, ARENA_NEW(arena, vec3, vertices), ARENA_NEW(arena, vec3, vertices)};
    }
    return skinned;
}

const char *const palette_path_names[PALETTE_PATH_COUNT] = {
    [PALETTE_TBO] = "tbo", [PALETTE_UNIFORM] = "uniform", [PALETTE_UBO] = "ubo", [PALETTE_SSBO] = "ssbo"};
const char *const palette_format_names[PALETTE_FORMAT_COUNT] = {
    [PALETTE_MAT3X4] = "mat3x4", [PALETTE_MAT4] = "mat4", [PALETTE_TRS] = "trs"};
const char *const weight_format_names[WEIGHT_FORMAT_COUNT] = {[WEIGHTS_FLOAT] = "float", [WEIGHTS_UNORM8] = "unorm8"};
const char *const skinning_names[SKINNING_COUNT] = {
    [SKINNING_LINEAR] = "linear", [SKINNING_DUAL_QUATERNION] = "dual-quaternion"};

uint32_t palette_format_rows(enum palette_format format)
{
    return format == PALETTE_MAT3X4 ? 3 : format == PALETTE_MAT4 ? 4 : 2;
}

const char *upload_format_needs_similarity(const struct upload_format *upload_format)
{
    return upload_format->format == PALETTE_TRS ? "--palette-format trs" : NULL;
}
