#include "palette/palette_stage.h"

#include "scene_builder.h"

static void assert_rows(const mat4 matrix, const float expected[12])
{
    float rows[12];
    affine_rows(matrix, rows);
    for (int i = 0; i < 12; i++)
        if (!(fabsf(rows[i] - expected[i]) <= 1e-5f))
            fail_msg("row %d column %d is %g where %g is expected", i / 4, i % 4, (double)rows[i], (double)expected[i]);
    assert_true(matrix[0][3] == 0 && matrix[1][3] == 0 && matrix[2][3] == 0 && matrix[3][3] == 1);
}

static const vec4 quarter_turn_z = {0, 0, 0.70710678f, 0.70710678f};

/* A root moved to (100, 0, 0), an upper arm turned a quarter about z and doubled, a lower arm 3 along it; and a second
 * child of the root, so that a parent is not always the node before. */
static struct scene *arm(struct pose *pose)
{
    struct scene *scene = builder_scene(4);
    builder_rest(scene, 0, (struct transform){{100, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    struct transform upper = {{0, 10, 0}, {0, 0, 0, 0}, {2, 2, 2}};
    memcpy(upper.rotation, quarter_turn_z, sizeof quarter_turn_z);
    builder_rest(scene, 1, upper);
    builder_rest(scene, 2, (struct transform){{3, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    builder_rest(scene, 3, (struct transform){{0, 0, 7}, {0, 0, 0, 1}, {1, 1, -1}});
    scene->nodes[3].parent = 0;
    *pose = pose_create(scene, scene->arena);
    return scene;
}

static void add_offsets(struct scene *scene)
{
    struct mesh *mesh = builder_mesh(scene, 0, 0, 3);
    const struct transform offsets[3] = {
        {{0, 0, -1}, {0, 0, 0, 1}, {1, 1, 1}},
        {{0, 0, 0}, {0, 0, 0, 1}, {0.5f, 0.5f, 0.5f}},
        {{-4, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
    };
    const uint32_t nodes[3] = {2, 2, 0}; /* one bone bound twice, with two offsets */
    for (int b = 0; b < 3; b++) {
        mesh->bones[b].node = nodes[b];
        affine_from_transform(&offsets[b], mesh->bones[b].mesh_to_bone);
    }
    scene_bind(scene);
}

TEST(test_palette_in_scene_space)
{
    struct pose pose;
    SCENE *scene = arm(&pose);
    add_offsets(scene);
    struct palette palette = palette_create(scene, scene->arena);
    palette_globals(scene, &pose);
    palette_compute(scene, &pose, SPACE_SCENE, &palette);
    assert_int_equal(palette.count, 3);
    assert_rows(palette.mesh_to_scene[0], (float[]){0, -2, 0, 100, 2, 0, 0, 16, 0, 0, 2, -2});
    assert_rows(palette.mesh_to_scene[1], (float[]){0, -1, 0, 100, 1, 0, 0, 16, 0, 0, 1, 0});
    assert_rows(palette.mesh_to_scene[2], (float[]){1, 0, 0, 96, 0, 1, 0, 0, 0, 0, 1, 0});
}

/* ogldev's palette takes away where the root stands at rest, not where the clip has moved it. */
TEST(test_palette_in_root_space)
{
    struct pose pose;
    SCENE *scene = arm(&pose);
    add_offsets(scene);
    struct palette palette = palette_create(scene, scene->arena);
    pose.local_to_parent[0][3][0] = 105; /* the rest has 100 */
    palette_globals(scene, &pose);
    palette_compute(scene, &pose, SPACE_ROOT, &palette);
    assert_rows(palette.mesh_to_scene[0], (float[]){0, -2, 0, 5, 2, 0, 0, 16, 0, 0, 2, -2});
    assert_rows(palette.mesh_to_scene[2], (float[]){1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0});
}

TEST(test_rigid_mesh_follows_its_node)
{
    struct pose pose;
    SCENE *scene = arm(&pose);
    builder_mesh(scene, 3, 0, 0);
    scene_bind(scene);
    struct palette palette = palette_create(scene, scene->arena);
    palette_globals(scene, &pose);
    palette_compute(scene, &pose, SPACE_SCENE, &palette);
    assert_int_equal(palette.count, 1);
    assert_rows(palette.mesh_to_scene[0], (float[]){1, 0, 0, 100, 0, 1, 0, 0, 0, 0, -1, 7});
}
