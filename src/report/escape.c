#include "report/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* One character of the text: its length in bytes, and its code point (U+FFFD for a byte that is no text). */
static size_t next_character(const char *s, uint32_t *point)
{
    size_t n = utf8_length(s);
    *point = n ? utf8_code_point(s, n) : 0xfffd;
    return n ? n : 1;
}

static void add_character(const char *s, size_t length, bool as_it_is, struct text *out)
{
    if (as_it_is && utf8_length(s) == length)
        text_add_bytes(out, s, length);
    else
        text_add(out, UTF8_REPLACEMENT);
}

void escape_markup(const char *value, struct text *out)
{
    static const char signs[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (const char *s = value; *s;) {
        uint32_t point;
        size_t n = next_character(s, &point);
        const char *sign = strchr(signs, *s);
        bool is_space = point == '\n' || point == '\t';
        if (sign)
            text_add(out, entities[sign - signs]);
        else
            add_character(s, n, is_space || (!utf8_is_hidden(point) && point != 0xfffe && point != 0xffff), out);
        s += n;
    }
}

void escape_markup_line(const char *value, struct text *out)
{
    struct text line = {0};
    text_add_name(&line, value);
    escape_markup(text_string(&line), out);
    text_release(&line);
}

void escape_script(const char *json, struct text *out)
{
    const char *rest = json;
    for (const char *s = json; *s; s++) {
        bool is_separator = strncmp(s, "\xe2\x80\xa8", 3) == 0 || strncmp(s, "\xe2\x80\xa9", 3) == 0;
        if (*s != '<' && *s != '>' && *s != '&' && !is_separator)
            continue;
        text_add_bytes(out, rest, (size_t)(s - rest));
        text_addf(out, "\\u%04x", is_separator ? 0x2028u + (s[2] == '\xa9') : (unsigned)*s);
        s += is_separator ? 2 : 0;
        rest = s + 1;
    }
    text_add(out, rest);
}

static void escape_workflow(const char *value, const char *special, struct text *out)
{
    for (const char *s = value; *s;) {
        uint32_t point;
        size_t n = next_character(s, &point);
        if (strchr(special, *s))
            text_addf(out, "%%%02X", (unsigned)*s);
        else
            add_character(s, n, !utf8_is_hidden(point), out);
        s += n;
    }
}

void escape_workflow_data(const char *value, struct text *out)
{
    escape_workflow(value, "%\r\n", out);
}

void escape_workflow_property(const char *value, struct text *out)
{
    escape_workflow(value, "%\r\n:,", out);
}

void escape_shell_quoted(const char *value, struct text *out)
{
    text_add(out, "'");
    for (const char *s = value; *s; s++)
        text_add_bytes(out, *s == '\'' ? "'\\''" : s, *s == '\'' ? 4 : 1);
    text_add(out, "'");
}

void escape_shell(const char *value, struct text *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    bool is_plain = value[0] != '\0' && value[strspn(value, plain)] == '\0';
    if (is_plain)
        text_add(out, value);
    else
        escape_shell_quoted(value, out);
}
