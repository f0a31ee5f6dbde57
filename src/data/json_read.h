#ifndef RIGPROOF_DATA_JSON_READ_H
#define RIGPROOF_DATA_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Reads JSON that anyone may have written: every access checks what is there and complains with the file and the place
 * in it ("walk/0.250.pose.json: nodes[3].global: 12 finite numbers are wanted, there are 11"). jansson parses. Structs are
 * read by their tables (data/json_fields.h); the rest is for what no table describes.
 *
 * The first complaint stays: from then on every function does nothing and gives 0, false, "" or an empty array, so a
 * reader runs through to its end and asks the error once.
 *
 * In all of them `key` names a member of the object at the place; NULL means the value at the place itself, as for the
 * items of an array. A member is required: ask json_has() before one that may be left out. Unknown members are nobody's
 * business. A key that an object has twice, a number that no double holds, an escaped NUL and what is not UTF-8 are
 * errors of the whole document.
 */

struct json_t; /* jansson's */

/* A value of the document. Points at the place it was found in, which must outlive it. */
struct json_place {
    struct json_reader *reader;
    const struct json_place *parent; /* NULL for the root */
    const char *key;                 /* in the parent; NULL: it is item `index` */
    size_t index;
    struct json_t *value; /* NULL once something was wrong */
};

/* The root points at its reader: not to be copied. */
struct json_reader {
    const char *name;    /* the file, for messages */
    struct arena *arena; /* strings and JSON_NEW() come from here; what does not fit is an error */
    struct error *err;
    struct json_place root;
};

/*
 * Parses the bytes (no NUL needed). `name`, `arena` and `err` must outlive the reader. False with err set, line and
 * column named. To be closed in either case; what was read stays valid after that.
 */
bool json_reader_open(struct json_reader *reader, const void *data, size_t size, const char *name, struct arena *arena,
                      struct error *err);
void json_reader_close(struct json_reader *reader);

/* Complains unless the root is an object with that "format". */
void json_require_format(const struct json_place *root, const char *format);

/* Whether the object at the place has the member, null included. */
bool json_has(const struct json_place *at, const char *key);

/* A copy in the arena, UTF-8. */
const char *json_read_string(const struct json_place *at, const char *key);

/* A whole number from 0 to UINT32_MAX; 3.0 is one. */
uint32_t json_read_count(const struct json_place *at, const char *key);

/* Containers. json_read_array() says how many items there are; json_item() is the i-th of them. */
struct json_place json_read_object(const struct json_place *at, const char *key);
struct json_place json_read_array(const struct json_place *at, const char *key, uint32_t *count);
struct json_place json_item(const struct json_place *array, uint32_t i);

/*
 * Zeroed memory for the items found at a place. What does not fit is an error there, and *count becomes 0, so that a loop
 * over the items never leaves the memory.
 */
#define JSON_NEW(at, type, count) ((type *)json_alloc((at), (count), sizeof(type)))
void *json_alloc(const struct json_place *at, uint32_t *count, size_t size);

/* A complaint about the member (or with NULL the place): "FILE: PLACE: text". Returns false. */
bool json_complain(const struct json_place *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
