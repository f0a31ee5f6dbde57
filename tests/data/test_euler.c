/* Euler angles for tables: R = Rz Ry Rx, in their ranges, and they give the rotation back. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "data/affine.h"
#include "data/record/record.h"
#include "scene_builder.h"

static const double pi = 3.14159265358979323846;

static void angles_are(const vec4 q, double x, double y, double z)
{
    vec3 out;
    const double expected[3] = {x, y, z};
    euler_degrees(q, out);
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)out[k] - expected[k]) < 1e-3))
            fail_msg("(%g %g %g %g): %g %g %g, not %g %g %g", (double)q[0], (double)q[1], (double)q[2], (double)q[3],
                     (double)out[0], (double)out[1], (double)out[2], x, y, z);
}

static void single_axes(void **state)
{
    (void)state;
    const float h = 0.70710678f;
    angles_are((vec4){0, 0, 0, 1}, 0, 0, 0);
    angles_are((vec4){h, 0, 0, h}, 90, 0, 0);
    angles_are((vec4){0, h, 0, h}, 0, 90, 0);
    angles_are((vec4){0, 0, h, h}, 0, 0, 90);
    angles_are((vec4){0, 0, -h, h}, 0, 0, -90);
    angles_are((vec4){0, -h, 0, h}, 0, -90, 0);
    angles_are((vec4){1, 0, 0, 0}, 180, 0, 0);
    angles_are((vec4){0, 0, 1, 0}, 0, 0, 180);
    angles_are((vec4){0.5f, 0.5f, 0.5f, 0.5f}, 90, 0, 90); /* x to y to z */
    angles_are((vec4){0.38268343f, 0, 0, 0.92387953f}, 45, 0, 0);
}

/* -0 in a quaternion must not turn 180 into -180. */
static void half_turns_are_plus_180(void **state)
{
    (void)state;
    for (int signs = 0; signs < 16; signs++)
        for (int axis = 0; axis < 3; axis += 2) {
            vec4 q;
            vec3 out;
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

static void random_rotations_come_back(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 20000; n++) {
        vec4 rotation;
        builder_random_rotation(&seed, rotation);
        gives_rotation_back(rotation, 1e-3);
    }
}

static void gimbal_lock_comes_back(void **state)
{
    (void)state;
    for (int degrees = -180; degrees <= 180; degrees += 15)
        for (int up = -1; up <= 1; up += 2)
            for (double off = 0; off < 1e-3; off = off == 0 ? 1e-5 : off * 3) { /* Ry(90 - off) Rx(degrees) */
                double a = degrees * pi / 360, b = up * (pi / 4 - off);
                gives_rotation_back((vec4){(float)(cos(b) * sin(a)), (float)(sin(b) * cos(a)),
                                           (float)(-sin(b) * sin(a)), (float)(cos(b) * cos(a))},
                                    1e-3);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_axes),
        cmocka_unit_test(half_turns_are_plus_180),
        cmocka_unit_test(random_rotations_come_back),
        cmocka_unit_test(gimbal_lock_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
