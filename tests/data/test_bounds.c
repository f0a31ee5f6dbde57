/* Boxes: empty ones, points that are no points, and what the radius means. */
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

static void points_widen_the_box(void **state)
{
    (void)state;
    static const vec3 points[] = {{1, 2, 3}, {-1, 5, 2}, {0, 0, 0}};
    struct bounds b = bounds_empty();
    assert_true(bounds_is_empty(&b));
    assert_float_equal(bounds_radius(&b), 0, 0);
    bounds_add_points(&b, points, 1);
    assert_false(bounds_is_empty(&b));
    box_is(&b, (float[]){1, 2, 3, 1, 2, 3});
    assert_float_equal(bounds_radius(&b), 0, 0);
    bounds_add_points(&b, points, 3);
    box_is(&b, (float[]){-1, 0, 0, 1, 5, 3});
    assert_float_equal(bounds_radius(&b), 0.5 * sqrt(4 + 25 + 9), 1e-6);
    b = (struct bounds){{-FLT_MAX / 4, 0, 0}, {FLT_MAX / 4, FLT_MAX / 4, 0}};
    assert_true(isfinite(bounds_radius(&b)));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_widen_the_box),
        cmocka_unit_test(what_is_no_point_is_left_out),
        cmocka_unit_test(boxes_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
