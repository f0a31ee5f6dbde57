#include "cli/output/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/output/film.h"
#include "cli/output/template.h"
#include "data/image/camera_file.h"
#include "suite/crowd.h"

enum { SHEET_GAP = 4 };

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

static struct template_values values_of(const void *context, size_t i)
{
    const struct run *run = context;
    const struct sequence_frame *frame = &run->sequence->frames[i];
    return (struct template_values){run->sequence->model, run->pipeline->plays, frame->number, frame->time};
}

/* ---- before anything is drawn ------------------------------------------------------------------------------------ */

/* A picture is a PNG, whatever its name says. */
static bool check_kind(const char *output, struct error *err)
{
    static const char *const others[] = {"apng", "gif", "mp4", "webm", "jpg", "jpeg", "bmp", "tga", "tif", "tiff", "webp", "exr"};
    enum { FILMS = 4 };
    char extension[16];
    path_extension(output, extension);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(extension, others[i]) == 0)
            return i < FILMS ? error_set(err, "-o %s: pictures are PNG: a film is --film %s", output, output)
                             : error_set(err, "-o %s: pictures are PNG: name them .png", output);
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
    return template_names_differ(sequence->output, values_of, run, run->writes_frames ? sequence->count : 1, err);
}

static bool measure(struct run *run, struct error *err)
{
    const struct sequence *sequence = run->sequence;
    double *times = memory_new(sequence->count, sizeof *times);
    for (size_t i = 0; i < sequence->count; i++)
        times[i] = sequence->frames[i].time;
    bool good = pipeline_bounds(run->pipeline, times, sequence->count, &run->bounds, err);
    free(times);
    return good;
}

static void warn_of_nothing(const struct pipeline *pipeline)
{
    const struct scene *scene = pipeline->scene;
    uint32_t triangles = 0;
    for (uint32_t m = 0; m < scene->mesh_count && !triangles; m++)
        triangles = scene->meshes[m].triangle_count;
    if (!triangles && pipeline->settings->overlays == 0)
        log_warning("%s has no triangles, so there is nothing to see; --overlay skeleton shows its nodes", scene->path);
}

static bool open_film(struct run *run, struct error *err)
{
    const struct settings *settings = run->pipeline->settings;
    struct film_settings film = {
        .path = run->sequence->film,
        .width = settings->width,
        .height = settings->height,
        .count = (uint32_t)run->sequence->count,
        .fps = run->sequence->fps,
    };
    memcpy(film.background, settings->background, sizeof film.background);
    return !film.path || (run->film = film_open(&film, err)) != NULL;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static bool write_image(const struct run *run, const struct image *image, const char *path, struct error *err)
{
    return (strcmp(path, "-") == 0 || file_make_parent(path, err)) &&
           template_check_no_link(run->sequence->output, path, err) && image_write_png(image, path, PNG_OUTPUT, err);
}

static bool save_camera(const char *path, const struct camera *camera, struct error *err)
{
    struct text json = {0};
    camera_file_write(camera, &json);
    bool good = (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_write(path, json.data, json.size, err);
    text_release(&json);
    return good || error_prefix(err, "--save-camera");
}

static bool draw_one(struct run *run, size_t i, struct error *err)
{
    struct pipeline *pipeline = run->pipeline;
    const struct sequence *sequence = run->sequence;
    struct orbit orbit = pipeline->settings->orbit;
    struct template_values values = values_of(run, i);
    struct camera camera;
    struct image image;
    struct text path = {0};
    orbit.yaw += sequence->frames[i].extra_yaw;
    pipeline->frame = values.frame;
    if (!pipeline_pose(pipeline, values.time, err) || !pipeline_camera(pipeline, &run->bounds, &orbit, &camera, err) ||
        (i == 0 && sequence->camera && !save_camera(sequence->camera, &camera, err)))
        return false;
    struct frame_settings frame_settings = pipeline_frame_settings(pipeline, &run->bounds, &camera);
    const struct crowd_member own = {.palette = &pipeline->palette, .pose = &pipeline->pose};
    struct posed_crowd crowd;
    if (!crowd_pose(&crowd, pipeline, values.time, &run->bounds, &own, err))
        return false;
    bool good = draw_crowd(run->renderer, run->model, &crowd.crowd, &frame_settings, &image, err);
    crowd_release(&crowd);
    if (!good)
        return false;
    if (run->writes_frames)
        good = template_expand(sequence->output, &values, &path, err) && write_image(run, &image, text_string(&path), err);
    good = good && (!run->film || film_add(run->film, &image, err));
    if (run->kept)
        run->kept[i] = image;
    else
        image_release(&image);
    text_release(&path);
    return good;
}

static bool write_sheet(const struct run *run, struct error *err)
{
    struct image sheet;
    struct text path = {0};
    struct template_values values = values_of(run, 0);
    bool good = template_expand_sheet(run->sequence->output, &values, &path, err) &&
                image_sheet(&sheet, run->kept, run->sequence->count, 0, SHEET_GAP, run->pipeline->settings->background, err);
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
    bool good = true;
    if (run->pipeline->settings->sheet)
        run->kept = memory_new(count, sizeof *run->kept);
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

/* Says what film there is, or how frames become one. A film that is not complete is none. */
static bool finish(struct run *run, bool good, struct error *err)
{
    const struct sequence *sequence = run->sequence;
    struct template_values values = values_of(run, 0);
    struct text line = {0};
    struct error ignored = {0};
    if (!good)
        film_abandon(run->film);
    else if (run->film) {
        text_addf(&line, "%s, %zu frames, ", sequence->film, sequence->count);
        text_add_double(&line, round(1e3 * sequence->fps) / 1e3);
        text_add(&line, " a second");
        good = film_close(run->film, err);
    } else if (sequence->count > 1 && run->writes_frames)
        template_film_command(sequence->output, &values, sequence->fps, &line, &ignored);
    if (good && line.size)
        log_note("film: %s", text_string(&line));
    text_release(&line);
    return good;
}

bool sequence_run(const struct sequence *sequence, struct pipeline *pipeline, struct error *err)
{
    struct run run = {.sequence = sequence, .pipeline = pipeline};
    const struct settings *settings = pipeline->settings;
    struct camera camera;
    if (settings->upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "%s: --palette all is for rigproof render", sequence->command);
    if (!check_names(&run, err) || !measure(&run, err) ||
        !pipeline_camera(pipeline, &run.bounds, &settings->orbit, &camera, err) || !open_film(&run, err))
        return false;
    warn_of_nothing(pipeline);
    run.renderer = renderer_create(settings->backend, err);
    run.model = run.renderer ? gpu_model_create(run.renderer, pipeline->scene, err) : NULL;
    bool good = run.model && pipeline_set_upload(settings, run.renderer, run.model, err) && draw_all(&run, err);
    good = finish(&run, good, err);
    gpu_model_destroy(run.model);
    renderer_destroy(run.renderer);
    return good;
}
