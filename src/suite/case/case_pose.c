#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"
#include "palette/rounding.h"
#include "palette/skin.h"
#include "suite/case/case_run.h"
#include "suite/crowd.h"
#include "suite/diff/bone_table.h"

/* ---- one time ---------------------------------------------------------------------------------------------------- */

static void add_bounds(struct case_run *run)
{
    const struct pipeline *p = &run->pipeline;
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bounds_add_points(&run->bounds, p->skinned[i].positions, p->skinned[i].vertex_count);
    if (p->scene->instance_count == 0)
        for (uint32_t n = 0; n < p->scene->node_count; n++)
            bounds_add_points(&run->bounds, (const vec3 *)&p->pose.node_to_scene[n][3], 1);
}

/* Room for what is captured of all instances of the scene, for each member of the crowd; malloc'd in one piece. */
static struct skinned *captured_create(const struct scene *scene, uint32_t members)
{
    size_t count = (size_t)scene->instance_count * members, vertices = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
    struct skinned *captured = malloc(count * sizeof *captured + 2 * vertices * members * sizeof(vec3) + 1);
    vec3 *next = captured ? (vec3 *)(captured + count) : NULL;
    for (size_t k = 0; captured && k < count; k++) {
        uint32_t instance = (uint32_t)(k / members), of = scene->meshes[scene->instances[instance].mesh].vertex_count;
        captured[k] = (struct skinned){instance, of, next, next + of};
        next += 2 * (size_t)of;
    }
    return captured;
}

/* Says of findings from `first` on whose they are. */
static void name_member(struct case_run *run, size_t first, uint32_t member)
{
    for (size_t i = first; i < run->findings.count; i++) {
        struct finding *finding = &run->findings.items[i];
        finding->text = arena_printf(run->arena, "instance %u of the crowd: %s", member + 1, finding->text);
    }
}

/*
 * The vertex shader's vertices against those of the CPU, of every instance where there is a crowd; its places are not known
 * before all times are posed: cells are as large as this time needs.
 */
static bool compare_skinning(struct case_run *run, struct gpu_model *gpu, double time, double *worst, struct error *err)
{
    struct pipeline *p = &run->pipeline;
    const struct crowd_member own = {.palette = &p->palette, .pose = &p->pose};
    uint32_t instances = p->scene->instance_count;
    struct bounds bounds = bounds_empty();
    struct posed_crowd crowd;
    for (uint32_t i = 0; i < instances; i++)
        bounds_add_points(&bounds, p->skinned[i].positions, p->skinned[i].vertex_count);
    if (!crowd_pose(&crowd, p, time, &bounds, &own, err))
        return false;
    uint32_t members = crowd.crowd.count ? crowd.crowd.count : 1;
    struct skinned *captured = captured_create(p->scene, members);
    double radius = fmax((double)bounds_radius(&bounds), 1e-9);
    bool good = captured || error_set(err, "out of memory for %u captures", members);
    for (uint32_t i = 0; good && i < instances; i++)
        good = draw_crowd_capture(run->renderer, gpu, &crowd.crowd, &captured[(size_t)i * members], err);
    *worst = 0.0;
    for (uint32_t m = 0; good && m < members; m++) {
        const struct crowd_member *member = &crowd.crowd.members[m];
        size_t first = run->findings.count;
        double rounding = skin_rounding(p->scene, member->palette, p->settings->upload_format.format) +
                          1e-6 * vec3_length(member->place);
        if (crowd.crowd.count)
            crowd_skin(p, &crowd, m);
        for (uint32_t i = 0; i < instances; i++)
            *worst = fmax(*worst, compare_skin(p->scene, &p->skinned[i], &captured[(size_t)i * members + m], radius,
                                               rounding, crowd_time(p, time, m), &run->c->tolerance, &run->findings));
        if (crowd.crowd.count)
            name_member(run, first, m);
    }
    free(captured);
    crowd_release(&crowd);
    return good;
}

/* ---- golden poses ------------------------------------------------------------------------------------------------ */

static bool compare_golden(struct case_run *run, size_t at, struct bone_table *table, struct error *err)
{
    struct sample *sample = &run->samples[at];
    struct time_result *result = &run->result->times[at];
    struct blob file;
    switch (golden_read(&run->golden, sample->label, ".pose.json", &file, err)) {
    case GOLDEN_UNREADABLE:
        return false;
    case GOLDEN_ABSENT:
        case_missing(run, "no golden for %s s", sample->label);
        return true;
    case GOLDEN_READ:
        break;
    }
    const struct recorded_frame *recorded = recorded_find(&run->golden.recorded, sample->label, at);
    if (recorded && !case_is_as_recorded(recorded->pose, &file))
        case_mismatch(run, sample->label, ".pose.json");
    char *path = golden_path(&run->golden, sample->label, ".pose.json");
    struct pose_snapshot *golden = pose_snapshot_read(file.data, file.size, path, run->arena, err);
    free(path);
    blob_release(&file);
    if (!golden)
        return false;
    struct pose_errors errors = {0};
    compare_pose(golden, sample->snapshot, run->golden_import ? run->golden_import : run->model->snapshot,
                 &run->c->tolerance, &run->findings, &errors);
    result->error[STAGE_ANIMATE] = errors.worst[STAGE_ANIMATE];
    result->error[STAGE_PALETTE] = errors.worst[STAGE_PALETTE];
    run->facts.compared[STAGE_ANIMATE] = run->facts.compared[STAGE_PALETTE] = true;
    bone_table_add(table, &errors, (uint32_t)at, sample->time);
    return true;
}

/* ---- a clip that does not move ----------------------------------------------------------------------------------- */

static bool weights_equal(const float *a, const float *b, uint32_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool locals_equal(const struct sample *a, const struct sample *b)
{
    return weights_equal(a->pose.morph_weights, b->pose.morph_weights, a->pose.weight_count) &&
           memcmp(a->pose.local_to_parent, b->pose.local_to_parent, a->pose.node_count * sizeof(mat4)) == 0;
}

static bool globals_equal(const struct sample *a, const struct sample *b)
{
    return weights_equal(a->palette.morph_weights, b->palette.morph_weights, a->palette.weight_count) &&
           memcmp(a->palette.mesh_to_scene, b->palette.mesh_to_scene, a->palette.count * sizeof(mat4)) == 0 &&
           memcmp(a->pose.node_to_scene, b->pose.node_to_scene, a->pose.node_count * sizeof(mat4)) == 0;
}

static bool samples_equal(const struct case_run *run, bool (*equal)(const struct sample *, const struct sample *))
{
    for (size_t i = 1; i < run->count; i++)
        if (!equal(&run->samples[0], &run->samples[i]))
            return false;
    return true;
}

/* Where local transforms move and nothing else does, they got lost after the animation. */
static void check_motion(struct case_run *run)
{
    struct finding finding = finding_none;
    if (run->pipeline.is_still || run->count < 2 || (run->c->allowed & ALLOW_STILL) || !samples_equal(run, globals_equal))
        return;
    finding.stage = samples_equal(run, locals_equal) ? STAGE_ANIMATE : STAGE_PALETTE;
    finding.kind = FINDING_VACUITY;
    findings_add(&run->findings, &finding, "clip `%s` does not move anything: %s are the same (`allow: still` permits that)",
                 run->pipeline.plays,
                 run->count == 2 ? "both samples" : arena_printf(run->arena, "all %zu samples", run->count));
}

/* ---- all times --------------------------------------------------------------------------------------------------- */

static bool pose_sample(struct case_run *run, size_t at, struct gpu_model *gpu, struct error *err)
{
    struct sample *sample = &run->samples[at];
    if (!pipeline_pose(&run->pipeline, sample->time, err))
        return false;
    pipeline_skin(&run->pipeline);
    sample->pose = pose_copy(&run->pipeline.pose, run->pipeline.scene, run->arena);
    sample->palette = palette_copy(&run->pipeline.palette, run->pipeline.scene, run->arena);
    add_bounds(run);
    struct pose_record record = pipeline_record(&run->pipeline);
    sample->snapshot = pose_snapshot_gather(&record, run->arena);
    run->facts.compared[STAGE_SKIN] = run->pipeline.scene->instance_count > 0;
    if (!compare_skinning(run, gpu, sample->time, &run->result->times[at].error[STAGE_SKIN], err))
        return false;
    for (uint32_t k = 1; k < crowd_size(run->pipeline.settings); k++) {
        if (!pipeline_pose(&run->pipeline, crowd_time(&run->pipeline, sample->time, k), err))
            return error_prefix(err, "--crowd: instance %u", k + 1);
        pipeline_skin(&run->pipeline);
        add_bounds(run);
    }
    return true;
}

bool case_pose(struct case_run *run, struct error *err)
{
    struct bone_table table = {.arena = run->arena, .time_count = (uint32_t)run->count};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    if (!gpu)
        return false;
    run->bounds = bounds_empty();
    for (size_t i = 0; i < run->count; i++)
        if (!pose_sample(run, i, gpu, err) || (!run->c->agrees && !compare_golden(run, i, &table, err)))
            return false;
    run->result->radius = (double)bounds_radius(&run->bounds);
    bone_table_report(&table, run->result);
    check_motion(run);
    return true;
}
