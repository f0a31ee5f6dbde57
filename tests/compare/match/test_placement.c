/* Maps in double, what became of a matrix, and the turns of a whole thing. */
#include "cmocka_setup.h"

#include "compare/match/matrix_change.h"
#include "base/format_number.h"
#include "compare/match/placement.h"

static const double degree = 3.14159265358979323846 / 180.0;

static struct affine_d turned(int axis, double degrees, double x, double y, double z)
{
    struct transform t = {{(float)x, (float)y, (float)z}, {0, 0, 0, 1}, {1, 1, 1}};
    t.rotation[axis] = (float)sin(0.5 * degrees * degree);
    t.rotation[3] = (float)cos(0.5 * degrees * degree);
    return affine_d_from_transform(&t);
}

static void scale_axes(struct affine_d *m, double x, double y, double z)
{
    for (int k = 0; k < 3; k++) {
        m->column[0][k] *= x;
        m->column[1][k] *= y;
        m->column[2][k] *= z;
    }
}

TEST(angles_are_exact_when_small)
{
    static const double angles[] = {0, 1e-6, 1e-3, 1, 12, 89.5, 120, 179};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        struct affine_d a = turned(1, 20, 1, 2, 3), b = affine_d_identity;
        double t = angles[i] * degree; /* in double: a float quaternion is too coarse for the small ones */
        struct affine_d r = {{{cos(t), sin(t), 0}, {-sin(t), cos(t), 0}, {0, 0, 1}, {4, 5, 6}}};
        assert_float_equal(affine_d_degrees(&r, &b), angles[i], 1e-9 + 1e-6 * angles[i]);
        b = affine_d_mul(&r, &a);
        scale_axes(&b, 2, 3, 0.5);
        assert_float_equal(affine_d_degrees(&a, &b), angles[i], 1e-7 + 1e-6 * angles[i]);
    }
}

TEST(inverses_undo)
{
    struct affine_d m = turned(2, 33, 5, -7, 9), inverse;
    scale_axes(&m, 1e-9, 2e-9, 3e-9);
    assert_true(affine_d_inverse(&m, &inverse));
    struct affine_d both = affine_d_mul(&m, &inverse);
    assert_true(affine_d_near(&both, &affine_d_identity, 1e-12, 1e-9));
    scale_axes(&m, 1, 0, 1);
    assert_false(affine_d_inverse(&m, &inverse));
    assert_true(affine_d_near(&inverse, &affine_d_identity, 0, 0));
}

TEST(scale_change_is_the_largest)
{
    struct affine_d a = turned(0, 40, 0, 0, 0), b = a;
    scale_axes(&b, 1.02, 0.95, 1);
    assert_float_equal(affine_d_scale_percent(&a, &b), -5, 1e-5);
    assert_float_equal(affine_d_scale_percent(&a, &a), 0, 0);
    scale_axes(&a, 0, 1, 1);
    assert_float_equal(affine_d_scale_percent(&a, &b), 100, 1e-5);
}

static unsigned patterns(const struct affine_d *was, const struct affine_d *now)
{
    return matrix_mistakes(was, now, 1e-4);
}

TEST(patterns_are_recognised)
{
    struct affine_d m = turned(1, 30, 1, 2, 3), t = m, inverse, other = turned(1, 31, 1, 2, 3);
    assert_true(affine_d_inverse(&m, &inverse));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t.column[i][k] = m.column[k][i];
    assert_int_equal(patterns(&m, &affine_d_identity), 1u << WHY_IDENTITY);
    assert_int_equal(patterns(&m, &t), 1u << WHY_TRANSPOSED);
    memset(t.column[3], 0, sizeof t.column[3]);
    assert_int_equal(patterns(&m, &t), 1u << WHY_TRANSPOSED);
    assert_int_equal(patterns(&m, &inverse), 1u << WHY_INVERSE);
    struct affine_d centimetres = affine_d_identity, hectometres = affine_d_identity;
    for (int k = 0; k < 3; k++) {
        centimetres.column[k][k] = 0.01;
        hectometres.column[k][k] = 100;
    }
    assert_int_equal(patterns(&centimetres, &hectometres), 0); /* another unit, not an inverse */
    assert_int_equal(patterns(&m, &other), 0);
    t = m;
    memset(t.column[3], 0, sizeof t.column[3]);
    assert_int_equal(patterns(&m, &t), 1u << WHY_UNMOVED);
    /* 1 2 3, 4 5 6, 7 8 9 and 10 11 12 as columns; as rows of four 1 2 3 4, 5 6 7 8, 9 10 11 12 */
    struct affine_d columns = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}};
    struct affine_d rows = {{{1, 5, 9}, {2, 6, 10}, {3, 7, 11}, {4, 8, 12}}};
    assert_int_equal(patterns(&columns, &rows), 1u << WHY_BY_COLUMNS);
    assert_int_equal(patterns(&rows, &columns), 0);
    struct affine_d a = affine_d_identity, b = affine_d_identity;
    a.column[3][0] = 3e-5;
    b.column[3][0] = 6e-5;
    assert_int_equal(patterns(&a, &b), 0);
    b.column[0][1] = 2e-5;
    assert_int_equal(patterns(&a, &b), 0);
    const unsigned masks[] = {1u << WHY_INVERSE, 1u << WHY_INVERSE | 1u << WHY_TRANSPOSED,
                              1u << WHY_IDENTITY};
    assert_int_equal(matrix_mistake_of_most(masks, 3), WHY_INVERSE);
    assert_int_equal(matrix_mistake_of_most(masks + 1, 1), WHY_TRANSPOSED);
    assert_int_equal(matrix_mistake_of_most(masks, 0), WHY_NONE);
}

TEST(longer_translations_are_a_ratio)
{
    struct affine_d a = turned(0, 20, 1, 2, 3), b = turned(0, 20, 100, 200, 300), c = turned(0, 20, 100, 200, 301);
    assert_float_equal(matrix_translation_ratio(&a, &b, 1e-6), 100, 1e-3);
    assert_float_equal(matrix_translation_ratio(&a, &c, 1e-6), 0, 0);
    c = turned(0, 21, 100, 200, 300);
    assert_float_equal(matrix_translation_ratio(&a, &c, 1e-6), 0, 0);
    assert_float_equal(matrix_translation_ratio(&a, &a, 1e-6), 0, 0);
}

static void describes(const struct affine_d *m, const char *expected)
{
    assert_writes(matrix_describe(m, 1e-6, 1.0, out), expected);
}

TEST(maps_have_words)
{
    struct affine_d m = turned(0, 90, 0, 0, 0);
    describes(&affine_d_identity, "nothing");
    describes(&m, "90.0° about x");
    m = turned(1, -12, 0, -0.03, 0);
    describes(&m, "-12.0° about y, 3 cm along -y");
    m = turned(2, 180, 0, 0, 0);
    describes(&m, "180.0° about z");
    m = affine_d_identity;
    scale_axes(&m, 100, 100, 100);
    describes(&m, "100 times larger");
    scale_axes(&m, 0.0102, 0.0102, 0.0102);
    describes(&m, "scale +2 %");
    m = affine_d_identity;
    scale_axes(&m, 1, -1, 1);
    describes(&m, "mirrored along y");
    scale_axes(&m, 2, 1, 1);
    describes(&m, "mirrored along y, scale (2, 1, 1)");
    const double third = 1.0 / sqrt(3.0);
    struct transform t = {{0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1}};
    for (int k = 0; k < 3; k++)
        t.rotation[k] = (float)(third * sin(60 * degree));
    t.rotation[3] = (float)cos(60 * degree);
    m = affine_d_from_transform(&t);
    describes(&m, "120.0° about (0.58, 0.58, 0.58)");
}

TEST(changes_leave_out_what_does_not_matter)
{
    SCOPED(text) text = {0};
    change_describe(12, "", 3, NAN, 1, 3, 0, &text);
    assert_string_equal(text_string(&text), "12.0° and 3.00 units");
    text.size = 0;
    change_describe(3.2, "x", 0.011, 2, 0.5, 0.0123, 1, &text);
    assert_string_equal(text_string(&text), "3.2° about x, 1.1 cm, scale +2 %");
    text.size = 0;
    change_describe(1e-5, "", 0.011, 1e-6, 0.5, 0.0123, 1, &text);
    assert_string_equal(text_string(&text), "1.1 cm");
    text.size = 0;
    change_describe(0, "", 0, 0, 0.5, 0.0123, 1, &text); /* shear alone */
    assert_string_equal(text_string(&text), "1.23 cm");
}

static struct box box_around(const double (*points)[3], size_t count)
{
    struct box box = box_empty;
    for (size_t i = 0; i < count; i++)
        box_add(&box, points[i]);
    return box;
}

TEST(box_placements_are_found)
{
    static const double points[2][3] = {{1, 2, 3}, {2, 4, 7}};
    for (int turn = 0; turn < TURN_COUNT; turn++) {
        struct placement p = {.scale = 100, .turn = turn, .shift = {5, 0, -7}}, found;
        double placed[2][3];
        for (int i = 0; i < 2; i++)
            placement_apply(&p, points[i], placed[i]);
        struct box was = box_around(points, 2), now = box_around((const double(*)[3])placed, 2);
        assert_true(placement_of_boxes(&was, &now, turn, &found));
        assert_float_equal(found.scale, 100, 1e-9);
        assert_float_equal(vector_distance(found.shift, p.shift), 0, 1e-9);
    }
    struct box was = box_around(points, 2), now = was;
    struct placement found;
    now.max[0] += 0.5;
    for (int turn = 0; turn < TURN_COUNT; turn++)
        assert_false(placement_of_boxes(&was, &now, turn, &found));
    assert_false(placement_of_boxes(&box_empty, &now, 0, &found));
}

static void placement_words(const struct placement *p, const char *expected)
{
    assert_writes(placement_describe(p, 1.0, out), expected);
}

TEST(placements_are_all_there_is_and_have_words)
{
    static const double point[3] = {1, 2, 3};
    double seen[TURN_COUNT][3];
    for (int turn = 0; turn < TURN_COUNT; turn++) {
        struct placement p = {.scale = 1, .turn = turn};
        struct affine_d m;
        double back[3];
        for (int i = 0; i < 4; i++)
            placement_apply(&p, affine_d_identity.column[i], m.column[i]);
        double det = 0;
        for (int k = 0; k < 3; k++)
            det += m.column[0][k] * (m.column[1][(k + 1) % 3] * m.column[2][(k + 2) % 3] -
                                     m.column[1][(k + 2) % 3] * m.column[2][(k + 1) % 3]);
        assert_float_equal(det, turn < TURN_COUNT / 2 ? 1 : -1, 0);
        placement_apply(&p, point, seen[turn]);
        for (int other = 0; other < turn; other++)
            assert_true(vector_distance(seen[turn], seen[other]) > 0.5);
        placement_undo(&p, seen[turn], back);
        assert_float_equal(vector_distance(back, point), 0, 0);
    }
    placement_words(&(struct placement){.scale = 1}, "");
    placement_words(&(struct placement){.scale = 100}, "100 times larger");
    placement_words(&(struct placement){.scale = 1.02}, "2 % larger");
    placement_words(&(struct placement){.scale = 0.7}, "30 % smaller");
    placement_words(&(struct placement){.scale = 1, .turn = 1}, "turned 90.0° about x");
    placement_words(&(struct placement){.scale = 1, .turn = 2}, "turned -90.0° about x");
    placement_words(&(struct placement){.scale = 1, .turn = TURN_COUNT / 2}, "mirrored along x");
    placement_words(&(struct placement){.scale = 0.01, .turn = 8, .shift = {0, 0, -2}},
                    "100 times smaller, turned 180.0° about y and moved by 2 m along -z");
}
