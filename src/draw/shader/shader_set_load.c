/* The user's folder of shaders, read and checked. */
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/names.h"
#include "base/text.h"
#include "base/utf8.h"
#include "draw/shader/shader_lines.h"
#include "draw/shader/shader_set.h"
#include "draw/shader/shader_source.h"

/* A set under way: which of its files take part. */
struct loading {
    struct shader_set *set;
    bool taken[SHADER_SET_FILES];
    struct error *err;
};

/* ---- one file -------------------------------------------------------------------------------------------------- */

static bool is_text(const struct blob *blob)
{
    const char *c = (const char *)blob->data;
    size_t length;
    if (strlen(c) != blob->size)
        return false;
    while (*c && (length = utf8_length(c)) > 0)
        c += length;
    return *c == '\0';
}

/* Whether a name stays in the folder by the letter; links are path_inside_folder()'s business. */
static bool stays_inside(const char *name)
{
    for (const char *part = name; *part; part += *part == '/') {
        size_t length = strcspn(part, "/");
        if (length == 0 || (length == 2 && strncmp(part, "..", 2) == 0))
            return false;
        part += length;
    }
    return true;
}

/* The real path of a file of the folder, freed by the caller; NULL, with err set where it leads out of it. */
static char *locate(struct loading *loading, const char *name)
{
    char *path = NULL;
    bool outside = !stays_inside(name);
    if (!outside)
        path_inside_folder(loading->set->folder, name, &path, &outside);
    if (outside)
        error_set(loading->err, "shaders: `%s` leads out of %s", name, loading->set->folder);
    return path;
}

static bool keep_file(struct loading *loading, const char *name, const struct blob *blob)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct shader_set *set = loading->set;
    struct text escaped = {0};
    text_add_name(&escaped, arena_printf(set->arena, "%s/%s", set->folder, name));
    const char *shown = arena_string(set->arena, text_string(&escaped));
    text_release(&escaped);
    if (!is_text(blob))
        return error_set(loading->err, "%s is no text in UTF-8", shown);
    const char *text = arena_string(set->arena, (const char *)blob->data);
    if (strncmp(text, byte_order_mark, 3) == 0)
        text += 3;
    set->files[set->count++] = (struct shader_file){
        .name = arena_string(set->arena, name), .shown = shown, .text = text, .is_users = true};
    return true;
}

/* Reads a file into the set. False without err where there is none. */
static bool add_file(struct loading *loading, const char *name)
{
    struct blob blob = {0};
    char *path = locate(loading, name);
    if (!path)
        return false;
    bool good = loading->set->count < SHADER_SET_FILES ||
                error_set(loading->err, "shaders: %s has more than %d files", loading->set->folder, SHADER_SET_FILES);
    good = good && file_read(path, SHADER_FILE_BYTES, &blob, loading->err) && keep_file(loading, name, &blob);
    blob_release(&blob);
    free(path);
    return good;
}

/* ---- the folder ------------------------------------------------------------------------------------------------ */

static bool is_shader(const char *name)
{
    char extension[16];
    path_extension(name, extension);
    return strcmp(extension, "vert") == 0 || strcmp(extension, "frag") == 0 || strcmp(extension, "glsl") == 0;
}

static bool add_folder(struct loading *loading)
{
    struct folder_names names;
    bool good = folder_list(loading->set->folder, FOLDER_FILES, &names, loading->err);
    for (size_t i = 0; good && i < names.count; i++)
        if (is_shader(names.names[i]))
            good = add_file(loading, names.names[i]) ||
                   error_set(loading->err, "cannot read %s/%s", loading->set->folder, names.names[i]);
    folder_names_release(&names);
    return good;
}

/* Names of files that an #include may mean: the set's and ours. Returns how many. */
static size_t list_names(const struct shader_set *set, const char *names[SHADER_SET_FILES * 2])
{
    size_t count = 0;
    struct shader_file file = {.name = ""};
    while (count < SHADER_SET_FILES * 2 && shader_set_next(set, file.name, &file))
        names[count++] = file.name;
    return count;
}

static const char *nearest_of_ours(const char *name)
{
    const char *names[SHADER_SET_FILES * 2];
    return name_nearest(name, names, list_names(NULL, names));
}

/* ---- what includes what ---------------------------------------------------------------------------------------- */

static bool fail_unknown(struct loading *loading, const struct shader_file *file, const struct shader_line *line)
{
    const char *names[SHADER_SET_FILES * 2];
    const char *near = name_nearest(line->name, names, list_names(loading->set, names));
    return error_set(loading->err, "%s:%d: #include \"%s\": there is no such file in %s, and it is none of ours%s%s%s",
                     file->shown, line->number, line->name, loading->set->folder, near ? "; did you mean `" : "",
                     near ? near : "", near ? "`?" : "");
}

static int index_of(const struct shader_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* What a line includes takes part; it is read if it was not yet, from a folder below say. */
static bool take_included(struct loading *loading, const struct shader_file *file, const struct shader_line *line)
{
    struct shader_set *set = loading->set;
    struct shader_file found;
    if (line->kind == SHADER_LINE_BAD_INCLUDE)
        return error_set(loading->err, "%s:%d: #include wants the name of a file in quotes, and nothing behind it",
                         file->shown, line->number);
    if (index_of(set, line->name) < 0 && !add_file(loading, line->name) && error_is_set(loading->err))
        return error_prefix(loading->err, "%s:%d", file->shown, line->number);
    int index = index_of(set, line->name);
    if (index >= 0)
        loading->taken[index] = true;
    return index >= 0 || shader_set_find(NULL, line->name, &found) || fail_unknown(loading, file, line);
}

static bool take_includes_of(struct loading *loading, const struct shader_file *file)
{
    struct shader_reader reader = {.next = file->text, .number = 1};
    struct shader_line line;
    while (shader_next_line(&reader, &line))
        if (line.kind != SHADER_LINE_PLAIN && !take_included(loading, file, &line))
            return false;
    return true;
}

/* Files that take the place of ours take part, and what these include, and so on. */
static bool take_all(struct loading *loading)
{
    bool done[SHADER_SET_FILES] = {false}, more = true;
    struct shader_file ours;
    for (size_t i = 0; i < loading->set->count; i++)
        loading->taken[i] = shader_set_find(NULL, loading->set->files[i].name, &ours);
    while (more) {
        more = false;
        for (size_t i = 0; i < loading->set->count; i++) {
            if (done[i] || !loading->taken[i])
                continue;
            done[i] = more = true;
            if (!take_includes_of(loading, &loading->set->files[i]))
                return false;
        }
    }
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------------------------- */

static void warn_idle(const struct shader_file *file)
{
    const char *near = nearest_of_ours(file->name);
    log_warning("%s takes no part: none of ours is called so, and no file that takes part includes it%s%s%s", file->shown,
                near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

/* Leaves those that take part in the set. */
static void drop_idle(struct loading *loading)
{
    struct shader_set *set = loading->set;
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (loading->taken[i])
            set->files[count++] = set->files[i];
        else
            warn_idle(&set->files[i]);
    }
    set->count = count;
}

static bool check_not_empty(const struct loading *loading)
{
    struct text names = {0};
    if (loading->set->count > 0)
        return true;
    for (struct shader_file file = {.name = ""}; shader_set_next(NULL, file.name, &file);)
        text_addf(&names, "%s%s", names.size ? ", " : "", file.name);
    error_set(loading->err, "shaders: no file of %s takes the place of one of ours: %s", loading->set->folder,
              text_string(&names));
    text_release(&names);
    return false;
}

/* Files that are compiled, not only included, say the version first: what goes in front of the rest comes behind it. */
static bool check_versions(const struct loading *loading)
{
    for (size_t i = 0; i < loading->set->count; i++) {
        const struct shader_file *file = &loading->set->files[i];
        char extension[16];
        path_extension(file->name, extension);
        struct shader_file ours;
        bool compiles = strcmp(extension, "glsl") != 0 && shader_set_find(NULL, file->name, &ours);
        if (compiles && strncmp(file->text, "#version", 8) != 0)
            return error_set(loading->err, "%s: the first line is not `#version 330 core` or a later one", file->shown);
    }
    return true;
}

/* ---- the set --------------------------------------------------------------------------------------------------- */

/* Without slashes at the end. */
static char *folder_name(struct arena *arena, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return arena_printf(arena, "%.*s", (int)length, folder);
}

static struct shader_set *create(const char *folder, struct error *err)
{
    enum { NAMES_AND_WARNINGS = 1 << 20 };
    struct arena *arena = arena_create((size_t)SHADER_SET_FILES * SHADER_FILE_BYTES + NAMES_AND_WARNINGS, err);
    if (!arena)
        return NULL;
    struct shader_set *set = ARENA_NEW(arena, struct shader_set, 1);
    *set = (struct shader_set){
        .arena = arena, .asked = arena_string(arena, folder), .folder = folder_name(arena, folder)};
    set->files = ARENA_NEW(arena, struct shader_file, SHADER_SET_FILES);
    return set;
}

struct shader_set *shader_set_load(const char *folder, struct error *err)
{
    struct loading loading = {.err = err};
    struct text real = {0};
    bool exists = path_real_folder(folder, &real, err) || error_prefix(err, "shaders");
    text_release(&real);
    loading.set = exists ? create(folder, err) : NULL;
    if (loading.set && add_folder(&loading) && take_all(&loading)) {
        drop_idle(&loading);
        if (check_not_empty(&loading) && check_versions(&loading))
            return loading.set;
    }
    shader_set_release(loading.set);
    return NULL;
}
