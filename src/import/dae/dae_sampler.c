#include "import/dae/dae_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

/* <sampler>'s <input>s by their semantic. */
enum input { TIME, VALUE, INTERPOLATION, IN_TANGENT, OUT_TANGENT, INPUTS };

/* The sources of a sampler: numbers are NULL where there are none. */
struct sources {
    struct dae_source items[INPUTS];
    double *numbers[INPUTS];
};

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

/* What a word says of the segment behind a key. False: nothing that can be followed. */
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

bool dae_sampler_read(const struct dae_file *file, uint32_t sampler, size_t width, double start,
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

double *dae_key_times(const struct bezier_curve *curves, size_t count, uint32_t *time_count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += curves[i].count;
    double *times = memory_new(all + 1, sizeof *times);
    all = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < curves[i].count; k++)
            times[all++] = curves[i].keys[k].time;
    qsort(times, all, sizeof *times, compare_doubles);
    *time_count = 0;
    for (size_t i = 0; i < all; i++)
        if (*time_count == 0 || times[i] > times[*time_count - 1])
            times[(*time_count)++] = times[i];
    return times;
}
