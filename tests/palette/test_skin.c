#include "palette/skin.h"

#include "skin_rig.h"

TEST(test_two_bones_share_a_vertex)
{
    RIG rig = make_rig(3, 2);
    const struct influence influences[] = {{0, 1}, {1, 0}, {1, 0.75f}, {0, 0.25f}, {1, 1}, {0, 0}};
    builder_influences(rig.scene, rig.mesh, 2, influences);
    for (int v = 0; v < 3; v++) {
        set(rig.mesh->positions[v], 1, 2, 3);
        set(rig.mesh->normals[v], 0, 1, 0);
    }
    /* bone 1: a quarter turn about z, then 10 along x: (1, 2, 3) -> (8, 1, 3) */
    affine_from_rows((float[]){0, -1, 0, 10, 1, 0, 0, 0, 0, 0, 1, 0}, rig.palette.mesh_to_scene[1]);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    assert_near(rig.skinned->positions[0], 1, 2, 3, 0);
    assert_near(rig.skinned->positions[1], 6.25f, 1.25f, 3, 1e-6);
    assert_near(rig.skinned->positions[2], 8, 1, 3, 0);
    assert_near(rig.skinned->normals[0], 0, 1, 0, 0);
    /* blended 3x3 [[.25, -.75], [.75, .25]] is a scaled rotation: (-.75, .25) / |...| */
    assert_near(rig.skinned->normals[1], -0.9486833f, 0.3162278f, 0, 1e-6);
    assert_near(rig.skinned->normals[2], -1, 0, 0, 0);
}

TEST(test_normals_of_scaled_mirrored_and_sheared_bones)
{
    const float rows[][12] = {
        {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},       /* x doubled: (1, 1, 0) -> (1/2, 1, 0) */
        {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},      /* mirrored */
        {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},       /* sheared, x += y: (1, 1, 0) -> (1, 0, 0) */
        {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},       /* flattened along x: all normals are +-x */
        {1e-12f, 0, 0, 0, 0, 1e-12f, 0, 0, 0, 0, 1e-12f, 0},
        {1e12f, 0, 0, 0, 0, 1e12f, 0, 0, 0, 0, 1e12f, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},        /* nothing left of it */
    };
    const float expected[][3] = {{0.4472136f, 0.8944272f, 0}, {-0.7071068f, 0.7071068f, 0}, {1, 0, 0},
                                 {1, 0, 0}, {0.7071068f, 0.7071068f, 0}, {0.7071068f, 0.7071068f, 0}, {0, 0, 0}};
    enum { COUNT = sizeof rows / sizeof *rows };
    RIG rig = make_rig(COUNT, COUNT);
    struct influence influences[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        influences[i] = (struct influence){i, 1};
        set(rig.mesh->normals[i], 0.7071068f, 0.7071068f, 0);
        affine_from_rows(rows[i], rig.palette.mesh_to_scene[i]);
    }
    builder_influences(rig.scene, rig.mesh, 1, influences);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_near(rig.skinned->normals[i], expected[i][0], expected[i][1], expected[i][2], 1e-6);
}

TEST(test_vertices_without_influences_collapse)
{
    RIG rig = make_rig(2, 1);
    builder_influences(rig.scene, rig.mesh, 0, NULL);
    for (int v = 0; v < 2; v++) {
        set(rig.mesh->positions[v], 1, 2, 3);
        set(rig.mesh->normals[v], 0, 0, 1);
    }
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < 2; v++) {
        assert_near(rig.skinned->positions[v], 0, 0, 0, 0);
        assert_near(rig.skinned->normals[v], 0, 0, 0, 0);
    }
}

static void random_entry(uint64_t *seed, mat4 out)
{
    struct transform transform;
    builder_random_rotation(seed, transform.rotation);
    for (int i = 0; i < 3; i++) {
        transform.translation[i] = (float)builder_random(seed, -2, 2);
        transform.scale[i] = (float)(builder_random(seed, 0.3, 2) * (builder_random(seed, 0, 1) < 0.2 ? -1 : 1));
    }
    affine_from_transform(&transform, out);
    out[1][0] += (float)builder_random(seed, -0.3, 0.3); /* shear */
}

static void blend_in_double(const struct rig *rig, uint32_t vertex, double m[3][4])
{
    memset(m, 0, 12 * sizeof(double));
    for (uint32_t i = rig->mesh->influence_first[vertex]; i < rig->mesh->influence_first[vertex + 1]; i++) {
        struct influence influence = rig->mesh->influences[i];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                m[r][c] += (double)influence.weight * rig->palette.mesh_to_scene[influence.bone][c][r];
    }
}

/* How well the normal is conditioned: 0 when M n vanishes, as where weights cancel. */
static double normal_in_double(double m[3][4], const float n[3], double out[3])
{
    double cofactor[3][3], determinant = 0, square = 0, size = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactor[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
            size = fmax(size, fabs(m[r1][c1] * m[r2][c2]) + fabs(m[r1][c2] * m[r2][c1]));
        }
    for (int c = 0; c < 3; c++)
        determinant += m[0][c] * cofactor[0][c];
    for (int r = 0; r < 3; r++) {
        out[r] = 0;
        for (int c = 0; c < 3; c++)
            out[r] += (determinant < 0 ? -1 : 1) * cofactor[r][c] * n[c];
        square += out[r] * out[r];
    }
    for (int r = 0; r < 3; r++)
        out[r] /= sqrt(square);
    return fabs(determinant) < 1e-4 ? 0 : sqrt(square) / size;
}

static void check_vertex(const struct rig *rig, uint32_t v)
{
    double m[3][4], normal[3];
    blend_in_double(rig, v, m);
    for (int r = 0; r < 3; r++) {
        double expected = m[r][3];
        for (int c = 0; c < 3; c++)
            expected += m[r][c] * rig->mesh->positions[v][c];
        assert_true(fabs(rig->skinned->positions[v][r] - expected) < 5e-6);
    }
    double condition = normal_in_double(m, rig->mesh->normals[v], normal);
    for (int r = 0; r < 3 && condition > 0.01; r++)
        assert_true(fabs(rig->skinned->normals[v][r] - normal[r]) < 1e-6 / condition);
}

static void check_random_mesh(uint32_t vertices, uint32_t bones, uint32_t per_vertex, uint64_t seed)
{
    RIG rig = make_rig(vertices, bones);
    struct influence *influences = ARENA_NEW(rig.scene->arena, struct influence, (size_t)vertices * per_vertex);
    for (uint32_t b = 0; b < bones; b++)
        random_entry(&seed, rig.palette.mesh_to_scene[b]);
    for (uint32_t v = 0; v < vertices; v++) {
        for (int i = 0; i < 3; i++)
            rig.mesh->positions[v][i] = (float)builder_random(&seed, -2, 2);
        float rotation[4];
        builder_random_rotation(&seed, rotation);
        double length = sqrt((double)rotation[0] * rotation[0] + (double)rotation[1] * rotation[1] +
                             (double)rotation[2] * rotation[2]);
        for (int i = 0; i < 3; i++)
            rig.mesh->normals[v][i] = (float)(rotation[i] / length);
        for (uint32_t i = 0; i < per_vertex; i++)
            influences[v * per_vertex + i] = (struct influence){
                builder_random_index(&seed, bones), (float)builder_random(&seed, 0, 2.0 / per_vertex)};
    }
    builder_influences(rig.scene, rig.mesh, per_vertex, influences);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (uint32_t v = 0; v < vertices; v++)
        check_vertex(&rig, v);
}

TEST(test_against_double)
{
    const uint32_t per_vertex[] = {1, 2, 3, 4, 5, 8, 13};
    for (uint32_t i = 0; i < sizeof per_vertex / sizeof *per_vertex; i++)
        for (uint32_t vertices = 1; vertices < 10; vertices++)
            check_random_mesh(vertices, 7, per_vertex[i], 1000 * i + vertices);
    check_random_mesh(5000, 60, 4, 99);
    check_random_mesh(3001, 300, 10, 98);
}

/* Two instances of one rigid mesh take their own palette entries; memory past the last vertex is left alone. */
TEST(test_instances_and_bounds)
{
    SCENE *scene = builder_scene(2);
    struct mesh *mesh = builder_mesh(scene, 0, 5, 0);
    scene->instance_count = 2;
    scene->instances = ARENA_NEW(scene->arena, struct instance, 2);
    scene->instances[1].node = 1;
    scene_bind(scene);
    for (int v = 0; v < 5; v++)
        set(mesh->positions[v], 1, 1, 1);
    struct palette palette = palette_create(scene, scene->arena);
    for (uint32_t i = 0; i < 2; i++) {
        affine_from_transform(&transform_identity, palette.mesh_to_scene[i]);
        palette.mesh_to_scene[i][3][0] = (float)(10 * i);
    }
    vec3 positions[2][6], normals[2][6];
    memset(positions, 0x41, sizeof positions);
    memset(normals, 0x41, sizeof normals);
    vec3 untouched;
    memcpy(untouched, positions[0][5], sizeof untouched);
    struct skinned skinned[2] = {{0, 5, positions[0], normals[0]}, {1, 5, positions[1], normals[1]}};
    skin_scene(scene, &palette, skinned);
    for (int i = 0; i < 2; i++) {
        assert_near(positions[i][4], 1 + 10 * (float)i, 1, 1, 0);
        assert_memory_equal(positions[i][5], untouched, sizeof untouched);
        assert_memory_equal(normals[i][5], untouched, sizeof untouched);
    }
}

enum { VERTICES = 150, TARGETS = 3 }; /* more vertices than are skinned at once */

/*
 * Vertex v at (v, 0, 0) with normal (0, 0, 1). Targets: 0 moves by (0, 1, 0) and leans the normal by (1, 0, 0); 1 moves by
 * (0, 0, v) and has no normals; 2 moves nothing and takes the normal of vertex 7 away.
 */
static struct rig morphed_rig(uint32_t bones)
{
    struct rig rig = make_rig(VERTICES, bones);
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
    scene_bind(rig.scene); /* again, with the targets' weights */
    rig.palette = palette_create(rig.scene, rig.scene->arena);
    for (uint32_t b = 0; b < rig.palette.count; b++)
        affine_from_transform(&transform_identity, rig.palette.mesh_to_scene[b]);
    return rig;
}

static void set_weights(struct rig *rig, float a, float b, float c)
{
    memcpy(rig->palette.morph_weights, (float[]){a, b, c}, TARGETS * sizeof(float));
}

TEST(every_vertex_is_moved_by_the_sum)
{
    RIG rig = morphed_rig(0);
    const float h = sqrtf(0.5f);
    set_weights(&rig, -1, 0.5f, 0);
    assert_true(morph_is_active(rig.mesh, rig.palette.morph_weights));
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++) {
        assert_near(rig.skinned->positions[v], (float)v, -1, 0.5f * (float)v, 1e-5);
        assert_near(rig.skinned->normals[v], -h, 0, h, 1e-5); /* of length 1 again */
    }
}

TEST(weights_of_zero_change_nothing)
{
    RIG rig = morphed_rig(0);
    set_weights(&rig, 0, 0, 0);
    assert_false(morph_is_active(rig.mesh, rig.palette.morph_weights));
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++)
        assert_near(rig.skinned->positions[v], (float)v, 0, 0, 1e-5);
    set_weights(&rig, 0, 0, 1); /* a normal that is gone stays 0 */
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    assert_near(rig.skinned->normals[6], 0, 0, 1, 1e-5);
    assert_near(rig.skinned->normals[7], 0, 0, 0, 1e-5);
}

/* A quarter turn about z takes (v, 1, 0) to (-1, v, 0); added after it, the move would end at (0, v + 1, 0). */
TEST(moved_before_the_bones)
{
    RIG rig = morphed_rig(1);
    struct influence influences[VERTICES];
    for (int v = 0; v < VERTICES; v++)
        influences[v] = (struct influence){0, 1};
    builder_influences(rig.scene, rig.mesh, 1, influences);
    affine_from_rows((float[]){0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, rig.palette.mesh_to_scene[0]);
    set_weights(&rig, 1, 0, 0);
    skin_scene(rig.scene, &rig.palette, rig.skinned);
    for (int v = 0; v < VERTICES; v++)
        assert_near(rig.skinned->positions[v], -1, (float)v, 0, 1e-5);
    assert_near(rig.skinned->normals[0], 0, sqrtf(0.5f), sqrtf(0.5f), 1e-5);
}

/* A triangle on two bones, all of it at (3, 4, 0). */
static struct rig triangle_rig(void)
{
    const struct influence influences[] = {{0, 1}, {1, 0}, {0, 0.5f}, {1, 0.5f}, {0, 0.75f}, {1, 0.25f}};
    struct rig rig = make_rig(3, 2);
    for (int v = 0; v < 3; v++)
        set(rig.mesh->positions[v], 3, 4, 0);
    builder_influences(rig.scene, rig.mesh, 2, influences);
    return rig;
}

TEST(rounding_is_of_the_terms_not_of_the_sum)
{
    RIG rig = triangle_rig();
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT3X4), 5e-6, 1e-12);
    /* |L p| 10, |t| 10, and the vertex is at the origin */
    affine_from_rows((float[]){2, 0, 0, -6, 0, 2, 0, -8, 0, 0, 2, 0}, rig.palette.mesh_to_scene[1]);
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT3X4), 20e-6, 1e-12);
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT4), 20e-6, 1e-12);
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_TRS), 20e-6 + 30e-5, 1e-10);
}

TEST(what_is_no_number_rounds_nothing)
{
    RIG rig = triangle_rig();
    rig.palette.mesh_to_scene[0][0][0] = INFINITY;
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT4), 0, 0);
    rig.palette.mesh_to_scene[0][0][0] = NAN; /* leaves bone 1 */
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT4), 5e-6, 1e-12);
}

TEST(rigid_meshes_have_one_matrix)
{
    RIG rig = make_rig(3, 0);
    for (int v = 0; v < 3; v++)
        set(rig.mesh->positions[v], 0, 0, v);
    affine_from_rows((float[]){1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1, 0}, rig.palette.mesh_to_scene[0]);
    assert_float_equal(skin_rounding(rig.scene, &rig.palette, PALETTE_MAT4), 9e-6, 1e-12);
}

/* Tangents go as vectors do, stay across the normal, and say on which side the bitangent is. */
TEST(tangents_go_with_the_surface)
{
    const struct {
        float rows[12], normal[3], tangent[4];
        double expected[4];
    } cases[] = {
        {{0, -1, 0, 5, 1, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}},    /* a quarter turn about z */
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {1, 0, 0, 1}, {-1, 0, 0, -1}},  /* mirrored: so is the texture */
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {0, 1, 0, -1}, {0, 1, 0, 1}},
        /* x doubled: (1, -1, 0) -> (2, -1, 0), where a normal would go to (1/2, 1, 0) */
        {{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0.7071068f, 0.7071068f, 0}, {0.7071068f, -0.7071068f, 0, 1}, {0.8944272, -0.4472136, 0, 1}},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {0.6f, 0, 0.8f, 1}, {1, 0, 0, 1}}, /* it leans in the file */
        {{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {1, 0, 0, 1}, {0, 0, 0, 0}},       /* flattened along it */
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {0, 0, 1, 1}, {0, 0, 0, 0}},       /* along the normal */
        {{1e-12f, 0, 0, 0, 0, 1e-12f, 0, 0, 0, 0, 1e-12f, 0}, {0, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1}},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0, 0}}, /* of plain and mirrored triangles */
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    RIG rig = make_rig(COUNT, COUNT);
    struct influence influences[COUNT];
    rig.mesh->tangents = ARENA_NEW(rig.scene->arena, vec4, COUNT);
    rig.skinned = skinned_create(rig.scene, rig.scene->arena);
    for (uint32_t i = 0; i < COUNT; i++) {
        influences[i] = (struct influence){i, 1};
        memcpy(rig.mesh->normals[i], cases[i].normal, sizeof(vec3));
        memcpy(rig.mesh->tangents[i], cases[i].tangent, sizeof(vec4));
        affine_from_rows(cases[i].rows, rig.palette.mesh_to_scene[i]);
    }
    builder_influences(rig.scene, rig.mesh, 1, influences);
    for (int way = 0; way < 2; way++) { /* with one influence both are the matrix */
        memset(rig.skinned->tangents, 0xff, COUNT * sizeof(vec4));
        if (way == 0)
            skin_scene(rig.scene, &rig.palette, rig.skinned);
        else
            skin_scene_dual_quaternion(rig.scene, &rig.palette, rig.joints, rig.skinned);
        for (uint32_t i = 0; i < COUNT; i++) {
            const double *e = cases[i].expected;
            if (way == 1 && i == 5) /* a flat matrix has another quaternion */
                continue;
            assert_near(rig.skinned->tangents[i], e[0], e[1], e[2], 1e-6);
            assert_float_equal(rig.skinned->tangents[i][3], e[3], 0);
        }
    }
}
