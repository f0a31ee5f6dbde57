#pragma once

#include "data/scene/pose.h"
#include "data/scene/scene.h"
#include "data/image/frame_settings.h"
#include "scene_builder.h"

/*
 * Scenes that a test builds vertex by vertex, without an importer:
 *
 *     struct hand hand = hand_begin(1, 1, 1);       nodes, meshes, materials; all identity, white, two-sided
 *     hand_quad(&hand, 0, -1, -1, 1, 1, 0);          mesh 0 is a square at z = 0
 *     hand_end(&hand);                               one instance a mesh, on node 0; bindings, pose, palette
 *
 * or in one, hand_card(). Nodes are a chain (parent = index - 1). Between begin and end a test fills what it wants to differ.
 */
struct hand {
    struct scene *scene;
    struct pose pose;
    struct palette palette;
};

#define HAND static inline __attribute__((unused))

HAND struct hand hand_begin(uint32_t nodes, uint32_t meshes, uint32_t materials)
{
    struct scene *scene = builder_scene(nodes);
    struct arena *arena = scene->arena;
    scene->assimp_version = "";
    scene->up_axis = scene->up_sign = 1;
    scene->mesh_count = scene->instance_count = meshes;
    scene->material_count = materials;
    scene->meshes = ARENA_NEW(arena, struct mesh, meshes);
    scene->instances = ARENA_NEW(arena, struct instance, meshes);
    scene->materials = ARENA_NEW(arena, struct material, materials);
    for (uint32_t m = 0; m < meshes; m++) {
        scene->meshes[m].name = arena_printf(arena, "mesh%u", m);
        scene->instances[m].mesh = m;
    }
    scene_label_meshes(scene);
    for (uint32_t m = 0; m < materials; m++)
        scene->materials[m] = (struct material){.name = "material", .base_color = {1, 1, 1, 1},
                                                .base_texture = NO_INDEX, .alpha_cutoff = 0.5f, .two_sided = true};
    return (struct hand){.scene = scene};
}

HAND struct mesh *hand_mesh(struct hand *hand, uint32_t index, uint32_t vertices, uint32_t triangles)
{
    struct arena *arena = hand->scene->arena;
    struct mesh *mesh = &hand->scene->meshes[index];
    mesh->vertex_count = vertices;
    mesh->positions = ARENA_NEW(arena, vec3, vertices);
    mesh->normals = ARENA_NEW(arena, vec3, vertices);
    mesh->triangle_count = triangles;
    mesh->indices = ARENA_NEW(arena, uint32_t, 3 * (size_t)triangles);
    return mesh;
}

/* A rectangle facing +z, two triangles, with uv from the upper left. */
HAND struct mesh *hand_quad(struct hand *hand, uint32_t index, float x0, float y0, float x1, float y1, float z)
{
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    struct mesh *mesh = hand_mesh(hand, index, 4, 2);
    const float corners[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    const float uvs[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    mesh->uvs = ARENA_NEW(hand->scene->arena, vec2, 4);
    for (int v = 0; v < 4; v++) {
        memcpy(mesh->positions[v], (vec3){corners[v][0], corners[v][1], z}, sizeof(vec3));
        memcpy(mesh->normals[v], (vec3){0, 0, 1}, sizeof(vec3));
        memcpy(mesh->uvs[v], uvs[v], sizeof(vec2));
    }
    memcpy(mesh->indices, indices, sizeof indices);
    return mesh;
}

/* An ellipsoid around `center`, facing outwards, in rings along y. */
HAND struct mesh *hand_ball(struct hand *hand, uint32_t index, const vec3 center, const vec3 radii, uint32_t rings)
{
    uint32_t columns = 2 * rings;
    struct mesh *mesh = hand_mesh(hand, index, (rings + 1) * (columns + 1), 2 * rings * columns);
    mesh->uvs = ARENA_NEW(hand->scene->arena, vec2, mesh->vertex_count);
    uint32_t v = 0, i = 0;
    for (uint32_t r = 0; r <= rings; r++)
        for (uint32_t c = 0; c <= columns; c++, v++) {
            double polar = 3.14159265358979 * r / rings, around = 2 * 3.14159265358979 * c / columns;
            double n[3] = {sin(polar) * cos(around), cos(polar), -sin(polar) * sin(around)}, length = 0;
            for (int k = 0; k < 3; k++) {
                mesh->positions[v][k] = (float)(center[k] + radii[k] * n[k]);
                n[k] /= radii[k];
                length += n[k] * n[k];
            }
            for (int k = 0; k < 3; k++)
                mesh->normals[v][k] = (float)(n[k] / sqrt(length));
            mesh->uvs[v][0] = (float)c / (float)columns;
            mesh->uvs[v][1] = (float)r / (float)rings;
            if (r == rings || c == columns)
                continue;
            const uint32_t quad[6] = {v, v + columns + 1, v + 1, v + 1, v + columns + 1, v + columns + 2};
            memcpy(mesh->indices + i, quad, sizeof quad);
            i += 6;
        }
    return mesh;
}

/* Gives the mesh bones on nodes first_node, first_node + 1, ..., with identity offsets, and room for influences. */
HAND void hand_bones(struct hand *hand, struct mesh *mesh, uint32_t bones, uint32_t first_node, uint32_t per_vertex)
{
    struct arena *arena = hand->scene->arena;
    mesh->bone_count = bones;
    mesh->bones = ARENA_NEW(arena, struct bone, bones);
    for (uint32_t b = 0; b < bones; b++) {
        mesh->bones[b].node = first_node + b;
        memcpy(mesh->bones[b].mesh_to_bone, mat4_identity, sizeof(mat4));
    }
    mesh->influence_first = ARENA_NEW(arena, uint32_t, mesh->vertex_count + 1u);
    mesh->influences = ARENA_NEW(arena, struct influence, (size_t)mesh->vertex_count * per_vertex);
    for (uint32_t v = 0; v <= mesh->vertex_count; v++)
        mesh->influence_first[v] = v * per_vertex;
}

HAND struct texture *hand_texture(struct hand *hand, uint32_t width, uint32_t height)
{
    struct scene *scene = hand->scene;
    scene->textures = ARENA_NEW(scene->arena, struct texture, 1);
    scene->texture_count = 1;
    scene->textures[0] = (struct texture){.name = "texture", .width = width, .height = height};
    scene->textures[0].rgba = ARENA_NEW(scene->arena, uint8_t, (size_t)width * height * 4);
    return scene->textures;
}

/* Globals and palette from pose.local_to_parent. */
HAND void hand_pose(struct hand *hand)
{
    const struct scene *scene = hand->scene;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = scene->nodes[n].parent;
        affine_mul(parent == NO_INDEX ? mat4_identity : hand->pose.node_to_scene[parent], hand->pose.local_to_parent[n],
                   hand->pose.node_to_scene[n]);
    }
    for (uint32_t b = 0; b < scene->binding_count; b++)
        affine_mul(hand->pose.node_to_scene[scene->bindings[b].node], scene->bindings[b].mesh_to_bone,
                   hand->palette.mesh_to_scene[b]);
}

HAND void hand_end(struct hand *hand)
{
    scene_bind(hand->scene);
    hand->pose = pose_create(hand->scene, hand->scene->arena);
    hand->palette = palette_create(hand->scene, hand->scene->arena);
    hand_pose(hand);
}

HAND void hand_free(struct hand *hand)
{
    scene_free(hand->scene);
    hand->scene = NULL;
}

/* A scene that is freed where its name ends. */
#define HAND_SCENE RELEASED_BY(hand_free) struct hand

/* One square that fills the picture of hand_settings(). */
HAND struct hand hand_card(void)
{
    struct hand hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_end(&hand);
    return hand;
}

/* Looks along -z at the square -1..1, so that the scene's x and y are the picture's. */
HAND struct frame_settings hand_settings(uint32_t width, uint32_t height, enum view view)
{
    return (struct frame_settings){
        .width = width,
        .height = height,
        .view = view,
        .selected_node = NO_INDEX,
        .camera = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .ortho_height = 1, .near_plane = 1, .far_plane = 20},
    };
}

/* The same on another background than nothing. */
HAND struct frame_settings hand_settings_on(uint32_t width, uint32_t height, enum view view, int r, int g, int b, int a)
{
    struct frame_settings settings = hand_settings(width, height, view);
    const int background[4] = {r, g, b, a};
    for (int c = 0; c < 4; c++)
        settings.background[c] = (uint8_t)background[c];
    return settings;
}

/* Deterministic numbers in [0, 1). */
HAND double hand_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}
