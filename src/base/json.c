#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

static void add_escaped(struct text *text, uint32_t point)
{
    switch (point) {
    case '"':
        text_add(text, "\\\"");
        break;
    case '\\':
        text_add(text, "\\\\");
        break;
    case '\n':
        text_add(text, "\\n");
        break;
    case '\t':
        text_add(text, "\\t");
        break;
    default:
        text_addf(text, "\\u%04x", (unsigned)point);
    }
}

void json_add_quoted(struct text *text, const char *value)
{
    text_add(text, "\"");
    for (const char *s = value; *s;) {
        size_t n = utf8_length(s);
        uint32_t point = n ? utf8_code_point(s, n) : 0;
        if (n == 0)
            text_add(text, UTF8_REPLACEMENT);
        else if (point == '"' || point == '\\' || utf8_is_hidden(point) || text_ends_command(value, s))
            add_escaped(text, point);
        else
            text_add_bytes(text, s, n);
        s += n ? n : 1;
    }
    text_add(text, "\"");
}

static void indent(struct json_writer *json, int depth)
{
    text_add(json->text, "\n");
    for (int i = 0; i < depth; i++)
        text_add(json->text, " ");
}

/* The comma, the line break and the key before a value. */
static void begin_value(struct json_writer *json, const char *key)
{
    if (json->depth > 0) {
        if (!json->level[json->depth - 1].empty)
            text_add(json->text, json->level[json->depth - 1].layout == JSON_LINES ? "," : ", ");
        if (json->level[json->depth - 1].layout == JSON_LINES)
            indent(json, json->depth);
        json->level[json->depth - 1].empty = false;
    }
    if (key) {
        json_add_quoted(json->text, key);
        text_add(json->text, ": ");
    }
}

static void open_level(struct json_writer *json, const char *key, enum json_layout layout, const char *open, char close)
{
    begin_value(json, key);
    assert(json->depth < JSON_MAX_DEPTH);
    text_add(json->text, open);
    json->level[json->depth].layout = layout;
    json->level[json->depth].close = close;
    json->level[json->depth].empty = true;
    json->depth++;
}

void json_open_object(struct json_writer *json, const char *key, enum json_layout layout)
{
    open_level(json, key, layout, "{", '}');
}

void json_open_array(struct json_writer *json, const char *key, enum json_layout layout)
{
    open_level(json, key, layout, "[", ']');
}

void json_close(struct json_writer *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->level[json->depth].layout == JSON_LINES && !json->level[json->depth].empty)
        indent(json, json->depth);
    text_add_bytes(json->text, &json->level[json->depth].close, 1);
    if (json->depth == 0)
        text_add(json->text, "\n");
}

void json_add_string(struct json_writer *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        json_add_quoted(json->text, value);
    else
        text_add(json->text, "null");
}

void json_add_bool(struct json_writer *json, const char *key, bool value)
{
    begin_value(json, key);
    text_add(json->text, value ? "true" : "false");
}

void json_add_int(struct json_writer *json, const char *key, long long value)
{
    begin_value(json, key);
    text_addf(json->text, "%lld", value);
}

static void add_number(struct text *text, float value)
{
    if (isfinite(value))
        text_add_float(text, value);
    else
        text_add(text, "null");
}

void json_add_float(struct json_writer *json, const char *key, float value)
{
    begin_value(json, key);
    add_number(json->text, value);
}

void json_add_double(struct json_writer *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        text_add_double(json->text, value);
    else
        text_add(json->text, "null");
}

void json_add_floats(struct json_writer *json, const char *key, const float *values, size_t count)
{
    begin_value(json, key);
    text_add(json->text, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(json->text, ", ");
        add_number(json->text, values[i]);
    }
    text_add(json->text, "]");
}
