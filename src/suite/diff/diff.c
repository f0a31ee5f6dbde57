#include "suite/diff/diff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/sort.h"
#include "suite/diff/diff_case.h"

static const char *const kind_names[] = {"a PNG", "a pose.json", "an import.json", "a case folder", "a folder of cases"};

/* ---- what a path is ------------------------------------------------------------------------------------------------- */

/* Engines write poses alone. */
static bool is_case_folder(const char *path)
{
    static const char suffix[] = ".pose.json";
    struct folder_names files;
    struct error ignored = {0};
    bool is = false;
    folder_list(path, FOLDER_FILES, &files, &ignored);
    for (size_t i = 0; i < files.count && !is; i++) {
        const char *name = files.names[i];
        size_t length = strlen(name);
        is = strcmp(name, "recorded.json") == 0 || strcmp(name, "import.json") == 0 ||
             (length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0);
    }
    folder_names_release(&files);
    return is;
}

static bool find_kind(const char *path, enum kind *kind, struct error *err)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    struct stat status;
    struct blob file;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        *kind = is_case_folder(path) ? KIND_CASE : KIND_TREE;
        return true;
    }
    if (!file_read(path, DIFF_FILE_LIMIT, &file, err))
        return false;
    if (file.size >= sizeof png && memcmp(file.data, png, sizeof png) == 0)
        *kind = KIND_PNG;
    else if (strstr((const char *)file.data, "rigproof.pose/"))
        *kind = KIND_POSE;
    else if (strstr((const char *)file.data, "rigproof.import/"))
        *kind = KIND_IMPORT;
    else
        error_set(err, "%s is neither a PNG nor a pose.json nor an import.json (its \"format\" would say so)", path);
    blob_release(&file);
    return !error_is_set(err);
}

/* ---- trees ------------------------------------------------------------------------------------------------------------ */

/* Whether the folder of that name below a tree is a case. */
static bool has_case(const char *tree, const char *name)
{
    struct text path = {0};
    text_addf(&path, "%s/%s", tree, name);
    bool has = is_case_folder(text_string(&path));
    text_release(&path);
    return has;
}

static bool diff_trees(const char *a, const char *b, const struct diff_options *options, struct results *results,
                       struct error *err)
{
    struct folder_names folders[2];
    struct arena *arena = results->arena;
    bool good = folder_list(a, FOLDER_FOLDERS, &folders[0], err);
    good = folder_list(b, FOLDER_FOLDERS, &folders[1], err) && good;
    size_t count = 0, most = folders[0].count + folders[1].count;
    const char **names = ARENA_NEW(arena, const char *, most);
    for (size_t i = 0; i < most; i++)
        names[i] = i < folders[0].count ? folders[0].names[i] : folders[1].names[i - folders[0].count];
    qsort(names, most, sizeof *names, compare_strings);
    results->cases = ARENA_NEW(arena, struct case_result, most);
    for (size_t i = 0; good && i < most; i++) {
        const char *name = names[i];
        struct case_result *result = &results->cases[count];
        bool is_repeated = i > 0 && strcmp(names[i - 1], name) == 0, in_a = has_case(a, name), in_b = has_case(b, name);
        if (is_repeated || (!in_a && !in_b))
            continue;
        count++;
        if (in_a && in_b)
            good = diff_case(arena_printf(arena, "%s/%s", a, name), arena_printf(arena, "%s/%s", b, name), name, options,
                             arena, result, err);
        else
            diff_lone_case(in_a ? a : b, name, options, arena, result);
    }
    results->case_count = count;
    folder_names_release(&folders[0]);
    folder_names_release(&folders[1]);
    return good && (count > 0 || error_set(err, "neither %s nor %s holds a case folder (one with a recorded.json, an "
                                                "import.json or poses)", a, b));
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

/* Whether what is written for a diff of `side` would come between its files: of a tree, between those of a case of it. */
static bool mixes(enum kind kind, const char *side, const char *output, struct arena *arena)
{
    struct text there = {0}, out = {0};
    folder_locate(side, &there);
    folder_locate(output, &out);
    const char *below = folder_below(text_string(&out), text_string(&there));
    const char *inside = arena_printf(arena, "%s/%s", text_string(&out), name_of(side, arena));
    bool mixed = below || strcmp(inside, text_string(&there)) == 0;
    if (kind == KIND_TREE && below)
        mixed = *below == '\0' ||
                has_case(text_string(&there), arena_printf(arena, "%.*s", (int)strcspn(below, "/"), below));
    else if (kind == KIND_TREE)
        mixed = false;
    text_release(&there);
    text_release(&out);
    return mixed;
}

/* ---- the API ----------------------------------------------------------------------------------------------------------- */

static bool compare(enum kind kind, const char *a, const char *b, const struct diff_options *options,
                    struct results *results, struct error *err)
{
    struct arena *arena = results->arena;
    if (options->output && kind >= KIND_CASE &&
        (mixes(kind, a, options->output, arena) || mixes(kind, b, options->output, arena)))
        return error_set(err, "-o %s is inside a compared folder: choose another folder", options->output);
    if (options->output && !folder_make(options->output, err))
        return false;
    if (kind == KIND_TREE)
        return diff_trees(a, b, options, results, err);
    results->cases = ARENA_NEW(arena, struct case_result, 1);
    results->case_count = 1;
    if (kind == KIND_CASE)
        return diff_case(a, b, name_of(a, arena), options, arena, results->cases, err);
    return diff_files(kind, a, b, options, arena, results->cases, err);
}

struct results *diff_paths(const char *a, const char *b, const struct diff_options *options, struct error *err)
{
    enum kind kind, other;
    if (!find_kind(a, &kind, err) || !find_kind(b, &other, err))
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
    if (compare(kind, a, b, options, results, err))
        return results;
    results_free(results);
    return NULL;
}
