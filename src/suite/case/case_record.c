/* recorded.json's fingerprint and options, and the candidates of a run as files: what accept makes the golden. */
#include <math.h>
#include <string.h>

#include "base/file/file_writer.h"
#include "import/import.h"
#include "suite/case/case_run.h"

static void add(struct fingerprint *list, struct arena *arena, const char *name, const char *value)
{
    list->entries[list->count++] = (struct fingerprint_entry){name, arena_string(arena, value)};
}

bool case_owns(const char *name)
{
    if (strcmp(name, "backend") == 0 || strcmp(name, "shaders") == 0) /* settings, and facts of the renderer */
        return false;
    return setting_find(name) || strcmp(name, "model") == 0 || strcmp(name, "repairs") == 0 || strncmp(name, "assimp-", 7) == 0;
}

struct fingerprint case_fingerprint(const struct case_run *run)
{
    enum { OWN = 4 };
    const struct scene *scene = run->model->scene;
    struct fingerprint renderer, list = {0};
    struct text repairs = {0}; /* that changed something, each once, in the order of the scene's notes */
    renderer_fingerprint(renderer_info(run->renderer), run->shaders, run->arena, &renderer);
    list.entries = ARENA_NEW(run->arena, struct fingerprint_entry, renderer.count + OWN);
    memcpy(list.entries, renderer.entries, renderer.count * sizeof *list.entries);
    list.count = renderer.count;
    for (uint32_t i = 0; i < scene->note_count; i++) {
        bool seen = scene->notes[i].kind != NOTE_REPAIR;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = scene->notes[k].kind == NOTE_REPAIR && strcmp(scene->notes[k].id, scene->notes[i].id) == 0;
        if (!seen)
            text_addf(&repairs, "%s%s", repairs.size ? "," : "", scene->notes[i].id);
    }
    if (repairs.size == 0)
        text_add(&repairs, "none");
    add(&list, run->arena, "profile", run->c->settings.profile == PROFILE_NATIVE ? "native" : "portable");
    add(&list, run->arena, "assimp", scene->assimp_version);
    add(&list, run->arena, "repairs", text_string(&repairs));
    text_release(&repairs);
    add(&list, run->arena, "rigproof", run->options->rigproof);
    return list;
}

static struct fingerprint list_options(const struct case_run *run)
{
    static const char *const names[] = {
        "wrap", "space", "influences", "size", "background", "view", "overlay", "camera", "up", "blend", "transition",
        "mask", "add", "rate", "in-place", "select", "palette", "palette-format", "skinning", "weights", "shaders",
        "crowd", "crowd-phase", "assimp-flags"};
    enum { COUNT = sizeof names / sizeof names[0] };
    const struct settings *s = &run->c->settings;
    struct fingerprint list = {.entries = ARENA_NEW(run->arena, struct fingerprint_entry, COUNT + 2)};
    struct text value = {0};
    add(&list, run->arena, "model", path_base(run->model->scene->path));
    add(&list, run->arena, "clip", run->pipeline.plays ? run->pipeline.plays : "rest");
    for (size_t i = 0; i < COUNT; i++) {
        if ((strncmp(names[i], "crowd", 5) == 0 && s->crowd[0] == 0) ||
            (strcmp(names[i], "assimp-flags") == 0 && !s->import.assimp_flags))
            continue; /* goldens are older than they */
        value.size = 0;
        if (strcmp(names[i], "crowd-phase") == 0 && isnan(s->crowd_phase))
            text_add(&value, "spread");
        else
            settings_write(s, names[i], &value);
        add(&list, run->arena, names[i], text_string(&value));
    }
    text_release(&value);
    return list;
}

/* Assimp's file: two builds may call themselves the same. */
static struct fingerprint describe_library(struct arena *arena)
{
    const struct library_file *file = import_library_file();
    struct fingerprint list = {.entries = ARENA_NEW(arena, struct fingerprint_entry, 3)};
    add(&list, arena, "assimp-file", file->name ? file->name : "unknown");
    add(&list, arena, "assimp-soname", file->soname ? file->soname : "none");
    add(&list, arena, "assimp-build-id", file->build_id ? file->build_id : "none");
    return list;
}

void case_print_options(struct case_run *run)
{
    if (!run->golden.has_recorded || !run->pipeline.settings)
        return;
    const struct fingerprint now = list_options(run), library = describe_library(run->arena);
    fingerprint_add_differing(&run->golden.recorded.options, &now, run->arena, &run->result->golden,
                              &run->result->actual);
    fingerprint_add_differing(&run->golden.recorded.library, &library, run->arena, &run->result->golden,
                              &run->result->actual);
}

bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err)
{
    return file_write_below(run->options->output, arena_printf(run->arena, "%s/%s%s", run->c->name, label, suffix), data,
                            size, err);
}

/* Writes the text and releases it. The hash of its bytes, or NULL with err set. */
static const char *write_file(struct case_run *run, const char *label, const char *suffix, struct text *content,
                              struct error *err)
{
    char *hash = arena_alloc(run->arena, 17, 1);
    bytes_hash(content->data, content->size, hash);
    bool good = case_output(run, label, suffix, content->data, content->size, err);
    text_release(content);
    return good ? hash : NULL;
}

/* The pose and the picture of a time, which is drawn again. */
static bool write_time(struct case_run *run, size_t index, struct recorded_frame *frame, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct text json = {0}, png = {0};
    struct image image;
    struct frame_settings frame_settings;
    *frame = (struct recorded_frame){.label = sample->label, .time = sample->time, .pixels = sample->pixels};
    pose_snapshot_write(sample->snapshot, &json);
    frame->pose = write_file(run, sample->label, ".pose.json", &json, err);
    if (!frame->pose || !case_draw_sample(run, index, &image, &frame_settings, err))
        return false;
    frame->camera = frame_settings.camera;
    frame->png = image_encode_png(&image, PNG_GOLDEN, &png, err) ? write_file(run, sample->label, ".png", &png, err) : NULL;
    image_release(&image);
    if (frame->png)
        run->result->times[index].image.actual = arena_printf(run->arena, "%s/%s.png", run->c->name, sample->label);
    return frame->png != NULL;
}

bool case_write(struct case_run *run, struct error *err)
{
    struct recorded recorded = {
        .fingerprint = run->result->actual,
        .options = list_options(run),
        .library = describe_library(run->arena),
        .frame_count = (uint32_t)run->count,
        .frames = ARENA_NEW(run->arena, struct recorded_frame, run->count),
    };
    const struct text *import = &run->model->import_json;
    char hash[17];
    struct text text = {0};
    bytes_hash(import->data, import->size, hash);
    if (run->suite->shares_imports)
        recorded.import_file = shared_import_name(run->suite, run->c, run->arena);
    else
        recorded.import = hash;
    bool good = case_output(run, "import", ".json", import->data, import->size, err);
    for (size_t i = 0; good && i < run->count; i++)
        good = write_time(run, i, &recorded.frames[i], err);
    if (good)
        recorded_write(&recorded, &text);
    return good && write_file(run, "recorded", ".json", &text, err);
}
