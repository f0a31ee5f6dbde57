/* Matrices that are rotation, translation and one scale, and those that are not. */
#include "data/pose/similarity.h"

#include <math.h>

#include "cmocka_setup.h"
#include "data/affine.h"

static bool from_rows(const float *rows, struct similarity *out, const char **why)
{
    mat4 matrix;
    affine_from_rows(rows, matrix);
    return similarity_from_affine(matrix, out, why);
}

static void parts_are_found(void **state)
{
    (void)state;
    static const struct {
        float rows[12];
        struct similarity expected;
    } rows[] = {
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {{0, 0, 0, 1}, {0, 0, 0}, 1}},
        {{0, -2, 0, 5, 2, 0, 0, 6, 0, 0, 2, 7}, {{0, 0, 0.70710678f, 0.70710678f}, {5, 6, 7}, 2}},
        {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0}, {{0, 0, 1, 0}, {0, 0, 0}, 1}},   /* half turns */
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}, {{0, 1, 0, 0}, {0, 0, 0}, 1}},
        {{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}, {{1, 0, 0, 0}, {0, 0, 0}, 1}},
        {{0, 0, 0.5f, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0}, {{0.5f, 0.5f, 0.5f, 0.5f}, {0, 0, 0}, 0.5f}},
        {{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}, {{0, 0, 0, 1}, {1, 2, 3}, 0}},
        {{1e-20f, 0, 0, 0, 0, 1e-20f, 0, 0, 0, 0, 1e-20f, 0}, {{0, 0, 0, 1}, {0, 0, 0}, 1e-20f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct similarity got;
        const char *why = "";
        if (!from_rows(rows[i].rows, &got, &why))
            fail_msg("row %zu %s", i, why);
        for (int k = 0; k < 4; k++)
            assert_true(fabsf(got.rotation[k] - rows[i].expected.rotation[k]) < 1e-6f);
        assert_memory_equal(got.translation, rows[i].expected.translation, sizeof got.translation);
        assert_true(fabsf(got.scale - rows[i].expected.scale) <= 1e-6f * rows[i].expected.scale);
    }
}

/* Just within and just beyond 1e-5 of the scale. */
static void the_tolerance_is_the_stated(void **state)
{
    (void)state;
    struct similarity got;
    const char *why = "";
    assert_true(from_rows((float[]){3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3.00003f, 0}, &got, &why));
    assert_false(from_rows((float[]){3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3.0001f, 0}, &got, &why));
    assert_string_equal(why, "has a scale that is not uniform");
}

static void what_is_none_says_why(void **state)
{
    (void)state;
    static const struct {
        float rows[12];
        const char *why;
    } rows[] = {
        {{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0}, "has a scale that is not uniform"},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, "has a scale that is not uniform"},
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, "is mirrored"},
        {{-3, 0, 0, 0, 0, -3, 0, 0, 0, 0, -3, 0}, "is mirrored"},
        {{1, 0.6f, 0, 0, 0, 0.8f, 0, 0, 0, 0, 1, 0}, "has shear"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct similarity got;
        const char *why = "";
        assert_false(from_rows(rows[i].rows, &got, &why));
        assert_string_equal(why, rows[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_found),
        cmocka_unit_test(the_tolerance_is_the_stated),
        cmocka_unit_test(what_is_none_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
