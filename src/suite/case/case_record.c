/* recorded.json's fingerprint and options, and the candidates of a run as files: what accept makes the golden. */
#include <math.h>
#include <string.h>

#include "base/file/file_writer.h"
#include "import/import.h"
#include "suite/case/case_run.h"
#include "suite/setting/camera_setting.h"
#include "suite/setting/mix_options.h"

/* ---- what pixels depend on --------------------------------------------------------------------------------------- */

static void add(struct fingerprint *list, struct arena *arena, const char *name, const char *value)
{
    list->entries[list->count++] = (struct fingerprint_entry){name, arena_string(arena, value)};
}

/* Adds the text and empties it. */
static void add_text(struct fingerprint *list, struct arena *arena, const char *name, struct text *value)
{
    add(list, arena, name, text_string(value));
    text_release(value);
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
    renderer_fingerprint(run->renderer, run->shaders, run->arena, &renderer);
    list.entries = ARENA_NEW(run->arena, struct fingerprint_entry, renderer.count + OWN);
    for (uint32_t i = 0; i < renderer.count; i++)
        list.entries[list.count++] = renderer.entries[i];
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
    add_text(&list, run->arena, "repairs", &repairs);
    add(&list, run->arena, "rigproof", run->options->rigproof);
    return list;
}

/* ---- how it was posed and drawn ------------------------------------------------------------------------------------ */

static void add_clip_mix(struct fingerprint *list, struct arena *arena, const struct settings *s)
{
    const struct {
        const char *name;
        const struct mix_option_list *values;
    } lists[] = {{"blend", &s->blends}, {"transition", &s->transitions}, {"mask", &s->masks}, {"add", &s->additions}};
    struct text text = {0};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        mix_option_write_list(lists[i].values, &text);
        add_text(list, arena, lists[i].name, &text);
    }
    text_add_double(&text, s->rate);
    add_text(list, arena, "rate", &text);
    add(list, arena, "in-place", s->in_place ? "yes" : "no");
}

/* The view, the overlays and the camera. */
static void add_look(struct fingerprint *list, struct arena *arena, const struct settings *s)
{
    static const char *const axes[] = {"auto", "x", "y", "z"};
    struct text text = {0};
    add(list, arena, "view",
        s->view == VIEW_BONE_WEIGHT ? arena_printf(arena, "weight:%s", s->view_bone) : view_names[s->view]);
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (s->overlays >> i & 1)
            text_addf(&text, "%s%s", text.size ? "," : "", overlay_names[i]);
    if (text.size == 0)
        text_add(&text, "none");
    add_text(list, arena, "overlay", &text);
    camera_setting_describe(s, &text);
    add_text(list, arena, "camera", &text);
    add(list, arena, "up", axes[s->up_axis + 1]);
}

/* The folder's own name. */
static const char *shaders_name(const struct settings *s, struct arena *arena)
{
    char *folder = arena_string(arena, s->shaders ? s->shaders : "none");
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/';)
        folder[--n] = '\0';
    return path_base(folder);
}

static struct fingerprint list_options(const struct case_run *run)
{
    enum { MOST = 32 };
    const struct settings *s = &run->c->settings;
    struct arena *arena = run->arena;
    struct fingerprint list = {.entries = ARENA_NEW(arena, struct fingerprint_entry, MOST)};
    add(&list, arena, "model", path_base(run->model->scene->path));
    add(&list, arena, "clip", run->pipeline.plays ? run->pipeline.plays : "rest");
    add(&list, arena, "wrap", s->wrap == WRAP_HOLD ? "clamp" : "loop");
    add(&list, arena, "space", palette_space_name(s->space));
    add(&list, arena, "influences", s->influences ? arena_printf(arena, "%u", s->influences) : "all");
    add(&list, arena, "size", arena_printf(arena, "%ux%u", s->width, s->height));
    add(&list, arena, "background", arena_printf(arena, "%02x%02x%02x%02x", s->background[0], s->background[1],
                                                 s->background[2], s->background[3]));
    add_look(&list, arena, s);
    add_clip_mix(&list, arena, s);
    add(&list, arena, "select", s->select ? s->select : "none");
    add(&list, arena, "palette", palette_path_names[s->upload_format.path]);
    add(&list, arena, "palette-format", palette_format_names[s->upload_format.format]);
    add(&list, arena, "skinning", skinning_names[s->upload_format.skinning]);
    add(&list, arena, "weights", weight_format_names[s->upload_format.weights]);
    add(&list, arena, "shaders", shaders_name(s, arena));
    if (s->crowd[0] > 0) {
        struct text phase = {0};
        if (!isnan(s->crowd_phase))
            text_add_double(&phase, s->crowd_phase);
        add(&list, arena, "crowd", arena_printf(arena, "%ux%u", s->crowd[0], s->crowd[1]));
        add(&list, arena, "crowd-phase", isnan(s->crowd_phase) ? "spread" : text_string(&phase));
        text_release(&phase);
    }
    if (s->import.assimp_flags) {
        struct text flags = {0};
        assimp_flags_describe(s->import.assimp_flags, &flags);
        add_text(&list, arena, "assimp-flags", &flags);
    }
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

/* ---- the candidates ------------------------------------------------------------------------------------------------ */

bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err)
{
    return file_write_below(run->options->output, arena_printf(run->arena, "%s/%s%s", run->c->name, label, suffix), data,
                            size, err);
}

/* Writes the text and empties it; *hash, unless NULL, becomes that of the bytes. */
static bool write_file(struct case_run *run, const char *label, const char *suffix, struct text *content,
                       const char **hash, struct error *err)
{
    char digits[17];
    if (hash) {
        bytes_hash(content->data, content->size, digits);
        *hash = arena_string(run->arena, digits);
    }
    bool good = case_output(run, label, suffix, content->data, content->size, err);
    text_release(content);
    return good;
}

/* The pose and the picture of a time, both made again. */
static bool write_time(struct case_run *run, size_t index, struct recorded_frame *frame, struct error *err)
{
    const struct sample *sample = &run->samples[index];
    struct text json = {0}, png = {0};
    struct image image;
    struct frame_settings frame_settings;
    char pixels[17];
    if (!pipeline_pose(&run->pipeline, sample->time, err))
        return false;
    pipeline_skin(&run->pipeline);
    struct pose_record record = pipeline_record(&run->pipeline);
    pose_write_json(&record, &json);
    if (!write_file(run, sample->label, ".pose.json", &json, &frame->pose, err) ||
        !case_draw_sample(run, index, &image, &frame_settings, err))
        return false;
    image_hash(&image, pixels);
    bool good = image_encode_png(&image, PNG_GOLDEN, &png, err) &&
                write_file(run, sample->label, ".png", &png, &frame->png, err);
    text_release(&png);
    image_release(&image);
    frame->label = sample->label;
    frame->time = sample->time;
    frame->camera = frame_settings.camera;
    frame->pixels = arena_string(run->arena, pixels);
    if (good)
        run->result->times[index].image.actual = arena_printf(run->arena, "%s/%s.png", run->c->name, sample->label);
    return good;
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
    if (!case_output(run, "import", ".json", import->data, import->size, err))
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (!write_time(run, i, &recorded.frames[i], err))
            return false;
    recorded_write(&recorded, &text);
    return write_file(run, "recorded", ".json", &text, NULL, err);
}
