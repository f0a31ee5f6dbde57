#include "animate/tracks.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "animate/curve.h"
#include "animate/extrapolate.h"
#include "animate/tracks_layout.h"

double wrap_time(double time, double duration, enum wrap wrap)
{
    if (!(duration > 0) || !isfinite(time))
        return 0;
    if (time >= 0 && time <= duration)
        return time;
    if (wrap == WRAP_HOLD)
        return time < 0 ? 0 : duration;
    double rest = fmod(time, duration);
    return rest < 0 ? rest + duration : fabs(rest);
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
    uint32_t passed = timeline_count_until(timeline, time);
    uint32_t key = passed > 0 ? passed - 1 : 0;
    if (passed == 0 || key == last || group->interpolation == INTERPOLATE_STEP || time == timeline->times[key])
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

/* One group, so one time for all four curves. The widths are constants, for the compiler to unroll. */
static void evaluate_shared_vector(const struct group *group, const struct block *block, f32x4 out[3])
{
    const f32x4 *from = group->from + block->lanes[0].offset;
    const f32x4 *to = group->to + block->lanes[0].offset;
    if (block->is_cubic) {
        struct hermite weights = hermite_of(group);
        curve_hermite(from, to, &weights, 3, out);
    } else if (group->span == SPAN_HOLD) {
        curve_copy(from, 3, out);
    } else {
        curve_lerp(from, to, lanes_splat(group->weights[0]), out);
    }
}

static void evaluate_shared_rotation(const struct group *group, const struct block *block, f32x4 out[4])
{
    const f32x4 *from = group->from + block->lanes[0].offset;
    const f32x4 *to = group->to + block->lanes[0].offset;
    if (block->is_cubic) {
        struct hermite weights = hermite_of(group);
        curve_hermite(from, to, &weights, 4, out);
    } else if (group->span == SPAN_HOLD) {
        curve_copy(from, 4, out);
    } else {
        curve_slerp(from, to, lanes_splat(group->weights[0]), out);
    }
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
        curve_lerp(from, to, weights[0], out);
        return;
    }
    curve_slerp(from, to, weights[0], out);
    for (int i = 0; i < 4; i++) /* as a shared block has it: a key is exact */
        out[i] = lanes_select(weights[0] == 0.0f, from[i], out[i]);
}

static void key_value(const struct block *block, const f32x4 *row, uint32_t lane, float out[4])
{
    uint32_t width = block->component == COMPONENT_ROTATION ? 4 : 3;
    uint32_t stored = block->is_shared ? width : 1; /* vectors of one value */
    const f32x4 *value = row + block->lanes[lane].offset + (block->is_cubic ? stored : 0);
    for (uint32_t i = 0; i < width; i++)
        out[i] = block->is_shared ? value[i][lane] : value[0][i];
}

static void extrapolate_lanes(const struct tracks *tracks, const struct block *block, f32x4 out[4])
{
    uint32_t width = block->component == COMPONENT_ROTATION ? 4 : 3;
    for (uint32_t lane = 0; lane < QUAD; lane++) {
        const struct group *group = &tracks->groups[block->lanes[lane].group];
        float from[4], to[4], value[4] = {0};
        if (group->span != SPAN_BEYOND)
            continue;
        key_value(block, group->from, lane, from);
        key_value(block, group->to, lane, to);
        if (block->component == COMPONENT_ROTATION)
            extrapolate_rotation(from, to, group->beyond, value);
        else
            extrapolate_vector(from, to, group->beyond, value);
        for (uint32_t i = 0; i < width; i++)
            out[i][lane] = value[i];
    }
}

static void evaluate_mixed(const struct tracks *tracks, const struct block *block, f32x4 out[4])
{
    if (block->is_cubic)
        evaluate_mixed_cubic(tracks, block, out);
    else
        evaluate_mixed_linear(tracks, block, out);
}

static void evaluate(const struct tracks *tracks, const struct block *block, bool is_any_beyond, struct quad *quad)
{
    f32x4 part[4];
    f32x4 *all = quad->value + component_start[block->component];
    f32x4 *out = block->is_full ? all : part;
    bool is_rotation = block->component == COMPONENT_ROTATION;
    if (!block->is_shared)
        evaluate_mixed(tracks, block, out);
    else if (is_rotation)
        evaluate_shared_rotation(&tracks->groups[block->lanes[0].group], block, out);
    else
        evaluate_shared_vector(&tracks->groups[block->lanes[0].group], block, out);
    if (is_any_beyond)
        extrapolate_lanes(tracks, block, out);
    for (uint32_t i = 0; !block->is_full && i < (is_rotation ? 4 : 3); i++)
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

static void compose(const struct quad *quad, struct pose *pose)
{
    const f32x4 *v = quad->value;
    f32x4 column[3][4];
    f32x4 translation[4] = {v[0], v[1], v[2], lanes_splat(1.0f)};
    f32x4 rotation[4] = {v[3], v[4], v[5], v[6]};
    f32x4 scale[4] = {v[7], v[8], v[9], lanes_splat(1.0f)};
    rotate_and_scale(v + 3, v + 7, column);
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
        evaluate(tracks, &tracks->blocks[i], is_any_beyond, &tracks->quads[tracks->blocks[i].quad]);
    for (uint32_t i = 0; i < tracks->quad_count; i++)
        compose(&tracks->quads[i], pose);
}
