/* Stage `draw` of a case: every time drawn and held against its golden. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "case/run_case.h"
#include "pipeline/view_values.h"

static struct drawing *begin_drawing(struct case_run *run, const struct sample *sample,
                                     const struct frame_settings *frame_settings, uint32_t *bindings,
                                     struct error *err)
{
    const struct crowd_member own = {.palette = &sample->palette, .pose = &sample->pose};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct frame_settings shown = *frame_settings;
    struct drawing *drawing = NULL;
    struct posed_crowd crowd;
    if (!gpu || !crowd_pose(&crowd, &run->pipeline, sample->time, &sample->framed, &own, err))
        return NULL;
    if (sample->values)
        crowd.members[0].values = sample->values;
    if (bindings)
        draw_crowd_identity(run->renderer, gpu, &crowd.crowd, frame_settings, bindings, err);
    else if (sample->values || view_values_add(&crowd, &run->pipeline, sample->time, &shown, err))
        drawing = draw_crowd_begin(run->renderer, gpu, &crowd.crowd, &shown, err);
    crowd_release(&crowd);
    return drawing;
}

bool case_draw_as(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                  struct image *out, struct error *err)
{
    struct drawing *drawing = begin_drawing(run, sample, frame_settings, NULL, err);
    return drawing && drawing_end(drawing, out, err);
}

uint32_t *case_draw_bindings(struct case_run *run, const struct sample *sample,
                             const struct frame_settings *frame_settings, struct error *err)
{
    uint32_t *bindings = memory_new((size_t)frame_settings->width * frame_settings->height, sizeof *bindings);
    begin_drawing(run, sample, frame_settings, bindings, err);
    if (!error_is_set(err))
        return bindings;
    free(bindings);
    return NULL;
}

struct pipeline case_pipeline_at(const struct case_run *run, const struct sample *sample)
{
    struct pipeline at = run->pipeline;
    at.pose = sample->pose;
    at.palette = sample->palette;
    at.time = sample->time;
    at.frame = sample->frame;
    return at;
}

static struct drawing *begin_sample(struct case_run *run, size_t index, const struct framing *framing,
                                    struct frame_settings *frame_settings, struct error *err)
{
    struct sample *sample = &run->samples[index];
    const struct pipeline at = case_pipeline_at(run, sample); /* for the overlay */
    sample->framed = framing->bounds;
    *frame_settings = pipeline_frame_settings(&at, &framing->bounds, &framing->camera);
    frame_settings->range = framing->range;
    return begin_drawing(run, sample, frame_settings, NULL, err);
}

bool case_draw_sample(struct case_run *run, size_t index, bool of_golden, struct image *out,
                      struct frame_settings *frame_settings, struct error *err)
{
    struct framing framing;
    struct drawing *drawing = case_framing(run, index, of_golden, &framing, err)
                                  ? begin_sample(run, index, &framing, frame_settings, err)
                                  : NULL;
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
    FREED uint32_t *binding_at = case_draw_bindings(run, sample, frame_settings, err);
    uint32_t *pixels_of = ARENA_NEW(run->arena, uint32_t, scene->binding_count + 1);
    for (size_t i = 0; binding_at && i < (size_t)actual->width * actual->height; i++) {
        bool changed = false;
        for (size_t c = 4 * i; c < 4 * i + 4; c++)
            changed = changed || abs((int)golden->rgba[c] - (int)actual->rgba[c]) > run->c->tolerance.pixel_delta;
        pixels_of[binding_at[i]] += changed;
    }
    const bool good = binding_at != NULL;
    result->bones = ARENA_NEW(run->arena, struct image_bone, scene->binding_count);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        if (pixels_of[i + 1] > 0)
            result->bones[result->bone_count++] = (struct image_bone){
                .bone = scene->nodes[scene->bindings[i].node].name,
                .mesh = scene->meshes[scene->instances[scene->bindings[i].instance].mesh].label,
                .pixels = pixels_of[i + 1],
            };
    sort_items(result->bones, result->bone_count, sizeof *result->bones, by_pixels);
    result->bone_count = result->bone_count < MOST ? result->bone_count : MOST;
    return good;
}

/* The vertices of a sample against those that the golden's pose makes; NULL where it has none. In the arena. */
static const float *displaced(struct case_run *run, const struct sample *sample, struct arena *arena,
                              struct value_range *found)
{
    if (!sample->golden)
        return NULL;
    const struct sample was = case_golden_pose(run, sample);
    return view_values_between(&run->pipeline, &was.palette, &sample->palette, arena, found);
}

/* One range for the pictures of all times. */
static double largest_of_case(struct case_run *run)
{
    struct value_range found;
    double most = 0;
    for (size_t i = 0; i < run->count; i++) {
        SCOPED_ARENA arena = create_large_arena();
        if (displaced(run, &run->samples[i], arena, &found))
            most = fmax(most, (double)found.most);
    }
    return most;
}

/* Vertices of a crowd, or of a shader of the user's, are others. */
static bool draw_displacement(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                            struct error *err)
{
    const double rounding = 1e-5; /* of the radius */
    struct sample moved = run->samples[index];
    struct frame_settings shown = *frame_settings;
    struct value_range found;
    SCOPED(image) image = {0};
    if (run->shaders || crowd_size(&run->c->settings) > 0)
        return true;
    moved.values = displaced(run, &moved, run->arena, &found);
    if (!moved.values || (double)found.most <= rounding * (double)bounds_radius(&run->extent.bounds))
        return true;
    run->moved = isnan(run->moved) ? largest_of_case(run) : run->moved;
    view_values_show_between(&run->pipeline, &found, run->moved, &shown);
    return case_draw_as(run, &moved, &shown, &image, err) &&
           comparison_write(&run->out, (uint32_t)index, ".displacement.png", &image,
                            &run->out.result->times[index].image.displacement, err);
}

/* Another rasteriser's picture, <label>_1.png and so on, that the frame agrees with. */
static bool accept_alternative(struct case_run *run, size_t index, const struct image *actual, struct error *err)
{
    const char *label = run->samples[index].label;
    for (int i = 1;; i++) {
        char suffix[24];
        SCOPED(blob) png = {0};
        SCOPED(image) other = {0};
        struct image_result result = {0};
        snprintf(suffix, sizeof suffix, "_%d.png", i);
        enum golden_part part = golden_read(&run->golden, label, suffix, &png, err);
        if (part != GOLDEN_READ)
            return part == GOLDEN_ABSENT;
        if (!image_decode(&other, png.data, png.size, golden_path(&run->golden, label, suffix), err))
            return false;
        comparison_picture(&run->out, &other, actual, &result);
        if (result.state != IMAGE_DIFFERS) {
            run->out.result->times[index].image = result;
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
    struct time_result *time = &run->out.result->times[index];
    const char *label = time->label;
    const uint32_t at = (uint32_t)index;
    const bool is_shown = run->out.output != NULL; /* `accept` says how much differs, and makes no report */
    SCOPED(image) golden = {0};
    char hash[17];
    if (!case_compare_waiting(run, run->count, err) || /* what explains a difference is known then */
        !image_decode(&golden, png->data, png->size, golden_path(&run->golden, label, ".png"), err))
        return false;
    comparison_picture(&run->out, &golden, actual, &time->image);
    image_hash(&golden, hash);
    if (recorded && recorded->pose && strcmp(recorded->pixels, hash) != 0)
        case_mismatch(run, label, ".png");
    bool good = time->image.state != IMAGE_DIFFERS || accept_alternative(run, index, actual, err);
    if (good && time->image.state == IMAGE_DIFFERS) {
        bool same_size = golden.width == actual->width && golden.height == actual->height;
        if (run->samples[index].is_reframed && is_shown) /* the candidate shows something else */
            good = comparison_write(&run->out, at, ".actual.png", actual, &time->image.actual, err);
        good = good &&
               (!is_shown || (comparison_write_png(&run->out, at, ".golden.png", png, &time->image.golden, err) &&
                              comparison_draw(&run->out, at, &golden, actual, err) &&
                              draw_displacement(run, index, frame_settings, err))) &&
               (!same_size ||
                (case_find_bones(run, &run->samples[index], frame_settings, &golden, actual, &time->image, err) &&
                 case_explain_picture(run, index, frame_settings, &golden, actual, err)));
        if (good)
            comparison_judge_picture(&run->out, at, &golden,
                                     same_size && !run->samples[index].is_reframed && is_shown ? actual : NULL);
    }
    time->error[STAGE_DRAW] = time->image.share;
    return good;
}

/* Leaves the pictures of a frame that agrees with its golden for the report, where all are asked for: `png` as it
 * is, and ours where pixels differ. An empty `png` stands for ours alone. */
static bool show_frame(struct case_run *run, size_t index, const struct blob *png, const struct image *actual,
                       struct error *err)
{
    struct image_result *image = &run->out.result->times[index].image;
    const uint32_t at = (uint32_t)index;
    /* it has pictures, or will have */
    const bool differs = image->state == IMAGE_DIFFERS || image->state == IMAGE_MISSING;
    if (!case_shows(run, PICTURES_ALL) || differs)
        return true;
    if (png->size == 0)
        image->state = IMAGE_SHOWN;
    else if (!comparison_write_png(&run->out, at, ".golden.png", png, &image->golden, err))
        return false;
    return image->state == IMAGE_SAME || comparison_write(&run->out, at, ".actual.png", actual, &image->actual, err);
}

/* Where the PNG is still the recorded one, and was recorded with these pixels, nothing needs decoding. */
static bool compare_frame(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                          const struct image *actual, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct time_result *time = &run->out.result->times[index];
    const struct recorded_frame *recorded = recorded_find(&run->golden.recorded, sample->label);
    SCOPED(blob) png = {0};
    char hash[17];
    time->image.state = IMAGE_MISSING;
    enum golden_part part = golden_read(&run->golden, sample->label, ".png", &png, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    time->image.state = IMAGE_SAME;
    time->error[STAGE_DRAW] = 0.0;
    run->out.facts.compared[STAGE_DRAW] = true;
    bytes_hash(png.data, png.size, hash);
    bool is_recorded = recorded && strcmp(recorded->pixels, sample->pixels) == 0 && strcmp(recorded->png, hash) == 0;
    return (is_recorded || compare_differing(run, index, frame_settings, recorded, &png, actual, err)) &&
           show_frame(run, index, &png, actual, err);
}

/* Returns how many pixels are unlike the first one, as far as that is next to nothing; else SIZE_MAX. */
static size_t count_lone(const struct image *image)
{
    enum { MOST = 64, SHARE = 256 };
    const size_t all = (size_t)image->width * image->height;
    size_t lone = 0;
    for (size_t i = 1; i < all && lone < MOST; i++)
        lone += memcmp(image->rgba, image->rgba + 4 * i, 4) != 0;
    return lone < MOST && lone * SHARE < all ? lone : SIZE_MAX;
}

/* A frame on which there is nothing, or next to it. What has only left the golden's view is drawn again with the
 * camera that is chosen now. */
static bool check_blank(struct case_run *run, size_t index, const struct image *compared, struct error *err)
{
    struct sample *sample = &run->samples[index];
    struct frame_settings ignored;
    SCOPED(image) image = {0};
    size_t lone = run->c->allowed & ALLOW_BLANK ? SIZE_MAX : count_lone(compared);
    if (lone < SIZE_MAX && sample->is_reframed) {
        if (!case_draw_sample(run, index, false, &image, &ignored, err))
            return false;
        lone = count_lone(&image);
    }
    if (lone == SIZE_MAX || (lone > 0 && run->has_blank))
        return true;
    const char *why = renderer_why_empty(run->renderer);
    struct finding finding = finding_of(lone > 0 ? CODE_NEARLY_BLANK : CODE_BLANK);
    finding.time = sample->time;
    finding.benign = lone > 0;
    finding.index = (uint32_t)index;
    finding.count = (uint32_t)lone;
    finding.other = why ? arena_string(run->arena, why) : NULL;
    findings_put(&run->out.findings, &finding);
    run->has_blank = true;
    return true;
}

/* Keeps a picture that is missing or differs as a candidate, so that it is not drawn twice, as far as memory goes. */
static bool keep_candidate(struct case_run *run, size_t index, const struct image *image, size_t *kept,
                           struct error *err)
{
    enum { MOST = 1 << 26 };
    struct sample *sample = &run->samples[index];
    const enum image_state state = run->out.result->times[index].image.state;
    if (!suite_has_golden(run->c) || sample->is_reframed || *kept > MOST || run->options->pictures == PICTURES_NONE ||
        (run->options->keep != KEEP_ALL && state != IMAGE_MISSING && state != IMAGE_DIFFERS))
        return true;
    bool good = image_encode_png(image, PNG_GOLDEN, &sample->candidate, err);
    *kept += sample->candidate.size;
    return good;
}

/* The picture of a time, on its way. */
struct shot {
    struct drawing *drawing; /* NULL: ended, or none */
    struct frame_settings frame_settings;
};

static bool begin_shot(struct case_run *run, size_t index, struct shot *shot, struct error *err)
{
    struct framing framing, chosen;
    if (!case_framing(run, index, false, &chosen, err) || !case_framing(run, index, true, &framing, err))
        return false;
    run->samples[index].is_reframed = memcmp(&chosen, &framing, sizeof framing) != 0;
    shot->drawing = begin_sample(run, index, &framing, &shot->frame_settings, err);
    return shot->drawing != NULL;
}

static bool end_shot(struct case_run *run, size_t index, struct shot *shot, size_t *kept, struct error *err)
{
    struct image_result *result = &run->out.result->times[index].image;
    struct drawing *drawing = shot->drawing;
    SCOPED(image) image = {0};
    shot->drawing = NULL;
    if (!drawing_end(drawing, &image, err))
        return false;
    image_hash(&image, run->samples[index].pixels);
    bool good = (run->c->agrees ? show_frame(run, index, &(struct blob){0}, &image, err)
                                : compare_frame(run, index, &shot->frame_settings, &image, err)) &&
                check_blank(run, index, &image, err) && keep_candidate(run, index, &image, kept, err);
    result->width = image.width;
    result->height = image.height;
    return good;
}

/* While llvmpipe's threads rasterise a time, its vertices and the picture of the time before are compared. */
bool case_draw(struct case_run *run, struct error *err)
{
    size_t kept = 0; /* bytes of candidates */
    struct shot shots[2] = {{0}};
    struct error later = {0};
    if (!case_find_extents(run, err))
        return false;
    if (run->out.findings.not_asked >> STAGE_DRAW & 1) /* nor whether something is on it */
        return true;
    bool good = run->count == 0 || begin_shot(run, 0, &shots[0], err);
    for (size_t i = 0; good && i < run->count; i++) {
        good = case_compare_waiting(run, i + 1, err);
        bool begun = i + 1 == run->count || begin_shot(run, i + 1, &shots[(i + 1) % 2], &later);
        good = good && end_shot(run, i, &shots[i % 2], &kept, err);
        if (good && !begun)
            *err = later;
        good = good && begun;
    }
    for (int i = 0; i < 2; i++)
        if (shots[i].drawing)
            drawing_drop(shots[i].drawing);
    good = case_compare_waiting(run, run->count, good ? err : &later) && good; /* what was found may be the cause */
    return good && (run->c->agrees || case_compare_framing(run, err));
}
