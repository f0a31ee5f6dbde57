#include "import/fbx/fbx_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void grow(struct fitter *f)
{
    enum { MOST_NUMBERS = 1 << 26 };
    struct fbx_fit *fit = f->out;
    size_t width = 3 * (size_t)f->function->width;
    uint32_t capacity = fit->capacity ? 2 * fit->capacity : 64;
    if (capacity > MOST_NUMBERS / width) {
        f->good = false;
        return;
    }
    double *times = scratch_alloc(capacity, sizeof *times);
    float *values = scratch_alloc(capacity, width * sizeof *values);
    if (fit->count > 0) {
        memcpy(times, fit->times, fit->count * sizeof *times);
        memcpy(values, fit->values, fit->count * width * sizeof *values);
    }
    free(fit->times);
    free(fit->values);
    *fit = (struct fbx_fit){fit->count, capacity, times, values};
}

static void add_key(struct fitter *f, double time, const double *in, const double *value, const double *out)
{
    static const double largest = 1e9; /* as finish_clips() has it */
    const double *const parts[3] = {in, value, out};
    unsigned width = f->function->width;
    if (f->out->count == f->out->capacity)
        grow(f);
    if (!f->good)
        return;
    float *to = f->out->values + (size_t)f->out->count * 3 * width;
    for (unsigned i = 0; i < 3 * width; i++) {
        double number = parts[i / width][i % width];
        f->good = f->good && fabs(number) < largest;
        to[i] = (float)number;
    }
    f->out->times[f->out->count++] = time;
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
