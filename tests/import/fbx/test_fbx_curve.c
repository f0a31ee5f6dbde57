#include "import/fbx_text.h"

#include <math.h>
#include <stdlib.h>

#include "import/fbx/fbx_fit.h"
#include "import/fbx/fbx_motion.h"

/* Curves of FBX files against closed forms. Keys are 2 s apart, at 0, 2 and 4 s. */

#define THREE_TIMES "0,92372316000,184744632000"
#define TWO_TIMES "0,92372316000"

static struct fbx_curve curve_of(const char *times, const char *values, const char *flags, const char *data,
                                 const char *runs)
{
    char text[2048];
    struct fbx_curve curve;
    curve_text(text, sizeof text, times, values, flags, data, runs);
    if (!read_curve(text, strlen(text), &curve))
        fail_msg("the curve is not read:\n%s", text);
    return curve;
}

static double value_at(const struct fbx_curve *curve, double time)
{
    double value, slope;
    fbx_curve_evaluate(curve, time, time, &value, &slope);
    return value;
}

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.15g instead of %.15g", actual, expected);
}

/* Hermite: 3 (2u^3 - 3u^2 + 1) + 2 s 5/s (u^3 - 2u^2 + u) + 7 (3u^2 - 2u^3) + 2 s (-1)/s (u^3 - u^2). */
static void test_stored_slopes(void **state)
{
    (void)state;
    struct fbx_curve curve = curve_of(TWO_TIMES, "3,7", "1032", "5,-1,0,0", "2");
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, u2 = u * u, u3 = u2 * u, value, slope;
        fbx_curve_evaluate(&curve, 1, 2 * u, &value, &slope);
        assert_near(value, 3 * (2 * u3 - 3 * u2 + 1) + 10 * (u3 - 2 * u2 + u) + 7 * (3 * u2 - 2 * u3) - 2 * (u3 - u2));
        assert_near(slope,
                    (3 * (6 * u2 - 6 * u) + 10 * (3 * u2 - 4 * u + 1) + 7 * (6 * u - 6 * u2) - 2 * (3 * u2 - 2 * u)) /
                        2);
    }
    assert_near(value_at(&curve, -1), 3);
    assert_near(value_at(&curve, 5), 7);
    free(curve.keys);
}

static void test_lines_and_held_values(void **state)
{
    (void)state;
    struct fbx_curve line = curve_of(THREE_TIMES, "1,2,-6", "4", "0,0,0,0", "3");
    struct fbx_curve held = curve_of(THREE_TIMES, "1,2,-6", "2,258", "0,0,0,0,0,0,0,0", "1,2");
    assert_near(value_at(&line, 0.5), 1.25);
    assert_near(value_at(&line, 3), -2);
    assert_near(value_at(&held, 1.9), 1);
    assert_near(value_at(&held, 2), 2); /* the key's own value, although the next one's holds behind it */
    assert_near(value_at(&held, 2.1), -6);
    free(line.keys);
    free(held.keys);
}

/* Weights 0.1 and 0.8, packed as 1000 and 8000: a point of the Bezier segment is found by its parameter. */
static void test_weighted_tangents(void **state)
{
    (void)state;
    const uint32_t bits = 8000u << 16 | 1000u;
    float packed;
    char data[64];
    memcpy(&packed, &bits, sizeof packed);
    snprintf(data, sizeof data, "4,-3,%.9g,0", (double)packed);
    struct fbx_curve curve = curve_of(TWO_TIMES, "1,2", "50332680", data, "2");
    for (int i = 1; i < 8; i++) {
        double s = i / 8.0, r = 1 - s;
        double time = 2 * (3 * r * r * s * 0.1 + 3 * r * s * s * 0.2 + s * s * s);
        assert_near(value_at(&curve, time),
                    r * r * r + 3 * r * r * s * (1 + 0.2 * 4) + 3 * r * s * s * (2 + 1.6 * 3) + 2 * s * s * s);
    }
    free(curve.keys);
}

/* Slopes (left, right) that the keys 0, 1, 6 at 0, 2, 4 s get from their neighbours. */
static void test_derived_slopes(void **state)
{
    (void)state;
    static const struct {
        const char *flags, *data;
        double left, right;
    } kinds[] = {
        {"8200", "0,0,0,0", 1.5, 1.5},    /* time-independent: (6 - 0) / 4 s */
        {"24840", "0,0,0,0", 1.5, 1.5},   /* clamped progressively: no steeper than 0.5 / (1/3) */
        {"4104", "0,0,0,0", 1.5, 1.5},    /* clamped beside equal values: there are none */
        {"264", "0,0,0,0", 1.5, 1.5},     /* half of it, and half of both sides by their share of the time */
        {"264", "50,0,0,0", 1.5, 2},      /* a bias of 50 % turns it half way to the right line, 2.5 */
        {"520", "0,0,0,0", 1.5, 1.5},     /* TCB: half the sum of 0.5 and 2.5 */
        {"520", "0.5,0,0,0", 0.75, 0.75}, /* tension */
        {"520", "0,0.5,0,0", 2, 1},       /* continuity: 0.5 (0.5 0.5 + 1.5 2.5), 0.5 (1.5 0.5 + 0.5 2.5) */
        {"520", "0,0,0.5,0", 1, 1},       /* bias: 0.5 (1.5 0.5 + 0.5 2.5) */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct fbx_curve curve = curve_of(THREE_TIMES, "0,1,6", kinds[i].flags, kinds[i].data, "3");
        assert_near(curve.keys[1].in_slope, kinds[i].left);
        assert_near(curve.keys[1].out_slope, kinds[i].right);
        free(curve.keys);
    }
    struct fbx_curve curve = curve_of(THREE_TIMES, "0,0.5,6", "24840", "0,0,0,0", "3");
    assert_near(curve.keys[1].in_slope, 0.75); /* 0.5 / 2 s / (1/3), where 1.5 would lead below 0 */
    assert_near(curve.keys[0].out_slope, 0);
    free(curve.keys);
}

static void test_broken_curves_are_refused(void **state)
{
    (void)state;
    static const char *const broken[][5] = {
        {"0,0", "1,2", "8", "0,0,0,0", "2"},   /* times do not ascend */
        {TWO_TIMES, "1", "8", "0,0,0,0", "2"}, /* fewer values than times */
        {TWO_TIMES, "1,nan", "8", "0,0,0,0", "2"},
        {TWO_TIMES, "1,2", "8", "0,0,0", "2"},             /* fewer than four numbers */
        {TWO_TIMES, "1,2", "8,8", "0,0,0,0,0,0,0,0", "2"}, /* a run without a length */
        {TWO_TIMES, "1,2", "8", "0,0,0,0", "1"},           /* runs for fewer keys */
        {TWO_TIMES, "1,2", "8", "0,0,0,0", "-1"},
        {TWO_TIMES, "1,2", "1032", "inf,0,0,0", "2"},
        {"", "", "", "", ""},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[2048];
        struct fbx_curve curve;
        curve_text(text, sizeof text, broken[i][0], broken[i][1], broken[i][2], broken[i][3], broken[i][4]);
        if (read_curve(text, strlen(text), &curve))
            fail_msg("curve %zu is read", i);
    }
}

/* ---- rotations --------------------------------------------------------------------------------------------------- */

static void rotate(const double q[4], const double v[3], double out[3])
{
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]), 2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    out[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    out[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

/* 90 degrees about two axes: where e goes tells which turned first. */
static void test_order_of_axes(void **state)
{
    (void)state;
    static const struct {
        unsigned order;
        double degrees[3], e[3], expected[3];
    } orders[] = {
        {0, {90, 90, 0}, {0, 1, 0}, {1, 0, 0}}, /* XYZ: y to z, then z to x */
        {1, {90, 0, 90}, {0, 1, 0}, {0, 0, 1}}, /* XZY: y to z, which z keeps */
        {2, {0, 90, 90}, {0, 0, 1}, {0, 1, 0}}, /* YZX: z to x, then x to y */
        {3, {90, 90, 0}, {0, 1, 0}, {0, 0, 1}}, /* YXZ: y keeps y, then y to z */
        {4, {90, 0, 90}, {1, 0, 0}, {0, 0, 1}}, /* ZXY: x to y, then y to z */
        {5, {0, 90, 90}, {1, 0, 0}, {0, 1, 0}}, /* ZYX: x to y, which y keeps */
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        double q[4], out[3];
        fbx_euler(orders[i].degrees, orders[i].order, q);
        rotate(q, orders[i].e, out);
        for (int k = 0; k < 3; k++)
            assert_near(out[k], orders[i].expected[k]);
    }
}

static void evaluate(const void *of, double middle, double time, double *value, double *slope)
{
    fbx_motion_evaluate(of, middle, time, value, slope);
}

/* Keys that follow three lines of Euler angles: within a millionth between all of them, and few. */
static void test_fit_of_a_rotation(void **state)
{
    (void)state;
    static const double knots[2] = {0, 2}, none[4] = {0, 0, 0, 1};
    struct fbx_motion motion = {.component = COMPONENT_ROTATION, .order = 3, .constants = {0, 0, -35}};
    struct fbx_fit fit;
    memcpy(motion.before, none, sizeof none);
    memcpy(motion.after, none, sizeof none);
    motion.curves[0] = curve_of(TWO_TIMES, "0,100", "4", "0,0,0,0", "2");
    motion.curves[1] = curve_of(TWO_TIMES, "20,-70", "4", "0,0,0,0", "2");
    assert_true(fbx_fit(&(struct fbx_function){4, true, evaluate, &motion}, knots, 2, 1e-6, &fit));
    assert_in_range(fit.count, 3, 33);
    for (uint32_t k = 0; k + 1 < fit.count; k++) {
        const float *a = fit.values + 12 * k, *b = a + 12;
        double span = fit.times[k + 1] - fit.times[k], expected[4], slope[4];
        for (int i = 0; i <= 10; i++) {
            double u = 0.1 * i, cubic[4], square = 0;
            for (int j = 0; j < 4; j++) {
                cubic[j] = (2 * u * u * u - 3 * u * u + 1) * (double)a[4 + j] +
                           span * (u * u * u - 2 * u * u + u) * (double)a[8 + j] +
                           (3 * u * u - 2 * u * u * u) * (double)b[4 + j] + span * (u * u * u - u * u) * (double)b[j];
                square += cubic[j] * cubic[j];
            }
            fbx_motion_evaluate(&motion, 1, fit.times[k] + u * span, expected, slope);
            for (int j = 0; j < 4; j++)
                assert_true(fabs(cubic[j] / sqrt(square) - expected[j]) < 1.5e-6);
        }
    }
    free(fit.times);
    free(fit.values);
    free(motion.curves[0].keys);
    free(motion.curves[1].keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_slopes),     cmocka_unit_test(test_lines_and_held_values),
        cmocka_unit_test(test_weighted_tangents), cmocka_unit_test(test_derived_slopes),
        cmocka_unit_test(test_order_of_axes),     cmocka_unit_test(test_broken_curves_are_refused),
        cmocka_unit_test(test_fit_of_a_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
