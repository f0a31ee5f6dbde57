#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/case/case_run.h"
#include "suite/diff/diff.h"

/* The picture of a sample, or the numbers of the bindings seen in it. */
static bool draw(struct case_run *run, size_t index, const struct frame_settings *frame_settings, struct image *out,
                 uint32_t *bindings, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    const struct crowd_member own = {.palette = &sample->palette, .pose = &sample->pose};
    struct gpu_model *gpu = model_gpu(run->model, run->renderer, &run->c->settings, err);
    struct posed_crowd crowd;
    if (!gpu || !crowd_pose(&crowd, &run->pipeline, sample->time, &run->bounds, &own, err))
        return false;
    bool good = out ? draw_crowd(run->renderer, gpu, &crowd.crowd, frame_settings, out, err)
                    : draw_crowd_identity(run->renderer, gpu, &crowd.crowd, frame_settings, bindings, err);
    crowd_release(&crowd);
    return good;
}

/* With the pipeline as it was at the sample, for the camera of the file and the overlay. */
bool case_draw_sample(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame_settings,
                      struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct pipeline at = run->pipeline;
    struct camera camera;
    at.pose = sample->pose;
    at.palette = sample->palette;
    at.time = sample->time;
    at.frame = sample->frame;
    if (!pipeline_camera(&at, &run->bounds, &run->c->settings.orbit, &camera, err))
        return false;
    *frame_settings = pipeline_frame_settings(&at, &run->bounds, &camera);
    return draw(run, index, frame_settings, out, NULL, err);
}

static int by_pixels(const void *a, const void *b)
{
    const struct image_bone *x = a, *y = b;
    return (x->pixels < y->pixels) - (x->pixels > y->pixels);
}

/* Counts the changed pixels of each binding in a picture whose pixels name the binding, from 1 on. */
static bool find_bones(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                       const struct image *golden, const struct image *actual, struct error *err)
{
    enum { MOST = 8 };
    const struct scene *scene = run->pipeline.scene;
    size_t pixels = (size_t)actual->width * actual->height;
    struct image_result *result = &run->result->times[index].image;
    uint32_t *binding_at = memory_new(pixels, sizeof *binding_at);
    uint32_t *pixels_of = ARENA_NEW(run->arena, uint32_t, scene->binding_count + 1);
    bool good = draw(run, index, frame_settings, NULL, binding_at, err);
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
    struct image golden = {0};
    char hash[17];
    if (!image_decode(&golden, png->data, png->size, golden_path(&run->golden, label, ".png"), err))
        return false;
    comparison_picture(&golden, actual, run->c->settings.background, &run->c->tolerance, run->arena, &time->image);
    image_hash(&golden, hash);
    if (recorded && recorded->pose && strcmp(recorded->pixels, hash) != 0)
        case_mismatch(run, label, ".png");
    bool good = time->image.state != IMAGE_DIFFERS || accept_alternative(run, index, actual, err);
    if (good && time->image.state == IMAGE_DIFFERS) {
        bool same_size = golden.width == actual->width && golden.height == actual->height;
        time->image.golden = arena_printf(run->arena, "%s.golden.png", stem);
        good = case_output(run, label, ".golden.png", png->data, png->size, err) &&
               comparison_draw(&golden, actual, run->options->output, stem, run->arena, &time->image, err) &&
               (!same_size || find_bones(run, index, frame_settings, &golden, actual, err));
        if (good)
            judge_image(time, &golden, &run->findings);
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
    enum golden_part part =
        case_read_golden(run, sample->label, ".png", NULL,
                         arena_printf(run->arena, "no golden picture for %s s", sample->label), &png, err);
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

bool case_draw(struct case_run *run, struct error *err)
{
    bool good = true, was_blank = false;
    for (size_t i = 0; good && i < run->count; i++) {
        struct image_result *result = &run->result->times[i].image;
        struct frame_settings frame_settings;
        struct image image;
        if (!case_draw_sample(run, i, &image, &frame_settings, err))
            return false;
        image_hash(&image, run->samples[i].pixels);
        size_t pixels = (size_t)image.width * image.height;
        if (!(run->c->allowed & ALLOW_BLANK) && memcmp(image.rgba, image.rgba + 4, 4 * (pixels - 1)) == 0) {
            struct finding finding = finding_none;
            finding.stage = STAGE_DRAW;
            finding.time = run->samples[i].time;
            finding.kind = FINDING_VACUITY;
            findings_add(&run->findings, &finding, "frame %s is blank: nothing is drawn%s", run->samples[i].label,
                         was_blank ? "" : " (`allow: blank` permits that)");
            was_blank = true;
        }
        good = run->c->agrees || compare_frame(run, i, &frame_settings, &image, err);
        result->width = image.width;
        result->height = image.height;
        image_release(&image);
    }
    return good;
}
