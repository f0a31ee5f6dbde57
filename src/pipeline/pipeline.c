#include "pipeline/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/sort.h"
#include "data/affine.h"
#include "data/scene/upload_format.h"
#include "palette/dual_quaternion.h"
#include "palette/palette_stage.h"
#include "palette/skin.h"
#include "options/clip_mix.h"
#include "pipeline/view_values.h"

struct arena *create_large_arena(void)
{
    const size_t most = (size_t)1 << 34, least = (size_t)1 << 28;
    struct arena *arena = NULL;
    for (size_t size = most; !arena && size > least; size /= 2)
        arena = arena_create(size, ERROR_IGNORED);
    return arena ? arena : arena_require(least);
}

struct import_options import_needed(const struct settings *settings)
{
    struct import_options options = settings->import;
    options.tangents = options.tangents || settings->view == VIEW_TANGENTS ||
                       (settings->shaders && shader_folder_mentions(settings->shaders, "tangent"));
    for (size_t i = 0; i < settings->shader_map.count; i++)
        options.tangents = options.tangents || strcmp(settings->shader_map.entries[i].value, "tangent") == 0;
    /* these lie as the normal map does */
    options.surfaces = options.surfaces || settings->view == VIEW_STUDIO || options.tangents;
    return options;
}

void import_key(const char *path, const struct settings *settings, struct text *out)
{
    const struct import_options needed = import_needed(settings);
    SCOPED(text) value = {0};
    size_t row = 0;
    text_addf(out, "%s|%d|%d|%g|%zu", path, needed.surfaces, needed.tangents, needed.timeout_seconds,
              needed.memory_mib);
    while (settings_next_changed(settings, SCOPE_IMPORT, &row, &value))
        text_addf(out, "|%s=%s", setting_table[row - 1].name, text_string(&value));
}

struct scene *import_with_clips(const char *model, const struct settings *settings, bool wants_clips, struct error *err)
{
    const struct import_options options = import_needed(settings);
    struct scene *scene = import_scene(model, &options, err);
    for (size_t i = 0; scene && i < settings->clips_from_count; i++) {
        const char *path = settings->clips_from[i];
        struct scene *other = import_scene(path, &settings->import, err);
        uint32_t before = scene->clip_count;
        if (other)
            scene_adopt_clips(scene, other, &settings->clip_options);
        for (uint32_t k = 0; other && k < other->file_count; k++)
            scene_add_file(scene, other->files[k]);
        if (other && wants_clips && other->clip_count == 0)
            error_set(err, "--clips-from: %s has no clips", path);
        else if (other && wants_clips && scene->clip_count == before)
            error_set(err, "--clips-from: no clip of %s moves a node of %s", path, scene->path);
        scene_free(other);
        if (error_is_set(err)) {
            scene_free(scene);
            scene = NULL;
        }
    }
    return scene;
}

struct scene *pipeline_import(const char *model, const struct settings *settings, struct error *err)
{
    struct scene *scene = import_with_clips(model, settings, true, err);
    if (scene)
        scene_limit_influences(scene, settings->influences);
    return scene;
}

void pipeline_import_ahead(const char *model, const struct settings *settings)
{
    const struct import_options options = import_needed(settings);
    import_ahead(model, &options);
}

bool pipeline_begin(struct pipeline *p, struct scene *scene, const struct settings *settings, struct error *err)
{
    struct resolved_mix made;
    *p = (struct pipeline){.settings = settings, .scene = scene, .arena = create_large_arena(),
                           .up_axis = settings->up_axis >= 0 ? settings->up_axis : scene->up_axis,
                           .up_sign = settings->up_axis >= 0 ? 1 : scene->up_sign};
    const char *shown = settings->view == VIEW_BONE_WEIGHT ? settings->view_bone : NULL;
    p->shown_node = shown ? scene_find_bone(scene, shown, err) : NO_INDEX;
    bool good = !shown || p->shown_node != NO_INDEX || error_prefix(err, "--view");
    p->selected_node = good && settings->select ? scene_find_bone(scene, settings->select, err) : NO_INDEX;
    good = good && (!settings->select || p->selected_node != NO_INDEX || error_prefix(err, "--select"));
    p->target_node = NO_INDEX;
    if (good && settings->aim == AIM_AT_BONE) {
        const char *bone = arena_printf(p->arena, "%.*s", (int)settings->aim_bone.length, settings->aim_bone.data);
        p->target_node = scene_find_bone(scene, bone, err);
        good = p->target_node != NO_INDEX || error_prefix(err, "--camera target=");
    }
    place_matrix(p, p->place);
    p->is_placed = !affine_is_identity(p->place, 0);
    if (!good || !clip_mix_resolve(settings, scene, p->arena, &made, err)) {
        pipeline_end(p);
        return false;
    }
    p->clip = made.clip;
    p->plays = made.description;
    p->is_still = made.is_still;
    p->bind = made.bind;
    p->player = player_create(scene, &made.clip_mix, p->arena);
    p->pose = pose_create(p->scene, p->arena);
    p->palette = palette_create(p->scene, p->arena);
    p->skinned = skinned_create(p->scene, p->arena);
    if (settings->upload_format.skinning == SKINNING_DUAL_QUATERNION)
        p->joints = ARENA_NEW(p->arena, struct joint, p->palette.count);
    if (view_values_begin(p, err))
        return true;
    pipeline_end(p);
    return false;
}

void pipeline_end(struct pipeline *p)
{
    for (uint32_t k = 1; k < p->part_count; k++) /* the first one is this one's arena, and its scene the caller's */
        pipeline_close(&p->parts[k]);
    arena_destroy(p->arena);
    *p = (struct pipeline){0};
}

void pipeline_note_pose(const struct pipeline *p)
{
    const struct settings *s = p->settings;
    if (p->is_still && !s->clip)
        log_note("%s has no clips: this is its rest pose", p->scene->path);
    if (p->clip && s->clip && (strcmp(s->clip, "rest") == 0 || strcmp(s->clip, "bind") == 0))
        log_note("--clip %s: %s has a clip of that name, which is taken instead of the pose", s->clip, p->scene->path);
    for (uint32_t i = 0; i < p->scene->note_count && s->view == VIEW_WEIGHT_SUM; i++)
        if (p->scene->notes[i].kind == NOTE_REPAIR && strcmp(p->scene->notes[i].id, "normalise-weights") == 0) {
            log_note("--view weight-sum: weights are as the repair normalise-weights left them; --repair none shows "
                     "the file's");
            break;
        }
    for (size_t i = 0; i < s->mix_count; i++)
        if (s->mix[i].kind == MIX_ADD && s->mix[i].reference == TO_BIND_POSE && !p->bind->is_rest)
            log_note("--add %s: beyond the bind pose, which is not the rest pose here (that is @rest)", s->mix[i].text);
}

void pipeline_warn(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (scene->notes[i].kind == NOTE_WARNING)
            log_warning("%s: %s", scene->notes[i].id, scene->notes[i].text);
}

bool pipeline_open(struct pipeline *p, const char *model, const struct settings *settings, struct error *err)
{
    struct scene *scene = pipeline_import(model, settings, err);
    *p = (struct pipeline){0};
    if (!scene)
        return false;
    if (!pipeline_begin(p, scene, settings, err)) {
        scene_free(scene);
        return false;
    }
    pipeline_warn(scene);
    return true;
}

void pipeline_close(struct pipeline *p)
{
    scene_free(p->scene);
    pipeline_end(p);
}

bool pipeline_pose(struct pipeline *p, double time, struct error *err)
{
    p->time = time;
    if (p->part_count > 0)
        return group_pose(p, time, err);
    player_sample(p->player, time, &p->pose);
    palette_globals(p->scene, &p->pose);
    palette_compute(p->scene, &p->pose, p->settings->space, &p->palette);
    if (p->override)
        p->override(p->numbers, p);
    char what[256];
    struct pose_record record = pipeline_record(p);
    const char *needs = upload_format_needs_similarity(&p->settings->upload_format);
    if (!pose_find_not_finite(&record, what))
        return !needs || palette_check_similar(p->scene, &p->palette, needs, err) ||
               error_prefix(err, "%s, time %g s", p->scene->path, time);
    return error_set(err, "%s, time %g s: the %s is not finite", p->scene->path, time, what);
}

void pipeline_skin(struct pipeline *p)
{
    if (p->joints)
        skin_scene_dual_quaternion(p->scene, &p->palette, p->joints, p->skinned);
    else
        skin_scene(p->scene, &p->palette, p->skinned);
}

/* A skeleton without a mesh is framed by its joints. */
void pipeline_add_bounds(const struct pipeline *p, struct bounds *out)
{
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bounds_add_points(out, p->skinned[i].positions, p->skinned[i].vertex_count);
    for (uint32_t n = 0; p->scene->instance_count == 0 && n < p->scene->node_count; n++)
        bounds_add_points(out, (const vec3 *)&p->pose.node_to_scene[n][3], 1);
}

bool pipeline_bounds(struct pipeline *p, const double *times, size_t count, struct bounds *out, struct error *err)
{
    *out = bounds_empty();
    uint32_t instances = crowd_size(p->settings) ? crowd_size(p->settings) : 1;
    for (size_t i = 0; i < count * instances; i++) {
        uint32_t instance = (uint32_t)(i % instances);
        if (!pipeline_pose(p, crowd_time(p, times[i / instances], instance), err))
            return instances == 1 ? false : error_prefix(err, "--crowd: instance %u", instance + 1);
        if (i == 0)
            pipeline_hold_target(p);
        pipeline_skin(p);
        pipeline_add_bounds(p, out);
    }
    return true;
}

struct pose_record pipeline_record(const struct pipeline *p)
{
    return (struct pose_record){
        .scene = p->scene,
        .clip = p->plays,
        .time = p->time,
        .space = p->settings->space,
        .pose = &p->pose,
        .palette = &p->palette,
        .skinned = p->skinned,
    };
}

bool pipeline_set_upload(const struct settings *settings, struct renderer *renderer, struct gpu_model *model,
                         struct error *err)
{
    struct shader_set *shaders;
    return renderer_shaders(renderer, settings->shaders, &settings->shader_map, &shaders, err) &&
           gpu_model_set_upload(model, &settings->upload_format, shaders, err);
}

struct frame_settings pipeline_frame_settings(const struct pipeline *p, const struct bounds *bounds,
                                              const struct camera *camera)
{
    const struct settings *s = p->settings;
    struct frame_settings frame_settings = {
        .width = s->width,
        .height = s->height,
        .view = s->view,
        .overlays = settings_overlays(s),
        .profile = s->profile,
        .selected_node = p->selected_node,
        .shown_node = p->shown_node,
        .framed = crowd_bounds(p, bounds),
        .up_axis = p->up_axis,
        .up_sign = p->up_sign,
        .camera = *camera,
    };
    SCOPED(text) label = {0}; /* "walk", "0.250 s  frame 6" */
    text_addf(&label, "%s\n", !p->plays ? "rest pose" : p->is_still ? "bind pose" : p->plays);
    text_add_seconds(&label, p->time);
    text_addf(&label, " s  frame %ld", p->frame);
    snprintf(frame_settings.label, sizeof frame_settings.label, "%s", text_string(&label));
    memcpy(frame_settings.background, s->background, sizeof frame_settings.background);
    if (p->values)
        frame_settings.range = p->values->range;
    view_values_name_scale(p, &frame_settings);
    return frame_settings;
}

struct time_list {
    double *times;
    size_t count;
};

static void append(struct time_list *list, double time)
{
    list->times = memory_room(list->times, list->count, sizeof *list->times);
    list->times[list->count++] = time;
}

/* Times nearer than a microsecond are one: FBX key lists are unions with near-duplicates. */
static const double one_time = 1e-6;

size_t times_merge(double *times, size_t count)
{
    size_t kept = 0;
    sort_items(times, count, sizeof *times, compare_doubles);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || times[i] - times[kept - 1] > one_time)
            times[kept++] = times[i];
    return kept;
}

/* Those of a list of keys that play in one turn of the clip; what rounding puts behind its end is at it. */
static void add_times(const struct player *player, const struct player_clip_instance *clip_instance, double begins,
                      const struct keys *keys, struct time_list *list)
{
    for (uint32_t k = 0; k < keys->count; k++) {
        double time = begins + keys->times[k];
        bool is_played = keys->times[k] >= 0.0 && keys->times[k] <= clip_instance->clip->duration + one_time / 2;
        if (is_played && time >= clip_instance->from && time <= clip_instance->to + one_time / 2)
            append(list, player_seconds(player, time));
    }
}

/* Returns whether nothing of it moves from its last key to the end of the mix. */
static bool holds_after_keys(const struct pipeline *p, const struct player_clip_instance *clip_instance)
{
    const struct clip *clip = clip_instance->clip;
    const double end = clip->duration + one_time / 2;
    bool holds =
        p->settings->wrap == WRAP_HOLD || clip_instance->begins + clip->duration > clip_instance->to - one_time;
    for (uint32_t i = 0; holds && i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        holds = channel->after != EXTRAPOLATE_LINEAR && channel->after != EXTRAPOLATE_REPEAT;
        for (int c = 0; holds && c < COMPONENT_COUNT; c++)
            holds = channel->keys[c].count == 0 || channel->keys[c].times[channel->keys[c].count - 1] <= end;
    }
    for (uint32_t i = 0; holds && i < clip->morph_count; i++)
        holds = clip->morphs[i].keys.count == 0 || clip->morphs[i].keys.times[clip->morphs[i].keys.count - 1] <= end;
    return holds;
}

/* Keys and the middle between two, the last key exactly; where these are too many the first, the last and evenly
 * spread ones of the rest. */
static double *auto_times(const struct pipeline *p, size_t *count)
{
    enum { MOST_TURNS = 64 }; /* a clip that repeats more often plays at any time: its keys choose nothing */
    struct time_list list = {0};
    struct player_clip_instance clip_instance;
    const uint32_t most = p->settings->samples ? p->settings->samples : DEFAULT_SAMPLES;
    const double end = pipeline_duration(p);
    double last_key = -INFINITY;
    bool holds = p->settings->rate > 0;
    append(&list, 0.0);
    for (uint32_t n = 0; player_clip_instance(p->player, n, &clip_instance); n++) {
        const struct clip *clip = clip_instance.clip;
        const double ends[] = {player_seconds(p->player, clip_instance.from),
                               player_seconds(p->player, clip_instance.to)};
        double first = 0.0, last = 0.0;
        for (int i = 0; i < 2; i++)
            if (ends[i] < end)
                append(&list, ends[i]);
        holds = holds && holds_after_keys(p, &clip_instance);
        const size_t before = list.count;
        if (p->settings->wrap == WRAP_LOOP && clip->duration > 0) {
            first = floor((clip_instance.from - clip_instance.begins) / clip->duration);
            last = floor((clip_instance.to - clip_instance.begins) / clip->duration);
        }
        for (double turn = first; turn <= last && last - first <= MOST_TURNS; turn++) {
            double begins = clip_instance.begins + turn * clip->duration;
            if (turn > first && begins > clip_instance.to - one_time)
                break; /* a clip ends on its last key, not on the next turn's first */
            for (uint32_t i = 0; i < clip->channel_count; i++)
                for (int c = 0; c < COMPONENT_COUNT; c++)
                    add_times(p->player, &clip_instance, begins, &clip->channels[i].keys[c], &list);
            for (uint32_t i = 0; i < clip->morph_count; i++)
                add_times(p->player, &clip_instance, begins, &clip->morphs[i].keys, &list);
        }
        for (size_t i = before; i < list.count; i++)
            last_key = fmax(last_key, list.times[i]);
    }
    /* behind it nothing would be new */
    const bool is_key = last_key > end - one_time || (holds && last_key > one_time);
    append(&list, is_key ? last_key : end);
    list.count = times_merge(list.times, list.count);
    list.times[list.count - 1] = is_key ? last_key : end;
    for (size_t i = 0, keys = list.count; i + 1 < keys; i++)
        append(&list, 0.5 * (list.times[i] + list.times[i + 1]));
    list.count = times_merge(list.times, list.count);
    for (uint32_t i = 0; i < most && list.count > most; i++)
        list.times[i] = list.times[most > 1 ? (size_t)i * (list.count - 1) / (most - 1) : 0];
    *count = list.count < most ? list.count : most;
    return list.times;
}

/* The last is the end itself: its pose is that of the last key, in a clip that loops the first pose again. */
static double *even_times(const struct pipeline *p, size_t *count)
{
    const double end = pipeline_duration(p);
    const uint32_t parts = p->settings->even - 1;
    struct time_list list = {0};
    for (uint32_t i = 0; i <= parts; i++)
        append(&list, parts == 0 ? 0.5 * end : i == parts ? end : i * end / parts);
    list.count = times_merge(list.times, list.count); /* of a clip of no duration one is left */
    *count = list.count;
    return list.times;
}

double pipeline_duration(const struct pipeline *p)
{
    return player_duration(p->player);
}

void pipeline_tell_outside(const struct pipeline *p, const double *times, size_t count, struct text *out)
{
    const double slack = 1e-6, seconds = pipeline_duration(p);
    const bool wraps = p->settings->wrap == WRAP_LOOP;
    size_t outside = 0;
    double first = 0;
    for (size_t i = 0; i < count && !p->is_still && seconds > 0; i++)
        if (times[i] < -slack || times[i] > seconds + slack)
            first = outside++ ? first : times[i];
    if (outside == 0)
        return;
    if (count == 1)
        text_addf(out, "time %.6g s is ", first);
    else if (outside == 1)
        text_addf(out, "of %zu times %.6g s is ", count, first);
    else
        text_addf(out, "%zu of %zu times, the first %.6g s, are ", outside, count, first);
    const char *where = outside > 1 ? "outside of" : first < 0 ? "before the beginning of" : "beyond the end of";
    text_addf(out, "%s `%s` (%.6g s): ", where, p->plays, seconds);
    if (outside > 1)
        text_add(out, wraps ? "they are wrapped" : "the nearest end is shown");
    else if (wraps && p->settings->mix_count == 0) /* clips of a mix have a period each */
        text_addf(out, "it is wrapped to %.6g s", first - seconds * floor(first / seconds));
    else
        text_add(out, wraps ? "it is wrapped" : first < 0 ? "the beginning is shown" : "the end is shown");
}

void pipeline_note_times(const struct pipeline *p, const double *times, size_t count)
{
    SCOPED(text) says = {0};
    pipeline_tell_outside(p, times, count, &says);
    if (says.size > 0)
        log_warning("%s", text_string(&says));
}

double pipeline_frame_rate(const struct pipeline *p)
{
    return clip_mix_frame_rate(p->settings, p->clip);
}

double pipeline_film_rate(const struct pipeline *p, size_t count)
{
    double rate = pipeline_frame_rate(p), seconds = pipeline_duration(p);
    if (p->settings->time_choice == TIMES_FRAMES)
        return rate / (double)p->settings->frame_step;
    bool plays = p->settings->time_choice == TIMES_PLAY && seconds > 0;
    return plays && fabs((double)count - rate * seconds) > 1e-6 * (double)count ? (double)count / seconds : rate;
}

double pipeline_time(const struct pipeline *p, size_t i)
{
    const struct settings *s = p->settings;
    const double time = i < s->time_count ? s->times[i] : 0;
    const char unit = s->time_units && i < s->time_count ? s->time_units[i] : 's';
    return unit == 'f' ? time / pipeline_frame_rate(p) : unit == '%' ? time / 100 * pipeline_duration(p) : time;
}

long pipeline_frame_number(const struct pipeline *p, size_t i)
{
    const struct settings *s = p->settings;
    return s->time_choice == TIMES_FRAMES ? s->first_frame + (long)i * s->frame_step : (long)i;
}

double *pipeline_times(const struct pipeline *p, size_t *count, struct error *err)
{
    enum { MOST = 100000 };
    const struct settings *s = p->settings;
    bool is_frames = s->time_choice == TIMES_FRAMES, is_play = s->time_choice == TIMES_PLAY;
    double rate = pipeline_frame_rate(p), seconds = pipeline_duration(p), played = fmax(1, round(seconds * rate));
    double *times;
    if (is_play && !(seconds > 0))
        error_set(err, "--play, --film: nothing plays: there is no clip, or it has no duration; --time and --frames "
                       "choose times without one");
    else if (is_play && played > MOST)
        error_set(err, "--play: %.6g seconds would be %.0f frames, more than %d; use a lower --fps", seconds, played,
                  MOST);
    if (is_play && (!(seconds > 0) || played > MOST))
        return NULL;
    if (s->time_choice == TIMES_AUTO && p->plays) {
        times = auto_times(p, count);
    } else if (s->time_choice == TIMES_EVEN && p->plays) {
        times = even_times(p, count);
    } else {
        *count = is_play ? (size_t)played : is_frames ? settings_frame_count(s) : s->time_count;
        *count = *count ? *count : 1; /* without a choice 0 s */
        times = memory_new(*count, sizeof *times);
        for (size_t i = 0; i < *count; i++) /* the end of --play is left out: it is the beginning of the next round */
            times[i] = is_play     ? (double)i * seconds / played
                       : is_frames ? (double)pipeline_frame_number(p, i) / rate
                                   : pipeline_time(p, i);
    }
    return times;
}
