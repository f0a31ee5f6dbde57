#include "draw/shader/shader_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/names.h"
#include "base/utf8.h"

EMBEDDED(shader_source);

bool shader_set_find(const struct shader_set *set, const char *name, struct shader_file *out)
{
    const struct shader_file *users = set ? NAMED(set->files, set->count, name) : NULL;
    const struct embedded_file *ours = NAMED(shader_sources, shader_source_count, name);
    if (users)
        *out = *users;
    else if (ours)
        *out = (struct shader_file){.name = ours->name, .shown = ours->name, .text = ours->text};
    return users || ours;
}

const char *shader_set_path(const struct shader_set *set, size_t i, const char **hash)
{
    *hash = i < set->count ? set->files[i].hash : NULL;
    return i < set->count ? set->files[i].path : NULL;
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
    text_release(&set->warnings);
    arena_destroy(set->arena);
}

void shader_set_warn(struct shader_set *set, const char *format, ...)
{
    SCOPED(text) line = {0};
    va_list arguments;
    va_start(arguments, format);
    text_addv(&line, format, arguments);
    va_end(arguments);
    text_add(&line, "\n");
    if (!strstr(text_string(&set->warnings), line.data)) {
        text_add(&set->warnings, line.data);
        if (!set->holds_warnings)
            log_warning("%.*s", (int)line.size - 1, line.data);
    }
}

/* Reads a file into the set. False without err where there is none. */
static bool read_member(struct shader_set *set, const char *name, struct error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    SCOPED(blob) blob = {0};
    SCOPED(text) escaped = {0};
    FREED char *path = NULL;
    char hash[17];
    bool outside = false; /* by the letter; links are path_inside_folder()'s business */
    for (const char *part = name; *part; part += *part == '/') {
        size_t length = strcspn(part, "/");
        outside = outside || length == 0 || (length == 2 && strncmp(part, "..", 2) == 0);
        part += length;
    }
    if (!outside)
        path_inside_folder(set->folder, name, &path, &outside);
    if (outside)
        error_set(err, "shaders: `%s` leads out of %s", name, set->folder);
    if (!path)
        return false;
    bool good = (set->count < SHADER_SET_FILES ||
                 error_set(err, "shaders: %s has more than %d files", set->folder, SHADER_SET_FILES)) &&
                file_read(path, SHADER_FILE_BYTES, &blob, err);
    if (!good)
        return false;
    const char *whole = arena_printf(set->arena, "%s/%s", set->folder, name);
    text_add_name(&escaped, whole);
    bytes_hash(blob.data, blob.size, hash);
    struct shader_file *file = &set->files[set->count++];
    *file = (struct shader_file){.name = arena_string(set->arena, name),
                                 .shown = arena_string(set->arena, text_string(&escaped)),
                                 .path = whole,
                                 .hash = arena_string(set->arena, hash),
                                 .text = arena_string(set->arena, (const char *)blob.data),
                                 .is_users = true};
    const char *end = file->text;
    for (size_t length; *end && (length = utf8_length(end)) > 0;)
        end += length;
    good = (size_t)(end - file->text) == blob.size || error_set(err, "%s is not UTF-8 text", file->shown);
    if (strncmp(file->text, byte_order_mark, 3) == 0)
        file->text += 3;
    return good;
}

/* The nearest of the files of the set (NULL: none) and of ours; NULL: no name is near. */
static const char *nearest_file(const struct shader_set *set, const char *name)
{
    const char *names[SHADER_SET_FILES * 2];
    size_t count = 0;
    struct shader_file file = {.name = ""};
    while (count < SHADER_SET_FILES * 2 && shader_set_next(set, file.name, &file))
        names[count++] = file.name;
    return name_nearest(name, names, count);
}

/* "; did you mean `NAME`?", or nothing. */
static const char *did_you_mean(struct arena *arena, const struct shader_set *set, const char *name)
{
    const char *near = nearest_file(set, name);
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
            return error_set(err, "%s:%d: expected #include \"FILE\" and nothing behind it", file->shown, line.number);
        while (included < set->count && strcmp(set->files[included].name, line.name) != 0)
            included++;
        if (included == set->count && !read_member(set, line.name, err) && error_is_set(err))
            return error_prefix(err, "%s:%d", file->shown, line.number);
        if (included == set->count && !shader_set_find(NULL, line.name, &ours))
            return error_set(err, "%s:%d: #include \"%s\": no such file in %s, and rigproof has none of this name%s",
                             file->shown, line.number, line.name, set->folder,
                             did_you_mean(set->arena, set, line.name));
        if (included < set->count && !take(set, &set->files[included], err))
            return false;
    }
    return true;
}

/*
 * A folder of another program's, where no shader has a name of ours, or one so near that it is a slip: its only vertex
 * shader is skin.vert, its only fragment shader lit.frag and unlit.frag.
 */
static void name_lone_files(struct shader_set *set)
{
    struct shader_file *vertex = NULL, *fragment = NULL, ours;
    int vertices = 0, fragments = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct shader_file *file = &set->files[i];
        bool is_vertex = path_has_extension(file->name, "vert", "vs"),
             is_fragment = path_has_extension(file->name, "frag", "fs");
        const char *extension = strrchr(file->name, '.'), *near = nearest_file(NULL, file->name);
        bool is_slip = near && strstr(near, extension ? extension : "") &&
                       labs((long)strlen(near) - (long)strlen(file->name)) < 2;
        if (shader_set_find(NULL, file->name, &ours) || is_slip)
            return;
        vertices += is_vertex;
        fragments += is_fragment;
        vertex = is_vertex ? file : vertex;
        fragment = is_fragment ? file : fragment;
    }
    if (vertices == 1)
        vertex->name = "skin.vert";
    if (fragments != 1)
        return;
    fragment->name = "lit.frag";
    if (set->count < SHADER_SET_FILES) {
        set->files[set->count] = *fragment;
        set->files[set->count++].name = "unlit.frag";
    }
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
        if (shader_set_find(NULL, set->files[i].name, &ours) && !take(set, &set->files[i], err))
            return false;
    for (size_t i = 0; i < set->count; i++) {
        const struct shader_file *file = &set->files[i];
        if (file->takes_part)
            set->files[count++] = *file;
        else
            shader_set_warn(
                set, "%s is not used: rigproof has no shader of this name, and no file that is used includes it%s",
                file->shown, did_you_mean(set->arena, NULL, file->name));
    }
    set->count = count;
    for (size_t i = 0; i < count; i++) {
        const char *end = strrchr(set->files[i].name, '.');
        if (shader_set_find(NULL, set->files[i].name, &ours) && strcmp(end ? end : "", ".glsl") != 0 &&
            strncmp(set->files[i].text, "#version", 8) != 0)
            return error_set(err, "%s: the first line is not `#version 330 core` or a later one", set->files[i].shown);
    }
    if (count > 0)
        return true;
    SCOPED(text) names = {0};
    for (struct shader_file file = {.name = ""}; shader_set_next(NULL, file.name, &file);)
        text_addf(&names, "%s%s", names.size ? ", " : "", file.name);
    error_set(err, "shaders: no file in %s has the name of one of rigproof's, which are %s", set->folder,
              text_string(&names));
    return false;
}

struct shader_set *shader_set_load(const char *folder, struct error *err)
{
    enum { NAMES = 1 << 20 };
    SCOPED(text) real = {0};
    bool exists = path_real_folder(folder, &real, err) || error_prefix(err, "shaders");
    struct arena *arena = exists ? arena_create((size_t)SHADER_SET_FILES * SHADER_FILE_BYTES + NAMES, err) : NULL;
    if (!arena)
        return NULL;
    struct shader_set *set = ARENA_NEW(arena, struct shader_set, 1);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *set = (struct shader_set){.arena = arena,
                               .holds_warnings = true,
                               .asked = arena_string(arena, folder),
                               .folder = arena_printf(arena, "%.*s", (int)length, folder),
                               .files = ARENA_NEW(arena, struct shader_file, SHADER_SET_FILES)};
    struct folder_names names;
    bool good = folder_list(set->folder, FOLDER_FILES, &names, err);
    for (size_t i = 0; good && i < names.count; i++) {
        if (path_has_extension(names.names[i], "vert", "vs") || path_has_extension(names.names[i], "frag", "fs") ||
            path_has_extension(names.names[i], "glsl", "glsl"))
            good = read_member(set, names.names[i], err) ||
                   error_set(err, "cannot read %s/%s", set->folder, names.names[i]);
    }
    folder_names_release(&names);
    if (good)
        name_lone_files(set);
    if (good && choose_files(set, err))
        return set;
    shader_set_release(set);
    return NULL;
}

bool shader_folder_mentions(const char *folder, const char *word)
{
    struct shader_set *set = shader_set_load(folder, ERROR_IGNORED);
    bool found = false;
    for (size_t i = 0; set && i < set->count; i++)
        found = found || strcasestr(set->files[i].text, word);
    shader_set_release(set);
    return found;
}

const char *shader_skip_comment(const char *c)
{
    if (c[0] == '/' && c[1] == '/')
        return c + strcspn(c, "\n");
    if (c[0] != '/' || c[1] != '*')
        return c;
    const char *end = strstr(c + 2, "*/");
    return end ? end + 2 : c + strlen(c);
}

/* `#include`, then the name in quotes, alone on its line but for a comment. */
static enum shader_line_kind read_include(const char *line, char name[SHADER_NAME_MOST + 1])
{
    static const char blanks[] = " \t\r", word[] = "include";
    line += strspn(line, blanks);
    if (*line != '#')
        return SHADER_LINE_PLAIN;
    line += 1 + strspn(line + 1, blanks);
    if (strncmp(line, word, sizeof word - 1) != 0 || !strchr(" \t\r\n\"<", line[sizeof word - 1]))
        return SHADER_LINE_PLAIN;
    line += sizeof word - 1;
    line += strspn(line, blanks);
    size_t length = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    if (length == 0 || length > SHADER_NAME_MOST || line[1 + length] != '"')
        return SHADER_LINE_BAD_INCLUDE;
    const char *end = line + length + 2;
    end += strspn(end, blanks);
    if (*end != '\n' && *end != '\0' && shader_skip_comment(end) == end)
        return SHADER_LINE_BAD_INCLUDE;
    memcpy(name, line + 1, length);
    name[length] = '\0';
    return SHADER_LINE_INCLUDE;
}

bool shader_next_line(struct shader_reader *reader, struct shader_line *line)
{
    if (*reader->next == '\0')
        return false;
    size_t size = strcspn(reader->next, "\n");
    size += reader->next[size] == '\n';
    *line = (struct shader_line){.text = reader->next, .size = size, .number = reader->number++};
    reader->next += size;
    if (!reader->behind_comment || reader->behind_comment <= line->text) {
        line->kind = read_include(line->text, line->name);
        reader->behind_comment = line->text;
    }
    for (const char *c = reader->behind_comment; c < reader->next; reader->behind_comment = c) {
        const char *behind = shader_skip_comment(c);
        c = behind > c ? behind : c + 1;
    }
    return true;
}

/* Adds the file; a reader of its lines. */
static struct shader_reader add_file(struct shader_text *out, const struct shader_set *set, const char *name)
{
    assert(out->file_count < SHADER_FILES_MOST);
    struct shader_file *file = &out->files[out->file_count++];
    bool found = shader_set_find(set, name, file);
    assert(found);
    out->has_users |= found && file->is_users;
    return (struct shader_reader){.next = file->text, .number = 1};
}

static void end_line(struct shader_text *out)
{
    if (out->text.size > 0 && out->text.data[out->text.size - 1] != '\n')
        text_add(&out->text, "\n");
}

/* The lines of file `number` from `reader` on, and those of the files they include. */
static void add_lines(struct shader_text *out, const struct shader_set *set, int number, struct shader_reader reader)
{
    struct shader_line line;
    text_addf(&out->text, "#line %d\n", number * LINES_OF_FILE + reader.number);
    while (shader_next_line(&reader, &line)) {
        if (line.kind != SHADER_LINE_INCLUDE) {
            text_add_bytes(&out->text, line.text, line.size);
            continue;
        }
        int included = 0;
        while (included < out->file_count && strcmp(out->files[included].name, line.name) != 0)
            included++;
        if (included < out->file_count) {
            text_add(&out->text, "\n");
        } else {
            add_lines(out, set, included, add_file(out, set, line.name));
            text_addf(&out->text, "#line %d\n", number * LINES_OF_FILE + line.number + 1);
        }
    }
    end_line(out);
}

/* GLSL ES as the first GLSL that has all of it: the context is one of GL, and programs are of one language. */
static void add_version(struct text *out, const struct shader_line *line)
{
    static const char *const versions[][2] = {{"300es", "330"}, {"310es", "430"}, {"320es", "450"}};
    SCOPED(text) plain = shader_plain_text(line->text);
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (strncmp(text_string(&plain), "#version", 8) == 0 && strncmp(plain.data + 8, versions[i][0], 5) == 0) {
            text_addf(out, "#version %s core", versions[i][1]);
            return;
        }
    text_add_bytes(out, line->text, line->size);
}

void shader_text_assemble(const struct shader_set *set, const char *name, const char *defines, struct shader_text *out)
{
    *out = (struct shader_text){.defines = defines};
    struct shader_reader reader = add_file(out, set, name);
    struct shader_line version;
    if (shader_next_line(&reader, &version))
        add_version(&out->text, &version);
    end_line(out);
    text_add(&out->text, defines);
    add_lines(out, set, 0, reader);
}

const struct shader_file *shader_text_find_word(const struct shader_text *shader, const char *word)
{
    for (int i = 0; i < shader->file_count; i++)
        if (shader->files[i].is_users && shader_has_word(shader->files[i].text, word))
            return &shader->files[i];
    return &shader->files[0];
}

const struct shader_file *shader_text_file_of(const struct shader_text *vertex, const struct shader_text *fragment,
                                              const char *word)
{
    const struct shader_file *file = vertex ? shader_text_find_word(vertex, word) : NULL;
    bool is_there = file && file->is_users && shader_has_word(file->text, word);
    return fragment && !is_there ? shader_text_find_word(fragment, word) : file;
}

void shader_text_name_files(const struct shader_text *shader, const char *driver_log, struct text *out)
{
    for (const char *c = driver_log; *c;) {
        const char *digits = strncmp(c, "0:", 2) == 0 ? c + 2 : "";
        unsigned long line = *digits >= '0' && *digits <= '9' ? strtoul(digits, NULL, 10) : 0;
        if (line > 0 && line / LINES_OF_FILE < (unsigned long)shader->file_count) {
            text_addf(out, "%s:%lu", shader->files[line / LINES_OF_FILE].shown, line % LINES_OF_FILE);
            c = digits + strspn(digits, "0123456789");
        }
        size_t length = strcspn(c, "\n");
        length += c[length] == '\n';
        text_add_bytes(out, c, length);
        c += length;
    }
}

void shader_text_number_lines(const struct shader_text *shader, const char *messages, struct text *out)
{
    bool named[SHADER_FILES_MOST], any = false;
    for (int i = 0; i < shader->file_count; i++) {
        const char *at = strstr(messages, shader->files[i].shown);
        named[i] = at && (at == messages || at[-1] == '\n' || at[-1] == ' ');
        any = any || named[i];
    }
    text_add(out, shader->defines);
    for (int i = 0; i < shader->file_count; i++) {
        const struct shader_file *file = &shader->files[i];
        struct shader_reader reader = {.next = file->text, .number = 1};
        struct shader_line line;
        while ((!any || named[i]) && shader_next_line(&reader, &line))
            text_addf(out, "%s:%-4d  %.*s\n", file->shown, line.number, (int)strcspn(line.text, "\r\n"), line.text);
    }
}
