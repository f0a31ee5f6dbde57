/* What the vertex shader computes, against linear blend skinning written down here in double. */
#include "draw/rendering.h"

static void random_matrix(uint32_t *seed, bool mirrored, bool uniform, mat4 out)
{
    struct transform t = transform_identity;
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = hand_random(seed) - 0.5;
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        t.rotation[i] = (float)(q[i] / sqrt(length));
    for (int i = 0; i < 3; i++) {
        t.translation[i] = (float)(4 * hand_random(seed) - 2);
        t.scale[i] = uniform ? 1 : (float)(0.3 + 2 * hand_random(seed));
    }
    if (mirrored)
        t.scale[1] = -t.scale[1];
    affine_from_transform(&t, out);
}

/* A cloud of vertices, each with `per_vertex` influences of `bones` bones. */
static struct hand cloud(uint32_t vertices, uint32_t bones, uint32_t per_vertex, uint32_t *seed)
{
    struct hand hand = hand_begin(bones, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, vertices, 0);
    hand_bones(&hand, mesh, bones, 0, per_vertex);
    for (uint32_t v = 0; v < vertices; v++) {
        double length = 0, n[3], total = 0;
        for (int i = 0; i < 3; i++) {
            mesh->positions[v][i] = (float)(2 * hand_random(seed) - 1);
            n[i] = 2 * hand_random(seed) - 1;
            length += n[i] * n[i];
        }
        for (int i = 0; i < 3; i++)
            mesh->normals[v][i] = (float)(n[i] / sqrt(length));
        struct influence *influences = mesh->influences + (size_t)v * per_vertex;
        for (uint32_t i = 0; i < per_vertex; i++) {
            influences[i] = (struct influence){(uint32_t)(hand_random(seed) * bones), (float)(0.1 + hand_random(seed))};
            total += influences[i].weight;
        }
        for (uint32_t i = 0; i < per_vertex; i++)
            influences[i].weight = (float)(influences[i].weight / total);
    }
    hand_end(&hand);
    return hand;
}

static void blended(const struct hand *hand, uint32_t instance, uint32_t v, double m[3][4])
{
    const struct instance *where = &hand->scene->instances[instance];
    const struct mesh *mesh = &hand->scene->meshes[where->mesh];
    static const struct influence whole = {0, 1};
    uint32_t count = mesh->bone_count ? mesh->influence_first[v + 1] - mesh->influence_first[v] : 1;
    const struct influence *influences = mesh->bone_count ? mesh->influences + mesh->influence_first[v] : &whole;
    memset(m, 0, 12 * sizeof(double));
    for (uint32_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                m[r][c] += (double)influences[i].weight *
                           hand->palette.mesh_to_scene[where->first_binding + influences[i].bone][c][r];
}

static double determinant(double m[3][4])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Inverse transpose by solving M^T x = n with Cramer's rule, normalised: another way than the shader's. */
static void expected_normal(double m[3][4], const float *normal, double out[3])
{
    double det = determinant(m), length = 0;
    for (int i = 0; i < 3; i++) {
        double replaced[3][4];
        memcpy(replaced, m, sizeof replaced);
        for (int c = 0; c < 3; c++)
            replaced[i][c] = normal[c];
        out[i] = determinant(replaced) / det;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] /= sqrt(length);
}

/* Worst distance over the radius, and worst angle of a normal in radians where the blend is not near singular. */
static void compare(const struct hand *hand, const struct skinned *got, double radius)
{
    const struct mesh *mesh = &hand->scene->meshes[hand->scene->instances[got->instance].mesh];
    for (uint32_t v = 0; v < got->vertex_count; v++) {
        double m[3][4], off = 0, turned = 0, normal[3];
        blended(hand, got->instance, v, m);
        for (int r = 0; r < 3; r++) {
            double p = m[r][3];
            for (int c = 0; c < 3; c++)
                p += m[r][c] * mesh->positions[v][c];
            off += (p - got->positions[v][r]) * (p - got->positions[v][r]);
        }
        if (!(sqrt(off) < 1e-5 * radius))
            fail_msg("vertex %u is off by %g of the radius", v, sqrt(off) / radius);
        if (fabs(determinant(m)) < 0.02)
            continue;
        expected_normal(m, mesh->normals[v], normal);
        for (int r = 0; r < 3; r++)
            turned += (normal[r] - got->normals[v][r]) * (normal[r] - got->normals[v][r]);
        if (!(sqrt(turned) < 1e-4))
            fail_msg("normal %u is turned by %g, determinant %g", v, sqrt(turned), determinant(m));
    }
}

static void capture_and_compare(struct renderer *renderer, const struct hand *hand, double radius)
{
    struct gpu_model *model = NULL;
    struct skinned *skinned = skinned_create(hand->scene, hand->scene->arena);
    assert_good(model = gpu_model_create(renderer, hand->scene, err));
    for (uint32_t i = 0; i < hand->scene->instance_count; i++) {
        memset(skinned[i].positions, 0xff, skinned[i].vertex_count * sizeof(vec3));
        assert_good(draw_capture(renderer, model, &hand->palette, &skinned[i], err));
        compare(hand, &skinned[i], radius);
    }
    gpu_model_destroy(model);
}

static void every_number_of_influences_is_summed(void **state)
{
    static const uint32_t influences[] = {1, 2, 4, 5, 8, 9, 12, 40};
    uint32_t seed = 7;
    for (size_t i = 0; i < sizeof influences / sizeof influences[0]; i++)
        for (int kind = 0; kind < 3; kind++) { /* rigid motions, non-uniform scale, every third bone mirrored */
            struct hand hand = cloud(500, 50, influences[i], &seed);
            for (uint32_t b = 0; b < 50; b++)
                random_matrix(&seed, kind == 2 && b % 3 == 0, kind == 0, hand.palette.mesh_to_scene[b]);
            capture_and_compare(*state, &hand, 1.7);
            hand_free(&hand);
        }
}

static void bones_beyond_a_byte_are_reached(void **state)
{
    uint32_t seed = 3;
    for (uint32_t per_vertex = 4; per_vertex <= 12; per_vertex += 4) {
        struct hand hand = cloud(3000, 1500, per_vertex, &seed);
        for (uint32_t b = 0; b < 1500; b++)
            random_matrix(&seed, false, true, hand.palette.mesh_to_scene[b]);
        capture_and_compare(*state, &hand, 1.7);
        hand_free(&hand);
    }
}

static void rigid_and_skinned_instances_find_their_bindings(void **state)
{
    struct hand hand = hand_begin(3, 3, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_ball(&hand, 1, (vec3){0, 0, 0}, (vec3){1, 2, 1}, 6);
    hand_quad(&hand, 2, 0, 0, 1, 1, 0.3f);
    struct mesh *skinned = &hand.scene->meshes[1];
    hand_bones(&hand, skinned, 2, 1, 2);
    for (uint32_t v = 0; v < skinned->vertex_count; v++) {
        skinned->influences[2 * v] = (struct influence){0, 0.75f};
        skinned->influences[2 * v + 1] = (struct influence){1, 0.25f};
    }
    hand_end(&hand);
    uint32_t seed = 5;
    for (uint32_t b = 0; b < hand.scene->binding_count; b++)
        random_matrix(&seed, false, false, hand.palette.mesh_to_scene[b]);
    capture_and_compare(*state, &hand, 2);
    hand_free(&hand);
}

static void vertices_of_one_mesh_may_differ_in_influences(void **state)
{
    uint32_t seed = 11;
    struct hand hand = cloud(300, 20, 12, &seed);
    struct mesh *mesh = &hand.scene->meshes[0];
    for (uint32_t v = 1; v <= mesh->vertex_count; v++) /* 0, 1, 2, ... influences; those without collapse to 0 */
        mesh->influence_first[v] = mesh->influence_first[v - 1] + v % 13;
    for (uint32_t b = 0; b < 20; b++)
        random_matrix(&seed, false, true, hand.palette.mesh_to_scene[b]);
    capture_and_compare(*state, &hand, 1.7);
    hand_free(&hand);
}

/* A matrix of NaN spoils the vertices it moves and no others, whatever fills the unused slots. */
static void an_unused_bone_may_be_nan(void **state)
{
    for (uint32_t per_vertex = 1; per_vertex <= 9; per_vertex += 4) {
        uint32_t seed = 2;
        struct hand hand = cloud(50, 3, per_vertex, &seed);
        struct mesh *mesh = &hand.scene->meshes[0];
        for (uint32_t i = 0; i < 50 * per_vertex; i++)
            mesh->influences[i].bone = 1 + i % 2;
        hand.palette.mesh_to_scene[0][0][0] = NAN;
        capture_and_compare(*state, &hand, 1);
        hand_free(&hand);
    }
}

static void tiny_and_huge_scales_keep_their_normals(void **state)
{
    static const float scales[] = {1e-18f, 1e-6f, 1, 1e6f, 1e15f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct hand hand = hand_begin(1, 1, 1);
        hand_ball(&hand, 0, (vec3){0, 0, 0}, (vec3){1, 1, 1}, 8);
        hand_end(&hand);
        for (int c = 0; c < 3; c++)
            hand.palette.mesh_to_scene[0][c][c] = scales[i];
        struct gpu_model *model = NULL;
        struct skinned *skinned = skinned_create(hand.scene, hand.scene->arena);
        assert_good(model = gpu_model_create(*state, hand.scene, err));
        assert_good(draw_capture(*state, model, &hand.palette, skinned, err));
        for (uint32_t v = 0; v < skinned->vertex_count; v++)
            for (int c = 0; c < 3; c++)
                assert_true(fabsf(skinned->normals[v][c] - hand.scene->meshes[0].normals[v][c]) < 1e-5f);
        gpu_model_destroy(model);
        hand_free(&hand);
    }
}

static void a_flattening_bone_keeps_the_normal_of_the_plane(void **state)
{
    struct hand hand = hand_begin(1, 1, 1);
    hand_ball(&hand, 0, (vec3){0, 0, 0}, (vec3){1, 1, 1}, 4);
    hand_end(&hand);
    hand.palette.mesh_to_scene[0][2][2] = 0; /* onto z = 0 */
    struct gpu_model *model = NULL;
    struct skinned *skinned = skinned_create(hand.scene, hand.scene->arena);
    assert_good(model = gpu_model_create(*state, hand.scene, err));
    assert_good(draw_capture(*state, model, &hand.palette, skinned, err));
    for (uint32_t v = 0; v < skinned->vertex_count; v++) {
        const float *n = skinned->normals[v], z = hand.scene->meshes[0].normals[v][2];
        assert_true(n[0] == 0 && n[1] == 0);
        assert_true(z == 0 ? n[2] == 0 : n[2] == (z > 0 ? 1.0f : -1.0f));
    }
    gpu_model_destroy(model);
    hand_free(&hand);
}

/* Drawing between captures changes nothing, and the other way round. */
static void capturing_and_drawing_do_not_disturb_each_other(void **state)
{
    uint32_t seed = 9;
    struct hand hand = cloud(60, 4, 4, &seed);
    struct mesh *mesh = &hand.scene->meshes[0];
    mesh->triangle_count = 20;
    mesh->indices = ARENA_NEW(hand.scene->arena, uint32_t, 60);
    for (uint32_t i = 0; i < 60; i++)
        mesh->indices[i] = i;
    struct gpu_model *model = NULL;
    struct skinned *skinned = skinned_create(hand.scene, hand.scene->arena);
    struct frame_settings frame_settings = hand_settings(32, 32, VIEW_LIT);
    struct image before, after;
    char hashes[2][17];
    assert_good(model = gpu_model_create(*state, hand.scene, err));
    assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &before, err));
    assert_good(draw_capture(*state, model, &hand.palette, skinned, err));
    assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &after, err));
    assert_good(draw_capture(*state, model, &hand.palette, skinned, err));
    compare(&hand, skinned, 1.7);
    image_hash(&before, hashes[0]);
    image_hash(&after, hashes[1]);
    assert_string_equal(hashes[0], hashes[1]);
    image_release(&before);
    image_release(&after);
    gpu_model_destroy(model);
    hand_free(&hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_influences_is_summed),
        cmocka_unit_test(bones_beyond_a_byte_are_reached),
        cmocka_unit_test(rigid_and_skinned_instances_find_their_bindings),
        cmocka_unit_test(vertices_of_one_mesh_may_differ_in_influences),
        cmocka_unit_test(an_unused_bone_may_be_nan),
        cmocka_unit_test(tiny_and_huge_scales_keep_their_normals),
        cmocka_unit_test(a_flattening_bone_keeps_the_normal_of_the_plane),
        cmocka_unit_test(capturing_and_drawing_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
