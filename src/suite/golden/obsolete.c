#define _POSIX_C_SOURCE 200809L /* lstat */

#include "suite/golden/obsolete.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "data/result/recorded.h"
#include "suite/golden/snapshot_files.h"
#include "suite/golden/golden.h"
#include "suite/golden/shared_import.h"

struct list {
    struct arena *arena;
    const char **items;
    size_t count;
    size_t capacity;
};

static void add(struct list *list, const char *folder, const char *file)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        const char **items = ARENA_NEW(list->arena, const char *, capacity);
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] =
        file ? arena_printf(list->arena, "%s/%s", folder, file) : arena_string(list->arena, folder);
}

/* What a link leads to may be somebody else's, or the golden of a case. */
static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISLNK(status.st_mode);
}

/* Other programs have files of that name too. */
static bool is_recorded(const char *path, struct arena *arena, struct recorded *recorded)
{
    enum { LIMIT = 1 << 28 };
    struct error ignored = {0};
    struct blob file;
    if (!file_read(path, LIMIT, &file, &ignored))
        return false;
    bool is = recorded_read(file.data, file.size, path, arena, recorded, &ignored);
    blob_release(&file);
    return is;
}

static bool is_golden_folder(const char *goldens, const char *name, struct arena *arena, struct recorded *recorded)
{
    struct text path = {0};
    text_addf(&path, "%s/%s", goldens, name);
    bool is = !is_link(text_string(&path));
    text_add(&path, "/recorded.json");
    is = is && is_recorded(text_string(&path), arena, recorded);
    text_release(&path);
    return is;
}

static const struct suite_case *find_case(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (strcmp(suite->cases[i].name, name) == 0)
            return &suite->cases[i];
    return NULL;
}

/* The labels of the case's times, sorted: [result->time_count]. */
static const char **sorted_labels(const struct case_result *result, struct arena *arena)
{
    const char **labels = ARENA_NEW(arena, const char *, result->time_count);
    for (uint32_t i = 0; i < result->time_count; i++)
        labels[i] = result->times[i].label;
    qsort(labels, result->time_count, sizeof *labels, compare_strings);
    return labels;
}

/*
 * Files of times that the case does not have any more, and an import.json beside a recorded.json that names a shared one. A
 * case that did not get to its times is left out.
 */
static bool find_in_case(const struct suite *suite, const struct case_result *result, bool shares, struct list *list,
                         struct error *err)
{
    struct folder_names files;
    struct text path = {0};
    if (result->time_count == 0)
        return true;
    text_addf(&path, "%s/%s", suite->goldens, result->name);
    bool good = folder_list(text_string(&path), FOLDER_FILES, &files, err);
    const char **labels = sorted_labels(result, list->arena);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = files.names[i];
        const char *label = arena_printf(list->arena, "%.*s", (int)snapshot_label_length(name), name);
        if ((shares && strcmp(name, "import.json") == 0) ||
            (*label && snapshot_is_golden(name) &&
             !bsearch(&label, labels, result->time_count, sizeof *labels, compare_strings)))
            add(list, result->name, name);
    }
    folder_names_release(&files);
    text_release(&path);
    return good;
}

/* The shared imports that the goldens of the suite's cases name, sorted. False when one cannot be read: it may name any. */
static bool find_used(const struct suite *suite, struct list *used)
{
    bool good = true;
    for (size_t i = 0; good && i < suite->case_count; i++) {
        struct golden golden;
        struct error ignored = {0};
        if (suite->cases[i].agrees)
            continue;
        good = golden_open(&golden, suite->goldens, suite->cases[i].name, used->arena, &ignored);
        if (golden.recorded.import_file)
            add(used, golden.recorded.import_file, NULL);
        golden_close(&golden);
    }
    if (used->count > 0)
        qsort(used->items, used->count, sizeof *used->items, compare_strings);
    return good;
}

static bool find_shared(const struct suite *suite, struct list *list, struct error *err)
{
    struct list used = {.arena = list->arena};
    const char *folder = arena_printf(list->arena, "%s/" SHARED_IMPORTS, suite->goldens);
    struct folder_names files;
    if (is_link(folder) || !find_used(suite, &used))
        return true;
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = files.names[i];
        bool is_used = used.count > 0 && bsearch(&name, used.items, used.count, sizeof *used.items, compare_strings);
        if (recorded_is_import_name(name) && !is_used && !is_link(arena_printf(list->arena, "%s/%s", folder, name)))
            add(list, SHARED_IMPORTS, name);
    }
    folder_names_release(&files);
    return good;
}

bool obsolete_find(const struct suite *suite, struct results *results, struct error *err)
{
    struct list list = {.arena = results->arena};
    struct folder_names folders;
    bool good = folder_list(suite->goldens, FOLDER_FOLDERS, &folders, err);
    for (size_t i = 0; good && i < folders.count; i++) {
        const char *name = folders.names[i];
        const struct suite_case *c = find_case(suite, name);
        const struct case_result *result = results_find(results, name);
        struct recorded recorded;
        if (!is_golden_folder(suite->goldens, name, results->arena, &recorded))
            continue;
        if (!c || c->agrees)
            add(&list, name, NULL);
        else if (result)
            good = find_in_case(suite, result, recorded.import_file != NULL, &list, err);
    }
    folder_names_release(&folders);
    good = good && find_shared(suite, &list, err);
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, compare_strings);
    results->obsolete = list.items;
    results->obsolete_count = list.count;
    return good;
}

bool obsolete_prune(const struct suite *suite, const struct results *results, struct error *err)
{
    bool good = true;
    for (size_t i = 0; i < results->obsolete_count; i++) {
        struct text path = {0};
        text_addf(&path, "%s/%s", suite->goldens, results->obsolete[i]);
        bool is_file = strchr(results->obsolete[i], '/') != NULL;
        good = (is_file ? snapshot_remove_file : snapshot_remove)(text_string(&path), err) && good;
        text_release(&path);
    }
    return good;
}
