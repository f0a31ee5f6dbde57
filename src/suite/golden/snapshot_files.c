#define _POSIX_C_SOURCE 200809L

#include "suite/golden/golden.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "base/sort.h"

size_t snapshot_label_length(const char *name)
{
    static const char digits[] = "0123456789";
    size_t n = name[0] == '-', whole = strspn(name + n, digits);
    n += whole;
    if (whole == 0 || name[n++] != '.')
        return 0;
    size_t decimals = strspn(name + n, digits);
    return decimals >= 3 && decimals <= 6 ? n + decimals : 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* What follows the time may be a number: ".png", "_2.png", ".pose.json". */
bool snapshot_is_golden(const char *name)
{
    static const char *const whole[] = {"import.json", "recorded.json", NULL};
    static const char *const suffixes[] = {".png", ".pose.json", NULL};
    size_t length = snapshot_label_length(name);
    const char *suffix = name + length;
    if (*suffix == '_' && isdigit((unsigned char)suffix[1]))
        suffix += 1 + strspn(suffix + 1, "0123456789");
    return is_one_of(name, whole) || (length > 0 && is_one_of(suffix, suffixes));
}

static bool is_ours(const char *name)
{
    static const char *const differences[] = {".golden.png", ".difference.png", ".heat.png", NULL};
    size_t length = snapshot_label_length(name);
    return snapshot_is_golden(name) || (length > 0 && is_one_of(name + length, differences));
}

bool snapshot_remove_file(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || error_set(err, "cannot remove %s: %s", path, strerror(errno));
}

static bool remove_files(const char *folder, bool temporaries_only, struct error *err)
{
    static const char *const reports[] = {"results.json", "report.html", "junit.xml", NULL};
    struct folder_names files;
    struct text path = {0}, stem = {0};
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; good && i < files.count; i++) {
        const char *name = files.names[i], *added = strstr(name, FILE_TEMPORARY);
        bool is_temporary = added && strlen(added) == strlen(FILE_TEMPORARY "XXXXXX"); /* as file_write() names it */
        path.size = stem.size = 0;
        text_add_bytes(&stem, name, is_temporary ? (size_t)(added - name) : 0);
        const char *whole = text_string(&stem);
        if ((is_temporary && (is_ours(whole) || is_one_of(whole, reports) || recorded_is_import_name(whole))) ||
            (!temporaries_only && is_ours(name))) {
            text_addf(&path, "%s/%s", folder, name);
            good = snapshot_remove_file(text_string(&path), err);
        }
    }
    text_release(&path);
    text_release(&stem);
    folder_names_release(&files);
    return good;
}

bool snapshot_remove_temporaries(const char *folder, struct error *err)
{
    return remove_files(folder, true, err);
}

bool snapshot_remove(const char *folder, struct error *err)
{
    bool good = remove_files(folder, false, err);
    rmdir(folder); /* fails when something else is in it */
    return good;
}

bool snapshot_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void add_obsolete(struct results *results, const char *path)
{
    size_t n = results->obsolete_count++;
    if ((n & (n - 1)) == 0) { /* none, or a power of two: as much room again */
        const char **list = ARENA_NEW(results->arena, const char *, 2 * n + 1);
        if (n > 0)
            memcpy(list, results->obsolete, n * sizeof *list);
        results->obsolete = list;
    }
    results->obsolete[n] = path;
}

/*
 * Files of times that the case does not have any more, and an import.json beside a recorded.json that names a shared one. A
 * case that did not get to its times is left out.
 */
static bool find_in_case(const struct golden *golden, const struct case_result *result, struct results *results,
                         struct error *err)
{
    struct folder_names files;
    const char **labels = ARENA_NEW(results->arena, const char *, result->time_count);
    if (result->time_count == 0)
        return true;
    bool good = folder_list(golden->folder, FOLDER_FILES, &files, err);
    for (uint32_t i = 0; i < result->time_count; i++)
        labels[i] = result->times[i].label;
    qsort(labels, result->time_count, sizeof *labels, compare_strings);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = files.names[i];
        const char *label = arena_printf(results->arena, "%.*s", (int)snapshot_label_length(name), name);
        if ((golden->shared_import && strcmp(name, "import.json") == 0) ||
            (*label && snapshot_is_golden(name) &&
             !bsearch(&label, labels, result->time_count, sizeof *labels, compare_strings)))
            add_obsolete(results, arena_printf(results->arena, "%s/%s", result->name, name));
    }
    folder_names_release(&files);
    return good;
}

/* Those that no golden of the suite's cases names; none when one of these cannot be read: it may name any. */
static bool find_shared(const struct suite *suite, struct results *results, struct error *err)
{
    struct arena *arena = results->arena;
    const char *folder = arena_printf(arena, "%s/" SHARED_IMPORTS, suite->goldens);
    const char **used = ARENA_NEW(arena, const char *, suite->case_count);
    size_t count = 0;
    struct folder_names files = {0};
    bool readable = !snapshot_is_link(folder);
    bool good = !readable || folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; files.count > 0 && readable && i < suite->case_count; i++) {
        struct golden golden;
        struct error ignored = {0};
        if (suite->cases[i].agrees)
            continue;
        readable = golden_open(&golden, suite->goldens, suite->cases[i].name, arena, &ignored);
        if (golden.recorded.import_file)
            used[count++] = golden.recorded.import_file;
    }
    qsort(used, count, sizeof *used, compare_strings);
    for (size_t i = 0; readable && i < files.count; i++) {
        const char *name = files.names[i];
        if (recorded_is_import_name(name) && !bsearch(&name, used, count, sizeof *used, compare_strings) &&
            !snapshot_is_link(arena_printf(arena, "%s/%s", folder, name)))
            add_obsolete(results, arena_printf(arena, SHARED_IMPORTS "/%s", name));
    }
    folder_names_release(&files);
    return good;
}

/* What has no recorded.json of ours is another program's. */
bool obsolete_find(const struct suite *suite, struct results *results, struct error *err)
{
    struct folder_names folders;
    bool good = folder_list(suite->goldens, FOLDER_FOLDERS, &folders, err);
    results->obsolete_count = 0;
    for (size_t i = 0; good && i < folders.count; i++) {
        const char *name = arena_string(results->arena, folders.names[i]);
        const struct case_result *result = results_find(results, name);
        struct golden golden;
        struct error ignored = {0};
        golden_open(&golden, suite->goldens, name, results->arena, &ignored);
        if (!golden.has_recorded || snapshot_is_link(golden.folder))
            continue;
        if (!golden_find_case(suite, name))
            add_obsolete(results, name);
        else if (result)
            good = find_in_case(&golden, result, results, err);
    }
    folder_names_release(&folders);
    good = good && find_shared(suite, results, err);
    if (results->obsolete_count > 0)
        qsort(results->obsolete, results->obsolete_count, sizeof *results->obsolete, compare_strings);
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
