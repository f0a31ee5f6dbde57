/* Of a failing case: where the worst bone is over time, in the golden and in this run, and both poses to be turned around. */
#include <math.h>
#include <string.h>

#include "case/run_case.h"
#include "viewer/viewer.h"

/* A half of the limit is for one case, so that at least two are in the page. */
enum { PARTS_OF_LIMIT = 2 };

static bool take_node(const struct pose_snapshot *pose, const char *name, bool is_local, float out[CURVE_NUMBERS])
{
    const int32_t index = pose ? snapshot_find_node(pose, 0, name) : NO_INDEX;
    const struct pose_node_snapshot *node = index != NO_INDEX ? &pose->nodes[index] : NULL;
    struct transform at;
    if (!node || (node->left_out & (is_local ? POSE_LOCAL : POSE_GLOBAL)))
        return false;
    at = node->local;
    if (!is_local)
        affine_to_transform(node->node_to_scene, &at);
    memcpy(out, at.translation, sizeof(vec3));
    memcpy(out + 3, at.rotation, sizeof(vec4));
    memcpy(out + 7, at.scale, sizeof(vec3));
    return true;
}

/* What this run is compared with at a time, and what of this run that is. NULL: nothing. */
static const struct pose_snapshot *opponent(const struct case_run *run, size_t at)
{
    return run->c->subject && !run->c->against_golden ? run->samples[at].reference : run->samples[at].golden;
}

static void draw_curve(struct case_run *run)
{
    struct case_result *result = run->out.result;
    const struct bone_result *worst = result->bone_count > 0 ? &result->bones[0] : NULL;
    if (!worst)
        return;
    struct case_curve *curve = ARENA_NEW(run->arena, struct case_curve, 1);
    const bool is_local = worst->stage == STAGE_ANIMATE;
    *curve = (struct case_curve){.bone = worst->bone, .space = curve_spaces[!is_local], .samples = ARENA_NEW(run->arena, struct curve_sample_result, run->count)};
    for (size_t i = 0; i < run->count && curve->sample_count < CURVE_MOST_SAMPLES; i++) {
        struct curve_sample_result *sample = &curve->samples[curve->sample_count];
        sample->time = run->samples[i].time;
        if (take_node(opponent(run, i), worst->bone, is_local, sample->golden) &&
            take_node(run->samples[i].snapshot, worst->bone, is_local, sample->actual))
            curve->sample_count++;
    }
    result->curve = curve->sample_count > 0 ? curve : NULL;
}

/* The first time at which numbers or pixels differ; where none does, the first. Errors of the stage skin are the GPU's, the
 * golden's and another case's, each with a tolerance of its own: there findings say it. */
static size_t first_failing(const struct case_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct time_result *time = &run->out.result->times[i];
        bool differs = time->image.state == IMAGE_DIFFERS || time->error[STAGE_ANIMATE] > run->c->tolerance.shell ||
                       time->error[STAGE_PALETTE] > run->c->tolerance.shell;
        for (size_t f = 0; f < run->out.findings.count && !differs; f++)
            differs = run->out.findings.items[f].stage == STAGE_SKIN && !run->out.findings.items[f].benign &&
                      fabs(run->out.findings.items[f].time - time->time) <= 1e-6;
        if (differs && opponent(run, i))
            return i;
    }
    return 0;
}

/* NULL: the page can show it. */
static const char *why_unfit(const struct case_run *run, size_t at)
{
    const struct settings *s = &run->c->settings;
    return !opponent(run, at)                                             ? "there is no golden pose"
           : crowd_size(s) > 0                                            ? "it is a crowd"
           : s->space == SPACE_ROOT                                       ? "its palette is in the root's space"
           : s->upload_format.skinning == SKINNING_DUAL_QUATERNION        ? "it is skinned by dual quaternions"
                                                                          : NULL;
}

static bool write_viewer(struct case_run *run, size_t at, struct error *err)
{
    const struct settings *s = &run->c->settings;
    struct scene *scene = run->pipeline.scene;
    const struct sample *sample = &run->samples[at];
    const bool is_subject = run->c->subject && !run->c->against_golden;
    const struct pose_snapshot *ours =
        is_subject ? sample->reference : pose_name_as_golden(sample->snapshot, &run->out.findings);
    const struct sample other = case_pose_as(run, sample, ours, is_subject ? sample->snapshot : sample->golden);
    const struct viewer_pose own_pose = {sample->time, &sample->pose, &sample->palette}, other_pose = {sample->time, &other.pose, &other.palette};
    struct viewer_content content = {
        .title = run->c->name,
        .side_count = 2,
        .time = sample->time,
        .fps = pipeline_frame_rate(&run->pipeline),
        .sides = {{is_subject ? "reference" : "golden", scene, false, 1, is_subject ? &own_pose : &other_pose},
                  {is_subject ? run->subject_name : "actual", scene, false, 1, is_subject ? &other_pose : &own_pose}},
        .up_axis = s->up_axis >= 0 ? s->up_axis : scene->up_axis,
        .up_sign = s->up_axis >= 0 ? 1 : scene->up_sign,
        .view = VIEW_DISPLACEMENT,
        .select = run->out.result->bone_count > 0 ? run->out.result->bones[0].bone : NULL,
        .orbit = s->orbit};
    struct framing framing;
    struct text json = {0};
    const char *left_out = NULL;
    if (!case_framing(run, at, true, &framing, err))
        return false;
    content.framed = framing.bounds;
    content.camera = run->pipeline.is_placed ? NULL : &framing.camera;
    struct error small = {0};
    bool good = viewer_fit(&content, run->options->viewer_bytes / PARTS_OF_LIMIT, &left_out, &json, &small);
    if (!good)
        run->out.result->viewer_note = arena_string(run->arena, small.text);
    else if (case_output(run, "viewer", ".json", json.data, json.size, err)) {
        run->out.result->viewer = arena_printf(run->arena, "%s/viewer.json", run->c->name);
        run->out.result->viewer_note = left_out;
    }
    text_release(&json);
    return !error_is_set(err);
}

bool case_show_failure(struct case_run *run, struct error *err)
{
    if (run->count == 0 || !case_shows(run, PICTURES_FAILING))
        return true;
    draw_curve(run);
    if (run->options->viewer_bytes == 0)
        return true;
    const size_t at = first_failing(run);
    run->out.result->viewer_note = why_unfit(run, at);
    return run->out.result->viewer_note || write_viewer(run, at, err);
}
