/* Key by key: which keys of a channel came, went, moved in time or changed, from the samples of both imports. */
#include <math.h>
#include <string.h>

#include "base/format_number.h"
#include "compare/import/import_compare.h"

static const double degrees_per_radian = 57.29577951308232;

/* One side's samples as numbers. */
struct series {
    const struct keys_snapshot *keys;
    uint32_t count, block, width; /* samples, keys that each stands for, numbers of a value */
    bool has_times;               /* false: all keys hold one value, and only the first and last time are known */
    bool is_even;                 /* all keys are at equal distances */
    double pace;                  /* seconds from one to the next, then */
    double *times;                /* [count] mean of the block */
    double (*values)[KEYS_SNAPSHOT_WIDTH]; /* rotations as unit quaternions */
    double slack;                          /* how far rounding may have moved a value: a length, radians, or a number */
};

/* The keys that a block stands for. */
static uint32_t first_key(const struct series *series, uint32_t block)
{
    return block * series->block;
}

static uint32_t last_key(const struct series *series, uint32_t block)
{
    return block + 1 < series->count ? (block + 1) * series->block - 1 : series->keys->count - 1;
}

static void to_quaternion(const double *vector, double *out)
{
    double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]) / degrees_per_radian;
    double scale = angle > 1e-9 ? sin(0.5 * angle) / angle : 0.5;
    for (int i = 0; i < 3; i++)
        out[i] = scale * vector[i] / degrees_per_radian;
    out[3] = cos(0.5 * angle);
}

/* Key by key where both sides are at hand, else in blocks of the golden's length, which a run can make of its keys.
 * False: it cannot, or the file does not fit together. */
static bool read_series(const struct keys_pair *pair, const struct import_snapshot *import,
                        const struct keys_snapshot *keys, struct series *out)
{
    const uint32_t most = pair->was->source && pair->now->source ? UINT32_MAX : pair->c->golden->samples;
    const uint32_t numbers = pair->kind == KEYS_ROTATION ? 3 : keys->width;
    struct arena *arena = pair->c->arena;
    struct keys_snapshot again = *keys;
    again.samples = again.times = NULL;
    if (most == 0 || import->samples == 0 || keys->width == 0)
        return false;
    if (sample_block(keys->count, most) != sample_block(keys->count, import->samples)) {
        if (!keys->source)
            return false;
        keys_sample(keys->source, keys->width, pair->kind == KEYS_ROTATION, most, arena, &again);
    } else {
        again = *keys;
    }
    *out = (struct series){keys, sample_blocks(keys->count, most), sample_block(keys->count, most), keys->width,
                           again.sample_count > 0};
    if ((again.sample_count != 0 && again.sample_count != out->count * numbers) ||
        (again.time_count != 0 && again.time_count != out->count))
        return false;
    out->times = ARENA_NEW(arena, double, out->count);
    out->values = arena_alloc(arena, out->count, sizeof *out->values);
    out->is_even = again.time_count == 0;
    out->pace = keys->count > 1 ? (keys->last - keys->first) / (keys->count - 1) : 0.0;
    for (uint32_t i = 0; i < out->count; i++) {
        double value[KEYS_SNAPSHOT_WIDTH] = {0}, size = 0.0;
        double middle = 0.5 * ((double)first_key(out, i) + (double)last_key(out, i));
        out->times[i] = out->is_even ? keys->first + out->pace * middle : (double)again.times[i];
        for (uint32_t k = 0; k < (again.sample_count > 0 ? numbers : keys->width); k++)
            value[k] = (double)(again.sample_count > 0 ? again.samples[i * numbers + k] : keys->mean[k]);
        memcpy(out->values[i], value, sizeof value);
        if (pair->kind == KEYS_ROTATION && again.sample_count > 0)
            to_quaternion(value, out->values[i]);
        for (uint32_t k = 0; k < keys->width; k++)
            size += out->values[i][k] * out->values[i][k];
        for (uint32_t k = 0; k < keys->width && pair->kind == KEYS_ROTATION && size > 0; k++)
            out->values[i][k] /= sqrt(size);
    }
    const float *samples = again.sample_count > 0 ? again.samples : keys->mean;
    double step = sample_step(samples, again.sample_count > 0 ? again.sample_count : numbers, numbers,
                              pair->kind == KEYS_ROTATION);
    out->slack = 0.5 * step *
                 (pair->kind == KEYS_ROTATION      ? sqrt(3.0) / degrees_per_radian
                  : pair->kind == KEYS_TRANSLATION ? sqrt(3.0)
                                                   : 1.0);
    return true;
}

/* Pairs each sample with the same key of the other side; NO_INDEX is none. */
struct key_pairs {
    struct series was, now;
    int32_t *to_now, *to_was;
    uint32_t common, moved; /* in time */
};

static double expected_time(const struct keys_pair *pair, const struct key_pairs *p, uint32_t i)
{
    return p->was.times[i] * pair->time_scale;
}

static double gap_of_times(const struct keys_pair *pair, double now, double expected)
{
    double span = fmax(pair->duration * pair->time_scale, 1e-3);
    return worse(0.0, fabs(now - expected) - SAMPLE_TIME_STEP * fmax(1.0, pair->time_scale)) / span;
}

static void pair_keys(const struct keys_pair *pair, struct key_pairs *p, bool by_index)
{
    memset(p->to_now, 0xff, p->was.count * sizeof *p->to_now);
    memset(p->to_was, 0xff, p->now.count * sizeof *p->to_was);
    p->common = p->moved = 0;
    for (uint32_t i = 0, k = 0; i < p->was.count && k < p->now.count;) {
        double expected = expected_time(pair, p, i), now = p->now.times[k];
        bool is_there = gap_of_times(pair, now, expected) <= pair->c->tolerance->import;
        if (by_index || is_there) {
            p->to_now[i] = (int32_t)k;
            p->to_was[k] = (int32_t)i;
            p->common++;
            p->moved += !is_there;
        }
        bool is_next = by_index || is_there;
        i += is_next || now > expected;
        k += is_next || !(now > expected);
    }
}

/* Where there are as many keys as before each is the one of its number, unless more would have moved than came and
 * went. */
static void choose_pairs(const struct keys_pair *pair, struct key_pairs *p)
{
    p->to_now = ARENA_NEW(pair->c->arena, int32_t, p->was.count);
    p->to_was = ARENA_NEW(pair->c->arena, int32_t, p->now.count);
    pair_keys(pair, p, false);
    uint32_t unpaired = p->was.count + p->now.count - 2 * p->common;
    if (p->was.keys->count != p->now.keys->count)
        return;
    pair_keys(pair, p, true);
    if (p->was.block == 1 && p->was.has_times && p->now.has_times && p->moved > unpaired)
        pair_keys(pair, p, false);
}

/* A block begins or ends then: of several uneven keys between its mean and its neighbour's. */
static double edge_of(const struct series *series, uint32_t block, bool is_end)
{
    if (series->is_even)
        return series->keys->first + series->pace * (is_end ? last_key(series, block) : first_key(series, block));
    if (series->block == 1)
        return series->times[block];
    if (is_end ? block + 1 == series->count : block == 0)
        return is_end ? series->keys->last : series->keys->first;
    return 0.5 * (series->times[block] + series->times[is_end ? block + 1 : block - 1]);
}

/* "key 7", "keys 33 to 36", "key 7 of 31" with their number, "all 31 keys"; and when they are: "0.233 s", "0.53 to
 * 0.58 s", NULL for all. */
static const char *name_keys(const struct key_pairs *p, uint32_t from, uint32_t to, bool with_number,
                             struct arena *arena, const char **when)
{
    const struct series *was = &p->was, *timed = was->has_times ? was : &p->now;
    uint32_t total = was->keys->count, first = first_key(was, from), last = last_key(was, to);
    double start = edge_of(timed, from, false), end = edge_of(timed, to, true);
    const char *of = with_number ? arena_printf(arena, " of %u", total) : "";
    *when = first == last ? arena_printf(arena, "%.3f s", start) : arena_printf(arena, "%.3f to %.3f s", start, end);
    if (first == last)
        return arena_printf(arena, "key %u%s", first + 1, of);
    if (first == 0 && last + 1 == total) {
        *when = NULL;
        return arena_printf(arena, "all %u keys", total);
    }
    return arena_printf(arena, "keys %u to %u%s", first + 1, last + 1, of);
}

/* "key at 0.533 s is gone", "3 keys are new, the first at 0.6 s". */
static void add_unpaired(const struct series *keys, const int32_t *to_other, double scale, bool is_gone,
                         struct text *text)
{
    uint32_t count = 0;
    double first = 0.0;
    for (uint32_t i = keys->count; i-- > 0;)
        if (to_other[i] == NO_INDEX) {
            first = keys->times[i] * scale;
            count++;
        }
    const char *state = is_gone ? "gone" : "new", *before = text->size > 0 ? "; " : "";
    if (count == 1)
        text_addf(text, "%sthe key at %.3f s is %s", before, first, state);
    else if (count > 1)
        text_addf(text, "%s%u keys are %s, the first at %.3f s", before, count, state, first);
}

/* "3 keys moved in time, the most from 0.5 to 0.6 s". */
static double add_moved(const struct keys_pair *pair, const struct key_pairs *p, bool benign, struct text *text)
{
    struct finding finding = import_finding(pair->node, NULL);
    uint32_t worst = 0, count = 0;
    finding.benign = benign;
    double most = 0.0, least_shift = INFINITY, most_shift = -INFINITY;
    for (uint32_t i = 0; i < p->was.count; i++) {
        if (p->to_now[i] == NO_INDEX)
            continue;
        double now = p->now.times[p->to_now[i]], expected = expected_time(pair, p, i);
        double gap = gap_of_times(pair, now, expected);
        least_shift = fmin(least_shift, now - expected);
        most_shift = fmax(most_shift, now - expected);
        count += import_beyond(pair->c, &finding, gap);
        if (gap > most) {
            most = gap;
            worst = i;
        }
    }
    if (count == 0)
        return most;
    double expected = expected_time(pair, p, worst), now = p->now.times[p->to_now[worst]];
    struct formatted_pair times = format_numbers(now, expected), shift = format_numbers(fabs(now - expected), 0);
    const char *when, *key = name_keys(p, worst, worst, true, pair->c->arena, &when);
    text_add(text, text->size > 0 ? "; " : "");
    if (count == p->was.count && count > 1 && most_shift - least_shift <= 2.0 * SAMPLE_TIME_STEP)
        text_addf(text, "all %u are %s s %s", p->was.keys->count, shift.now, now > expected ? "later" : "earlier");
    else if (p->was.block > 1)
        text_addf(text, "%s%s%s%s moved by %s s on average%s", key, when ? " (" : "", when ? when : "", when ? ")" : "",
                  shift.now, count > 1 ? ", others too" : "");
    else if (count == 1)
        text_addf(text, "%s moved from %s to %s s", key, times.was, times.now);
    else
        text_addf(text, "%u keys moved in time, the most from %s to %s s", count, times.was, times.now);
    return most;
}

/* Measures how far a sample is from what it was, in the finding's measure; its figures are filled. Rounding is
 * granted. */
static double measure_sample(const struct keys_pair *pair, const struct key_pairs *p, uint32_t i,
                             struct finding *finding)
{
    const double *was = p->was.values[i], *now = p->now.values[p->to_now[i]], slack = p->was.slack + p->now.slack;
    double minus = 0, plus = 0, gap = 0, squares = 0;
    for (uint32_t k = 0; k < p->was.width; k++) {
        minus += (now[k] - was[k]) * (now[k] - was[k]);
        plus += (now[k] + was[k]) * (now[k] + was[k]);
        gap = worse(gap, fabs(now[k] - was[k]));
        squares += (double)pair->was->rms[k] * (double)pair->was->rms[k];
    }
    switch (pair->kind) {
    case KEYS_ROTATION: /* q and -q are one rotation */
        gap = 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(minus, plus))));
        finding->degrees = gap * degrees_per_radian;
        finding->distance = 2.0 * sin(0.5 * gap) * pair->influence_radius;
        finding->displacement = finding->distance / pair->c->radius;
        return 2.0 * sin(0.25 * fmin(worse(0.0, gap - slack), 2.0 * acos(-1.0)));
    case KEYS_TRANSLATION:
        finding->translation = finding->distance = pair->parent_scale * sqrt(minus);
        finding->displacement = finding->distance / pair->c->radius;
        return pair->parent_scale * worse(0.0, sqrt(minus) - slack) / pair->c->radius;
    default:
        finding->scale_percent = pair->kind == KEYS_SCALE ? 100.0 * gap : NAN;
        return worse(0.0, gap - slack) / fmax(1.0, sqrt(squares));
    }
}

/* "12.0°", "3 cm", "0.25". */
static const char *amount_of(const struct keys_pair *pair, const struct finding *finding, double gap)
{
    struct arena *arena = pair->c->arena;
    if (pair->kind == KEYS_ROTATION)
        return arena_string(arena, format_degrees(finding->degrees).text);
    if (pair->kind == KEYS_TRANSLATION)
        return arena_string(arena, format_length(finding->translation, pair->c->unit_meters).text);
    return arena_string(arena, format_numbers(gap, 0).now);
}

/* These samples changed: the worst, those next to it that changed too, and how many. */
struct changed {
    bool *is; /* [was.count] */
    uint32_t count, worst, from, to;
    double gap, least, most; /* of numbers; the measures of those that changed */
};

static struct changed find_changed(const struct keys_pair *pair, const struct key_pairs *p, struct finding *worst)
{
    struct changed found = {.is = ARENA_NEW(pair->c->arena, bool, p->was.count), .least = INFINITY};
    for (uint32_t i = 0; i < p->was.count; i++) {
        struct finding finding = import_finding(pair->node, NULL);
        if (p->to_now[i] == NO_INDEX)
            continue;
        double measure = measure_sample(pair, p, i, &finding);
        found.is[i] = import_beyond(pair->c, &finding, measure);
        found.count += found.is[i];
        if (found.is[i])
            found.least = fmin(found.least, measure);
        if (found.is[i] && measure > found.most) {
            found.most = measure;
            found.worst = i;
            *worst = finding;
        }
    }
    found.from = found.to = found.worst;
    while (found.count > 0 && found.from > 0 && found.is[found.from - 1])
        found.from--;
    while (found.count > 0 && found.to + 1 < p->was.count && found.is[found.to + 1])
        found.to++;
    for (uint32_t k = 0; k < p->was.width && found.count > 0; k++)
        found.gap = worse(found.gap, fabs(p->now.values[p->to_now[found.worst]][k] - p->was.values[found.worst][k]));
    return found;
}

static void describe_changed(const struct keys_pair *pair, const struct key_pairs *p, struct key_changes *out)
{
    struct arena *arena = pair->c->arena;
    struct changed changed = find_changed(pair, p, &out->finding);
    const char *when, *worst_when;
    struct text text = {0};
    if (changed.count == 0)
        return;
    out->which = name_keys(p, changed.from, changed.to, true, arena, &when);
    out->when = when ? arena_printf(arena, " (%s)", when) : "";
    bool is_uneven = changed.to > changed.from && !(changed.least > 0.98 * changed.most);
    text_addf(&text, "%s%s%s", is_uneven ? "up to " : "", amount_of(pair, &out->finding, changed.gap),
              p->was.block > 1 ? " on average" : "");
    uint32_t others = changed.count - (changed.to - changed.from + 1);
    if (is_uneven) {
        const char *worst = name_keys(p, changed.worst, changed.worst, false, arena, &worst_when);
        text_addf(&text, ", most %s (%s)", worst, worst_when);
    }
    if (others > 0 && p->was.block == 1)
        text_addf(&text, "; %u more key%s changed", others, format_plural(others));
    else if (others > 0)
        text_addf(&text, "; some of %u more changed", others * p->was.block);
    out->by = arena_text(pair->c->arena, &text);
}

struct key_changes import_compare_keys(const struct keys_pair *pair, bool benign)
{
    struct import_context *c = pair->c;
    struct key_changes out = {.finding = import_finding(pair->node, NULL)};
    struct key_pairs p = {.common = 0};
    struct text text = {0};
    if (pair->was->width != pair->now->width || !read_series(pair, c->golden, pair->was, &p.was) ||
        !read_series(pair, c->actual, pair->now, &p.now))
        return out;
    bool is_equal = pair->was->count == pair->now->count;
    if (!is_equal && (p.was.block > 1 || p.now.block > 1)) /* blocks do not line up */
        return out;
    bool has_times = p.was.has_times && p.now.has_times;
    if (!is_equal && !has_times)
        return out;
    choose_pairs(pair, &p);
    if (2 * p.common < p.was.count || 2 * p.common < p.now.count) /* keyed anew: no key is the one it was */
        return out;
    if (has_times) {
        add_unpaired(&p.was, p.to_now, pair->time_scale, true, &text);
        add_unpaired(&p.now, p.to_was, 1.0, false, &text);
        bool has_unpaired = text.size > 0;
        out.time_gap = add_moved(pair, &p, benign, &text);
        out.time_gap = has_unpaired ? INFINITY : out.time_gap;
    }
    out.times = text.size > 0 ? arena_text(c->arena, &text) : NULL;
    describe_changed(pair, &p, &out);
    return out;
}
