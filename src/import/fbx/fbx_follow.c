#include "import/fbx/fbx_follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

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
