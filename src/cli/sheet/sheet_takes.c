#include "cli/sheet/sheet_takes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cglm/cglm.h>

#include "base/memory.h"
#include "data/scene/scene.h"
#include "draw/frame/camera.h"
#include "pipeline/view_values.h"

bool open_take(const struct shown_model *model, const struct take *take, struct open_take *open, struct error *err)
{
    const struct settings *given = model->maker->request->settings;
    struct settings *s = &open->settings;
    *open = (struct open_take){.settings = *given};
    s->mix = given->mix_count ? memory_new(given->mix_count, sizeof *s->mix) : NULL;
    if (given->mix_count)
        memcpy(s->mix, given->mix, given->mix_count * sizeof *s->mix);
    bool good = !model->is_skeleton || settings_set(s, "overlay", "skeleton", err);
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        for (int i = 0; good && take->choices[axis] && i < 2; i++)
            if (take->choices[axis]->set[i][0])
                good = settings_set(s, take->choices[axis]->set[i][0], take->choices[axis]->set[i][1], err);
    if (s->overlays == OVERLAYS_OF_VIEW && model->maker->sheet->has_words)
        s->overlays = 0; /* the sheet has the legend, once */
    if (isnan(s->range.least) && model->ranges[s->view].least < model->ranges[s->view].most)
        s->range = model->ranges[s->view];
    good = good && pipeline_begin(&open->pipeline, model->scene, s, err);
    if (!good)
        close_take(open);
    return good;
}

void close_take(struct open_take *open)
{
    pipeline_end(&open->pipeline);
    free(open->settings.mix);
    *open = (struct open_take){0};
}

static void add_range(struct value_range *all, const struct value_range *one)
{
    const bool is_first = !(all->least < all->most);
    all->least = is_first || one->least < all->least ? one->least : all->least;
    all->most = is_first || one->most > all->most ? one->most : all->most;
}

/* The vertices of the last pose that the shown bone holds. */
static void add_held(struct pipeline *pipeline, struct bounds *out)
{
    const struct scene *scene = pipeline->scene;
    pipeline_skin(pipeline);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++)
            for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++)
                if ((int32_t)mesh->bones[mesh->influences[k].bone].node == pipeline->shown_node)
                    bounds_add_points(out, (const vec3 *)&pipeline->skinned[i].positions[v], 1);
    }
}

static bool measure_held(struct pipeline *pipeline, struct take *take, struct error *err)
{
    for (size_t i = 0; i < take->count; i++) {
        if (!pipeline_pose(pipeline, take->times[i], err))
            return false;
        add_held(pipeline, &take->held);
    }
    if (!bounds_is_empty(&take->held))
        take->held = place_bounds(pipeline, &take->held);
    return true;
}

/* Says whether the model is at all times where it is at the first. */
static bool is_at_rest(struct pipeline *p, const struct take *take, bool *out, struct error *err)
{
    const float near = 1e-4f; /* of axes, and of the largest offset: what exporters make of a pose that is kept */
    const size_t count = 16 * (size_t)p->pose.node_count, weights = p->pose.weight_count;
    float *first = memory_new(count + weights, sizeof *first), most = 0;
    bool good = true;
    *out = true;
    for (size_t i = 0; good && *out && i < take->count; i++) {
        const float *globals = (const float *)p->pose.node_to_scene;
        good = pipeline_pose(p, take->times[i], err);
        for (size_t k = 0; k < count + weights && i == 0; k++) {
            first[k] = k < count ? globals[k] : p->pose.morph_weights[k - count];
            most = k < count && k % 16 / 4 == 3 && k % 4 < 3 ? fmaxf(most, fabsf(first[k])) : most;
        }
        for (size_t k = 0; k < count + weights && *out; k++)
            *out = fabsf((k < count ? globals[k] : p->pose.morph_weights[k - count]) - first[k]) <=
                   near * (k < count && k % 16 / 4 == 3 ? most : 1);
    }
    free(first);
    return good;
}

/* Its times, and into the model's where it is at them and what its view shows there. */
static bool measure_take(struct shown_model *model, struct take *take, bool is_new_pose, struct error *err)
{
    struct open_take open;
    struct pipeline *p = &open.pipeline;
    struct bounds bounds;
    if (!open_take(model, take, &open, err))
        return false;
    take->times = pipeline_times(p, &take->count, err);
    bool good = take->times != NULL;
    take->plays = arena_string(model->arena, p->plays ? p->plays : "rest pose");
    take->seconds = pipeline_duration(p);
    take->rate = pipeline_film_rate(p, take->count);
    if (good && model->maker->request->has_default_times && take->count > 1) {
        bool is_still;
        good = is_at_rest(p, take, &is_still, err);
        take->count = good && is_still ? 1 : take->count;
    }
    if (good && is_new_pose) {
        good = pipeline_bounds(p, take->times, take->count, &bounds, err);
        if (good) {
            bounds_add(&model->bounds, &bounds);
            sheet_before_measure(&model->before, &open.settings, take->times, take->count);
            pipeline_note_times(p, take->times, take->count);
        }
    }
    if (good && p->values && isnan(model->maker->request->settings->range.least)) {
        good = view_values_find_range(p, take->times, take->count, err);
        if (good)
            add_range(&model->ranges[open.settings.view], &p->values->range);
    }
    if (good && p->values && !model->scales[open.settings.view]) {
        struct text name = {0};
        view_values_name(p, &name);
        model->scales[open.settings.view] = arena_text(model->arena, &name);
    }
    take->held = bounds_empty();
    if (good && model->maker->request->is_close && open.settings.view == VIEW_BONE_WEIGHT)
        good = measure_held(p, take, err);
    close_take(&open);
    return good;
}

struct orbit take_orbit(const struct shown_model *model, const struct take *take, const struct settings *settings)
{
    static const float margin = 1.2f, least = 0.05f; /* of the model's radius: the surroundings of a single vertex */
    struct orbit orbit = settings->orbit;
    const float all = bounds_radius(&model->bounds), held = bounds_radius(&take->held);
    if (bounds_is_empty(&take->held) || !(all > 0) || !(held < all))
        return orbit;
    for (int i = 0; i < 3; i++)
        orbit.target[i] = 0.5f * (take->held.min[i] + take->held.max[i]);
    orbit.has_target = true;
    orbit.yaw += take->turn;
    orbit.zoom *= fmaxf(1, all / (margin * held + least * all));
    return orbit;
}

static struct fit *fit_of(const struct shown_model *model, const struct take *take)
{
    const struct sheet_choice *camera = take->choices[AXIS_CAMERA];
    return &model->fits[camera ? camera - model->axes.choices[AXIS_CAMERA] : 0];
}

/* A camera that was told how near to be, or what to look at, stays there; one of a pair of pictures, too. */
static bool is_fitted(const struct shown_model *model, const struct take *take, const struct settings *s)
{
    const bool is_told = s->orbit.zoom < 1 || s->orbit.zoom > 1 || s->orbit.has_target || s->orbit.ortho_height > 0 ||
                         s->pan[0] != 0 || s->pan[1] != 0 || s->aim_bone.length > 0;
    return s->camera_kind == CAMERA_ORBIT && !is_told && s->crowd[0] == 0 && bounds_is_empty(&take->held) &&
           !model->maker->request->varies[AXIS_SIDE];
}

/* Adds where the vertices of the last pose are in the picture. */
static bool add_seen(const struct shown_model *model, struct pipeline *p, const struct take *take, struct error *err)
{
    const struct settings *s = p->settings;
    const struct orbit orbit = take_orbit(model, take, s);
    struct fit *fit = fit_of(model, take);
    struct camera camera;
    mat4 view, projection, to_clip;
    if (!pipeline_camera(p, &model->bounds, &orbit, &camera, err))
        return false;
    camera_matrices(&camera, (float)s->width / (float)s->height, view, projection);
    glm_mat4_mul(projection, view, to_clip);
    if (p->is_placed)
        glm_mat4_mul(to_clip, p->place, to_clip);
    pipeline_skin(p);
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        for (uint32_t v = 0; v < p->skinned[i].vertex_count; v++) {
            const float *at = p->skinned[i].positions[v];
            vec4 clip;
            glm_mat4_mulv(to_clip, (vec4){at[0], at[1], at[2], 1}, clip);
            for (int c = 0; c < 2 && clip[3] > 0; c++) {
                fit->min[c] = fminf(fit->min[c], clip[c] / clip[3]);
                fit->max[c] = fmaxf(fit->max[c], clip[c] / clip[3]);
            }
        }
    return true;
}

static bool measure_fit(const struct shown_model *model, const struct take *take, struct error *err)
{
    struct open_take open;
    if (!open_take(model, take, &open, err))
        return false;
    bool good = true;
    for (size_t i = 0; good && is_fitted(model, take, &open.settings) && i < take->count; i++)
        good = pipeline_pose(&open.pipeline, take->times[i], err) && add_seen(model, &open.pipeline, take, err);
    close_take(&open);
    return good;
}

void take_fit(const struct shown_model *model, const struct take *take, const struct settings *settings,
              struct camera *camera)
{
    static const float margin = 1.1f, least = 0.02f;
    const struct fit *fit = fit_of(model, take);
    float half = least, pan[2];
    if (!is_fitted(model, take, settings) || !(fit->min[0] <= fit->max[0]))
        return;
    for (int c = 0; c < 2; c++) {
        half = fmaxf(half, 0.5f * margin * (fit->max[c] - fit->min[c]));
        pan[c] = 0.25f * (fit->max[c] + fit->min[c]);
    }
    camera_pan(camera, pan, (float)settings->width / (float)settings->height);
    camera->fov_y = (float)(2 * atan(tan(0.5 * (double)camera->fov_y) * (double)half));
    camera->ortho_height *= half;
}

/* Pixels with a colour: grey is what the bone does not hold, and the background of a picture drawn for this. */
static size_t count_colored(const struct image *image)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->rgba + 4 * i;
        count += p[0] != p[1] || p[1] != p[2];
    }
    return count;
}

/* A finger behind a hand is looked at from another side: from where half as much again is seen of it. */
static bool choose_turn(const struct shown_model *model, struct take *take, struct error *err)
{
    static const float turns[] = {0, 180, 90, 270};
    static const double enough = 1.5;
    struct open_take open;
    double most = 0;
    float best = 0;
    bool good = open_take(model, take, &open, err);
    open.settings.overlays = 0;
    open.settings.width = open.settings.height = 128;
    memset(open.settings.background, 0, sizeof open.settings.background);
    for (size_t i = 0; good && i < sizeof turns / sizeof turns[0]; i++) {
        struct camera camera;
        SCOPED(image) image = {0};
        take->turn = turns[i];
        const struct orbit orbit = take_orbit(model, take, &open.settings);
        bool drawn = pipeline_pose(&open.pipeline, take->times[0], err) &&
                     pipeline_camera(&open.pipeline, &model->bounds, &orbit, &camera, err) &&
                     pipeline_draw(&open.pipeline, model->maker->late.renderer, model->gpu, take->times[0],
                                   &model->bounds, &camera, &image, err);
        const double seen = drawn ? (double)count_colored(&image) : 0;
        if (seen > (i ? enough : 1) * most) {
            most = seen;
            best = turns[i];
        }
        good = drawn;
    }
    take->turn = best;
    close_take(&open);
    return good;
}

bool make_takes(struct shown_model *model, struct error *err)
{
    static const enum sheet_axis order[] = {AXIS_CLIP, AXIS_VIEW, AXIS_CAMERA, AXIS_STEP};
    enum { AXES = sizeof order / sizeof order[0] };
    const struct sheet_axes *axes = &model->axes;
    model->take_count = 1;
    for (int i = 0; i < AXES; i++)
        model->take_count *= axes->count[order[i]];
    model->takes = ARENA_NEW(model->arena, struct take, model->take_count);
    model->bounds = bounds_empty();
    for (size_t t = 0; t < model->take_count; t++) {
        struct take *take = &model->takes[t];
        size_t rest = t;
        for (int i = AXES; i-- > 0; rest /= axes->count[order[i]])
            take->choices[order[i]] = &axes->choices[order[i]][rest % axes->count[order[i]]];
        const bool is_new_pose =
            t == 0 || take->choices[AXIS_CLIP] != take[-1].choices[AXIS_CLIP] || axes->count[AXIS_STEP] > 1;
        if (!measure_take(model, take, is_new_pose, err))
            return false;
    }
    sheet_before_frame(&model->before, model->scene, &model->bounds);
    model->fits = ARENA_NEW(model->arena, struct fit, axes->count[AXIS_CAMERA]);
    for (size_t i = 0; i < axes->count[AXIS_CAMERA]; i++)
        model->fits[i] = (struct fit){.min = {INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY}};
    for (size_t t = 0; t < model->take_count; t++) /* of one view: the others have the same poses */
        if (model->takes[t].choices[AXIS_VIEW] == model->takes[0].choices[AXIS_VIEW] &&
            !measure_fit(model, &model->takes[t], err))
            return false;
    for (size_t t = 0; t < model->take_count; t++)
        if (!bounds_is_empty(&model->takes[t].held) && model->maker->request->settings->camera_kind == CAMERA_ORBIT &&
            !choose_turn(model, &model->takes[t], err))
            return false;
    return true;
}
