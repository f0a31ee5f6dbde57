#include "import/fbx_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/convert.h"

static const double pi = 3.14159265358979323846;

static void multiply(const double a[4], const double b[4], double out[4])
{
    const double q[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    };
    memcpy(out, q, sizeof q);
}

/* The axes in the order in which they turn a vector. */
static const unsigned char turn_order[FBX_ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

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
        multiply(one, q, q);
    }
}

void fbx_euler(const double degrees[3], unsigned order, double q[4])
{
    turn(degrees, order, 3, q);
}

static void surround(const struct fbx_motion *motion, double q[4])
{
    multiply(motion->before, q, q);
    multiply(q, motion->after, q);
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
            fbx_curve_evaluate(curve, fbx_curve_segment(curve, middle), time, &axes[i], &rates[i]);
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

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* A place on the motion, as it is reached from within a segment. */
struct state {
    double time;
    double value[4], slope[4];
};

struct fitter {
    const struct fbx_motion *motion;
    struct fbx_fit *out;
    unsigned width;
    double tolerance;
    bool good;
};

static struct state state_at(const struct fitter *f, double middle, double time)
{
    struct state state = {.time = time};
    fbx_motion_evaluate(f->motion, middle, time, state.value, state.slope);
    return state;
}

static void add_key(struct fitter *f, double time, const double *in, const double *value, const double *out)
{
    enum { MOST = 1 << 22 };
    static const double largest = 1e9; /* as finish_clips() has it */
    static const double flat[4] = {0};
    struct fbx_fit *fit = f->out;
    if (fit->count == fit->capacity) {
        if (fit->capacity >= MOST) {
            f->good = false;
            return;
        }
        uint32_t capacity = fit->capacity ? 2 * fit->capacity : 64;
        double *times = scratch_alloc(capacity, sizeof *times);
        float *values = scratch_alloc(capacity, 3 * f->width * sizeof *values);
        if (fit->count > 0) {
            memcpy(times, fit->times, fit->count * sizeof *times);
            memcpy(values, fit->values, (size_t)fit->count * 3 * f->width * sizeof *values);
        }
        free(fit->times);
        free(fit->values);
        *fit = (struct fbx_fit){fit->count, capacity, times, values};
    }
    const double *const parts[3] = {in ? in : flat, value, out ? out : flat};
    fit->times[fit->count] = time;
    float *to = fit->values + (size_t)fit->count++ * 3 * f->width;
    for (unsigned i = 0; i < 3 * f->width; i++) {
        to[i] = (float)parts[i / f->width][i % f->width];
        f->good = f->good && fabs(parts[i / f->width][i % f->width]) < largest;
    }
}

/* The largest difference between the cubic from a to b and the motion, at three places. */
static double error_between(const struct fitter *f, const struct state *a, const struct state *b, double middle)
{
    double error = 0, span = b->time - a->time;
    for (int i = 1; i < 4; i++) {
        double u = 0.25 * i, value[4], slope[4], cubic[4], square = 0;
        fbx_motion_evaluate(f->motion, middle, a->time + u * span, value, slope);
        for (unsigned j = 0; j < f->width; j++) {
            cubic[j] = (1 - u) * (1 - u) * ((1 + 2 * u) * a->value[j] + u * span * a->slope[j]) +
                       u * u * ((3 - 2 * u) * b->value[j] + (u - 1) * span * b->slope[j]);
            square += cubic[j] * cubic[j];
        }
        double scale = f->width == 4 ? 1 / sqrt(square) : 1;
        for (unsigned j = 0; j < f->width; j++)
            error = fmax(error, fabs(cubic[j] * scale - value[j]));
    }
    return error;
}

/* The keys between a and b. */
static void split(struct fitter *f, const struct state *a, const struct state *b, double middle, int depth)
{
    enum { DEEPEST = 10 };
    if (depth == DEEPEST || !f->good || error_between(f, a, b, middle) <= f->tolerance)
        return;
    struct state between = state_at(f, middle, 0.5 * (a->time + b->time));
    split(f, a, &between, middle, depth + 1);
    add_key(f, between.time, between.slope, between.value, between.slope);
    split(f, &between, b, middle, depth + 1);
}

/* The key at a knot, which the motion reaches in `end` and leaves in `begin`: two when it jumps. */
static void add_knot(struct fitter *f, const struct state *end, const struct state *begin)
{
    double jump = 0;
    for (unsigned j = 0; j < f->width; j++)
        jump = fmax(jump, fabs(end->value[j] - begin->value[j]));
    if (jump <= 0.1 * f->tolerance) {
        add_key(f, begin->time, end->slope, begin->value, begin->slope);
        return;
    }
    add_key(f, begin->time, end->slope, end->value, NULL);
    add_key(f, begin->time, NULL, begin->value, begin->slope);
}

bool fbx_fit(const struct fbx_motion *motion, const double *knots, uint32_t count, double tolerance, struct fbx_fit *out)
{
    struct fitter f = {motion, out, component_width(motion->component), tolerance, true};
    *out = (struct fbx_fit){.count = 0};
    struct state end = state_at(&f, knots[0], knots[0]);
    for (uint32_t k = 0; k + 1 < count; k++) {
        double middle = 0.5 * (knots[k] + knots[k + 1]);
        struct state begin = state_at(&f, middle, knots[k]);
        add_knot(&f, k == 0 ? &begin : &end, &begin);
        end = state_at(&f, middle, knots[k + 1]);
        split(&f, &begin, &end, middle, 0);
    }
    struct state last = state_at(&f, knots[count - 1] + 1e-6, knots[count - 1]);
    memset(last.slope, 0, sizeof last.slope);
    add_knot(&f, &end, &last);
    return f.good;
}
