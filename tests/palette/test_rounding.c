#include "palette/rounding.h"

#include <math.h>

#include "cmocka_setup.h"
#include "scene_builder.h"

/* A triangle on two bones, all of it at (3, 4, 0), and its palette of unit matrices. */
static struct palette make_rig(struct scene **scene)
{
    const struct influence influences[] = {{0, 1}, {1, 0}, {0, 0.5f}, {1, 0.5f}, {0, 0.75f}, {1, 0.25f}};
    *scene = builder_scene(1);
    struct mesh *mesh = builder_mesh(*scene, 0, 3, 2);
    for (int v = 0; v < 3; v++)
        memcpy(mesh->positions[v], (vec3){3, 4, 0}, sizeof(vec3));
    builder_influences(*scene, mesh, 2, influences);
    scene_bind(*scene);
    struct palette palette = palette_create(*scene, (*scene)->arena);
    for (uint32_t b = 0; b < palette.count; b++)
        affine_from_transform(&transform_identity, palette.mesh_to_scene[b]);
    return palette;
}

static void rounding_is_of_the_terms_not_of_the_sum(void **state)
{
    (void)state;
    struct scene *scene;
    struct palette palette = make_rig(&scene);
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT3X4), 5e-6, 1e-12);
    /* |L p| 10, |t| 10, and the vertex is at the origin */
    affine_from_rows((float[]){2, 0, 0, -6, 0, 2, 0, -8, 0, 0, 2, 0}, palette.mesh_to_scene[1]);
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT3X4), 20e-6, 1e-12);
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT4), 20e-6, 1e-12);
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_TRS), 20e-6 + 30e-5, 1e-10);
    scene_free(scene);
}

static void what_is_no_number_rounds_nothing(void **state)
{
    (void)state;
    struct scene *scene;
    struct palette palette = make_rig(&scene);
    palette.mesh_to_scene[0][0][0] = INFINITY;
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT4), 0, 0);
    palette.mesh_to_scene[0][0][0] = NAN; /* leaves bone 1 */
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT4), 5e-6, 1e-12);
    scene_free(scene);
}

static void rigid_meshes_have_one_matrix(void **state)
{
    (void)state;
    struct scene *scene = builder_scene(1);
    struct mesh *mesh = builder_mesh(scene, 0, 3, 0);
    for (int v = 0; v < 3; v++)
        memcpy(mesh->positions[v], (vec3){0, 0, (float)v}, sizeof(vec3));
    scene_bind(scene);
    struct palette palette = palette_create(scene, scene->arena);
    affine_from_rows((float[]){1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1, 0}, palette.mesh_to_scene[0]);
    assert_float_equal(skin_rounding(scene, &palette, PALETTE_MAT4), 9e-6, 1e-12);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_of_the_terms_not_of_the_sum),
        cmocka_unit_test(what_is_no_number_rounds_nothing),
        cmocka_unit_test(rigid_meshes_have_one_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
