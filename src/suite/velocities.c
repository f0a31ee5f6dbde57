#include "suite/velocities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"

/* A ring of three times: i - 1, i and i + 1. */
enum { RING = 3 };

struct velocities {
    struct pipeline *pipeline;
    const double *times;
    size_t count;
    uint32_t node_count;
    struct transform *local[RING]; /* [node_count] each */
    struct transform *global[RING];
    struct motion *local_motion;
    struct motion *global_motion;
};

static bool check_times(const double *times, size_t count, struct error *err)
{
    if (count < 2)
        return error_set(err, "--velocities: one time has no neighbour; ask for more, by --frames A..B or --time T,T");
    for (size_t i = 1; i < count; i++)
        if (!(times[i] > times[i - 1]))
            return error_set(err, "--velocities: times must ascend; %g s comes after %g s", times[i], times[i - 1]);
    return true;
}

struct velocities *velocities_create(struct pipeline *pipeline, const double *times, size_t count, struct error *err)
{
    if (!check_times(times, count, err))
        return NULL;
    struct velocities *v = calloc(1, sizeof *v);
    uint32_t nodes = pipeline->scene->node_count;
    struct transform *transforms = calloc((size_t)2 * RING * nodes, sizeof *transforms);
    struct motion *motions = calloc((size_t)2 * nodes, sizeof *motions);
    if (!v || !transforms || !motions) {
        free(v);
        free(transforms);
        free(motions);
        error_set(err, "out of memory for the velocities of %u nodes", nodes);
        return NULL;
    }
    *v = (struct velocities){.pipeline = pipeline, .times = times, .count = count, .node_count = nodes,
                             .local_motion = motions, .global_motion = motions + nodes};
    for (uint32_t k = 0; k < RING; k++) {
        v->local[k] = transforms + (size_t)2 * k * nodes;
        v->global[k] = v->local[k] + nodes;
    }
    return v;
}

void velocities_destroy(struct velocities *v)
{
    if (!v)
        return;
    free(v->local[0]);
    free(v->local_motion);
    free(v);
}

static bool capture(struct velocities *v, size_t i, struct error *err)
{
    const struct pose *pose = &v->pipeline->pose;
    if (!pipeline_pose(v->pipeline, v->times[i], err))
        return false;
    memcpy(v->local[i % RING], pose->local, v->node_count * sizeof *pose->local);
    for (uint32_t n = 0; n < v->node_count; n++)
        affine_to_transform(pose->node_to_scene[n], &v->global[i % RING][n]);
    return true;
}

/* Adds axis times angle, in degrees, of the shorter rotation b a^-1. Quaternions are x, y, z, w. */
static void add_turn(const vec4 from, const vec4 to, double sum[3])
{
    double a[4], b[4], d[4];
    for (int k = 0; k < 4; k++) {
        a[k] = k < 3 ? -(double)from[k] : (double)from[k];
        b[k] = (double)to[k];
    }
    quatd_mul(b, a, d);
    double sine = vec3d_length(d);
    double angle = 2.0 * atan2(sine, fabs(d[3])) * (180.0 / acos(-1.0));
    for (int k = 0; k < 3 && sine > 0.0; k++)
        sum[k] += (d[3] < 0.0 ? -d[k] : d[k]) / sine * angle;
}

static struct motion measure(const struct transform *before, const struct transform *now, const struct transform *after,
                             double seconds)
{
    double turn[3] = {0, 0, 0};
    struct motion out;
    add_turn(before->rotation, now->rotation, turn);
    add_turn(now->rotation, after->rotation, turn);
    for (int k = 0; k < 3; k++) {
        out.linear[k] = (float)(((double)after->translation[k] - (double)before->translation[k]) / seconds);
        out.angular[k] = (float)(turn[k] / seconds);
    }
    return out;
}

static bool is_finite(const struct motion *motion)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(motion->linear[k]) || !isfinite(motion->angular[k]))
            return false;
    return true;
}

bool velocities_step(struct velocities *v, size_t i, struct error *err)
{
    size_t before = i > 0 ? i - 1 : 0, after = i + 1 < v->count ? i + 1 : i;
    double seconds = v->times[after] - v->times[before];
    if (i == 0 && !capture(v, 0, err))
        return false;
    if (after > i && !capture(v, after, err))
        return false;
    for (uint32_t n = 0; n < v->node_count; n++) {
        v->local_motion[n] = measure(&v->local[before % RING][n], &v->local[i % RING][n], &v->local[after % RING][n], seconds);
        v->global_motion[n] =
            measure(&v->global[before % RING][n], &v->global[i % RING][n], &v->global[after % RING][n], seconds);
        if (!is_finite(&v->local_motion[n]) || !is_finite(&v->global_motion[n]))
            return error_set(err, "--velocities: node `%s` moves too fast for a number at %g s",
                             v->pipeline->scene->nodes[n].name, v->times[i]);
    }
    return pipeline_pose(v->pipeline, v->times[i], err);
}

const struct motion *velocities_local(const struct velocities *v)
{
    return v->local_motion;
}

const struct motion *velocities_global(const struct velocities *v)
{
    return v->global_motion;
}
