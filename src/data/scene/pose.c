#include "data/scene/pose.h"

#include <string.h>

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
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        skinned[i] = (struct skinned){.instance = i,
                                      .vertex_count = mesh->vertex_count,
                                      .positions = ARENA_NEW(arena, vec3, mesh->vertex_count),
                                      .normals = ARENA_NEW(arena, vec3, mesh->vertex_count),
                                      .tangents = mesh->tangents ? ARENA_NEW(arena, vec4, mesh->vertex_count) : NULL};
    }
    return skinned;
}
