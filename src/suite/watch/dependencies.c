#include "suite/watch/dependencies.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/sort.h"
#include "data/image/image.h"
#include "suite/file/suite_expand.h"
#include "suite/golden/golden.h"

struct listing {
    struct dependencies *out;
    struct dependency *items;
    size_t capacity;
    long case_index;
};

static void add(struct listing *all, const char *path, enum dependency_kind kind)
{
    struct dependencies *out = all->out;
    struct text place = {0};
    if (out->count == all->capacity)
        all->items = memory_grow(all->items, all->capacity = 2 * all->capacity + 64, sizeof *all->items);
    folder_locate(path, &place);
    all->items[out->count++] = (struct dependency){arena_string(out->arena, place.data), kind, all->case_index};
    text_release(&place);
}

/* A file that may be a link: also the link itself, in the folder that holds it. */
static void add_file(struct listing *all, const char *folder, const char *name)
{
    struct text path = {0}, parent = {0}, place = {0};
    path_join(folder, name, &path);
    add(all, path.data, DEPENDS_ON_FILE);
    path_folder(path.data, &parent);
    folder_locate(parent.data, &place);
    const struct dependency *real = &all->items[all->out->count - 1];
    text_addf(&place, "/%s", path_base(path.data));
    if (strcmp(place.data, real->path) != 0) {
        add(all, real->path, DEPENDS_ON_FILE);
        all->items[all->out->count - 1].path = arena_string(all->out->arena, place.data);
    }
    text_release(&path);
    text_release(&parent);
    text_release(&place);
}

static void add_model(struct listing *all, const struct suite *suite, const struct suite_case *c)
{
    add_file(all, suite->folder, c->model);
    for (size_t i = 0; i < c->settings.clips_from_count; i++)
        add_file(all, "", c->settings.clips_from[i]);
}

static void add_case(struct listing *all, const struct suite *suite, const struct suite_case *c,
                     const struct case_result *result)
{
    struct text path = {0};
    add_model(all, suite, c);
    if (c->agrees)
        add_model(all, suite, &suite->cases[c->agreement.other]);
    for (uint32_t i = 0; result && i < result->source_count; i++)
        add_file(all, suite->folder, result->sources[i].file);
    path_join(suite->folder, c->model, &path);
    path.size = (size_t)(path_base(path.data) - path.data);
    const char *folder = path.size > 0 ? arena_printf(all->out->arena, "%.*s", (int)path.size, path.data) : ".";
    if (c->origin)
        add(all, folder, DEPENDS_ON_MODELS);
    if (result && (result->status == CASE_ERROR || result->status == CASE_CRASH || result->status == CASE_TIMEOUT))
        add(all, folder, DEPENDS_ON_FOLDER);
    if (c->settings.shaders)
        add(all, c->settings.shaders, DEPENDS_ON_SHADERS);
    if (suite_has_golden(c)) {
        add(all, arena_printf(all->out->arena, "%s/%s", suite->goldens, c->name), DEPENDS_ON_GOLDEN);
        add(all,
            arena_printf(all->out->arena, "%s/" SHARED_IMPORTS "/%s", suite->goldens,
                         shared_import_name(suite, c, all->out->arena)),
            DEPENDS_ON_GOLDEN);
    }
    for (const char *const *word = c->subject ? c->subject->command : NULL; word && *word; word++) {
        path.size = 0;
        path_join(c->subject->folder ? c->subject->folder : "", *word, &path);
        if (strchr(*word, '/') || file_exists(path.data))
            add_file(all, "", path.data);
    }
    text_release(&path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct dependency *)a)->path, ((const struct dependency *)b)->path);
}

void dependencies_list(const struct suite *suite, const bool *chosen, const struct results *results,
                       struct arena *arena, struct dependencies *out)
{
    struct listing all = {.out = out, .case_index = WHOLE_SUITE};
    struct results_index index = {0}; /* empty without results */
    *out = (struct dependencies){.arena = arena};
    if (results)
        results_index_make(results, &index);
    add_file(&all, "", suite->path);
    for (size_t i = 0; i < suite->case_count; i++) {
        all.case_index = (long)i;
        if (chosen[i] && !suite->cases[i].skip)
            add_case(&all, suite, &suite->cases[i], results_index_find(&index, suite->cases[i].name));
    }
    results_index_release(&index);
    qsort(all.items, out->count, sizeof *all.items, by_path);
    out->items = ARENA_NEW(arena, struct dependency, out->count);
    memcpy(out->items, all.items, out->count * sizeof *all.items);
    free(all.items);
}

static void add_folder(const char ***list, size_t *count, const char *folder)
{
    *list = memory_grow(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = folder;
}

/* What is included may be below; what is hidden is a version control's. */
static void add_below(const char ***list, size_t *count, const char *folder, int depth, struct arena *arena)
{
    enum { DEEPEST = 6 };
    struct folder_names names;
    struct error ignored = {0};
    add_folder(list, count, folder);
    folder_list(folder, FOLDER_FOLDERS, &names, &ignored);
    for (size_t i = 0; i < names.count && depth < DEEPEST; i++)
        add_below(list, count, arena_printf(arena, "%s/%s", folder, names.names[i]), depth + 1, arena);
    folder_names_release(&names);
}

const char **dependencies_folders(const struct dependencies *dependencies, size_t *count)
{
    const char **list = NULL, **out;
    size_t all = 0;
    for (size_t i = 0; i < dependencies->count; i++) {
        const struct dependency *d = &dependencies->items[i];
        struct text above = {0};
        bool is_known = i > 0 && strcmp(d->path, d[-1].path) == 0 && d->kind == d[-1].kind;
        path_folder(d->path, &above);
        if (!is_known) /* a folder that goes is told by the one above it */
            add_folder(&list, &all, arena_string(dependencies->arena, above.data));
        if (!is_known && d->kind == DEPENDS_ON_SHADERS)
            add_below(&list, &all, d->path, 0, dependencies->arena);
        else if (!is_known && d->kind != DEPENDS_ON_FILE)
            add_folder(&list, &all, d->path);
        text_release(&above);
    }
    qsort(list, all, sizeof *list, compare_strings);
    out = ARENA_NEW(dependencies->arena, const char *, all);
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
            out[(*count)++] = list[i];
    free(list);
    return out;
}

bool dependencies_is_shader(const char *name)
{
    static const char *const shaders[] = {"vert", "frag", "glsl", "vs", "fs"};
    char extension[16];
    bool is_shader = false;
    path_extension(name, extension);
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++)
        is_shader = is_shader || strcmp(extension, shaders[i]) == 0;
    return is_shader;
}

/* A name in the folder, or below it. */
static bool is_of_kind(enum dependency_kind kind, const char *path, bool is_folder)
{
    const char *name = path_base(path);
    return kind == DEPENDS_ON_SHADERS  ? dependencies_is_shader(name) && *name != '.'
           : kind == DEPENDS_ON_GOLDEN ? snapshot_is_golden(name)
           : kind == DEPENDS_ON_MODELS
               ? !is_folder && *name != '.' && suite_is_model(path)
               : kind == DEPENDS_ON_FOLDER && !is_folder && *name != '.' && name[strlen(name) - 1] != '~';
}

/* The file itself, something in the folder, or a folder that holds it and has come or gone. */
static bool concerns(const struct change *change, const struct dependency *d)
{
    const char *below = folder_below(change->path, d->path);
    return (below && *below == '\0') || (below && is_of_kind(d->kind, change->path, change->is_folder)) ||
           (change->is_folder && folder_below(d->path, change->path));
}

/* The suite's problem with a case is one of a file that may be there now. */
bool dependencies_find(const struct dependencies *dependencies, const struct suite *suite, const bool *chosen,
                       struct changes *changes, bool *concerned, enum reread *reread)
{
    struct changes kept = {.everything = changes->everything};
    *reread = changes->everything ? REREAD_ALL : REREAD_NOT;
    for (size_t i = 0; i < suite->case_count; i++)
        concerned[i] = changes->everything && chosen[i];
    for (size_t i = 0; i < changes->count; i++) {
        bool is_ours = false;
        for (const struct dependency *d = dependencies->items; d < dependencies->items + dependencies->count; d++) {
            if (!concerns(&changes->items[i], d))
                continue;
            is_ours = true;
            if (d->case_index == WHOLE_SUITE || suite->cases[d->case_index].problem)
                *reread = REREAD_ALL;
            else if (d->kind == DEPENDS_ON_MODELS && *reread == REREAD_NOT)
                *reread = REREAD_CASES;
            if (d->case_index != WHOLE_SUITE && d->kind != DEPENDS_ON_MODELS)
                concerned[d->case_index] = true;
        }
        if (is_ours)
            changes_add(&kept, changes->items[i].path, changes->items[i].is_folder);
    }
    changes_release(changes);
    *changes = kept;
    return kept.count > 0 || kept.everything;
}

void dependencies_add_stale(const struct suite *suite, const struct results *results, struct changes *changes)
{
    struct text folder = {0}, path = {0};
    folder_locate(suite->folder, &folder);
    for (size_t i = 0; i < results->case_count; i++)
        for (uint32_t k = 0; k < results->cases[i].source_count; k++) {
            const struct source *source = &results->cases[i].sources[k];
            char hash[17];
            path.size = 0;
            path_join(folder.data, source->file, &path);
            file_hash(path.data, hash);
            if (strcmp(hash, source->hash ? source->hash : "") != 0)
                changes_add(changes, path.data, false);
        }
    text_release(&folder);
    text_release(&path);
}

const char *dependencies_find_gone(const struct dependencies *dependencies, const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        for (const struct dependency *d = dependencies->items; d < dependencies->items + dependencies->count; d++)
            if (d->kind == DEPENDS_ON_FILE && concerns(&changes->items[i], d) && !file_exists(d->path))
                return d->path;
    return NULL;
}
