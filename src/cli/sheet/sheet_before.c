#include "cli/sheet/sheet_before.h"

#include <string.h>

#include "base/log.h"
#include "data/scene/scene.h"
#include "pipeline/pipeline_ask.h"
#include "suite/suite_file.h"

static bool greet(struct sheet_before *before, const char *build, struct arena *arena, struct error *err)
{
    before->subject = subject_create(subject_of_rigproof(build, arena));
    if (!subject_greet(before->subject, err))
        return error_prefix(err, "--build");
    return (before->subject->hello.gives & SUBJECT_PICTURE) || error_set(err, "--build: %s draws no pictures", build);
}

bool sheet_before_open(struct sheet_before *before, const struct sheet_request *request, const char *model,
                       const struct settings *settings, struct late_renderer *late, struct arena *arena,
                       struct error *err)
{
    bool good;
    *before = (struct sheet_before){.renderer = late->renderer, .bounds = bounds_empty()};
    if (request->build) {
        before->model = request->before ? request->before : model;
        good = greet(before, request->build, arena, err);
    } else {
        before->scene = pipeline_import(request->before, settings, err);
        before->gpu = before->scene ? late_renderer_upload(late, settings, before->scene, err) : NULL;
        good = before->gpu != NULL;
    }
    if (!good)
        sheet_before_close(before);
    return good;
}

void sheet_before_close(struct sheet_before *before)
{
    subject_destroy(before->subject);
    gpu_model_destroy(before->gpu);
    scene_free(before->scene);
    *before = (struct sheet_before){0};
}

void sheet_before_measure(struct sheet_before *before, const struct settings *settings, const double *times,
                          size_t count)
{
    struct pipeline pipeline;
    struct bounds own;
    if (!before->scene || !pipeline_begin(&pipeline, before->scene, settings, ERROR_IGNORED))
        return;
    if (pipeline_bounds(&pipeline, times, count, &own, ERROR_IGNORED))
        bounds_add(&before->bounds, &own);
    pipeline_end(&pipeline);
}

void sheet_before_frame(struct sheet_before *before, const struct scene *shown, struct bounds *bounds)
{
    static const float most = 2;
    const float ours = bounds_radius(bounds), other = bounds_radius(&before->bounds);
    if (!before->scene || bounds_is_empty(&before->bounds))
        return;
    before->is_alone = other > most * ours || ours > most * other || before->scene->up_axis != shown->up_axis ||
                       before->scene->up_sign != shown->up_sign;
    if (!before->is_alone)
        bounds_add(bounds, &before->bounds);
    else
        log_note("%s is %.3g times as large as %s, its up axis is %c: each is framed on its own", before->scene->path,
                 (double)(other / ours), shown->path, "xyz"[before->scene->up_axis]);
}

static bool draw_file(const struct sheet_before *before, const struct pipeline *shown, const struct bounds *bounds,
                      const struct camera *camera, struct image *out, struct error *err)
{
    const bool is_alone = before->is_alone && shown->settings->camera_kind == CAMERA_ORBIT;
    const struct bounds *framed = is_alone ? &before->bounds : bounds;
    struct camera own = *camera;
    struct pipeline pipeline;
    if (!pipeline_begin(&pipeline, before->scene, shown->settings, err))
        return false;
    pipeline.frame = shown->frame;
    bool good = pipeline_pose(&pipeline, shown->time, err) &&
                (!is_alone || pipeline_camera(&pipeline, framed, &shown->settings->orbit, &own, err)) &&
                pipeline_draw(&pipeline, before->renderer, before->gpu, shown->time, framed, &own, out, err);
    pipeline_end(&pipeline);
    return good;
}

/* The picture that it says it has written: that file and no other, of that size and no other. */
static bool take_picture(const struct subject_picture *wanted, const char *answered, const char *name,
                         struct image *out, struct error *err)
{
    if (!answered || strcmp(answered, wanted->file) != 0)
        return error_set(err, "%s: its picture is not the file that was asked for", name);
    if (!image_read(out, wanted->file, err))
        return error_prefix(err, "%s", name);
    if (out->width == wanted->width && out->height == wanted->height)
        return true;
    error_set(err, "%s: its picture is %ux%u, not %ux%u", name, out->width, out->height, wanted->width, wanted->height);
    image_release(out);
    return false;
}

static bool ask_build(struct sheet_before *before, const struct pipeline *shown, const struct bounds *bounds,
                      const struct camera *camera, struct arena *arena, struct image *out, struct error *err)
{
    const struct subject_picture picture =
        pipeline_picture(shown->settings, before->subject, camera, bounds, shown->frame, arena);
    struct subject_request request =
        pipeline_request(shown, before->subject, before->model, &shown->settings->range, arena);
    struct subject_answer answer;
    request.time = shown->time;
    request.wants = SUBJECT_PICTURE;
    request.picture = &picture;
    return subject_ask(before->subject, &request, arena, &answer, err) &&
           take_picture(&picture, answer.picture, before->subject->spec->name, out, err);
}

bool sheet_before_draw(struct sheet_before *before, const struct pipeline *shown, const struct bounds *bounds,
                       const struct camera *camera, struct image *out, struct error *err)
{
    if (!before->subject)
        return draw_file(before, shown, bounds, camera, out, err);
    SCOPED_ARENA arena = create_large_arena();
    return ask_build(before, shown, bounds, camera, arena, out, err);
}
