#include "report/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/*
 * Characters of `special` as their entity, or as %XX without `entities`; hidden ones, and what is no text, as U+FFFD.
 * Markup has line breaks and tabs, but neither U+FFFE nor U+FFFF.
 */
static void escape(const char *value, const char *special, const char *const *entities, struct text *out)
{
    for (const char *s = value; *s;) {
        size_t length = utf8_length(s), n = length ? length : 1;
        uint32_t point = length ? utf8_code_point(s, n) : 0;
        const char *sign = strchr(special, *s);
        bool is_space = point == '\n' || point == '\t', is_none = point == 0xfffe || point == 0xffff;
        if (sign && entities)
            text_add(out, entities[sign - special]);
        else if (sign)
            text_addf(out, "%%%02X", (unsigned)*s);
        else if (length && (entities ? is_space || (!utf8_is_hidden(point) && !is_none) : !utf8_is_hidden(point)))
            text_add_bytes(out, s, n);
        else
            text_add(out, UTF8_REPLACEMENT);
        s += n;
    }
}

void escape_markup(const char *value, struct text *out)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    escape(value, "&<>\"'", entities, out);
}

void escape_markup_line(const char *value, struct text *out)
{
    SCOPED(text) line = {0};
    text_add_name(&line, value);
    escape_markup(text_string(&line), out);
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

void escape_workflow_data(const char *value, struct text *out)
{
    escape(value, "%\r\n", NULL, out);
}

void escape_workflow_property(const char *value, struct text *out)
{
    escape(value, "%\r\n:,", NULL, out);
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
