#pragma once

#include "draw/rendering.h"

#include "draw/renderer/renderer.h"
#include "run_binary.h"

/* Shaders of a user's own, written by a test, and scenes for them. */

#define VERSION "#version 330 core\n"
#define IN_POSITION "layout(location = 0) in vec3 position;\n"
#define OUTS "out vec3 skinned_position;\nout vec3 skinned_normal;\n"
#define CAMERA "uniform mat4 scene_to_clip;\n"
#define PLACE "    gl_Position = scene_to_clip * vec4(position, 1.0);\n"

/* A folder with one file. */
HAND const char *folder_with(const char *folder, const char *file, const char *content)
{
    char path[256];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    spill(path, content);
    return folder;
}

HAND struct shader_set *shaders_of(struct renderer *renderer, const char *folder)
{
    struct shader_set *set = NULL;
    assert_good(renderer_shaders(renderer, folder, NULL, &set, err));
    return set;
}

/* A skinned mesh of that many bones, whose vertex v has v % most + 1 influences, the last bones; and a rigid one. */
HAND struct hand two_meshes(uint32_t bones, uint32_t most)
{
    enum { VERTICES = 12 };
    struct hand hand = hand_begin(bones + 1, 2, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, VERTICES, 4);
    hand_bones(&hand, mesh, bones, 1, most);
    uint32_t count = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t used = v % most + 1;
        mesh->influence_first[v] = count;
        for (uint32_t k = 0; k < used; k++)
            mesh->influences[count++] = (struct influence){bones - 1 - k, 1.0f / (float)used};
        memcpy(mesh->positions[v], (vec3){0.1f * (float)v, 0.5f, (float)(v % 3)}, sizeof(vec3));
        memcpy(mesh->normals[v], (vec3){0, 0, 1}, sizeof(vec3));
        mesh->indices[v] = v;
    }
    mesh->influence_first[VERTICES] = count;
    hand_quad(&hand, 1, -1, -1, 1, 1, 0);
    hand_end(&hand);
    return hand;
}

/* Turned about z, moved, and not evenly scaled, each binding another way. */
HAND void move_bindings(struct hand *hand)
{
    for (uint32_t b = 0; b < hand->scene->binding_count; b++) {
        float angle = 0.3f + 0.2f * (float)b, c = cosf(angle), s = sinf(angle);
        const mat4 m = {{1.2f * c, 1.2f * s, 0, 0}, {-s, c, 0, 0}, {0, 0, 0.7f, 0}, {0.1f * (float)b, -0.2f, 0.3f, 1}};
        memcpy(hand->palette.mesh_to_scene[b], m, sizeof(mat4));
    }
}

HAND struct skinned *captured(struct renderer *renderer, struct gpu_model *model, const struct hand *hand)
{
    struct skinned *skinned = skinned_create(hand->scene, hand->scene->arena);
    for (uint32_t i = 0; i < hand->scene->instance_count; i++)
        assert_good(draw_capture(renderer, model, &hand->palette, &skinned[i], err));
    return skinned;
}

HAND void assert_captured_near(const struct skinned *a, const struct skinned *b, float tolerance)
{
    for (uint32_t v = 0; v < a->vertex_count; v++)
        for (int c = 0; c < 3; c++)
            if (!(fabsf(a->positions[v][c] - b->positions[v][c]) <= tolerance) ||
                !(fabsf(a->normals[v][c] - b->normals[v][c]) <= tolerance))
                fail_msg("vertex %u: %g against %g, normal %g against %g", v, (double)a->positions[v][c],
                         (double)b->positions[v][c], (double)a->normals[v][c], (double)b->normals[v][c]);
}

/* The renderer remembers folders by their names: every test has its own renderer. */
HAND int enter(void **state)
{
    return scratch_enter(state) == 0 ? open_renderer(state) : -1;
}

HAND int leave(void **state)
{
    close_renderer(state);
    return scratch_leave(state);
}

#define SHADERS_TEST(name) TEST_WITH(name, enter, leave)
