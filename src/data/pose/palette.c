#include "data/pose/palette.h"

#include <string.h>

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
        skinned[i].instance = i;
        skinned[i].vertex_count = vertices;
        skinned[i].positions = ARENA_NEW(arena, vec3, vertices);
        skinned[i].normals = ARENA_NEW(arena, vec3, vertices);
    }
    return skinned;
}
