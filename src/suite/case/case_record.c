/* recorded.json's fingerprint and options. */
#include <string.h>

#include "import/import.h"
#include "suite/case/case_run.h"

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

struct fingerprint case_options(const struct case_run *run)
{
    static const char *const names[] = {
        "wrap", "space", "influences", "size", "background", "view", "overlay", "camera", "up", "blend", "transition",
        "mask", "add", "rate", "in-place", "select", "palette", "palette-format", "skinning", "weights", "shaders",
        "assimp-flags"};
    enum { COUNT = sizeof names / sizeof names[0] };
    const struct settings *s = &run->c->settings;
    struct fingerprint list = {.entries = ARENA_NEW(run->arena, struct fingerprint_entry, COUNT + 2)};
    struct text value = {0};
    add(&list, run->arena, "model", path_base(run->model->scene->path));
    add(&list, run->arena, "clip", run->pipeline.plays ? run->pipeline.plays : "rest");
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(names[i], "assimp-flags") == 0 && !s->import.assimp_flags)
            continue; /* goldens are older than it */
        value.size = 0;
        settings_write(s, names[i], &value);
        add(&list, run->arena, names[i], text_string(&value));
    }
    text_release(&value);
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
