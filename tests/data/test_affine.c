/* Affine maps against values worked out by hand and against the same sums in double. */
#include <float.h>

#include "data/affine.h"
#include "data/bounds.h"
#include "data/record/record.h"
#include "scene_builder.h"

static void close_to(float value, double expected, double limit, const char *what, int at)
{
    if (!(fabs((double)value - expected) <= limit))
        fail_msg("%s[%d] is %.9g, not %.9g", what, at, (double)value, expected);
}

static void matrix_is(const mat4 matrix, const float rows[12], double limit)
{
    float got[12];
    affine_rows(matrix, got);
    ASSERT_NEAR(got, rows, 12, limit);
    for (int column = 0; column < 4; column++)
        assert_true(matrix[column][3] == (column == 3 ? 1.0f : 0.0f));
}

static void random_rows(uint64_t *seed, float rows[12])
{
    for (int i = 0; i < 12; i++)
        rows[i] = (float)(3.0 * builder_random(seed, -1, 1));
}

TEST(product_by_hand)
{
    static const float rows[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const float turn[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3}; /* a quarter about z, then a step */
    static const float expected[12] = {0, -3, 0, -5, 2, 0, 0, 7, 0, 0, 4, 10};
    mat4 a, b, out;
    vec3 point = {1, 2, 3};
    affine_from_rows(rows, a);
    assert_true(a[3][0] == 4 && a[3][1] == 8 && a[3][2] == 12 && a[1][0] == 2);
    matrix_is(a, rows, 0);
    affine_from_rows(turn, a);
    affine_from_rows((float[]){2, 0, 0, 5, 0, 3, 0, 6, 0, 0, 4, 7}, b);
    affine_mul(a, b, out);
    matrix_is(out, expected, 0);
    affine_point(out, point, point);
    assert_true(point[0] == -11 && point[1] == 9 && point[2] == 22);
    affine_mul(a, b, b); /* in place */
    matrix_is(b, expected, 0);
    affine_from_rows((float[]){2, 0, 0, 5, 0, 3, 0, 6, 0, 0, 4, 7}, b);
    affine_mul(a, b, a);
    matrix_is(a, expected, 0);
}

TEST(transforms_by_hand)
{
    static const float h = 0.70710678f;
    const struct {
        struct transform transform;
        float rows[12];
    } cases[] = {
        {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
        {{{1, 2, 3}, {0, 0, 0, 1}, {2, 3, 4}}, {2, 0, 0, 1, 0, 3, 0, 2, 0, 0, 4, 3}},
        {{{1, 2, 3}, {0, 0, h, h}, {2, 3, 4}}, {0, -3, 0, 1, 2, 0, 0, 2, 0, 0, 4, 3}}, /* the scale comes first */
        {{{0, 0, 0}, {h, 0, 0, h}, {1, 1, 1}}, {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0}},
        {{{0, 0, 0}, {0, h, 0, h}, {1, 1, 1}}, {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0}},
        /* a third of a turn about (1, 1, 1): x to y to z */
        {{{0, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}}, {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0}},
        {{{0, 0, 0}, {0, 0, 0, 1}, {-1, 1, 1}}, {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
        {{{5, 0, 0}, {0, 0, 0, 1}, {0, 1, 1}}, {0, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mat4 matrix;
        affine_from_transform(&cases[i].transform, matrix);
        matrix_is(matrix, cases[i].rows, 1e-6);
    }
}

/* One rotation has two quaternions: compared by sign of the dot product. */
static void rotation_is(const vec4 got, const vec4 expected, double limit)
{
    float dot = 0;
    for (int i = 0; i < 4; i++)
        dot += got[i] * expected[i];
    for (int i = 0; i < 4; i++)
        close_to(dot < 0 ? -got[i] : got[i], (double)expected[i], limit, "quaternion", i);
}

TEST(taking_apart_undoes_putting_together)
{
    uint64_t seed = 42;
    for (int n = 0; n < 2000; n++) {
        struct transform made, got;
        mat4 matrix;
        builder_random_rotation(&seed, made.rotation);
        for (int k = 0; k < 3; k++) {
            made.translation[k] = (float)(100 * builder_random(&seed, -1, 1));
            made.scale[k] = (float)(0.1 + fabs(3 * builder_random(&seed, -1, 1)));
        }
        if (n % 2)
            made.scale[0] = -made.scale[0]; /* a mirror is found in x */
        affine_from_transform(&made, matrix);
        assert_true(affine_to_transform(matrix, &got));
        assert_memory_equal(got.translation, made.translation, sizeof got.translation);
        rotation_is(got.rotation, made.rotation, 1e-5);
        ASSERT_NEAR(got.scale, made.scale, 3, 1e-5);
    }
}

/* Half turns keep their axis. A mirror in y is one in x and half a turn: another T R S of the same matrix. */
TEST(half_turns_and_mirrors)
{
    static const vec4 turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0.6f, 0.8f, 0, 0}, {0, 0.6f, -0.8f, 0},
                                 {-0.8f, 0, 0.6f, 0}, {0.99999f, 0, 0, 0.0044721f}};
    static const float mirror[12] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0};
    struct transform made = transform_identity, got;
    mat4 matrix;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        memcpy(made.rotation, turns[i], sizeof(vec4));
        affine_from_transform(&made, matrix);
        assert_true(affine_to_transform(matrix, &got));
        rotation_is(got.rotation, turns[i], 1e-6);
    }
    affine_from_rows(mirror, matrix);
    assert_true(affine_to_transform(matrix, &got));
    assert_true(got.scale[0] == -1 && got.scale[1] == 1 && got.scale[2] == 1);
    affine_from_transform(&got, matrix);
    matrix_is(matrix, mirror, 1e-6);
}

TEST(shear_is_reported)
{
    static const struct {
        float rows[12];
        bool exact;
    } cases[] = {
        {{1, 0.5f, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, false},
        {{1, 0.00005f, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, true}, /* rounding is no shear */
        {{1, 0, 0, 0, 0, 1, 0.001f, 0, 0, 0, 1, 0}, false},
        {{1, 0, 0.001f, 0, 0, 1, 0, 0, 0, 0, 1, 0}, false},
        {{1000, 0, 10, 0, 0, 1, 0, 0, 0, 0, 1000, 0}, false}, /* relative to the scale */
        {{1000, 0, 0.01f, 0, 0, 1, 0, 0, 0, 0, 1000, 0}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mat4 matrix;
        struct transform got;
        affine_from_rows(cases[i].rows, matrix);
        assert_int_equal(affine_to_transform(matrix, &got), cases[i].exact);
    }
}

TEST(zero_scale_still_has_a_rotation)
{
    static const vec3 scales[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}, {2, 0, 0}};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct transform made = transform_identity, got;
        mat4 matrix;
        memcpy(made.scale, scales[i], sizeof(vec3));
        made.rotation[2] = 0.6f;
        made.rotation[3] = 0.8f;
        affine_from_transform(&made, matrix);
        assert_false(affine_to_transform(matrix, &got));
        float length = 0;
        for (int k = 0; k < 4; k++)
            length += got.rotation[k] * got.rotation[k];
        assert_float_equal(length, 1, 1e-5);
        for (int k = 0; k < 3; k++)
            close_to(fabsf(got.scale[k]), (double)scales[i][k], 1e-6, "scale", k);
        mat4 again;
        affine_from_transform(&got, again); /* the rotation is one that gives the matrix back */
        float rows[12];
        affine_rows(matrix, rows);
        matrix_is(again, rows, 1e-5);
    }
}

TEST(inverses_by_hand)
{
    static const float inverse[12] = {0, 0.5f, 0, -3, -0.5f, 0, 0, 2, 0, 0, 0.25f, -2};
    static const float bad[][12] = {
        {0, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}, {1, 2, 0, 0, 2, 4, 0, 0, 0, 0, 1, 0}, {0},
        {NAN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 0, 0, INFINITY, 0, 1, 0, 0, 0, 0, 1, 0},
        {INFINITY, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
    };
    mat4 matrix, out;
    affine_from_rows((float[]){0, -2, 0, 4, 2, 0, 0, 6, 0, 0, 4, 8}, matrix);
    assert_true(affine_inverse(matrix, out) && affine_inverse(matrix, matrix)); /* also in place */
    matrix_is(out, inverse, 1e-6);
    matrix_is(matrix, inverse, 1e-6);
    affine_from_rows((float[]){1e-6f, 0, 0, 1, 0, 1e-6f, 0, 2, 0, 0, 1e-6f, 3}, matrix);
    assert_true(affine_inverse(matrix, out)); /* tiny, not singular */
    assert_float_equal(out[0][0], 1e6, 1);
    assert_float_equal(out[3][1], -2e6, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        affine_from_rows(bad[i], matrix);
        assert_false(affine_inverse(matrix, out));
        assert_true(affine_is_identity(out, 0));
    }
}

TEST(inverses_of_any)
{
    uint64_t seed = 99;
    int mirrored = 0;
    for (int n = 0; n < 1000; n++) {
        float rows[12];
        mat4 matrix, inverse, product;
        random_rows(&seed, rows);
        affine_from_rows(rows, matrix);
        double det = (double)affine_determinant(matrix);
        if (fabs(det) < 1)
            continue;
        mirrored += det < 0;
        assert_true(affine_inverse(matrix, inverse));
        affine_mul(inverse, matrix, product);
        assert_true(affine_is_identity(product, 5e-5f));
    }
    assert_true(mirrored > 100);
}

TEST(determinants_by_hand)
{
    static const struct {
        float rows[12], determinant;
    } cases[] = {
        {{2, 0, 0, 9, 0, 3, 0, 9, 0, 0, 4, 9}, 24},
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, -1},
        {{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 10, 0}, -3},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, 0},
    };
    mat4 matrix;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        affine_from_rows(cases[i].rows, matrix);
        assert_float_equal(affine_determinant(matrix), cases[i].determinant, 1e-6);
    }
}

TEST(finite_and_identity)
{
    mat4 matrix;
    affine_from_rows((float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1e-6f}, matrix);
    assert_true(affine_is_finite(matrix));
    assert_true(affine_is_identity(matrix, 1e-6f));
    assert_false(affine_is_identity(matrix, 1e-7f));
    for (int i = 0; i < 16; i++) {
        mat4 broken;
        memcpy(broken, matrix, sizeof broken);
        broken[i / 4][i % 4] = i % 2 ? NAN : INFINITY;
        assert_false(affine_is_finite(broken));
        assert_false(affine_is_identity(broken, 1e30f));
    }
}

/* ---- Euler angles for tables: R = Rz Ry Rx, in their ranges, and they give the rotation back --------------------- */

static const double pi = 3.14159265358979323846;

TEST(angles_by_hand)
{
    static const float h = 0.70710678f;
    const struct {
        vec4 q;
        vec3 degrees;
    } cases[] = {
        {{0, 0, 0, 1}, {0, 0, 0}},     {{h, 0, 0, h}, {90, 0, 0}},   {{0, h, 0, h}, {0, 90, 0}},
        {{0, 0, h, h}, {0, 0, 90}},    {{0, 0, -h, h}, {0, 0, -90}}, {{0, -h, 0, h}, {0, -90, 0}},
        {{1, 0, 0, 0}, {180, 0, 0}},   {{0, 0, 1, 0}, {0, 0, 180}},  {{0.38268343f, 0, 0, 0.92387953f}, {45, 0, 0}},
        {{0.5f, 0.5f, 0.5f, 0.5f}, {90, 0, 90}}, /* x to y to z */
    };
    vec3 out;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        euler_degrees(cases[i].q, out);
        ASSERT_NEAR(out, cases[i].degrees, 3, 1e-3);
    }
    for (int signs = 0; signs < 16; signs++) /* -0 in a quaternion must not turn 180 into -180 */
        for (int axis = 0; axis < 3; axis += 2) {
            vec4 q;
            for (int k = 0; k < 4; k++)
                q[k] = copysignf(k == axis ? 1.0f : 0.0f, signs >> k & 1 ? -1.0f : 1.0f);
            euler_degrees(q, out);
            assert_float_equal(out[axis], 180, 0);
        }
}

static void from_angles(const vec3 degrees, double out[3][3])
{
    double a = (double)degrees[0] * pi / 180, b = (double)degrees[1] * pi / 180, c = (double)degrees[2] * pi / 180;
    const double rows[3][3] = {
        {cos(c) * cos(b), cos(c) * sin(b) * sin(a) - sin(c) * cos(a), cos(c) * sin(b) * cos(a) + sin(c) * sin(a)},
        {sin(c) * cos(b), sin(c) * sin(b) * sin(a) + cos(c) * cos(a), sin(c) * sin(b) * cos(a) - cos(c) * sin(a)},
        {-sin(b), cos(b) * sin(a), cos(b) * cos(a)},
    };
    memcpy(out, rows, sizeof rows);
}

static void gives_rotation_back(const vec4 rotation, double limit)
{
    vec3 angles;
    double rows[3][3];
    mat4 matrix;
    struct transform t = transform_identity;
    memcpy(t.rotation, rotation, sizeof(vec4));
    affine_from_transform(&t, matrix);
    euler_degrees(rotation, angles);
    from_angles(angles, rows);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(rows[r][c] - (double)matrix[c][r]) < limit))
                fail_msg("(%.9g %.9g %.9g %.9g) as %g %g %g", (double)rotation[0], (double)rotation[1],
                         (double)rotation[2], (double)rotation[3], (double)angles[0], (double)angles[1],
                         (double)angles[2]);
    assert_true(angles[0] > -180 && angles[0] <= 180 && angles[2] > -180 && angles[2] <= 180);
    assert_true(angles[1] >= -90 && angles[1] <= 90);
}

TEST(rotations_come_back)
{
    uint64_t seed = 5;
    vec4 rotation;
    for (int n = 0; n < 20000; n++) {
        builder_random_rotation(&seed, rotation);
        gives_rotation_back(rotation, 1e-3);
    }
    for (int degrees = -180; degrees <= 180; degrees += 15) /* gimbal lock: Ry(90 - off) Rx(degrees) */
        for (int up = -1; up <= 1; up += 2)
            for (double off = 0; off < 1e-3; off = off == 0 ? 1e-5 : off * 3) {
                double a = degrees * pi / 360, b = up * (pi / 4 - off);
                gives_rotation_back((vec4){(float)(cos(b) * sin(a)), (float)(sin(b) * cos(a)),
                                           (float)(-sin(b) * sin(a)), (float)(cos(b) * cos(a))},
                                    1e-3);
            }
}

/* ---- boxes: empty ones, points that are no points, and what the radius means ------------------------------------- */

static void box_is(const struct bounds *b, const float expected[6])
{
    ASSERT_NEAR(b->min, expected, 3, 0);
    ASSERT_NEAR(b->max, expected + 3, 3, 0);
}

/* Of points that are finite. */
TEST(boxes_hold_points_and_boxes)
{
    static const vec3 points[] = {{1, 2, 3}, {-1, 5, 2}, {0, 0, 0}};
    static const vec3 none[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {100, 100, -INFINITY}};
    struct bounds a = {{0, 0, 0}, {1, 1, 1}}, b = bounds_empty(), empty = bounds_empty();
    bounds_add_points(&b, none, 3);
    assert_true(bounds_is_empty(&b));
    assert_float_equal(bounds_radius(&b), 0, 0);
    bounds_add_points(&b, points, 1);
    assert_false(bounds_is_empty(&b));
    box_is(&b, (float[]){1, 2, 3, 1, 2, 3});
    assert_float_equal(bounds_radius(&b), 0, 0);
    bounds_add_points(&b, points, 3);
    bounds_add_points(&b, none, 3);
    box_is(&b, (float[]){-1, 0, 0, 1, 5, 3});
    assert_float_equal(bounds_radius(&b), 0.5 * sqrt(4 + 25 + 9), 1e-6);
    bounds_add(&a, &empty);
    box_is(&a, (float[]){0, 0, 0, 1, 1, 1});
    bounds_add(&empty, &a);
    box_is(&empty, (float[]){0, 0, 0, 1, 1, 1});
    bounds_add(&b, &(struct bounds){{-0.5f, -2, 0}, {0, 3, 4}});
    box_is(&b, (float[]){-1, -2, 0, 1, 5, 4});
    b = (struct bounds){{-FLT_MAX / 4, 0, 0}, {FLT_MAX / 4, FLT_MAX / 4, 0}};
    assert_true(isfinite(bounds_radius(&b)));
}
