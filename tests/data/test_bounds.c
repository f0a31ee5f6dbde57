/* Boxes: empty ones, points that are no points, and what radius and extent mean. */
#include "cmocka_setup.h"

#include <float.h>
#include <math.h>

#include "data/bounds.h"

static void box_is(const struct bounds *b, const float expected[6])
{
    for (int k = 0; k < 3; k++) {
        assert_float_equal(b->min[k], expected[k], 0);
        assert_float_equal(b->max[k], expected[3 + k], 0);
    }
}

static void empty_has_no_size(void **state)
{
    (void)state;
    struct bounds b = bounds_empty();
    vec3 center;
    assert_true(bounds_is_empty(&b));
    assert_float_equal(bounds_radius(&b), 0, 0);
    assert_float_equal(bounds_extent(&b), 0, 0);
    bounds_center(&b, center);
    assert_true(isfinite(center[0]) && isfinite(center[1]) && isfinite(center[2]));
}

static void points_widen_the_box(void **state)
{
    (void)state;
    static const vec3 points[] = {{1, 2, 3}, {-1, 5, 2}, {0, 0, 0}};
    struct bounds b = bounds_empty();
    vec3 center;
    bounds_add_points(&b, points, 1);
    assert_false(bounds_is_empty(&b));
    box_is(&b, (float[]){1, 2, 3, 1, 2, 3});
    assert_float_equal(bounds_radius(&b), 0, 0);
    bounds_add_points(&b, points, 3);
    box_is(&b, (float[]){-1, 0, 0, 1, 5, 3});
    assert_float_equal(bounds_extent(&b), 5, 0);
    assert_float_equal(bounds_radius(&b), 0.5 * sqrt(4 + 25 + 9), 1e-6);
    bounds_center(&b, center);
    assert_float_equal(center[0], 0, 0);
    assert_float_equal(center[1], 2.5, 0);
    assert_float_equal(center[2], 1.5, 0);
}

static void what_is_no_point_is_left_out(void **state)
{
    (void)state;
    static const vec3 points[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {100, 100, -INFINITY}, {1, 1, 1}, {50, 50, NAN}};
    struct bounds b = bounds_empty();
    bounds_add_points(&b, points, 3);
    assert_true(bounds_is_empty(&b));
    bounds_add_points(&b, points, 5);
    box_is(&b, (float[]){1, 1, 1, 1, 1, 1});
}

static void boxes_join(void **state)
{
    (void)state;
    struct bounds a = {{0, 0, 0}, {1, 1, 1}}, b = {{-1, 0.5f, 2}, {0, 3, 4}}, none = bounds_empty();
    bounds_add(&a, &none);
    box_is(&a, (float[]){0, 0, 0, 1, 1, 1});
    bounds_add(&none, &a);
    box_is(&none, (float[]){0, 0, 0, 1, 1, 1});
    bounds_add(&a, &b);
    box_is(&a, (float[]){-1, 0, 0, 1, 3, 4});
}

static void huge_boxes_do_not_overflow(void **state)
{
    (void)state;
    struct bounds b = {{-FLT_MAX / 4, 0, 0}, {FLT_MAX / 4, FLT_MAX / 4, 0}};
    vec3 center;
    assert_true(isfinite(bounds_radius(&b)));
    assert_true(isfinite(bounds_extent(&b)));
    bounds_center(&b, center);
    assert_float_equal(center[0], 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_has_no_size),
        cmocka_unit_test(points_widen_the_box),
        cmocka_unit_test(what_is_no_point_is_left_out),
        cmocka_unit_test(boxes_join),
        cmocka_unit_test(huge_boxes_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
