/* The keys of a component as samples of import.json: what names a key that changed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/record/snapshot.h"

static const double degrees_per_radian = 57.29577951308232;

uint32_t sample_block(uint32_t count, uint32_t most)
{
    return count / most + (count % most > 0);
}

uint32_t sample_blocks(uint32_t count, uint32_t most)
{
    uint32_t block = sample_block(count, most);
    return block > 0 ? count / block + (count % block > 0) : 0;
}

/* 10^exponent; below 1 the divisor 10^-exponent is exact where the power is not. */
static double to_multiple(double value, int exponent)
{
    double power = 1.0;
    for (int i = 0; i < abs(exponent); i++)
        power *= 10.0;
    return (exponent < 0 ? rint(value * power) / power : rint(value / power) * power) + 0.0;
}

static int step_exponent(const float *samples, uint32_t count, uint32_t width, bool is_rotation)
{
    enum { FEWEST_PLACES = 9, FLOAT_DIGITS = 6 };
    double range = 0.0, largest = 0.0;
    for (uint32_t c = 0; c < width; c++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = c; i < count; i += width) {
            low = fmin(low, (double)samples[i]);
            high = fmax(high, (double)samples[i]);
        }
        range = fmax(range, high - low);
        largest = fmax(largest, fmax(fabs(low), fabs(high)));
    }
    if (is_rotation)
        return -2;
    const double nearly = 1.0 + 1e-6; /* what was rounded to a power of ten is one, in floats too */
    double by_range = range > 0.0 ? floor(log10(range * nearly)) - 3.0 : -FEWEST_PLACES;
    double by_size = largest > 0.0 ? floor(log10(largest * nearly)) - FLOAT_DIGITS : -FEWEST_PLACES;
    return (int)fmax(fmax(by_range, by_size), -FEWEST_PLACES);
}

double sample_step(const float *samples, uint32_t count, uint32_t width, bool is_rotation)
{
    return pow(10.0, step_exponent(samples, count, width, is_rotation));
}

/* Returns the value of a key, without its tangents. */
static const float *value_of(const struct keys *keys, uint32_t width, uint32_t key)
{
    bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    return keys->values + width * ((size_t)key * (is_cubic ? 3 : 1) + is_cubic);
}

/* Axis times angle in degrees, the shorter way. */
static void to_rotation_vector(const double *q, float *out)
{
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), sign = q[3] < 0 ? -1 : 1;
    double scale = sine > 1e-12 ? 2.0 * atan2(sine, fabs(q[3])) / sine : 2.0;
    for (int i = 0; i < 3; i++)
        out[i] = (float)(sign * scale * q[i] * degrees_per_radian);
}

/*
 * Rotations are brought to the sign of the block's first. Where that is not clear, half a turn apart, a mean would hang
 * on the last bits: the first stands for the block.
 */
static void sample_keys(const struct keys *keys, uint32_t width, bool is_rotation, uint32_t from, uint32_t to,
                        float *out)
{
    const float *first = value_of(keys, width, from);
    double sum[KEYS_SNAPSHOT_WIDTH] = {0}, nearest = 1.0;
    for (uint32_t i = from; i < to; i++) {
        const float *value = value_of(keys, width, i);
        double dot = is_rotation ? 0.0 : 1.0;
        for (uint32_t c = 0; c < width && is_rotation; c++)
            dot += (double)first[c] * (double)value[c];
        for (uint32_t c = 0; c < width; c++)
            sum[c] += dot < 0 ? -(double)value[c] : (double)value[c];
        nearest = fmin(nearest, fabs(dot));
    }
    for (uint32_t c = 0; c < width; c++)
        sum[c] = nearest < 0.25 ? (double)first[c] : sum[c] / (to - from);
    if (is_rotation)
        to_rotation_vector(sum, out);
    for (uint32_t c = 0; c < width && !is_rotation; c++)
        out[c] = (float)sum[c];
}

void keys_sample(const struct keys *keys, uint32_t width, bool is_rotation, uint32_t most, struct arena *arena,
                 struct keys_snapshot *out)
{
    const uint32_t block = sample_block(keys->count, most), blocks = sample_blocks(keys->count, most);
    const uint32_t numbers = is_rotation ? 3 : width;
    double pace = keys->count > 1 ? (out->last - out->first) / (keys->count - 1) : 0.0;
    bool is_even = true, is_one = true;
    out->time_count = out->sample_count = 0;
    if (blocks == 0 || numbers == 0)
        return;
    out->samples = out->samples ? out->samples : ARENA_NEW(arena, float, blocks *numbers);
    out->times = out->times ? out->times : ARENA_NEW(arena, float, blocks);
    float *samples = out->samples, *times = out->times;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t key = b * block, end = key + block < keys->count ? key + block : keys->count;
        sample_keys(keys, width, is_rotation, key, end, samples + b * numbers);
        double sum = 0.0;
        for (uint32_t k = key; k < end; k++) {
            sum += keys->times[k];
            is_even = is_even && fabs(keys->times[k] - (out->first + k * pace)) <= 0.5 * SAMPLE_TIME_STEP;
        }
        times[b] = (float)to_multiple(sum / (end - key), -4);
    }
    int exponent = step_exponent(samples, blocks * numbers, numbers, is_rotation);
    for (uint32_t i = 0; i < blocks * numbers; i++)
        samples[i] = (float)to_multiple((double)samples[i], exponent);
    for (uint32_t i = numbers; i < blocks * numbers; i++)
        is_one = is_one && samples[i] == samples[i - numbers];
    out->sample_count = is_one ? 0 : blocks * numbers;
    out->time_count = is_one || is_even ? 0 : blocks;
}

static void from_rotation_vector(const float *degrees, float *out)
{
    const double x = (double)degrees[0], y = (double)degrees[1], z = (double)degrees[2];
    const double angle = sqrt(x * x + y * y + z * z) / degrees_per_radian;
    const double scale = angle > 1e-12 ? sin(0.5 * angle) / angle / degrees_per_radian : 0.0;
    for (int i = 0; i < 3; i++)
        out[i] = (float)(scale * (double)degrees[i]);
    out[3] = (float)cos(0.5 * angle);
}

/* The mean time of the keys `from` up to `to` of a block. */
static double block_time(const struct keys_snapshot *keys, uint32_t block, uint32_t from, uint32_t to)
{
    const double pace = keys->count > 1 ? (keys->last - keys->first) / (keys->count - 1) : 0.0;
    return keys->time_count > 0 ? (double)keys->times[block] : keys->first + 0.5 * (from + to - 1) * pace;
}

/* The mean of a block as a key has it: a rotation as four numbers. */
static void block_value(const struct keys_snapshot *keys, uint32_t block, bool is_rotation, float *out)
{
    if (keys->sample_count == 0)
        memcpy(out, keys->mean, keys->width * sizeof *out);
    else if (is_rotation)
        from_rotation_vector(keys->samples + 3 * block, out);
    else
        memcpy(out, keys->samples + keys->width * block, keys->width * sizeof *out);
}

static bool is_same_value(const float *a, const float *b, uint32_t width, bool is_rotation, double step)
{
    double dot = 0;
    for (uint32_t c = 0; c < width; c++)
        dot += (double)a[c] * (double)b[c];
    for (uint32_t c = 0; c < width; c++)
        if (!(fabs((double)a[c] - (is_rotation && dot < 0 ? -1 : 1) * (double)b[c]) <= 1.5 * step))
            return false;
    return true;
}

/* A restoring under way. */
struct restoring {
    const struct keys_snapshot *was;
    struct keys_snapshot again; /* of `now`; count 0: it has not so many keys */
    const struct keys *now;
    bool is_rotation, is_coarse;
    double step;
    uint32_t count; /* of the keys that are written */
    double *times;
    float *values;
};

/* Returns whether the run has these keys, too. */
static bool restore_block(struct restoring *r, uint32_t block, uint32_t from, uint32_t to)
{
    const uint32_t width = r->was->width;
    const double time = block_time(r->was, block, from, to);
    float *value = r->values + (size_t)width * r->count, own[KEYS_SNAPSHOT_WIDTH];
    block_value(r->was, block, r->is_rotation, value);
    bool same = r->again.count > 0 && fabs(block_time(&r->again, block, from, to) - time) <= 1.5 * SAMPLE_TIME_STEP;
    if (same)
        block_value(&r->again, block, r->is_rotation, own);
    same = same && is_same_value(value, own, width, r->is_rotation, r->step);
    for (uint32_t k = from; same && k < to; k++) {
        r->times[r->count] = r->now->times[k];
        memcpy(r->values + (size_t)width * r->count++, value_of(r->now, width, k), width * sizeof *value);
    }
    if (!same)
        r->times[r->count++] = time;
    r->is_coarse = r->is_coarse || (!same && to - from > 1);
    return same;
}

bool keys_restore(const struct keys_snapshot *was, const struct keys *now, bool is_rotation, uint32_t most,
                  struct arena *arena, struct keys *out, bool *is_coarse, const char **why)
{
    *out = was->source ? *was->source : (struct keys){0};
    if (was->count == 0 || was->source)
        return true;
    if (most == 0 || was->width > KEYS_SNAPSHOT_WIDTH) {
        *why = "it is older than samples of keys";
        return false;
    }
    const uint32_t block = sample_block(was->count, most), blocks = sample_blocks(was->count, most);
    struct restoring r = {.was = was, .now = now, .is_rotation = is_rotation,
                          .times = ARENA_NEW(arena, double, was->count),
                          .values = ARENA_NEW(arena, float, (size_t)was->count * was->width)};
    if (now && now->count == was->count) {
        r.again = (struct keys_snapshot){.count = now->count, .first = now->times[0], .width = was->width,
                                         .last = now->times[now->count - 1]};
        keys_sample(now, was->width, is_rotation, most, arena, &r.again);
        if (r.again.sample_count == 0)
            memcpy(r.again.mean, value_of(now, was->width, 0), was->width * sizeof *r.again.mean);
    }
    r.step = is_rotation || was->sample_count == 0
                 ? 2e-4
                 : sample_step(was->samples, was->sample_count, was->width, is_rotation);
    bool same = true;
    for (uint32_t b = 0; b < blocks; b++)
        same = restore_block(&r, b, b * block, b + 1 < blocks ? (b + 1) * block : was->count) && same;
    const bool is_cubic = strcmp(was->interpolation, "cubic") == 0;
    *why = is_cubic && !same && was->count > 1 ? "it does not record the tangents of cubic keys" : NULL;
    *is_coarse = *is_coarse || r.is_coarse;
    *out = same && now ? *now
                       : (struct keys){r.count, r.times, r.values,
                                       strcmp(was->interpolation, "step") == 0 ? INTERPOLATE_STEP : INTERPOLATE_LINEAR};
    return !*why;
}

/* Returns how many numbers they take. */
static size_t sample_clip(struct clip_snapshot *clip, uint32_t most, struct arena *arena, size_t *components)
{
    size_t numbers = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            struct keys_snapshot *keys = &clip->channels[i].keys[c];
            if (keys->count == 0)
                continue;
            keys_sample(keys->source, keys->width, c == COMPONENT_ROTATION, most, arena, keys);
            numbers += keys->sample_count + keys->time_count;
            ++*components;
        }
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        struct keys_snapshot *keys = &clip->morphs[i].weights;
        if (keys->count == 0)
            continue;
        keys_sample(keys->source, keys->width, false, most, arena, keys);
        numbers += keys->sample_count + keys->time_count;
        ++*components;
    }
    return numbers;
}

/*
 * A number takes 7 bytes, and what else is said of a component 160: so many numbers a component make a file half as
 * large again. Where a file is small anyway there may be more, so that each key of a short clip can be named.
 */
void import_sample_keys(struct import_snapshot *import, struct arena *arena)
{
    enum { NUMBERS_A_COMPONENT = 12, NUMBERS_OF_SMALL = 6000, FEWEST = 4 };
    for (uint32_t most = SAMPLES_MOST; import->clip_count > 0 && most >= FEWEST;
         most = most & (most - 1) ? most / 3 * 2 : most / 4 * 3) { /* 64, 48, 32, 24 ... */
        size_t components = 0, numbers = 0;
        for (uint32_t i = 0; i < import->clip_count; i++)
            numbers += sample_clip(&import->clips[i], most, arena, &components);
        import->samples = most;
        if (numbers <= NUMBERS_OF_SMALL || numbers <= NUMBERS_A_COMPONENT * components)
            return;
    }
}
