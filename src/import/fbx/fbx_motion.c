#include "import/fbx/fbx_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "import/convert.h"

static const double pi = 3.14159265358979323846;

/* The axes in the order in which they turn a vector. */
static const unsigned char turn_order[FBX_ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                        {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

/* The product of the three turns, with the derivative of the turn `derived` (0 to 2, by angle in degrees) in its place. */
static void turn(const double degrees[3], unsigned order, unsigned derived, double q[4])
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

void fbx_euler(const double degrees[3], unsigned order, double q[4])
{
    turn(degrees, order, 3, q);
}

static void surround(const struct fbx_motion *motion, double q[4])
{
    quatd_mul(motion->before, q, q);
    quatd_mul(q, motion->after, q);
}

void fbx_motion_value(const struct fbx_motion *motion, const double axes[3], double *value)
{
    if (motion->component != COMPONENT_ROTATION) {
        memcpy(value, axes, 3 * sizeof *value);
        return;
    }
    fbx_euler(axes, motion->order, value);
    surround(motion, value);
}

void fbx_motion_evaluate(const struct fbx_motion *motion, double middle, double time, double *value, double *slope)
{
    double axes[3], rates[3];
    for (int i = 0; i < 3; i++) {
        const struct fbx_curve *curve = &motion->curves[i];
        axes[i] = motion->constants[i];
        rates[i] = 0;
        if (curve->count > 0)
            fbx_curve_evaluate(curve, middle, time, &axes[i], &rates[i]);
    }
    fbx_motion_value(motion, axes, value);
    if (motion->component != COMPONENT_ROTATION) {
        memcpy(slope, rates, sizeof rates);
        return;
    }
    memset(slope, 0, 4 * sizeof *slope);
    for (unsigned i = 0; i < 3; i++) {
        double part[4];
        turn(axes, motion->order, i, part);
        surround(motion, part);
        for (int j = 0; j < 4; j++)
            slope[j] += part[j] * rates[turn_order[motion->order][i]];
    }
}
