#include "draw/shader/shader_lines.h"

#include <string.h>

static const char blanks[] = " \t\r";

/* Whether what follows the line is inside of a comment. */
static bool ends_in_comment(const char *line, size_t size, bool in_comment)
{
    for (size_t i = 0; i + 1 < size; i++) {
        bool opens = line[i] == '/' && line[i + 1] == '*', closes = line[i] == '*' && line[i + 1] == '/';
        if (!in_comment && line[i] == '/' && line[i + 1] == '/')
            break;
        if (in_comment ? closes : opens) {
            in_comment = !in_comment;
            i++;
        }
    }
    return in_comment;
}

/* What comes after `#include`, or NULL. */
static const char *after_include(const char *line)
{
    static const char word[] = "include";
    line += strspn(line, blanks);
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, blanks);
    if (strncmp(line, word, sizeof word - 1) != 0)
        return NULL;
    line += sizeof word - 1;
    return strchr(" \t\r\n\"<", *line) ? line : NULL;
}

/* The name in quotes, alone on its line but for a comment. */
static bool read_name(const char *tail, char name[SHADER_NAME_MOST + 1])
{
    tail += strspn(tail, blanks);
    size_t length = *tail == '"' ? strcspn(tail + 1, "\"\n") : 0;
    if (length == 0 || length > SHADER_NAME_MOST || tail[1 + length] != '"')
        return false;
    const char *end = tail + length + 2;
    end += strspn(end, blanks);
    if (*end != '\n' && *end != '\0' && strncmp(end, "//", 2) != 0 && strncmp(end, "/*", 2) != 0)
        return false;
    memcpy(name, tail + 1, length);
    name[length] = '\0';
    return true;
}

bool shader_next_line(struct shader_reader *reader, struct shader_line *line)
{
    if (*reader->next == '\0')
        return false;
    size_t size = strcspn(reader->next, "\n");
    size += reader->next[size] == '\n';
    *line = (struct shader_line){.text = reader->next, .size = size, .number = reader->number};
    const char *tail = reader->in_comment ? NULL : after_include(line->text);
    if (tail)
        line->kind = read_name(tail, line->name) ? SHADER_LINE_INCLUDE : SHADER_LINE_BAD_INCLUDE;
    reader->in_comment = ends_in_comment(line->text, size, reader->in_comment);
    reader->next += size;
    reader->number++;
    return true;
}

static bool is_part_of_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Behind a comment that begins here; the same place when none does. */
static const char *skip_comment(const char *c)
{
    if (c[0] == '/' && c[1] == '/')
        return c + strcspn(c, "\n");
    if (c[0] != '/' || c[1] != '*')
        return c;
    const char *end = strstr(c + 2, "*/");
    return end ? end + 2 : c + strlen(c);
}

bool shader_has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *c = text; *c;) {
        const char *behind = skip_comment(c);
        size_t size = 0;
        while (behind == c && is_part_of_name(c[size]))
            size++;
        if (size == length && memcmp(c, word, length) == 0)
            return true;
        c = behind > c ? behind : c + (size ? size : 1);
    }
    return false;
}
