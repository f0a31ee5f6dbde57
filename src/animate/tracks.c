#include <assert.h>
#include <stddef.h>

#include "animate/curve.h"
#include "animate/tracks_layout.h"
#include "base/sort.h"
#include "data/vector.h"

/*
 * Key times were floats in most files: a float lies up to 2^-24 of the time beside the one that was meant, and a time
 * that is itself rounded as much again. Steps are looked up this share of the time later.
 */
static const double step_slack = 0x1p-23;

double wrap_time(double time, double duration, enum wrap wrap)
{
    double slack = fmax(1e-6 * duration, 5e-7);
    if (!(duration > 0) || !isfinite(time))
        return 0;
    if (time >= -slack && time <= duration + slack)
        return fmin(fmax(time, 0), duration);
    if (wrap == WRAP_HOLD)
        return time < 0 ? 0 : duration;
    double remainder = fmod(time, duration);
    return remainder < 0 ? remainder + duration : fabs(remainder);
}

/* Never decreases with time, rounding included: that is all the search relies on. For times[0] <= time. */
static uint32_t bucket_of(const struct timeline *timeline, double time)
{
    double bucket = (time - timeline->times[0]) * timeline->buckets_per_second;
    return bucket < timeline->last_bucket ? (uint32_t)bucket : timeline->last_bucket;
}

struct timeline timeline_create(const double *times, uint32_t count, struct arena *arena)
{
    struct timeline timeline = {.times = times, .count = count, .last_bucket = count - 1};
    double rate = count / (times[count - 1] - times[0]);
    timeline.buckets_per_second = isfinite(rate) ? rate : 0.0;
    timeline.bucket_start = ARENA_NEW(arena, uint32_t, (size_t)count + 1);
    uint32_t key = 0;
    for (uint32_t bucket = 0; bucket < count; bucket++) {
        while (key < count && bucket_of(&timeline, times[key]) < bucket)
            key++;
        timeline.bucket_start[bucket] = key;
    }
    timeline.bucket_start[count] = count;
    return timeline;
}

uint32_t timeline_count_until(const struct timeline *timeline, double time)
{
    if (!(time >= timeline->times[0]))
        return 0;
    if (time >= timeline->times[timeline->count - 1])
        return timeline->count;
    uint32_t bucket = bucket_of(timeline, time);
    return first_greater(timeline->times, timeline->bucket_start[bucket], timeline->bucket_start[bucket + 1], time);
}

/* As curve_hermite() has them. */
static void hermite_weights(double u, double interval, double out[4])
{
    double v = 1 - u;
    out[0] = (1 + 2 * u) * v * v;
    out[1] = u * v * v * interval;
    out[2] = u * u * (3 - 2 * u);
    out[3] = -u * u * v * interval;
}

/* At key `key`, until more is known. */
static void stand(struct group *group, enum span span, uint32_t key)
{
    group->span = span;
    group->from = group->rows + (size_t)key * group->stride;
    group->to = span == SPAN_HOLD ? group->from : group->from + group->stride;
    memcpy(group->weights, (float[4]){group->interpolation == INTERPOLATE_CUBIC}, sizeof group->weights);
}

static void seek(struct group *group, double time)
{
    const double *times = group->timeline.times;
    uint32_t last = group->timeline.count - 1;
    bool is_before = time < times[0], is_after = time > times[last];
    bool is_step = group->interpolation == INTERPOLATE_STEP;
    enum extrapolation outside = is_before ? group->before : group->after;
    if ((is_before || is_after) && outside == EXTRAPOLATE_REPEAT && times[last] > times[0])
        time = times[0] + wrap_time(time - times[0], times[last] - times[0], WRAP_LOOP);
    if ((is_before || is_after) && outside == EXTRAPOLATE_LINEAR && last > 0) {
        uint32_t nearest = is_before ? 0 : last, key = is_before ? 0 : last - 1;
        double interval = times[key + 1] - times[key];
        bool has_slope = !is_step && interval > 0;
        stand(group, has_slope ? SPAN_BEYOND : SPAN_HOLD, has_slope ? key : nearest);
        group->beyond = fmin(fmax((time - times[key]) / interval, -1e15), 1e15);
        return;
    }
    uint32_t passed = timeline_count_until(&group->timeline, is_step ? time + fabs(time) * step_slack : time);
    uint32_t key = passed > 0 ? passed - 1 : 0;
    if (passed == 0 || key == last || is_step || time == times[key]) {
        stand(group, SPAN_HOLD, key);
        return;
    }
    double interval = times[key + 1] - times[key], u = (time - times[key]) / interval, weights[4] = {u};
    stand(group, SPAN_BETWEEN, key);
    if (group->interpolation == INTERPOLATE_CUBIC)
        hermite_weights(u, interval, weights);
    for (int i = 0; i < 4; i++)
        group->weights[i] = (float)weights[i];
}

/* Whole intervals as powers of the turn from one key to the next, the rest as a slerp: no trigonometry. */
void extrapolate_rotation(const float from[4], const float to[4], double u, float out[4])
{
    double a[4], b[4], turn[4], next[4], square[4], steps[4] = {0, 0, 0, 1}, dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        a[i] = from[i];
        b[i] = dot < 0 ? -(double)to[i] : to[i];
    }
    quatd_normalise(a);
    quatd_normalise(b);
    quatd_mul(b, (double[]){-a[0], -a[1], -a[2], a[3]}, turn);
    u = fmin(fmax(u, -1e15), 1e15); /* beyond so many intervals the fraction is gone from a double anyway */
    double whole = floor(u), side = whole < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        square[i] = i < 3 ? side * turn[i] : turn[i];
    for (uint64_t n = (uint64_t)fabs(whole); n; n >>= 1) {
        if (n & 1)
            quatd_mul(steps, square, steps);
        quatd_mul(square, square, square);
        quatd_normalise(square);
    }
    quatd_mul(steps, a, a);
    quatd_mul(turn, a, next);
    f32x4 lanes[3][4];
    for (int i = 0; i < 4; i++) {
        lanes[0][i] = lanes_splat((float)a[i]);
        lanes[1][i] = lanes_splat((float)next[i]);
    }
    curve_slerp(lanes[0], lanes[1], lanes_splat((float)(u - whole)), lanes[2]);
    for (int i = 0; i < 4; i++)
        out[i] = lanes[2][i][0];
}

/* One group, so one time for all curves of all quads of the block. */
static void evaluate_shared(const struct group *group, const struct block *block, f32x4 *out)
{
    const f32x4 *from = group->from + block->lanes[0].offset, *to = group->to + block->lanes[0].offset;
    const float *w = group->weights;
    const f32x4 weights[4] = {lanes_splat(w[0]), lanes_splat(w[1]), lanes_splat(w[2]), lanes_splat(w[3])};
    bool is_rotation = block->component == COMPONENT_ROTATION, is_cubic = block->key_vectors == 3;
    if (is_cubic && is_rotation)
        for (uint32_t i = 0; i < block->quad_count; i++)
            curve_hermite(from + 12 * i, to + 12 * i, weights, 4, out + 4 * i);
    else if (is_cubic)
        for (uint32_t i = 0; i < block->quad_count; i++)
            curve_hermite(from + 9 * i, to + 9 * i, weights, 3, out + 3 * i);
    else if (group->span == SPAN_HOLD)
        curve_copy(from, block->quad_count * component_width(block->component), out);
    else if (!is_rotation)
        curve_lerp(from, to, weights[0], block->quad_count * 3, out);
    else
        for (uint32_t i = 0; i < block->quad_count; i++)
            curve_slerp(from + 4 * i, to + 4 * i, weights[0], out + 4 * i);
}

/* The four curves' vector `index` of the keys at `from` or `to`, as lanes. */
static void gather(const struct tracks *tracks, const struct block *block, bool is_to, uint32_t index, f32x4 out[4])
{
    for (int i = 0; i < QUAD; i++) {
        const struct group *group = &tracks->groups[block->lanes[i].group];
        out[i] = (is_to ? group->to : group->from)[block->lanes[i].offset + index];
    }
    lanes_transpose(out);
}

/* Steps are among what is not cubic: u is 0. */
static void evaluate_mixed(const struct tracks *tracks, const struct block *block, f32x4 *out)
{
    uint32_t width = block->component == COMPONENT_ROTATION ? 4 : 3;
    /* each vector is gathered as four lanes, the next overwrites what is too much */
    f32x4 from[12], to[12], weights[4];
    for (int i = 0; i < QUAD; i++)
        weights[i] = lanes_load(tracks->groups[block->lanes[i].group].weights);
    lanes_transpose(weights);
    for (uint32_t i = 0; i < block->key_vectors; i++) {
        gather(tracks, block, false, i, from + i * width);
        gather(tracks, block, true, i, to + i * width);
    }
    if (block->key_vectors == 3) {
        curve_hermite(from, to, weights, width, out);
    } else if (width == 3) {
        curve_lerp(from, to, weights[0], 3, out);
    } else {
        curve_slerp(from, to, weights[0], out);
        for (int i = 0; i < 4; i++) /* as a shared block has it: a key is exact */
            out[i] = lanes_select(weights[0] == 0.0f, from[i], out[i]);
    }
}

/* The lanes of the block's `run`-th quad whose time is beyond their keys: on the line through two values, tangents
 * skipped. */
static void extrapolate_quad(const struct tracks *tracks, const struct block *block, uint32_t run, f32x4 *out)
{
    uint32_t width = component_width(block->component), vectors = block->is_shared ? width : 1; /* of one value */
    for (uint32_t lane = 0; lane < QUAD; lane++) {
        const struct group *group = &tracks->groups[block->lanes[lane].group];
        uint32_t at = block->lanes[lane].offset + (run * block->key_vectors + block->key_vectors / 2) * vectors;
        float from[4], to[4], value[4];
        if (group->span != SPAN_BEYOND)
            continue;
        for (uint32_t i = 0; i < width; i++) {
            from[i] = block->is_shared ? group->from[at + i][lane] : group->from[at][i];
            to[i] = block->is_shared ? group->to[at + i][lane] : group->to[at][i];
            value[i] = (float)(from[i] + group->beyond * ((double)to[i] - from[i]));
        }
        if (block->component == COMPONENT_ROTATION)
            extrapolate_rotation(from, to, group->beyond, value);
        for (uint32_t i = 0; i < width; i++)
            out[i][lane] = value[i];
    }
}

static void evaluate(const struct tracks *tracks, const struct block *block, bool is_any_beyond)
{
    uint32_t width = component_width(block->component);
    f32x4 part[4];
    f32x4 *all = tracks->values[block->component] + (size_t)block->quad * width;
    f32x4 *out = block->is_full ? all : part;
    if (block->is_shared)
        evaluate_shared(&tracks->groups[block->lanes[0].group], block, out);
    else
        evaluate_mixed(tracks, block, out);
    for (uint32_t run = 0; is_any_beyond && run < block->quad_count; run++)
        extrapolate_quad(tracks, block, run, out + run * width);
    for (uint32_t i = 0; !block->is_full && i < width; i++)
        all[i] = lanes_select(block->active, part[i], all[i]);
}

static_assert(sizeof(struct transform) == 48 && offsetof(struct transform, rotation) == 16 &&
                  offsetof(struct transform, scale) == 32,
              "a transform is written as three vectors of four; the fourth of translation and scale is padding");

/* The upper 3x3 of the matrices of four transforms: the operations of affine_from_transform() in its order. */
static void rotate_and_scale(const f32x4 r[4], const f32x4 s[3], f32x4 column[3][4])
{
    f32x4 x = r[0], y = r[1], z = r[2], w = r[3];
    f32x4 x2 = x + x, y2 = y + y, z2 = z + z;
    f32x4 xx = x * x2, xy = x * y2, xz = x * z2, yy = y * y2, yz = y * z2, zz = z * z2;
    f32x4 wx = w * x2, wy = w * y2, wz = w * z2;
    column[0][0] = (1.0f - (yy + zz)) * s[0];
    column[0][1] = (xy + wz) * s[0];
    column[0][2] = (xz - wy) * s[0];
    column[1][0] = (xy - wz) * s[1];
    column[1][1] = (1.0f - (xx + zz)) * s[1];
    column[1][2] = (yz + wx) * s[1];
    column[2][0] = (xz + wy) * s[2];
    column[2][1] = (yz - wx) * s[2];
    column[2][2] = (1.0f - (xx + yy)) * s[2];
    for (int i = 0; i < 3; i++) {
        column[i][3] = lanes_splat(0.0f);
        lanes_transpose(column[i]);
    }
}

static void compose(const struct tracks *tracks, uint32_t index, struct pose *pose)
{
    const struct quad *quad = &tracks->quads[index];
    const f32x4 *t = tracks->values[COMPONENT_TRANSLATION] + 3 * (size_t)index;
    const f32x4 *r = tracks->values[COMPONENT_ROTATION] + 4 * (size_t)index;
    const f32x4 *s = tracks->values[COMPONENT_SCALE] + 3 * (size_t)index;
    f32x4 column[3][4];
    f32x4 translation[4] = {t[0], t[1], t[2], lanes_splat(1.0f)};
    f32x4 rotation[4] = {r[0], r[1], r[2], r[3]};
    f32x4 scale[4] = {s[0], s[1], s[2], lanes_splat(1.0f)};
    rotate_and_scale(r, s, column);
    lanes_transpose(translation);
    lanes_transpose(rotation);
    lanes_transpose(scale);
    for (uint32_t i = 0; i < quad->count; i++) {
        char *local = (char *)&pose->local[quad->nodes[i]];
        lanes_store(local, translation[i]);
        lanes_store(local + 16, rotation[i]);
        lanes_store(local + 32, scale[i]);
        float(*matrix)[4] = pose->local_to_parent[quad->nodes[i]];
        lanes_store(matrix[0], column[0][i]);
        lanes_store(matrix[1], column[1][i]);
        lanes_store(matrix[2], column[2][i]);
        lanes_store(matrix[3], translation[i]);
    }
}

/* Those of the instances on the channel's node. A key's own weights are exact. */
static void sample_weights(const struct scene *scene, const struct morph_channel *channel, double time,
                           float *morph_weights)
{
    const struct keys *keys = &channel->keys;
    bool is_step = keys->interpolation == INTERPOLATE_STEP, is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    uint32_t passed = keys_count_until(keys, is_step ? time + fabs(time) * step_slack : time);
    uint32_t key = passed > 0 ? passed - 1 : 0;
    bool holds = passed == 0 || passed == keys->count || is_step || time == keys->times[key];
    size_t width = channel->target_count;
    const float *from = keys->values + key * width * (is_cubic ? 3 : 1);
    double interval = holds ? 1 : keys->times[passed] - keys->times[key], u = (time - keys->times[key]) / interval,
           w[4];
    hermite_weights(u, interval, w);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        uint32_t target_count = scene->meshes[scene->instances[i].mesh].target_count;
        float *weights = morph_weights + scene->instances[i].first_weight;
        for (uint32_t t = 0; t < target_count && t < width && (int32_t)scene->instances[i].node == channel->node; t++) {
            const float *at = from + t, *to = from + 3 * width + t;
            if (holds)
                weights[t] = at[is_cubic ? width : 0];
            else if (!is_cubic)
                weights[t] = (float)(at[0] + u * ((double)at[width] - at[0]));
            else
                weights[t] = (float)(w[0] * at[width] + w[1] * at[2 * width] + w[2] * to[width] + w[3] * to[0]);
        }
    }
}

void tracks_sample(struct tracks *tracks, double time, struct pose *pose)
{
    bool is_any_beyond = false;
    for (uint32_t i = 0; i < tracks->group_count; i++) {
        seek(&tracks->groups[i], time);
        is_any_beyond = is_any_beyond || tracks->groups[i].span == SPAN_BEYOND;
    }
    for (uint32_t i = 0; i < tracks->block_count; i++)
        evaluate(tracks, &tracks->blocks[i], is_any_beyond);
    for (uint32_t i = 0; i < tracks->quad_count; i++)
        compose(tracks, i, pose);
    for (uint32_t i = 0; i < tracks->clip->morph_count && pose->weight_count > 0; i++)
        if (tracks->clip->morphs[i].keys.count > 0)
            sample_weights(tracks->scene, &tracks->clip->morphs[i], time, pose->morph_weights);
}
