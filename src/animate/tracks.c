#include "animate/tracks.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "animate/curve.h"
#include "animate/extrapolate.h"
#include "animate/tracks_layout.h"

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

/* ---- where a time stands among the keys ---------------------------------------------------------------------- */

static void hold(struct group *group, uint32_t key)
{
    group->span = SPAN_HOLD;
    group->from = group->to = group->rows + (size_t)key * group->stride;
    memcpy(group->weights, (float[4]){group->interpolation == INTERPOLATE_CUBIC, 0, 0, 0}, sizeof group->weights);
}

static void span_keys(struct group *group, uint32_t key)
{
    group->from = group->rows + (size_t)key * group->stride;
    group->to = group->from + group->stride;
}

static void between(struct group *group, uint32_t key, double time)
{
    double start = group->timeline.times[key];
    double interval = group->timeline.times[key + 1] - start;
    double u = (time - start) / interval;
    group->span = SPAN_BETWEEN;
    span_keys(group, key);
    group->weights[0] = (float)u;
    if (group->interpolation != INTERPOLATE_CUBIC)
        return;
    double v = 1 - u;
    group->weights[0] = (float)((1 + 2 * u) * v * v);
    group->weights[1] = (float)(u * v * v * interval);
    group->weights[2] = (float)(u * u * (3 - 2 * u));
    group->weights[3] = (float)(-u * u * v * interval);
}

/* Two keys at one time have no slope, and steps have none either. */
static void beyond(struct group *group, uint32_t key, double time, uint32_t nearest)
{
    const double *times = group->timeline.times;
    hold(group, nearest);
    if (group->interpolation == INTERPOLATE_STEP || !(times[key + 1] > times[key]))
        return;
    group->span = SPAN_BEYOND;
    span_keys(group, key);
    group->beyond = (time - times[key]) / (times[key + 1] - times[key]);
}

static double repeated(const struct timeline *timeline, double time)
{
    double first = timeline->times[0];
    return first + wrap_time(time - first, timeline->times[timeline->count - 1] - first, WRAP_LOOP);
}

static void seek(struct group *group, double time)
{
    const struct timeline *timeline = &group->timeline;
    uint32_t last = timeline->count - 1;
    bool is_before = time < timeline->times[0], is_after = time > timeline->times[last];
    enum extrapolation outside = is_before ? group->before : group->after;
    if ((is_before || is_after) && outside == EXTRAPOLATE_REPEAT && timeline->times[last] > timeline->times[0])
        time = repeated(timeline, time);
    if ((is_before || is_after) && outside == EXTRAPOLATE_LINEAR && last > 0) {
        beyond(group, is_before ? 0 : last - 1, time, is_before ? 0 : last);
        return;
    }
    bool is_step = group->interpolation == INTERPOLATE_STEP;
    uint32_t passed = timeline_count_until(timeline, is_step ? time + fabs(time) * TIMELINE_SLACK : time);
    uint32_t key = passed > 0 ? passed - 1 : 0;
    if (passed == 0 || key == last || is_step || time == timeline->times[key])
        hold(group, key);
    else
        between(group, key, time);
}

/* ---- values of a block --------------------------------------------------------------------------------------- */

static struct hermite hermite_of(const struct group *group)
{
    const float *w = group->weights;
    return (struct hermite){lanes_splat(w[0]), lanes_splat(w[1]), lanes_splat(w[2]), lanes_splat(w[3])};
}

/* One group, so one time for all curves of all quads of the block. */
static void evaluate_shared_cubic(const struct group *group, const struct block *block, f32x4 *out)
{
    const f32x4 *from = group->from + block->lanes[0].offset, *to = group->to + block->lanes[0].offset;
    struct hermite weights = hermite_of(group);
    for (uint32_t i = 0; i < block->quad_count; i++) {
        if (block->component == COMPONENT_ROTATION)
            curve_hermite(from + 12 * i, to + 12 * i, &weights, 4, out + 4 * i);
        else
            curve_hermite(from + 9 * i, to + 9 * i, &weights, 3, out + 3 * i);
    }
}

static void evaluate_shared(const struct group *group, const struct block *block, f32x4 *out)
{
    const f32x4 *from = group->from + block->lanes[0].offset, *to = group->to + block->lanes[0].offset;
    f32x4 u = lanes_splat(group->weights[0]);
    if (block->is_cubic)
        evaluate_shared_cubic(group, block, out);
    else if (group->span == SPAN_HOLD)
        curve_copy(from, block->quad_count * component_width(block->component), out);
    else if (block->component != COMPONENT_ROTATION)
        curve_lerp(from, to, u, block->quad_count * 3, out);
    else
        for (uint32_t i = 0; i < block->quad_count; i++)
            curve_slerp(from + 4 * i, to + 4 * i, u, out + 4 * i);
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

static void gather_weights(const struct tracks *tracks, const struct block *block, f32x4 out[4])
{
    for (int i = 0; i < QUAD; i++)
        out[i] = lanes_load(tracks->groups[block->lanes[i].group].weights);
    lanes_transpose(out);
}

static void evaluate_mixed_cubic(const struct tracks *tracks, const struct block *block, f32x4 out[4])
{
    uint32_t width = block->component == COMPONENT_ROTATION ? 4 : 3;
    f32x4 from[12], to[12], weights[4], part[4];
    for (uint32_t i = 0; i < 3; i++) {
        gather(tracks, block, false, i, part);
        curve_copy(part, width, from + i * width);
        gather(tracks, block, true, i, part);
        curve_copy(part, width, to + i * width);
    }
    gather_weights(tracks, block, weights);
    curve_hermite(from, to, &(struct hermite){weights[0], weights[1], weights[2], weights[3]}, width, out);
}

/* Steps are among them: u is 0. */
static void evaluate_mixed_linear(const struct tracks *tracks, const struct block *block, f32x4 out[4])
{
    f32x4 from[4], to[4], weights[4];
    gather(tracks, block, false, 0, from);
    gather(tracks, block, true, 0, to);
    gather_weights(tracks, block, weights);
    if (block->component != COMPONENT_ROTATION) {
        curve_lerp(from, to, weights[0], 3, out);
        return;
    }
    curve_slerp(from, to, weights[0], out);
    for (int i = 0; i < 4; i++) /* as a shared block has it: a key is exact */
        out[i] = lanes_select(weights[0] == 0.0f, from[i], out[i]);
}

static void evaluate_mixed(const struct tracks *tracks, const struct block *block, f32x4 *out)
{
    if (block->is_cubic)
        evaluate_mixed_cubic(tracks, block, out);
    else
        evaluate_mixed_linear(tracks, block, out);
}

/* The value, without tangents, of one lane of the block's `run`-th quad. */
static void key_value(const struct block *block, const f32x4 *row, uint32_t run, uint32_t lane, float out[4])
{
    uint32_t width = component_width(block->component);
    uint32_t vectors = block->is_shared ? width : 1; /* of one value */
    const f32x4 *at = row + block->lanes[lane].offset + run * vectors * (block->is_cubic ? 3 : 1);
    for (uint32_t i = 0; i < width; i++)
        out[i] = block->is_shared ? at[block->is_cubic * vectors + i][lane] : at[block->is_cubic][i];
}

static void extrapolate_quad(const struct tracks *tracks, const struct block *block, uint32_t run, f32x4 *out)
{
    for (uint32_t lane = 0; lane < QUAD; lane++) {
        const struct group *group = &tracks->groups[block->lanes[lane].group];
        float from[4], to[4], value[4];
        if (group->span != SPAN_BEYOND)
            continue;
        key_value(block, group->from, run, lane, from);
        key_value(block, group->to, run, lane, to);
        if (block->component == COMPONENT_ROTATION)
            extrapolate_rotation(from, to, group->beyond, value);
        else
            extrapolate_vector(from, to, group->beyond, value);
        for (uint32_t i = 0; i < component_width(block->component); i++)
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

/* ---- from components to matrices ----------------------------------------------------------------------------- */

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
}
