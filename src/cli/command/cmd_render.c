/* render and turntable: draw a list of frames of one model and write them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/clip_list.h"
#include "cli/output/film.h"
#include "cli/output/template.h"
#include "cli/output/terminal_show.h"
#include "cli/output/viewer_page.h"
#include "data/image/frame_settings.h"
#include "suite/palette_paths.h"
#include "suite/theirs/reference_pose.h"
#include "suite/view_values.h"

enum { SHEET_GAP = 4 };

/* Where to; each may be NULL, not both of the first where nothing is shown. */
static struct {
    const char *pictures; /* template */
    const char *film;
    const char *camera; /* the first frame's */
    enum terminal_kind show;
    const char *against; /* what displacement and stretch are from; NULL: the bind pose */
} outputs;
static struct settings settings;
static struct theirs_source source = {.layout = -1}; /* what is drawn in place of the model's own pose; nothing: that */
static bool beside; /* with the model's own at its left */

/* A sequence under way. */
struct sequence {
    const char *command, *model;
    struct pipeline pipeline;
    const char *clip; /* {clip}; NULL: what plays */
    size_t clips;     /* how many are drawn, each a sequence */
    struct sequence_frame *frames;
    size_t count;
    double fps; /* of the film, or of the one that the printed ffmpeg line makes */
    struct renderer *renderer;
    struct error no_renderer; /* why there is none */
    struct gpu_model *gpu_model;
    struct scene *own_scene, *their_scene; /* the other one where theirs has vertices of its own; else NULL */
    struct gpu_model *their_model;         /* of that */
    struct bounds bounds;
    bool writes_frames;
    struct film *film;  /* NULL: none */
    struct text film_path;
    struct image *kept; /* [count] when a sheet is wanted, else NULL */
    struct theirs theirs;
    struct reference_pose against;
    struct terminal_show show;
    bool moves; /* what is shown: one picture in place of the other */
};

static struct template_values values_of(const void *context, size_t i)
{
    const struct sequence *sequence = context;
    const struct sequence_frame *frame = &sequence->frames[i];
    return (struct template_values){sequence->model, sequence->clip ? sequence->clip : sequence->pipeline.plays, frame->number,
                                    frame->time};
}

static void open_renderer(void *context)
{
    struct sequence *sequence = context;
    sequence->renderer = renderer_create(settings.backend, &sequence->no_renderer);
}

/* Draws what the settings ask for, or with --clip all every clip: `run` is called with a pipeline for each. Mesa starts while the model
 * is read. */
static void run_clips(struct sequence *sequence, bool (*run)(struct sequence *, struct error *), struct error *err)
{
    struct clip_list clips;
    if (outputs.film || strcmp(sequence->command, "render") != 0) /* made to be looked at */
        settings_prefer_view(&settings, VIEW_STUDIO);
    import_meanwhile(open_renderer, sequence);
    struct scene *scene = pipeline_import(sequence->model, &settings, err);
    if (scene && clip_list_make(scene, settings.clip, &clips, err)) {
        const bool same = (outputs.pictures && !strstr(outputs.pictures, "{clip}")) || (outputs.film && !strstr(outputs.film, "{clip}"));
        bool good = clips.count == 1 || !same ||
                    error_set(err, "--clip all: %zu clips need names that differ: put {clip} into that of -o and --film, as a folder perhaps: "
                              "-o 'out/{clip}/{frame:04}.png'", clips.count);
        sequence->clips = clips.count;
        for (size_t i = 0; good && i < clips.count; i++) {
            settings.clip = clips.items[i].clip;
            sequence->clip = clips.items[i].file_name;
            good = pipeline_begin(&sequence->pipeline, scene, &settings, err);
            if (good && i == 0)
                pipeline_warn(scene);
            if (good) {
                good = run(sequence, err);
                pipeline_end(&sequence->pipeline);
            }
            if (!good && clips.count > 1)
                error_prefix(err, "clip `%s`", settings.clip);
        }
        clip_list_release(&clips);
    }
    scene_free(scene);
    renderer_leave(sequence->renderer);
    if (sequence->theirs.source)
        theirs_close(&sequence->theirs);
}

/* Names must be well formed and differ, and a sheet have a size, before minutes go into drawing. */
static bool check_names(struct sequence *sequence, struct error *err)
{
    static const char *const others[] = {"apng", "gif", "mp4", "webm", "jpg", "jpeg", "bmp", "tga", "tif", "tiff", "webp", "exr"};
    enum { FILMS = 4 };
    const bool sheet = settings.sheet;
    char extension[16];
    if (sheet && !image_sheet_fits(sequence->count, settings.width, settings.height, SHEET_GAP, err))
        return error_prefix(err, "--sheet");
    if (!outputs.pictures)
        return !sheet || sequence->show.kind || error_set(err, "--sheet: the sheet is named after -o, which is missing");
    path_extension(outputs.pictures, extension);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(extension, others[i]) == 0)
            return i < FILMS ? error_set(err, "-o %s: pictures are PNG: a film is --film %s", outputs.pictures, outputs.pictures)
                             : error_set(err, "-o %s: pictures are PNG: name them .png", outputs.pictures);
    sequence->writes_frames = template_varies(outputs.pictures) || (sequence->count == 1 && !sheet);
    if (!sequence->writes_frames && !sheet)
        return error_set(err, "-o %s: %zu frames need names that differ: put {frame:04} or {time} into it, or ask for --sheet",
                         outputs.pictures, sequence->count);
    return template_names_differ(outputs.pictures, values_of, sequence, sequence->writes_frames ? sequence->count : 1, err);
}

/* Or the model's own pose. */
static void show_theirs(struct sequence *sequence, bool shows)
{
    sequence->pipeline.theirs = shows ? &sequence->theirs : NULL;
    sequence->pipeline.scene = shows && sequence->their_scene ? sequence->their_scene : sequence->own_scene;
}

/* The camera frames both, so that theirs is seen where it is. */
static bool resolve_theirs(struct sequence *sequence, double time, struct error *err)
{
    struct pipeline *p = &sequence->pipeline;
    struct bounds both = sequence->bounds;
    struct text given = {0};
    if (!sequence->theirs.source)
        return true;
    if (!pipeline_pose(p, time, err) || !theirs_resolve(&sequence->theirs, p, err))
        return false;
    theirs_describe(&sequence->theirs, &given);
    const unsigned left_out = sequence->theirs.pose->left_out;
    bool good = theirs_scene(&sequence->theirs, p->scene, &sequence->their_scene, err);
    const bool is_drawn = sequence->their_scene || (left_out & (POSE_NODES | POSE_PALETTE)) != (POSE_NODES | POSE_PALETTE);
    if (good && is_drawn && (left_out & ~(unsigned)POSE_SKIN || strstr(text_string(&given), " of ")))
        log_note("%s gives %s; the rest is the model's own", sequence->theirs.name, text_string(&given));
    text_release(&given);
    if (good && !is_drawn)
        good = error_set(err, "%s gives boxes of skinned meshes alone: nodes, a palette or positions can be drawn",
                         sequence->theirs.name);
    if (!good)
        return false;
    show_theirs(sequence, true);
    if (!pipeline_bounds(p, &time, 1, &sequence->bounds, err))
        return error_prefix(err, "%s", sequence->theirs.name);
    bounds_add(&sequence->bounds, &both);
    return true;
}

static bool prepare(struct sequence *sequence, struct error *err)
{
    const struct scene *scene = sequence->pipeline.scene;
    uint32_t triangles = 0;
    struct camera camera;
    if (settings.upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "%s: --palette all is for rigproof render", sequence->command);
    const struct template_values first = values_of(sequence, 0);
    if (!check_names(sequence, err))
        return false;
    if (outputs.film && (strstr(outputs.film, "{clip}") || strstr(outputs.film, "{model}")) &&
        !(template_expand(outputs.film, TEMPLATE_NAME, &first, &sequence->film_path, err) &&
          file_make_parent(text_string(&sequence->film_path), err)))
        return error_prefix(err, "--film");
    if (outputs.film && sequence->film_path.size == 0)
        text_add(&sequence->film_path, outputs.film);
    double *times = memory_new(sequence->count, sizeof *times);
    for (size_t i = 0; i < sequence->count; i++)
        times[i] = sequence->frames[i].time;
    bool good = pipeline_bounds(&sequence->pipeline, times, sequence->count, &sequence->bounds, err) &&
                resolve_theirs(sequence, times[0], err) &&
                (!outputs.against || reference_pose_open(&sequence->against, outputs.against, &sequence->pipeline, times[0], err)) &&
                view_values_find_range(&sequence->pipeline, times, sequence->count, err) &&
                pipeline_camera(&sequence->pipeline, &sequence->bounds, &settings.orbit, &camera, err);
    free(times);
    if (good && outputs.film && !viewer_page_is_wanted(outputs.film)) {
        struct film_settings film = {.path = text_string(&sequence->film_path), .width = settings.width, .height = settings.height,
                                     .count = (uint32_t)sequence->count, .fps = sequence->fps};
        memcpy(film.background, settings.background, sizeof film.background);
        good = (sequence->film = film_open(&film, err)) != NULL;
    }
    for (uint32_t m = 0; m < scene->mesh_count && !triangles; m++)
        triangles = scene->meshes[m].triangle_count;
    if (good && !triangles && settings_overlays(&settings) == 0)
        log_warning("%s has no triangles, so there is nothing to see; --overlay skeleton shows its nodes", scene->path);
    return good;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Of a frame, or of the contact sheet. */
static bool write_image(const struct image *image, enum template_mode mode, const struct template_values *values,
                        struct error *err)
{
    struct text path = {0};
    bool good = template_expand(outputs.pictures, mode, values, &path, err) && file_make_parent(text_string(&path), err) &&
                template_check_no_link(outputs.pictures, text_string(&path), err) &&
                image_write_png(image, text_string(&path), PNG_OUTPUT, err);
    if (good && mode == TEMPLATE_SHEET)
        log_note("contact sheet: %s", text_string(&path));
    text_release(&path);
    return good;
}

/* The pipeline's pose at a time, seen by the camera. */
static bool draw_pose(struct sequence *sequence, double time, const struct camera *camera, struct image *out, struct error *err)
{
    const bool is_theirs = sequence->pipeline.scene == sequence->their_scene;
    return pipeline_draw(&sequence->pipeline, sequence->renderer, is_theirs ? sequence->their_model : sequence->gpu_model, time,
                         &sequence->bounds, camera, out, err);
}

/* The model's own at the left, theirs at the right. `image` becomes both. */
static bool draw_beside(struct sequence *sequence, double time, const struct camera *camera, struct image *image, struct error *err)
{
    struct pipeline *pipeline = &sequence->pipeline;
    struct image two[2] = {{0}, *image};
    show_theirs(sequence, false);
    bool good = pipeline_pose(pipeline, time, err) && draw_pose(sequence, time, camera, &two[0], err);
    show_theirs(sequence, true);
    good = good && image_sheet(image, two, 2, 2, SHEET_GAP, settings.background, err);
    image_release(&two[0]);
    image_release(&two[1]);
    return good;
}

static bool draw_one(struct sequence *sequence, size_t i, struct error *err)
{
    struct pipeline *pipeline = &sequence->pipeline;
    const struct template_values values = values_of(sequence, i);
    struct orbit orbit = settings.orbit;
    struct camera camera;
    struct image image;
    orbit.yaw += sequence->frames[i].extra_yaw;
    pipeline->frame = values.frame;
    if (!pipeline_pose(pipeline, values.time, err) || !pipeline_camera(pipeline, &sequence->bounds, &orbit, &camera, err))
        return false;
    if (i == 0 && outputs.camera) {
        struct text json = {0};
        camera_file_write(&camera, &json);
        bool is_saved = file_make_parent(outputs.camera, err) && file_write(outputs.camera, json.data, json.size, err);
        text_release(&json);
        outputs.camera = NULL; /* of several clips the first's */
        if (!is_saved)
            return error_prefix(err, "--save-camera");
    }
    if (!draw_pose(sequence, values.time, &camera, &image, err) ||
        (beside && !draw_beside(sequence, values.time, &camera, &image, err)))
        return false;
    const char *why = renderer_why_empty(sequence->renderer);
    if (why) {
        image_release(&image);
        return error_set_code(err, EXIT_CODE_DIFFERS, "the picture at %g s is empty: %s; --shader-map says what it is", values.time,
                              why);
    }
    bool good = (!sequence->writes_frames || write_image(&image, TEMPLATE_NAME, &values, err)) &&
                (!sequence->film || film_add(sequence->film, &image, err)) &&
                (!sequence->show.kind || settings.sheet || terminal_show_image(&sequence->show, &image, err));
    if (sequence->kept)
        sequence->kept[i] = image;
    else
        image_release(&image);
    return good;
}

static bool draw_all(struct sequence *sequence, struct error *err)
{
    const size_t count = sequence->count;
    const struct template_values values = values_of(sequence, 0);
    struct image sheet;
    bool good = true;
    if (settings.sheet)
        sequence->kept = memory_new(count, sizeof *sequence->kept);
    for (size_t i = 0; good && i < count; i++) {
        if (!sequence->show.kind) /* a bar would be in the picture */
            log_progress(sequence->command, i, count);
        good = draw_one(sequence, i, err);
    }
    if (!sequence->show.kind)
        log_progress(sequence->command, count, count);
    if (good && sequence->kept) {
        good = image_sheet(&sheet, sequence->kept, count, 0, SHEET_GAP, settings.background, err);
        if (good) {
            good = (!outputs.pictures || write_image(&sheet, TEMPLATE_SHEET, &values, err)) &&
                   (!sequence->show.kind || terminal_show_image(&sequence->show, &sheet, err));
            image_release(&sheet);
        }
    }
    for (size_t i = 0; sequence->kept && i < count; i++)
        image_release(&sequence->kept[i]);
    free(sequence->kept);
    return good;
}

/*
 * Draws every frame; writes them, the film, the contact sheet and the camera; prints the ffmpeg line when frames were written
 * and no film. Checks names, camera, sizes and film before the first frame is drawn. `asked` are the times that were asked for.
 */
static bool run_sequence(struct sequence *sequence, const double *asked, size_t asked_count, struct error *err)
{
    const struct template_values first = values_of(sequence, 0);
    sequence->own_scene = sequence->pipeline.scene;
    struct text line = {0}; /* what film there is, or how frames become one */
    struct error ignored = {0};
    sequence->show.fps = sequence->moves ? sequence->fps : 0;
    bool good = prepare(sequence, err);
    if (good && viewer_page_is_wanted(outputs.film))
        good = viewer_page_film(&sequence->pipeline, &sequence->bounds, sequence->frames, sequence->count, sequence->fps,
                                text_string(&sequence->film_path), err);
    if (good && (outputs.pictures || sequence->film || sequence->show.kind)) {
        if (!sequence->renderer && !error_is_set(&sequence->no_renderer))
            open_renderer(sequence);
        if (!sequence->renderer)
            *err = sequence->no_renderer;
        else
            sequence->gpu_model = gpu_model_create(sequence->renderer, sequence->own_scene, err);
        good = sequence->gpu_model && pipeline_set_upload(&settings, sequence->renderer, sequence->gpu_model, err);
        if (good && sequence->their_scene) {
            sequence->their_model = gpu_model_create(sequence->renderer, sequence->their_scene, err);
            good = sequence->their_model && pipeline_set_upload(&settings, sequence->renderer, sequence->their_model, err);
        }
        good = good && draw_all(sequence, err);
        if (!good)
            film_abandon(sequence->film);
        else if (sequence->film) {
            text_addf(&line, "%s, %zu frames, ", text_string(&sequence->film_path), sequence->count);
            text_add_double(&line, round(1e3 * sequence->fps) / 1e3);
            text_add(&line, " a second");
            good = film_close(sequence->film, err);
        } else if (sequence->count > 1 && sequence->writes_frames)
            template_film_command(outputs.pictures, &first, sequence->fps, &line, &ignored);
        if (good && line.size)
            log_note("film: %s", text_string(&line));
        text_release(&line);
        gpu_model_destroy(sequence->gpu_model);
        gpu_model_destroy(sequence->their_model);
    }
    sequence->film = NULL;
    text_release(&sequence->film_path);
    if (good) {
        pipeline_note_pose(&sequence->pipeline);
        pipeline_note_times(&sequence->pipeline, asked, asked_count);
    }
    free(sequence->frames);
    sequence->pipeline.scene = sequence->own_scene;
    reference_pose_close(&sequence->against);
    return good;
}

/* ---- render ------------------------------------------------------------------------------------------------------ */

/* --palette all: no picture, a table. */
static void try_every_upload_format(const char *model, struct error *err)
{
    static struct path_result results[PATH_COMBINATIONS];
    struct pipeline pipeline;
    struct text table = {0};
    size_t count = 0;
    int failed = 0;
    settings.upload_format = (struct upload_format){0};
    if (!pipeline_open(&pipeline, model, &settings, err))
        return;
    double *times = pipeline_times(&pipeline, &count, NULL, err);
    if (times && palette_paths_try(&pipeline, times, count, results, err)) {
        palette_paths_write(&pipeline, count, results, &table);
        for (int i = 0; i < PATH_COMBINATIONS; i++)
            failed += palette_path_fails(&results[i]);
        if (file_write("-", table.data, table.size, err) && failed)
            error_set_code(err, EXIT_CODE_DIFFERS, "%d upload format%s beyond the limit", failed, failed == 1 ? "" : "s");
    }
    text_release(&table);
    free(times);
    pipeline_close(&pipeline);
}

#define AGAINST_OPTION {"against", "FILE", "of --view displacement and stretch: from this model, which plays the same, or from this pose.json or OBJ " \
                        "(default from the bind pose)", 0, &value_text, VALUE_OF(outputs.against)}

/* Where the frames go that are shown; one in place of the other where they are of a motion. */
static bool open_outputs(struct sequence *sequence, bool moves, const char *example, struct error *err)
{
    if (!outputs.pictures && !outputs.film && !outputs.show)
        return error_set(err, "%s: no output is named; add %s, or --show", sequence->command, example);
    if (outputs.show && outputs.pictures && strcmp(outputs.pictures, "-") == 0)
        return error_set(err, "%s: -o - and --show both are for standard output", sequence->command);
    sequence->moves = moves;
    return terminal_show_begin(outputs.show, outputs.pictures || outputs.film, &sequence->show, err);
}

static const struct setting render_options[] = {
    {"output", "OUT.png", "the file, or a template: {model} {clip} {frame} {frame:04} {time}; - is stdout", 0,
     &value_text, VALUE_OF(outputs.pictures), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif|.html", "a film, with -o or instead; without times, of the whole clip; {model} and {clip} as in -o. .html is a page\n"
     "to turn the model in; .mp4, .webm and .gif need ffmpeg", 0,
     &value_text, VALUE_OF(outputs.film)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0, &value_text, VALUE_OF(outputs.camera)},
    TERMINAL_SHOW_OPTION(outputs.show),
    AGAINST_OPTION,
    {"pose", "FILE", "draws this pose.json, what part of one it is, or an OBJ of skinned vertices in place of the model's own pose", 0,
     &value_text, VALUE_OF(source.path)},
    THEIRS_OPTIONS(source),
    {"beside", NULL, "of --pose and --raw: the model's own pose at the left of it", 0, &value_flag, VALUE_OF(beside)},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

/* A pose is of one time, and nothing else plays. */
static bool open_theirs(struct theirs *theirs, struct error *err)
{
    if (!theirs_check_source(&source, source.path, err))
        return false;
    const char *option = source.raw ? "raw" : "pose";
    if (!source.raw && !source.path)
        return !beside || error_set(err, "render: --beside is for --pose and --raw");
    if (outputs.film || settings.sheet || settings.crowd[0] || settings.upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "render: --%s is one picture: leave --film, --sheet, --crowd and --palette all out", option);
    return theirs_open(theirs, &source, err) && theirs_suggest(theirs, &settings, err);
}

/* The times that the settings choose, of the clip that the pipeline plays. */
static bool render_clip(struct sequence *sequence, struct error *err)
{
    long *numbers = NULL;
    if (sequence->clips > 1 && settings.time_choice == TIMES_PLAY && !(pipeline_duration(&sequence->pipeline) > 0)) {
        log_warning("clip `%s` has no duration: it is left out", settings.clip);
        return true;
    }
    double *times = pipeline_times(&sequence->pipeline, &sequence->count, &numbers, err);
    bool good = times != NULL;
    if (good && sequence->theirs.source && sequence->count > 1)
        good = error_set(err, "render: %s is a pose of one time, and %zu are asked for", sequence->theirs.name, sequence->count);
    if (good) {
        sequence->frames = memory_new(sequence->count, sizeof *sequence->frames);
        for (size_t i = 0; i < sequence->count; i++)
            sequence->frames[i] = (struct sequence_frame){.number = numbers[i], .time = times[i]};
        sequence->fps = pipeline_film_rate(&sequence->pipeline, sequence->count);
        good = run_sequence(sequence, times, sequence->count, err);
    }
    free(times);
    free(numbers);
    return good;
}

static enum exit_code run_render(const struct operands *operands, struct error *err)
{
    struct sequence sequence = {.command = "render", .model = operands->items[0]};
    if (!open_theirs(&sequence.theirs, err))
        return EXIT_CODE_GOOD;
    if (settings.upload_format.path == PALETTE_PATH_COUNT) {
        if (outputs.pictures || outputs.film)
            error_set(err, "render: --palette all prints a table and writes no picture: leave -o out");
        else
            try_every_upload_format(sequence.model, err);
        return EXIT_CODE_GOOD;
    }
    if (outputs.film && !settings.time_choices) /* one frame is no film */
        settings_set(&settings, "play", "true", err);
    open_outputs(&sequence, settings.time_choice == TIMES_PLAY || settings.time_choice == TIMES_FRAMES, "-o OUT.png or --film OUT.mp4", err);
    bool rate_counts = outputs.film || settings.time_count > 1 || settings.time_choice == TIMES_AUTO ||
                       settings.time_choice == TIMES_EVEN;
    if (!error_is_set(err) && settings_check_times(&settings, rate_counts, err))
        run_clips(&sequence, render_clip, err);
    return EXIT_CODE_GOOD;
}

const struct command command_render = {
    .name = "render", .operands = "MODEL -o OUT.png",
    .summary = "one frame, or a sequence: -o 'walk_{frame:04}.png'",
    .about = "Draws a model at one time or at many. The camera frames the whole sampled sequence, so frames do not jitter.",
    COMMAND_OPTIONS(render_options),
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1,
    .run = run_render,
};

/* ---- turntable --------------------------------------------------------------------------------------------------- */

static struct {
    long frames;
    double loops; /* how often the clip plays during the circle */
    double fps;   /* 0: such that the clip plays at its own speed, else 24 */
} turn = {.frames = 36, .loops = 1.0};

static const struct setting turntable_options[] = {
    {"output", "OUT", "template with {frame:04}; also {model} {clip} {time}", 0,
     &value_text, VALUE_OF(outputs.pictures), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif|.html", "a film, with -o or instead; .html is a page to turn the model in; .mp4, .webm\n"
     "and .gif need ffmpeg", 0,
     &value_text, VALUE_OF(outputs.film)},
    {"save-camera", "FILE", "writes the first frame's camera, for --camera @FILE", 0, &value_text, VALUE_OF(outputs.camera)},
    TERMINAL_SHOW_OPTION(outputs.show),
    AGAINST_OPTION,
    {"frames", "N", "frames in the circle (default 36)", 0, &value_count, VALUE_OF(turn.frames), .least = 1, .most = 100000},
    {"pitch", "D", "degrees the camera looks down (default 10)", 0,
     &value_number, VALUE_OF(settings.orbit.pitch), .least = -90, .most = 90},
    {"loops", "L", "how often --clip plays during the circle (default 1)", 0, &value_number, VALUE_OF(turn.loops), .most = 1e6},
    {"fps", "F", "frames a second of the film, or of the one that the printed ffmpeg line makes", 0,
     &value_number, VALUE_OF(turn.fps), .most = 1e6},
    {"time", "T", "hold the clip at this time instead of playing it", 0, &value_times, VALUE_OF(settings)},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

/* The clip plays `loops` times in one circle, so that the last frame leads back to the first. */
static bool turn_clip(struct sequence *sequence, struct error *err)
{
    const double held = pipeline_time(&sequence->pipeline, 0);
    const bool plays = settings_name_clip(&settings) && sequence->pipeline.plays && !settings.time_choices;
    const double seconds = pipeline_duration(&sequence->pipeline) * turn.loops;
    sequence->fps = turn.fps > 0 ? turn.fps : seconds > 0 && plays ? (double)turn.frames / seconds : 24.0;
    sequence->frames = memory_new(sequence->count, sizeof *sequence->frames);
    for (long i = 0; i < turn.frames; i++) {
        double part = (double)i / (double)turn.frames;
        sequence->frames[i] = (struct sequence_frame){i, plays ? seconds * part : held, (float)(360.0 * part)};
    }
    return run_sequence(sequence, &held, settings.time_count, err);
}

static enum exit_code run_turntable(const struct operands *operands, struct error *err)
{
    struct sequence sequence = {.command = "turntable", .model = operands->items[0], .count = (size_t)turn.frames};
    const bool has_clip = settings_name_clip(&settings), is_chosen = has_clip || settings.time_choices;
    if (!open_outputs(&sequence, true, "-o 'turn_{frame:04}.png' or --film turn.mp4", err))
        return EXIT_CODE_GOOD;
    if (settings.camera_kind != CAMERA_ORBIT)
        error_set(err, "turntable: a fixed camera does not turn; use an orbit: --camera yaw=..,pitch=..,zoom=..,fov=..");
    else if (settings.time_count > 1)
        error_set(err, "turntable: --time holds the clip at one time, and %zu are given", settings.time_count);
    if (!is_chosen)
        settings.clip = "none";
    if (error_is_set(err))
        return EXIT_CODE_GOOD;
    if (has_clip && !settings.time_choices && turn.loops != floor(turn.loops)) /* without a time to hold it at */
        log_warning("the sequence does not loop: --loops %g ends in the middle of the clip", turn.loops);
    run_clips(&sequence, turn_clip, err);
    if (!error_is_set(err) && !is_chosen)
        log_note("without --clip: the rest pose of %s", sequence.model);
    return EXIT_CODE_GOOD;
}

const struct command command_turntable = {
    .name = "turntable", .operands = "MODEL -o 'turn_{frame:04}.png'",
    .summary = "a full circle around the model",
    .about = "Draws a full circle around a model. With --clip the clip plays meanwhile; without, the model stands in its rest pose.",
    COMMAND_OPTIONS(turntable_options),
    .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, .settings = &settings,
    .is_limited = true, .operand_least = 1, .operand_most = 1,
    .run = run_turntable,
};
