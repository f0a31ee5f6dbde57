/* recorded.json's fingerprint and options. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/import.h"
#include "suite/case/case_run.h"
#include "suite/setting/camera_setting.h"
#include "suite/setting/mix_options.h"

static void add(struct fingerprint *list, struct arena *arena, const char *name, const char *value)
{
    list->entries[list->count++] = (struct fingerprint_entry){name, arena_string(arena, value)};
}

/* Names of the repairs that changed something, each once, in the order of the scene's notes. */
static void list_repairs(const struct scene *scene, struct text *out)
{
    for (uint32_t i = 0; i < scene->note_count; i++) {
        bool seen = scene->notes[i].kind != NOTE_REPAIR;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = scene->notes[k].kind == NOTE_REPAIR && strcmp(scene->notes[k].id, scene->notes[i].id) == 0;
        if (!seen)
            text_addf(out, "%s%s", out->size ? "," : "", scene->notes[i].id);
    }
    if (out->size == 0)
        text_add(out, "none");
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
    struct fingerprint renderer, list = {0};
    struct text repairs = {0};
    renderer_fingerprint(run->renderer, run->shaders, run->arena, &renderer);
    list.entries = ARENA_NEW(run->arena, struct fingerprint_entry, renderer.count + OWN);
    for (uint32_t i = 0; i < renderer.count; i++)
        list.entries[list.count++] = renderer.entries[i];
    list_repairs(run->model->scene, &repairs);
    add(&list, run->arena, "profile", run->c->settings.profile == PROFILE_NATIVE ? "native" : "portable");
    add(&list, run->arena, "assimp", run->model->scene->assimp_version);
    add(&list, run->arena, "repairs", text_string(&repairs));
    add(&list, run->arena, "rigproof", run->options->rigproof);
    text_release(&repairs);
    return list;
}

static void add_mix_option(struct fingerprint *list, struct arena *arena, const struct settings *s)
{
    const struct {
        const char *name;
        const struct mix_option_list *values;
    } lists[] = {{"blend", &s->blends}, {"transition", &s->transitions}, {"mask", &s->masks}, {"add", &s->additions}};
    struct text text = {0};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        text.size = 0;
        mix_option_write_list(lists[i].values, &text);
        add(list, arena, lists[i].name, text_string(&text));
    }
    text.size = 0;
    text_add_double(&text, s->rate);
    add(list, arena, "rate", text_string(&text));
    add(list, arena, "in-place", s->in_place ? "yes" : "no");
    text_release(&text);
}

static void describe_view(const struct settings *s, struct text *out)
{
    if (s->view == VIEW_BONE_WEIGHT)
        text_addf(out, "weight:%s", s->view_bone);
    else
        text_add(out, view_names[s->view]);
}

static void describe_overlays(const struct settings *s, struct text *out)
{
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (s->overlays >> i & 1)
            text_addf(out, "%s%s", out->size ? "," : "", overlay_names[i]);
    if (out->size == 0)
        text_add(out, "none");
}

/* The folder's own name. */
static const char *shaders_name(const struct settings *s, struct arena *arena)
{
    char *folder = arena_string(arena, s->shaders ? s->shaders : "none");
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/';)
        folder[--n] = '\0';
    return path_base(folder);
}

struct fingerprint case_options(const struct case_run *run)
{
    enum { MOST = 32 };
    static const char *const axes[] = {"auto", "x", "y", "z"};
    const struct settings *s = &run->c->settings;
    struct fingerprint list = {.entries = ARENA_NEW(run->arena, struct fingerprint_entry, MOST)};
    struct text camera = {0}, view = {0}, overlays = {0};
    char size[32], background[16];
    snprintf(size, sizeof size, "%ux%u", s->width, s->height);
    snprintf(background, sizeof background, "%02x%02x%02x%02x", s->background[0], s->background[1], s->background[2],
             s->background[3]);
    camera_setting_describe(s, &camera);
    describe_view(s, &view);
    describe_overlays(s, &overlays);
    add(&list, run->arena, "model", path_base(run->model->scene->path));
    add(&list, run->arena, "clip", run->pipeline.plays ? run->pipeline.plays : "rest");
    add(&list, run->arena, "wrap", s->wrap == WRAP_HOLD ? "clamp" : "loop");
    add(&list, run->arena, "space", palette_space_name(s->space));
    add(&list, run->arena, "influences", s->influences ? arena_printf(run->arena, "%u", s->influences) : "all");
    add(&list, run->arena, "size", size);
    add(&list, run->arena, "background", background);
    add(&list, run->arena, "view", text_string(&view));
    add(&list, run->arena, "overlay", text_string(&overlays));
    add(&list, run->arena, "camera", text_string(&camera));
    add(&list, run->arena, "up", axes[s->up_axis + 1]);
    add_mix_option(&list, run->arena, s);
    add(&list, run->arena, "select", s->select ? s->select : "none");
    add(&list, run->arena, "palette", palette_path_names[s->upload_format.path]);
    add(&list, run->arena, "palette-format", palette_format_names[s->upload_format.format]);
    add(&list, run->arena, "skinning", skinning_names[s->upload_format.skinning]);
    add(&list, run->arena, "weights", weight_format_names[s->upload_format.weights]);
    add(&list, run->arena, "shaders", shaders_name(s, run->arena));
    if (s->crowd[0] > 0) {
        struct text phase = {0};
        if (!isnan(s->crowd_phase))
            text_add_double(&phase, s->crowd_phase);
        add(&list, run->arena, "crowd", arena_printf(run->arena, "%ux%u", s->crowd[0], s->crowd[1]));
        add(&list, run->arena, "crowd-phase", isnan(s->crowd_phase) ? "spread" : text_string(&phase));
        text_release(&phase);
    }
    if (s->import.assimp_flags) {
        struct text flags = {0};
        assimp_flags_describe(s->import.assimp_flags, &flags);
        add(&list, run->arena, "assimp-flags", text_string(&flags));
        text_release(&flags);
    }
    text_release(&overlays);
    text_release(&view);
    text_release(&camera);
    return list;
}

struct fingerprint case_library(struct arena *arena)
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
    const struct fingerprint now = case_options(run), library = case_library(run->arena);
    fingerprint_add_differing(&run->golden.recorded.options, &now, run->arena, &run->result->golden,
                              &run->result->actual);
    fingerprint_add_differing(&run->golden.recorded.library, &library, run->arena, &run->result->golden,
                              &run->result->actual);
}
