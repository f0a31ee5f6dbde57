#include "cli/sheet/sheet_takes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/scene/scene.h"
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
    if (isnan(s->range.least) && model->ranges[s->view].least < model->ranges[s->view].most)
        s->range = model->ranges[s->view];
    good = good && pipeline_begin(&open->pipeline, model->scene, s, err);
    if (!good)
        close_take(open);
    return good;
}

void close_take(struct open_take *open)
{
    if (open->pipeline.settings)
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

/* Its times, and into the model's where it is at them and what its view shows there. */
static bool measure_take(struct shown_model *model, struct take *take, bool is_new_pose, struct error *err)
{
    struct open_take open;
    struct pipeline *p = &open.pipeline;
    struct bounds bounds;
    if (!open_take(model, take, &open, err))
        return false;
    take->times = pipeline_times(p, &take->count, &take->frames, err);
    bool good = take->times != NULL;
    take->plays = arena_string(model->arena, p->plays ? p->plays : "rest pose");
    take->seconds = pipeline_duration(p);
    take->rate = pipeline_film_rate(p, take->count);
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
        struct image image = {0};
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
        image_release(&image);
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
    for (size_t t = 0; t < model->take_count; t++)
        if (!bounds_is_empty(&model->takes[t].held) && model->maker->request->settings->camera_kind == CAMERA_ORBIT &&
            !choose_turn(model, &model->takes[t], err))
            return false;
    return true;
}
