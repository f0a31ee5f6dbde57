#include "draw/shader/shader_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "draw/shader/shader_lines.h"

/* ---- putting it together ------------------------------------------------------------------------------------- */

static bool is_in(const struct shader_text *shader, const char *name)
{
    for (int i = 0; i < shader->file_count; i++)
        if (strcmp(shader->files[i].name, name) == 0)
            return true;
    return false;
}

static struct shader_file *add_name(struct shader_text *out, const struct shader_set *set, const char *name)
{
    assert(out->file_count < SHADER_FILES_MOST);
    struct shader_file *file = &out->files[out->file_count++];
    bool found = shader_set_find(set, name, file);
    assert(found);
    out->has_users |= found && file->is_users;
    return file;
}

static void end_line(struct shader_text *out)
{
    if (out->text.size > 0 && out->text.data[out->text.size - 1] != '\n')
        text_add(&out->text, "\n");
}

static void say_place(struct shader_text *out, int line, int number)
{
    text_addf(&out->text, "#line %d\n", number * LINES_OF_FILE + line);
}

/* The lines of file `number` from `reader` on, and those of the files they include. */
static void add_lines(struct shader_text *out, const struct shader_set *set, int number, struct shader_reader reader)
{
    struct shader_line line;
    say_place(out, reader.number, number);
    while (shader_next_line(&reader, &line)) {
        if (line.kind != SHADER_LINE_INCLUDE) {
            text_add_bytes(&out->text, line.text, line.size);
        } else if (is_in(out, line.name)) {
            text_add(&out->text, "\n");
        } else {
            int included = out->file_count;
            struct shader_file *file = add_name(out, set, line.name);
            add_lines(out, set, included, (struct shader_reader){.next = file->text, .number = 1});
            say_place(out, line.number + 1, number);
        }
    }
    end_line(out);
}

void shader_text_assemble(const struct shader_set *set, const char *name, const char *defines, struct shader_text *out)
{
    out->file_count = 0;
    out->has_users = false;
    out->text = (struct text){0};
    out->defines = defines;
    struct shader_reader reader = {.next = add_name(out, set, name)->text, .number = 1};
    struct shader_line version;
    if (shader_next_line(&reader, &version))
        text_add_bytes(&out->text, version.text, version.size);
    end_line(out);
    text_add(&out->text, defines);
    add_lines(out, set, 0, reader);
}

void shader_text_release(struct shader_text *shader)
{
    text_release(&shader->text);
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

const struct shader_file *shader_text_find_word(const struct shader_text *shader, const char *word)
{
    for (int i = 0; i < shader->file_count; i++)
        if (shader->files[i].is_users && shader_has_word(shader->files[i].text, word))
            return &shader->files[i];
    return &shader->files[0];
}

/* A number at the beginning of a text, and what comes behind it; false when there is none. */
static bool read_number(const char *text, unsigned long *out, const char **rest)
{
    char *end;
    *out = strtoul(text, &end, 10);
    *rest = end;
    return *text >= '0' && *text <= '9';
}

/* Puts file and line in place of a message's own; returns what of it is left. */
static const char *name_file(const struct shader_text *shader, const char *message, struct text *out)
{
    static const char prefix[] = "ERROR: ";
    const char *source = strncmp(message, prefix, sizeof prefix - 1) == 0 ? message + sizeof prefix - 1 : message;
    const char *between, *rest;
    unsigned long ignored, line;
    if (!read_number(source, &ignored, &between) || (*between != ':' && *between != '(') ||
        !read_number(between + 1, &line, &rest) || line / LINES_OF_FILE >= (unsigned long)shader->file_count)
        return message;
    text_addf(out, "%s%c%lu", shader->files[line / LINES_OF_FILE].shown, *between, line % LINES_OF_FILE);
    return rest;
}

void shader_text_name_files(const struct shader_text *shader, const char *driver_log, struct text *out)
{
    for (const char *c = driver_log; *c;) {
        c = name_file(shader, c, out);
        size_t length = strcspn(c, "\n");
        length += c[length] == '\n';
        text_add_bytes(out, c, length);
        c += length;
    }
}

static bool is_named(const struct shader_file *file, const char *messages)
{
    const char *at = strstr(messages, file->shown);
    return at && (at == messages || at[-1] == '\n' || at[-1] == ' ');
}

static void number_file(const struct shader_file *file, struct text *out)
{
    struct shader_reader reader = {.next = file->text, .number = 1};
    struct shader_line line;
    while (shader_next_line(&reader, &line))
        text_addf(out, "%s:%-4d  %.*s\n", file->shown, line.number, (int)strcspn(line.text, "\r\n"), line.text);
}

void shader_text_number_lines(const struct shader_text *shader, const char *messages, struct text *out)
{
    bool any = false;
    for (int i = 0; i < shader->file_count; i++)
        any = any || is_named(&shader->files[i], messages);
    text_add(out, shader->defines);
    for (int i = 0; i < shader->file_count; i++)
        if (!any || is_named(&shader->files[i], messages))
            number_file(&shader->files[i], out);
}
