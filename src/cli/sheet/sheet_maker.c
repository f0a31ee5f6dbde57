#include "cli/sheet/sheet_maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/sheet/sheet_takes.h"
#include "compare/compare.h"
#include "data/image/color_scale.h"
#include "data/scene/scene.h"

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static const char *name_model(const struct shown_model *model)
{
    const struct sheet_request *request = model->maker->request;
    return path_distinct(model->path, request->models, request->model_count);
}

static void add_label(const struct shown_model *model, const struct plan *plan, enum sheet_axis axis, bool is_heading,
                      struct text *out)
{
    const struct sheet_request *request = model->maker->request;
    const struct take *take = plan->take;
    const struct sheet_choice *choice = take->choices[axis];
    if (axis == AXIS_MODEL) {
        text_add(out, name_model(model));
    } else if (axis == AXIS_TIME) {
        text_addf(out, "%.3f s", take->times[plan->time]);
        if (request->settings->time_choice == TIMES_FRAMES)
            text_addf(out, "%sframe %ld", is_heading ? ", " : "\n",
                      request->settings->first_frame + (long)plan->time * request->settings->frame_step);
    } else if (axis == AXIS_SIDE) {
        const char *const files[] = {model->path, request->before};
        text_add(out, plan->side == SIDE_BEFORE ? "before" : plan->side == SIDE_AFTER ? "after" : "difference");
        if (request->before && plan->side != SIDE_DIFFERENCE)
            text_addf(out, "\n%s", path_distinct(files[plan->side == SIDE_BEFORE], files, 2));
    } else if (axis == AXIS_CLIP) {
        text_add(out, choice && choice->label ? choice->label : take->plays);
        if (is_heading && take->seconds > 0)
            text_addf(out, " (%.3g s)", take->seconds);
    } else if (choice && choice->label) {
        const size_t length = is_heading ? strcspn(choice->label, "\n") : strlen(choice->label);
        text_add_bytes(out, choice->label, length);
        if (axis == AXIS_VIEW && take->turn > 0 && !is_heading)
            text_addf(out, "\nfrom yaw +%.0f", (double)take->turn);
    }
}

/* Writes what varies from row to row, but for the model, whose title stands above. */
static char *make_heading(const struct shown_model *model, const struct plan *plan, enum sheet_axis columns)
{
    struct text text = {0};
    for (int axis = AXIS_CLIP; axis < AXIS_COUNT; axis++)
        if (model->maker->request->varies[axis] && axis != (int)columns) {
            text_add(&text, text.size ? ", " : "");
            add_label(model, plan, (enum sheet_axis)axis, true, &text);
        }
    return text.data;
}

/* Writes what is the same for all tiles of the model, and what kind of model it is. */
static char *make_facts(const struct shown_model *model, const struct plan *plan, bool is_brief)
{
    const struct sheet_request *request = model->maker->request;
    const struct scene *scene = model->scene;
    struct text text = {0};
    uint32_t bones = 0, triangles = 0;
    if (request->varies[AXIS_STEP])
        text_addf(&text, "from %s to %s", request->sweep[0], request->sweep[1]);
    else if (!request->varies[AXIS_CLIP])
        text_add(&text, plan->take->plays);
    for (int axis = AXIS_VIEW; axis <= AXIS_TIME; axis++)
        if (!request->varies[axis] &&
            (axis == AXIS_TIME ? !request->is_film : plan->take->choices[axis]->label != NULL)) {
            text_add(&text, text.size ? ", " : "");
            add_label(model, plan, (enum sheet_axis)axis, true, &text);
        }
    for (uint32_t n = 0; n < scene->node_count; n++)
        bones += scene->nodes[n].is_bone;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        triangles += scene->meshes[scene->instances[i].mesh].triangle_count;
    if (!is_brief)
        text_addf(&text, "%s%u bone%s, %u triangle%s, %u clip%s", text.size ? ", " : "", bones, bones == 1 ? "" : "s",
                  triangles, triangles == 1 ? "" : "s", scene->clip_count, scene->clip_count == 1 ? "" : "s");
    const size_t prefix = name_prefix_length(&model->axes.bones);
    if (prefix > 0)
        text_addf(&text, ", bones without their %.*s", (int)prefix, model->axes.bones.of);
    return text.data;
}

static char *make_label(const struct shown_model *model, const struct plan *plan, enum sheet_axis columns)
{
    struct text text = {0};
    add_label(model, plan, columns, false, &text);
    if (columns == AXIS_MODEL) {
        FREED char *facts = make_facts(model, plan, true);
        text_addf(&text, "\n%s", facts ? facts : "");
    }
    return text.data;
}

/* ---- the table of tiles ------------------------------------------------------------------------------------------ */

/* Compares what a row has in common: a change begins another. */
static bool same_row(const struct shown_model *model, const struct plan *a, const struct plan *b,
                     enum sheet_axis columns)
{
    const bool *varies = model->maker->request->varies;
    for (int axis = AXIS_CLIP; axis < AXIS_SIDE; axis++)
        if (varies[axis] && axis != (int)columns &&
            (axis == AXIS_TIME ? a->time != b->time : a->take->choices[axis] != b->take->choices[axis]))
            return false;
    return true;
}

static void add_tile(struct shown_model *model, const struct take *take, size_t time, enum side side)
{
    const enum sheet_axis columns = sheet_column_axis(model->maker->request);
    struct sheet *sheet = model->maker->sheet;
    struct plan *plan = &model->plans[model->plan_count];
    *plan = (struct plan){.take = take, .time = time, .side = side};
    const bool is_first = model->plan_count++ == 0;
    if (columns == AXIS_MODEL ? sheet->row_count == 0 : is_first || !same_row(model, plan, plan - 1, columns))
        sheet_add_row(sheet, NULL, NULL, make_heading(model, plan, columns));
    plan->row = sheet->row_count - 1;
    sheet_add_tile(sheet, make_label(model, plan, columns));
}

static void plan_tiles(struct shown_model *model)
{
    const struct sheet_request *request = model->maker->request;
    struct sheet *sheet = model->maker->sheet;
    const size_t steps = model->axes.count[AXIS_STEP];
    const struct plan first = {.take = model->takes};
    size_t most = 0, times = 0;
    for (size_t t = 0; t < model->take_count; t++) {
        times += model->takes[t].count;
        most = model->takes[t].count > most ? model->takes[t].count : most;
    }
    model->plans = ARENA_NEW(model->arena, struct plan, 3 * times);
    if (sheet_column_axis(request) != AXIS_MODEL)
        sheet_add_row(sheet, memory_string(name_model(model)), make_facts(model, &first, false), NULL);
    model->first_tile = sheet->tile_count;
    for (size_t t = 0; t < model->take_count; t += steps) /* those of a sweep stand beside each other */
        for (size_t k = 0; k < (request->is_film ? 1 : most); k++)
            for (size_t s = 0; s < steps; s++) {
                const struct take *take = &model->takes[t + s];
                if (k >= take->count)
                    continue;
                if (request->varies[AXIS_SIDE])
                    add_tile(model, take, k, SIDE_BEFORE);
                add_tile(model, take, k, SIDE_AFTER);
                if (request->varies[AXIS_SIDE])
                    add_tile(model, take, k, SIDE_DIFFERENCE);
            }
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* The third of a row: what differs between the two before it, with the figures below. */
static bool draw_difference(struct shown_model *model, size_t tile, size_t row_index, const char *why_none,
                            struct error *err)
{
    struct sheet_maker *maker = model->maker;
    struct sheet *sheet = maker->sheet;
    struct sheet_row *row = &sheet->rows[row_index];
    const uint8_t *background = maker->request->settings->background;
    const struct image *before = &sheet->tiles[tile - 2].image, *after = &sheet->tiles[tile - 1].image;
    struct image *out = &sheet->tiles[tile].image;
    struct image_result result = {0};
    struct text text = {0};
    uint32_t changed = 0;
    if (why_none)
        return sheet_write_tile(out, sheet->width, sheet->height, background, "nothing to compare", err);
    SCOPED_ARENA arena = arena_require(1 << 20);
    compare_images(before, after, background, 0, arena, &result);
    compare_images_diagnose(before, after, &result, out, NULL);
    for (uint32_t i = 0; i < result.level_count; i++)
        changed += result.levels[i].count;
    const double share = result.foreground ? 100.0 * changed / result.foreground : 0;
    text_add(&text, "difference");
    if (changed == 0)
        text_add(&text, ": none");
    else
        text_addf(&text, "\n%u pixels, %.3g %%\nmax %d, FLIP %.2g", changed, share, result.max_delta, result.flip_p999);
    if (maker->film) { /* the words of a film stand still */
        text_release(&text);
    } else {
        free(sheet->tiles[tile].label);
        sheet->tiles[tile].label = text.data;
    }
    maker->compared++;
    maker->different += changed > 0;
    if (share > maker->worst) {
        maker->worst = share;
        free(maker->worst_heading);
        maker->worst_heading = memory_string(row->heading ? row->heading : name_model(model));
    }
    row->is_hidden = changed == 0 && maker->request->only_different;
    for (int i = 0; i < 3 && row->is_hidden; i++)
        image_release(&sheet->tiles[tile - (size_t)i].image);
    return true;
}

/* A tile, and before and after of it the three. */
static bool draw_tile(struct shown_model *model, struct pipeline *pipeline, const struct plan *plan, size_t tile,
                      struct error *err)
{
    struct sheet_maker *maker = model->maker;
    const double time = plan->take->times[plan->time];
    struct sheet *sheet = maker->sheet;
    struct error why = {0};
    struct camera camera;
    pipeline->frame = pipeline_frame_number(pipeline, plan->time);
    const struct orbit orbit = take_orbit(model, plan->take, pipeline->settings);
    if (!pipeline_pose(pipeline, time, err) || !pipeline_camera(pipeline, &model->bounds, &orbit, &camera, err))
        return false;
    take_fit(model, plan->take, pipeline->settings, &camera);
    if (!sequence_save_camera(&maker->camera_file, &camera, err))
        return false;
    const bool is_alone = plan->side == SIDE_AFTER;
    const bool is_drawn = pipeline_draw(pipeline, maker->late.renderer, model->gpu, time, &model->bounds, &camera,
                                        &sheet->tiles[is_alone ? tile : tile + 1].image, err);
    if (is_alone || !is_drawn)
        return is_drawn;
    bool is_there =
        pipeline_pose(pipeline, time, err) && /* a crowd leaves another */
        sheet_before_draw(&model->before, pipeline, &model->bounds, &camera, &sheet->tiles[tile].image, &why);
    if (!is_there && !sheet_write_tile(&sheet->tiles[tile].image, sheet->width, sheet->height,
                                       pipeline->settings->background, why.text, err))
        return false;
    return draw_difference(model, tile + 2, plan->row, is_there ? NULL : why.text, err);
}

/* A pipeline for each take, one at a time; `frame` of a film, else 0. */
static bool draw_tiles(struct shown_model *model, size_t frame, struct error *err)
{
    struct sheet_maker *maker = model->maker;
    const struct take *played = NULL;
    struct open_take open = {0};
    bool good = true;
    for (size_t i = 0; good && i < model->plan_count; i += model->plans[i].side == SIDE_BEFORE ? 3 : 1) {
        struct plan *plan = &model->plans[i];
        if (maker->film)
            plan->time = frame % plan->take->count;
        else
            log_progress("sheet", i, model->plan_count);
        if (plan->take != played) {
            close_take(&open);
            played = plan->take;
            good = open_take(model, played, &open, err) && pipeline_pose(&open.pipeline, played->times[0], err);
            if (good)
                pipeline_hold_target(&open.pipeline);
        }
        good = good && draw_tile(model, &open.pipeline, plan, model->first_tile + i, err);
        good = good && late_renderer_drew(&maker->late, plan->take->times[plan->time], err);
    }
    if (!maker->film)
        log_progress("sheet", model->plan_count, model->plan_count);
    close_take(&open);
    return good;
}

/* As many frames as the longest take has; shorter ones begin anew. */
static bool draw_film(struct shown_model *model, const uint32_t size[2], struct error *err)
{
    struct sheet_maker *maker = model->maker;
    struct film_settings settings = {
        .path = maker->film, .width = size[0], .height = size[1], .fps = model->takes[0].rate,
        .background = maker->sheet->page};
    size_t count = 0;
    for (size_t t = 0; t < model->take_count; t++)
        count = model->takes[t].count > count ? model->takes[t].count : count;
    settings.count = (uint32_t)count;
    struct film *film = film_open(&settings, err);
    bool good = film != NULL;
    for (size_t i = 0; good && i < count; i++) {
        SCOPED(image) image = {0};
        log_progress("sheet", i, count);
        good = draw_tiles(model, i, err) && sheet_draw(maker->sheet, &image, err) && film_add(film, &image, err);
    }
    log_progress("sheet", count, count);
    if (!good) {
        film_abandon(film);
        return false;
    }
    log_note("film: %s, %ux%u, %zu frames, %.6g a second", maker->film, size[0], size[1], count, settings.fps);
    return film_close(film, err);
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

/* Whatever one of the views needs. */
static void wants_of_views(const struct sheet_request *request, struct settings *settings)
{
    struct settings probe = *settings;
    for (size_t i = 0; i < request->views.count; i++)
        if (settings_set(&probe, "view", request->views.items[i], ERROR_IGNORED)) {
            const struct import_options needed = import_needed(&probe);
            settings->import.surfaces = settings->import.surfaces || needed.surfaces;
            settings->import.tangents = settings->import.tangents || needed.tangents;
        }
}

static bool open_model(struct shown_model *model, struct error *err)
{
    struct sheet_maker *maker = model->maker;
    const struct sheet_request *request = maker->request;
    struct settings settings = *request->settings;
    uint32_t triangles = 0;
    wants_of_views(request, &settings);
    if (!maker->late.renderer)
        import_meanwhile(late_renderer_open, &maker->late);
    model->scene = pipeline_import(model->path, &settings, err);
    if (!model->scene)
        return false;
    late_renderer_open(&maker->late);
    if (maker->late.renderer)
        pipeline_warn(model->scene);
    for (uint32_t m = 0; m < model->scene->mesh_count; m++)
        triangles += model->scene->meshes[m].triangle_count;
    model->is_skeleton = triangles == 0 && settings_overlays(&settings) == 0;
    model->gpu = late_renderer_upload(&maker->late, &settings, model->scene, err);
    return model->gpu && (!request->varies[AXIS_SIDE] ||
                          sheet_before_open(&model->before, request, model->path, &settings, &maker->late,
                                            model->arena, err));
}

static void add_legends(const struct shown_model *model)
{
    static const struct {
        enum sheet_axis axis;
        const char *what;
    } limited[] = {{AXIS_CLIP, "clips"}, {AXIS_VIEW, "bones"}};
    for (int i = 0; i < 2; i++) {
        const size_t left_out = model->axes.left_out[limited[i].axis], shown = model->axes.count[limited[i].axis];
        struct text text = {0};
        if (left_out == 0)
            continue;
        text_addf(&text, "%s: %zu of %zu %s are shown; --most %zu shows all", name_model(model), shown,
                  shown + left_out, limited[i].what, shown + left_out);
        log_note("%s", text_string(&text));
        sheet_add_legend(model->maker->sheet, &(struct sheet_legend){.text = text.data});
    }
}

/* The colours of each view on a scale, which are the same in all tiles of the model. */
static void add_scales(const struct shown_model *model)
{
    const struct sheet_request *request = model->maker->request;
    const struct value_range given = request->settings->range;
    for (int view = 0; view < VIEW_COUNT; view++) {
        const struct color_scale *scale = color_scale_of((enum view)view);
        const struct value_range *range = given.least <= given.most ? &given : &model->ranges[view];
        struct text text = {0};
        struct sheet_legend legend = {.ramp_count = SCALE_COLORS};
        if (!model->scales[view] || request->settings->overlays != OVERLAYS_OF_VIEW)
            continue;
        if (request->model_count > 1)
            text_addf(&text, "%s, ", name_model(model));
        text_addf(&text, "%s:", model->scales[view]);
        legend.text = text.data;
        legend.ramp = scale->colors;
        color_scale_write(color_scale_number(scale, range, 0), sizeof legend.from, legend.from);
        color_scale_write(color_scale_number(scale, range, 1), sizeof legend.to, legend.to);
        sheet_add_legend(model->maker->sheet, &legend);
    }
}

/* Its tiles that have no picture say why; where it has none at all it gets one. */
static void tell_failure(struct shown_model *model, const struct error *why)
{
    struct sheet *sheet = model->maker->sheet;
    log_warning("%s", why->text);
    model->maker->failed++;
    if (model->plan_count == 0) {
        if (sheet_column_axis(model->maker->request) != AXIS_MODEL || sheet->row_count == 0)
            sheet_add_row(sheet, NULL, NULL, NULL);
        model->first_tile = sheet->tile_count;
        sheet_add_tile(sheet, memory_string(name_model(model)));
    }
    for (size_t i = model->first_tile; i < sheet->tile_count; i++)
        if (!sheet->tiles[i].image.rgba)
            sheet_write_tile(&sheet->tiles[i].image, sheet->width, sheet->height,
                             model->maker->request->settings->background, why->text, ERROR_IGNORED);
}

bool sheet_add_model(struct sheet_maker *maker, const char *path, struct error *err)
{
    struct shown_model model = {.maker = maker, .path = path, .arena = create_large_arena()};
    struct error why = {0};
    bool is_too_large = false;
    uint32_t size[2];
    bool good = open_model(&model, &why) &&
                sheet_axes_make(maker->request, model.scene, model.arena, &model.axes, &why) &&
                make_takes(&model, &why);
    if (good) {
        plan_tiles(&model);
        add_legends(&model);
        add_scales(&model);
        good = sheet_fits(maker->sheet, size, &why);
        is_too_large = !good;
        good = good && (maker->film ? draw_film(&model, size, &why) : draw_tiles(&model, 0, &why));
    }
    if (!good && maker->late.renderer && !is_too_large && maker->request->model_count > 1) {
        tell_failure(&model, &why);
        good = true;
    }
    if (!good)
        *err = why;
    for (size_t t = 0; model.takes && t < model.take_count; t++)
        free(model.takes[t].times);
    sheet_before_close(&model.before);
    gpu_model_destroy(model.gpu);
    scene_free(model.scene);
    arena_destroy(model.arena);
    return good;
}
