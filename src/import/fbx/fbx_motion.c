#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "data/vector.h"

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

/* The Euler angles of a quaternion: of R = Rk Rj Ri, where the axes are i, j, k in the order in which they turn a
 * vector, and e is 1 for a cyclic order, else -1: sin(b) = -e R[k][i]. */
static void euler_of(const double q[4], unsigned order, double degrees[3])
{
    const unsigned i = turn_order[order][0], j = turn_order[order][1], k = turn_order[order][2];
    const double e = (i + 1) % 3 == j ? 1 : -1;
    double r[3][3]; /* the columns: where the axes are turned to */
    for (unsigned c = 0; c < 3; c++) {
        double axis[4] = {c == 0, c == 1, c == 2, 0}, back[4] = {-q[0], -q[1], -q[2], q[3]}, turned[4];
        quatd_mul(q, axis, turned);
        quatd_mul(turned, back, turned);
        memcpy(r[c], turned, sizeof r[c]);
    }
    const double sine = fmin(fmax(-e * r[i][k], -1), 1);
    degrees[j] = asin(sine) * 180 / pi;
    if (fabs(sine) < 1 - 1e-12) {
        degrees[i] = atan2(e * r[j][k], r[k][k]) * 180 / pi;
        degrees[k] = atan2(e * r[i][j], r[i][i]) * 180 / pi;
    } else { /* i and k turn about the same axis */
        degrees[i] = atan2(-e * r[k][j], r[j][j]) * 180 / pi;
        degrees[k] = 0;
    }
}

/* A share of a factor: none of it is 1. */
static double power(double factor, double share)
{
    return share >= 1 ? factor : share <= 0 ? 1 : copysign(pow(fabs(factor), share), factor);
}

/* The value as layers are put on each other. Of rotations `q` is what it was when it was last a quaternion, which says
 * which of q and -q is meant: the motion does not jump from one to the other. */
struct layered {
    double axes[3], q[4];
    bool is_quaternion, was_quaternion;
};

/* Puts the values of a layer's curves on those below it, as quaternions. */
static void put_turn(const struct fbx_motion *motion, bool adds, double share, const double *on, struct layered *value)
{
    double q[4];
    if (!value->is_quaternion)
        fbx_euler(value->axes, motion->order, FBX_NOT_DERIVED, value->q);
    fbx_euler(on, motion->order, FBX_NOT_DERIVED, q);
    quatd_slerp(adds ? (const double[4]){0, 0, 0, 1} : value->q, q, share, q);
    if (adds)
        quatd_mul(value->q, q, q);
    memcpy(value->q, q, sizeof q);
    value->is_quaternion = value->was_quaternion = true;
}

/* The same by the axes: `on` is x, y, z and the weight in percent. */
static void put_layer(const struct fbx_motion *motion, const struct fbx_layer *layer, const double *on,
                      struct layered *value)
{
    const double share = fmin(fmax(on[3] / 100, 0), 1);
    const bool adds = layer->mode == FBX_ADDED;
    double *axes = value->axes;
    if (motion->is_rotation && !layer->adds_angles && layer->mode != FBX_REPLACES) {
        put_turn(motion, adds, share, on, value);
        return;
    }
    if (value->is_quaternion)
        euler_of(value->q, motion->order, axes);
    value->is_quaternion = false;
    for (int i = 0; i < 3; i++)
        if (layer->mode == FBX_REPLACES)
            axes[i] = on[i];
        else if (motion->is_scale && !layer->adds_scales)
            axes[i] = (adds ? axes[i] : power(axes[i], 1 - share)) * power(on[i], share);
        else
            axes[i] = (adds ? axes[i] : axes[i] * (1 - share)) + on[i] * share;
}

/* A rotation is q and -q alike: `value` becomes the one that is nearer to `to`, so that it does not seem to jump. */
static void turn_sign(const struct fbx_motion *motion, const double *to, double *value)
{
    double dot = 0;
    for (unsigned i = 0; i < motion->width; i++)
        dot += value[i] * to[i];
    for (unsigned i = 0; i < motion->width && motion->is_rotation && dot < 0; i++)
        value[i] = -value[i];
}

/* The value where layers are above the base. */
static void layered_value(const struct fbx_motion *motion, double middle, double time, double *value)
{
    double on[FBX_CURVES] = {0}, slope;
    struct layered layered = {.is_quaternion = false};
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        on[i] = motion->constants[i];
        if (motion->curves[i].count > 0)
            bezier_evaluate(&motion->curves[i], middle, time, &on[i], &slope);
    }
    memcpy(layered.axes, on, sizeof layered.axes);
    for (uint32_t l = 0; l < motion->layer_count; l++)
        put_layer(motion, &motion->layers[l], on + 3 + 4 * l, &layered);
    if (layered.is_quaternion) {
        memcpy(value, layered.q, sizeof layered.q);
        surround(motion, value);
        return;
    }
    fbx_motion_value(motion, layered.axes, value);
    if (layered.was_quaternion) {
        surround(motion, layered.q);
        turn_sign(motion, layered.q, value);
    }
}

/* The slope is that of the parabola through three values, within the segment that holds `middle`. */
static void evaluate_layers(const struct fbx_motion *motion, double middle, double time, double *value, double *slope)
{
    const double step = time <= middle ? 1e-4 : -1e-4;
    double next[4], third[4];
    layered_value(motion, middle, time, value);
    layered_value(motion, middle, time + step, next);
    layered_value(motion, middle, time + 2 * step, third);
    turn_sign(motion, value, next);
    turn_sign(motion, value, third);
    for (unsigned i = 0; i < motion->width; i++)
        slope[i] = (4 * next[i] - 3 * value[i] - third[i]) / (2 * step);
}

void fbx_motion_evaluate(const void *context, double middle, double time, double *value, double *slope)
{
    const struct fbx_motion *motion = context;
    if (motion->layer_count > 0) {
        evaluate_layers(motion, middle, time, value, slope);
        return;
    }
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
    FREED double *knots = memory_new(most, sizeof *knots);
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
}
