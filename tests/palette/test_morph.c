#include "palette/skin.h"

#include <math.h>

#include "cmocka_setup.h"
#include "scene_builder.h"

enum { VERTICES = 150, TARGETS = 3 }; /* more vertices than are skinned at once */

struct rig {
    struct scene *scene;
    struct mesh *mesh;
    struct palette palette;
    struct skinned *skinned;
};

/*
 * Vertex v at (v, 0, 0) with normal (0, 0, 1). Targets: 0 moves by (0, 1, 0) and leans the normal by (1, 0, 0); 1 moves by
 * (0, 0, v) and has no normals; 2 moves nothing and takes the normal of vertex 7 away.
 */
static struct rig make_rig(uint32_t bones)
{
    struct rig rig = {.scene = builder_scene(2)};
    rig.mesh = builder_mesh(rig.scene, 0, VERTICES, bones);
    rig.mesh->target_count = TARGETS;
    rig.mesh->targets = ARENA_NEW(rig.scene->arena, struct morph_target, TARGETS);
    for (int t = 0; t < TARGETS; t++) {
        rig.mesh->targets[t].position_deltas = ARENA_NEW(rig.scene->arena, vec3, VERTICES);
        rig.mesh->targets[t].normal_deltas = t == 1 ? NULL : ARENA_NEW(rig.scene->arena, vec3, VERTICES);
    }
    for (int v = 0; v < VERTICES; v++) {
        rig.mesh->positions[v][0] = (float)v;
        rig.mesh->normals[v][2] = 1;
        rig.mesh->targets[0].position_deltas[v][1] = 1;
        rig.mesh->targets[0].normal_deltas[v][0] = 1;
        rig.mesh->targets[1].position_deltas[v][2] = (float)v;
    }
    rig.mesh->targets[2].normal_deltas[7][2] = -1;
    scene_bind(rig.scene);
    rig.palette = palette_create(rig.scene, rig.scene->arena);
    for (uint32_t b = 0; b < rig.palette.count; b++)
        affine_from_transform(&transform_identity, rig.palette.mesh_to_scene[b]);
    rig.skinned = skinned_create(rig.scene, rig.scene->arena);
    return rig;
}

static void is_vector(const float *got, float x, float y, float z)
{
    const float want[] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabsf(got[i] - want[i]) <= 1e-5f))
            fail_msg("(%g, %g, %g) where (%g, %g, %g) is expected", (double)got[0], (double)got[1], (double)got[2],
                     (double)x, (double)y, (double)z);
}

static void set_weights(struct rig *rig, float a, float b, float c)
{
    memcpy(rig->palette.morph_weights, (float[]){a, b, c}, TARGETS * sizeof(float));
}

static void every_vertex_is_moved_by_the_sum(void **state)
{
    (void)state;
    struct rig rig = make_rig(0);
    const float h = sqrtf(0.5f);
    set_weights(&rig, -1, 0.5f, 0);
    assert_true(morph_is_active(rig.mesh, rig.palette.morph_weights));
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++) {
        is_vector(rig.skinned->positions[v], (float)v, -1, 0.5f * (float)v);
        is_vector(rig.skinned->normals[v], -h, 0, h); /* of length 1 again */
    }
    scene_free(rig.scene);
}

static void weights_of_zero_change_nothing(void **state)
{
    (void)state;
    struct rig rig = make_rig(0);
    set_weights(&rig, 0, 0, 0);
    assert_false(morph_is_active(rig.mesh, rig.palette.morph_weights));
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++)
        is_vector(rig.skinned->positions[v], (float)v, 0, 0);
    scene_free(rig.scene);
}

static void normal_that_is_gone_stays_zero(void **state)
{
    (void)state;
    struct rig rig = make_rig(0);
    set_weights(&rig, 0, 0, 1);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    is_vector(rig.skinned->normals[6], 0, 0, 1);
    is_vector(rig.skinned->normals[7], 0, 0, 0);
    scene_free(rig.scene);
}

/* A quarter turn about z takes (v, 1, 0) to (-1, v, 0); added after it, the move would end at (0, v + 1, 0). */
static void moved_before_the_bones(void **state)
{
    (void)state;
    struct rig rig = make_rig(1);
    struct influence influences[VERTICES];
    for (int v = 0; v < VERTICES; v++)
        influences[v] = (struct influence){0, 1};
    builder_influences(rig.scene, rig.mesh, 1, influences);
    affine_from_rows((float[]){0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, rig.palette.mesh_to_scene[0]);
    set_weights(&rig, 1, 0, 0);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++)
        is_vector(rig.skinned->positions[v], -1, (float)v, 0);
    is_vector(rig.skinned->normals[0], 0, sqrtf(0.5f), sqrtf(0.5f));
    scene_free(rig.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vertex_is_moved_by_the_sum), cmocka_unit_test(weights_of_zero_change_nothing),
        cmocka_unit_test(normal_that_is_gone_stays_zero),   cmocka_unit_test(moved_before_the_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
