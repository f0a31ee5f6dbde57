#include "base/json.h"

#include <assert.h>
#include <math.h>

static void indent(struct json_writer *json)
{
    text_add(json->text, "\n");
    for (int i = 0; i < json->depth; i++)
        text_add(json->text, " ");
}

/* The comma, the line break and the key before a value. */
static void begin_value(struct json_writer *json, const char *key)
{
    if (json->depth > 0) {
        bool spread = json->level[json->depth - 1].layout == JSON_LINES;
        if (!json->level[json->depth - 1].empty)
            text_add(json->text, spread ? "," : ", ");
        if (spread)
            indent(json);
        json->level[json->depth - 1].empty = false;
    }
    if (key) {
        text_add_quoted(json->text, key);
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
        indent(json);
    text_add_bytes(json->text, &json->level[json->depth].close, 1);
    if (json->depth == 0)
        text_add(json->text, "\n");
}

void json_add_string(struct json_writer *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        text_add_quoted(json->text, value);
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

static void add_float(struct json_writer *json, float value)
{
    json->has_gaps = json->has_gaps || !isfinite(value);
    if (isfinite(value))
        text_add_float(json->text, value);
    else
        text_add(json->text, "null");
}

void json_add_float(struct json_writer *json, const char *key, float value)
{
    begin_value(json, key);
    add_float(json, value);
}

void json_add_double(struct json_writer *json, const char *key, double value)
{
    begin_value(json, key);
    json->has_gaps = json->has_gaps || !isfinite(value);
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
        text_add(json->text, i > 0 ? ", " : "");
        add_float(json, values[i]);
    }
    text_add(json->text, "]");
}
