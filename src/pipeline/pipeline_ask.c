#include "pipeline/pipeline_ask.h"

#include <stdio.h>
#include <string.h>

#include "base/file/folder.h"
#include "draw/frame/camera.h"
#include "options/clip_mix.h"

/* Another rigproof is sent these with a request, as names and values of a command line: settings that are not the
 * defaults, but those that the request has of its own. Those of one name stand together. */
struct sent {
    const char *(*items)[2]; /* name, value */
    size_t count;
};

static void add(struct sent *sent, struct arena *arena, const char *name, const char *value)
{
    sent->items[sent->count][0] = name;
    sent->items[sent->count++][1] = arena_string(arena, value);
}

static void add_path(struct sent *sent, struct arena *arena, const char *name, const char *path)
{
    SCOPED(text) absolute = {0};
    folder_locate(path, &absolute);
    add(sent, arena, name, text_string(&absolute));
}

/* It is asked for one time after the other, and cannot find the range of all, which is sent unless it is NULL. */
static struct sent settings_sent(const struct settings *s, const struct value_range *range, struct arena *arena)
{
    static const char *const mix_names[MIX_KIND_COUNT] = {"blend", "transition", "mask", "add"};
    struct sent sent = {0};
    SCOPED(text) value = {0};
    size_t row = 0;
    sent.items = arena_alloc(arena, setting_count + 1 + s->mix_count + s->clips_from_count, sizeof *sent.items);
    while (settings_next_changed(s, SCOPE_SENT, &row, &value))
        add(&sent, arena, setting_table[row - 1].name, text_string(&value));
    if (s->shaders)
        add_path(&sent, arena, "shaders", s->shaders);
    if (s->in_place)
        add(&sent, arena, "in-place", "true");
    if (s->clip && (s->mix_count > 0 || clip_mix_is_still(s)))
        add(&sent, arena, "clip", s->clip);
    for (int kind = 0; kind < MIX_KIND_COUNT; kind++)
        for (size_t i = 0; i < s->mix_count; i++)
            if ((int)s->mix[i].kind == kind)
                add(&sent, arena, mix_names[kind], s->mix[i].text);
    for (size_t i = 0; i < s->clips_from_count; i++)
        add_path(&sent, arena, "clips-from", s->clips_from[i]);
    value.size = 0;
    if (range) {
        settings_write(&(struct settings){.range = *range}, "range", &value);
        add(&sent, arena, "range", text_string(&value));
    }
    return sent;
}

struct subject_request pipeline_request(const struct pipeline *p, const struct subject *subject, const char *path,
                                        const struct value_range *range, struct arena *arena)
{
    const struct clip *clip = p->is_still ? NULL : p->clip;
    struct sent sent = {0};
    struct text model = {0};
    folder_locate(path, &model);
    if (subject->spec->is_rigproof)
        sent = settings_sent(p->settings, p->values ? range : NULL, arena);
    return (struct subject_request){
        .model = arena_text(arena, &model), .clip = clip ? clip->name : NULL,
        .clip_index = clip ? (int32_t)(clip - p->scene->clips) : NO_INDEX,
        .wrap = p->settings->wrap == WRAP_HOLD ? "hold" : "loop", .wants = subject->hello.gives,
        .setting_count = sent.count, .settings = (const char *const(*)[2])sent.items,
    };
}

struct subject_picture pipeline_picture(const struct settings *s, const struct subject *subject,
                                        const struct camera *camera, const struct bounds *framed, long frame,
                                        struct arena *arena)
{
    struct subject_picture out = {.file = arena_printf(arena, "%s/picture.png", subject->folder), .width = s->width,
                                  .height = s->height, .seen.camera = *camera, .framed = *framed,
                                  .frame = (double)frame};
    for (int i = 0; i < 4; i++)
        out.background[i] = s->background[i];
    out.seen.camera.ortho_height = camera->fov_y > 0 ? 0 : 2 * camera->ortho_height;
    camera_matrices(camera, (float)s->width / (float)s->height, out.seen.view, out.seen.projection);
    remove(out.file);
    return out;
}

bool pipeline_ask_rest(const struct pipeline *p, struct subject *subject, const struct subject_request *asked,
                       const struct import_snapshot *import, struct subject_solution *solution, struct arena *arena,
                       struct error *err)
{
    struct settings settings = *p->settings;
    struct subject_request request = *asked;
    struct subject_answer answer;
    struct resolved resolved;
    struct pipeline rest;
    if (subject->spec->is_rigproof || p->is_still)
        return true;
    request.clip = NULL;
    request.time = 0;
    request.wants &= ~(unsigned)(SUBJECT_PICTURE | SUBJECT_IMPORT);
    if (!subject_ask(subject, &request, arena, &answer, err))
        return subject->end == SUBJECT_REFUSED && ((*err = (struct error){0}), true);
    settings.clip = "none";
    if (pipeline_begin(&rest, p->scene, &settings, ERROR_IGNORED)) {
        if (pipeline_pose(&rest, 0, ERROR_IGNORED))
            subject_resolve(subject, &answer, pipeline_gather(&rest, request.wants & SUBJECT_SKIN, arena), import,
                            solution, arena, &resolved, ERROR_IGNORED);
        pipeline_end(&rest);
    }
    return true;
}

void pose_keep_vertices(struct pose_snapshot *pose, struct arena *arena)
{
    for (struct skin_snapshot *skin = pose->skin; skin < pose->skin + pose->skin_count; skin++) {
        vec3 *points = ARENA_NEW(arena, vec3, (size_t)skin->position_count + skin->normal_count);
        if (skin->position_count > 0)
            memcpy(points, skin->positions, skin->position_count * sizeof *points);
        if (skin->normal_count > 0)
            memcpy(points + skin->position_count, skin->normals, skin->normal_count * sizeof *points);
        skin->positions = (const vec3 *)points;
        skin->normals = skin->positions + skin->position_count;
    }
}

struct pose_snapshot *pipeline_gather(struct pipeline *p, bool vertices, struct arena *arena)
{
    static const struct pose_part all = {.stages = POSE_STAGES, .vertices = true};
    struct pose_record record = pipeline_record(p);
    record.part = vertices ? &all : NULL;
    pipeline_skin(p);
    struct pose_snapshot *pose = pose_snapshot_gather(&record, arena);
    if (vertices)
        pose_keep_vertices(pose, arena);
    return pose;
}
