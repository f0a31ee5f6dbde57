#include "compare/import/import_keys.h"

#include <math.h>
#include <string.h>

#include "compare/format_number.h"

const char *keys_kind_name(enum keys_kind kind)
{
    static const char *const names[KEYS_KIND_COUNT] = {"translation", "rotation", "scale", "morph weight"};
    return names[kind];
}

/* ---- counts and times -------------------------------------------------------------------------------------------- */

static void add_time(const struct keys_setting *s, const char *which, double was, double now, struct text *text)
{
    double expected = was * s->time_scale, span = fmax(s->duration * s->time_scale, fabs(expected));
    if (fabs(now - expected) <= s->context->tolerance->import * fmax(span, 1e-3))
        return;
    struct formatted_pair times = format_numbers(now, was);
    text_addf(text, "%s%s at %s s, was %s s", text->size ? "; " : "", which, times.now, times.was);
}

const char *describe_keys(const struct keys_setting *s, const struct keys_snapshot *was,
                          const struct keys_snapshot *now)
{
    struct text text = {0};
    if (was->count != now->count)
        text_addf(&text, "%u, were %u", now->count, was->count);
    add_time(s, "first", was->first, now->first, &text);
    add_time(s, "last", was->last, now->last, &text);
    const char *copy = text.size > 0 ? arena_string(s->context->arena, text_string(&text)) : NULL;
    text_release(&text);
    return copy;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double largest_gap(const float *was, const float *now, float sign, uint32_t width)
{
    double gap = 0;
    for (uint32_t i = 0; i < width; i++)
        gap = fmax(gap, fabs((double)now[i] - (double)(sign * was[i])));
    return gap;
}

static double length_of(const float *values, uint32_t width)
{
    double squares = 0;
    for (uint32_t i = 0; i < width; i++)
        squares += (double)values[i] * (double)values[i];
    return sqrt(squares);
}

static double distance_of(const float *was, const float *now, uint32_t width)
{
    double squares = 0;
    for (uint32_t i = 0; i < width; i++) {
        double d = (double)now[i] - (double)was[i];
        squares += d * d;
    }
    return sqrt(squares);
}

/* How many times larger all values are; 0 when it is not as simple. */
static double common_ratio(const struct keys_snapshot *was, const struct keys_snapshot *now)
{
    double before = length_of(was->rms, was->width), after = length_of(now->rms, was->width);
    double ratio = before > 0 ? after / before : 0;
    for (uint32_t i = 0; i < was->width; i++)
        if (fabs((double)now->mean[i] - ratio * (double)was->mean[i]) > 1e-3 * after ||
            fabs((double)now->rms[i] - ratio * (double)was->rms[i]) > 1e-3 * after)
            return 0;
    return ratio > 1.2 || ratio < 1.0 / 1.2 ? ratio : 0;
}

static const char *describe_translations(const struct keys_setting *s, const struct keys_snapshot *was,
                                         const struct keys_snapshot *now, struct finding *finding)
{
    const struct import_context *c = s->context;
    double mean = s->parent_scale * distance_of(was->mean, now->mean, was->width);
    double rms = s->parent_scale * distance_of(was->rms, now->rms, was->width), ratio = common_ratio(was, now);
    finding->distance = finding->translation = fmax(mean, rms);
    finding->displacement = finding->distance / c->radius;
    if (!(finding->displacement > c->tolerance->import))
        return NULL;
    if (ratio > 0)
        return arena_string(c->arena, format_factor(ratio, "larger", "smaller").text);
    return arena_printf(c->arena, "%s moved by %s", mean >= 0.1 * rms ? "mean" : "root mean square",
                        format_length(mean >= 0.1 * rms ? mean : rms, c->unit_meters).text);
}

/* Which of x, y, z changed sign against w, when every number kept its size: "inverted" when all did. Else NULL. */
static const char *describe_signs(const struct keys_setting *s, const float *was, const float *now)
{
    char flipped[4] = "", *end = flipped;
    int kept = 0, sign = (double)now[3] * (double)was[3] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        if (fabs(fabs((double)now[i]) - fabs((double)was[i])) > 1e-4)
            return NULL;
        if (fabs((double)was[i]) < 1e-3)
            continue;
        if ((double)now[i] * (double)was[i] * sign < 0)
            *end++ = "xyzw"[i];
        else if (i < 3)
            kept++;
    }
    if (end == flipped)
        return NULL;
    if (kept == 0)
        return "inverted";
    return arena_printf(s->context->arena, "mirrored: %s%s%s changed sign", (char[]){flipped[0], '\0'},
                        flipped[1] ? " and " : "", (char[]){flipped[1], '\0'});
}

/* The angle between the rotations that two quaternions are nearest to. */
static double degrees_between(const float *was, const float *now)
{
    double a = length_of(was, 4), b = length_of(now, 4), minus = 0, plus = 0;
    for (int i = 0; a > 0 && b > 0 && i < 4; i++) {
        double x = (double)was[i] / a, y = (double)now[i] / b;
        minus += (x - y) * (x - y);
        plus += (x + y) * (x + y);
    }
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(minus, plus)))) * 180.0 / acos(-1.0);
}

static const char *describe_rotations(const struct keys_setting *s, const struct keys_snapshot *was,
                                      const struct keys_snapshot *now, struct finding *finding)
{
    const struct import_context *c = s->context;
    double tolerance = c->tolerance->import, rms = largest_gap(was->rms, now->rms, 1.0f, 4);
    double mean = fmin(largest_gap(was->mean, now->mean, 1.0f, 4), largest_gap(was->mean, now->mean, -1.0f, 4));
    if (rms <= tolerance && mean <= tolerance)
        return NULL;
    finding->degrees = degrees_between(was->mean, now->mean);
    finding->distance = 2.0 * sin(finding->degrees * acos(-1.0) / 360.0) * s->influence_radius;
    finding->displacement = finding->distance / c->radius;
    if (rms > tolerance)
        return finding->degrees >= 1e-3
                   ? arena_printf(c->arena, "mean turned by %s", format_degrees(finding->degrees).text)
                   : arena_printf(c->arena, "root mean square moved by %.2g", rms);
    const char *signs = describe_signs(s, was->mean, now->mean);
    finding->benign = !signs;
    return signs ? signs : "some may have changed sign, which turns nothing";
}

static const char *describe_numbers(const struct keys_setting *s, const struct keys_snapshot *was,
                                    const struct keys_snapshot *now)
{
    struct arena *arena = s->context->arena;
    double limit = s->context->tolerance->import * fmax(1.0, length_of(was->rms, was->width));
    const char *before, *after;
    bool is_mean = largest_gap(was->mean, now->mean, 1.0f, was->width) > limit;
    if (!is_mean && largest_gap(was->rms, now->rms, 1.0f, was->width) <= limit)
        return NULL;
    format_vectors(is_mean ? now->mean : now->rms, is_mean ? was->mean : was->rms, was->width, arena, &after, &before);
    return arena_printf(arena, "%s %s, was %s", is_mean ? "mean" : "root mean square", after, before);
}

const char *describe_values(const struct keys_setting *s, const struct keys_snapshot *was,
                            const struct keys_snapshot *now, struct finding *finding)
{
    if (was->width == 0 || was->width != now->width ||
        (memcmp(was->mean, now->mean, sizeof was->mean) == 0 && memcmp(was->rms, now->rms, sizeof was->rms) == 0))
        return NULL;
    if (s->kind == KEYS_TRANSLATION)
        return describe_translations(s, was, now, finding);
    if (s->kind == KEYS_ROTATION && was->width == 4)
        return describe_rotations(s, was, now, finding);
    return describe_numbers(s, was, now);
}

bool keys_hold(const struct keys_setting *s, const struct keys_snapshot *keys, const struct transform *rest)
{
    const float *values = s->kind == KEYS_TRANSLATION ? rest->translation
                          : s->kind == KEYS_ROTATION  ? rest->rotation
                                                      : rest->scale;
    const double slack = 1e-4;
    double length = s->kind == KEYS_TRANSLATION ? s->context->radius / fmax(s->parent_scale, 1e-30) : 1.0;
    if (s->kind == KEYS_WEIGHTS || keys->width == 0)
        return false;
    for (uint32_t i = 0; i < keys->width; i++)
        if (fabs((double)keys->rms[i] - fabs((double)keys->mean[i])) >
            slack * 1e-2 * fmax(length, (double)keys->rms[i]))
            return false;
    double gap = largest_gap(values, keys->mean, 1.0f, keys->width);
    if (s->kind == KEYS_ROTATION)
        gap = fmin(gap, largest_gap(values, keys->mean, -1.0f, keys->width));
    return gap <= slack * length;
}
