#include <string.h>

#include "suite/case/case_run.h"

static size_t vertex_count(const struct scene *scene)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        count += scene->meshes[scene->instances[i].mesh].vertex_count;
    return count;
}

/* All skinned vertices of a pose. */
static bool gather_points(struct pipeline *pipeline, double time, struct arena *scratch, struct point_set *out,
                          struct error *err)
{
    if (!pipeline_pose(pipeline, time, err))
        return false;
    pipeline_skin(pipeline);
    vec3 *points = ARENA_NEW(scratch, vec3, vertex_count(pipeline->scene));
    size_t count = 0;
    for (uint32_t i = 0; i < pipeline->scene->instance_count; i++) {
        const struct skinned *skinned = &pipeline->skinned[i];
        memcpy(points + count, skinned->positions, skinned->vertex_count * sizeof(vec3));
        count += skinned->vertex_count;
    }
    *out = (struct point_set){(const vec3 *)points, count};
    return true;
}

static bool compare_times(struct case_run *run, struct pipeline *other, struct error *err)
{
    const struct point_frame other_frame = {.unit = 1.0, .up_axis = 1};
    for (size_t i = 0; i < run->count; i++) {
        struct point_set golden, actual;
        double time = run->samples[i].time;
        if (!gather_points(other, time, run->arena, &golden, err) ||
            !gather_points(&run->pipeline, time, run->arena, &actual, err))
            return false;
        double worst = compare_points(&golden, &other_frame, &actual, &run->c->agreement.frame, time,
                                      &run->findings);
        double *error = &run->result->times[i].error[STAGE_SKIN];
        *error = worst > *error ? worst : *error;
    }
    return true;
}

bool case_agree(struct case_run *run, struct error *err)
{
    if (!run->c->agrees)
        return true;
    const struct suite_case *other = &run->suite->cases[run->c->agreement.other];
    struct model *model = model_cache_get(run->cache, other->model_path, &other->settings, err);
    struct pipeline pipeline;
    if (!model || !pipeline_begin(&pipeline, model->scene, &other->settings, err))
        return error_prefix(err, "agrees_with `%s`", other->name);
    bool good = compare_times(run, &pipeline, err);
    pipeline_end(&pipeline);
    return good;
}
