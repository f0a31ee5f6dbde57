#include <math.h>

#include "animate/curve.h"
#include "cmocka_setup.h"
#include "scene_builder.h"

/*
 * The polynomial slerp against slerp in double with acos and sin. Measured: 1.6e-7 at most; the parts of a unit
 * quaternion are floats with steps of up to 6e-8.
 */
static const double tolerance = 2.5e-7;

static void slerp_in_double(const float a[4], const float b[4], double u, double out[4])
{
    double dot = 0, length_a = 0, length_b = 0;
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * b[i];
        length_a += (double)a[i] * a[i];
        length_b += (double)b[i] * b[i];
    }
    dot /= sqrt(length_a * length_b);
    double angle = acos(fmin(fmax(dot, -1), 1));
    double from = 1 - u, to = u, square = 0;
    if (angle > 1e-9) {
        from = sin((1 - u) * angle) / sin(angle);
        to = sin(u * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = from * a[i] + to * b[i];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(square);
}

static double error_at(const float a[4], const float b[4], float u)
{
    f32x4 from[4], to[4], got[4];
    double expected[4], worst = 0;
    for (int i = 0; i < 4; i++) {
        from[i] = lanes_splat(a[i]);
        to[i] = lanes_splat(b[i]);
    }
    curve_slerp(from, to, lanes_splat(u), got);
    slerp_in_double(a, b, u, expected);
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs(got[i][2] - expected[i]));
    return worst;
}

/* Two rotations `degrees` apart about a random axis, on the same side. */
static void random_pair(uint64_t *seed, double degrees, float a[4], float b[4])
{
    float axis[4];
    builder_random_rotation(seed, a);
    builder_random_rotation(seed, axis);
    double length = sqrt((double)axis[0] * axis[0] + (double)axis[1] * axis[1] + (double)axis[2] * axis[2]);
    double half = degrees * 3.14159265358979323846 / 360, s = sin(half) / length, c = cos(half);
    double x = axis[0] * s, y = axis[1] * s, z = axis[2] * s;
    b[0] = (float)(c * a[0] + x * a[3] + y * a[2] - z * a[1]);
    b[1] = (float)(c * a[1] + y * a[3] + z * a[0] - x * a[2]);
    b[2] = (float)(c * a[2] + z * a[3] + x * a[1] - y * a[0]);
    b[3] = (float)(c * a[3] - x * a[0] - y * a[1] - z * a[2]);
}

static double worst_at(double degrees, uint64_t *seed)
{
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
        float a[4], b[4];
        random_pair(seed, degrees, a, b);
        worst = fmax(worst, error_at(a, b, (float)builder_random(seed, 0, 1)));
        worst = fmax(worst, error_at(a, b, 0.5f));
        worst = fmax(worst, error_at(a, b, (float)pow(builder_random(seed, 0, 1), 20)));
        worst = fmax(worst, error_at(a, b, 1));
    }
    return worst;
}

static void test_accuracy(void **state)
{
    (void)state;
    const double degrees[] = {0, 1e-6, 1e-3, 0.1, 1, 10, 45, 90, 120, 150, 179, 179.9, 179.999, 180};
    uint64_t seed = 11;
    double worst = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        worst = fmax(worst, worst_at(degrees[i], &seed));
    for (int i = 0; i < 400; i++)
        worst = fmax(worst, worst_at(builder_random(&seed, 0, 180), &seed));
    print_message("off by at most %.2e\n", worst);
    assert_true(worst < tolerance);
}

/* A key pair on opposite sides of the sphere is the same arc, and huge factors stay finite and normalised. */
static void test_extrapolated_rotation_extremes(void **state)
{
    (void)state;
    const float a[4] = {0, 0, 0, 1}, b[4] = {0, 0, 0.70710678f, 0.70710678f};
    const float opposite[4] = {0, 0, -0.70710678f, -0.70710678f};
    const double factors[] = {-1e300, -1e15, -3, 3, 1e6, 1e300};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        float one[4], other[4];
        extrapolate_rotation(a, b, factors[i], one);
        extrapolate_rotation(a, opposite, factors[i], other);
        assert_memory_equal(one, other, sizeof one);
        assert_true(fabsf(one[2] * one[2] + one[3] * one[3] - 1) < 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_extrapolated_rotation_extremes),
    };
    return cmocka_run_group_tests_name("slerp", tests, NULL, NULL);
}
