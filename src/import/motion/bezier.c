#include "import/motion/motion.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

uint32_t bezier_segment(const struct bezier_curve *curve, double time)
{
    uint32_t low = 0, high = curve->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->keys[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double bezier_on_lines(const struct bezier_curve *curve, double time)
{
    const uint32_t segment = bezier_segment(curve, time);
    const struct bezier_key *to = &curve->keys[segment < curve->count ? segment : curve->count - 1];
    const struct bezier_key *from = segment > 0 ? &curve->keys[segment - 1] : to;
    return from == to ? to->value
                      : from->value + (to->value - from->value) * (time - from->time) / (to->time - from->time);
}

/* A Bezier polynomial from 0 to `end` with control values a and b, and its derivative. */
static double bezier(double a, double b, double end, double s, double *derivative)
{
    double r = 1 - s;
    *derivative = 3 * (r * r * a + 2 * r * s * (b - a) + s * s * (end - b));
    return 3 * r * r * s * a + 3 * r * s * s * b + s * s * s * end;
}

static void evaluate_cubic(const struct bezier_key *from, const struct bezier_key *to, double u, double *value,
                           double *slope)
{
    double span = to->time - from->time, rise = to->value - from->value;
    double low = 0, high = 1, s = u, time_rate, value_rate;
    const bool is_plain = from->out_weight == BEZIER_PLAIN && to->in_weight == BEZIER_PLAIN;
    for (int i = 0; i < 64 && !is_plain; i++) { /* the s where the time, which never decreases, is the share u */
        double error = bezier(from->out_weight, 1 - to->in_weight, 1, s, &time_rate) - u;
        if (fabs(error) < 1e-15)
            break;
        if (error < 0)
            low = s;
        else
            high = s;
        s -= error / time_rate; /* Newton's step, or half of what is left */
        if (!(s > low && s < high))
            s = 0.5 * (low + high);
    }
    bezier(from->out_weight, 1 - to->in_weight, 1, s, &time_rate);
    *value = from->value + bezier(from->out_weight * span * from->out_slope, rise - to->in_weight * span * to->in_slope,
                                  rise, s, &value_rate);
    *slope = time_rate > 1e-9 ? value_rate / (time_rate * span) : 0;
}

void bezier_evaluate(const struct bezier_curve *curve, double middle, double time, double *value, double *slope)
{
    const uint32_t segment = bezier_segment(curve, middle + 0.5 * SAME_TIME); /* a key's time may be rounded up */
    const struct bezier_key *from = &curve->keys[segment > 0 ? segment - 1 : 0];
    *slope = 0;
    *value = from->value;
    if (segment == 0 || segment == curve->count || from->segment == BEZIER_HOLD)
        return;
    const struct bezier_key *to = from + 1;
    double u = fmin(fmax((time - from->time) / (to->time - from->time), 0), 1);
    if (from->segment == BEZIER_HOLD_NEXT) {
        *value = middle - from->time <= SAME_TIME ? from->value : to->value;
    } else if (from->segment == BEZIER_CUBIC) {
        evaluate_cubic(from, to, u, value, slope);
    } else {
        *slope = (to->value - from->value) / (to->time - from->time);
        *value = from->value + u * (to->value - from->value);
    }
}

unsigned bezier_shape(const struct bezier_curve *curve)
{
    unsigned shape = 0;
    for (uint32_t k = 0; k + 1 < curve->count; k++) {
        const struct bezier_key *key = &curve->keys[k], *next = key + 1;
        if (key->value != next->value || (key->segment == BEZIER_CUBIC && (key->out_slope != 0 || next->in_slope != 0)))
            shape |= 1u << key->segment;
    }
    return shape;
}

/* The i-th key of a curve as it is played the k-th time; with `back` from its end to its start. */
static struct bezier_key repeated_key(const struct bezier_curve *curve, uint32_t i, int64_t k, bool back, double rise)
{
    static const enum bezier_kind backwards[] = {BEZIER_LINEAR, BEZIER_CUBIC, BEZIER_HOLD_NEXT, BEZIER_HOLD};
    const struct bezier_key *keys = curve->keys;
    const uint32_t last = curve->count - 1;
    struct bezier_key key = keys[back ? last - i : i];
    if (back) {
        const struct bezier_key as_it_was = key;
        key.time = keys[0].time + keys[last].time - key.time;
        key.segment = i < last ? backwards[keys[last - i - 1].segment] : BEZIER_LINEAR;
        key.in_slope = -as_it_was.out_slope;
        key.in_weight = as_it_was.out_weight;
        key.out_slope = -as_it_was.in_slope;
        key.out_weight = as_it_was.in_weight;
    }
    key.time += (double)k * (keys[last].time - keys[0].time);
    key.value += (double)k * rise;
    return key;
}

/* Appends the keys of the k-th time behind those of the time before. Where the value jumps, there are two keys: those
 * of the curve itself, k = 0, keep their times. */
static void repeat(const struct bezier_curve *curve, int64_t k, bool back, double rise, struct bezier_curve *out)
{
    for (uint32_t i = 0; i < curve->count; i++) {
        struct bezier_key key = repeated_key(curve, i, k, back, rise);
        struct bezier_key *before = i == 0 && out->count > 0 ? &out->keys[out->count - 1] : NULL;
        if (before && fabs(before->value - key.value) <= 1e-9 * (fabs(key.value) + fabs(rise))) {
            before->segment = key.segment;
            before->out_slope = key.out_slope;
            before->out_weight = key.out_weight;
            continue;
        }
        if (before) {
            before->segment = BEZIER_HOLD;
            *(k == 1 ? &key.time : &before->time) += (k == 1 ? 2 : -2) * SAME_TIME;
        }
        out->keys[out->count++] = key;
    }
}

/* Returns how often all keys are repeated on a side to fill `beyond` seconds. */
static double repeats(const struct bezier_curve *curve, int side, double beyond)
{
    const double period = curve->keys[curve->count - 1].time - curve->keys[0].time;
    const double most = curve->beyond[side].times, needed = beyond > SAME_TIME ? ceil(beyond / period) : 0;
    const bool is_played = curve->beyond[side].kind != BEYOND_HOLD && curve->beyond[side].kind != BEYOND_SLOPE;
    return !is_played || needed == 0 ? 0 : most >= 0 ? fmin(floor(most), needed) : needed;
}

/* The slope with which the curve arrives at its last key (side 1), or leaves its first one. */
static double end_slope(const struct bezier_curve *curve, int side)
{
    const struct bezier_key *from = side == 0 ? curve->keys : &curve->keys[curve->count - 2], *to = from + 1;
    if (from->segment == BEZIER_CUBIC)
        return side == 0 ? from->out_slope : to->in_slope;
    return from->segment == BEZIER_LINEAR ? (to->value - from->value) / (to->time - from->time) : 0;
}

bool bezier_extend(struct bezier_curve *curve, double from, double to)
{
    enum { MOST_KEYS = 1 << 20 };
    const uint32_t last = curve->count > 0 ? curve->count - 1 : 0;
    if (last == 0)
        return false;
    const struct bezier_key *keys = curve->keys;
    const double beyond[2] = {keys[0].time - from, to - keys[last].time};
    const double played[2] = {repeats(curve, 0, beyond[0]), repeats(curve, 1, beyond[1])};
    bool sloped[2];
    for (int side = 0; side < 2; side++)
        sloped[side] = curve->beyond[side].kind == BEYOND_SLOPE && beyond[side] > SAME_TIME;
    const double count = (1 + played[0] + played[1]) * curve->count + 2;
    if ((played[0] + played[1] == 0 && !sloped[0] && !sloped[1]) || !(count <= MOST_KEYS))
        return false;
    struct bezier_curve out = {.keys = memory_new((size_t)count, sizeof *out.keys)};
    if (sloped[0])
        out.keys[out.count++] = (struct bezier_key){.time = from,
                                                    .value = keys[0].value - end_slope(curve, 0) * beyond[0],
                                                    .segment = BEZIER_LINEAR};
    for (int64_t k = -(int64_t)played[0]; k <= (int64_t)played[1]; k++) {
        const enum bezier_beyond kind = curve->beyond[k > 0].kind;
        const double rise = k != 0 && kind == BEYOND_ONWARD ? keys[last].value - keys[0].value : 0;
        if (k == 0 && sloped[0])
            out.keys[out.count++] = keys[0];
        repeat(curve, k, k % 2 != 0 && kind == BEYOND_MIRROR, rise, &out);
    }
    if (sloped[1]) {
        out.keys[out.count - 1].segment = BEZIER_LINEAR;
        out.keys[out.count++] = (struct bezier_key){.time = to,
                                                    .value = keys[last].value + end_slope(curve, 1) * beyond[1]};
    }
    free(curve->keys);
    curve->keys = out.keys;
    curve->count = out.count;
    return true;
}
