#include <float.h>
#include <math.h>
#include <string.h>

#include "data/measure.h"
#include "data/vector.h"
#include "palette/skin.h"
#include "case/run_case.h"
#include "pipeline/pipeline_ask.h"

/* Keeps the vertices of a user's shader for the diagnosis: [instance_count]. */
static void keep_shaded(struct case_run *run, struct sample *sample, const struct skinned *captured)
{
    struct pose_snapshot *pose = ARENA_COPY(run->arena, struct pose_snapshot, sample->snapshot);
    pose->skin = ARENA_NEW(run->arena, struct skin_snapshot, pose->skin_count);
    for (uint32_t i = 0; i < pose->skin_count; i++) {
        const uint32_t vertices = captured[i].vertex_count, normals = captured[i].normals ? vertices : 0;
        pose->skin[i] = (struct skin_snapshot){.mesh = sample->snapshot->skin[i].mesh,
                                               .vertices = vertices,
                                               .position_count = vertices,
                                               .normal_count = normals,
                                               .positions = (const vec3 *)captured[i].positions,
                                               .normals = (const vec3 *)captured[i].normals};
    }
    pose_keep_vertices(pose, run->arena);
    sample->shaded = pose;
}

/*
 * The vertex shader's vertices against those of the CPU. Places in a crowd are not known before all times are posed:
 * cells are as large as this time needs.
 */
static bool compare_skinning(struct case_run *run, const struct pipeline *posed, size_t at, struct error *err)
{
    struct sample *sample = &run->samples[at];
    struct skinned *captured = run->gpu.captured;
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    const double time = sample->time;
    const size_t known = run->out.findings.count;
    double *worst = &run->out.result->times[at].error[STAGE_SKIN];
    struct pipeline unplaced = *posed, *p = &unplaced, rounded;
    const struct crowd_member own = {.palette = &p->palette, .pose = &p->pose};
    const uint32_t instances = p->scene->instance_count, crowded = crowd_size(p->settings);
    const uint32_t members = crowded ? crowded : 1;
    struct bounds bounds = bounds_empty();
    struct posed_crowd crowd;
    unplaced.is_placed = false; /* that is the picture's */
    rounded = unplaced;
    for (uint32_t i = 0; i < instances; i++)
        bounds_add_points(&bounds, p->skinned[i].positions, p->skinned[i].vertex_count);
    if (!gpu || !crowd_pose(&crowd, p, time, &bounds, &own, err))
        return false;
    double radius = fmax((double)bounds_radius(&bounds), 1e-9);
    bool good = true;
    for (uint32_t i = 0; good && i < instances; i++)
        good = draw_crowd_capture(run->renderer, gpu, &crowd.crowd, &captured[(size_t)i * members], err);
    if (run->gpu.rounded) { /* weights as the shader is given them */
        rounded.scene = run->gpu.rounded;
        rounded.skinned = run->gpu.rounded_skinned;
        p = &rounded;
        pipeline_skin(p);
    }
    *worst = 0.0;
    for (uint32_t m = 0; good && m < members; m++) {
        const struct crowd_member *member = &crowd.crowd.members[m];
        size_t first = run->out.findings.count;
        double rounding = skin_rounding(p->scene, member->palette, p->settings->upload_format.format) +
                          1e-6 * vec3_length(member->place);
        if (crowded)
            crowd_skin(p, &crowd, m, &run->extent.bounds);
        for (uint32_t i = 0; i < instances; i++)
            *worst = worse(*worst, compare_skin(p->scene, &p->skinned[i], &captured[(size_t)i * members + m], radius,
                                               rounding, crowd_time(p, time, m), &run->out.findings));
        for (size_t f = first; crowded && f < run->out.findings.count; f++)
            run->out.findings.items[f].instance = m + 1;
    }
    if (good && run->shaders && !crowded && run->out.findings.count > known)
        keep_shaded(run, sample, captured);
    *worst = fmin(*worst, DBL_MAX); /* null in a file says that it was not compared */
    crowd_release(&crowd);
    return good;
}

/* Returns whether vertices are compared while llvmpipe's threads draw: of what is drawn otherwise than one model by
 * our shaders too much would have to be posed again. */
static bool skinning_waits(const struct case_run *run)
{
    return !(run->out.findings.not_asked >> STAGE_DRAW & 1) && !run->c->agrees && !run->shaders &&
           !run->pipeline.values && crowd_size(run->pipeline.settings) == 0;
}

bool case_compare_waiting(struct case_run *run, size_t count, struct error *err)
{
    bool good = true;
    for (; good && run->gpu.compared < count; run->gpu.compared++) {
        struct pipeline at = case_pipeline_at(run, &run->samples[run->gpu.compared]);
        pipeline_skin(&at);
        good = compare_skinning(run, &at, run->gpu.compared, err);
    }
    return good;
}

bool case_read_pose(struct case_run *run, struct sample *sample, struct error *err)
{
    const struct recorded_frame *recorded = recorded_find(&run->golden.recorded, sample->label);
    SCOPED(blob) file = {0};
    char hash[17];
    enum golden_part part = golden_read(&run->golden, sample->label, ".pose.json", &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    bytes_hash(file.data, file.size, hash);
    if (recorded && recorded->pose && strcmp(recorded->pose, hash) != 0)
        case_mismatch(run, sample->label, ".pose.json");
    const char *path = golden_path(&run->golden, sample->label, ".pose.json");
    const bool is_same = sample->snapshot && pose_snapshot_is_in(sample->snapshot, file.data, file.size);
    sample->golden = is_same ? sample->snapshot : pose_snapshot_read(file.data, file.size, path, run->arena, err);
    return sample->golden != NULL;
}

static bool compare_golden(struct case_run *run, size_t at, struct error *err)
{
    struct sample *sample = &run->samples[at];
    if (!case_read_pose(run, sample, err))
        return false;
    const struct import_snapshot *import = run->golden_import ? run->golden_import : run->model->snapshot;
    const struct pose_pair pair = {sample->golden, sample->snapshot, import,
                                   import == run->model->snapshot ? NULL : run->model->snapshot,
                                   run->c->settings.upload_format.skinning == SKINNING_DUAL_QUATERNION};
    if (pair.golden)
        comparison_pose(&run->out, &pair, (uint32_t)at);
    return true;
}

/* Where local transforms move and nothing else does, they got lost after the animation. */
static void check_motion(struct case_run *run)
{
    bool locals_equal = true, globals_equal = true;
    const struct pose *p = &run->samples[0].pose;
    const struct palette *q = &run->samples[0].palette;
    for (size_t i = 1; i < run->count; i++) {
        const struct pose *pose = &run->samples[i].pose;
        const struct palette *palette = &run->samples[i].palette;
        locals_equal = locals_equal &&
                       !memcmp(p->morph_weights, pose->morph_weights, p->weight_count * sizeof(float)) &&
                       !memcmp(p->local_to_parent, pose->local_to_parent, p->node_count * sizeof(mat4));
        globals_equal = globals_equal &&
                        !memcmp(q->morph_weights, palette->morph_weights, q->weight_count * sizeof(float)) &&
                        !memcmp(q->mesh_to_scene, palette->mesh_to_scene, q->count * sizeof(mat4)) &&
                        !memcmp(p->node_to_scene, pose->node_to_scene, p->node_count * sizeof(mat4));
    }
    if (run->pipeline.is_still || run->count < 2 || (run->c->allowed & ALLOW_STILL) || !globals_equal)
        return;
    const struct finding finding = finding_of(locals_equal ? CODE_LOCALS_STILL : CODE_GLOBALS_STILL);
    const char *samples = run->count == 2 ? "both samples" : arena_printf(run->arena, "all %zu samples", run->count);
    struct unseen unseen = {0};
    double *times = ARENA_NEW(run->arena, double, run->count);
    for (size_t i = 0; i < run->count; i++)
        times[i] = run->samples[i].time;
    if (locals_equal && pipeline_unseen(&run->pipeline, times, run->count, &unseen, ERROR_IGNORED) && unseen.count > 0)
        findings_add(&run->out.findings, &finding,
                     "nothing moves at these times: %s of clip `%s` are the same, but its keys move (%s); "
                     "choose other times, such as %.6g s",
                     samples, run->pipeline.plays, text_string(&unseen.what), unseen.time);
    else
        findings_add(&run->out.findings, &finding,
                     "nothing moves: %s of clip `%s` are the same%s; permit it with `allow: still`", samples,
                     run->pipeline.plays, locals_equal ? ", and no key of it moves anything" : "");
    text_release(&unseen.what);
}

const struct pose_snapshot *case_pose_sample(struct case_run *run, size_t index, bool vertices, struct error *err)
{
    struct sample *sample = &run->samples[index];
    struct pipeline *p = &run->pipeline;
    if (!pipeline_pose(p, sample->time, err))
        return NULL;
    const struct pose_snapshot *pose = pipeline_gather(p, vertices, run->arena);
    pipeline_add_bounds(p, &run->extent.bounds);
    sample->pose = pose_copy(&p->pose, p->scene, run->arena);
    sample->palette = palette_copy(&p->palette, p->scene, run->arena);
    return pose;
}

bool gather_points(struct pipeline *pipeline, double time, struct arena *arena, struct point_set *out,
                   struct error *err)
{
    size_t most = 0;
    if (!pipeline_pose(pipeline, time, err))
        return false;
    pipeline_skin(pipeline);
    for (uint32_t i = 0; i < pipeline->scene->instance_count; i++)
        most += pipeline->skinned[i].vertex_count;
    vec3 *points = ARENA_NEW(arena, vec3, most);
    *out = (struct point_set){(const vec3 *)points, 0};
    for (uint32_t i = 0; i < pipeline->scene->instance_count; i++) {
        const struct skinned *each = &pipeline->skinned[i];
        memcpy(points + out->count, each->positions, each->vertex_count * sizeof(vec3));
        out->count += each->vertex_count;
    }
    return true;
}

/* The skinned vertices against those of the case it agrees with. */
static bool agree(struct case_run *run, struct error *err)
{
    const struct agreement *agreement = &run->c->agreement;
    if (!run->c->agrees)
        return true;
    const struct suite_case *other = &run->suite->cases[run->c->agreement.other];
    struct model *model = model_cache_get(run->cache, other->model_path, &other->settings, err);
    struct pipeline pipeline;
    if (!model || !pipeline_begin(&pipeline, model->scene, &other->settings, err))
        return error_prefix(err, "agrees_with `%s`", other->name);
    bool good = true;
    for (size_t i = 0; good && i < run->count; i++) {
        struct point_set golden, actual;
        double time = run->samples[i].time, *error = &run->out.result->times[i].error[STAGE_SKIN];
        good = gather_points(&pipeline, time, run->arena, &golden, err) &&
               gather_points(&run->pipeline, time, run->arena, &actual, err);
        if (good)
            *error = worse(*error, compare_points(&golden, &agreement->other_frame, &actual, &agreement->frame, time,
                                                 &run->out.findings));
    }
    pipeline_end(&pipeline);
    return good;
}

bool case_pose(struct case_run *run, struct error *err)
{
    if (run->c->truth)
        return error_set(err, "`truth` is for a program under test: --subject PROGRAM names one");
    struct pipeline *p = &run->pipeline;
    const uint32_t crowded = crowd_size(p->settings), members = crowded ? crowded : 1;
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct skinned *captured = run->gpu.captured =
        ARENA_NEW(run->arena, struct skinned, (size_t)p->scene->instance_count * members);
    if (!gpu)
        return false;
    if (gpu_model_rounds_weights(gpu)) {
        run->gpu.rounded = gpu_model_rounded_scene(gpu, run->arena);
        run->gpu.rounded_skinned = skinned_create(run->gpu.rounded, run->arena);
    }
    for (uint32_t i = 0; i < p->scene->instance_count * members; i++) { /* of every instance all members of the crowd */
        const struct mesh *mesh = &p->scene->meshes[p->scene->instances[i / members].mesh];
        captured[i] =
            (struct skinned){.instance = i / members,
                             .vertex_count = mesh->vertex_count,
                             .positions = ARENA_NEW(run->arena, vec3, mesh->vertex_count),
                             .normals = ARENA_NEW(run->arena, vec3, mesh->vertex_count),
                             .tangents = mesh->tangents ? ARENA_NEW(run->arena, vec4, mesh->vertex_count) : NULL};
    }
    const bool waits = skinning_waits(run);
    run->gpu.compared = waits ? 0 : run->count;
    for (size_t i = 0; i < run->count; i++) {
        if (!(run->samples[i].snapshot = case_pose_sample(run, i, false, err)))
            return false;
        run->out.facts.compared[STAGE_SKIN] = p->scene->instance_count > 0;
        if (!waits && !compare_skinning(run, p, i, err))
            return false;
        if (suite_has_golden(run->c) && !compare_golden(run, i, err))
            return false;
    }
    run->out.result->radius = (double)bounds_radius(&run->extent.bounds);
    check_motion(run);
    return agree(run, err);
}
