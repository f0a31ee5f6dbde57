#include "import/dae/dae_animation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/vector.h"

/*
 * COLLADA animates the numbers of a node's transforms, each by a curve of its own (COLLADA 1.4.1, "Curve
 * Interpolation"). The product is taken apart at every key, and where lines between those are not what the curves mean,
 * the keys follow these. A whole matrix is only taken apart: its rotation turns, though by the letter its 16 numbers
 * are interpolated.
 */

/* A transform of a node. */
struct part {
    enum part_kind { TRANSLATE, ROTATE, SCALE, MATRIX, LOOK_AT } kind;
    unsigned width;
    double numbers[16];
};

struct chain {
    size_t count;
    struct part *parts;          /* [count] */
    struct bezier_curve *curves; /* [16 * count] of the numbers of each */
    bool on_lines;               /* between keys that is all that is played */
    bool is_like;                /* place() takes the product apart as the keys have it: without shear and mirrors */
    double largest[COMPONENT_COUNT]; /* of the keys */
    enum component component;
};

/* A value of each component, and its slope. */
struct placed {
    double value[COMPONENT_COUNT][4], slope[COMPONENT_COUNT][4], matrix[3][4];
};

static const double degree = 3.14159265358979323846 / 180;

/* out = a b of the upper three rows; `carries`: b is a map, not a slope, whose last row is 0. `out` may be `a`. */
static void multiply(double a[3][4], double b[3][4], bool carries, double out[3][4])
{
    for (int r = 0; r < 3; r++) {
        double row[4];
        for (int c = 0; c < 4; c++)
            row[c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c] + (c == 3 && carries ? a[r][3] : 0);
        memcpy(out[r], row, sizeof row);
    }
}

/* The quaternion and its slope of a turn by numbers[3] degrees about an axis, and the same as matrices. */
static void turn(const double numbers[4], double rate, double q[4], double q_slope[4], double x[3][4],
                 double slope[3][4])
{
    const double length = vec3d_length(numbers), half = numbers[3] * degree / 2, half_rate = rate * degree / 2;
    for (int i = 0; i < 3; i++) {
        double axis = length > 0 ? numbers[i] / length : 0;
        q[i] = axis * sin(half);
        q_slope[i] = axis * cos(half) * half_rate;
    }
    q[3] = length > 0 ? cos(half) : 1;
    q_slope[3] = length > 0 ? -sin(half) * half_rate : 0;
    for (int c = 0; c < 3; c++) { /* the column is q e q*, its slope twice the vector part of q' e q* */
        const double e[4] = {c == 0, c == 1, c == 2, 0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
        double column[4], column_slope[4];
        quatd_mul(q, e, column);
        quatd_mul(column, back, column);
        quatd_mul(q_slope, e, column_slope);
        quatd_mul(column_slope, back, column_slope);
        for (int r = 0; r < 3; r++) {
            x[r][c] = column[r];
            slope[r][c] = 2 * column_slope[r];
        }
    }
}

/* A transform's matrix and quaternion at a time, and their slopes. */
static void place_part(const struct chain *chain, size_t index, double middle, double time, double x[3][4],
                       double x_slope[3][4], double q[4], double q_slope[4])
{
    const struct part *part = &chain->parts[index];
    double numbers[16], rates[16] = {0};
    memcpy(numbers, part->numbers, sizeof numbers);
    for (unsigned i = 0; i < part->width; i++) {
        const struct bezier_curve *curve = &chain->curves[16 * index + i];
        if (curve->count > 0 && chain->on_lines)
            numbers[i] = bezier_on_lines(curve, time);
        else if (curve->count > 0)
            bezier_evaluate(curve, middle, time, &numbers[i], &rates[i]);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            bool is_own = part->kind == TRANSLATE ? c == 3 : part->kind == SCALE && r == c;
            x[r][c] = part->kind == MATRIX ? numbers[4 * r + c] : is_own ? numbers[r] : r == c;
            x_slope[r][c] = is_own ? rates[r] : 0;
        }
    memcpy(q, (const double[4]){0, 0, 0, 1}, 4 * sizeof *q);
    memset(q_slope, 0, 4 * sizeof *q_slope);
    if (part->kind == ROTATE)
        turn(numbers, rates[3], q, q_slope, x, x_slope);
    if (part->kind == MATRIX) {
        double columns[3][3];
        for (int c = 0; c < 3; c++) {
            double length = vec3d_length((const double[3]){x[0][c], x[1][c], x[2][c]});
            for (int r = 0; r < 3; r++)
                columns[c][r] = length > 0 ? x[r][c] / length : 0;
        }
        quaternion_from_columns(columns, q);
    }
}

static void place(const struct chain *chain, double middle, double time, struct placed *out)
{
    double m[3][4] = {{1}, {0, 1}, {0, 0, 1}}, rate[3][4] = {{0}};
    double *q = out->value[COMPONENT_ROTATION], *q_rate = out->slope[COMPONENT_ROTATION];
    *out = (struct placed){.value[COMPONENT_ROTATION][3] = 1};
    for (size_t i = 0; i < chain->count; i++) {
        double x[3][4], x_slope[3][4], change[3][4], p[4], p_slope[4], q_change[4];
        place_part(chain, i, middle, time, x, x_slope, p, p_slope);
        multiply(m, x_slope, false, change);
        multiply(rate, x, true, rate);
        multiply(m, x, true, m);
        quatd_mul(q, p_slope, q_change);
        quatd_mul(q_rate, p, q_rate);
        quatd_mul(q, p, q);
        for (int k = 0; k < 12; k++)
            rate[k / 4][k % 4] += change[k / 4][k % 4];
        for (int k = 0; k < 4; k++)
            q_rate[k] += q_change[k];
    }
    memcpy(out->matrix, m, sizeof m);
    for (int c = 0; c < 3; c++) {
        const double column[3] = {m[0][c], m[1][c], m[2][c]}, slope[3] = {rate[0][c], rate[1][c], rate[2][c]};
        double scale = vec3d_length(column);
        out->value[COMPONENT_TRANSLATION][c] = m[c][3];
        out->slope[COMPONENT_TRANSLATION][c] = rate[c][3];
        out->value[COMPONENT_SCALE][c] = scale;
        out->slope[COMPONENT_SCALE][c] = scale > 0 ? vec3d_dot(column, slope) / scale : 0;
    }
}

static void evaluate(const void *context, double middle, double time, double *value, double *slope)
{
    const struct chain *chain = context;
    struct placed placed;
    place(chain, middle, time, &placed);
    memcpy(value, placed.value[chain->component], component_width(chain->component) * sizeof *value);
    memcpy(slope, placed.slope[chain->component], component_width(chain->component) * sizeof *slope);
}

/* Finds which numbers of a transform a channel means: "rotateX", "rotateX.ANGLE", "move.X", "move(1)", "matrix(3)(0)".
 * */
static bool find_numbers(const struct part *part, struct slice member, size_t *first, size_t *width)
{
    static const char *const names[] = {".X", ".Y", ".Z", ".ANGLE"};
    unsigned column, row;
    char text[16] = "";
    memcpy(text, member.data, member.length < sizeof text ? member.length : 0);
    *first = 0;
    *width = member.length == 0 ? part->width : 1;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(text, names[i]) == 0) {
            *first = i;
            return i < part->width;
        }
    int found = sscanf(text, "(%2u)(%2u)", &column, &row);
    if (found > 0)
        *first = found == 2 ? 4 * (size_t)row + column : column;
    return member.length == 0 || (found > 0 && *first < part->width);
}

/* <sampler>'s <input>s by their semantic. */
enum input { TIME, VALUE, INTERPOLATION, IN_TANGENT, OUT_TANGENT, INPUTS };

/* The sources of a sampler: numbers are NULL where there are none. */
struct sources {
    struct dae_source items[INPUTS];
    double *numbers[INPUTS];
};

/* The control point beside a key, as it is in the file, becomes a slope and a weight; `side`: -1 before the key, 1
 * behind. */
static void set_tangent(const struct bezier_key *key, double span, const double *tangent, bool is_pair, bool is_hermite,
                        int side, double *slope, double *weight)
{
    static const double least = 1e-6; /* of a point straight above the key */
    const double value = tangent[is_pair];
    double rise = is_hermite ? value / 3 : side * (value - key->value), run = BEZIER_PLAIN;
    if (is_pair) /* Hermite: T = 3 (C - P) */
        run = is_hermite ? tangent[0] / (3 * span) : side * (tangent[0] - key->time) / span;
    run = fmax(run, least);
    *slope = rise / (run * span);
    *weight = fmin(run, 1);
}

/* Reads what a word says of the segment behind a key. False: nothing that can be followed. */
static bool read_kind(struct slice word, enum bezier_kind *kind, bool *is_hermite)
{
    static const char *const names[] = {"LINEAR", "STEP", "BEZIER", "HERMITE"};
    static const enum bezier_kind kinds[] = {BEZIER_LINEAR, BEZIER_HOLD, BEZIER_CUBIC, BEZIER_CUBIC};
    for (int i = 0; i < 4; i++)
        if (slice_is(word, names[i])) {
            *kind = kinds[i];
            *is_hermite = i == 3;
            return true;
        }
    return false;
}

/* The segment before key k is a cubic one: its two tangents. False: there are none. */
static bool set_tangents(const struct sources *s, size_t k, size_t index, size_t width, bool is_hermite,
                         struct bezier_key *key)
{
    struct bezier_key *before = key - 1;
    for (int side = -1; side <= 1; side += 2) {
        const enum input input = side < 0 ? IN_TANGENT : OUT_TANGENT;
        const struct dae_source *item = &s->items[input];
        const size_t each = item->stride / width, at = side < 0 ? k : k - 1;
        if (!s->numbers[input] || item->count != s->items[TIME].count || item->stride % width != 0 || each < 1 ||
            each > 2)
            return false;
        set_tangent(side < 0 ? key : before, key->time - before->time,
                    s->numbers[input] + at * item->stride + index * each, each == 2, is_hermite, side,
                    side < 0 ? &key->in_slope : &before->out_slope, side < 0 ? &key->in_weight : &before->out_weight);
    }
    return true;
}

static bool make_curve(const struct sources *s, size_t index, size_t width, double start, struct bezier_curve *curve,
                       bool *partly)
{
    static const double largest = 1e9;
    const size_t count = s->items[TIME].count;
    struct slice words = s->items[INTERPOLATION].content;
    bool is_hermite = false, hermite_before;
    curve->keys = memory_new(count, sizeof *curve->keys);
    curve->count = (uint32_t)count;
    for (size_t k = 0; k < count; k++) {
        struct bezier_key *key = &curve->keys[k], *before = k > 0 ? key - 1 : NULL;
        hermite_before = is_hermite;
        *key = (struct bezier_key){s->numbers[TIME][k], s->numbers[VALUE][k * width + index]};
        if ((before && key->time <= before->time) || fabs(key->value) > largest || fabs(key->time) > largest)
            return false;
        if (words.length > 0 && !read_kind(dae_word(&words), &key->segment, &is_hermite))
            *partly = *partly || (k + 1 < count && s->numbers[VALUE][(k + 1) * width + index] != key->value);
        if (before && before->segment == BEZIER_CUBIC && !set_tangents(s, k, index, width, hermite_before, key)) {
            before->segment = BEZIER_LINEAR;
            *partly = *partly || before->value != key->value;
        }
    }
    for (size_t k = 0; k < count; k++)
        curve->keys[k].time -= start;
    return count > 0;
}

/*
 * The curves of a sampler whose values have `width` numbers, from curves[0] on, to be freed by the caller in any case;
 * the file's time `start` becomes 0. False: it cannot be read. `*partly`: lines stand for segments that are something
 * else.
 */
static bool read_sampler(const struct dae_file *file, uint32_t sampler, size_t width, double start,
                         struct bezier_curve *curves, bool *partly)
{
    static const char *const semantics[INPUTS] = {"INPUT", "OUTPUT", "INTERPOLATION", "IN_TANGENT", "OUT_TANGENT"};
    struct sources s = {.numbers = {NULL}};
    for (int i = 0; i < INPUTS && sampler; i++) {
        s.items[i] = dae_source_of(file, dae_input(file, sampler, semantics[i]));
        s.numbers[i] = i != INTERPOLATION ? dae_source_numbers(&s.items[i]) : NULL;
    }
    bool good = s.numbers[TIME] && s.numbers[VALUE] && s.items[TIME].stride == 1 && s.items[VALUE].stride == width &&
                s.items[VALUE].count == s.items[TIME].count;
    for (size_t i = 0; i < width && good; i++) {
        free(curves[i].keys); /* of two channels on one number the last one counts */
        *partly = *partly || curves[i].count > 0;
        curves[i] = (struct bezier_curve){0};
        good = make_curve(&s, i, width, start, &curves[i], partly);
        curves[i].count = good ? curves[i].count : 0;
    }
    for (int i = 0; i < INPUTS; i++)
        free(s.numbers[i]);
    return good;
}

/* The times of all keys of `count` curves, ascending and each once; the caller frees them. */
static double *key_times(const struct bezier_curve *curves, size_t count, uint32_t *time_count)
{
    size_t all = 0;
    double *times = NULL;
    for (size_t i = 0; i < count; i++) {
        times = memory_grow(times, all + curves[i].count + 1, sizeof *times);
        for (uint32_t k = 0; k < curves[i].count; k++)
            times[all++] = curves[i].keys[k].time;
    }
    *time_count = sort_times(times, all, 0);
    return times;
}

/* The node's transforms and what moves them; the caller frees what there is. False when some of it cannot be read. */
static bool read_chain(const struct dae_file *file, const struct dae_move *moves, size_t count, double start,
                       struct chain *chain, bool *partly)
{
    static const char *const names[] = {"translate", "rotate", "scale", "matrix", "lookat"};
    static const unsigned widths[] = {3, 4, 3, 16, 0};
    bool good = true;
    for (uint32_t e = file->elements[moves[0].node].child; e != 0; e = file->elements[e].next) {
        int kind = 0;
        while (kind <= LOOK_AT && !dae_is(file, e, names[kind]))
            kind++;
        FREED double *numbers = kind < LOOK_AT ? dae_numbers(file->elements[e].inside, widths[kind]) : NULL;
        good = good && (numbers || kind > LOOK_AT);
        if (!numbers)
            continue;
        chain->parts = memory_grow(chain->parts, chain->count + 1, sizeof *chain->parts);
        chain->curves = memory_grow(chain->curves, 16 * (chain->count + 1), sizeof *chain->curves);
        struct bezier_curve *curves = chain->curves + 16 * chain->count;
        memset(curves, 0, 16 * sizeof *curves);
        struct part *part = &chain->parts[chain->count++];
        *part = (struct part){.kind = (enum part_kind)kind, .width = widths[kind]};
        memcpy(part->numbers, numbers, part->width * sizeof *numbers);
        for (size_t i = 0, first, width; i < count; i++)
            if (moves[i].target == e)
                good = find_numbers(part, moves[i].member, &first, &width) &&
                       read_sampler(file, moves[i].sampler, width, start, curves + first, partly) && good;
    }
    return good;
}

/* The node's transform at the times, with lines between the keys of its curves. */
static void sample(struct chain *chain, const double *times, uint32_t count, struct arena *arena, struct keys *keys)
{
    static const double limit = 1e-4;
    float *values[COMPONENT_COUNT];
    double *copy = ARENA_COPIES(arena, double, times, count);
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        values[i] = ARENA_NEW(arena, float, (size_t)count *component_width((enum component)i));
        keys[i] = (struct keys){count, copy, values[i], INTERPOLATE_LINEAR};
    }
    chain->on_lines = chain->is_like = true;
    for (size_t k = 0; k < count; k++) {
        struct placed placed;
        struct transform parts;
        const float *const taken[COMPONENT_COUNT] = {parts.translation, parts.rotation, parts.scale};
        float rows[12];
        mat4 matrix;
        place(chain, times[k], times[k], &placed);
        for (int i = 0; i < 12; i++)
            rows[i] = (float)placed.matrix[i / 4][i % 4];
        affine_from_rows(rows, matrix);
        affine_to_transform(matrix, &parts);
        for (int i = 0; i < COMPONENT_COUNT; i++) {
            const unsigned width = component_width((enum component)i);
            double key[4], largest = 0;
            for (unsigned n = 0; n < width; n++) {
                values[i][k * width + n] = taken[i][n];
                key[n] = (double)taken[i][n];
                largest = fmax(largest, fabs(key[n]));
            }
            const double off = value_difference(placed.value[i], key, width, i == COMPONENT_ROTATION);
            chain->is_like = chain->is_like && off <= limit * fmax(largest, 1);
            chain->largest[i] = fmax(chain->largest[i], largest);
        }
    }
    chain->on_lines = false;
}

/* Between its keys. False: lines stay, which are not what the curves mean. */
static bool follow(struct chain *chain, bool follows, struct arena *arena, struct keys *all,
                   struct follow_counts *counts)
{
    unsigned shape = 0, only_taken_apart = 0; /* the latter: of matrices and of axes that turn */
    for (size_t i = 0; i < 16 * chain->count; i++) {
        const unsigned part_shape = bezier_shape(&chain->curves[i]);
        const enum part_kind kind = chain->parts[i / 16].kind;
        shape |= part_shape;
        only_taken_apart |= kind == MATRIX || (kind == ROTATE && i % 16 < 3) ? part_shape : 0;
    }
    const bool is_plain = (shape & ~(1u << BEZIER_LINEAR)) == 0;
    if (only_taken_apart) {
        const bool steps = shape == 1u << BEZIER_HOLD;
        for (int i = 0; i < COMPONENT_COUNT && steps; i++)
            all[i].interpolation = INTERPOLATE_STEP;
        return is_plain || steps;
    }
    if (!chain->is_like)
        return is_plain;
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        chain->component = (enum component)i;
        const double tolerance = i == COMPONENT_ROTATION ? 5e-7 : fmax(1e-6 * chain->largest[i], 1e-9);
        const struct motion motion = {component_width(chain->component), i == COMPONENT_ROTATION, tolerance, chain,
                                      evaluate};
        motion_follow(&motion, NULL, 0, &all[i], follows ? arena : NULL, counts, i);
    }
    return true;
}

bool dae_channel_make(const struct dae_file *file, const struct dae_move *moves, size_t count, double start,
                      bool follows, struct arena *arena, struct channel *out, struct follow_counts *counts)
{
    struct chain chain = {0};
    uint32_t time_count = 0;
    bool partly = false, good = read_chain(file, moves, count, start, &chain, &partly);
    FREED double *times = key_times(chain.curves, 16 * chain.count, &time_count);
    if (time_count > 0) {
        sample(&chain, times, time_count, arena, out->keys);
        good = follow(&chain, follows, arena, out->keys, counts) && good;
    }
    counts->unlike += !good || partly;
    for (size_t i = 0; i < 16 * chain.count; i++)
        free(chain.curves[i].keys);
    free(chain.curves);
    free(chain.parts);
    return time_count > 0;
}
