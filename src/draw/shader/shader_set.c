#include "draw/shader/shader_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/names.h"
#include "base/utf8.h"
#include "draw/shader/shader_source.h"

static bool find_ours(const char *name, struct shader_file *out)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        if (strcmp(shader_sources[i].name, name) == 0) {
            *out = (struct shader_file){
                .name = shader_sources[i].name, .shown = shader_sources[i].name, .text = shader_sources[i].text};
            return true;
        }
    return false;
}

bool shader_set_find(const struct shader_set *set, const char *name, struct shader_file *out)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0) {
            *out = set->files[i];
            return true;
        }
    return find_ours(name, out);
}

bool shader_set_next(const struct shader_set *set, const char *name, struct shader_file *out)
{
    const char *next = NULL;
    for (size_t i = 0; i < shader_source_count + (set ? set->count : 0); i++) {
        const char *other = i < shader_source_count ? shader_sources[i].name : set->files[i - shader_source_count].name;
        if (strcmp(other, name) > 0 && (!next || strcmp(other, next) < 0))
            next = other;
    }
    return next && shader_set_find(set, next, out);
}

void shader_set_release(struct shader_set *set)
{
    if (!set)
        return;
    text_release(&set->said);
    arena_destroy(set->arena);
}

void shader_set_warn(struct shader_set *set, const char *format, ...)
{
    struct text line = {0};
    va_list arguments;
    va_start(arguments, format);
    text_addv(&line, format, arguments);
    va_end(arguments);
    text_add(&line, "\n");
    if (!strstr(text_string(&set->said), line.data)) {
        text_add(&set->said, line.data);
        log_warning("%.*s", (int)line.size - 1, line.data);
    }
    text_release(&line);
}

/* A set under way: which of its files take part. */
struct loading {
    struct shader_set *set;
    bool taken[SHADER_SET_FILES];
    struct error *err;
};

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
    const char *folder = loading->set->folder;
    char *path = NULL;
    bool outside = !stays_inside(name);
    if (!outside)
        path_inside_folder(folder, name, &path, &outside);
    if (outside)
        error_set(loading->err, "shaders: `%s` leads out of %s", name, folder);
    if (!path)
        return false;
    bool good = (loading->set->count < SHADER_SET_FILES ||
                 error_set(loading->err, "shaders: %s has more than %d files", folder, SHADER_SET_FILES)) &&
                file_read(path, SHADER_FILE_BYTES, &blob, loading->err) && keep_file(loading, name, &blob);
    blob_release(&blob);
    free(path);
    return good;
}

static bool add_folder(struct loading *loading)
{
    struct folder_names names;
    bool good = folder_list(loading->set->folder, FOLDER_FILES, &names, loading->err);
    for (size_t i = 0; good && i < names.count; i++) {
        char extension[16];
        path_extension(names.names[i], extension);
        if (strcmp(extension, "vert") == 0 || strcmp(extension, "frag") == 0 || strcmp(extension, "glsl") == 0)
            good = add_file(loading, names.names[i]) ||
                   error_set(loading->err, "cannot read %s/%s", loading->set->folder, names.names[i]);
    }
    folder_names_release(&names);
    return good;
}

/* Of the files that an #include may mean, the set's (NULL: none) and ours, the one whose name is nearest; NULL: none. */
static const char *nearest_name(const struct shader_set *set, const char *name)
{
    const char *names[SHADER_SET_FILES * 2];
    size_t count = 0;
    struct shader_file file = {.name = ""};
    while (count < SHADER_SET_FILES * 2 && shader_set_next(set, file.name, &file))
        names[count++] = file.name;
    return name_nearest(name, names, count);
}

static bool fail_unknown(struct loading *loading, const struct shader_file *file, const struct shader_line *line)
{
    const char *near = nearest_name(loading->set, line->name);
    return error_set(loading->err, "%s:%d: #include \"%s\": there is no such file in %s, and it is none of ours%s%s%s",
                     file->shown, line->number, line->name, loading->set->folder, near ? "; did you mean `" : "",
                     near ? near : "", near ? "`?" : "");
}

/* The file takes part, and what it includes, which is read if it was not yet (from a folder below say), and so on. */
static bool take(struct loading *loading, size_t index)
{
    struct shader_set *set = loading->set;
    const struct shader_file *file = &set->files[index];
    struct shader_reader reader = {.next = file->text, .number = 1};
    struct shader_line line;
    struct shader_file ours;
    if (loading->taken[index])
        return true;
    loading->taken[index] = true;
    while (shader_next_line(&reader, &line)) {
        size_t included = 0;
        if (line.kind == SHADER_LINE_PLAIN)
            continue;
        if (line.kind == SHADER_LINE_BAD_INCLUDE)
            return error_set(loading->err, "%s:%d: #include wants the name of a file in quotes, and nothing behind it",
                             file->shown, line.number);
        while (included < set->count && strcmp(set->files[included].name, line.name) != 0)
            included++;
        if (included == set->count && !add_file(loading, line.name) && error_is_set(loading->err))
            return error_prefix(loading->err, "%s:%d", file->shown, line.number);
        if (included < set->count ? !take(loading, included)
                                  : !find_ours(line.name, &ours) && !fail_unknown(loading, file, &line))
            return false;
    }
    return true;
}

/*
 * Those that take the place of ours take part, and what these include; the others are warned of and dropped. What is
 * compiled, not only included, says the version first: what goes in front of the rest comes behind it.
 */
static bool choose_files(struct loading *loading)
{
    struct shader_set *set = loading->set;
    struct shader_file ours;
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (find_ours(set->files[i].name, &ours) && !take(loading, i))
            return false;
    for (size_t i = 0; i < set->count; i++) {
        const struct shader_file *file = &set->files[i];
        const char *near = loading->taken[i] ? NULL : nearest_name(NULL, file->name);
        if (loading->taken[i])
            set->files[count++] = *file;
        else
            log_warning("%s takes no part: none of ours is called so, and no file that takes part includes it%s%s%s",
                        file->shown, near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
    set->count = count;
    for (size_t i = 0; i < count; i++) {
        const char *end = strrchr(set->files[i].name, '.');
        if (find_ours(set->files[i].name, &ours) && strcmp(end ? end : "", ".glsl") != 0 &&
            strncmp(set->files[i].text, "#version", 8) != 0)
            return error_set(loading->err, "%s: the first line is not `#version 330 core` or a later one",
                             set->files[i].shown);
    }
    if (count > 0)
        return true;
    struct text names = {0};
    for (struct shader_file file = {.name = ""}; shader_set_next(NULL, file.name, &file);)
        text_addf(&names, "%s%s", names.size ? ", " : "", file.name);
    error_set(loading->err, "shaders: no file of %s takes the place of one of ours: %s", set->folder,
              text_string(&names));
    text_release(&names);
    return false;
}

static struct shader_set *create(const char *folder, struct error *err)
{
    enum { NAMES = 1 << 20 };
    struct arena *arena = arena_create((size_t)SHADER_SET_FILES * SHADER_FILE_BYTES + NAMES, err);
    if (!arena)
        return NULL;
    struct shader_set *set = ARENA_NEW(arena, struct shader_set, 1);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *set = (struct shader_set){.arena = arena, .asked = arena_string(arena, folder),
                               .folder = arena_printf(arena, "%.*s", (int)length, folder)};
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
    if (loading.set && add_folder(&loading) && choose_files(&loading))
        return loading.set;
    shader_set_release(loading.set);
    return NULL;
}
