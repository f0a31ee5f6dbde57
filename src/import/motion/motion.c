#include "import/motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/memory.h"
#include "data/vector.h"

double value_difference(const double *a, const double *b, unsigned width, bool is_rotation)
{
    double direct = 0, opposite = 0;
    for (unsigned i = 0; i < width; i++) {
        direct = worse(direct, fabs(a[i] - b[i]));
        opposite = worse(opposite, fabs(a[i] + b[i]));
    }
    return is_rotation ? fmin(direct, opposite) : direct;
}

enum { DEEPEST = 10 };

/* A place of the motion as it is reached from within a stretch. */
struct state {
    double time;
    double *value, *slope;
};

struct fitter {
    const struct motion *motion;
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
    f->motion->evaluate(f->motion->context, middle, time, state->value, state->slope);
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
        f->motion->evaluate(f->motion->context, middle, a->time + u * span, value, cubic);
        for (unsigned j = 0; j < f->motion->width; j++) {
            cubic[j] = (1 - u) * (1 - u) * ((1 + 2 * u) * a->value[j] + u * span * a->slope[j]) +
                       u * u * ((3 - 2 * u) * b->value[j] + (u - 1) * span * b->slope[j]);
            square += cubic[j] * cubic[j];
        }
        double scale = f->motion->is_rotation ? 1 / sqrt(square) : 1;
        for (unsigned j = 0; j < f->motion->width; j++)
            error = worse(error, fabs(cubic[j] * scale - value[j]));
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
        largest = worse(largest, fabs(a->value[j] - b->value[j]));
    return largest > 0.1 * f->motion->tolerance;
}

/*
 * Keys at the `count` > 0 knots, which ascend, and between them as many as it takes. Where the motion jumps there is a
 * pair of keys: a little before the knot when it jumps to its value there, a little behind it when it jumps from it.
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

uint32_t sort_times(double *times, size_t count, double apart)
{
    uint32_t kept = 0;
    sort_items(times, count, sizeof *times, compare_doubles);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || times[i] - times[kept - 1] > apart)
            times[kept++] = times[i];
    return kept;
}

/* The times of the keys, and the further ones. */
static double *find_knots(const struct keys *keys, const double *further, uint32_t further_count, uint32_t *count)
{
    const size_t all = (size_t)keys->count + further_count;
    double *knots = memory_new(all, sizeof *knots);
    memcpy(knots, keys->times, keys->count * sizeof *knots);
    if (further_count > 0)
        memcpy(knots + keys->count, further, further_count * sizeof *knots);
    *count = sort_times(knots, all, SAME_TIME);
    return knots;
}

/* Returns how far lines between the old keys are from the motion, at and between the new ones. */
static double largest_error(const struct fitter *f, const struct keys *keys)
{
    double *value = f->at[0], *slope = f->at[1], *line = f->flat, worst = 0;
    const unsigned width = f->motion->width;
    for (uint32_t k = 0; k < f->count; k++) {
        double span = k + 1 < f->count ? f->times[k + 1] - f->times[k] : 0;
        for (int i = 0; i < (span > 0 ? 4 : 1); i++) {
            double time = f->times[k] + 0.25 * i * span, middle = i > 0 ? f->times[k] + 0.5 * span : time;
            f->motion->evaluate(f->motion->context, middle, time, value, slope);
            /* Between two keys: the line, or of rotations the shorter arc. */
            const uint32_t passed = keys_count_until(keys, time);
            const uint32_t a = passed > 0 ? passed - 1 : 0, b = passed < keys->count ? passed : a;
            const float *from = keys->values + (size_t)a * width, *to = keys->values + (size_t)b * width;
            double length = keys->times[b] - keys->times[a];
            double u = length > 0 ? fmin(fmax((time - keys->times[a]) / length, 0), 1) : 0;
            for (unsigned j = 0; j < width; j++)
                line[j] = (1 - u) * (double)from[j] + u * (double)to[j];
            if (f->motion->is_rotation)
                quatd_slerp((const double[4]){(double)from[0], (double)from[1], (double)from[2], (double)from[3]},
                            (const double[4]){(double)to[0], (double)to[1], (double)to[2], (double)to[3]}, u, line);
            worst = worse(worst, value_difference(value, line, width, f->motion->is_rotation));
        }
    }
    return worst;
}

void motion_follow(const struct motion *motion, const double *further_knots, uint32_t further_count, struct keys *keys,
                   struct arena *arena, struct follow_counts *counts, int kind)
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
    FREED double *knots = find_knots(keys, further_knots, further_count, &count);
    fit(&f, knots, count);
    const double error = f.good ? largest_error(&f, keys) : 0;
    const bool is_off = error > worth * motion->tolerance;
    counts->unlike += !f.good;
    counts->followed += is_off;
    counts->added += is_off && f.count > keys->count ? f.count - keys->count : 0;
    counts->worst[kind] = is_off ? worse(counts->worst[kind], error) : counts->worst[kind];
    if (is_off && arena) {
        double *times = ARENA_COPIES(arena, double, f.times, f.count);
        float *values = ARENA_COPIES(arena, float, f.values, 3 * width * f.count);
        *keys = (struct keys){f.count, times, values, INTERPOLATE_CUBIC};
    }
    free(scratch);
    free(f.times);
    free(f.values);
}

void follow_tell(const struct follow_counts *counts, struct scene *scene, const struct clip *clip, const char *id,
                 bool fixed, const char *const its[2])
{
    static const struct {
        const char *unit;
        double factor;
    } kinds[MOTION_KINDS] = {
        {" units", 1}, {" degrees", 360 / 3.14159265358979323846}, {" of a scale", 1}, {" of a weight", 1}};
    const char *sizes = "";
    for (int i = 0; i < MOTION_KINDS; i++)
        if (counts->worst[i] > 0)
            sizes = arena_printf(scene->arena, "%s%s%.3g%s", sizes, sizes[0] ? ", " : "",
                                 counts->worst[i] * kinds[i].factor, kinds[i].unit);
    if (counts->followed > 0)
        scene_note(scene, fixed ? NOTE_REPAIR : NOTE_WARNING, id,
                   "clip \"%s\": between the keys Assimp's straight lines are up to %s off the file's curves%s",
                   clip->name, sizes,
                   fixed ? arena_printf(scene->arena, ", which %u components of channels now follow (%u keys added)",
                                        counts->followed, counts->added)
                         : "");
    if (counts->unlike > 0)
        scene_note(scene, NOTE_WARNING, id, "clip \"%s\": %s %u %s stay", clip->name, its[0], counts->unlike, its[1]);
}
