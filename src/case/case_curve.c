/* Shows where the worst bone of a failing case is over time, in the golden and in this run, and both poses to be
 * turned around. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "case/run_case.h"
#include "data/affine.h"
#include "options/clip_mix.h"
#include "palette/palette_stage.h"
#include "viewer/viewer.h"

/* A half of the limit is for one case, so that at least two are in the page. */
enum { PARTS_OF_LIMIT = 2 };

static void take_place(const struct transform *local, const mat4 node_to_scene, bool is_local,
                       float out[CURVE_NUMBERS])
{
    struct transform at = *local;
    if (!is_local)
        affine_to_transform(node_to_scene, &at);
    memcpy(out, at.translation, sizeof(vec3));
    memcpy(out + 3, at.rotation, sizeof(vec4));
    memcpy(out + 7, at.scale, sizeof(vec3));
}

static bool take_node(const struct pose_snapshot *pose, const char *name, bool is_local, float out[CURVE_NUMBERS])
{
    const int32_t index = pose ? snapshot_find_node(pose, 0, name) : NO_INDEX;
    const struct pose_node_snapshot *node = index != NO_INDEX ? &pose->nodes[index] : NULL;
    if (!node || (node->left_out & (is_local ? POSE_LOCAL : POSE_GLOBAL)))
        return false;
    take_place(&node->local, node->node_to_scene, is_local, out);
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
static void list_keys(struct case_run *run, const struct clip *clip, int32_t node, double last, struct curve_line *line)
{
    const struct settings *s = run->pipeline.settings;
    line->keys = ARENA_NEW(run->arena, double, CURVE_MOST_SAMPLES);
    if (!clip || s->mix_count > 0 || s->rate != 1)
        return;
    for (uint32_t c = 0; c < clip->channel_count; c++)
        for (int k = 0; clip->channels[c].node == node && k < COMPONENT_COUNT; k++) {
            const struct keys *keys = &clip->channels[c].keys[k];
            for (uint32_t i = 0; i < keys->count && line->key_count < CURVE_MOST_SAMPLES; i++) {
                const double time = keys->times[i];
                const size_t at = lower_bound(&time, line->keys, line->key_count, sizeof time, compare_doubles);
                if (time < 0 || time > last || (at < line->key_count && line->keys[at] == time))
                    continue;
                memmove(line->keys + at + 1, line->keys + at, (line->key_count - at) * sizeof *line->keys);
                line->keys[at] = time;
                line->key_count++;
            }
        }
}

enum { LINE_POINTS = 97 };

/* Adds a line whose points are at their times, and no more. */
static struct curve_line *add_line(struct case_run *run, struct case_curve *curve, bool is_actual, double last)
{
    struct curve_line *line = &curve->lines[curve->line_count];
    const double first = fmin(0, curve->samples[0].time);
    *line = (struct curve_line){.side = curve_sides[is_actual],
                                .points = ARENA_NEW(run->arena, struct curve_point_result, LINE_POINTS)};
    line->point_count = last > first ? LINE_POINTS : 0;
    curve->line_count += last > first;
    for (uint32_t i = 0; i < line->point_count; i++)
        line->points[i].time = first + (last - first) * i / (LINE_POINTS - 1);
    return line;
}

static double last_time(const struct case_curve *curve, double duration)
{
    return fmax(duration, curve->samples[curve->sample_count - 1].time);
}

/* The whole clip between the samples, as this run plays it (of a subject's case that is the reference). Moves the
 * pipeline. */
static bool draw_line(struct case_run *run, struct case_curve *curve, int32_t node, struct error *err)
{
    struct pipeline *p = &run->pipeline;
    const bool is_local = strcmp(curve->space, curve_spaces[0]) == 0;
    const double last = last_time(curve, pipeline_duration(p));
    struct curve_line *line = add_line(run, curve, !run->c->subject || run->c->against_golden, last);
    for (uint32_t i = 0; i < line->point_count; i++) {
        if (!pipeline_pose(p, line->points[i].time, err))
            return false;
        take_place(&p->pose.local[node], p->pose.node_to_scene[node], is_local, line->points[i].at);
    }
    list_keys(run, p->clip, node, last, line);
    return true;
}

/* The run's keys of a component; NULL. */
static const struct keys *find_keys(const struct clip *clip, int32_t node, int component)
{
    const struct keys *found = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node == node && clip->channels[i].keys[component].count > 0)
            found = &clip->channels[i].keys[component];
    return found;
}

/* The golden's clip of that name with the channels of these nodes. False with `why` where their keys are not
 * recorded. */
static bool restore_clip(struct case_run *run, const struct matching *nodes, const bool *wanted, struct clip *clip,
                         bool *is_coarse, const char **why)
{
    const struct clip now = *clip;
    const struct import_snapshot *golden = run->golden_import;
    const struct clip_snapshot *from = NAMED(golden->clips, golden->clip_count, clip->name);
    const struct pose_snapshot *pose = run->samples[0].golden;
    *why = from ? NULL : "it has no clip of that name";
    if (!from)
        return false;
    *clip = (struct clip){.name = clip->name, .duration = from->duration, .ticks_per_second = from->ticks_per_second,
                          .channels = ARENA_NEW(run->arena, struct channel, from->channel_count)};
    for (uint32_t i = 0; i < from->channel_count; i++) {
        const int32_t at = snapshot_find_node(pose, UINT32_MAX, from->channels[i].node);
        struct channel *channel = &clip->channels[clip->channel_count];
        *channel = (struct channel){.node_name = from->channels[i].node,
                                    .node = at == NO_INDEX ? NO_INDEX : nodes->to_actual[at]};
        if (channel->node == NO_INDEX || !wanted[channel->node])
            continue;
        for (int k = 0; k < COMPONENT_COUNT; k++)
            if (!keys_restore(&from->channels[i].keys[k], find_keys(&now, channel->node, k), k == COMPONENT_ROTATION,
                              golden->samples, run->arena, &channel->keys[k], is_coarse, why))
                return false;
        clip->channel_count++;
    }
    return true;
}

/* Gives the node and those above it the golden's rest transforms; one that the golden lacks stands at the identity. */
static void restore_rest(const struct case_run *run, const struct matching *nodes, struct scene *scene, int32_t node,
                         bool *wanted)
{
    const struct import_snapshot *golden = run->golden_import;
    for (; node != NO_INDEX; node = scene->nodes[node].parent) {
        struct node *to = &scene->nodes[node];
        const int32_t at = nodes->to_golden[node];
        const char *name = at == NO_INDEX ? NULL : run->samples[0].golden->nodes[at].name;
        const struct node_snapshot *was = NAMED(golden->nodes, golden->node_count, name);
        wanted[node] = true;
        memcpy(to->local_to_parent, was ? was->local_to_parent : mat4_identity, sizeof(mat4));
        affine_to_transform(to->local_to_parent, &to->rest);
    }
}

/* Returns whether two places are one but for what samples of keys are rounded by, or what means of several smooth. */
static bool is_near(const float a[CURVE_NUMBERS], const float b[CURVE_NUMBERS], double size, bool is_coarse)
{
    const double share = is_coarse ? 0.05 : 0.005;
    const double limits[] = {share * size, share, share * fmax(fabs((double)a[7]), 1)};
    double cosine = 0;
    for (int k = 3; k < 7; k++)
        cosine += (double)a[k] * (double)b[k];
    for (int k = 0; k < CURVE_NUMBERS; k++) {
        const double other = k >= 3 && k < 7 && cosine < 0 ? -(double)b[k] : (double)b[k];
        if (!(fabs((double)a[k] - other) <= limits[k < 3 ? 0 : k < 7 ? 1 : 2]))
            return false;
    }
    return true;
}

/* Leaves out keys that the other line has not: they stand for several. */
static void keep_keys_of(const struct curve_line *other, struct curve_line *line)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < line->key_count; i++) {
        const double time = line->keys[i];
        const size_t at = lower_bound(&time, other->keys, other->key_count, sizeof time, compare_doubles);
        if (at < other->key_count && other->keys[at] == time)
            line->keys[kept++] = time;
    }
    line->key_count = kept;
}

/*
 * The whole clip as the golden's import records it, on the golden's rest pose. It is a line only if it goes through the
 * golden's poses: where settings have changed, or what is not restored, nothing is known between these.
 */
static const char *draw_golden_line(struct case_run *run, struct case_curve *curve, int32_t node, struct error *err)
{
    const struct pipeline *p = &run->pipeline;
    const struct pose_snapshot *golden = run->samples[0].golden;
    if (!run->golden_import || !p->clip || !golden)
        return !p->clip ? NULL : "it has no import.json, or not this clip's first pose";
    struct scene scene = *p->scene;
    struct matching nodes = pose_match(golden, run->samples[0].snapshot, POSE_NODES, run->arena);
    bool *wanted = ARENA_NEW(run->arena, bool, scene.node_count);
    scene.nodes = ARENA_COPIES(run->arena, struct node, p->scene->nodes, scene.node_count);
    scene.clips = ARENA_COPIES(run->arena, struct clip, p->scene->clips, scene.clip_count);
    restore_rest(run, &nodes, &scene, node, wanted);
    const char *why = NULL;
    bool is_coarse = false;
    bool *plays = ARENA_NEW(run->arena, bool, scene.clip_count);
    clip_mix_mark(p->settings, &scene, plays);
    for (uint32_t i = 0; i < scene.clip_count; i++)
        if ((plays[i] || &p->scene->clips[i] == p->clip) &&
            !restore_clip(run, &nodes, wanted, &scene.clips[i], &is_coarse, &why))
            return why;
    struct resolved_mix mix;
    if (!clip_mix_resolve(p->settings, &scene, run->arena, &mix, err))
        return NULL;
    struct player *player = player_create(&scene, &mix.clip_mix, run->arena);
    struct pose pose = pose_create(&scene, run->arena);
    const bool is_local = strcmp(curve->space, curve_spaces[0]) == 0;
    double size = 0;
    for (uint32_t i = 0; i < curve->sample_count; i++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs((double)curve->samples[i].golden[k]));
    for (uint32_t i = 0; i < curve->sample_count; i++) {
        float at[CURVE_NUMBERS];
        player_sample(player, curve->samples[i].time, &pose);
        palette_globals(&scene, &pose);
        take_place(&pose.local[node], pose.node_to_scene[node], is_local, at);
        if (!is_near(curve->samples[i].golden, at, size, is_coarse))
            return "the keys that it records do not give its poses: something besides them is another now";
    }
    const double last = last_time(curve, player_duration(player));
    struct curve_line *line = add_line(run, curve, false, last);
    for (uint32_t i = 0; i < line->point_count; i++) {
        player_sample(player, line->points[i].time, &pose);
        palette_globals(&scene, &pose);
        take_place(&pose.local[node], pose.node_to_scene[node], is_local, line->points[i].at);
    }
    list_keys(run, mix.clip, node, last, line);
    struct curve_line own = {0};
    list_keys(run, p->clip, node, last, &own);
    if (is_coarse)
        keep_keys_of(&own, line);
    return is_coarse ? "where its keys are others, means of several in a row are recorded, not each key" : NULL;
}

static bool draw_lines(struct case_run *run, struct case_curve *curve, struct error *err)
{
    const int32_t node = scene_find_node(run->pipeline.scene, curve->bone);
    const bool is_subject = run->c->subject && !run->c->against_golden;
    if (node == NO_INDEX)
        return true;
    curve->lines = ARENA_NEW(run->arena, struct curve_line, CURVE_SIDES);
    if (!is_subject)
        curve->line_note = draw_golden_line(run, curve, node, err);
    return !error_is_set(err) && draw_line(run, curve, node, err);
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
    return !curve || draw_lines(run, curve, err); /* last, for the pipeline goes to other times */
}
