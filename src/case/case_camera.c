#include <math.h>
#include <string.h>

#include "data/record/snapshot.h"
#include "case/run_case.h"
#include "pipeline/view_values.h"

static void find_golden_bounds(struct case_run *run)
{
    const struct recorded *recorded = &run->golden.recorded;
    bool known = recorded->has_bounds;
    run->golden_extent.bounds = bounds_empty();
    if (known) {
        memcpy(run->golden_extent.bounds.min, recorded->bounds, sizeof(vec3));
        memcpy(run->golden_extent.bounds.max, recorded->bounds + 3, sizeof(vec3));
    } else if (crowd_size(&run->c->settings) == 0) {
        known = recorded->frame_count > 0 && run->count == recorded->frame_count;
        for (size_t i = 0; known && i < run->count; i++) {
            const struct pose_snapshot *pose = run->samples[i].golden;
            known = pose != NULL;
            struct bounds bounds = known ? pose_snapshot_bounds(pose) : bounds_empty();
            bounds_add(&run->golden_extent.bounds, &bounds);
        }
    }
    run->golden_extent.is_known = known;
}

bool case_find_extents(struct case_run *run, struct error *err)
{
    struct pipeline *p = &run->pipeline;
    const struct view_values *values = p->values;
    find_golden_bounds(run);
    if (!values || (run->out.findings.not_asked >> STAGE_DRAW & 1))
        return true;
    double *times = ARENA_NEW(run->arena, double, run->count);
    const struct palette **palettes = ARENA_NEW(run->arena, const struct palette *, run->count);
    bool knows_golden = crowd_size(p->settings) == 0 && p->settings->view != VIEW_SPEED; /* which needs other times */
    for (size_t i = 0; i < run->count; i++) {
        times[i] = run->samples[i].time;
        knows_golden = knows_golden && run->samples[i].golden;
    }
    if (!view_values_find_range(p, times, run->count, err))
        return false;
    run->extent.range = run->golden_extent.range = values->range;
    if (!knows_golden || !isnan(p->settings->range.least))
        return true;
    for (size_t i = 0; i < run->count; i++) {
        struct sample *was = ARENA_NEW(run->arena, struct sample, 1);
        *was = case_golden_pose(run, &run->samples[i]);
        palettes[i] = &was->palette;
    }
    return view_values_range_of(p, palettes, times, run->count, &run->golden_extent.range, err);
}

/* Returns whether the camera follows from the pose of a node: the file's camera, or a bone that it goes around. */
static bool is_of_node(const struct case_run *run, int32_t node)
{
    const struct settings *s = &run->c->settings;
    const struct scene *scene = run->pipeline.scene;
    bool is_camera = false;
    for (uint32_t i = 0; s->camera_kind == CAMERA_OF_FILE && !is_camera && i < scene->camera_count; i++)
        is_camera = scene->cameras[i].node == node && strcmp(scene->cameras[i].name, s->camera_name) == 0;
    return is_camera || node == run->pipeline.target_node;
}

static bool is_of_pose(const struct case_run *run)
{
    const struct settings *s = &run->c->settings;
    return s->camera_kind == CAMERA_OF_FILE || (run->pipeline.target_node != NO_INDEX && s->follow != FOLLOW_REST);
}

/* The globals of a sample, those that the camera follows from as the golden's pose has them. */
static mat4 *golden_globals(const struct case_run *run, const struct sample *sample)
{
    const struct scene *scene = run->pipeline.scene;
    const struct pose_snapshot *golden = sample->golden, *own = sample->snapshot;
    mat4 *globals = ARENA_COPIES(run->arena, mat4, sample->pose.node_to_scene, scene->node_count);
    for (int32_t node = 0; golden && node < (int32_t)scene->node_count; node++) {
        if (!is_of_node(run, node))
            continue;
        const int32_t at = snapshot_find_node(golden, (uint32_t)node, own->nodes[node].name);
        if (at != NO_INDEX)
            memcpy(globals[node], golden->nodes[at].node_to_scene, sizeof(mat4));
    }
    return globals;
}

/* Returns what the settings choose for a sample: by this run's poses, or by the golden's where these are known. */
static bool choose(const struct case_run *run, size_t index, bool by_golden, struct framing *out, struct error *err)
{
    const struct settings *s = &run->c->settings;
    struct pipeline at = run->pipeline;
    const struct sample *samples[] = {&run->samples[0], &run->samples[index]};
    for (int i = is_of_pose(run) ? 0 : 1; i < 2; i++) { /* the first time holds a target */
        at.pose = samples[i]->pose;
        if (by_golden && is_of_pose(run))
            at.pose.node_to_scene = golden_globals(run, samples[i]);
        if (i == 0)
            pipeline_hold_target(&at);
    }
    out->bounds = by_golden && run->golden_extent.is_known ? run->golden_extent.bounds : run->extent.bounds;
    out->range = by_golden ? run->golden_extent.range : run->extent.range;
    return pipeline_camera(&at, &out->bounds, &s->orbit, &out->camera, err);
}

static const struct recorded_frame *recorded_camera(const struct case_run *run, size_t index)
{
    const struct recorded *recorded = &run->golden.recorded;
    const char *label = run->samples[index].label;
    bool in_place = index < recorded->frame_count && strcmp(recorded->frames[index].label, label) == 0;
    const struct recorded_frame *frame = in_place ? &recorded->frames[index] : recorded_find(recorded, label);
    return suite_has_golden(run->c) && frame && frame->has_camera ? frame : NULL;
}

bool case_framing(const struct case_run *run, size_t index, bool of_golden, struct framing *out, struct error *err)
{
    const struct recorded_frame *frame = of_golden ? recorded_camera(run, index) : NULL;
    if (!choose(run, index, frame != NULL, out, err))
        return false;
    if (frame)
        out->camera = frame->camera;
    return true;
}

/* Adds what a setting's value was and is, part by part: "yaw 30 → 40". */
static void add_parts(const char *name, const char *was, const char *now, struct text *out)
{
    while (*was && *now) {
        size_t old = strcspn(was, ","), new = strcspn(now, ","), key = strcspn(now, ",=");
        bool has_key = now[key] == '=' && strncmp(was, now, key + 1) == 0;
        size_t skip = has_key ? key + 1 : 0;
        if (old != new || strncmp(was, now, new) != 0)
            text_addf(out, "%s%.*s %.*s → %.*s", out->size > 0 ? ", " : "", has_key ? (int)key : (int)strlen(name),
                      has_key ? now : name, (int)(old - skip), was + skip, (int)(new - skip), now + skip);
        was += old + (was[old] == ',');
        now += new + (now[new] == ',');
    }
}

/* The settings that a framing depends on, where they are not as recorded. */
static const char *changed_settings(const struct case_run *run)
{
    SCOPED(text) parts = {0}, now = {0};
    for (const struct setting *row = setting_table; row < setting_table + setting_count; row++) {
        const char *was = fingerprint_find(&run->golden.recorded.options, row->name);
        if (!was || !(row->scope & SCOPE_FRAMING))
            continue;
        now.size = 0;
        settings_write(&run->c->settings, row->name, &now);
        add_parts(row->name, was, text_string(&now), &parts);
    }
    return parts.size > 0 ? arena_printf(run->arena, " (%s)", text_string(&parts)) : "";
}

/* The largest distance between a camera of the case and the recorded one. */
struct reframing {
    double measure;
    size_t at;
    struct framing worst;
};

static bool measure(const struct case_run *run, bool by_golden, struct reframing *out, struct error *err)
{
    const struct bounds *bounds = run->golden_extent.is_known ? &run->golden_extent.bounds : &run->extent.bounds;
    const double radius = fmax((double)bounds_radius(bounds), 1e-9);
    *out = (struct reframing){.measure = 0};
    for (size_t i = 0; i < run->count; i++) {
        const struct recorded_frame *frame = recorded_camera(run, i);
        struct framing framing;
        if (!frame)
            continue;
        if (!choose(run, i, by_golden, &framing, err))
            return false;
        double distance = compare_cameras(&frame->camera, &framing.camera, radius, NULL);
        if (distance > out->measure)
            *out = (struct reframing){distance, i, framing};
    }
    return true;
}

/* Returns whether something before the pictures is not as the golden has it, to the bit, or nobody asks, or other
 * times were sampled: bounds may move. */
static bool has_other_bounds(const struct case_run *run)
{
    const double *measured = run->out.findings.measured;
    bool others = run->out.findings.not_asked != 0 || run->count != run->golden.recorded.frame_count ||
                  findings_culprit(&run->out.findings) != STAGE_NONE || measured[TOLERANCE_IMPORT] > 0 ||
                  measured[TOLERANCE_LOCAL] > 0 || measured[TOLERANCE_SHELL] > 0 || measured[TOLERANCE_SKINNED] > 0;
    for (size_t i = 0; i < run->count && !others; i++)
        others = !run->samples[i].golden;
    return others;
}

bool case_compare_framing(struct case_run *run, struct error *err)
{
    struct findings aside = {.tolerance =
                                 run->out.findings.tolerance}; /* what follows from the poses is measured there */
    struct finding finding = finding_of(CODE_FRAMING);
    struct reframing own, all;
    SCOPED(text) how = {0};
    if (!measure(run, true, &own, err) || !measure(run, false, &all, err))
        return false;
    bool moves = findings_measure(&aside, TOLERANCE_FRAMING, all.measure), moved = has_other_bounds(run);
    if (!moved || (!run->golden_extent.is_known && run->count == run->golden.recorded.frame_count))
        own = own.measure > all.measure ? own : all;
    else if (!run->golden_extent.is_known)
        own.measure = 0; /* of other times */
    bool fails = findings_measure(&run->out.findings, TOLERANCE_FRAMING, own.measure);
    if (!fails && !moves)
        return true;
    const struct reframing *told = fails ? &own : &all;
    const struct import_snapshot *golden = run->golden_import, *actual = run->model->snapshot;
    compare_cameras(&recorded_camera(run, told->at)->camera, &told->worst.camera,
                    fmax((double)bounds_radius(&told->worst.bounds), 1e-9), &how);
    finding.tolerance = TOLERANCE_FRAMING;
    finding.measure = told->measure;
    finding.benign = !fails;
    finding.unverified = !run->golden_extent.is_known || is_of_pose(run) ||
                         (golden && strcmp(golden->up, actual->up) != 0);
    if (is_of_pose(run))
        finding.time = run->samples[told->at].time;
    if (fails)
        findings_add(&run->out.findings, &finding,
                     "the framing changed: %s%s; the pictures are compared with the golden's camera", text_string(&how),
                     changed_settings(run));
    else
        findings_add(&run->out.findings, &finding,
                     "the framing follows the bounds: %s; the pictures are compared with the "
                     "golden's camera",
                     text_string(&how));
    return true;
}
