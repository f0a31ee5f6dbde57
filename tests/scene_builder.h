#pragma once

#include "cmocka_setup.h"

#include "data/scene/scene.h"

/*
 * Scenes made by hand, for tests of the stages behind the import. Everything lies in the scene's arena; free it with
 * scene_free(). Numbers of things are given up front by the builder_... call that makes the array.
 */

static inline struct scene *builder_scene(uint32_t node_count)
{
    struct arena *arena = arena_create((size_t)1 << 32, NULL);
    if (!arena)
        abort();
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->path = "built by a test";
    scene->format = "none";
    scene->node_count = node_count;
    scene->nodes = ARENA_NEW(arena, struct node, node_count);
    for (uint32_t i = 0; i < node_count; i++) {
        scene->nodes[i].name = arena_printf(arena, "node%u", i);
        scene->nodes[i].parent = (int32_t)i - 1;
        scene->nodes[i].rest = transform_identity;
        affine_from_transform(&transform_identity, scene->nodes[i].local_to_parent);
    }
    return scene;
}

static inline void builder_rest(struct scene *scene, uint32_t node, struct transform rest)
{
    scene->nodes[node].rest = rest;
    affine_from_transform(&rest, scene->nodes[node].local_to_parent);
}

/* A clip of `duration` seconds with one channel per node, all without keys. */
static inline struct clip *builder_clip(struct scene *scene, double duration)
{
    struct clip *clip = ARENA_NEW(scene->arena, struct clip, 1);
    clip->name = "clip";
    clip->duration = duration;
    clip->ticks_per_second = 1;
    clip->channel_count = scene->node_count;
    clip->channels = ARENA_NEW(scene->arena, struct channel, scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        clip->channels[i].node = (int32_t)i;
        clip->channels[i].node_name = scene->nodes[i].name;
    }
    scene->clip_count = 1;
    scene->clips = clip;
    return clip;
}

/* Copies the keys of one component into a channel: values as struct keys has them (cubic: in, value, out). */
static inline void builder_keys(struct scene *scene, struct channel *channel, enum component component,
                                enum interpolation interpolation, uint32_t count, const double *times,
                                const float *values)
{
    size_t numbers = (size_t)count * component_width(component) * (interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    double *own_times = ARENA_NEW(scene->arena, double, count);
    float *own_values = ARENA_NEW(scene->arena, float, numbers);
    memcpy(own_times, times, count * sizeof *times);
    memcpy(own_values, values, numbers * sizeof *values);
    channel->keys[component] = (struct keys){count, own_times, own_values, interpolation};
}

/* One mesh with one instance on `node`, all positions and normals zero. bone_count 0: rigid. */
static inline struct mesh *builder_mesh(struct scene *scene, uint32_t node, uint32_t vertex_count, uint32_t bone_count)
{
    struct mesh *mesh = ARENA_NEW(scene->arena, struct mesh, 1);
    mesh->name = "mesh";
    mesh->vertex_count = vertex_count;
    mesh->positions = ARENA_NEW(scene->arena, vec3, vertex_count);
    mesh->normals = ARENA_NEW(scene->arena, vec3, vertex_count);
    mesh->bone_count = bone_count;
    mesh->bones = ARENA_NEW(scene->arena, struct bone, bone_count);
    for (uint32_t b = 0; b < bone_count; b++)
        affine_from_transform(&transform_identity, mesh->bones[b].mesh_to_bone);
    scene->mesh_count = 1;
    scene->meshes = mesh;
    scene_label_meshes(scene);
    scene->instance_count = 1;
    scene->instances = ARENA_NEW(scene->arena, struct instance, 1);
    scene->instances[0].node = node;
    return mesh;
}

/* Gives every vertex `per_vertex` influences: influences[vertex * per_vertex + i]. */
static inline void builder_influences(struct scene *scene, struct mesh *mesh, uint32_t per_vertex,
                                      const struct influence *influences)
{
    uint32_t total = mesh->vertex_count * per_vertex;
    mesh->influence_first = ARENA_NEW(scene->arena, uint32_t, mesh->vertex_count + 1u);
    for (uint32_t v = 0; v <= mesh->vertex_count; v++)
        mesh->influence_first[v] = v * per_vertex;
    mesh->influences = ARENA_NEW(scene->arena, struct influence, total);
    if (total > 0)
        memcpy(mesh->influences, influences, total * sizeof *influences);
}

/* A repeatable source of numbers (xorshift64*), the same on every machine. */
static inline double builder_random(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * ((double)((*state * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0);
}

static inline uint32_t builder_random_index(uint64_t *state, uint32_t count)
{
    return (uint32_t)builder_random(state, 0, count) % count;
}

static inline void builder_random_rotation(uint64_t *state, float out[4])
{
    double q[4], square = 0;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = builder_random(state, -1, 1);
            square += q[i] * q[i];
        }
    } while (square < 0.01 || square > 1);
    double length = __builtin_sqrt(square);
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] / length);
}
