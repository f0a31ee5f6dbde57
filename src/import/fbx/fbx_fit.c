#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/vector.h"
#include "import/convert.h"

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

void fbx_motion_evaluate(const struct fbx_motion *motion, double middle, double time, double *value, double *slope)
{
    double degrees[3], rates[3];
    double *axes = motion->is_rotation ? degrees : value, *axis_slopes = motion->is_rotation ? rates : slope;
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        axes[i] = motion->constants[i];
        axis_slopes[i] = 0;
        if (motion->curves[i].count == 0)
            continue;
        fbx_curve_evaluate(&motion->curves[i], middle, time, &axes[i], &axis_slopes[i]);
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

double fbx_difference(const struct fbx_motion *motion, const double *a, const double *b)
{
    double direct = 0, opposite = 0;
    for (unsigned i = 0; i < motion->width; i++) {
        direct = fmax(direct, fabs(a[i] - b[i]));
        opposite = fmax(opposite, fabs(a[i] + b[i]));
    }
    return motion->is_rotation ? fmin(direct, opposite) : direct;
}

enum { DEEPEST = 10 };

/* A place of the motion as it is reached from within a stretch. */
struct state {
    double time;
    double *value, *slope;
};

struct fitter {
    const struct fbx_motion *motion;
    bool good;
    double *flat;  /* [width] zeros */
    double *at[2]; /* [width] value and slope, for error_between() */
    struct state begin, end, between[DEEPEST];
    uint32_t count, capacity;
    double *times;
    float *values; /* [count * 3 * width] in-tangent, value, out-tangent of each key */
};

static void evaluate(const struct fitter *f, double middle, double time, struct state *state)
{
    state->time = time;
    fbx_motion_evaluate(f->motion, middle, time, state->value, state->slope);
}

static void add_key(struct fitter *f, double time, const double *in, const double *value, const double *out)
{
    static const double largest = 1e9; /* as finish_clips() has it */
    enum { MOST_NUMBERS = 1 << 26 };
    const double *const parts[3] = {in, value, out};
    unsigned width = f->motion->width;
    f->good = f->good && f->count < MOST_NUMBERS / (3 * width);
    if (!f->good)
        return;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 64;
        f->times = memory_grow(f->times, f->capacity, sizeof *f->times);
        f->values = memory_grow(f->values, f->capacity, 3 * width * sizeof *f->values);
    }
    float *to = f->values + (size_t)f->count * 3 * width;
    for (unsigned i = 0; i < 3 * width; i++) {
        double number = parts[i / width][i % width];
        f->good = f->good && fabs(number) < largest;
        to[i] = (float)number;
    }
    f->times[f->count++] = time;
}

/* The largest difference between the cubic from a to b and the motion, at three places. */
static double error_between(const struct fitter *f, const struct state *a, const struct state *b, double middle)
{
    double error = 0, span = b->time - a->time, *value = f->at[0], *cubic = f->at[1];
    for (int i = 1; i < 4; i++) {
        double u = 0.25 * i, square = 0;
        fbx_motion_evaluate(f->motion, middle, a->time + u * span, value, cubic);
        for (unsigned j = 0; j < f->motion->width; j++) {
            cubic[j] = (1 - u) * (1 - u) * ((1 + 2 * u) * a->value[j] + u * span * a->slope[j]) +
                       u * u * ((3 - 2 * u) * b->value[j] + (u - 1) * span * b->slope[j]);
            square += cubic[j] * cubic[j];
        }
        double scale = f->motion->is_rotation ? 1 / sqrt(square) : 1;
        for (unsigned j = 0; j < f->motion->width; j++)
            error = fmax(error, fabs(cubic[j] * scale - value[j]));
    }
    return error;
}

/* The keys between a and b. */
static void split(struct fitter *f, const struct state *a, const struct state *b, double middle, int depth)
{
    if (depth == DEEPEST || !f->good || error_between(f, a, b, middle) <= f->motion->tolerance)
        return;
    struct state *between = &f->between[depth];
    evaluate(f, middle, 0.5 * (a->time + b->time), between);
    split(f, a, between, middle, depth + 1);
    add_key(f, between->time, between->slope, between->value, between->slope);
    split(f, between, b, middle, depth + 1);
}

static bool jumps(const struct fitter *f, const struct state *a, const struct state *b)
{
    double largest = 0;
    for (unsigned j = 0; j < f->motion->width; j++)
        largest = fmax(largest, fabs(a->value[j] - b->value[j]));
    return largest > 0.1 * f->motion->tolerance;
}

/*
 * Keys at the `count` > 0 knots, which ascend, and between them as many as it takes. Where the motion jumps there is a pair
 * of keys: a little before the knot when it jumps to its value there, a little behind it when it jumps from it.
 */
static void fit(struct fitter *f, const double *knots, uint32_t count)
{
    const double jump = 1e-9;
    for (uint32_t k = 0; k < count && f->good; k++) {
        const bool is_first = k == 0, is_last = k + 1 == count;
        /* Behind the last one it is within what comes after, if only for a jump. */
        double middle = is_last ? knots[k] + 1e-6 : 0.5 * (knots[k] + knots[k + 1]), time = knots[k];
        const struct state *end = &f->end, *begin = &f->begin; /* how the motion reaches the knot, and leaves it */
        struct state *at = &f->between[0];
        evaluate(f, middle, time, &f->begin);
        evaluate(f, time, time, at);
        const bool arrives = is_first || !jumps(f, end, at), leaves = !jumps(f, at, begin);
        if (!arrives) {
            time -= jump;
            add_key(f, time, end->slope, end->value, f->flat);
        }
        add_key(f, time, !is_first && arrives ? end->slope : f->flat, at->value, leaves ? begin->slope : f->flat);
        if (!leaves) {
            time = knots[k] + jump;
            add_key(f, time, f->flat, at->value, f->flat);
            add_key(f, time, f->flat, begin->value, begin->slope);
        }
        if (is_last)
            break;
        evaluate(f, middle, knots[k + 1], &f->end);
        split(f, &f->begin, &f->end, middle, 0);
    }
}

/* The times of the keys, those of the curves' keys within the clip, and its ends where curves go on beyond them. */
static double *find_knots(const struct fbx_motion *motion, double duration, const struct keys *keys, uint32_t *count)
{
    const double ends[2] = {0, duration};
    size_t most = (size_t)keys->count + 2, all = keys->count;
    bool beyond[2] = {false, false};
    for (uint32_t i = 0; i < motion->curve_count; i++)
        most += motion->curves[i].count;
    double *knots = memory_new(most, sizeof *knots);
    memcpy(knots, keys->times, all * sizeof *knots);
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        const struct fbx_curve *curve = &motion->curves[i];
        for (uint32_t k = 0; k < curve->count; k++)
            if (curve->keys[k].time >= 0 && curve->keys[k].time <= duration)
                knots[all++] = curve->keys[k].time;
        for (int e = 0; e < 2; e++) {
            uint32_t segment = fbx_curve_segment(curve, ends[e]);
            beyond[e] = beyond[e] || (segment > 0 && segment < curve->count);
        }
    }
    for (int e = 0; e < 2; e++)
        if (beyond[e])
            knots[all++] = ends[e];
    qsort(knots, all, sizeof *knots, compare_doubles);
    *count = 0;
    for (size_t k = 0; k < all; k++)
        if (*count == 0 || knots[k] - knots[*count - 1] > FBX_SAME_TIME)
            knots[(*count)++] = knots[k];
    return knots;
}

/* How far lines between the old keys are from the motion, at and between the new ones. */
static double largest_error(const struct fitter *f, const struct keys *keys)
{
    double *value = f->at[0], *slope = f->at[1], *line = f->flat, worst = 0;
    const unsigned width = f->motion->width;
    for (uint32_t k = 0; k < f->count; k++) {
        double span = k + 1 < f->count ? f->times[k + 1] - f->times[k] : 0;
        for (int i = 0; i < (span > 0 ? 4 : 1); i++) {
            double time = f->times[k] + 0.25 * i * span, middle = i > 0 ? f->times[k] + 0.5 * span : time;
            fbx_motion_evaluate(f->motion, middle, time, value, slope);
            /* Between two keys: the line, or of rotations the shorter arc. */
            const uint32_t passed = keys_count_until(keys, time);
            const uint32_t a = passed > 0 ? passed - 1 : 0, b = passed < keys->count ? passed : a;
            const float *from = keys->values + (size_t)a * width, *to = keys->values + (size_t)b * width;
            double length = keys->times[b] - keys->times[a], dot = 0;
            double u = length > 0 ? fmin(fmax((time - keys->times[a]) / length, 0), 1) : 0;
            double from_share = 1 - u, to_share = u;
            for (unsigned j = 0; j < width && f->motion->is_rotation; j++)
                dot += (double)from[j] * (double)to[j];
            double angle = acos(fmin(fabs(dot), 1));
            if (f->motion->is_rotation && angle > 1e-6) {
                from_share = sin((1 - u) * angle) / sin(angle);
                to_share = sin(u * angle) / sin(angle);
            }
            for (unsigned j = 0; j < width; j++)
                line[j] = from_share * (double)from[j] + (dot < 0 ? -to_share : to_share) * (double)to[j];
            worst = fmax(worst, fbx_difference(f->motion, value, line));
        }
    }
    return worst;
}

bool fbx_follow(const struct fbx_motion *motion, double duration, struct keys *keys, struct arena *arena, double *error,
                uint32_t *added)
{
    const double worth = 4; /* tolerances: less is left as it is */
    const size_t width = motion->width;
    struct fitter f = {.motion = motion, .good = true};
    double *scratch = memory_new(2 * DEEPEST + 7, width * sizeof *scratch), *next = scratch;
    double **const places[] = {&f.flat, &f.at[0], &f.at[1], &f.begin.value, &f.begin.slope, &f.end.value, &f.end.slope};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++, next += width)
        *places[i] = next;
    for (int i = 0; i < DEEPEST; i++, next += 2 * width)
        f.between[i] = (struct state){0, next, next + width};
    uint32_t count;
    double *knots = find_knots(motion, duration, keys, &count);
    fit(&f, knots, count);
    *error = f.good ? largest_error(&f, keys) : 0;
    if (*error <= worth * motion->tolerance)
        *error = 0;
    *added = *error > 0 && f.count > keys->count ? f.count - keys->count : 0;
    if (*error > 0 && arena) {
        double *times = ARENA_NEW(arena, double, f.count);
        float *values = ARENA_NEW(arena, float, 3 * width * f.count);
        memcpy(times, f.times, f.count * sizeof *times);
        memcpy(values, f.values, 3 * width * f.count * sizeof *values);
        *keys = (struct keys){f.count, times, values, INTERPOLATE_CUBIC};
    }
    free(scratch);
    free(knots);
    free(f.times);
    free(f.values);
    return f.good;
}
