#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/vector.h"
#include "palette/skin.h"
#include "suite/case/run_case.h"
#include "suite/diff/diff.h"
#include "suite/theirs/diagnosing.h"
#include "suite/view_values.h"

/*
 * The vertex shader's vertices against those of the CPU. Places in a crowd are not known before all times are posed: cells
 * are as large as this time needs.
 */
static bool compare_skinning(struct case_run *run, struct pipeline *p, size_t at, struct error *err)
{
    struct sample *sample = &run->samples[at];
    struct skinned *captured = run->captured;
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    const double time = sample->time;
    const size_t known = run->findings.count;
    double *worst = &run->result->times[at].error[STAGE_SKIN];
    struct pipeline rounded = *p;
    const struct crowd_member own = {.palette = &p->palette, .pose = &p->pose};
    const uint32_t instances = p->scene->instance_count, crowded = crowd_size(p->settings);
    const uint32_t members = crowded ? crowded : 1;
    struct bounds bounds = bounds_empty();
    struct posed_crowd crowd;
    for (uint32_t i = 0; i < instances; i++)
        bounds_add_points(&bounds, p->skinned[i].positions, p->skinned[i].vertex_count);
    if (!gpu || !crowd_pose(&crowd, p, time, &bounds, &own, err))
        return false;
    double radius = fmax((double)bounds_radius(&bounds), 1e-9);
    bool good = true;
    for (uint32_t i = 0; good && i < instances; i++)
        good = draw_crowd_capture(run->renderer, gpu, &crowd.crowd, &captured[(size_t)i * members], err);
    if (run->rounded) { /* weights as the shader is given them */
        rounded.scene = run->rounded;
        rounded.skinned = run->rounded_skinned;
        p = &rounded;
        pipeline_skin(p);
    }
    *worst = 0.0;
    for (uint32_t m = 0; good && m < members; m++) {
        const struct crowd_member *member = &crowd.crowd.members[m];
        size_t first = run->findings.count;
        double rounding = skin_rounding(p->scene, member->palette, p->settings->upload_format.format) +
                          1e-6 * vec3_length(member->place);
        if (crowded)
            crowd_skin(p, &crowd, m, &run->bounds);
        for (uint32_t i = 0; i < instances; i++)
            *worst = fmax(*worst, compare_skin(p->scene, &p->skinned[i], &captured[(size_t)i * members + m], radius,
                                               rounding, crowd_time(p, time, m), &run->findings));
        for (size_t f = first; crowded && f < run->findings.count; f++)
            run->findings.items[f].text =
                arena_printf(run->arena, "instance %u of the crowd: %s", m + 1, run->findings.items[f].text);
    }
    if (good && run->shaders && !crowded && run->findings.count > known)
        case_keep_shaded(run, sample, captured);
    crowd_release(&crowd);
    return good;
}

/* Whether vertices are compared while llvmpipe's threads draw: of what is drawn otherwise than one model by our shaders too
 * much would have to be posed again. */
static bool skinning_waits(const struct case_run *run)
{
    return !(run->findings.not_asked >> STAGE_DRAW & 1) && !run->c->agrees && !run->shaders && !run->pipeline.values &&
           crowd_size(run->pipeline.settings) == 0;
}

/* The findings from `first` on, as if they had been added when there were `at`. */
static void move_findings(struct findings *findings, size_t first, size_t at)
{
    const size_t added = findings->count - first, size = sizeof *findings->items;
    struct finding *moved = memory_new(added, size);
    memcpy(moved, findings->items + first, added * size);
    memmove(findings->items + at + added, findings->items + at, (first - at) * size);
    memcpy(findings->items + at, moved, added * size);
    free(moved);
}

/* The vertices of times that waited, up to that number. */
static bool compare_waiting(struct case_run *run, size_t count, struct error *err)
{
    bool good = true;
    for (; good && run->skinned < count; run->skinned++) {
        const struct sample *sample = &run->samples[run->skinned];
        const size_t first = run->findings.count;
        struct pipeline at = run->pipeline;
        at.pose = sample->pose;
        at.palette = sample->palette;
        at.time = sample->time;
        at.frame = sample->frame;
        pipeline_skin(&at);
        good = compare_skinning(run, &at, run->skinned, err);
        if (run->findings.count > first)
            move_findings(&run->findings, first, sample->found + run->skin_findings);
        run->skin_findings += run->findings.count - first;
    }
    return good;
}

static bool compare_golden(struct case_run *run, size_t at, struct bone_table *table, struct error *err)
{
    struct sample *sample = &run->samples[at];
    const struct recorded_frame *recorded = recorded_find(&run->golden.recorded, sample->label);
    struct blob file;
    enum golden_part part =
        case_read_golden(run, sample->label, ".pose.json", recorded ? recorded->pose : NULL, NULL, &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    const char *path = golden_path(&run->golden, sample->label, ".pose.json");
    const bool is_same = pose_snapshot_is_in(sample->snapshot, file.data, file.size);
    const struct pose_snapshot *golden =
        is_same ? sample->snapshot : pose_snapshot_read(file.data, file.size, path, run->arena, err);
    blob_release(&file);
    sample->golden = golden;
    if (!golden)
        return false;
    const struct import_snapshot *import = run->golden_import ? run->golden_import : run->model->snapshot;
    const struct pose_pair pair = {golden, sample->snapshot, import,
                                   import == run->model->snapshot ? NULL : run->model->snapshot,
                                   run->c->settings.upload_format.skinning == SKINNING_DUAL_QUATERNION};
    comparison_pose(&pair, (uint32_t)at, &run->findings, table, &run->facts, run->result);
    return true;
}

/* Where local transforms move and nothing else does, they got lost after the animation. */
static void check_motion(struct case_run *run)
{
    struct finding finding = finding_none;
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
    finding.stage = locals_equal ? STAGE_ANIMATE : STAGE_PALETTE;
    finding.kind = FINDING_VACUITY;
    const char *samples = run->count == 2 ? "both samples" : arena_printf(run->arena, "all %zu samples", run->count);
    findings_add(&run->findings, &finding, "nothing moves: %s of clip `%s` are the same; choose other times, or permit it with "
                                           "`allow: still`", samples, run->pipeline.plays);
}

bool case_pose(struct case_run *run, struct error *err)
{
    struct pipeline *p = &run->pipeline;
    const uint32_t crowded = crowd_size(p->settings), members = crowded ? crowded : 1;
    struct bone_table table = {.arena = run->arena, .time_count = (uint32_t)run->count};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct skinned *captured = run->captured =
        ARENA_NEW(run->arena, struct skinned, (size_t)p->scene->instance_count * members);
    if (!gpu)
        return false;
    if (gpu_model_rounds_weights(gpu)) {
        run->rounded = gpu_model_rounded_scene(gpu, run->arena);
        run->rounded_skinned = skinned_create(run->rounded, run->arena);
    }
    for (uint32_t i = 0; i < p->scene->instance_count * members; i++) { /* of every instance all members of the crowd */
        const struct mesh *mesh = &p->scene->meshes[p->scene->instances[i / members].mesh];
        captured[i] = (struct skinned){.instance = i / members,
                                       .vertex_count = mesh->vertex_count,
                                       .positions = ARENA_NEW(run->arena, vec3, mesh->vertex_count),
                                       .normals = ARENA_NEW(run->arena, vec3, mesh->vertex_count),
                                       .tangents = mesh->tangents ? ARENA_NEW(run->arena, vec4, mesh->vertex_count) : NULL};
    }
    const bool waits = skinning_waits(run);
    run->skinned = waits ? 0 : run->count;
    run->bounds = bounds_empty();
    for (size_t i = 0; i < run->count; i++) {
        struct sample *sample = &run->samples[i];
        if (!pipeline_pose(p, sample->time, err))
            return false;
        pipeline_skin(p);
        pipeline_add_bounds(p, &run->bounds);
        struct pose_record record = pipeline_record(p);
        sample->pose = pose_copy(&p->pose, p->scene, run->arena);
        sample->palette = palette_copy(&p->palette, p->scene, run->arena);
        sample->snapshot = pose_snapshot_gather(&record, run->arena);
        run->facts.compared[STAGE_SKIN] = p->scene->instance_count > 0;
        sample->found = run->findings.count;
        if (!waits && !compare_skinning(run, p, i, err))
            return false;
        if (suite_has_golden(run->c) && !compare_golden(run, i, &table, err))
            return false;
    }
    run->result->radius = (double)bounds_radius(&run->bounds);
    bone_table_report(&table, run->result);
    check_motion(run);
    return true;
}

bool gather_points(struct pipeline *pipeline, double time, struct arena *arena, struct point_set *out, struct error *err)
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

bool case_agree(struct case_run *run, struct error *err)
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
        double time = run->samples[i].time, *error = &run->result->times[i].error[STAGE_SKIN];
        good = gather_points(&pipeline, time, run->arena, &golden, err) &&
               gather_points(&run->pipeline, time, run->arena, &actual, err);
        if (good)
            *error = fmax(*error, compare_points(&golden, &agreement->other_frame, &actual, &agreement->frame, time,
                                                 &run->findings));
    }
    pipeline_end(&pipeline);
    return good;
}

/* A picture is begun; with `bindings` the numbers are drawn. */
static bool draw_as(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                    struct drawing **drawing, uint32_t *bindings, struct error *err)
{
    const struct crowd_member own = {.palette = &sample->palette, .pose = &sample->pose};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct frame_settings shown = *frame_settings;
    struct posed_crowd crowd;
    if (!gpu || !crowd_pose(&crowd, &run->pipeline, sample->time, &sample->framed, &own, err))
        return false;
    bool good = bindings ? draw_crowd_identity(run->renderer, gpu, &crowd.crowd, frame_settings, bindings, err)
                         : view_values_add(&crowd, &run->pipeline, sample->time, &shown, err) &&
                               (*drawing = draw_crowd_begin(run->renderer, gpu, &crowd.crowd, &shown, err));
    crowd_release(&crowd);
    return good;
}

bool case_draw_as(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                  struct image *out, uint32_t *bindings, struct error *err)
{
    struct drawing *drawing = NULL;
    return draw_as(run, sample, frame_settings, &drawing, bindings, err) && (bindings || drawing_end(drawing, out, err));
}

/* With the pipeline as it was at the sample, for the overlay. */
static struct drawing *begin_sample(struct case_run *run, size_t index, const struct framing *framing,
                                    struct frame_settings *frame_settings, struct error *err)
{
    struct drawing *drawing = NULL;
    struct sample *sample = &run->samples[index];
    struct pipeline at = run->pipeline;
    at.pose = sample->pose;
    at.palette = sample->palette;
    at.time = sample->time;
    at.frame = sample->frame;
    sample->framed = framing->bounds;
    *frame_settings = pipeline_frame_settings(&at, &framing->bounds, &framing->camera);
    frame_settings->range = framing->range;
    return draw_as(run, sample, frame_settings, &drawing, NULL, err) ? drawing : NULL;
}

bool case_draw_sample(struct case_run *run, size_t index, const struct framing *framing, struct image *out,
                      struct frame_settings *frame_settings, struct error *err)
{
    struct drawing *drawing = begin_sample(run, index, framing, frame_settings, err);
    return drawing && drawing_end(drawing, out, err);
}

static int by_pixels(const void *a, const void *b)
{
    const struct image_bone *x = a, *y = b;
    return (x->pixels < y->pixels) - (x->pixels > y->pixels);
}

/* By a picture whose pixels name the binding, from 1 on. */
bool case_find_bones(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                     const struct image *golden, const struct image *actual, struct image_result *result,
                     struct error *err)
{
    enum { MOST = 8 };
    const struct scene *scene = run->pipeline.scene;
    size_t pixels = (size_t)actual->width * actual->height;
    uint32_t *binding_at = memory_new(pixels, sizeof *binding_at);
    uint32_t *pixels_of = ARENA_NEW(run->arena, uint32_t, scene->binding_count + 1);
    bool good = case_draw_as(run, sample, frame_settings, NULL, binding_at, err);
    for (size_t i = 0; good && i < pixels; i++) {
        bool changed = false;
        for (size_t c = 4 * i; c < 4 * i + 4; c++)
            changed = changed || abs((int)golden->rgba[c] - (int)actual->rgba[c]) > run->c->tolerance.pixel_delta;
        pixels_of[binding_at[i]] += changed;
    }
    free(binding_at);
    result->bones = ARENA_NEW(run->arena, struct image_bone, scene->binding_count);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        if (pixels_of[i + 1] > 0)
            result->bones[result->bone_count++] = (struct image_bone){
                .bone = scene->nodes[scene->bindings[i].node].name,
                .mesh = scene->meshes[scene->instances[scene->bindings[i].instance].mesh].label,
                .pixels = pixels_of[i + 1],
            };
    qsort(result->bones, result->bone_count, sizeof *result->bones, by_pixels);
    result->bone_count = result->bone_count < MOST ? result->bone_count : MOST;
    return good;
}

/* Another rasteriser's picture, <label>_1.png and so on, that the frame agrees with. */
static bool accept_alternative(struct case_run *run, size_t index, const struct image *actual, struct error *err)
{
    const char *label = run->samples[index].label;
    for (int i = 1;; i++) {
        char suffix[24];
        struct blob png;
        struct image other;
        struct image_result result = {0};
        snprintf(suffix, sizeof suffix, "_%d.png", i);
        enum golden_part part = golden_read(&run->golden, label, suffix, &png, err);
        if (part != GOLDEN_READ)
            return part == GOLDEN_ABSENT;
        bool good = image_decode(&other, png.data, png.size, golden_path(&run->golden, label, suffix), err);
        blob_release(&png);
        if (!good)
            return false;
        comparison_picture(&other, actual, run->c->settings.background, &run->c->tolerance, run->arena, &result);
        image_release(&other);
        if (result.state != IMAGE_DIFFERS) {
            run->result->times[index].image = result;
            return true;
        }
    }
}

/*
 * The golden's bytes may be another encoder's; its pixels are those recorded, where the record names the golden's other
 * files too.
 */
static bool compare_differing(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                              const struct recorded_frame *recorded, const struct blob *png, const struct image *actual,
                              struct error *err)
{
    struct time_result *time = &run->result->times[index];
    const char *label = time->label, *stem = arena_printf(run->arena, "%s/%s", run->c->name, label);
    const bool is_shown = run->options->purpose != TO_ACCEPT; /* `accept` says how much differs, and makes no report */
    struct image golden = {0};
    char hash[17];
    if (!compare_waiting(run, run->count, err) || /* what explains a difference is known then */
        !image_decode(&golden, png->data, png->size, golden_path(&run->golden, label, ".png"), err))
        return false;
    comparison_picture(&golden, actual, run->c->settings.background, &run->c->tolerance, run->arena, &time->image);
    image_hash(&golden, hash);
    if (recorded && recorded->pose && strcmp(recorded->pixels, hash) != 0)
        case_mismatch(run, label, ".png");
    bool good = time->image.state != IMAGE_DIFFERS || accept_alternative(run, index, actual, err);
    if (good && time->image.state == IMAGE_DIFFERS) {
        bool same_size = golden.width == actual->width && golden.height == actual->height;
        time->image.golden = arena_printf(run->arena, "%s.golden.png", stem);
        if (run->samples[index].is_reframed && is_shown) /* the candidate shows something else */
            good = comparison_write(actual, run->options->output, stem, ".actual.png", run->arena, &time->image.actual, err);
        good = good &&
               (!is_shown || (case_output(run, label, ".golden.png", png->data, png->size, err) &&
                              comparison_draw(&golden, actual, run->options->output, stem, run->arena, &time->image, err))) &&
               (!same_size || (case_find_bones(run, &run->samples[index], frame_settings, &golden, actual, &time->image, err) &&
                               case_explain_picture(run, index, frame_settings, &golden, actual, err)));
        if (good)
            judge_image(time, &golden, &run->findings);
        if (good && same_size && !run->samples[index].is_reframed && is_shown)
            diagnosing_picture(&golden, actual, run->arena, run->result);
    }
    time->error[STAGE_DRAW] = time->image.share;
    image_release(&golden);
    return good;
}

/* Where the PNG is still the recorded one, and was recorded with these pixels, nothing needs decoding. */
static bool compare_frame(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                          const struct image *actual, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct time_result *time = &run->result->times[index];
    const struct recorded_frame *recorded = recorded_find(&run->golden.recorded, sample->label);
    struct blob png;
    char hash[17];
    time->image.state = IMAGE_MISSING;
    enum golden_part part = case_read_golden(run, sample->label, ".png", NULL, NULL, &png, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    time->image.state = IMAGE_SAME;
    time->error[STAGE_DRAW] = 0.0;
    run->facts.compared[STAGE_DRAW] = true;
    bytes_hash(png.data, png.size, hash);
    bool is_recorded = recorded && strcmp(recorded->pixels, sample->pixels) == 0 && strcmp(recorded->png, hash) == 0;
    bool good = is_recorded || compare_differing(run, index, frame_settings, recorded, &png, actual, err);
    blob_release(&png);
    return good;
}

static bool is_blank(const struct image *image)
{
    return memcmp(image->rgba, image->rgba + 4, 4 * ((size_t)image->width * image->height - 1)) == 0;
}

/* A frame on which there is nothing. What has only left the golden's view is drawn again with the camera that is chosen now. */
static bool check_blank(struct case_run *run, size_t index, const struct image *compared, const struct framing *chosen,
                        struct error *err)
{
    struct sample *sample = &run->samples[index];
    struct frame_settings ignored;
    struct finding finding = finding_none;
    struct image image;
    bool blank = !(run->c->allowed & ALLOW_BLANK) && is_blank(compared);
    if (blank && sample->is_reframed) {
        if (!case_draw_sample(run, index, chosen, &image, &ignored, err))
            return false;
        blank = is_blank(&image);
        image_release(&image);
    }
    if (!blank)
        return true;
    finding.stage = STAGE_DRAW;
    finding.time = sample->time;
    finding.kind = FINDING_VACUITY;
    const char *why = renderer_why_empty(run->renderer);
    findings_add(&run->findings, &finding, "frame %s is blank: nothing is drawn%s%s%s", sample->label, why ? ": " : "",
                 why ? why : "", run->has_blank ? "" : " (`allow: blank` permits that)");
    run->has_blank = true;
    return true;
}

/* What is missing or differs will be a candidate: it is not drawn twice, as far as memory goes. */
static bool keep_candidate(struct case_run *run, size_t index, const struct image *image, size_t *kept, struct error *err)
{
    enum { MOST = 1 << 26 };
    struct sample *sample = &run->samples[index];
    const enum image_state state = run->result->times[index].image.state;
    if (!suite_has_golden(run->c) || sample->is_reframed || *kept > MOST ||
        (run->options->keep != KEEP_ALL && state != IMAGE_MISSING && state != IMAGE_DIFFERS))
        return true;
    bool good = image_encode_png(image, PNG_GOLDEN, &sample->candidate, err);
    *kept += sample->candidate.size;
    return good;
}

/* The picture of a time, on its way. */
struct shot {
    struct drawing *drawing; /* NULL: ended, or none */
    struct framing chosen;
    struct frame_settings frame_settings;
};

static bool begin_shot(struct case_run *run, size_t index, struct shot *shot, struct error *err)
{
    struct framing framing;
    if (!case_framing(run, index, false, &shot->chosen, err) || !case_framing(run, index, true, &framing, err))
        return false;
    run->samples[index].is_reframed = memcmp(&shot->chosen, &framing, sizeof framing) != 0;
    shot->drawing = begin_sample(run, index, &framing, &shot->frame_settings, err);
    return shot->drawing != NULL;
}

static bool end_shot(struct case_run *run, size_t index, struct shot *shot, size_t *kept, struct error *err)
{
    struct image_result *result = &run->result->times[index].image;
    struct drawing *drawing = shot->drawing;
    struct image image;
    shot->drawing = NULL;
    if (!drawing_end(drawing, &image, err))
        return false;
    image_hash(&image, run->samples[index].pixels);
    bool good = (run->c->agrees || compare_frame(run, index, &shot->frame_settings, &image, err)) &&
                check_blank(run, index, &image, &shot->chosen, err) && keep_candidate(run, index, &image, kept, err);
    result->width = image.width;
    result->height = image.height;
    image_release(&image);
    return good;
}

/* While llvmpipe's threads rasterise a time, its vertices and the picture of the time before are compared. */
bool case_draw(struct case_run *run, struct error *err)
{
    size_t kept = 0; /* bytes of candidates */
    struct shot shots[2] = {{0}};
    struct error later = {0};
    case_find_bounds(run);
    if (run->findings.not_asked >> STAGE_DRAW & 1) /* nor whether something is on it */
        return true;
    if (!case_find_ranges(run, err))
        return false;
    bool good = run->count == 0 || begin_shot(run, 0, &shots[0], err);
    for (size_t i = 0; good && i < run->count; i++) {
        good = compare_waiting(run, i + 1, err);
        bool begun = i + 1 == run->count || begin_shot(run, i + 1, &shots[(i + 1) % 2], &later);
        good = good && end_shot(run, i, &shots[i % 2], &kept, err);
        if (good && !begun)
            *err = later;
        good = good && begun;
    }
    for (int i = 0; i < 2; i++)
        if (shots[i].drawing)
            drawing_drop(shots[i].drawing);
    good = compare_waiting(run, run->count, good ? err : &later) && good; /* what was found may be the cause */
    return good && (run->c->agrees || case_compare_framing(run, err));
}
