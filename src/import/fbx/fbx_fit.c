#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "import/scene/convert.h"

static const double pi = 3.14159265358979323846;

/* The axes in the order in which they turn a vector. */
static const unsigned char turn_order[FBX_ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                        {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

void fbx_euler(const double degrees[3], unsigned order, unsigned derived, double q[4])
{
    const double identity[4] = {0, 0, 0, 1};
    memcpy(q, identity, sizeof identity);
    for (unsigned i = 0; i < 3; i++) {
        unsigned axis = turn_order[order][i];
        double half = degrees[axis] * pi / 360;
        double one[4] = {0, 0, 0, cos(half)};
        one[axis] = sin(half);
        if (i == derived) {
            one[3] = -sin(half) * pi / 360;
            one[axis] = cos(half) * pi / 360;
        }
        quatd_mul(one, q, q);
    }
}

static void surround(const struct fbx_motion *motion, double q[4])
{
    quatd_mul(motion->before, q, q);
    quatd_mul(q, motion->after, q);
}

void fbx_motion_value(const struct fbx_motion *motion, const double *axes, double *value)
{
    if (motion->is_rotation) {
        fbx_euler(axes, motion->order, FBX_NOT_DERIVED, value);
        surround(motion, value);
    } else {
        memcpy(value, axes, motion->width * sizeof *value);
    }
}

void fbx_motion_evaluate(const void *context, double middle, double time, double *value, double *slope)
{
    const struct fbx_motion *motion = context;
    double degrees[3], rates[3];
    double *axes = motion->is_rotation ? degrees : value, *axis_slopes = motion->is_rotation ? rates : slope;
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        axes[i] = motion->constants[i];
        axis_slopes[i] = 0;
        if (motion->curves[i].count == 0)
            continue;
        bezier_evaluate(&motion->curves[i], middle, time, &axes[i], &axis_slopes[i]);
        axes[i] /= motion->divisor;
        axis_slopes[i] /= motion->divisor;
    }
    if (!motion->is_rotation)
        return;
    fbx_motion_value(motion, degrees, value);
    memset(slope, 0, 4 * sizeof *slope);
    for (unsigned i = 0; i < 3; i++) {
        double part[4];
        fbx_euler(degrees, motion->order, i, part);
        surround(motion, part);
        for (int j = 0; j < 4; j++)
            slope[j] += part[j] * rates[turn_order[motion->order][i]];
    }
}

/* The curves' keys within the clip are knots, and its ends where curves go on beyond them. */
void fbx_follow(const struct fbx_motion *motion, double duration, struct keys *keys, struct arena *arena,
                struct follow_counts *counts, int kind)
{
    const struct motion plain = {motion->width, motion->is_rotation, motion->tolerance, motion, fbx_motion_evaluate};
    const double ends[2] = {0, duration};
    size_t most = 2;
    uint32_t count = 0;
    bool beyond[2] = {false, false};
    for (uint32_t i = 0; i < motion->curve_count; i++)
        most += motion->curves[i].count;
    double *knots = memory_new(most, sizeof *knots);
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        const struct bezier_curve *curve = &motion->curves[i];
        for (uint32_t k = 0; k < curve->count; k++)
            if (curve->keys[k].time >= 0 && curve->keys[k].time <= duration)
                knots[count++] = curve->keys[k].time;
        for (int e = 0; e < 2; e++) {
            uint32_t segment = bezier_segment(curve, ends[e]);
            beyond[e] = beyond[e] || (segment > 0 && segment < curve->count);
        }
    }
    for (int e = 0; e < 2; e++)
        if (beyond[e])
            knots[count++] = ends[e];
    motion_follow(&plain, knots, count, keys, arena, counts, kind);
    free(knots);
}
