#include "import/fbx/fbx_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/convert.h"

enum { DEEPEST = 10 };

/* A place on the function as it is reached from within a stretch. */
struct state {
    double time;
    double *value, *slope;
};

struct fitter {
    const struct fbx_function *function;
    struct fbx_fit *out;
    double tolerance;
    bool good;
    double *flat;  /* [width] zeros */
    double *at[2]; /* [width] value and slope, for error_between() */
    struct state begin, end, between[DEEPEST];
};

static void evaluate(const struct fitter *f, double middle, double time, struct state *state)
{
    state->time = time;
    f->function->evaluate(f->function->of, middle, time, state->value, state->slope);
}

static void add_key(struct fitter *f, double time, const double *in, const double *value, const double *out)
{
    static const double largest = 1e9; /* as finish_clips() has it */
    const double *const parts[3] = {in, value, out};
    enum { MOST_NUMBERS = 1 << 26 };
    struct fbx_fit *fit = f->out;
    unsigned width = f->function->width;
    f->good = f->good && fit->count < MOST_NUMBERS / (3 * width);
    if (!f->good)
        return;
    if (fit->count == fit->capacity) {
        fit->capacity = fit->capacity ? 2 * fit->capacity : 64;
        fit->times = scratch_resize(fit->times, fit->capacity, sizeof *fit->times);
        fit->values = scratch_resize(fit->values, fit->capacity, 3 * width * sizeof *fit->values);
    }
    float *to = fit->values + (size_t)fit->count * 3 * width;
    for (unsigned i = 0; i < 3 * width; i++) {
        double number = parts[i / width][i % width];
        f->good = f->good && fabs(number) < largest;
        to[i] = (float)number;
    }
    fit->times[fit->count++] = time;
}

/* The largest difference between the cubic from a to b and the function, at three places. */
static double error_between(const struct fitter *f, const struct state *a, const struct state *b, double middle)
{
    double error = 0, span = b->time - a->time, *value = f->at[0], *cubic = f->at[1];
    for (int i = 1; i < 4; i++) {
        double u = 0.25 * i, square = 0;
        f->function->evaluate(f->function->of, middle, a->time + u * span, value, cubic);
        for (unsigned j = 0; j < f->function->width; j++) {
            cubic[j] = (1 - u) * (1 - u) * ((1 + 2 * u) * a->value[j] + u * span * a->slope[j]) +
                       u * u * ((3 - 2 * u) * b->value[j] + (u - 1) * span * b->slope[j]);
            square += cubic[j] * cubic[j];
        }
        double scale = f->function->is_rotation ? 1 / sqrt(square) : 1;
        for (unsigned j = 0; j < f->function->width; j++)
            error = fmax(error, fabs(cubic[j] * scale - value[j]));
    }
    return error;
}

/* The keys between a and b. */
static void split(struct fitter *f, const struct state *a, const struct state *b, double middle, int depth)
{
    if (depth == DEEPEST || !f->good || error_between(f, a, b, middle) <= f->tolerance)
        return;
    struct state *between = &f->between[depth];
    evaluate(f, middle, 0.5 * (a->time + b->time), between);
    split(f, a, between, middle, depth + 1);
    add_key(f, between->time, between->slope, between->value, between->slope);
    split(f, between, b, middle, depth + 1);
}

static double distance(const struct fitter *f, const struct state *a, const struct state *b)
{
    double largest = 0;
    for (unsigned j = 0; j < f->function->width; j++)
        largest = fmax(largest, fabs(a->value[j] - b->value[j]));
    return largest;
}

/*
 * The key at a knot, which the function reaches in `end` (NULL: it begins there) and leaves in `begin`. A jump is a pair of
 * keys: a little before the knot when the function jumps to its value there, a little behind it when it jumps from it.
 */
static void add_knot(struct fitter *f, const struct state *end, const struct state *begin)
{
    const double same = 0.1 * f->tolerance;
    double time = begin->time;
    struct state *at = &f->between[0];
    evaluate(f, time, time, at);
    bool arrives = !end || distance(f, end, at) <= same, leaves = distance(f, at, begin) <= same;
    if (!arrives) {
        time -= FBX_FIT_JUMP;
        add_key(f, time, end->slope, end->value, f->flat);
    }
    add_key(f, time, end && arrives ? end->slope : f->flat, at->value, leaves ? begin->slope : f->flat);
    if (!leaves) {
        time = begin->time + FBX_FIT_JUMP;
        add_key(f, time, f->flat, at->value, f->flat);
        add_key(f, time, f->flat, begin->value, begin->slope);
    }
}

static void fit_knots(struct fitter *f, const double *knots, uint32_t count)
{
    for (uint32_t k = 0; k + 1 < count && f->good; k++) {
        double middle = 0.5 * (knots[k] + knots[k + 1]);
        evaluate(f, middle, knots[k], &f->begin);
        add_knot(f, k == 0 ? NULL : &f->end, &f->begin);
        evaluate(f, middle, knots[k + 1], &f->end);
        split(f, &f->begin, &f->end, middle, 0);
    }
    double last = knots[count - 1], behind = last + 1e-6; /* within what comes after, if only for a jump */
    evaluate(f, behind, last, &f->begin);
    add_knot(f, count == 1 ? NULL : &f->end, &f->begin);
}

bool fbx_fit(const struct fbx_function *function, const double *knots, uint32_t count, double tolerance,
             struct fbx_fit *out)
{
    struct fitter f = {.function = function, .out = out, .tolerance = tolerance, .good = true};
    const size_t width = function->width;
    double *scratch = scratch_alloc(2 * DEEPEST + 7, width * sizeof *scratch), *next = scratch;
    *out = (struct fbx_fit){.count = 0};
    f.flat = next;
    f.at[0] = next += width;
    f.at[1] = next += width;
    f.begin = (struct state){0, next + width, next + 2 * width};
    f.end = (struct state){0, next + 3 * width, next + 4 * width};
    next += 5 * width;
    for (int i = 0; i < DEEPEST; i++, next += 2 * width)
        f.between[i] = (struct state){0, next, next + width};
    fit_knots(&f, knots, count);
    free(scratch);
    return f.good;
}

/* ---- keys that follow curves ------------------------------------------------------------------------------------- */

double fbx_difference(const double *a, const double *b, unsigned width, bool is_rotation)
{
    double direct = 0, opposite = 0;
    for (unsigned i = 0; i < width; i++) {
        direct = fmax(direct, fabs(a[i] - b[i]));
        opposite = fmax(opposite, fabs(a[i] + b[i]));
    }
    return is_rotation ? fmin(direct, opposite) : direct;
}

/* Between two keys: the line, or of rotations the shorter arc. */
static void interpolate(const float *from, const float *to, double u, unsigned width, bool is_rotation, double *value)
{
    double dot = 0, from_share = 1 - u, to_share = u;
    for (unsigned i = 0; i < width && is_rotation; i++)
        dot += (double)from[i] * (double)to[i];
    double angle = acos(fmin(fabs(dot), 1));
    if (is_rotation && angle > 1e-6) {
        from_share = sin((1 - u) * angle) / sin(angle);
        to_share = sin(u * angle) / sin(angle);
    }
    for (unsigned i = 0; i < width; i++)
        value[i] = from_share * (double)from[i] + (dot < 0 ? -to_share : to_share) * (double)to[i];
}

static void value_between_keys(const struct keys *keys, double time, const struct fbx_function *function, double *value)
{
    uint32_t passed = keys_count_until(keys, time);
    uint32_t a = passed > 0 ? passed - 1 : 0, b = passed < keys->count ? passed : a;
    double span = keys->times[b] - keys->times[a];
    double u = span > 0 ? fmin(fmax((time - keys->times[a]) / span, 0), 1) : 0;
    interpolate(keys->values + (size_t)a * function->width, keys->values + (size_t)b * function->width, u,
                function->width, function->is_rotation, value);
}

/* The times of the keys, those of the curves' keys within the clip, and its ends where curves go on beyond them. */
static double *find_knots(const struct fbx_follow *follow, uint32_t *count)
{
    const double ends[2] = {0, follow->duration};
    size_t most = (size_t)follow->keys->count + 2, all = follow->keys->count;
    bool beyond[2] = {false, false};
    for (uint32_t i = 0; i < follow->curve_count; i++)
        most += follow->curves[i]->count;
    double *knots = scratch_alloc(most, sizeof *knots);
    memcpy(knots, follow->keys->times, all * sizeof *knots);
    for (uint32_t i = 0; i < follow->curve_count; i++) {
        const struct fbx_curve *curve = follow->curves[i];
        for (uint32_t k = 0; k < curve->count; k++)
            if (curve->keys[k].time >= 0 && curve->keys[k].time <= follow->duration)
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

/* How far lines between the old keys are from the function, at and between the new ones. */
static double largest_error(const struct fbx_follow *follow, const struct fbx_fit *fit)
{
    const struct fbx_function *function = &follow->function;
    double *value = scratch_alloc(3 * (size_t)function->width, sizeof *value), worst = 0;
    double *slope = value + function->width, *line = slope + function->width;
    for (uint32_t k = 0; k < fit->count; k++) {
        double span = k + 1 < fit->count ? fit->times[k + 1] - fit->times[k] : 0;
        for (int i = 0; i < (span > 0 ? 4 : 1); i++) {
            double time = fit->times[k] + 0.25 * i * span, middle = i > 0 ? fit->times[k] + 0.5 * span : time;
            function->evaluate(function->of, middle, time, value, slope);
            value_between_keys(follow->keys, time, function, line);
            worst = fmax(worst, fbx_difference(value, line, function->width, function->is_rotation));
        }
    }
    free(value);
    return worst;
}

bool fbx_follow(struct conversion *c, const struct fbx_follow *follow, bool write, double *error, uint32_t *added)
{
    const double worth = 4; /* tolerances: less is left as it is */
    const size_t width = 3 * (size_t)follow->function.width;
    uint32_t count;
    struct fbx_fit fit;
    double *knots = find_knots(follow, &count);
    bool good = fbx_fit(&follow->function, knots, count, follow->tolerance, &fit);
    *error = good ? largest_error(follow, &fit) : 0;
    *added = 0;
    if (*error <= worth * follow->tolerance)
        *error = 0;
    if (*error > 0)
        *added = fit.count > follow->keys->count ? fit.count - follow->keys->count : 0;
    if (*error > 0 && write) {
        double *times = ARENA_NEW(c->scene->arena, double, fit.count);
        float *values = ARENA_NEW(c->scene->arena, float, fit.count *width);
        memcpy(times, fit.times, fit.count * sizeof *times);
        memcpy(values, fit.values, width * fit.count * sizeof *values);
        *follow->keys = (struct keys){fit.count, times, values, INTERPOLATE_CUBIC};
    }
    free(knots);
    free(fit.times);
    free(fit.values);
    return good;
}
