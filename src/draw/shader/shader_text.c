#include "draw/shader/shader_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Behind a comment that begins here; the same place when none does. One that does not end ends with the text. */
static const char *skip_comment(const char *c)
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
    if (*end != '\n' && *end != '\0' && skip_comment(end) == end)
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
        const char *behind = skip_comment(c);
        c = behind > c ? behind : c + 1;
    }
    return true;
}

bool shader_has_word(const char *text, const char *word)
{
    static const char letters[] = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strlen(word);
    for (const char *c = text; *c;) {
        const char *behind = skip_comment(c);
        size_t size = behind == c ? strspn(c, letters) : 0;
        if (size == length && memcmp(c, word, length) == 0)
            return true;
        c = behind > c ? behind : c + (size ? size : 1);
    }
    return false;
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

void shader_text_assemble(const struct shader_set *set, const char *name, const char *defines, struct shader_text *out)
{
    *out = (struct shader_text){.defines = defines};
    struct shader_reader reader = add_file(out, set, name);
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

const struct shader_file *shader_text_find_word(const struct shader_text *shader, const char *word)
{
    for (int i = 0; i < shader->file_count; i++)
        if (shader->files[i].is_users && shader_has_word(shader->files[i].text, word))
            return &shader->files[i];
    return &shader->files[0];
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
