#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "import/convert.h"

/* KeyAttrFlags. */
enum {
    FLAG_HOLD = 0x2,
    FLAG_CUBIC = 0x8,
    FLAG_HOLD_NEXT = 0x100, /* with FLAG_HOLD: right behind the key the value of the next one */
    FLAG_TCB = 0x200,       /* with FLAG_CUBIC, here and below */
    FLAG_USER = 0x400,      /* slopes as they are stored; without it and TCB they follow from the neighbours */
    FLAG_CLAMP = 0x1000,    /* flat beside a key of the same value */
    FLAG_TIME_INDEPENDENT = 0x2000,
    FLAG_CLAMP_PROGRESSIVE = 0x4000, /* never beyond the neighbours' values */
    FLAG_WEIGHTED_RIGHT = 0x1000000,
    FLAG_WEIGHTED_NEXT_LEFT = 0x2000000,
};

static const double plain_weight = 1.0 / 3.0;

/* The four numbers of KeyAttrDataFloat; for TCB keys the first three are tension, continuity and bias. */
struct attributes {
    uint32_t flags;
    double right_slope, next_left_slope;
    double right_weight, next_left_weight;
    double third;
};

/* The lists that a curve consists of. */
enum { TIMES, VALUES, FLAGS, DATA, RUNS, LISTS };
static const char *const list_names[LISTS] = {"KeyTime", "KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat",
                                              "KeyAttrRefCount"};

struct lists {
    double *numbers[LISTS]; /* NULL: there is none */
    uint32_t count[LISTS];
    bool data_is_bits; /* the numbers are floats written as integers */
};

static uint32_t bits_of(double number)
{
    return number >= -2147483648.0 && number <= 4294967295.0 ? (uint32_t)(int64_t)number : 0;
}

static double data_of(const struct lists *lists, uint32_t at)
{
    double number = lists->numbers[DATA][at];
    uint32_t bits = bits_of(number);
    float value;
    memcpy(&value, &bits, sizeof value);
    return lists->data_is_bits ? (double)value : number;
}

static struct attributes attributes_of(const struct lists *lists, uint32_t run)
{
    struct attributes a = {
        .flags = bits_of(lists->numbers[FLAGS][run]),
        .right_slope = data_of(lists, 4 * run),
        .next_left_slope = data_of(lists, 4 * run + 1),
        .third = data_of(lists, 4 * run + 2),
        .right_weight = plain_weight,
        .next_left_weight = plain_weight,
    };
    float packed = (float)a.third; /* two weights in units of 1/10000 are the halves of its bits */
    uint32_t bits;
    memcpy(&bits, &packed, sizeof bits);
    if (!(a.flags & FLAG_TCB) && (a.flags & FLAG_WEIGHTED_RIGHT))
        a.right_weight = fmin((bits & 0xffff) * 0.0001, 1.0);
    if (!(a.flags & FLAG_TCB) && (a.flags & FLAG_WEIGHTED_NEXT_LEFT))
        a.next_left_weight = fmin((bits >> 16) * 0.0001, 1.0);
    return a;
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

static double line(const struct fbx_key *from, const struct fbx_key *to)
{
    return (to->value - from->value) / (to->time - from->time);
}

/* Kochanek and Bartels; at the ends the one line there is counts whole. */
static void set_tcb(struct fbx_key *key, const struct fbx_key *before, const struct fbx_key *after,
                    const struct attributes *a)
{
    double tension = 1 - a->right_slope, continuity = a->next_left_slope, bias = a->third;
    double half = before && after ? 0.5 : 1.0;
    double left = before ? half * tension * line(before, key) : 0;
    double right = after ? half * tension * line(key, after) : 0;
    key->in_slope = (1 + bias) * (1 - continuity) * left + (1 - bias) * (1 + continuity) * right;
    key->out_slope = (1 + bias) * (1 + continuity) * left + (1 - bias) * (1 - continuity) * right;
}

/* The slope may lead no farther than to the neighbour's value where the control point is. */
static double clamp_slope(double slope, const struct fbx_key *before, const struct fbx_key *key,
                          const struct fbx_key *after)
{
    double sign = slope < 0 ? -1.0 : 1.0;
    double left = sign * line(before, key) / key->in_weight, right = sign * line(key, after) / key->out_weight;
    double most = fmin(key->in_weight > 0 ? fmax(left, 0) : 0, key->out_weight > 0 ? fmax(right, 0) : 0);
    return sign * fmin(fabs(slope), most);
}

/* `bias`, in percent, turns the slope to the line on one side; beyond 500 it makes it steeper. */
static double steepen(double slope, double toward, double bias)
{
    double beyond = fabs(bias) / 100 - 5;
    return beyond > 0 ? slope + (toward > 0 ? 40 : -40) * beyond * beyond : slope;
}

static double auto_slope(const struct fbx_key *key, const struct fbx_key *before, const struct fbx_key *after,
                         double bias, uint32_t flags)
{
    if ((flags & FLAG_CLAMP) && ((before && before->value == key->value) || (after && after->value == key->value)))
        return 0;
    if (!before || !after) {
        if ((!before && !after) || (flags & FLAG_CLAMP_PROGRESSIVE))
            return 0;
        double only = before ? line(before, key) : line(key, after);
        return flags & FLAG_TIME_INDEPENDENT ? only : steepen(only, bias, bias);
    }
    double slope = line(before, after);
    if (!(flags & FLAG_TIME_INDEPENDENT)) {
        double left = line(before, key), right = line(key, after);
        double share = (key->time - before->time) / (after->time - before->time);
        slope = 0.5 * (slope + left * (1 - share) + right * share);
        double turn = (bias > 0 ? right : left) - slope, weight = fabs(bias) / 100;
        if (weight > 1e-4)
            slope = steepen(slope + weight * turn, fabs(turn) > 1e-5 ? turn : bias, bias);
    }
    return flags & FLAG_CLAMP_PROGRESSIVE ? clamp_slope(slope, before, key, after) : slope;
}

/* Each run of keys has attributes in common. False when there are fewer than keys, or a number is none. */
static bool set_attributes(struct fbx_curve *curve, const struct lists *lists)
{
    uint32_t run = 0;
    const double *runs = lists->numbers[RUNS];
    double left = lists->count[RUNS] > 0 ? runs[0] : 0;
    struct attributes *all = memory_new(curve->count, sizeof *all);
    bool good = true;
    for (uint32_t k = 0; k < curve->count && good; k++, left--) {
        while (!(left >= 1) && ++run < lists->count[RUNS])
            left = runs[run];
        good = run < lists->count[RUNS];
        if (!good)
            break;
        struct fbx_key *key = &curve->keys[k];
        all[k] = attributes_of(lists, run);
        if (all[k].flags & FLAG_HOLD)
            key->segment = all[k].flags & FLAG_HOLD_NEXT ? FBX_HOLD_NEXT : FBX_HOLD;
        else
            key->segment = all[k].flags & FLAG_CUBIC ? FBX_CUBIC : FBX_LINEAR;
        key->out_slope = all[k].right_slope;
        key->out_weight = all[k].right_weight;
        if (k + 1 < curve->count) {
            key[1].in_slope = all[k].flags & FLAG_TCB ? 0 : all[k].next_left_slope;
            key[1].in_weight = all[k].next_left_weight;
        }
    }
    for (uint32_t k = 0; k < curve->count && good; k++) {
        struct fbx_key *key = &curve->keys[k];
        const struct fbx_key *before = k > 0 ? key - 1 : NULL, *after = k + 1 < curve->count ? key + 1 : NULL;
        const uint32_t flags = all[k].flags;
        if (key->segment == FBX_CUBIC && flags & FLAG_TCB) {
            set_tcb(key, before, after, &all[k]);
        } else if (key->segment == FBX_CUBIC && !(flags & FLAG_USER)) {
            key->in_slope = auto_slope(key, before, after, -key->in_slope, flags);
            key->out_slope = auto_slope(key, before, after, key->out_slope, flags);
        }
    }
    for (uint32_t k = 0; k < curve->count && good; k++)
        good = isfinite(curve->keys[k].in_slope) && isfinite(curve->keys[k].out_slope);
    free(all);
    return good;
}

static bool set_keys(struct fbx_curve *curve, const struct lists *lists)
{
    const uint32_t *count = lists->count;
    if (!lists->numbers[TIMES] || !lists->numbers[VALUES] || count[TIMES] == 0 || count[VALUES] != count[TIMES])
        return false;
    curve->count = count[TIMES];
    curve->keys = memory_new(curve->count, sizeof *curve->keys);
    for (uint32_t k = 0; k < curve->count; k++) {
        struct fbx_key *key = &curve->keys[k];
        *key = (struct fbx_key){.time = lists->numbers[TIMES][k] / FBX_TICKS_PER_SECOND,
                                .value = lists->numbers[VALUES][k],
                                .in_weight = plain_weight,
                                .out_weight = plain_weight};
        if (!isfinite(key->value) || fabs(key->value) > 1e9 || (k > 0 && !(key->time > key[-1].time)))
            return false;
    }
    if (curve->count == 1) /* what is between keys does not matter */
        return true;
    return lists->numbers[FLAGS] && lists->numbers[DATA] && lists->numbers[RUNS] && count[FLAGS] == count[RUNS] &&
           count[DATA] / 4 >= count[RUNS] && set_attributes(curve, lists);
}

bool fbx_curve_read(const struct fbx_file *file, uint32_t element, struct fbx_curve *curve)
{
    struct lists lists = {.data_is_bits = !file->is_binary && file->version >= 7200};
    *curve = (struct fbx_curve){.keys = NULL};
    for (int i = 0; i < LISTS; i++) {
        uint32_t child = fbx_child(file, element, list_names[i]);
        lists.numbers[i] = child ? fbx_array(file, child, &lists.count[i]) : NULL;
    }
    bool good = set_keys(curve, &lists);
    for (int i = 0; i < LISTS; i++)
        free(lists.numbers[i]);
    if (!good) {
        free(curve->keys);
        *curve = (struct fbx_curve){.keys = NULL};
    }
    return good;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

uint32_t fbx_curve_segment(const struct fbx_curve *curve, double time)
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

/* A Bezier polynomial from 0 to `end` with control values a and b, and its derivative. */
static double bezier(double a, double b, double end, double s, double *derivative)
{
    double r = 1 - s;
    *derivative = 3 * (r * r * a + 2 * r * s * (b - a) + s * s * (end - b));
    return 3 * r * r * s * a + 3 * r * s * s * b + s * s * s * end;
}

/* The s where the segment's time, which never decreases, is the share u of its duration. */
static double solve(double out_weight, double in_weight, double u)
{
    double low = 0, high = 1, s = u, rate;
    if (out_weight == plain_weight && in_weight == plain_weight)
        return u;
    for (int i = 0; i < 64; i++) {
        double error = bezier(out_weight, 1 - in_weight, 1, s, &rate) - u;
        if (fabs(error) < 1e-15)
            break;
        if (error < 0)
            low = s;
        else
            high = s;
        s -= error / rate; /* Newton's step, or half of what is left */
        if (!(s > low && s < high))
            s = 0.5 * (low + high);
    }
    return s;
}

static void evaluate_cubic(const struct fbx_key *from, const struct fbx_key *to, double u, double *value, double *slope)
{
    double span = to->time - from->time, rise = to->value - from->value;
    double s = solve(from->out_weight, to->in_weight, u);
    double time_rate, value_rate;
    bezier(from->out_weight, 1 - to->in_weight, 1, s, &time_rate);
    *value = from->value + bezier(from->out_weight * span * from->out_slope, rise - to->in_weight * span * to->in_slope,
                                  rise, s, &value_rate);
    *slope = time_rate > 1e-9 ? value_rate / (time_rate * span) : 0;
}

void fbx_curve_evaluate(const struct fbx_curve *curve, double middle, double time, double *value, double *slope)
{
    uint32_t segment = fbx_curve_segment(curve, middle);
    const struct fbx_key *from = &curve->keys[segment > 0 ? segment - 1 : 0];
    *slope = 0;
    *value = from->value;
    if (segment == 0 || segment == curve->count || from->segment == FBX_HOLD)
        return;
    const struct fbx_key *to = from + 1;
    double u = fmin(fmax((time - from->time) / (to->time - from->time), 0), 1);
    if (from->segment == FBX_HOLD_NEXT) {
        *value = middle - from->time <= FBX_SAME_TIME ? from->value : to->value;
    } else if (from->segment == FBX_CUBIC) {
        evaluate_cubic(from, to, u, value, slope);
    } else {
        *slope = line(from, to);
        *value = from->value + u * (to->value - from->value);
    }
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* The axes in the order in which they turn a vector. */
static const unsigned char turn_order[FBX_ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                        {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

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
        quatd_mul(one, q, q);
    }
}

void fbx_euler(const double degrees[3], unsigned order, double q[4])
{
    turn(degrees, order, 3, q);
}

static void surround(const struct fbx_motion *motion, double q[4])
{
    quatd_mul(motion->before, q, q);
    quatd_mul(q, motion->after, q);
}

void fbx_motion_value(const struct fbx_motion *motion, const double *axes, double *value)
{
    if (motion->is_rotation) {
        fbx_euler(axes, motion->order, value);
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
        turn(degrees, motion->order, i, part);
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
