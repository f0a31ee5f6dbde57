/* Dual quaternion skinning against closed forms of what it is for: twists and bends that keep their radius. */
#include "palette/dual_quaternion.h"

#include "skin_rig.h"

#define PI 3.14159265358979323846

static void skin(struct rig *rig)
{
    skin_scene_dual_quaternion(rig->scene, &rig->palette, rig->joints, rig->skinned);
}

/* A turn by `degrees` about the line through (x, 0, z) along y. */
static void turn_about_y(double degrees, double x, double z, mat4 out)
{
    double c = cos(degrees * PI / 180), s = sin(degrees * PI / 180);
    const float rows[12] = {(float)c,  0, (float)s, (float)(x - c * x - s * z), 0, 1, 0, 0,
                            (float)-s, 0, (float)c, (float)(z + s * x - c * z)};
    affine_from_rows(rows, out);
}

/* The angle that a blend of turns about one axis has: their half angles on the unit circle, added by weight. */
static double blended_angle(const double *degrees, const double *weights, int count)
{
    double c = 0, s = 0;
    for (int i = 0; i < count; i++) {
        c += weights[i] * cos(degrees[i] * PI / 360);
        s += weights[i] * sin(degrees[i] * PI / 360);
    }
    return 2 * atan2(s, c);
}

/* A tube along y, the lower bone at rest, the upper one twisted: weights 0, 0.1, ... 1. */
TEST(a_twist_keeps_its_radius)
{
    enum { RINGS = 11 };
    static const double twists[] = {30, 90, 150, 179};
    for (size_t t = 0; t < sizeof twists / sizeof twists[0]; t++) {
        RIG rig = make_rig(RINGS, 2);
        struct influence influences[2 * RINGS];
        for (int v = 0; v < RINGS; v++) {
            float upper = 0.1f * (float)v;
            influences[2 * v] = (struct influence){0, 1 - upper};
            influences[2 * v + 1] = (struct influence){1, upper};
            set(rig.mesh->positions[v], 0, upper, 1);
            set(rig.mesh->normals[v], 0, 0, 1);
        }
        builder_influences(rig.scene, rig.mesh, 2, influences);
        turn_about_y(twists[t], 0, 0, rig.palette.mesh_to_scene[1]);
        skin(&rig);
        for (int v = 0; v < RINGS; v++) {
            double angle = blended_angle((double[]){0, twists[t]}, (double[]){1 - 0.1 * v, 0.1 * v}, 2);
            assert_near(rig.skinned->positions[v], sin(angle), 0.1 * v, cos(angle), 2e-7);
            assert_near(rig.skinned->normals[v], sin(angle), 0, cos(angle), 2e-7);
        }
    }
}

/* Two turns about a line that is not through the origin blend to a turn about that line. */
TEST(a_bend_stays_on_its_circle)
{
    RIG rig = make_rig(1, 2);
    builder_influences(rig.scene, rig.mesh, 2, (struct influence[]){{0, 0.3f}, {1, 0.7f}});
    set(rig.mesh->positions[0], 7, 2, -3);
    turn_about_y(-40, 5, -3, rig.palette.mesh_to_scene[0]);
    turn_about_y(100, 5, -3, rig.palette.mesh_to_scene[1]);
    skin(&rig);
    double angle = blended_angle((double[]){-40, 100}, (double[]){0.3, 0.7}, 2);
    assert_near(rig.skinned->positions[0], 5 + 2 * cos(angle), 2, -3 - 2 * sin(angle), 2e-6);
}

/* Ten degrees short of, and past, the third of a turn where quaternions of matrices change their sign. */
TEST(antipodal_quaternions_are_one_rotation)
{
    RIG rig = make_rig(1, 2);
    builder_influences(rig.scene, rig.mesh, 2, (struct influence[]){{0, 0.5f}, {1, 0.5f}});
    set(rig.mesh->positions[0], 0, 0, 1);
    turn_about_y(-110, 0, 0, rig.palette.mesh_to_scene[0]);
    turn_about_y(-130, 0, 0, rig.palette.mesh_to_scene[1]);
    skin(&rig);
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += rig.joints[0].rotation[i] * rig.joints[1].rotation[i];
    assert_true(dot < -0.9); /* they come from the matrices that way */
    assert_near(rig.skinned->positions[0], -sqrt(0.75), 0, -0.5, 2e-7);
}

/* Turns of 0, 160 and 320 degrees: seen from the middle one, which weighs most, the others are on its side. */
TEST(signs_follow_the_largest_weight)
{
    static const uint32_t orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    static const double degrees[3] = {0, 160, 320};
    static const float weights[3] = {0.3f, 0.4f, 0.3f};
    double angle = blended_angle(degrees, (double[]){0.3, 0.4, 0.3}, 3);
    for (int order = 0; order < 3; order++) {
        RIG rig = make_rig(1, 3);
        struct influence influences[3];
        for (int i = 0; i < 3; i++) {
            uint32_t bone = orders[order][i];
            influences[i] = (struct influence){bone, weights[bone]};
            turn_about_y(degrees[i], 0, 0, rig.palette.mesh_to_scene[i]);
        }
        builder_influences(rig.scene, rig.mesh, 3, influences);
        set(rig.mesh->positions[0], 0, 0, 1);
        skin(&rig);
        assert_near(rig.skinned->positions[0], sin(angle), 0, cos(angle), 2e-7);
    }
}

static const float any_matrix[][12] = {
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
    {0, -1, 0, 10, 1, 0, 0, -3, 0, 0, 1, 0.5f},          /* rigid */
    {-1, 0, 0, 1, 0, -1, 0, 2, 0, 0, 1, 3},              /* a half turn: w is 0 */
    {0, 0, 3, 1, 3, 0, 0, 2, 0, 3, 0, 3},                /* scaled by 3 */
    {2, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 1, 0},             /* by direction */
    {1, 1.5f, 0, 0, 0, 1, 0, 0, 0.25f, 0, 1, 0},         /* sheared */
    {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},               /* mirrored */
    {-2, 0, 0, 5, 0, -3, 0, 0, 0, 0, -0.5f, 0},          /* turned inside out */
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},                /* flat */
    {1e-6f, 0, 0, 0, 0, 0, -1e-6f, 0, 0, 1e-6f, 0, 0},
    {1e6f, 0, 0, 0, 0, 0, -1e6f, 0, 0, 1e6f, 0, 0},
    {0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 9},                /* nothing left of it */
};
enum { MATRICES = sizeof any_matrix / sizeof any_matrix[0] };

/* M p of the rows, whatever M is; the stretch holds what is not rigid. */
TEST(one_influence_is_the_matrix)
{
    RIG rig = make_rig(MATRICES, MATRICES);
    struct influence influences[MATRICES];
    const double p[3] = {0.6, -0.7, 0.9};
    for (uint32_t i = 0; i < MATRICES; i++) {
        influences[i] = (struct influence){i, 1};
        set(rig.mesh->positions[i], p[0], p[1], p[2]);
        affine_from_rows(any_matrix[i], rig.palette.mesh_to_scene[i]);
    }
    builder_influences(rig.scene, rig.mesh, 1, influences);
    skin(&rig);
    for (uint32_t i = 0; i < MATRICES; i++) {
        const float *m = any_matrix[i];
        double expected[3], size = 1e-30;
        for (int r = 0; r < 3; r++) {
            expected[r] = m[4 * r + 3];
            for (int c = 0; c < 3; c++)
                expected[r] += m[4 * r + c] * (double)(float)p[c];
            size = fmax(size, fabs(expected[r]));
        }
        assert_near(rig.skinned->positions[i], expected[0], expected[1], expected[2], 1e-6 * size);
    }
}

TEST(normals_go_by_the_inverse_transpose)
{
    const float rows[][12] = {
        {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},   /* x doubled: (1, 1, 0) -> (1/2, 1, 0) */
        {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},  /* mirrored */
        {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},   /* sheared, x += y: (1, 1, 0) -> (1, 0, 0) */
        {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0},  /* turned: (-1, 1, 0) */
    };
    const double expected[][3] = {
        {0.4472135955, 0.894427191, 0}, {-0.7071067812, 0.7071067812, 0}, {1, 0, 0}, {-0.7071067812, 0.7071067812, 0}};
    RIG rig = make_rig(4, 4);
    struct influence influences[4];
    for (uint32_t i = 0; i < 4; i++) {
        influences[i] = (struct influence){i, 1};
        set(rig.mesh->normals[i], 0.7071067812, 0.7071067812, 0);
        affine_from_rows(rows[i], rig.palette.mesh_to_scene[i]);
    }
    builder_influences(rig.scene, rig.mesh, 1, influences);
    skin(&rig);
    for (int i = 0; i < 4; i++)
        assert_near(rig.skinned->normals[i], expected[i][0], expected[i][1], expected[i][2], 1e-6);
}

TEST(scales_blend_linearly)
{
    RIG rig = make_rig(1, 2);
    builder_influences(rig.scene, rig.mesh, 2, (struct influence[]){{0, 0.5f}, {1, 0.5f}});
    set(rig.mesh->positions[0], 0, 1, 1);
    turn_about_y(90, 0, 0, rig.palette.mesh_to_scene[1]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            rig.palette.mesh_to_scene[1][i][k] *= 3;
    skin(&rig); /* scaled by 2, then turned by 45 degrees */
    assert_near(rig.skinned->positions[0], 2 * sin(PI / 4), 2, 2 * cos(PI / 4), 1e-6);
}

TEST(only_the_ratio_of_weights_counts)
{
    RIG rig = make_rig(3, 2);
    builder_influences(rig.scene, rig.mesh, 2,
                       (struct influence[]){{0, 0.25f}, {1, 0.75f}, {0, 0.125f}, {1, 0.375f}, {0, 0}, {1, 0}});
    for (int v = 0; v < 3; v++) {
        set(rig.mesh->positions[v], 1, 2, 3);
        set(rig.mesh->normals[v], 0, 0, 1);
    }
    turn_about_y(70, 1, -2, rig.palette.mesh_to_scene[1]);
    skin(&rig);
    assert_memory_equal(rig.skinned->positions[0], rig.skinned->positions[1], sizeof(vec3));
    assert_near(rig.skinned->positions[2], 0, 0, 0, 0); /* held by nothing */
    assert_near(rig.skinned->normals[2], 0, 0, 0, 0);
}
