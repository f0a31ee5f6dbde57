/* Shows where the worst bone of a failing case is over time, in the golden and in this run, and both poses to be
 * turned around. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "case/run_case.h"
#include "viewer/viewer.h"

/* A half of the limit is for one case, so that at least two are in the page. */
enum { PARTS_OF_LIMIT = 2 };

static void copy_transform(const struct transform *at, float out[CURVE_NUMBERS])
{
    memcpy(out, at->translation, sizeof(vec3));
    memcpy(out + 3, at->rotation, sizeof(vec4));
    memcpy(out + 7, at->scale, sizeof(vec3));
}

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
    copy_transform(&at, out);
    return true;
}

static struct case_curve *draw_curve(struct case_run *run)
{
    struct case_result *result = run->out.result;
    const struct bone_result *worst = result->bone_count > 0 ? &result->bones[0] : NULL;
    if (!worst)
        return NULL;
    struct case_curve *curve = ARENA_NEW(run->arena, struct case_curve, 1);
    const bool is_local = worst->stage == STAGE_ANIMATE;
    *curve = (struct case_curve){.bone = worst->bone, .space = curve_spaces[!is_local], .samples =
        ARENA_NEW(run->arena, struct curve_sample_result, run->count)};
    for (size_t i = 0; i < run->count && curve->sample_count < CURVE_MOST_SAMPLES; i++) {
        const struct sample *of = &run->samples[i];
        struct curve_sample_result *sample = &curve->samples[curve->sample_count];
        sample->time = of->time;
        if (take_node(of->golden, worst->bone, is_local, sample->golden) &&
            take_node(of->snapshot, worst->bone, is_local, sample->actual))
            curve->sample_count++;
    }
    result->curve = curve->sample_count > 0 ? curve : NULL;
    return curve->sample_count > 0 ? curve : NULL;
}

/* Seconds at which the clip has keys of the node, ascending, each once; none where it is not played as it is. */
static void list_keys(struct case_run *run, int32_t node, double last, struct case_curve *curve)
{
    const struct pipeline *p = &run->pipeline;
    curve->keys = ARENA_NEW(run->arena, double, CURVE_MOST_SAMPLES);
    if (!p->clip || p->settings->mix_count > 0 || p->settings->rate != 1)
        return;
    for (uint32_t c = 0; c < p->clip->channel_count; c++)
        for (int k = 0; p->clip->channels[c].node == node && k < COMPONENT_COUNT; k++) {
            const struct keys *keys = &p->clip->channels[c].keys[k];
            for (uint32_t i = 0; i < keys->count && curve->key_count < CURVE_MOST_SAMPLES; i++) {
                const double time = keys->times[i];
                const size_t at =
                    lower_bound(&time, curve->keys, curve->key_count, sizeof time, compare_doubles);
                if (time < 0 || time > last || (at < curve->key_count && curve->keys[at] == time))
                    continue;
                memmove(curve->keys + at + 1, curve->keys + at, (curve->key_count - at) * sizeof *curve->keys);
                curve->keys[at] = time;
                curve->key_count++;
            }
        }
}

/* The whole clip between the samples, as this run plays it (of a subject's case that is the reference). Moves the
 * pipeline. */
static bool draw_line(struct case_run *run, struct case_curve *curve, struct error *err)
{
    enum { POINTS = 97 };
    struct pipeline *p = &run->pipeline;
    const bool is_local = strcmp(curve->space, curve_spaces[0]) == 0;
    const int32_t node = scene_find_node(p->scene, curve->bone);
    const double first = fmin(0, curve->samples[0].time);
    const double last = fmax(pipeline_duration(p), curve->samples[curve->sample_count - 1].time);
    if (node == NO_INDEX || !(last > first))
        return true;
    curve->line = ARENA_NEW(run->arena, struct curve_point_result, POINTS);
    for (int i = 0; i < POINTS; i++) {
        struct curve_point_result *point = &curve->line[i];
        struct transform at;
        point->time = first + (last - first) * i / (POINTS - 1);
        if (!pipeline_pose(p, point->time, err))
            return false;
        at = p->pose.local[node];
        if (!is_local)
            affine_to_transform(p->pose.node_to_scene[node], &at);
        copy_transform(&at, point->at);
    }
    curve->point_count = POINTS;
    curve->side = curve_sides[!run->c->subject || run->c->against_golden];
    list_keys(run, node, last, curve);
    return true;
}

/* The first time at which numbers or pixels differ; where none does, the first. Errors of the stage skin are the
 * GPU's, the golden's and another case's, each with a tolerance of its own: there findings say it. */
static size_t first_failing(const struct case_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct time_result *time = &run->out.result->times[i];
        bool differs = time->image.state == IMAGE_DIFFERS || time->error[STAGE_ANIMATE] > run->c->tolerance.shell ||
                       time->error[STAGE_PALETTE] > run->c->tolerance.shell;
        for (size_t f = 0; f < run->out.findings.count && !differs; f++)
            differs = run->out.findings.items[f].stage == STAGE_SKIN && !run->out.findings.items[f].benign &&
                      fabs(run->out.findings.items[f].time - time->time) <= 1e-6;
        if (differs && run->samples[i].golden)
            return i;
    }
    return 0;
}

/* NULL: the page can show it. */
static const char *why_unfit(const struct case_run *run, size_t at)
{
    const struct settings *s = &run->c->settings;
    return !run->samples[at].golden                                             ? "there is no golden pose"
           : crowd_size(s) > 0                                            ? "it is a crowd"
           : s->space == SPACE_ROOT                                       ? "its palette is in the root's space"
           : s->upload_format.skinning == SKINNING_DUAL_QUATERNION        ? "it is skinned by dual quaternions"
                                                                          : NULL;
}

/* Poses that a page plays: some before the first that fails, and what follows. */
enum { MOST_POSES = 24 };

static size_t first_shown(const struct case_run *run, size_t at)
{
    const size_t before = MOST_POSES / 4;
    return run->count <= MOST_POSES || at <= before ? 0 : at - before;
}

static bool write_viewer(struct case_run *run, size_t at, struct error *err)
{
    const struct settings *s = &run->c->settings;
    struct scene *scene = run->pipeline.scene;
    const bool is_subject = run->c->subject && !run->c->against_golden;
    struct viewer_pose *own = ARENA_NEW(run->arena, struct viewer_pose, run->count),
                       *other = ARENA_NEW(run->arena, struct viewer_pose, run->count);
    uint32_t count = 0;
    for (size_t i = first_shown(run, at); i < run->count && count < MOST_POSES; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->golden) {
            const struct pose_snapshot *ours =
                is_subject ? sample->reference : pose_name_as_golden(sample->snapshot, &run->out.findings);
            struct sample *as_other = ARENA_NEW(run->arena, struct sample, 1);
            *as_other = case_pose_as(run, sample, ours, is_subject ? sample->snapshot : sample->golden);
            own[count] = (struct viewer_pose){sample->time, &sample->pose, &sample->palette};
            other[count++] = (struct viewer_pose){sample->time, &as_other->pose, &as_other->palette};
        }
    }
    struct viewer_content content = {
        .title = run->c->name,
        .side_count = 2,
        .time = run->samples[at].time,
        .fps = pipeline_frame_rate(&run->pipeline),
        .loops = true,
        .sides = {{is_subject ? "reference" : "golden", scene, false, count, is_subject ? own : other},
                  {is_subject ? run->theirs.name : "actual", scene, false, count, is_subject ? other : own}},
        .up_axis = run->pipeline.up_axis,
        .up_sign = run->pipeline.up_sign,
        .view = VIEW_DISPLACEMENT,
        .select = run->out.result->bone_count > 0 ? run->out.result->bones[0].bone : NULL,
        .orbit = s->orbit};
    struct framing framing;
    SCOPED(text) json = {0};
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
    return !error_is_set(err);
}

bool case_show_failure(struct case_run *run, struct error *err)
{
    if (run->count == 0 || !case_shows(run, PICTURES_FAILING))
        return true;
    struct case_curve *curve = draw_curve(run);
    if (run->options->viewer_bytes > 0) {
        const size_t at = first_failing(run);
        run->out.result->viewer_note = why_unfit(run, at);
        if (!run->out.result->viewer_note && !write_viewer(run, at, err))
            return false;
    }
    return !curve || draw_line(run, curve, err); /* last, for the pipeline goes to other times */
}
