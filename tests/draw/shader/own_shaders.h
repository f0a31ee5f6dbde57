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
    spill(at("%s/%s", folder, file), content);
    return folder;
}

HAND struct shader_set *shaders_of(struct renderer *renderer, const char *folder)
{
    struct shader_set *set = NULL;
    assert_good(renderer_shaders(renderer, folder, NULL, &set, err));
    return set;
}

/* Of a folder with that vertex shader alone. */
HAND struct shader_set *vertex_shader(struct renderer *renderer, const char *folder, const char *source)
{
    return shaders_of(renderer, folder_with(folder, "skin.vert", source));
}

HAND void draw_by(struct gpu_model *model, struct shader_set *set)
{
    assert_good(gpu_model_set_upload(model, &(struct upload_format){0}, set, err));
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

HAND void assert_vectors_near(const char *which, const vec3 *a, const vec3 *b, uint32_t count, float tolerance)
{
    for (uint32_t v = 0; v < count; v++)
        for (int c = 0; c < 3; c++)
            if (!(fabsf(a[v][c] - b[v][c]) <= tolerance))
                fail_msg("%s of vertex %u: %g against %g", which, v, (double)a[v][c], (double)b[v][c]);
}

HAND void assert_positions_near(const struct skinned *a, const struct skinned *b, float tolerance)
{
    assert_vectors_near("position", a->positions, b->positions, a->vertex_count, tolerance);
}

/* A scene whose meshes are moved, skinned by our shaders and by these: two_meshes(20, most). */
HAND void assert_skins_as_ours(struct renderer *renderer, struct shader_set *set, uint32_t most, float tolerance)
{
    HAND_SCENE hand = two_meshes(20, most);
    move_bindings(&hand);
    MODEL model = model_of(renderer, &hand);
    struct skinned *ours = captured(renderer, model, &hand);
    draw_by(model, set);
    struct skinned *theirs = captured(renderer, model, &hand);
    for (int k = 0; k < 2; k++)
        assert_positions_near(&ours[k], &theirs[k], tolerance);
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
