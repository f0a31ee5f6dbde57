#include "pipeline/velocities.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

/* A ring of three times: i - 1, i and i + 1. */
enum { RING = 3 };

struct velocities *velocities_create(struct pipeline *pipeline, const double *times, size_t count, struct error *err)
{
    if (count < 2)
        error_set(err, "--velocities: at least two times are needed: --frames A..B or --time T,T");
    for (size_t i = 1; i < count && !error_is_set(err); i++)
        if (!(times[i] > times[i - 1]))
            error_set(err, "--velocities: times must ascend, but %g s comes after %g s", times[i], times[i - 1]);
    if (error_is_set(err))
        return NULL;
    struct velocities *v = ARENA_NEW(pipeline->arena, struct velocities, 1);
    *v = (struct velocities){.pipeline = pipeline, .times = times, .count = count};
    v->local = ARENA_NEW(pipeline->arena, struct motion, pipeline->scene->node_count);
    v->global = ARENA_NEW(pipeline->arena, struct motion, pipeline->scene->node_count);
    for (int k = 0; k < 2 * RING; k++)
        v->poses[k] = ARENA_NEW(pipeline->arena, struct transform, pipeline->scene->node_count);
    return v;
}

/* Takes the pose at a time into its place in the ring. */
static bool capture(struct velocities *v, size_t i, struct error *err)
{
    const struct pose *pose = &v->pipeline->pose;
    if (!pipeline_pose(v->pipeline, v->times[i], err))
        return false;
    memcpy(v->poses[i % RING], pose->local, pose->node_count * sizeof *pose->local);
    for (uint32_t n = 0; n < pose->node_count; n++)
        affine_to_transform(pose->node_to_scene[n], &v->poses[RING + i % RING][n]);
    return true;
}

void turn_between(const vec4 from, const vec4 to, double out[3])
{
    double a[4], b[4], d[4];
    for (int k = 0; k < 4; k++) {
        a[k] = k < 3 ? -(double)from[k] : (double)from[k];
        b[k] = (double)to[k];
    }
    quatd_mul(b, a, d);
    const double sine = vec3d_length(d), angle = 2.0 * atan2(sine, fabs(d[3])) * (180.0 / acos(-1.0));
    for (int k = 0; k < 3; k++)
        out[k] = sine > 0 ? (d[3] < 0 ? -d[k] : d[k]) / sine * angle : 0;
}

void motion_between(const struct transform *from, const struct transform *at, const struct transform *to,
                    double seconds, double linear[3], double angular[3])
{
    double first[3], second[3];
    turn_between(from->rotation, at->rotation, first);
    turn_between(at->rotation, to->rotation, second);
    for (int k = 0; k < 3; k++) {
        linear[k] = ((double)to->translation[k] - (double)from->translation[k]) / seconds;
        angular[k] = (0.0 + first[k] + second[k]) / seconds; /* never -0 */
    }
}

bool velocities_step(struct velocities *v, size_t i, struct error *err)
{
    const struct scene *scene = v->pipeline->scene;
    size_t before = i > 0 ? i - 1 : 0, after = i + 1 < v->count ? i + 1 : i;
    double seconds = v->times[after] - v->times[before];
    if ((i == 0 && !capture(v, 0, err)) || (after > i && !capture(v, after, err)))
        return false;
    for (int kind = 0; kind < 2; kind++) {
        struct transform *const *ring = v->poses + kind * RING;
        struct motion *out = kind ? v->global : v->local;
        for (uint32_t n = 0; n < scene->node_count; n++) {
            double linear[3], angular[3];
            motion_between(&ring[before % RING][n], &ring[i % RING][n], &ring[after % RING][n], seconds, linear,
                           angular);
            for (int k = 0; k < 3; k++) {
                out[n].linear[k] = (float)linear[k];
                out[n].angular[k] = (float)angular[k];
                if (!isfinite(out[n].linear[k]) || !isfinite(out[n].angular[k]))
                    return error_set(err, "--velocities: node `%s` moves too fast for a number at %g s",
                                     scene->nodes[n].name, v->times[i]);
            }
        }
    }
    return pipeline_pose(v->pipeline, v->times[i], err);
}
