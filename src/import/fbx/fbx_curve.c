#include "import/fbx/fbx_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "import/scene/convert.h"

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
    static const char letters[] = {[BEYOND_HOLD] = 'C',
                                   [BEYOND_REPEAT] = 'R',
                                   [BEYOND_ONWARD] = 'A',
                                   [BEYOND_MIRROR] = 'M',
                                   [BEYOND_SLOPE] = 'K'};
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

bool fbx_curve_read(const struct fbx_file *file, uint32_t element, struct bezier_curve *curve)
{
    struct lists lists = {.data_is_bits = !file->is_binary && file->version >= 7200};
    *curve = (struct bezier_curve){.keys = NULL};
    for (int i = 0; i < LISTS; i++) {
        uint32_t child = fbx_child(file, element, list_names[i]);
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

const char *const fbx_properties[FBX_KINDS] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent"};
const char *const fbx_axes[FBX_KINDS] = {"d|X", "d|Y", "d|Z", "d|DeformPercent"};

/* Reads what an AnimationCurveNode animates; false when it is nothing of ours. */
static bool read_node(const struct fbx_file *file, uint32_t node, struct fbx_animated *out)
{
    uint32_t parent_count, child_count;
    int64_t id = 0;
    fbx_integer(file, node, 0, &id);
    const struct fbx_connection *parents = fbx_connections(file, file->by_child, id, &parent_count);
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id, &child_count);
    *out = (struct fbx_animated){.node = node};
    for (uint32_t i = 0; i < parent_count && out->object == 0; i++) {
        out->kind = 0;
        while (out->kind < FBX_KINDS && !slice_is(parents[i].property, fbx_properties[out->kind]))
            out->kind++;
        if (out->kind < FBX_KINDS)
            out->object = fbx_find(file, parents[i].other, out->kind == FBX_WEIGHT ? "Deformer" : "Model");
    }
    for (uint32_t i = 0; i < child_count && out->object != 0; i++)
        for (int axis = 0; axis < FBX_KINDS; axis++)
            if (slice_is(children[i].property, fbx_axes[axis]))
                out->curves[axis % 3] = fbx_find(file, children[i].other, "AnimationCurve");
    if (out->object != 0)
        out->name = fbx_object_name(file, out->object);
    return out->curves[0] || out->curves[1] || out->curves[2];
}

static int compare(const void *a, const void *b)
{
    const struct fbx_animated *x = a, *y = b;
    const int order = slice_order(x->name, y->name);
    return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out)
{
    size_t most = 2 * (size_t)file->connection_count; /* the first layer, and another one */
    double start = 0, stop = 0;
    uint32_t e = *after ? file->elements[*after].next : 0, top = *after ? 0 : fbx_child(file, 0, "Objects");
    uint32_t child_count;
    int64_t id = 0;
    e = top ? file->elements[top].child : e;
    while (e != 0 && (!slice_is(file->elements[e].name, "AnimationStack") || !slice_is(fbx_object_name(file, e), name)))
        e = file->elements[e].next;
    if (e == 0)
        return false;
    *after = e;
    fbx_integer(file, e, 0, &id);
    const struct fbx_connection *children = fbx_connections(file, file->by_parent, id, &child_count);
    *out = (struct fbx_animation){.list = memory_new(most, sizeof *out->list),
                                  .shapes = memory_new(most, sizeof *out->shapes)};
    fbx_property(file, e, "LocalStart", 1, &start);
    fbx_property(file, e, "LocalStop", 1, &stop);
    out->has_range = start != 0 || stop != 0;
    out->start = start / FBX_TICKS_PER_SECOND;
    out->stop = stop / FBX_TICKS_PER_SECOND;
    for (uint32_t i = 0; i < child_count; i++) {
        const uint32_t count = out->count, shape_count = out->shape_count;
        uint32_t node_count = 0;
        const struct fbx_connection *nodes = NULL;
        if (fbx_find(file, children[i].other, "AnimationLayer"))
            nodes = fbx_connections(file, file->by_parent, children[i].other, &node_count);
        for (uint32_t k = 0; k < node_count; k++) {
            uint32_t node = fbx_find(file, nodes[k].other, "AnimationCurveNode");
            struct fbx_animated animated;
            if (node != 0 && read_node(file, node, &animated))
                *(animated.kind == FBX_WEIGHT ? &out->shapes[out->shape_count++] : &out->list[out->count++]) = animated;
        }
        if ((out->count > count || out->shape_count > shape_count) && out->layer_count++ > 0) {
            out->count = count; /* of layers above the first one that animates something nothing is kept */
            out->shape_count = shape_count;
        }
    }
    qsort(out->list, out->count, sizeof *out->list, compare);
    return true;
}

void fbx_animation_release(struct fbx_animation *animation)
{
    free(animation->list);
    free(animation->shapes);
}

const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct slice name,
                                              enum component component)
{
    const struct fbx_animated wanted = {.name = name, .kind = (int)component};
    const struct fbx_animated *found = bsearch(&wanted, animation->list, animation->count, sizeof wanted, compare);
    if (!found || (found > animation->list && compare(found - 1, &wanted) == 0) ||
        (found + 1 < animation->list + animation->count && compare(found + 1, &wanted) == 0))
        return NULL;
    return found;
}

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

void fbx_motion_evaluate(const void *context, double middle, double time, double *value, double *slope)
{
    const struct fbx_motion *motion = context;
    double degrees[3], rates[3];
    double *axes = motion->is_rotation ? degrees : value, *axis_slopes = motion->is_rotation ? rates : slope;
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        axes[i] = motion->constants[i];
        axis_slopes[i] = 0;
        if (motion->curves[i].count == 0)
            continue;
        bezier_evaluate(&motion->curves[i], middle, time, &axes[i], &axis_slopes[i]);
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

/* The curves' keys within the clip are knots, and its ends where curves go on beyond them. */
void fbx_follow(const struct fbx_motion *motion, double duration, struct keys *keys, struct arena *arena,
                struct follow_counts *counts, int kind)
{
    const struct motion plain = {motion->width, motion->is_rotation, motion->tolerance, motion, fbx_motion_evaluate};
    const double ends[2] = {0, duration};
    size_t most = 2;
    uint32_t count = 0;
    bool beyond[2] = {false, false};
    for (uint32_t i = 0; i < motion->curve_count; i++)
        most += motion->curves[i].count;
    double *knots = memory_new(most, sizeof *knots);
    for (uint32_t i = 0; i < motion->curve_count; i++) {
        const struct bezier_curve *curve = &motion->curves[i];
        for (uint32_t k = 0; k < curve->count; k++)
            if (curve->keys[k].time >= 0 && curve->keys[k].time <= duration)
                knots[count++] = curve->keys[k].time;
        for (int e = 0; e < 2; e++) {
            uint32_t segment = bezier_segment(curve, ends[e]);
            beyond[e] = beyond[e] || (segment > 0 && segment < curve->count);
        }
    }
    for (int e = 0; e < 2; e++)
        if (beyond[e])
            knots[count++] = ends[e];
    motion_follow(&plain, knots, count, keys, arena, counts, kind);
    free(knots);
}
