#include "import/motion/motion.h"

#include <math.h>

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
    uint32_t segment = bezier_segment(curve, middle);
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
