/* What positions, faces and pictures leave in few numbers: a flip is told from a change of order. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "data/record/snapshot.h"
#include "data/tiny_scene.h"
#include "scene_builder.h"

static struct import_snapshot *surface_of(struct scene *scene)
{
    return import_snapshot_gather(scene, scene->arena);
}

/* Flipping v keeps its mean when that is one half; the products with the position tell. */
static void moments_tell_a_flip_from_the_same_mean(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    memcpy(mesh->uvs, ((const vec2[]){{0, 0.25f}, {1, 0.5f}, {0.5f, 0.75f}}), 3 * sizeof(vec2));
    struct attribute_snapshot was = surface_of(scene)->meshes[0].uvs;
    for (int v = 0; v < 3; v++)
        mesh->uvs[v][1] = 1.0f - mesh->uvs[v][1];
    struct attribute_snapshot now = surface_of(scene)->meshes[0].uvs;
    assert_int_equal(now.width, 2);
    assert_memory_equal(now.moments, was.moments, MOMENTS * sizeof(float));
    assert_true(now.moments[4] == was.moments[4] && was.moments[4] == 0.5f);
    assert_true(was.moments[7] == 0.0f && now.moments[7] > 0.1f); /* z is 1, 1, -1 half diagonals times something */
    scene_free(scene);
}

static void moments_do_not_know_the_order_of_vertices(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    struct attribute_snapshot was = surface_of(scene)->meshes[0].uvs;
    vec3 position;
    vec2 uv;
    memcpy(position, mesh->positions[0], sizeof position);
    memcpy(mesh->positions[0], mesh->positions[2], sizeof position);
    memcpy(mesh->positions[2], position, sizeof position);
    memcpy(uv, mesh->uvs[0], sizeof uv);
    memcpy(mesh->uvs[0], mesh->uvs[2], sizeof uv);
    memcpy(mesh->uvs[2], uv, sizeof uv);
    struct attribute_snapshot now = surface_of(scene)->meshes[0].uvs;
    assert_memory_equal(&now, &was, sizeof now);
    memcpy(uv, mesh->uvs[0], sizeof uv);
    memcpy(mesh->uvs[0], mesh->uvs[1], sizeof uv);
    memcpy(mesh->uvs[1], uv, sizeof uv);
    now = surface_of(scene)->meshes[0].uvs; /* the same coordinates, at other vertices */
    assert_true(now.moments[0] == was.moments[0] && now.moments[1] != was.moments[1]);
    scene_free(scene);
}

/* Where triangles begin and in which order they come says nothing; how they are wound and what they join does. */
static void faces_know_how_triangles_are_wound(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    static const vec3 positions[] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 1}};
    static const uint32_t orders[][6] = {
        {0, 1, 2, 0, 2, 3}, {2, 3, 0, 1, 2, 0}, {0, 2, 1, 0, 3, 2}, {0, 1, 3, 1, 2, 3}};
    struct attribute_snapshot faces[4];
    mesh->vertex_count = 4;
    mesh->uvs = NULL;
    mesh->bone_count = 0;
    mesh->positions = ARENA_NEW(scene->arena, vec3, 4);
    mesh->normals = ARENA_NEW(scene->arena, vec3, 4);
    memcpy(mesh->positions, positions, sizeof positions);
    mesh->triangle_count = 2;
    mesh->indices = ARENA_NEW(scene->arena, uint32_t, 6);
    for (int i = 0; i < 4; i++) {
        memcpy(mesh->indices, orders[i], sizeof orders[i]);
        faces[i] = surface_of(scene)->meshes[0].faces;
    }
    /* twice the areas along the normals: (0, 0, 6) and (3, -2, 6), of lengths 6 and 7 */
    assert_float_equal(faces[0].moments[0], 3.0 / 13, 1e-6);
    assert_float_equal(faces[0].moments[4], -2.0 / 13, 1e-6);
    assert_float_equal(faces[0].moments[8], 12.0 / 13, 1e-6);
    assert_memory_equal(&faces[1], &faces[0], sizeof faces[0]);
    for (int m = 0; m < 12; m++)
        assert_true(faces[2].moments[m] == -faces[0].moments[m]);
    assert_true(memcmp(&faces[3], &faces[0], sizeof faces[0]) != 0);
    scene_free(scene);
}

/* A picture of 3 by 2: red 0 51 102 above, 153 204 255 below, the rest alike. */
static void moments_of_a_picture(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct texture texture = {.name = "a.png", .width = 3, .height = 2, .rgba = ARENA_NEW(scene->arena, uint8_t, 24)};
    for (int i = 0; i < 6; i++)
        memcpy(texture.rgba + 4 * i, ((uint8_t[]){(uint8_t)(51 * i), 0, 255, 102}), 4);
    scene->texture_count = 1;
    scene->textures = &texture;
    const struct texture_snapshot *snapshot = surface_of(scene)->textures;
    const double expected[] = {0.5, 0.4 / 3, 0.3, 0, 0, 0, 1, 0, 0, 0.4, 0, 0};
    assert_true(snapshot->has_moments);
    for (int i = 0; i < 12; i++)
        assert_float_equal(snapshot->moments[i], expected[i], 1e-6);
    texture.missing = true;
    assert_false(surface_of(scene)->textures[0].has_moments);
    scene->texture_count = 0;
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_tell_a_flip_from_the_same_mean),
        cmocka_unit_test(moments_do_not_know_the_order_of_vertices),
        cmocka_unit_test(faces_know_how_triangles_are_wound),
        cmocka_unit_test(moments_of_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
