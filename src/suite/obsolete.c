#define _DEFAULT_SOURCE /* scandir */

#include "suite/obsolete.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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

static bool is_golden_folder(const char *goldens, const char *name)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/recorded.json", goldens, name);
    bool is = file_exists(text_string(&path));
    text_release(&path);
    return is;
}

/* By bytes: alphasort goes by the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static const struct suite_case *find_case(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (strcmp(suite->cases[i].name, name) == 0)
            return &suite->cases[i];
    return NULL;
}

static const struct case_result *find_result(const struct results *results, const char *name)
{
    for (size_t i = 0; i < results->case_count; i++)
        if (strcmp(results->cases[i].name, name) == 0)
            return &results->cases[i];
    return NULL;
}

/* Length of the time that a golden file's name begins with ("-0.250", "12.041667"), or 0. */
static size_t label_length(const char *name)
{
    size_t n = name[0] == '-', whole, decimals;
    for (whole = 0; isdigit((unsigned char)name[n]); n++)
        whole++;
    if (whole == 0 || name[n++] != '.')
        return 0;
    for (decimals = 0; isdigit((unsigned char)name[n]); n++)
        decimals++;
    return decimals >= 3 && decimals <= 6 ? n : 0;
}

/* Whether the rest of such a name is a golden's: ".png", "_2.png", ".pose.json". */
static bool is_golden_suffix(const char *suffix)
{
    if (*suffix == '_' && isdigit((unsigned char)suffix[1]))
        for (suffix++; isdigit((unsigned char)*suffix);)
            suffix++;
    return strcmp(suffix, ".png") == 0 || strcmp(suffix, ".pose.json") == 0;
}

static bool has_time(const struct case_result *result, const char *label, size_t length)
{
    for (uint32_t i = 0; i < result->time_count; i++)
        if (strlen(result->times[i].label) == length && strncmp(result->times[i].label, label, length) == 0)
            return true;
    return false;
}

/* Files of times that the case does not have any more. A case that did not get to its times tells nothing. */
static void find_in_case(const struct suite *suite, const struct case_result *result, struct list *list)
{
    struct dirent **entries = NULL;
    struct text path = {0};
    if (result->time_count == 0)
        return;
    text_addf(&path, "%s/%s", suite->goldens, result->name);
    int count = scandir(text_string(&path), &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t length = label_length(name);
        if (length > 0 && is_golden_suffix(name + length) && !has_time(result, name, length))
            add(list, result->name, name);
        free(entries[i]);
    }
    free(entries);
    text_release(&path);
}

void obsolete_find(const struct suite *suite, struct results *results)
{
    struct list list = {.arena = results->arena};
    struct dirent **entries = NULL;
    int count = scandir(suite->goldens, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const struct suite_case *c = find_case(suite, name);
        const struct case_result *result = find_result(results, name);
        if (name[0] != '.' && is_golden_folder(suite->goldens, name)) {
            if (!c || c->agrees)
                add(&list, name, NULL);
            else if (result)
                find_in_case(suite, result, &list);
        }
        free(entries[i]);
    }
    free(entries);
    results->obsolete = list.items;
    results->obsolete_count = list.count;
}

/* ---- pruning ------------------------------------------------------------------------------------------------------- */

static bool remove_file(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || error_set(err, "cannot remove %s: %s", path, strerror(errno));
}

static bool is_golden_file(const char *name)
{
    size_t length = label_length(name);
    return strcmp(name, "import.json") == 0 || strcmp(name, "recorded.json") == 0 ||
           (length > 0 && is_golden_suffix(name + length));
}

/* A golden's files, and the folder when nothing else was in it. */
static bool remove_folder(const char *folder, struct error *err)
{
    struct dirent **entries = NULL;
    bool good = true;
    int count = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        struct text path = {0};
        text_addf(&path, "%s/%s", folder, entries[i]->d_name);
        if (is_golden_file(entries[i]->d_name))
            good = remove_file(text_string(&path), err) && good;
        text_release(&path);
        free(entries[i]);
    }
    free(entries);
    rmdir(folder);
    return good;
}

bool obsolete_prune(const struct suite *suite, const struct results *results, struct error *err)
{
    bool good = true;
    for (size_t i = 0; i < results->obsolete_count; i++) {
        struct text path = {0};
        text_addf(&path, "%s/%s", suite->goldens, results->obsolete[i]);
        bool is_file = strchr(results->obsolete[i], '/') != NULL;
        good = (is_file ? remove_file(text_string(&path), err) : remove_folder(text_string(&path), err)) && good;
        text_release(&path);
    }
    return good;
}
