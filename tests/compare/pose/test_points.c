/* Two files' vertices as point sets: against a search of all pairs, in other frames, and the words for it. */

#include "compare/compare.h"
#include "compare/require_findings.h"

static uint32_t seed;

/* From 0 to 1. */
static float any(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / 16777216.0f;
}

enum { MOST = 700 };

struct two_sets {
    vec3 golden[MOST], actual[MOST];
    size_t golden_count, actual_count;
    struct point_frame golden_frame, actual_frame;
    struct findings findings;
    double worst;
};

static struct two_sets two;

/* An elongated cloud without symmetry, and the same again in another order. */
static void fill(size_t count)
{
    arena_destroy(two.findings.arena);
    two = (struct two_sets){.findings.arena = arena_require((size_t)4 << 20)};
    two.golden_frame = two.actual_frame = (struct point_frame){1, 1};
    two.golden_count = two.actual_count = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(two.golden[i], (vec3){any() * any(), 2 * any() * any(), 0.5f * any() - 1}, sizeof(vec3));
        memcpy(two.actual[count - 1 - i], two.golden[i], sizeof(vec3));
    }
}

static size_t compare_them(void)
{
    struct point_set golden = {two.golden, two.golden_count}, actual = {two.actual, two.actual_count};
    two.worst = compare_points(&golden, &two.golden_frame, &actual, &two.actual_frame, 0.25, &two.findings);
    return two.findings.count;
}

static double hausdorff(void)
{
    double worst = 0;
    for (int way = 0; way < 2; way++) {
        const vec3 *from = way ? two.actual : two.golden, *to = way ? two.golden : two.actual;
        size_t from_count = way ? two.actual_count : two.golden_count;
        size_t to_count = way ? two.golden_count : two.actual_count;
        for (size_t i = 0; i < from_count; i++) {
            double best = INFINITY;
            for (size_t k = 0; k < to_count; k++) {
                double x = (double)from[i][0] - (double)to[k][0], y = (double)from[i][1] - (double)to[k][1],
                       z = (double)from[i][2] - (double)to[k][2];
                best = fmin(best, sqrt(x * x + y * y + z * z));
            }
            worst = fmax(worst, best);
        }
    }
    return worst;
}

static double radius_of(const vec3 *points, size_t count)
{
    double squares = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, (double)points[i][k]);
            high = fmax(high, (double)points[i][k]);
        }
        squares += (high - low) * (high - low);
    }
    return 0.5 * sqrt(squares);
}

TEST(random_sets_have_their_hausdorff_distance)
{
    seed = 7;
    for (int round = 0; round < 40; round++) {
        fill(1 + (size_t)(any() * (MOST - 1)));
        two.actual_count = 1 + (size_t)(any() * (float)(two.actual_count - 1));
        for (size_t i = 0; i < two.actual_count; i++)
            for (int k = 0; k < 3; k++)
                two.actual[i][k] += round % 2 ? any() : 0.01f * any();
        for (size_t i = 0; round % 4 == 3 && i < MOST; i++) /* on a coarse grid, so that many are equal */
            for (int k = 0; k < 3; k++) {
                two.golden[i][k] = floorf(3 * two.golden[i][k]);
                two.actual[i][k] = floorf((float)round * two.actual[i][k]);
            }
        two.golden[0][0] = 3; /* never without extent */
        if (two.golden_count < 2)
            two.golden_count = 2;
        compare_them();
        double expected = hausdorff(), radius = radius_of((const vec3 *)two.golden, two.golden_count);
        assert_float_equal(two.worst, expected / radius, 1e-12 + 1e-9 * expected / radius);
        assert_int_equal(two.findings.count, expected > 1e-5 * radius);
        if (two.findings.count > 0)
            assert_float_equal(two.findings.items[0].distance, expected, 1e-9 + 1e-9 * expected);
    }
}

TEST(limit_is_of_the_radius)
{
    static const vec3 corners[] = {{-1, 0, 0}, {1, 0, 0}, {0.5f, 0, 0}};
    for (int i = 0; i < 2; i++) {
        fill(3);
        memcpy(two.golden, corners, sizeof corners);
        memcpy(two.actual, corners, sizeof corners);
        two.actual[2][1] = i ? 1.05e-5f : 0.95e-5f;
        assert_int_equal(compare_them(), i);
    }
}

/* z up is (x, z, -y) with y up, x up is (-y, x, z); centimetres are a hundredth. */
TEST(frames_bring_sets_together)
{
    fill(200);
    for (size_t i = 0; i < 200; i++) {
        const float *p = two.golden[i];
        memcpy(two.actual[i], (vec3){100 * p[0], 100 * -p[2], 100 * p[1]}, sizeof(vec3));
    }
    two.actual_frame = (struct point_frame){0.01, 2};
    assert_int_equal(compare_them(), 0);
    assert_true(two.worst < 1e-6);
    for (size_t i = 0; i < 200; i++) {
        const float *p = two.golden[i];
        memcpy(two.actual[i], (vec3){p[1], -p[0], p[2]}, sizeof(vec3));
    }
    two.actual_frame = (struct point_frame){1, 0};
    assert_int_equal(compare_them(), 0);
    /* the same numbers, of which the golden's are in centimetres: distances are in its units */
    for (size_t i = 0; i < 200; i++)
        for (int k = 0; k < 3; k++)
            two.actual[i][k] = 0.01f * two.golden[i][k];
    two.actual[0][0] += 0.05f;
    two.golden_frame = (struct point_frame){0.01, 1};
    two.actual_frame = (struct point_frame){1, 1};
    assert_int_equal(compare_them(), 1);
    assert_in_range((int)(1000 * two.findings.items[0].distance), 3000, 5000);
}

static const struct finding *finds(enum finding_code code)
{
    compare_them();
    const struct finding *finding = require_only(&two.findings, code, NULL);
    assert_float_equal(finding->time, 0.25, 0);
    assert_int_equal(finding->stage, STAGE_SKIN);
    return finding;
}

TEST(whole_differences_are_recognised)
{
    static const struct {
        float scale;
        int axes[3];
        float signs[3], up;
        const char *axis, *part;
    } differences[] = {
        {100, {0, 1, 2}, {1, 1, 1}, 0, NULL, NULL},
        {1, {0, 2, 1}, {1, -1, 1}, 0, "x", NULL},
        {1, {0, 1, 2}, {-1, 1, 1}, 0, NULL, "mirrored along x"},
        {1, {0, 1, 2}, {1, 1, 1}, 3, NULL, NULL},
        {0.01f, {0, 2, 1}, {1, -1, 1}, 0, "x", NULL},
    };
    for (size_t d = 0; d < sizeof differences / sizeof differences[0]; d++) {
        fill(300);
        for (size_t i = 0; i < 300; i++)
            for (int k = 0; k < 3; k++)
                two.actual[i][k] = differences[d].scale * differences[d].signs[k] * two.golden[i][differences[d].axes[k]] +
                                   (k == 1 ? differences[d].up : 0);
        const struct finding *finding = finds(CODE_POINTS_PLACED);
        assert_float_equal(finding->now, (differences[d].scale == 1 ? 0.0 : (double)differences[d].scale), 1e-2);
        assert_float_equal(finding->degrees, (differences[d].axis ? 90.0 : 0.0), 1e-6);
        assert_float_equal(finding->translation, (double)differences[d].up, 1e-3);
        assert_true(!finding->axis == !differences[d].axis && (!finding->axis || !strcmp(finding->axis, differences[d].axis)));
        assert_true(!finding->part == !differences[d].part && (!finding->part || !strcmp(finding->part, differences[d].part)));
    }
}

TEST(single_differences_have_a_distance)
{
    static const vec3 corners[] = {{-1, 0, 0}, {1, 0, 0}, {0, 0.5f, 0}};
    fill(3);
    memcpy(two.golden, corners, sizeof corners);
    memcpy(two.actual, corners, sizeof corners);
    two.actual[2][1] = 0.3f;
    two.golden[0][1] = two.actual[0][1] = -0.5f;
    two.golden[1][1] = two.actual[1][1] = 0.5f;
    assert_float_equal(finds(CODE_POINTS)->distance, 0.2, 1e-6);
    fill(3);
    memcpy(two.golden, corners, sizeof corners);
    memcpy(two.actual, corners, sizeof corners);
    two.actual_count = 3;
    two.golden_count = 2;
    assert_float_equal(finds(CODE_POINTS)->distance, 1.118, 1e-3);
}

TEST(unusable_sets_are_said)
{
    fill(3);
    two.actual_count = 0;
    assert_string_equal(finds(CODE_POINTS_MISSING)->part, "this file");
    assert_true(isinf(two.worst));
    fill(3);
    two.golden_count = 0;
    assert_string_equal(finds(CODE_POINTS_MISSING)->part, "the golden");
    fill(3);
    two.actual[1][0] = NAN;
    const struct finding *lost = finds(CODE_POINTS_LOST);
    assert_string_equal(lost->part, "this file");
    assert_int_equal(lost->count, 1);
    assert_true(isinf(two.worst));
    fill(0);
    assert_int_equal(compare_them(), 0);
    assert_float_equal(two.worst, 0, 0);
}

/* All points in one place: no size to be judged by, and no division by it. */
TEST(points_without_extent_are_compared)
{
    fill(50);
    memset(two.golden, 0, sizeof two.golden);
    memset(two.actual, 0, sizeof two.actual);
    compare_them();
    assert_float_equal(two.worst, 0, 0);
    two.actual[7][0] = 1;
    compare_them();
    assert_true(two.worst > 1 && isfinite(two.worst));
}
