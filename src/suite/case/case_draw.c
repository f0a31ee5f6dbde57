#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/case/case_run.h"
#include "suite/crowd.h"

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* The pipeline as it was at a sample, for the camera of the file and the overlay. */
static struct pipeline pipeline_at(const struct case_run *run, size_t index)
{
    struct pipeline pipeline = run->pipeline;
    pipeline.pose = run->samples[index].pose;
    pipeline.palette = run->samples[index].palette;
    pipeline.time = run->samples[index].time;
    pipeline.frame = run->samples[index].frame;
    return pipeline;
}

static bool make_frame_settings(struct case_run *run, size_t index, struct frame_settings *frame_settings,
                                struct error *err)
{
    struct pipeline at = pipeline_at(run, index);
    struct camera camera;
    if (!pipeline_camera(&at, &run->bounds, &run->c->settings.orbit, &camera, err))
        return false;
    *frame_settings = pipeline_frame_settings(&at, &run->bounds, &camera);
    return true;
}

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

bool case_draw_sample(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame_settings,
                      struct error *err)
{
    return make_frame_settings(run, index, frame_settings, err) && draw(run, index, frame_settings, out, NULL, err);
}

static bool is_blank(const struct image *image)
{
    return memcmp(image->rgba, image->rgba + 4, 4 * ((size_t)image->width * image->height - 1)) == 0;
}

static void check_blank(struct case_run *run, size_t index, const struct image *image)
{
    struct finding finding = finding_none;
    if ((run->c->allowed & ALLOW_BLANK) || !is_blank(image))
        return;
    finding.stage = STAGE_DRAW;
    finding.time = run->samples[index].time;
    bool is_first = !run->is_blank;
    finding.kind = FINDING_VACUITY;
    run->is_blank = true;
    findings_add(&run->findings, &finding, "frame %s is blank: nothing is drawn%s", run->samples[index].label,
                 is_first ? " (`allow: blank` permits that)" : "");
}

/* ---- which bones move the change --------------------------------------------------------------------------------- */

static bool pixel_changed(const struct image *a, const struct image *b, size_t pixel, int delta)
{
    for (size_t c = 4 * pixel; c < 4 * pixel + 4; c++)
        if (abs((int)a->rgba[c] - (int)b->rgba[c]) > delta)
            return true;
    return false;
}

static int by_pixels(const void *a, const void *b)
{
    const struct image_bone *x = a, *y = b;
    return (x->pixels < y->pixels) - (x->pixels > y->pixels);
}

static void list_bones(struct case_run *run, const uint32_t *pixels_of, struct image_result *result)
{
    enum { MOST = 8 };
    const struct scene *scene = run->pipeline.scene;
    struct image_bone *bones = ARENA_NEW(run->arena, struct image_bone, scene->binding_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->binding_count; i++)
        if (pixels_of[i] > 0)
            bones[count++] = (struct image_bone){
                .bone = scene->nodes[scene->bindings[i].node].name,
                .mesh = scene->meshes[scene->instances[scene->bindings[i].instance].mesh].label,
                .pixels = pixels_of[i],
            };
    qsort(bones, count, sizeof *bones, by_pixels);
    result->bone_count = count < MOST ? count : MOST;
    result->bones = ARENA_NEW(run->arena, struct image_bone, result->bone_count);
    for (uint32_t i = 0; i < result->bone_count; i++)
        result->bones[i] = (struct image_bone){arena_string(run->arena, bones[i].bone),
                                               arena_string(run->arena, bones[i].mesh), bones[i].pixels};
}

/* Counts the changed pixels of each binding in a picture whose pixels name the binding. */
static bool find_bones(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                       const struct image *golden, const struct image *actual, struct error *err)
{
    size_t pixels = (size_t)actual->width * actual->height;
    uint32_t *binding_at = calloc(pixels, sizeof *binding_at);
    uint32_t *pixels_of = ARENA_NEW(run->arena, uint32_t, run->pipeline.scene->binding_count);
    if (!binding_at)
        return error_set(err, "out of memory for a picture of bones");
    bool good = draw(run, index, frame_settings, NULL, binding_at, err);
    for (size_t i = 0; good && i < pixels; i++)
        if (binding_at[i] > 0 && pixel_changed(golden, actual, i, run->c->tolerance.pixel_delta))
            pixels_of[binding_at[i] - 1]++;
    free(binding_at);
    if (good)
        list_bones(run, pixels_of, &run->result->times[index].image);
    return good;
}

/* ---- a frame that differs ---------------------------------------------------------------------------------------- */

/* Writes into the output folder; *file becomes the name relative to it. */
static bool write_bytes(struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                        const char **file, struct error *err)
{
    *file = arena_printf(run->arena, "%s/%s%s", run->c->name, label, suffix);
    return case_output(run, label, suffix, data, size, err);
}

static bool write_image(struct case_run *run, const char *label, const char *suffix, const struct image *image,
                        const char **file, struct error *err)
{
    struct text png = {0};
    bool good = image_encode_png(image, PNG_OUTPUT, &png, err) &&
                write_bytes(run, label, suffix, png.data, png.size, file, err);
    text_release(&png);
    return good;
}

static bool diagnose(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                     const struct image *golden, const struct image *actual, struct error *err)
{
    struct image_result *result = &run->result->times[index].image;
    const char *label = run->samples[index].label;
    struct image difference = {0}, heat = {0};
    if (golden->width != actual->width || golden->height != actual->height)
        return true;
    bool good = compare_images_diagnose(golden, actual, result, &difference, &heat, err) &&
                write_image(run, label, ".difference.png", &difference, &result->difference, err) &&
                write_image(run, label, ".heat.png", &heat, &result->heat, err) &&
                find_bones(run, index, frame_settings, golden, actual, err);
    image_release(&difference);
    image_release(&heat);
    return good;
}

/* ---- comparing ---------------------------------------------------------------------------------------------------- */

static bool compare_decoded(struct case_run *run, const struct blob *png, const char *name, const struct image *actual,
                            struct image *golden, struct image_result *out, struct error *err)
{
    if (!image_decode(golden, png->data, png->size, name, err))
        return false;
    char hash[17], golden_hash[17];
    image_hash(actual, hash);
    image_hash(golden, golden_hash);
    if (strcmp(hash, golden_hash) == 0)
        out->state = IMAGE_SAME;
    else
        compare_images(golden, actual, run->c->settings.background, &run->c->tolerance, out);
    return true;
}

/* Another rasteriser's picture, <label>_1.png and so on, that the frame agrees with. */
static bool accept_alternative(struct case_run *run, size_t index, const struct image *actual, struct error *err)
{
    for (int i = 1;; i++) {
        char suffix[24];
        struct blob png;
        struct image other;
        struct image_result result = {0};
        snprintf(suffix, sizeof suffix, "_%d.png", i);
        enum golden_part part = golden_read(&run->golden, run->samples[index].label, suffix, &png, err);
        if (part != GOLDEN_READ)
            return part == GOLDEN_ABSENT;
        char *name = golden_path(&run->golden, run->samples[index].label, suffix);
        bool good = compare_decoded(run, &png, name, actual, &other, &result, err);
        blob_release(&png);
        free(name);
        if (!good)
            return false;
        image_release(&other);
        if (result.state != IMAGE_DIFFERS) {
            run->result->times[index].image = result;
            return true;
        }
    }
}

/* Whether the PNG is still the recorded one, and was recorded with these pixels: then nothing needs decoding. */
static bool recorded_as(const struct case_run *run, size_t index, const struct blob *png)
{
    const struct sample *sample = &run->samples[index];
    const struct recorded_frame *frame =
        run->golden.has_recorded ? recorded_find(&run->golden.recorded, sample->label, index) : NULL;
    char hash[17];
    if (!frame || strcmp(frame->pixels, sample->pixels) != 0)
        return false;
    bytes_hash(png->data, png->size, hash);
    return strcmp(frame->png, hash) == 0;
}

/* Its bytes may be another encoder's; its pixels are those recorded, where the record names the golden's other files too. */
static void check_recorded(struct case_run *run, size_t index, const struct image *golden)
{
    const struct recorded_frame *frame = recorded_find(&run->golden.recorded, run->samples[index].label, index);
    char hash[17];
    image_hash(golden, hash);
    if (frame && frame->pose && strcmp(frame->pixels, hash) != 0)
        case_mismatch(run, run->samples[index].label, ".png");
}

static bool compare_differing(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                              const struct blob *png, const struct image *actual, struct error *err)
{
    struct image_result *result = &run->result->times[index].image;
    const char *label = run->samples[index].label;
    char *name = golden_path(&run->golden, label, ".png");
    struct image golden = {0};
    bool good = compare_decoded(run, png, name, actual, &golden, result, err);
    if (good)
        check_recorded(run, index, &golden);
    if (good && result->state == IMAGE_DIFFERS)
        good = accept_alternative(run, index, actual, err);
    if (good && result->state == IMAGE_DIFFERS) {
        good = write_bytes(run, label, ".golden.png", png->data, png->size, &result->golden, err) &&
               diagnose(run, index, frame_settings, &golden, actual, err);
        if (good)
            judge_image(&run->result->times[index], &golden, &run->findings);
    }
    run->result->times[index].error[STAGE_DRAW] = result->share;
    image_release(&golden);
    free(name);
    return good;
}

static bool compare_frame(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                          const struct image *actual, struct error *err)
{
    struct image_result *result = &run->result->times[index].image;
    struct blob png;
    enum golden_part part = golden_read(&run->golden, run->samples[index].label, ".png", &png, err);
    result->state = IMAGE_MISSING;
    if (part != GOLDEN_READ) {
        case_missing(run, "no golden picture for %s s", run->samples[index].label);
        return part == GOLDEN_ABSENT;
    }
    bool good = true;
    result->state = IMAGE_SAME;
    run->facts.compared[STAGE_DRAW] = true;
    run->result->times[index].error[STAGE_DRAW] = 0.0;
    if (!recorded_as(run, index, &png))
        good = compare_differing(run, index, frame_settings, &png, actual, err);
    blob_release(&png);
    return good;
}

/* A frame that was drawn: its hash, whether it shows anything, its golden. The image is released. */
static bool judge_frame(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                        struct image *image, struct error *err)
{
    struct image_result *result = &run->result->times[index].image;
    image_hash(image, run->samples[index].pixels);
    check_blank(run, index, image);
    bool good = run->c->agrees || compare_frame(run, index, frame_settings, image, err);
    result->width = image->width;
    result->height = image->height;
    image_release(image);
    return good;
}

static bool draw_sample(struct case_run *run, size_t index, struct error *err)
{
    struct frame_settings frame_settings;
    struct image image;
    return case_draw_sample(run, index, &image, &frame_settings, err) &&
           judge_frame(run, index, &frame_settings, &image, err);
}

bool case_draw(struct case_run *run, struct error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < run->count; i++)
        good = draw_sample(run, i, err);
    return good;
}
