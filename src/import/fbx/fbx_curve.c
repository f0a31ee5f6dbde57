#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The lists that a curve consists of. For TCB keys the first three numbers of DATA are tension, continuity and bias. */
enum { TIMES, VALUES, FLAGS, DATA, RUNS, LISTS };
static const char *const list_names[LISTS] = {"KeyTime", "KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat",
                                              "KeyAttrRefCount"};
static const char hidden_flags[] = "keyAttrFlags";

struct lists {
    double *numbers[LISTS]; /* NULL: there is none */
    uint32_t count[LISTS];
    bool data_is_bits; /* the numbers are floats written as integers */
};

static uint32_t bits_of(double number)
{
    return number >= -2147483648.0 && number <= 4294967295.0 ? (uint32_t)(int64_t)number : 0;
}

static double line(const struct bezier_key *from, const struct bezier_key *to)
{
    return (to->value - from->value) / (to->time - from->time);
}

/* `bias`, in percent, turns the slope to the line on one side; beyond 500 it makes it steeper. */
static double steepen(double slope, double toward, double bias)
{
    double beyond = fabs(bias) / 100 - 5;
    return beyond > 0 ? slope + (toward > 0 ? 40 : -40) * beyond * beyond : slope;
}

static double auto_slope(const struct bezier_key *key, const struct bezier_key *before, const struct bezier_key *after,
                         double bias)
{
    const uint32_t flags = key->flags;
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
    if (!(flags & FLAG_CLAMP_PROGRESSIVE))
        return slope;
    /* The slope may lead no farther than to the neighbour's value where the control point is. */
    double sign = slope < 0 ? -1.0 : 1.0;
    double left = sign * line(before, key) / key->in_weight, right = sign * line(key, after) / key->out_weight;
    double most = fmin(key->in_weight > 0 ? fmax(left, 0) : 0, key->out_weight > 0 ? fmax(right, 0) : 0);
    return sign * fmin(fabs(slope), most);
}

/* The numbers of a run are the key's, and those of its right side also the next key's left (NULL: there is none). */
static void set_attributes(struct bezier_key *key, struct bezier_key *next, const struct lists *lists, uint32_t run)
{
    const uint32_t flags = key->flags = bits_of(lists->numbers[FLAGS][run]);
    uint32_t bits;
    float number;
    for (uint32_t i = 0; i < 3; i++) {
        bits = bits_of(lists->numbers[DATA][4 * run + i]);
        memcpy(&number, &bits, sizeof number);
        key->data[i] = lists->data_is_bits ? (double)number : lists->numbers[DATA][4 * run + i];
    }
    number = (float)key->data[2]; /* two weights in units of 1/10000 are the halves of its bits */
    memcpy(&bits, &number, sizeof bits);
    if (flags & FLAG_HOLD)
        key->segment = flags & FLAG_HOLD_NEXT ? BEZIER_HOLD_NEXT : BEZIER_HOLD;
    else
        key->segment = flags & FLAG_CUBIC ? BEZIER_CUBIC : BEZIER_LINEAR;
    key->out_slope = key->data[0];
    if (next)
        next->in_slope = flags & FLAG_TCB ? 0 : key->data[1];
    if (!(flags & FLAG_TCB) && (flags & FLAG_WEIGHTED_RIGHT))
        key->out_weight = fmin((bits & 0xffff) * 0.0001, 1.0);
    if (next && !(flags & FLAG_TCB) && (flags & FLAG_WEIGHTED_NEXT_LEFT))
        next->in_weight = fmin((bits >> 16) * 0.0001, 1.0);
}

/* Each run of keys has attributes in common. False when there are fewer than keys, or a number is none. */
static bool set_segments(struct bezier_curve *curve, const struct lists *lists)
{
    uint32_t run = 0;
    const double *runs = lists->numbers[RUNS];
    double left = lists->count[RUNS] > 0 ? runs[0] : 0;
    for (uint32_t k = 0; k < curve->count; k++, left--) {
        while (!(left >= 1) && ++run < lists->count[RUNS])
            left = runs[run];
        if (run >= lists->count[RUNS])
            return false;
        set_attributes(&curve->keys[k], k + 1 < curve->count ? &curve->keys[k + 1] : NULL, lists, run);
    }
    for (uint32_t k = 0; k < curve->count; k++) {
        struct bezier_key *key = &curve->keys[k];
        const struct bezier_key *before = k > 0 ? key - 1 : NULL, *after = k + 1 < curve->count ? key + 1 : NULL;
        if (key->segment == BEZIER_CUBIC && key->flags & FLAG_TCB) {
            /* Kochanek and Bartels; at the ends the one line there is counts whole. */
            double tension = 1 - key->data[0], continuity = key->data[1], bias = key->data[2];
            double half = before && after ? 0.5 : 1.0;
            double in = before ? half * tension * line(before, key) : 0;
            double out = after ? half * tension * line(key, after) : 0;
            key->in_slope = (1 + bias) * (1 - continuity) * in + (1 - bias) * (1 + continuity) * out;
            key->out_slope = (1 + bias) * (1 + continuity) * in + (1 - bias) * (1 - continuity) * out;
        } else if (key->segment == BEZIER_CUBIC && !(key->flags & FLAG_USER)) {
            key->in_slope = auto_slope(key, before, after, -key->in_slope);
            key->out_slope = auto_slope(key, before, after, key->out_slope);
        }
        if (!isfinite(key->in_slope) || !isfinite(key->out_slope))
            return false;
    }
    return true;
}

static bool set_keys(struct bezier_curve *curve, const struct lists *lists)
{
    const uint32_t *count = lists->count;
    if (!lists->numbers[TIMES] || !lists->numbers[VALUES] || count[TIMES] == 0 || count[VALUES] != count[TIMES])
        return false;
    curve->count = count[TIMES];
    curve->keys = memory_new(curve->count, sizeof *curve->keys);
    for (uint32_t k = 0; k < curve->count; k++) {
        struct bezier_key *key = &curve->keys[k];
        *key = (struct bezier_key){.time = lists->numbers[TIMES][k] / FBX_TICKS_PER_SECOND,
                                   .value = lists->numbers[VALUES][k],
                                   .in_weight = BEZIER_PLAIN,
                                   .out_weight = BEZIER_PLAIN};
        if (!isfinite(key->value) || fabs(key->value) > 1e9 || (k > 0 && !(key->time > key[-1].time)))
            return false;
    }
    if (curve->count == 1) /* what is between keys does not matter */
        return true;
    return lists->numbers[FLAGS] && lists->numbers[DATA] && lists->numbers[RUNS] && count[FLAGS] == count[RUNS] &&
           count[DATA] / 4 >= count[RUNS] && set_segments(curve, lists);
}

/* Pre-Extrapolation: { Type: R, Repetition: -1 }, and the same behind the last key. */
static void read_beyond(const struct fbx_file *file, uint32_t element, struct bezier_curve *curve)
{
    static const char *const sides[2] = {"Pre-Extrapolation", "Post-Extrapolation"};
    static const char letters[] = {
        [BEYOND_HOLD] = 'C', [BEYOND_REPEAT] = 'R', [BEYOND_ONWARD] = 'A', [BEYOND_MIRROR] = 'M', [BEYOND_SLOPE] = 'K'};
    for (int i = 0; i < 2; i++) {
        const uint32_t side = fbx_child(file, element, sides[i]), letter = side ? fbx_child(file, side, "Type") : 0;
        struct slice type;
        curve->beyond[i].times = -1;
        fbx_number(file, side ? fbx_child(file, side, "Repetition") : 0, 0, &curve->beyond[i].times);
        for (unsigned k = 0; k < sizeof letters && letter; k++)
            if (fbx_string(file, letter, 0, &type) && type.length > 0 && type.data[0] == letters[k])
                curve->beyond[i].kind = (enum bezier_beyond)k;
    }
}

uint32_t fbx_curves_hide_flags(const struct fbx_file *file, unsigned char *data)
{
    uint32_t hidden = 0, count = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "AnimationCurve")) != 0;) {
        const uint32_t list = fbx_child(file, e, list_names[FLAGS]);
        FREED double *flags = list ? fbx_array(file, list, &count) : NULL;
        bool is_negative = false;
        for (uint32_t k = 0; flags && k < count; k++)
            is_negative = is_negative || flags[k] < 0;
        if (!is_negative)
            continue;
        memcpy(data + (file->elements[list].name.data - (const char *)file->data), hidden_flags,
               sizeof hidden_flags - 1);
        hidden++;
    }
    return hidden;
}

bool fbx_curve_read(const struct fbx_file *file, uint32_t element, struct bezier_curve *curve)
{
    struct lists lists = {.data_is_bits = !file->is_binary && file->version >= 7200};
    *curve = (struct bezier_curve){.keys = NULL};
    for (int i = 0; i < LISTS; i++) {
        uint32_t child = fbx_child(file, element, list_names[i]);
        child = child || i != FLAGS ? child : fbx_child(file, element, hidden_flags);
        lists.numbers[i] = child ? fbx_array(file, child, &lists.count[i]) : NULL;
    }
    const bool good = set_keys(curve, &lists);
    read_beyond(file, element, curve);
    for (int i = 0; i < LISTS; i++)
        free(lists.numbers[i]);
    if (!good) {
        free(curve->keys);
        *curve = (struct bezier_curve){.keys = NULL};
    }
    return good;
}
