/* Operands -> model files, in the order of their cases. */

#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "suite/suite_expand.h"
#include "run/init/init.h"

/* Ranks files of one base name: glTF says most of what it means, and others follow by their letters. */
static int rank(const char *path)
{
    static const char *const best[] = {"glb", "gltf", "fbx", "dae"};
    enum { COUNT = sizeof best / sizeof best[0] };
    char extension[16];
    path_extension(path, extension);
    const char *const *found = NAMED(best, COUNT, extension);
    return found ? (int)(found - best) : COUNT;
}

static size_t stem_length(const char *path)
{
    return (size_t)(path_base(path) - path) + path_stem_length(path);
}

static bool has_stem_of(const char *path, const char *other)
{
    const size_t length = stem_length(path);
    return length == stem_length(other) && strncmp(path, other, length) == 0;
}

static int by_stem(const void *a, const void *b)
{
    const char *x = ((const struct init_model *)a)->path, *y = ((const struct init_model *)b)->path;
    size_t nx = stem_length(x), ny = stem_length(y), least = nx < ny ? nx : ny;
    int order = memcmp(x, y, least);
    if (order == 0 && nx != ny)
        return nx < ny ? -1 : 1;
    order = order ? order : rank(x) - rank(y);
    return order ? order : strcmp(x, y);
}

/* Models of a folder, or what a glob means; other files are left out unless the pattern names their extension. */
static bool list_models(struct init *init, const char *pattern, bool is_folder, struct folder_names *out,
                        struct error *err)
{
    const char *all = !is_folder                    ? pattern
                      : strcmp(pattern, ".") == 0 ? "**"
                                                  : arena_printf(init->arena, "%s/**", pattern),
               *dot = strrchr(path_base(all), '.');
    const bool takes_any = dot && !has_glob(dot);
    size_t kept = 0;
    if (!folder_glob(".", all, out, err))
        return false;
    for (size_t i = 0; i < out->count; i++)
        if (takes_any || suite_is_model(out->names[i]))
            out->names[kept++] = out->names[i];
        else
            free(out->names[i]);
    out->count = kept;
    return true;
}

/* "walker"; "crowd-walker" of crowd/walker.glb where others are called so; with the extension behind a counterpart. */
static void name_models(struct init *init)
{
    struct arena *arena = init->arena;
    const char **slugs = ARENA_NEW(arena, const char *, init->model_count);
    bool *is_shared = ARENA_NEW(arena, bool, init->model_count); /* at the first of a name */
    for (size_t i = 0; i < init->model_count; i++) {
        const char *path = init->models[i].path;
        const char *slug =
            name_slug(arena_printf(arena, "%.*s", (int)path_stem_length(path), path_base(path)), 60, arena);
        slugs[i] = *slug ? slug : "model";
    }
    FREED size_t *first = names_group(slugs, init->model_count);
    for (size_t i = 0; i < init->model_count; i++)
        is_shared[first[i]] |= !has_stem_of(init->models[i].path, init->models[first[i]].path);
    for (size_t i = 0; i < init->model_count; i++) {
        const char *path = init->models[i].path, *name = slugs[i];
        const size_t folder = (size_t)(path_base(path) - path);
        if (is_shared[first[i]] && folder > 0) {
            SCOPED(text) parent = {0};
            text_add_bytes(&parent, path, folder - 1);
            name = name_slug(arena_printf(arena, "%s-%s", path_base(text_string(&parent)), name), 80, arena);
        }
        char extension[16];
        path_extension(path, extension);
        init->models[i].is_counterpart = has_stem_of(i > 0 ? init->models[i - 1].path : "", path);
        if (init->models[i].is_counterpart)
            name = arena_printf(arena, "%s-%s", name, name_slug(extension, 15, arena));
        init->models[i].name = name;
    }
}

struct search {
    bool is_alone; /* the operand is the only one: it is taken at its word */
    struct left_out files, folders; /* without a model, of several operands: a shell's glob names all there is */
};

void init_leave_out(struct left_out *list, const char *path)
{
    init_report_item(&list->names, ": ", path, list->count++);
}

void init_report_left_out(struct init *init, struct left_out *list, const char *why, const char *noun)
{
    if (list->count > 0)
        text_addf(&init->report, "left out, %s: %zu %s%s%s\n", why, list->count, noun, list->count == 1 ? "" : "s",
                  text_string(&list->names));
    text_release(&list->names);
}

/* Returns false. A folder or file that is nearly called so is suggested. */
static bool fail_nothing(const char *before, const char *path, const char *behind, struct error *err)
{
    SCOPED(text) near = {0};
    if (folder_suggest(path, &near))
        error_set(err, "init: %s `%s`%s; did you mean `%s`?", before, path, behind, text_string(&near));
    else
        error_set(err, "init: %s `%s`%s", before, path, behind);
    return false;
}

/* The models that one operand means. */
static bool find(struct init *init, struct search *search, const char *path, struct folder_names *out,
                 struct error *err)
{
    struct stat st;
    const bool is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode), is_file = file_exists(path);
    if (is_file && !search->is_alone && !suite_is_model(path))
        return init_leave_out(&search->files, path), true;
    if (is_file) {
        *out = (struct folder_names){memory_new(1, sizeof(char *)), 1};
        out->names[0] = memory_string(path);
        return true;
    }
    if (!is_folder && !has_glob(path))
        return fail_nothing("there is no file or folder", path, " that can be read", err);
    if (!list_models(init, path, is_folder, out, err) || out->count > 0)
        return !error_is_set(err);
    if (is_folder && !search->is_alone)
        return init_leave_out(&search->folders, path), true;
    return fail_nothing(is_folder ? "no model is in the folder" : "no model file matches", path, "", err);
}

bool init_find(struct init *init, const char *const *operands, size_t operand_count, struct error *err)
{
    FREED struct folder_names *found = memory_new(operand_count, sizeof *found);
    struct search search = {.is_alone = operand_count == 1};
    size_t count = 0, kept = 0;
    bool good = true;
    for (size_t i = 0; good && i < operand_count; i++) {
        const char *path = operands[i];
        while (strncmp(path, "./", 2) == 0 && path[2] && path[2] != '/')
            path += 2;
        good = find(init, &search, path, &found[i], err);
        count += found[i].count;
    }
    init_report_left_out(init, &search.files, "not models", "file");
    init_report_left_out(init, &search.folders, "no model below", "folder");
    init->models = ARENA_NEW(init->arena, struct init_model, count);
    for (size_t i = 0; i < operand_count; i++) {
        for (size_t k = 0; k < found[i].count; k++)
            init->models[kept++].path = arena_string(init->arena, found[i].names[k]);
        folder_names_release(&found[i]);
    }
    sort_items(init->models, count, sizeof *init->models, by_stem);
    for (size_t i = 0; i < count; i++) /* named by two operands */
        if (i == 0 || strcmp(init->models[i].path, init->models[i - 1].path) != 0)
            init->models[init->model_count++] = init->models[i];
    if (good)
        name_models(init);
    return good;
}
