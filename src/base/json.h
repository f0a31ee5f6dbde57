#ifndef RIGPROOF_BASE_JSON_H
#define RIGPROOF_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A JSON writer made for `git diff`: the caller decides which containers are spread over lines (one element a line)
 * and which stay on one line. Keys come out in the order they are written; numbers as the shortest text that reads
 * back equal; a number that is not finite becomes null (files of ours never hold NaN: whoever produces numbers checks
 * before). Strings are escaped, and bytes that are not UTF-8 become U+FFFD.
 *
 *     struct json j = {.text = &text};
 *     json_object(&j, NULL, JSON_LINES);
 *     json_string(&j, "format", "rigproof.pose/1");
 *     json_array(&j, "nodes", JSON_LINES);
 *       json_object(&j, NULL, JSON_INLINE); ... json_end(&j);
 *     json_end(&j);
 *     json_end(&j);
 *
 * `key` is NULL inside arrays and at the top. Reading is jansson's.
 */

enum json_layout { JSON_INLINE, JSON_LINES };

enum { JSON_MAX_DEPTH = 32 };

struct json {
    struct text *text; /* not owned */
    int depth;
    struct {
        enum json_layout layout;
        char close; /* ']' or '}' */
        bool empty;
    } level[JSON_MAX_DEPTH];
};

void json_object(struct json *json, const char *key, enum json_layout layout);
void json_array(struct json *json, const char *key, enum json_layout layout);
void json_end(struct json *json);

void json_string(struct json *json, const char *key, const char *value); /* NULL writes null */
void json_bool(struct json *json, const char *key, bool value);
void json_int(struct json *json, const char *key, long long value);
void json_float(struct json *json, const char *key, float value);
void json_double(struct json *json, const char *key, double value);
void json_floats(struct json *json, const char *key, const float *values, size_t count); /* an inline array */

/* Appends the string in quotes, escaped. */
void json_add_quoted(struct text *text, const char *value);

#endif
