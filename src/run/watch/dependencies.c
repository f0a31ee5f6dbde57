#include "run/watch/watch.h"

#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "golden/golden.h"

struct listing {
    struct dependencies *out;
    struct dependency like; /* what is added next, but for its path */
};

static void add(void *context, const char *path)
{
    struct listing *all = context;
    struct dependencies *out = all->out;
    out->items = arena_room(out->arena, out->items, out->count, sizeof *out->items);
    all->like.path = arena_string(out->arena, path);
    out->items[out->count++] = all->like;
}

/* Adds where it is, and each link on the way. */
static void add_input(struct listing *all, const struct case_input *input)
{
    SCOPED(text) place = {0};
    if (input->is_inside && !snapshot_is_link(input->path)) /* the folder tells it, but not what a link leads to */
        return;
    all->like.is_setting = input->is_setting;
    all->like.kind = INPUT_FILE;
    folder_follow(input->path, &place, add, all);
    all->like.kind = input->kind;
    add(all, place.data);
}

void dependencies_list(const struct suite *suite, const bool *chosen, const struct results *results,
                       struct arena *arena, struct dependencies *out)
{
    struct listing all = {.out = out, .like.case_index = WHOLE_SUITE};
    SCOPED(results_index) index = {0}; /* empty without results */
    SCOPED(text) folder = {0};
    folder_locate(suite->folder, &folder);
    *out = (struct dependencies){.arena = arena, .folder = arena_string(arena, folder.data)};
    if (results)
        results_index_make(results, &index);
    add_input(&all, &(struct case_input){.kind = INPUT_FILE, .path = suite->path});
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        all.like.case_index = (long)i;
        if (!chosen[i] || c->skip)
            continue;
        const struct case_inputs inputs = case_inputs(suite, c, results_index_find(&index, c->name), arena);
        for (size_t k = 0; k < inputs.count; k++)
            add_input(&all, &inputs.items[k]);
    }
    sort_items(out->items, out->count, sizeof *out->items, compare_strings); /* by `path`, their first member */
}

/* Folders to wait on, in the arena. */
struct folder_list {
    struct arena *arena;
    const char **items;
    size_t count;
};

static void add_folder(struct folder_list *list, const char *folder)
{
    list->items = arena_room(list->arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = folder;
}

/* Adds files below, which may be included; hidden ones are a version control's. */
static void add_below(struct folder_list *list, const char *folder, int depth)
{
    enum { DEEPEST = 6 };
    SCOPED(folder_names) names = {0};
    add_folder(list, folder);
    folder_list(folder, FOLDER_FOLDERS, &names, ERROR_IGNORED);
    for (size_t i = 0; i < names.count && depth < DEEPEST; i++)
        add_below(list, arena_printf(list->arena, "%s/%s", folder, names.names[i]), depth + 1);
}

/* A folder that goes is told by the one above: up to where the suite is too, but not to /tmp, where others write. */
static void add_above(struct folder_list *list, const char *path, const char *suite_folder)
{
    char *above = arena_string(list->arena, path), *second;
    do {
        char *slash = strrchr(above, '/');
        slash[slash == above] = '\0';
        add_folder(list, arena_string(list->arena, above));
        second = strchr(above + 1, '/');
    } while (!folder_below(suite_folder, above) && second && strchr(second + 1, '/'));
}

const char **dependencies_folders(const struct dependencies *dependencies, size_t *count)
{
    struct folder_list list = {.arena = dependencies->arena};
    for (size_t i = 0; i < dependencies->count; i++) {
        const struct dependency *d = &dependencies->items[i];
        if (i > 0 && strcmp(d->path, d[-1].path) == 0 && d->kind == d[-1].kind)
            continue;
        add_above(&list, d->path, dependencies->folder);
        if (d->kind == INPUT_SHADERS || d->kind == INPUT_FOLDER)
            add_below(&list, d->path, 0);
        else if (d->kind != INPUT_FILE)
            add_folder(&list, d->path);
    }
    *count = sort_once(list.items, list.count);
    return list.items;
}

/* A name in the folder, or below it. */
static bool is_inside(enum input_kind kind, const struct change *change)
{
    return input_counts(kind, change->path) && (!change->is_folder || kind == INPUT_SHADERS || kind == INPUT_GOLDEN);
}

/* The file itself, something in the folder, or a folder that holds it and has come or gone. */
static bool concerns(const struct change *change, const struct dependency *d)
{
    const char *below = folder_below(change->path, d->path);
    return (below && *below == '\0') || (below && is_inside(d->kind, change)) ||
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
            else if ((d->kind == INPUT_MODELS || d->is_setting) && *reread == REREAD_NOT)
                *reread = REREAD_CASES;
            if (d->case_index != WHOLE_SUITE && d->kind != INPUT_MODELS)
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
    SCOPED(text) folder = {0}, path = {0}, place = {0};
    folder_locate(suite->folder, &folder);
    for (size_t i = 0; i < results->case_count; i++)
        for (uint32_t k = 0; k < results->cases[i].source_count; k++) {
            const struct source *source = &results->cases[i].sources[k];
            if (source_is_same(source, folder.data, &path))
                continue;
            place.size = 0;
            folder_locate(path.data, &place);
            changes_add(changes, place.data, false);
        }
}

const char *dependencies_find_gone(const struct dependencies *dependencies, const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        for (const struct dependency *d = dependencies->items; d < dependencies->items + dependencies->count; d++)
            if (d->kind == INPUT_FILE && concerns(&changes->items[i], d) && !file_exists(d->path))
                return d->path;
    return NULL;
}

/* Goldens that no case uses are looked for by a run of all cases alone. */
struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err)
{
    const struct results *whole = before ? before : now;
    struct results joined = *now;
    SCOPED(results_index) of_now = {0}, of_before = {0};
    FREED struct case_result *cases = joined.cases = memory_new(suite->case_count, sizeof *cases);
    joined.case_count = 0;
    results_index_make(now, &of_now);
    results_index_make(whole, &of_before);
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct case_result *result = results_index_find(&of_now, suite->cases[i].name);
        result = result ? result : results_index_find(&of_before, suite->cases[i].name);
        if (result)
            cases[joined.case_count++] = *result;
    }
    joined.obsolete = whole->obsolete;
    joined.obsolete_count = whole->obsolete_count;
    joined.prune = whole->prune;
    struct results *out = results_copy(&joined, err);
    results_free(before);
    results_free(now);
    return out;
}
