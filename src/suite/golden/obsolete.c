#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/sort.h"
#include "suite/golden/golden.h"
#include "suite/golden/snapshot_files.h"

struct list {
    struct arena *arena;
    const char **items;
    size_t count;
    size_t capacity;
};

static void add(struct list *list, const char *item)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        const char **items = ARENA_NEW(list->arena, const char *, capacity);
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

static void sort(struct list *list)
{
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_strings);
}

static bool contains(const struct list *sorted, const char *item)
{
    return sorted->count > 0 && bsearch(&item, sorted->items, sorted->count, sizeof *sorted->items, compare_strings);
}

/*
 * Files of times that the case does not have any more, and an import.json beside a recorded.json that names a shared one. A
 * case that did not get to its times is left out.
 */
static bool find_in_case(const struct golden *golden, const struct case_result *result, struct list *list,
                         struct error *err)
{
    struct folder_names files;
    struct list labels = {.arena = list->arena};
    if (result->time_count == 0)
        return true;
    bool good = folder_list(golden->folder, FOLDER_FILES, &files, err);
    for (uint32_t i = 0; i < result->time_count; i++)
        add(&labels, result->times[i].label);
    sort(&labels);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = files.names[i];
        const char *label = arena_printf(list->arena, "%.*s", (int)snapshot_label_length(name), name);
        if ((golden->shared_import && strcmp(name, "import.json") == 0) ||
            (*label && snapshot_is_golden(name) && !contains(&labels, label)))
            add(list, arena_printf(list->arena, "%s/%s", result->name, name));
    }
    folder_names_release(&files);
    return good;
}

/* Those that no golden of the suite's cases names; none when one of these cannot be read: it may name any. */
static bool find_shared(const struct suite *suite, struct list *list, struct error *err)
{
    struct list used = {.arena = list->arena};
    const char *folder = arena_printf(list->arena, "%s/" SHARED_IMPORTS, suite->goldens);
    struct folder_names files = {0};
    bool readable = !snapshot_is_link(folder);
    bool good = !readable || folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; files.count > 0 && readable && i < suite->case_count; i++) {
        struct golden golden;
        struct error ignored = {0};
        if (suite->cases[i].agrees)
            continue;
        readable = golden_open(&golden, suite->goldens, suite->cases[i].name, list->arena, &ignored);
        if (golden.recorded.import_file)
            add(&used, golden.recorded.import_file);
    }
    sort(&used);
    for (size_t i = 0; readable && i < files.count; i++) {
        const char *path = arena_printf(list->arena, SHARED_IMPORTS "/%s", files.names[i]);
        if (recorded_is_import_name(files.names[i]) && !contains(&used, files.names[i]) &&
            !snapshot_is_link(arena_printf(list->arena, "%s/%s", suite->goldens, path)))
            add(list, path);
    }
    folder_names_release(&files);
    return good;
}

/* What has no recorded.json of ours is another program's. */
bool obsolete_find(const struct suite *suite, struct results *results, struct error *err)
{
    struct list list = {.arena = results->arena};
    struct folder_names folders;
    bool good = folder_list(suite->goldens, FOLDER_FOLDERS, &folders, err);
    for (size_t i = 0; good && i < folders.count; i++) {
        const char *name = arena_string(results->arena, folders.names[i]);
        struct golden golden;
        struct error ignored = {0};
        golden_open(&golden, suite->goldens, name, results->arena, &ignored);
        if (!golden.has_recorded || snapshot_is_link(golden.folder))
            continue;
        const struct case_result *result = results_find(results, name);
        if (!golden_find_case(suite, name))
            add(&list, name);
        else if (result)
            good = find_in_case(&golden, result, &list, err);
    }
    folder_names_release(&folders);
    good = good && find_shared(suite, &list, err);
    sort(&list);
    results->obsolete = list.items;
    results->obsolete_count = list.count;
    return good;
}

bool obsolete_prune(const struct suite *suite, const struct results *results, struct error *err)
{
    bool good = true;
    for (size_t i = 0; i < results->obsolete_count; i++) {
        const char *path = arena_printf(results->arena, "%s/%s", suite->goldens, results->obsolete[i]);
        bool is_file = strchr(results->obsolete[i], '/') != NULL;
        good = (is_file ? snapshot_remove_file : snapshot_remove)(path, err) && good;
    }
    return good;
}
