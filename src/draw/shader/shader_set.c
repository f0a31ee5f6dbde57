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

/* Reads a file into the set. False without err where there is none. */
static bool add_file(struct shader_set *set, const char *name, struct error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct blob blob = {0};
    struct text escaped = {0};
    char *path = NULL;
    bool outside = !stays_inside(name);
    if (!outside)
        path_inside_folder(set->folder, name, &path, &outside);
    if (outside)
        error_set(err, "shaders: `%s` leads out of %s", name, set->folder);
    if (!path)
        return false;
    bool good = (set->count < SHADER_SET_FILES ||
                 error_set(err, "shaders: %s has more than %d files", set->folder, SHADER_SET_FILES)) &&
                file_read(path, SHADER_FILE_BYTES, &blob, err);
    free(path);
    if (!good)
        return false;
    text_add_name(&escaped, arena_printf(set->arena, "%s/%s", set->folder, name));
    struct shader_file *file = &set->files[set->count++];
    *file = (struct shader_file){.name = arena_string(set->arena, name),
                                 .shown = arena_string(set->arena, text_string(&escaped)),
                                 .text = arena_string(set->arena, (const char *)blob.data),
                                 .is_users = true};
    const char *end = file->text;
    for (size_t length; *end && (length = utf8_length(end)) > 0;)
        end += length;
    good = (size_t)(end - file->text) == blob.size || error_set(err, "%s is no text in UTF-8", file->shown);
    if (strncmp(file->text, byte_order_mark, 3) == 0)
        file->text += 3;
    text_release(&escaped);
    blob_release(&blob);
    return good;
}

static bool add_folder(struct shader_set *set, struct error *err)
{
    struct folder_names names;
    bool good = folder_list(set->folder, FOLDER_FILES, &names, err);
    for (size_t i = 0; good && i < names.count; i++) {
        char extension[16];
        path_extension(names.names[i], extension);
        if (strcmp(extension, "vert") == 0 || strcmp(extension, "frag") == 0 || strcmp(extension, "glsl") == 0)
            good = add_file(set, names.names[i], err) || error_set(err, "cannot read %s/%s", set->folder, names.names[i]);
    }
    folder_names_release(&names);
    return good;
}

/* "; did you mean `NAME`?" with the nearest of the files of the set (NULL: none) and of ours, or nothing. */
static const char *did_you_mean(struct arena *arena, const struct shader_set *set, const char *name)
{
    const char *names[SHADER_SET_FILES * 2];
    size_t count = 0;
    struct shader_file file = {.name = ""};
    while (count < SHADER_SET_FILES * 2 && shader_set_next(set, file.name, &file))
        names[count++] = file.name;
    const char *near = name_nearest(name, names, count);
    return near ? arena_printf(arena, "; did you mean `%s`?", near) : "";
}

/* The file takes part, and what it includes, which is read if it was not yet (from a folder below say), and so on. */
static bool take(struct shader_set *set, struct shader_file *file, struct error *err)
{
    struct shader_reader reader = {.next = file->text, .number = 1};
    struct shader_line line;
    struct shader_file ours;
    if (file->takes_part)
        return true;
    file->takes_part = true;
    while (shader_next_line(&reader, &line)) {
        size_t included = 0;
        if (line.kind == SHADER_LINE_PLAIN)
            continue;
        if (line.kind == SHADER_LINE_BAD_INCLUDE)
            return error_set(err, "%s:%d: #include wants the name of a file in quotes, and nothing behind it", file->shown,
                             line.number);
        while (included < set->count && strcmp(set->files[included].name, line.name) != 0)
            included++;
        if (included == set->count && !add_file(set, line.name, err) && error_is_set(err))
            return error_prefix(err, "%s:%d", file->shown, line.number);
        if (included == set->count && !find_ours(line.name, &ours))
            return error_set(err, "%s:%d: #include \"%s\": there is no such file in %s, and it is none of ours%s",
                             file->shown, line.number, line.name, set->folder, did_you_mean(set->arena, set, line.name));
        if (included < set->count && !take(set, &set->files[included], err))
            return false;
    }
    return true;
}

/*
 * Those that take the place of ours take part, and what these include; the others are warned of and dropped. What is
 * compiled, not only included, says the version first: what goes in front of the rest comes behind it.
 */
static bool choose_files(struct shader_set *set, struct error *err)
{
    struct shader_file ours;
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (find_ours(set->files[i].name, &ours) && !take(set, &set->files[i], err))
            return false;
    for (size_t i = 0; i < set->count; i++) {
        const struct shader_file *file = &set->files[i];
        if (file->takes_part)
            set->files[count++] = *file;
        else
            log_warning("%s takes no part: none of ours is called so, and no file that takes part includes it%s",
                        file->shown, did_you_mean(set->arena, NULL, file->name));
    }
    set->count = count;
    for (size_t i = 0; i < count; i++) {
        const char *end = strrchr(set->files[i].name, '.');
        if (find_ours(set->files[i].name, &ours) && strcmp(end ? end : "", ".glsl") != 0 &&
            strncmp(set->files[i].text, "#version", 8) != 0)
            return error_set(err, "%s: the first line is not `#version 330 core` or a later one", set->files[i].shown);
    }
    if (count > 0)
        return true;
    struct text names = {0};
    for (struct shader_file file = {.name = ""}; shader_set_next(NULL, file.name, &file);)
        text_addf(&names, "%s%s", names.size ? ", " : "", file.name);
    error_set(err, "shaders: no file of %s takes the place of one of ours: %s", set->folder, text_string(&names));
    text_release(&names);
    return false;
}

struct shader_set *shader_set_load(const char *folder, struct error *err)
{
    enum { NAMES = 1 << 20 };
    struct text real = {0};
    bool exists = path_real_folder(folder, &real, err) || error_prefix(err, "shaders");
    text_release(&real);
    struct arena *arena = exists ? arena_create((size_t)SHADER_SET_FILES * SHADER_FILE_BYTES + NAMES, err) : NULL;
    if (!arena)
        return NULL;
    struct shader_set *set = ARENA_NEW(arena, struct shader_set, 1);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *set = (struct shader_set){.arena = arena,
                               .asked = arena_string(arena, folder),
                               .folder = arena_printf(arena, "%.*s", (int)length, folder),
                               .files = ARENA_NEW(arena, struct shader_file, SHADER_SET_FILES)};
    if (add_folder(set, err) && choose_files(set, err))
        return set;
    shader_set_release(set);
    return NULL;
}
