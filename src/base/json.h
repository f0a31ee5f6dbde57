#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A JSON writer made for `git diff`: containers are spread over lines, an element a line, or stay on one. Numbers are
 * the shortest text that reads back equal; one that is not finite becomes null. Strings are escaped, and bytes that are
 * not UTF-8 become U+FFFD. `key` is NULL inside arrays and at the top.
 *
 *     struct json_writer j = {.text = &text};
 *     json_open_object(&j, NULL, JSON_LINES);
 *     json_add_string(&j, "format", "rigproof.pose/1");
 *     json_close(&j);
 *
 * Reading is jansson's, whose names (json_object() and so on) are not ours.
 */

enum json_layout { JSON_INLINE, JSON_LINES };

enum { JSON_MAX_DEPTH = 32 };

struct json_writer {
    struct text *text; /* not owned */
    int depth;
    bool has_gaps; /* null stands for a number that is not finite */
    struct {
        enum json_layout layout;
        char close; /* ']' or '}' */
        bool empty;
    } level[JSON_MAX_DEPTH];
};

void json_open_object(struct json_writer *json, const char *key, enum json_layout layout);
void json_open_array(struct json_writer *json, const char *key, enum json_layout layout);
void json_close(struct json_writer *json);

void json_add_string(struct json_writer *json, const char *key, const char *value); /* NULL writes null */
void json_add_bool(struct json_writer *json, const char *key, bool value);
void json_add_int(struct json_writer *json, const char *key, long long value);
void json_add_float(struct json_writer *json, const char *key, float value);
void json_add_double(struct json_writer *json, const char *key, double value);
void json_add_floats(struct json_writer *json, const char *key, const float *values,
                     size_t count); /* an inline array */
