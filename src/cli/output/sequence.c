#include "cli/output/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file/file.h"
#include "base/log.h"
#include "pipeline/view_values.h"
#include "suite/suite_expand.h"

enum { SHEET_GAP = 4 };

static struct template_values values_of(const void *context, size_t i)
{
    const struct sequence *sequence = context;
    return (struct template_values){sequence->model, sequence->clip ? sequence->clip : sequence->pipeline.plays,
                                    pipeline_frame_number(&sequence->pipeline, i), sequence->times[i]};
}

void late_renderer_open(void *context)
{
    struct late_renderer *late = context;
    if (!late->renderer && !error_is_set(&late->why_not))
        late->renderer = renderer_create(late->backend, &late->why_not);
}

struct gpu_model *late_renderer_upload(struct late_renderer *late, const struct settings *settings,
                                       const struct scene *scene, struct error *err)
{
    late_renderer_open(late);
    if (!late->renderer)
        *err = late->why_not;
    struct gpu_model *model = late->renderer ? gpu_model_create(late->renderer, scene, err) : NULL;
    if (!model || pipeline_set_upload(settings, late->renderer, model, err))
        return model;
    gpu_model_destroy(model);
    return NULL;
}

bool late_renderer_drew(const struct late_renderer *late, double time, struct error *err)
{
    const char *why = renderer_why_empty(late->renderer);
    return !why || error_set_code(err, EXIT_CODE_DIFFERS,
                                  "the picture at %g s is empty: %s; --shader-map says what it is", time, why);
}

/* ---- clips ------------------------------------------------------------------------------------------------------- */

/* The clips that a command plays one after the other: `--clip all`, or the one that is asked for. */
struct clip_list {
    struct arena *arena;
    size_t count;
    struct clip_item {
        const char *clip;      /* as --clip has it; NULL: none was named */
        const char *file_name; /* in place of {clip}; no two are alike, in capitals or not. NULL: what plays */
    } *items;
};

/* Makes the name of a file of a clip's, cut between characters: the later bytes of one begin with the bits 10. */
static const char *file_name_of(const struct clip_list *before, const char *clip)
{
    enum { LONGEST = 100 };
    SCOPED(text) base = {0};
    template_add_clip(*clip ? clip : "clip", &base);
    size_t length = base.size < LONGEST ? base.size : LONGEST, number = 2;
    while (length > 0 && length < base.size && ((unsigned char)base.data[length] & 0xc0) == 0x80)
        length--;
    const char *name = arena_printf(before->arena, "%.*s", (int)length, text_string(&base));
    for (size_t i = 0; i < before->count; i++)
        if (strcasecmp(before->items[i].file_name, name) == 0) {
            name = arena_printf(before->arena, "%.*s_%zu", (int)length, text_string(&base), number++);
            i = (size_t)-1; /* from the first again */
        }
    return name;
}

/* "all" where no clip answers to it stands for all of the scene's clips; of a scene without any, for its rest pose.
 * False with err set where a clip cannot be named. */
static bool list_clips(const struct scene *scene, const char *clip, struct arena *arena, struct clip_list *out,
                       struct error *err)
{
    const bool is_all = clip && strcmp(clip, "all") == 0 && !scene_find_clip(scene, clip, ERROR_IGNORED);
    const uint32_t count = is_all ? scene->clip_count : 0;
    *out = (struct clip_list){.arena = arena, .items = ARENA_NEW(arena, struct clip_item, count + 1)};
    if (count == 0)
        out->items[out->count++] = (struct clip_item){is_all ? "rest" : clip, NULL};
    for (uint32_t i = 0; i < count; i++) {
        const struct clip *played = &scene->clips[i];
        const char *name = suite_clip_key(scene, i, arena);
        if (scene_find_clip(scene, name, ERROR_IGNORED) != played)
            return error_set(err, "--clip all: clip %u, `%s`, cannot be named: others have its name and its number", i,
                             played->name);
        out->items[out->count] = (struct clip_item){name, file_name_of(out, played->name)};
        out->count++;
    }
    return true;
}

void sequence_run_clips(struct sequence *sequence, bool (*run)(struct sequence *, struct error *), struct error *err)
{
    struct clip_list clips;
    SCOPED_ARENA arena = create_large_arena();
    const char *pictures = sequence->outputs->pictures, *film = sequence->outputs->film;
    if (film || strcmp(sequence->command, "render") != 0) /* made to be looked at */
        settings_prefer_view(sequence->settings, VIEW_STUDIO);
    sequence->late.backend = sequence->settings->backend;
    import_meanwhile(late_renderer_open, &sequence->late);
    struct scene *scene = pipeline_import(sequence->model, sequence->settings, err);
    if (scene && list_clips(scene, sequence->settings->clip, arena, &clips, err)) {
        const bool same = (pictures && !strstr(pictures, "{clip}")) || (film && !strstr(film, "{clip}"));
        bool good = clips.count == 1 || !same ||
                    error_set(err,
                              "--clip all: %zu clips need names that differ: put {clip} into that of -o and --film, as "
                              "a folder perhaps: -o 'out/{clip}/{frame:04}.png'",
                              clips.count);
        sequence->clips = clips.count;
        for (size_t i = 0; good && i < clips.count; i++) {
            sequence->settings->clip = clips.items[i].clip;
            sequence->clip = clips.items[i].file_name;
            good = pipeline_begin(&sequence->pipeline, scene, sequence->settings, err);
            if (good && i == 0)
                pipeline_warn(scene);
            if (good && sequence->group)
                good = group_open(&sequence->pipeline, sequence->group, err);
            if (good) {
                good = run(sequence, err);
                pipeline_end(&sequence->pipeline);
            }
            if (!good && clips.count > 1)
                error_prefix(err, "clip `%s`", sequence->settings->clip);
        }
    }
    scene_free(scene);
    renderer_leave(sequence->late.renderer);
    if (sequence->foreign.source)
        foreign_close(&sequence->foreign);
}

/* A sheet of so many tiles without words, which are still to be drawn. */
static struct sheet begin_sheet(const struct settings *settings, size_t count)
{
    struct sheet sheet = {.width = settings->width, .height = settings->height, .gap = SHEET_GAP};
    memcpy(sheet.page, settings->background, sizeof sheet.page);
    sheet_add_row(&sheet, NULL, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        sheet_add_tile(&sheet, NULL);
    return sheet;
}

/* Names must be well formed and differ, and a sheet have a size, before minutes go into drawing. */
static bool check_names(struct sequence *sequence, struct error *err)
{
    const bool sheet = sequence->settings->sheet;
    const char *pictures = sequence->outputs->pictures;
    if (sheet)
        sequence->sheet = begin_sheet(sequence->settings, sequence->count);
    if (sheet && !sheet_fits(&sequence->sheet, NULL, err))
        return error_prefix(err, "--sheet");
    if (!pictures)
        return !sheet || sequence->show.kind ||
               error_set(err, "--sheet: the sheet is named after -o, which is missing");
    if (!template_check_picture(pictures, err))
        return false;
    sequence->writes_frames = template_varies(pictures) || (sequence->count == 1 && !sheet);
    if (!sequence->writes_frames && !sheet)
        return error_set(
            err, "-o %s: %zu frames need names that differ: put {frame:04} or {time} into it, or ask for --sheet",
            pictures, sequence->count);
    return template_names_differ(pictures, values_of, sequence, sequence->writes_frames ? sequence->count : 1, err);
}

/* Or the model's own pose. */
static void show_foreign(struct sequence *sequence, bool shows)
{
    foreign_apply(shows ? &sequence->foreign : NULL, &sequence->pipeline);
    sequence->pipeline.scene = shows && sequence->foreign_scene ? sequence->foreign_scene : sequence->own_scene;
}

/* The camera frames both, so that foreign is seen where it is. */
static bool resolve_foreign(struct sequence *sequence, double time, struct error *err)
{
    struct pipeline *p = &sequence->pipeline;
    struct bounds both = sequence->bounds;
    SCOPED(text) given = {0};
    if (!sequence->foreign.source)
        return true;
    if (!pipeline_pose(p, time, err) || !foreign_resolve(&sequence->foreign, p, err))
        return false;
    const bool in_part = foreign_describe(&sequence->foreign, &given);
    const unsigned left_out = sequence->foreign.pose->left_out;
    bool good = foreign_scene(&sequence->foreign, p->scene, &sequence->foreign_scene, err);
    const bool is_drawn =
        sequence->foreign_scene || (left_out & (POSE_NODES | POSE_PALETTE)) != (POSE_NODES | POSE_PALETTE);
    if (good && is_drawn && (left_out & ~(unsigned)POSE_SKIN || in_part))
        log_note("%s gives %s; the rest is the model's own", sequence->foreign.name, text_string(&given));
    if (good && !is_drawn)
        good = error_set(err, "%s gives boxes of skinned meshes alone: nodes, a palette or positions can be drawn",
                         sequence->foreign.name);
    if (!good)
        return false;
    show_foreign(sequence, true);
    if (!pipeline_bounds(p, &time, 1, &sequence->bounds, err))
        return error_prefix(err, "%s", sequence->foreign.name);
    bounds_add(&sequence->bounds, &both);
    return true;
}

static bool prepare(struct sequence *sequence, struct error *err)
{
    const struct scene *scene = sequence->pipeline.scene;
    const struct settings *settings = sequence->settings;
    const char *film = sequence->outputs->film, *against = sequence->outputs->against;
    struct pipeline *p = &sequence->pipeline;
    uint32_t triangles = 0;
    struct camera camera;
    if (settings->upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "%s: --palette all is for rigproof render", sequence->command);
    const struct template_values first = values_of(sequence, 0);
    if (!check_names(sequence, err))
        return false;
    if (film && (strstr(film, "{clip}") || strstr(film, "{model}")) &&
        !(template_expand(film, TEMPLATE_NAME, &first, &sequence->film_path, err) &&
          file_make_parent(text_string(&sequence->film_path), err)))
        return error_prefix(err, "--film");
    if (film && sequence->film_path.size == 0)
        text_add(&sequence->film_path, film);
    const double *times = sequence->times;
    bool good = pipeline_bounds(p, times, sequence->count, &sequence->bounds, err) &&
                resolve_foreign(sequence, times[0], err) &&
                (!against || reference_pose_open(&sequence->against, against, p, times[0], err)) &&
                view_values_find_range(p, times, sequence->count, err) &&
                pipeline_camera(p, &sequence->bounds, &settings->orbit, &camera, err);
    const struct film_settings film_settings = {
        .path = text_string(&sequence->film_path), .width = settings->width, .height = settings->height,
        .count = (uint32_t)sequence->count, .fps = sequence->fps, .background = settings->background};
    if (good && film && !viewer_page_is_wanted(film))
        good = (sequence->film = film_open(&film_settings, err)) != NULL;
    for (uint32_t m = 0; m < scene->mesh_count && !triangles; m++)
        triangles = scene->meshes[m].triangle_count;
    if (good && !triangles && settings_overlays(settings) == 0)
        log_warning("%s has no triangles, so there is nothing to see; --overlay skeleton shows its nodes", scene->path);
    return good;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Writes the picture of a frame, or of the contact sheet. */
static bool write_image(const struct sequence *sequence, const struct image *image, enum template_mode mode,
                        const struct template_values *values, struct error *err)
{
    SCOPED(text) path = {0};
    bool good = template_open(sequence->outputs->pictures, mode, values, &path, err) &&
                image_write_png(image, text_string(&path), PNG_OUTPUT, err);
    if (good && mode == TEMPLATE_SHEET)
        log_note("contact sheet: %s", text_string(&path));
    return good;
}

/* The pipeline's pose at a time, seen by the camera. */
static bool draw_pose(struct sequence *sequence, double time, const struct camera *camera, struct image *out,
                      struct error *err)
{
    const bool is_theirs = sequence->pipeline.scene == sequence->foreign_scene;
    return pipeline_draw(&sequence->pipeline, sequence->late.renderer,
                         is_theirs ? sequence->their_model : sequence->gpu_model, time, &sequence->bounds, camera, out,
                         err);
}

/* The model's own at the left, foreign at the right. `image` becomes both. */
static bool draw_beside(struct sequence *sequence, double time, const struct camera *camera, struct image *image,
                        struct error *err)
{
    struct pipeline *pipeline = &sequence->pipeline;
    SCOPED(sheet) two = begin_sheet(sequence->settings, 2);
    two.columns = 2;
    two.tiles[1].image = *image;
    *image = (struct image){0};
    show_foreign(sequence, false);
    bool good = pipeline_pose(pipeline, time, err) && draw_pose(sequence, time, camera, &two.tiles[0].image, err);
    show_foreign(sequence, true);
    return good && sheet_draw(&two, image, err);
}

bool sequence_save_camera(const char **path, const struct camera *camera, struct error *err)
{
    SCOPED(text) json = {0};
    if (!*path)
        return true;
    camera_file_write(camera, &json);
    bool good = file_make_parent(*path, err) && file_write(*path, json.data, json.size, err);
    *path = NULL;
    return good || error_prefix(err, "--save-camera");
}

static bool draw_one(struct sequence *sequence, size_t i, struct error *err)
{
    struct pipeline *pipeline = &sequence->pipeline;
    const struct template_values values = values_of(sequence, i);
    struct orbit orbit = sequence->settings->orbit;
    struct camera camera;
    struct image image;
    orbit.yaw += frame_yaw(sequence->turn, i, sequence->count);
    pipeline->frame = values.frame;
    if (!pipeline_pose(pipeline, values.time, err) ||
        !pipeline_camera(pipeline, &sequence->bounds, &orbit, &camera, err))
        return false;
    if (!sequence_save_camera(&sequence->outputs->camera, &camera, err))
        return false;
    if (!draw_pose(sequence, values.time, &camera, &image, err) ||
        (sequence->beside && !draw_beside(sequence, values.time, &camera, &image, err)))
        return false;
    bool good =
        late_renderer_drew(&sequence->late, values.time, err) &&
        (!sequence->writes_frames || write_image(sequence, &image, TEMPLATE_NAME, &values, err)) &&
        (!sequence->film || film_add(sequence->film, &image, err)) &&
        (!sequence->show.kind || sequence->settings->sheet || terminal_show_image(&sequence->show, &image, err));
    if (sequence->settings->sheet)
        sequence->sheet.tiles[i].image = image;
    else
        image_release(&image);
    return good;
}

static bool draw_all(struct sequence *sequence, struct error *err)
{
    const size_t count = sequence->count;
    const struct template_values values = values_of(sequence, 0);
    SCOPED(image) sheet = {0};
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        if (!sequence->show.kind) /* a bar would be in the picture */
            log_progress(sequence->command, i, count);
        good = draw_one(sequence, i, err);
    }
    if (!sequence->show.kind)
        log_progress(sequence->command, count, count);
    if (good && sequence->settings->sheet)
        good = sheet_draw(&sequence->sheet, &sheet, err) &&
               (!sequence->outputs->pictures || write_image(sequence, &sheet, TEMPLATE_SHEET, &values, err)) &&
               (!sequence->show.kind || terminal_show_image(&sequence->show, &sheet, err));
    return good;
}

bool sequence_draw(struct sequence *sequence, const double *asked, size_t asked_count, struct error *err)
{
    const struct template_values first = values_of(sequence, 0);
    sequence->own_scene = sequence->pipeline.scene;
    struct text line = {0}; /* what film there is, or how frames become one */
    sequence->show.fps = sequence->moves ? sequence->fps : 0;
    bool good = prepare(sequence, err);
    if (good && viewer_page_is_wanted(sequence->outputs->film))
        good = viewer_page_film(&sequence->pipeline, &sequence->bounds, sequence->times, sequence->count,
                                sequence->turn, sequence->fps, text_string(&sequence->film_path), err);
    if (good && (sequence->outputs->pictures || sequence->film || sequence->show.kind)) {
        sequence->gpu_model = late_renderer_upload(&sequence->late, sequence->settings, sequence->own_scene, err);
        sequence->their_model = sequence->gpu_model && sequence->foreign_scene
                                    ? late_renderer_upload(&sequence->late, sequence->settings,
                                                           sequence->foreign_scene, err)
                                    : NULL;
        good = !error_is_set(err) && draw_all(sequence, err);
        if (!good)
            film_abandon(sequence->film);
        else if (sequence->film) {
            text_addf(&line, "%s, %zu frames, ", text_string(&sequence->film_path), sequence->count);
            text_add_double(&line, round(1e3 * sequence->fps) / 1e3);
            text_add(&line, " a second");
            good = film_close(sequence->film, err);
        } else if (sequence->count > 1 && sequence->writes_frames)
            template_film_command(sequence->outputs->pictures, &first, sequence->fps, &line, ERROR_IGNORED);
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
    sheet_release(&sequence->sheet);
    free(sequence->times);
    sequence->pipeline.scene = sequence->own_scene;
    reference_pose_close(&sequence->against);
    return good;
}

bool sequence_open_outputs(struct sequence *sequence, bool moves, const char *example, struct error *err)
{
    if (!sequence->outputs->pictures && !sequence->outputs->film && !sequence->outputs->show)
        return error_set(err, "%s: no output is named; add %s, or --show", sequence->command, example);
    if (sequence->outputs->show && sequence->outputs->pictures && strcmp(sequence->outputs->pictures, "-") == 0)
        return error_set(err, "%s: -o - and --show both are for standard output", sequence->command);
    settings_show_legend(sequence->settings);
    sequence->moves = moves;
    return terminal_show_begin(sequence->outputs->show, sequence->outputs->pictures || sequence->outputs->film,
                               &sequence->show, err);
}
