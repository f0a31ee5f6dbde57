/* Model files -> cases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/names.h"
#include "base/sort.h"
#include "data/measure.h"
#include "data/record/brief.h"
#include "case/run_case.h"
#include "suite/suite_expand.h"
#include "run/init/init.h"

/* The model with goldens that others of its base name are compared with. */
struct counterpart {
    const struct init_model *model;
    struct scene *scene;
};

/* Poses what the settings play at the times that the case will have. */
struct play {
    struct settings settings;
    struct pipeline pipeline;
    double *times;
    size_t count;
};

static bool begin_play(struct play *play, const struct init *init, struct scene *scene, const char *clip,
                       struct error *err)
{
    *play = (struct play){.settings = *init->settings};
    play->settings.clip = clip;
    if (!pipeline_begin(&play->pipeline, scene, &play->settings, err))
        return false;
    play->times = pipeline_times(&play->pipeline, &play->count, err);
    return play->times || (pipeline_end(&play->pipeline), false);
}

static void end_play(struct play *play)
{
    free(play->times);
    pipeline_end(&play->pipeline);
}

/* Times at which is seen what the others miss, while there are not many; what none shows is said. */
static bool add_times(struct play *play, struct init_case *c, bool *moves, struct arena *arena, struct error *err)
{
    enum { TIMES_MOST = 16 };
    struct unseen unseen = {0};
    SCOPED(text) list = {0}, safe = {0};
    const size_t count = play->count;
    bool good = play->count < 2 || pipeline_unseen(&play->pipeline, play->times, play->count, &unseen, err);
    *moves = *moves || unseen.count > 0;
    while (good && unseen.count > 0 && play->count < TIMES_MOST) {
        play->times = memory_grow(play->times, play->count + 1, sizeof *play->times);
        play->times[play->count++] = unseen.time;
        good = pipeline_unseen(&play->pipeline, play->times, play->count, &unseen, err);
    }
    if (play->count > count)
        sort_items(play->times, play->count, sizeof *play->times, compare_doubles);
    for (size_t i = 0; i < play->count && play->count > count; i++) {
        text_add(&list, i > 0 ? ", " : "");
        text_add_seconds(&list, play->times[i]);
    }
    text_add_name(&safe, text_string(&unseen.what));
    c->times = list.size > 0 ? arena_string(arena, text_string(&list)) : NULL;
    c->unseen = unseen.count > 0 ? arena_string(arena, text_string(&safe)) : NULL;
    text_release(&unseen.what);
    return good;
}

/* Finds whether a pose differs from the first, as a case asks. False with err set: also without anything to see. */
static bool find_motion(struct play *play, bool *moves, struct error *err)
{
    struct pipeline *p = &play->pipeline;
    struct pose first = {0};
    struct bounds bounds = bounds_empty();
    *moves = play->count < 2 || p->is_still;
    for (size_t i = 0; i < play->count; i++) {
        if (!pipeline_pose(p, play->times[i], err))
            return false;
        pipeline_skin(p);
        pipeline_add_bounds(p, &bounds);
        if (i == 0)
            first = pose_copy(&p->pose, p->scene, p->arena);
        *moves = *moves || memcmp(first.node_to_scene, p->pose.node_to_scene, first.node_count * sizeof(mat4)) != 0 ||
                 memcmp(first.morph_weights, p->pose.morph_weights, first.weight_count * sizeof(float)) != 0;
    }
    return bounds_radius(&bounds) > 0 || error_set(err, "all vertices are at one point: there is nothing to see");
}

/* Measures how far vertices are from the counterpart's, at the case's times; INFINITY: they cannot be compared. */
static double measure(struct play *play, struct play *other, const struct init_case *c)
{
    const struct tolerance any = {.agree = 1};
    const struct point_frame frame = {c->unit, c->up_axis}, standard = {1, 1};
    SCOPED_ARENA arena = create_large_arena();
    struct findings findings = {.arena = arena, .tolerance = &any};
    double most = 0;
    for (size_t i = 0; i < play->count && most < 1; i++) {
        struct point_set a, b;
        bool good = gather_points(&other->pipeline, play->times[i], arena, &a, ERROR_IGNORED) &&
                    gather_points(&play->pipeline, play->times[i], arena, &b, ERROR_IGNORED) && a.count > 0;
        most = good ? worse(most, compare_points(&a, &standard, &b, &frame, play->times[i], &findings)) : INFINITY;
    }
    return most;
}

/* Formats interpolate in their own ways between keys. What needs a wider tolerance than this is another animation. */
static const struct {
    double most; /* that is measured: a case needs some room */
    const char *tolerance;
} agreements[] = {{1e-5, NULL},           {2e-5 / 1.5, "0.00002"}, {5e-5 / 1.5, "0.00005"}, {1e-4 / 1.5, "0.0001"},
                  {2e-4 / 1.5, "0.0002"}, {5e-4 / 1.5, "0.0005"},  {1e-3 / 1.5, "0.001"}};

/* The counterpart's case of that clip, if the vertices are the same by one of the tolerances. */
static void find_counterpart(const struct init *init, const struct counterpart *counterpart, struct scene *scene,
                             uint32_t clip, struct play *play, struct init_case *c)
{
    const struct scene *other = counterpart->scene;
    const bool has_units = scene->unit_meters > 0 && other->unit_meters > 0, plays = scene->clip_count > 0;
    const struct clip *named =
        plays && other->clip_count > 0 ? scene_find_clip(other, scene->clips[clip].name, ERROR_IGNORED) : NULL;
    struct play theirs;
    if (plays != (other->clip_count > 0) || (other->up_axis != 1 && other->up_axis != scene->up_axis))
        return;
    c->unit = has_units ? scene->unit_meters / other->unit_meters : 1;
    c->up_axis = other->up_axis == scene->up_axis ? 1 : scene->up_axis;
    for (size_t i = 0; i < counterpart->model->case_count && !c->counterpart; i++) {
        const struct init_case *theirs_case = &counterpart->model->cases[i];
        const struct clip *theirs_clip = plays ? &other->clips[theirs_case->clip_index] : NULL;
        const bool may_be = !plays || (named ? theirs_clip == named /* where no name is found, by its length */
                                             : fabs(scene->clips[clip].duration - theirs_clip->duration) < 1e-3);
        if (!may_be || !begin_play(&theirs, init, counterpart->scene, theirs_case->clip, ERROR_IGNORED))
            continue;
        c->measured = measure(play, &theirs, c);
        for (size_t k = 0; k < sizeof agreements / sizeof agreements[0] && !c->counterpart; k++)
            if (c->measured <= agreements[k].most) {
                c->counterpart = theirs_case->name;
                c->agree = agreements[k].tolerance;
            }
        end_play(&theirs);
    }
}

/* A clip, or without any the rest pose. False with err set where it cannot be posed. */
static bool plan_case(struct init *init, const struct counterpart *counterpart, struct scene *scene, uint32_t clip,
                      struct init_model *model, struct error *err)
{
    struct arena *arena = init->arena;
    struct init_case *c = &model->cases[model->case_count];
    struct play play;
    bool moves = false;
    const char *end = "rest";
    *c = (struct init_case){.clip_index = clip,
                            .clip = scene->clip_count > 0 ? arena_string(arena, suite_clip_key(scene, clip, arena))
                                                          : "rest"};
    if (!begin_play(&play, init, scene, c->clip, err))
        return false;
    bool good = find_motion(&play, &moves, err) && add_times(&play, c, &moves, arena, err);
    if (good && counterpart->scene)
        find_counterpart(init, counterpart, scene, clip, &play, c);
    end_play(&play);
    if (!good)
        return false;
    c->allowed = (moves ? 0 : ALLOW_STILL) | (holds_nothing(scene) ? ALLOW_UNSKINNED : 0);
    c->shows_skeleton = true;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        c->shows_skeleton = c->shows_skeleton && scene->meshes[scene->instances[i].mesh].triangle_count == 0;
    if (scene->clip_count > 0)
        end = name_slug(clip_short_name(scene->clips[clip].name, arena), 100, arena);
    if (strcmp(end, model->name) == 0 || (scene->clip_count == 1 && strcmp(end, "clip-0") == 0))
        end = "";
    c->name = suite_case_name(model->name, end, init->names, init->name_count, arena);
    init->names[init->name_count++] = c->name;
    model->case_count++;
    return true;
}

void init_report_item(struct text *out, const char *before, const char *item, size_t at)
{
    enum { LISTED = 8 };
    if (at < LISTED) {
        text_add(out, at == 0 ? before : ", ");
        text_add_name(out, item);
    } else if (at == LISTED)
        text_add(out, ", ...");
}

/* Goldens would be without what is not read, drawn or played, so that the first few of each kind are said before. */
static void warn_of_losses(json_t *warned, const char *path, const struct scene *scene)
{
    enum { NOTES_MOST = 8 };
    for (uint32_t i = 0; i < scene->note_count; i++) {
        const struct note *note = &scene->notes[i];
        if (note->kind != NOTE_WARNING)
            continue;
        const json_int_t times = json_integer_value(json_object_get(warned, note->id)) + 1;
        json_object_set_new_nocheck(warned, note->id, json_integer(times));
        if (times <= NOTES_MOST)
            log_warning("%s: %s%s", path, note->text,
                        times == NOTES_MOST ? "; `rigproof inspect` tells it of more models" : "");
    }
}

/* "models/fox.fbx: 24 bones, 3 clips: Survey, Walk, Run; repaired: fbx-pivots; agrees with fox.glb" */
static void report_model(struct init *init, const struct init_model *model, const struct counterpart *counterpart,
                         const struct scene *scene)
{
    struct text *out = &init->report;
    size_t repairs = 0, agrees = 0;
    double farthest = 0;
    text_add_name(out, model->path);
    text_addf(out, ": %s", model->found);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        init_report_item(out, ": ", scene->clips[i].name, i);
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (scene->notes[i].kind == NOTE_REPAIR && note_is_first(scene, i))
            init_report_item(out, "; repaired: ", scene->notes[i].id, repairs++);
    for (size_t i = 0; i < model->case_count; i++) {
        agrees += model->cases[i].counterpart != NULL;
        farthest = fmax(farthest, model->cases[i].counterpart ? 0 : model->cases[i].measured);
    }
    if (counterpart->model && agrees == model->case_count)
        text_addf(out, "; agrees with %s", path_base(counterpart->model->path));
    else if (counterpart->model && isfinite(farthest) && farthest > 0)
        text_addf(out, "; %zu of %zu agree with %s, others are up to %.2g of its radius apart: goldens of their own",
                  agrees, model->case_count, path_base(counterpart->model->path), farthest);
    text_add(out, "\n");
}

/* Plans the cases of a scene that was imported. */
static void plan_model(struct init *init, const struct counterpart *counterpart, struct scene *scene,
                       const struct brief *brief, struct init_model *model)
{
    const uint32_t count = scene->clip_count > 0 ? scene->clip_count : 1;
    init->names = memory_grow(init->names, init->name_count + count, sizeof *init->names);
    model->cases = ARENA_NEW(init->arena, struct init_case, count);
    model->found = arena_printf(init->arena, "%u bone%s, %u clip%s", brief->bones, brief->bones == 1 ? "" : "s",
                                scene->clip_count, scene->clip_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < count; i++) {
        struct error why = {0};
        if (plan_case(init, counterpart, scene, i, model, &why))
            continue;
        init->unreadable++;
        error_prefix(&why, "%s, %s, is left out", model->path,
                     scene->clip_count > 0 ? scene->clips[i].name : "the rest pose");
        log_error("%s", why.text);
    }
    report_model(init, model, counterpart, scene);
    init->case_count += model->case_count;
}

void init_examine(struct init *init)
{
    struct counterpart counterpart = {0};
    struct left_out left_out = {0};
    json_auto_t *warned = json_object(); /* how often of each kind */
    size_t begun = 1; /* models whose import runs, or is over */
    const size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < init->model_count; i++) {
        for (; begun < init->model_count && begun <= i + cores; begun++)
            pipeline_import_ahead(init->models[begun].path, init->settings);
        struct init_model *model = &init->models[i];
        struct error why = {0};
        struct brief brief = {0};
        if (!model->is_counterpart) {
            scene_free(counterpart.scene);
            counterpart = (struct counterpart){0};
        }
        struct scene *scene = pipeline_import(model->path, init->settings, &why);
        log_progress("init", i + 1, init->model_count);
        if (scene) {
            brief_gather(scene, model->path, init->arena, &brief);
            log_progress_clear();
            warn_of_losses(warned, model->path, scene);
        }
        if (!scene) {
            init->unreadable++;
            log_progress_clear();
            log_error("%s", why.text);
        } else if (brief.bones == 0 && brief.clip_count == 0 && (!init->with_static || brief.triangles == 0)) {
            init_leave_out(&left_out, model->path);
            text_add(&init->left_out, "#   ");
            text_add_name(&init->left_out, model->path);
            text_add(&init->left_out, "\n");
        } else
            plan_model(init, &counterpart, scene, &brief, model);
        if (scene && model->case_count > 0 && !counterpart.scene)
            counterpart = (struct counterpart){model, scene};
        else
            scene_free(scene);
    }
    init_report_left_out(init, &left_out, "without bones and clips (--static takes them)", "model");
    scene_free(counterpart.scene);
}
