#include "suite/diff/diff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "compare/judge.h"
#include "data/result/recorded.h"
#include "suite/diff/bone_table.h"
#include "suite/diff/diff_case.h"

enum kind { KIND_NONE, KIND_PNG, KIND_POSE, KIND_IMPORT, KIND_CASE, KIND_TREE };

static const char *const kind_names[] = {"nothing to compare", "a PNG", "a pose.json", "an import.json", "a case folder",
                                         "a folder of cases"};

/* ---- what a path is ------------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool has_file(const char *folder, const char *name)
{
    struct text path = {0};
    text_addf(&path, "%s/%s", folder, name);
    bool has = file_exists(text_string(&path));
    text_release(&path);
    return has;
}

static enum kind kind_of_file(const char *path, struct error *err)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    struct blob file;
    enum kind kind = KIND_NONE;
    if (!file_read(path, DIFF_FILE_LIMIT, &file, err))
        return KIND_NONE;
    if (file.size >= sizeof png && memcmp(file.data, png, sizeof png) == 0)
        kind = KIND_PNG;
    else if (strstr((const char *)file.data, "rigproof.pose/"))
        kind = KIND_POSE;
    else if (strstr((const char *)file.data, "rigproof.import/"))
        kind = KIND_IMPORT;
    else
        error_set(err, "%s is neither a PNG nor a pose.json nor an import.json (its \"format\" would say so)", path);
    blob_release(&file);
    return kind;
}

static bool holds_poses(const char *folder)
{
    static const char suffix[] = ".pose.json";
    struct folder_names files;
    struct error ignored = {0};
    bool holds = false;
    folder_list(folder, FOLDER_FILES, &files, &ignored);
    for (size_t i = 0; i < files.count && !holds; i++) {
        size_t length = strlen(files.names[i]);
        holds = length > strlen(suffix) && strcmp(files.names[i] + length - strlen(suffix), suffix) == 0;
    }
    folder_names_release(&files);
    return holds;
}

/* Engines write poses alone. */
static bool is_case_folder(const char *path)
{
    return has_file(path, "recorded.json") || has_file(path, "import.json") || holds_poses(path);
}

static enum kind kind_of(const char *path, struct error *err)
{
    return !is_folder(path) ? kind_of_file(path, err) : is_case_folder(path) ? KIND_CASE : KIND_TREE;
}

/* ---- trees ------------------------------------------------------------------------------------------------------------ */

struct names {
    struct arena *arena;
    const char **items;
    size_t count;
};

static bool is_case(const char *folder, const char *name)
{
    struct text path = {0};
    text_addf(&path, "%s/%s", folder, name);
    bool is = is_case_folder(text_string(&path));
    text_release(&path);
    return is;
}

static bool is_known(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

/* The folders below `path` that are cases are added to those known already. */
static bool list_cases(const char *path, struct names *names, struct error *err)
{
    struct folder_names folders;
    bool good = folder_list(path, FOLDER_FOLDERS, &folders, err);
    const char **items = ARENA_NEW(names->arena, const char *, names->count + folders.count);
    if (names->count > 0)
        memcpy(items, names->items, names->count * sizeof *items);
    names->items = items;
    for (size_t i = 0; i < folders.count; i++)
        if (is_case(path, folders.names[i]) && !is_known(names, folders.names[i]))
            items[names->count++] = arena_string(names->arena, folders.names[i]);
    if (names->count > 0)
        qsort(items, names->count, sizeof *items, compare_strings);
    folder_names_release(&folders);
    return good;
}

static bool diff_trees(const char *a, const char *b, const struct diff_options *options, struct results *results,
                       struct error *err)
{
    struct names names = {.arena = results->arena};
    if (!list_cases(a, &names, err) || !list_cases(b, &names, err))
        return false;
    results->cases = ARENA_NEW(results->arena, struct case_result, names.count);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        char *golden = arena_printf(results->arena, "%s/%s", a, name);
        char *actual = arena_printf(results->arena, "%s/%s", b, name);
        struct case_result *result = &results->cases[results->case_count++];
        bool in_a = is_case(a, name);
        if (!in_a || !is_case(b, name))
            diff_lone_case(in_a ? a : b, name, options, results->arena, result);
        else if (!diff_case(golden, actual, name, options, results->arena, result, err))
            return false;
    }
    return names.count > 0 ||
           error_set(err, "neither %s nor %s holds a case folder (one with a recorded.json, an import.json or poses)", a, b);
}

/* ---- where pictures go ------------------------------------------------------------------------------------------------ */

/* The name of a case folder, also where it is written "a/" or ".". */
static const char *name_of(const char *folder, struct arena *arena)
{
    struct text path = {0};
    folder_locate(folder, &path);
    const char *name = arena_string(arena, path_base(text_string(&path)));
    text_release(&path);
    return name;
}

/* Whether a place below a tree is in one of its cases, or the tree itself. */
static bool is_in_case(const char *tree, const char *below)
{
    struct text first = {0};
    text_add_bytes(&first, below, strcspn(below, "/"));
    bool is = *below == '\0' || is_case(tree, text_string(&first));
    text_release(&first);
    return is;
}

/* Whether what is written for a diff of `side` would come between its files. */
static bool mixes(enum kind kind, const char *side, const char *output, struct arena *arena)
{
    struct text there = {0}, out = {0}, inside = {0};
    folder_locate(side, &there);
    folder_locate(output, &out);
    text_addf(&inside, "%s/%s", text_string(&out), name_of(side, arena));
    const char *below = folder_below(text_string(&out), text_string(&there));
    bool mixed = kind == KIND_TREE ? below && is_in_case(text_string(&there), below)
                                   : below || strcmp(text_string(&inside), text_string(&there)) == 0;
    text_release(&there);
    text_release(&out);
    text_release(&inside);
    return mixed;
}

static bool prepare_output(enum kind kind, const char *a, const char *b, const char *output, struct arena *arena,
                           struct error *err)
{
    bool is_folders = kind == KIND_CASE || kind == KIND_TREE;
    if (!output)
        return true;
    if (is_folders && (mixes(kind, a, output, arena) || mixes(kind, b, output, arena)))
        return error_set(err, "-o %s is inside a compared folder: choose another folder", output);
    return folder_make(output, err);
}

/* ---- the API ----------------------------------------------------------------------------------------------------------- */

static bool diff_one(enum kind kind, const char *a, const char *b, const struct diff_options *options,
                     struct results *results, struct error *err)
{
    struct arena *arena = results->arena;
    results->cases = ARENA_NEW(arena, struct case_result, 1);
    results->case_count = 1;
    switch (kind) {
    case KIND_PNG:
        return diff_pictures(a, b, options, arena, results->cases, err);
    case KIND_POSE:
        return diff_poses(a, b, options, arena, results->cases, err);
    case KIND_IMPORT:
        return diff_imports(a, b, options, arena, results->cases, err);
    default:
        return diff_case(a, b, name_of(a, arena), options, arena, results->cases, err);
    }
}

struct results *diff_paths(const char *a, const char *b, const struct diff_options *options, struct error *err)
{
    enum kind kind = kind_of(a, err);
    enum kind other = error_is_set(err) ? KIND_NONE : kind_of(b, err);
    if (error_is_set(err))
        return NULL;
    if (kind != other) {
        error_set(err, "%s is %s, but %s is %s", a, kind_names[kind], b, kind_names[other]);
        return NULL;
    }
    struct results *results = results_create(err);
    if (!results)
        return NULL;
    results->rigproof = options->rigproof;
    results->suite = arena_printf(results->arena, "%s against %s", b, a);
    results->goldens = arena_string(results->arena, a);
    bool good = prepare_output(kind, a, b, options->output, results->arena, err);
    if (good)
        good = kind == KIND_TREE ? diff_trees(a, b, options, results, err) : diff_one(kind, a, b, options, results, err);
    if (good)
        return results;
    results_free(results);
    return NULL;
}
