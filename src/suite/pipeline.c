#include "suite/pipeline.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "data/pose/similarity.h"
#include "draw/frame/camera.h"
#include "palette/dual_quaternion.h"
#include "palette/palette_stage.h"
#include "palette/skin.h"
#include "suite/crowd.h"
#include "suite/setting/clip_mix.h"

static bool adopt_clips(struct scene *scene, const char *path, const struct settings *settings, bool wants_clips,
                        struct error *err)
{
    struct scene *other = import_scene(path, &settings->import, err);
    if (!other)
        return false;
    uint32_t before = scene->clip_count;
    scene_adopt_clips(scene, other, &settings->clip_options);
    bool none = other->clip_count == 0;
    scene_free(other);
    if (wants_clips && none)
        return error_set(err, "--clips-from: %s has no clips", path);
    if (wants_clips && scene->clip_count == before)
        return error_set(err, "--clips-from: no clip of %s moves a node of %s", path, scene->path);
    return true;
}

struct scene *import_with_clips(const char *model, const struct settings *settings, bool wants_clips, struct error *err)
{
    struct scene *scene = import_scene(model, &settings->import, err);
    for (size_t i = 0; scene && i < settings->clips_from_count; i++)
        if (!adopt_clips(scene, settings->clips_from[i], settings, wants_clips, err)) {
            scene_free(scene);
            return NULL;
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

/* The node of the bone that an option names; true without one. */
static bool find_bone(const struct scene *scene, const char *name, const char *option, int32_t *out, struct error *err)
{
    *out = name ? scene_find_bone(scene, name, err) : NO_INDEX;
    return !name || *out != NO_INDEX || error_prefix(err, "%s", option);
}

/* Room for the poses, the palette, the tracks and every skinned vertex. */
static size_t working_memory(const struct scene *scene, const struct settings *s)
{
    size_t vertices = 0, keys = 0;
    size_t poses = 8 + 2 * s->mix_count;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t c = 0; c < scene->clips[i].channel_count; c++)
            for (int k = 0; k < COMPONENT_COUNT; k++)
                keys += scene->clips[i].channels[c].keys[k].count;
    return ((size_t)64 << 20) + vertices * 64 + (size_t)scene->node_count * (4096 + 256 * poses) +
           ((size_t)scene->binding_count + scene->instance_count + keys) * 512 +
           (size_t)scene->weight_count * 8 * poses;
}

bool pipeline_begin(struct pipeline *p, struct scene *scene, const struct settings *settings, struct error *err)
{
    struct resolved_mix made;
    *p = (struct pipeline){.settings = settings, .scene = scene};
    p->arena = arena_create(working_memory(p->scene, settings), err);
    const char *shown = settings->view == VIEW_BONE_WEIGHT ? settings->view_bone : NULL;
    if (!p->arena || !find_bone(scene, shown, "--view", &p->shown_node, err) ||
        !find_bone(scene, settings->select, "--select", &p->selected_node, err) ||
        !clip_mix_resolve(settings, scene, p->arena, &made, err)) {
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
    return true;
}

void pipeline_end(struct pipeline *p)
{
    arena_destroy(p->arena);
    *p = (struct pipeline){0};
}

void pipeline_note_pose(const struct pipeline *p)
{
    const struct settings *s = p->settings;
    if (p->is_still && !s->clip)
        log_note("%s has no clips: this is its rest pose", p->scene->path);
    if (p->clip && s->clip && (strcmp(s->clip, "rest") == 0 || strcmp(s->clip, "bind") == 0))
        log_note("--clip %s: %s has a clip of that name, which is meant before the pose", s->clip, p->scene->path);
    for (size_t i = 0; i < s->mix_count; i++)
        if (s->mix[i].kind == MIX_ADD && s->mix[i].reference == TO_BIND_POSE && !p->bind->is_rest)
            log_note("--add %s: beyond the bind pose, which is not the rest pose here (that is @rest)", s->mix[i].text);
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
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (scene->notes[i].kind == NOTE_WARNING)
            log_warning("%s: %s", scene->notes[i].id, scene->notes[i].text);
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
    player_sample(p->player, time, &p->pose);
    palette_globals(p->scene, &p->pose);
    palette_compute(p->scene, &p->pose, p->settings->space, &p->palette);
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

static bool file_camera(const struct pipeline *p, const struct bounds *bounds, struct camera *out, struct error *err)
{
    const struct scene *scene = p->scene;
    struct text list = {0};
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        int32_t node = scene->cameras[i].node;
        text_addf(&list, "%s%s", i ? ", " : "", scene->cameras[i].name);
        if (strcmp(scene->cameras[i].name, p->settings->camera_name) != 0)
            continue;
        *out = camera_from_scene(&scene->cameras[i], node == NO_INDEX ? NULL : &p->pose.node_to_scene[node], bounds);
        text_release(&list);
        return true;
    }
    error_set(err, "%s has no camera `%s`; it has: %s", scene->path, p->settings->camera_name,
              list.size ? text_string(&list) : "none");
    text_release(&list);
    return false;
}

bool pipeline_camera(const struct pipeline *p, const struct bounds *bounds, const struct orbit *orbit,
                     struct camera *out, struct error *err)
{
    const struct settings *s = p->settings;
    const struct bounds all = crowd_bounds(p, bounds);
    float aspect = (float)s->width / (float)s->height;
    if (s->camera_kind == CAMERA_OF_FILE)
        return file_camera(p, &all, out, err);
    int up_axis = s->up_axis >= 0 ? s->up_axis : p->scene->up_axis;
    int up_sign = s->up_axis >= 0 ? 1 : p->scene->up_sign;
    if (s->camera_kind == CAMERA_SAVED)
        *out = s->saved_camera;
    else if (s->camera_kind == CAMERA_FREE)
        *out = camera_free(&all, &s->free_camera, up_axis, up_sign);
    else
        *out = camera_orbit(&all, orbit, up_axis, up_sign, aspect);
    return true;
}

bool pipeline_set_upload(const struct settings *settings, struct renderer *renderer, struct gpu_model *model,
                         struct error *err)
{
    struct shader_set *shaders;
    return renderer_shaders(renderer, settings->shaders, &shaders, err) &&
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
        .overlays = s->overlays,
        .profile = s->profile,
        .selected_node = p->selected_node,
        .shown_node = p->shown_node,
        .framed = crowd_bounds(p, bounds),
        .camera = *camera,
    };
    struct text label = {0}; /* "walk", "0.250 s  frame 6" */
    text_addf(&label, "%s\n", !p->plays ? "rest pose" : p->is_still ? "bind pose" : p->plays);
    text_add_seconds(&label, p->time);
    text_addf(&label, " s  frame %ld", p->frame);
    snprintf(frame_settings.label, sizeof frame_settings.label, "%s", text_string(&label));
    text_release(&label);
    memcpy(frame_settings.background, s->background, sizeof frame_settings.background);
    return frame_settings;
}
