#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "import/dae/dae_file.h"
#include "import/motion/motion.h"

/*
 * COLLADA animates the numbers of a node's transforms, each by a curve of its own. Assimp joins the keys of each with lines,
 * whatever the file says (COLLADA 1.4.1, "Curve Interpolation"), takes the product apart at every key, and lines between
 * those are played. Here the file's curves are read again, and the keys follow them; only where lines between the file's keys
 * give what Assimp has: then it is known what they mean. A whole matrix is left to Assimp: it is taken apart, and its
 * rotation turns, though by the letter its 16 numbers are interpolated.
 */

/* A transform of a node, and the curves of its numbers. */
struct part {
    enum dae_kind kind;
    unsigned width;
    double numbers[16];
    struct bezier_curve curves[4];
};

struct chain {
    size_t count;
    struct part *parts; /* [count] */
    bool on_lines;      /* as Assimp plays it */
    enum component component;
};

/* A value of each component, and its slope. */
struct placed {
    double value[COMPONENT_COUNT][4], slope[COMPONENT_COUNT][4];
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
static void place_part(const struct chain *chain, const struct part *part, double middle, double time, double x[3][4],
                       double x_slope[3][4], double q[4], double q_slope[4])
{
    double numbers[16], rates[16] = {0};
    memcpy(numbers, part->numbers, sizeof numbers);
    for (int i = 0; i < 4; i++) {
        const struct bezier_curve *curve = &part->curves[i];
        if (curve->count > 0 && chain->on_lines)
            numbers[i] = bezier_on_lines(curve, time);
        else if (curve->count > 0)
            bezier_evaluate(curve, middle, time, &numbers[i], &rates[i]);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            bool is_own = part->kind == DAE_TRANSLATE ? c == 3 : part->kind == DAE_SCALE && r == c;
            x[r][c] = part->kind == DAE_MATRIX ? numbers[4 * r + c] : is_own ? numbers[r] : r == c;
            x_slope[r][c] = is_own ? rates[r] : 0;
        }
    memcpy(q, (const double[4]){0, 0, 0, 1}, 4 * sizeof *q);
    memset(q_slope, 0, 4 * sizeof *q_slope);
    if (part->kind == DAE_ROTATE)
        turn(numbers, rates[3], q, q_slope, x, x_slope);
    if (part->kind == DAE_MATRIX) {
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
        place_part(chain, &chain->parts[i], middle, time, x, x_slope, p, p_slope);
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

/* The control point beside a key, as it is in the file, becomes a slope and a weight; `side`: -1 before the key, 1 behind. */
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

/* What the word at `*word`, which moves on, says of the segment behind a key. False: nothing that can be followed. */
static bool read_kind(const char **word, enum bezier_kind *kind, bool *is_hermite)
{
    static const char *const names[] = {"LINEAR", "STEP", "BEZIER", "HERMITE"};
    static const enum bezier_kind kinds[] = {BEZIER_LINEAR, BEZIER_HOLD, BEZIER_CUBIC, BEZIER_CUBIC};
    *word += strspn(*word, " \t\r\n");
    const struct dae_text text = {*word, strcspn(*word, " \t\r\n<")};
    *word += text.length;
    for (int i = 0; i < 4; i++)
        if (dae_text_is(text, names[i])) {
            *kind = kinds[i];
            *is_hermite = i == 3;
            return true;
        }
    return false;
}

/* The sources of a sampler: numbers are NULL where there are none. */
struct sources {
    const struct dae_item *items[DAE_INPUTS];
    double *numbers[DAE_INPUTS];
};

/* Curve `index` of `width`. Assimp's times, in seconds, are the file's but for a rounding error, and count. */
static bool make_curve(const struct sources *s, size_t index, size_t width, const struct keys *keys,
                       struct bezier_curve *curve)
{
    static const double near = 1e-5;
    const size_t count = s->items[DAE_TIME]->count;
    const char *word = s->items[DAE_INTERPOLATION] ? s->items[DAE_INTERPOLATION]->content : NULL;
    bool is_hermite = false, hermite_before;
    curve->keys = memory_new(count, sizeof *curve->keys);
    curve->count = (uint32_t)count;
    for (size_t k = 0; k < count; k++) {
        struct bezier_key *key = &curve->keys[k], *before = k > 0 ? key - 1 : NULL;
        const double time = s->numbers[DAE_TIME][k], slack = near * (1 + fabs(time));
        const uint32_t passed = keys_count_until(keys, time + slack);
        hermite_before = is_hermite;
        *key = (struct bezier_key){passed > 0 ? keys->times[passed - 1] : 0, s->numbers[DAE_VALUE][k * width + index]};
        if (passed == 0 || fabs(key->time - time) > slack || (before && key->time <= before->time) ||
            fabs(key->value) > 1e9 || (word && !read_kind(&word, &key->segment, &is_hermite)))
            return false;
        if (!before || before->segment != BEZIER_CUBIC)
            continue;
        for (int side = -1; side <= 1; side += 2) {
            const enum dae_input input = side < 0 ? DAE_IN_TANGENT : DAE_OUT_TANGENT;
            const struct dae_item *item = s->items[input];
            const size_t each = item ? item->stride / width : 0, at = side < 0 ? k : k - 1;
            if (!s->numbers[input] || item->count != count || item->stride % width != 0 || each < 1 || each > 2)
                return false;
            set_tangent(side < 0 ? key : before, key->time - before->time,
                        s->numbers[input] + at * item->stride + index * each, each == 2, hermite_before, side,
                        side < 0 ? &key->in_slope : &before->out_slope,
                        side < 0 ? &key->in_weight : &before->out_weight);
        }
    }
    return true;
}

/* The curves of a sampler, from curves[0] on. False, with some of them made, when it cannot be followed. */
static bool read_sampler(const struct dae_file *file, const struct dae_item *sampler, size_t width,
                         const struct keys *keys, struct bezier_curve *curves)
{
    struct sources s = {{NULL}};
    bool good = true;
    for (int i = 0; i < DAE_INPUTS; i++) {
        s.items[i] = sampler->inputs[i].data ? dae_find_kind(file, sampler->inputs[i], DAE_SOURCE) : NULL;
        s.numbers[i] = s.items[i] && i != DAE_INTERPOLATION ? dae_source_numbers(s.items[i]) : NULL;
    }
    const struct dae_item *times = s.items[DAE_TIME], *values = s.items[DAE_VALUE];
    good = s.numbers[DAE_TIME] && s.numbers[DAE_VALUE] && times->stride == 1 && values->stride == width &&
           values->count == times->count;
    for (size_t i = 0; i < width && good; i++)
        good = curves[i].count == 0 && make_curve(&s, i, width, keys, &curves[i]);
    for (int i = 0; i < DAE_INPUTS; i++)
        free(s.numbers[i]);
    return good;
}

/* Which numbers of a transform a channel means: "rotateX", "rotateX.ANGLE", "move.X". Assimp takes "(1)" for another one. */
static bool find_numbers(const struct part *part, struct dae_text member, size_t *first, size_t *width)
{
    static const char *const names[] = {".X", ".Y", ".Z", ".ANGLE"};
    *first = 0;
    *width = part->width;
    for (size_t i = 0; i < part->width && i < 4; i++)
        if (dae_text_is(member, names[i])) {
            *first = i;
            *width = 1;
            return true;
        }
    return member.length == 0;
}

/* A channel moves the transform of its name; of a name that the node does not have it moves nothing. */
static bool read_channel(const struct dae_file *file, const struct dae_item *channel, const struct dae_item *transforms,
                         struct chain *chain, const struct keys *keys)
{
    size_t first, width;
    const struct dae_item *sampler = dae_find_kind(file, channel->inputs[0], DAE_SAMPLER);
    for (size_t i = 0; i < chain->count; i++) {
        struct part *part = &chain->parts[i];
        if (channel->sid.length == 0 || !dae_texts_are_one(transforms[i].sid, channel->sid))
            continue;
        return sampler && find_numbers(part, channel->member, &first, &width) && part->kind != DAE_MATRIX &&
               part->kind != DAE_OTHER && (part->kind != DAE_ROTATE || first == 3 || width == 4) &&
               read_sampler(file, sampler, width, keys, &part->curves[first]);
    }
    return true;
}

/* The node's transforms and what moves them; the caller frees what there is. False when it cannot be followed. */
static bool read_chain(const struct dae_file *file, const struct dae_item *items, size_t count, const struct keys *keys,
                       struct chain *chain)
{
    static const unsigned widths[] = {[DAE_TRANSLATE] = 3, [DAE_ROTATE] = 4, [DAE_SCALE] = 3, [DAE_MATRIX] = 16};
    size_t channels = 0;
    bool good = true;
    while (channels < count && items[channels].kind <= DAE_CHANNEL)
        channels++;
    *chain = (struct chain){count - channels, memory_new(count - channels, sizeof *chain->parts)};
    for (size_t i = 0; i < chain->count && good; i++) {
        struct part *part = &chain->parts[i];
        part->kind = items[channels + i].kind;
        part->width = part->kind < DAE_OTHER ? widths[part->kind] : 0;
        double *numbers = dae_numbers(items[channels + i].content, part->width);
        good = numbers != NULL;
        if (good)
            memcpy(part->numbers, numbers, part->width * sizeof *numbers);
        free(numbers);
    }
    for (size_t i = 0; i < channels && good; i++)
        good = items[i].kind == DAE_CHANNEL && read_channel(file, &items[i], items + channels, chain, keys);
    for (size_t i = 0; i < chain->count && good; i++) /* an axis that turns as well is beyond turn() */
        for (int k = 0; k < 3 && chain->parts[i].kind == DAE_ROTATE; k++)
            for (uint32_t j = 0; j < chain->parts[i].curves[k].count; j++)
                good = good && chain->parts[i].curves[k].keys[j].value == chain->parts[i].curves[k].keys[0].value;
    return good;
}

/* Whether lines between the file's keys give those that Assimp has. */
static bool is_like(struct chain *chain, const struct channel *channel)
{
    static const double limit = 1e-4;
    bool good = true;
    chain->on_lines = true;
    for (int i = 0; i < COMPONENT_COUNT && good; i++) {
        const struct keys *keys = &channel->keys[i];
        const unsigned width = component_width((enum component)i);
        for (uint32_t k = 0; k < keys->count && good; k++) {
            struct placed placed;
            double key[4], largest = 1;
            place(chain, keys->times[k], keys->times[k], &placed);
            for (unsigned n = 0; n < width; n++) {
                key[n] = (double)keys->values[(size_t)k * width + n];
                largest = fmax(largest, fabs(key[n]));
            }
            good = value_difference(placed.value[i], key, width, i == COMPONENT_ROTATION) <= limit * largest;
        }
    }
    chain->on_lines = false;
    return good;
}

static double tolerance_of(const struct keys *keys, enum component component)
{
    double largest = 0;
    for (size_t i = 0; i < (size_t)keys->count * component_width(component); i++)
        largest = fmax(largest, fabs((double)keys->values[i]));
    return component == COMPONENT_ROTATION ? 5e-7 : fmax(1e-6 * largest, 1e-9);
}

/* Whether all that moves the node is a whole matrix with lines between its keys, as most exporters write. */
static bool is_plain_matrix(const struct dae_file *file, const struct dae_item *items, size_t count)
{
    const struct dae_item *sampler =
        count > 0 && items[0].kind == DAE_CHANNEL ? dae_find_kind(file, items[0].inputs[0], DAE_SAMPLER) : NULL;
    const struct dae_item *values = sampler ? dae_find_kind(file, sampler->inputs[DAE_VALUE], DAE_SOURCE) : NULL;
    const struct dae_item *names = sampler ? dae_find_kind(file, sampler->inputs[DAE_INTERPOLATION], DAE_SOURCE) : NULL;
    const char *word = names ? names->content : NULL;
    enum bezier_kind kind = BEZIER_LINEAR;
    bool is_hermite, is_plain = values && values->stride == 16 && (count == 1 || items[1].kind != DAE_CHANNEL);
    for (size_t i = 0; names && i < names->count && is_plain; i++)
        is_plain = read_kind(&word, &kind, &is_hermite) && kind == BEZIER_LINEAR;
    return is_plain;
}

static void follow_channel(const struct dae_file *file, struct channel *channel, struct arena *arena,
                           struct follow_counts *counts)
{
    size_t count;
    struct chain chain = {0};
    const struct dae_item *items =
        dae_find(file, (struct dae_text){channel->node_name, strlen(channel->node_name)}, &count);
    if (is_plain_matrix(file, items, count))
        return;
    bool good = items && channel->keys[0].count > 0 && read_chain(file, items, count, &channel->keys[0], &chain) &&
                is_like(&chain, channel);
    counts->unlike += !good;
    for (int i = 0; i < COMPONENT_COUNT && good; i++) {
        double error;
        uint32_t added;
        chain.component = (enum component)i;
        struct keys *keys = &channel->keys[i];
        const struct motion motion = {component_width(chain.component), i == COMPONENT_ROTATION,
                                      tolerance_of(keys, chain.component), &chain, evaluate};
        bool followed = keys->count == 0 || motion_follow(&motion, NULL, 0, keys, arena, &error, &added);
        if (keys->count > 0)
            follow_count(counts, followed, error, added, i);
    }
    for (size_t i = 0; i < chain.count; i++)
        for (int k = 0; k < 4; k++)
            free(chain.parts[i].curves[k].keys);
    free(chain.parts);
}

/* Whether any curve is more than a line; else lines between Assimp's keys that stay are not worth a word. */
static bool bends(const struct blob *blob)
{
    static const char *const words[] = {"BEZIER", "HERMITE", "BSPLINE", "CARDINAL", ">STEP", " STEP"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr((const char *)blob->data, words[i]))
            return true;
    return false;
}

void repair_dae_curves(struct conversion *c)
{
    enum { LARGEST = 1 << 28 };
    struct blob blob;
    struct dae_file file;
    struct error ignored = {0};
    if (!is_format(c, "dae") || c->scene->clip_count == 0 || !file_read(c->scene->path, LARGEST, &blob, &ignored))
        return;
    dae_file_read(&blob, &file);
    const bool fixed = c->repairs & REPAIR_DAE_CURVES;
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        struct follow_counts counts = {0};
        for (uint32_t k = 0; k < clip->channel_count; k++)
            follow_channel(&file, &clip->channels[k], fixed ? c->scene->arena : NULL, &counts);
        counts.unlike = bends(&blob) ? counts.unlike : 0;
        follow_tell(&counts, c->scene, clip, "dae-curves", fixed);
    }
    dae_file_close(&file);
    blob_release(&blob);
}
