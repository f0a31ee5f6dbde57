#pragma once

/*
 * A scene small enough to write every file form of it by hand. Names are chosen to need quoting. Nodes:
 *
 *     rig
 *       hip, left       t (0, 1, 0)
 *         tip "x"       t (0, 2, 0), half a turn about z
 *       prop            scale 2; carries the rigid mesh
 *
 * Mesh `body part`: a triangle on the bones `hip, left` and `tip "x"`, vertex 1 with both. Mesh `prop`: one triangle.
 */

#include "cmocka_setup.h"

#include "data/scene/pose.h"
#include "data/record/record.h"
#include "data/scene/scene.h"

static inline void tiny_nodes(struct scene *scene)
{
    static const struct node rest[] = {
        {.name = "rig", .parent = NO_INDEX, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "hip, left", .parent = 0, .rest = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "tip \"x\"", .parent = 1, .rest = {{0, 2, 0}, {0, 0, 1, 0}, {1, 1, 1}}},
        {.name = "prop", .parent = 0, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {2, 2, 2}}},
    };
    scene->node_count = 4;
    scene->nodes = ARENA_NEW(scene->arena, struct node, 4);
    memcpy(scene->nodes, rest, sizeof rest);
    for (int i = 0; i < 4; i++)
        affine_from_transform(&scene->nodes[i].rest, scene->nodes[i].local_to_parent);
}

static inline void tiny_surface(struct scene *scene, struct mesh *mesh, const char *name)
{
    static const vec3 positions[3] = {{0, 0, 0}, {1, 0.1f, 0}, {0, 1e-5f, -2}};
    mesh->name = name;
    mesh->vertex_count = 3;
    mesh->positions = ARENA_NEW(scene->arena, vec3, 3);
    mesh->normals = ARENA_NEW(scene->arena, vec3, 3);
    memcpy(mesh->positions, positions, sizeof positions);
    for (int v = 0; v < 3; v++)
        mesh->normals[v][1] = 1.0f;
    mesh->triangle_count = 1;
    mesh->indices = ARENA_NEW(scene->arena, uint32_t, 3);
    memcpy(mesh->indices, (uint32_t[]){0, 1, 2}, 3 * sizeof(uint32_t));
}

static inline void tiny_body(struct scene *scene, struct mesh *mesh)
{
    static const struct influence influences[] = {{0, 1.0f}, {1, 0.75f}, {0, 0.25f}, {1, 1.0f}};
    static const uint32_t first[] = {0, 1, 3, 4};
    static const vec2 uvs[] = {{0, 0}, {1, 0}, {0.5f, 0.25f}};
    tiny_surface(scene, mesh, "body part");
    mesh->uvs = ARENA_NEW(scene->arena, vec2, 3);
    memcpy(mesh->uvs, uvs, sizeof uvs);
    mesh->bone_count = 2;
    mesh->bones = ARENA_NEW(scene->arena, struct bone, 2);
    mesh->bones[0].node = 1;
    mesh->bones[1].node = 2;
    affine_from_rows((float[]){1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0}, mesh->bones[0].mesh_to_bone);
    affine_from_rows((float[]){1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1, 0}, mesh->bones[1].mesh_to_bone);
    mesh->influence_first = ARENA_NEW(scene->arena, uint32_t, 4);
    memcpy(mesh->influence_first, first, sizeof first);
    mesh->influences = ARENA_NEW(scene->arena, struct influence, 4);
    memcpy(mesh->influences, influences, sizeof influences);
}

static inline void tiny_clip(struct scene *scene)
{
    static const double times[] = {0, 0.5};
    static const float values[] = {0, 1, 0, 0, 3, 0};
    scene->clip_count = 1;
    scene->clips = ARENA_NEW(scene->arena, struct clip, 1);
    scene->clips[0].name = "rig|walk";
    scene->clips[0].duration = 0.5;
    scene->clips[0].ticks_per_second = 24;
    scene->clips[0].channel_count = 1;
    scene->clips[0].channels = ARENA_NEW(scene->arena, struct channel, 1);
    scene->clips[0].channels[0].node_name = "hip, left";
    scene->clips[0].channels[0].node = 1;
    scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION] = (struct keys){2, times, values, INTERPOLATE_LINEAR};
}

static inline struct scene *tiny_scene(void)
{
    struct arena *arena = arena_require((size_t)4 << 20);
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    *scene = (struct scene){.arena = arena, .path = "some/folder/tiny.glb", .format = "glb", .assimp_version = "5.2.4",
                            .up_axis = 1, .up_sign = 1};
    tiny_nodes(scene);
    scene->mesh_count = 2;
    scene->meshes = ARENA_NEW(arena, struct mesh, 2);
    tiny_body(scene, &scene->meshes[0]);
    tiny_surface(scene, &scene->meshes[1], "prop");
    scene_label_meshes(scene);
    scene->material_count = 1;
    scene->materials = ARENA_NEW(arena, struct material, 1);
    scene->materials[0] =
        (struct material){.name = "clay", .base_color = {0.5f, 0.25f, 1, 1}, .base_texture = NO_INDEX};
    scene->instance_count = 2;
    scene->instances = ARENA_NEW(arena, struct instance, 2);
    scene->instances[0].node = 0;
    scene->instances[1] = (struct instance){.mesh = 1, .node = 3};
    tiny_clip(scene);
    scene_bind(scene);
    return scene;
}

/* The scene at rest: what animate, palette and skin would make of it, and its record. All in the scene's arena. */
struct tiny_pose {
    struct pose pose;
    struct palette palette;
    struct skinned *skinned;
    struct pose_record record;
};

static inline struct tiny_pose *tiny_pose(const struct scene *scene, const char *clip)
{
    struct tiny_pose *tiny = ARENA_NEW(scene->arena, struct tiny_pose, 1);
    tiny->pose = pose_create(scene, scene->arena);
    tiny->palette = palette_create(scene, scene->arena);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        int32_t parent = scene->nodes[i].parent;
        affine_mul(parent == NO_INDEX ? mat4_identity : tiny->pose.node_to_scene[parent], tiny->pose.local_to_parent[i],
                   tiny->pose.node_to_scene[i]);
    }
    for (uint32_t i = 0; i < scene->binding_count; i++)
        affine_mul(tiny->pose.node_to_scene[scene->bindings[i].node], scene->bindings[i].mesh_to_bone,
                   tiny->palette.mesh_to_scene[i]);
    tiny->skinned = skinned_create(scene, scene->arena);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        memcpy(tiny->skinned[i].positions, scene->meshes[scene->instances[i].mesh].positions, 3 * sizeof(vec3));
        memcpy(tiny->skinned[i].normals, scene->meshes[scene->instances[i].mesh].normals, 3 * sizeof(vec3));
    }
    tiny->record = (struct pose_record){scene, clip, 0.1, SPACE_SCENE, &tiny->pose, &tiny->palette, tiny->skinned};
    return tiny;
}
