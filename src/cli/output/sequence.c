#include "cli/output/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "cli/output/film.h"
#include "cli/output/template.h"
#include "data/image/camera_file.h"
#include "suite/crowd.h"

/* A sequence under way. */
struct run {
    const struct sequence *sequence;
    struct pipeline *pipeline;
    struct renderer *renderer;
    struct gpu_model *model;
    struct bounds bounds;
    bool writes_frames;
    struct film *film; /* NULL: none */
    struct image *kept; /* [count] when a sheet is wanted, else NULL */
};

static struct template_values values_of(const struct run *run, size_t i)
{
    return (struct template_values){
        .model = run->sequence->model,
        .clip = run->pipeline->plays,
        .frame = run->sequence->frames[i].number,
        .time = run->sequence->frames[i].time,
    };
}

static bool write_image(const struct run *run, const struct image *image, const char *path, struct error *err)
{
    return (strcmp(path, "-") == 0 || file_make_parent(path, err)) &&
           template_check_no_link(run->sequence->output, path, err) && image_write_png(image, path, PNG_OUTPUT, err);
}

static bool write_frame(const struct run *run, size_t i, const struct image *image, struct error *err)
{
    struct text path = {0};
    struct template_values values = values_of(run, i);
    bool good = template_expand(run->sequence->output, &values, &path, err) &&
                write_image(run, image, text_string(&path), err);
    text_release(&path);
    return good;
}

static bool save_camera(const struct run *run, const struct camera *camera, struct error *err)
{
    const char *path = run->sequence->camera;
    struct text json = {0};
    camera_file_write(camera, &json);
    bool good = (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_write(path, json.data, json.size, err);
    text_release(&json);
    return good || error_prefix(err, "--save-camera");
}

static bool keep_frame(struct run *run, size_t i, struct image *image, struct error *err)
{
    bool good = (!run->writes_frames || write_frame(run, i, image, err)) &&
                (!run->film || film_add(run->film, image, err));
    if (run->kept)
        run->kept[i] = *image;
    else
        image_release(image);
    return good;
}

static bool draw_one(struct run *run, size_t i, struct error *err)
{
    struct pipeline *pipeline = run->pipeline;
    const struct sequence_frame *frame = &run->sequence->frames[i];
    struct orbit orbit = pipeline->settings->orbit;
    struct camera camera;
    struct image image;
    orbit.yaw += frame->extra_yaw;
    pipeline->frame = frame->number;
    if (!pipeline_pose(pipeline, frame->time, err) || !pipeline_camera(pipeline, &run->bounds, &orbit, &camera, err))
        return false;
    if (i == 0 && run->sequence->camera && !save_camera(run, &camera, err))
        return false;
    struct frame_settings frame_settings = pipeline_frame_settings(pipeline, &run->bounds, &camera);
    const struct crowd_member own = {.palette = &pipeline->palette, .pose = &pipeline->pose};
    struct posed_crowd crowd;
    if (!crowd_pose(&crowd, pipeline, frame->time, &run->bounds, &own, err))
        return false;
    bool good = draw_crowd(run->renderer, run->model, &crowd.crowd, &frame_settings, &image, err);
    crowd_release(&crowd);
    return good && keep_frame(run, i, &image, err);
}

enum { SHEET_GAP = 4 };

static bool write_sheet(const struct run *run, struct error *err)
{
    struct image sheet;
    struct text path = {0};
    struct template_values values = values_of(run, 0);
    bool good = template_expand_sheet(run->sequence->output, &values, &path, err);
    good = good && image_sheet(&sheet, run->kept, run->sequence->count, 0, SHEET_GAP, run->pipeline->settings->background, err);
    if (good) {
        good = write_image(run, &sheet, text_string(&path), err);
        log_note("contact sheet: %s", text_string(&path));
        image_release(&sheet);
    }
    text_release(&path);
    return good;
}

static bool draw_all(struct run *run, struct error *err)
{
    size_t count = run->sequence->count;
    if (run->pipeline->settings->sheet && !(run->kept = calloc(count, sizeof *run->kept)))
        return error_set(err, "out of memory for %zu frames", count);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        log_progress(run->sequence->command, i, count);
        good = draw_one(run, i, err);
    }
    log_progress(run->sequence->command, count, count);
    good = good && (!run->kept || write_sheet(run, err));
    for (size_t i = 0; run->kept && i < count; i++)
        image_release(&run->kept[i]);
    free(run->kept);
    return good;
}

/* A picture is a PNG, whatever its name says. */
static bool check_kind(const char *output, struct error *err)
{
    static const char *const pictures[] = {"jpg", "jpeg", "bmp", "tga", "tif", "tiff", "webp", "exr"};
    static const char *const films[] = {"apng", "gif", "mp4", "webm"};
    char extension[16];
    path_extension(output, extension);
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (strcmp(extension, pictures[i]) == 0)
            return error_set(err, "-o %s: pictures are PNG: name them .png", output);
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++)
        if (strcmp(extension, films[i]) == 0)
            return error_set(err, "-o %s: pictures are PNG: a film is --film %s", output, output);
    return true;
}

/* Names must be well formed and differ, and a sheet have a size, before minutes go into drawing. */
static bool check_names(struct run *run, struct error *err)
{
    const struct sequence *sequence = run->sequence;
    const struct settings *settings = run->pipeline->settings;
    bool sheet = settings->sheet;
    if (sheet && !image_sheet_fits(sequence->count, settings->width, settings->height, SHEET_GAP, err))
        return error_prefix(err, "--sheet");
    if (!sequence->output)
        return !sheet || error_set(err, "--sheet: where to? -o is missing; the sheet is named after it");
    if (!check_kind(sequence->output, err))
        return false;
    run->writes_frames = template_varies(sequence->output) || (sequence->count == 1 && !sheet);
    if (!run->writes_frames && !sheet)
        return error_set(err, "-o %s: %zu frames need names that differ: put {frame:04} or {time} into it, or ask for --sheet",
                         sequence->output, sequence->count);
    struct template_values *values = calloc(sequence->count, sizeof *values);
    if (!values)
        return error_set(err, "out of memory for %zu frames", sequence->count);
    for (size_t i = 0; i < sequence->count; i++)
        values[i] = values_of(run, i);
    bool good = template_names_differ(sequence->output, values, run->writes_frames ? sequence->count : 1, err);
    free(values);
    return good;
}

static bool measure(struct run *run, struct error *err)
{
    const struct sequence *sequence = run->sequence;
    double *times = calloc(sequence->count, sizeof *times);
    if (!times)
        return error_set(err, "out of memory for %zu frames", sequence->count);
    for (size_t i = 0; i < sequence->count; i++)
        times[i] = sequence->frames[i].time;
    bool good = pipeline_bounds(run->pipeline, times, sequence->count, &run->bounds, err);
    free(times);
    return good;
}

static void warn_of_nothing(const struct pipeline *pipeline)
{
    for (uint32_t m = 0; m < pipeline->scene->mesh_count; m++)
        if (pipeline->scene->meshes[m].triangle_count > 0)
            return;
    if (pipeline->settings->overlays == 0)
        log_warning("%s has no triangles, so there is nothing to see; --overlay skeleton shows its nodes", pipeline->scene->path);
}

static bool open_film(struct run *run, struct error *err)
{
    const struct settings *settings = run->pipeline->settings;
    struct film_settings clip_mix = {
        .path = run->sequence->film,
        .width = settings->width,
        .height = settings->height,
        .count = (uint32_t)run->sequence->count,
        .fps = run->sequence->fps,
    };
    memcpy(clip_mix.background, settings->background, sizeof clip_mix.background);
    return !clip_mix.path || (run->film = film_open(&clip_mix, err)) != NULL;
}

/* A film that is not complete is none. */
static bool close_film(struct run *run, bool good, struct error *err)
{
    if (!run->film)
        return good;
    if (!good) {
        film_abandon(run->film);
        return false;
    }
    struct text rate = {0};
    text_add_double(&rate, round(1e3 * run->sequence->fps) / 1e3);
    good = film_close(run->film, err);
    if (good)
        log_note("film: %s, %zu frames, %s a second", run->sequence->film, run->sequence->count, text_string(&rate));
    text_release(&rate);
    return good;
}

static void print_film_command(const struct run *run)
{
    struct text line = {0};
    struct error ignored = {0};
    struct template_values values = values_of(run, 0);
    if (template_film_command(run->sequence->output, &values, run->sequence->fps, &line, &ignored))
        log_note("film: %s", text_string(&line));
    text_release(&line);
}

bool sequence_run(const struct sequence *sequence, struct pipeline *pipeline, struct error *err)
{
    struct run run = {.sequence = sequence, .pipeline = pipeline};
    struct camera camera;
    if (pipeline->settings->every_upload_format)
        return error_set(err, "%s: --palette all is for rigproof render", sequence->command);
    if (!check_names(&run, err) || !measure(&run, err) ||
        !pipeline_camera(pipeline, &run.bounds, &pipeline->settings->orbit, &camera, err))
        return false;
    if (!open_film(&run, err))
        return false;
    warn_of_nothing(pipeline);
    run.renderer = renderer_create(pipeline->settings->backend, err);
    run.model = run.renderer ? gpu_model_create(run.renderer, pipeline->scene, err) : NULL;
    bool good =
        run.model && pipeline_set_upload(pipeline->settings, run.renderer, run.model, err) && draw_all(&run, err);
    good = close_film(&run, good, err);
    gpu_model_destroy(run.model);
    renderer_destroy(run.renderer);
    if (good && sequence->count > 1 && run.writes_frames && !sequence->film)
        print_film_command(&run);
    return good;
}
