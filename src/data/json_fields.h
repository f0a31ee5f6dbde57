#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "data/affine.h"

/*
 * Reads JSON that anyone may have written: every access checks what is there and complains with the file and the place
 * in it ("walk/0.250.pose.json: nodes[3].global: expected 12 finite numbers, found 11"). jansson parses. Structs are
 * read by their tables, see below. After the first complaint every function does nothing and gives 0, false, "" or an
 * empty array, so a reader asks the error once, at its end.
 *
 * `key` names a member of the object at the place, which must have it; NULL is the value at the place itself. Unknown
 * members are nobody's business. A key that an object has twice, a number that no double holds, an escaped NUL and
 * what is not UTF-8 are errors of the whole document.
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

/* `name`, `arena` and `err` must outlive the reader. False with err set. To be closed in either case; what was read
 * stays. */
bool json_reader_open(struct json_reader *reader, const void *data, size_t size, const char *name, struct arena *arena,
                      struct error *err);
void json_reader_close(struct json_reader *reader);

/* Complains unless the root is an object with that "format". */
void json_require_format(const struct json_place *root, const char *format);

/* Says whether the object at the place has the member, null included. */
bool json_has(const struct json_place *at, const char *key);

/* Says whether that member is an array. */
bool json_has_array(const struct json_place *at, const char *key);

/* A copy in the arena, UTF-8. */
const char *json_read_string(const struct json_place *at, const char *key);

/* A whole number from 0 to UINT32_MAX; 3.0 is one. */
uint32_t json_read_count(const struct json_place *at, const char *key);

/* Containers. json_read_array() says how many items there are; json_item() is the i-th of them. */
struct json_place json_read_object(const struct json_place *at, const char *key);
struct json_place json_read_array(const struct json_place *at, const char *key, uint32_t *count);
struct json_place json_item(const struct json_place *array, uint32_t i);

/* Zeroed memory for the items found at a place. What does not fit is an error there, and *count becomes 0. */
#define JSON_NEW(at, type, count) ((type *)json_alloc((at), (count), sizeof(type)))
void *json_alloc(const struct json_place *at, uint32_t *count, size_t size);

/* A complaint about the member (or with NULL the place): "FILE: PLACE: text". Returns false. */
bool json_complain(const struct json_place *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A struct as an object of a JSON file: a table with a row for each member, in the order of the file, by which the
 * struct is written (base/json.h) and read. data/image/frame_settings.c has a small one.
 */

enum field_type {
    FIELD_TEXT,         /* const char *, never NULL */
    FIELD_TEXT_OR_NULL, /* const char * */
    FIELD_WORD,         /* const char *: one of `words`, whose pointer it is when read */
    FIELD_ENUM,         /* an enum: `first_word` + the index of its word */
    FIELD_CONSTANT,     /* no member: the one word of `words`, which a file must have */
    FIELD_BOOL,
    FIELD_COUNT, /* uint32_t, int or size_t: a whole number from 0 to `most`, or UINT32_MAX where that is 0 */
    FIELD_FLOAT, /* the nearest; an error beyond FLT_MAX. What was written comes back bit by bit */
    FIELD_DOUBLE,
    FIELD_DOUBLE_OR_NULL, /* NAN is null */
    FIELD_SIZE_OR_NULL,   /* double: the same, not negative */
    FIELD_FLOATS,         /* float[width], or float[width][depth] */
    FIELD_AFFINE,         /* mat4: the 12 numbers of affine_rows() */
    FIELD_OBJECT,         /* the struct itself */
    FIELD_POINTER,        /* a pointer to the struct; NULL is null */
    FIELD_LIST,           /* a pointer to structs and their number; at most `most`, or any where that is 0 */
    FIELD_ARRAY,          /* `width` structs in place */
    FIELD_CUSTOM,         /* by `write` and `read` */
};

enum {
    FIELD_OPTIONAL = 1, /* a file may lack it: the member stays as it was */
    FIELD_OMITTED = 2,  /* the same, and it is not written when it is empty: all zero; with a counter, when that is 0 */
};

struct field {
    const char *key; /* NULL: the only row of a table of bare values: the items of a list of numbers */
    enum field_type type;
    size_t offset, size; /* FIELD_MEMBER() */
    unsigned flags;
    uint32_t width, depth;
    uint32_t most;
    /* FIELD_COUNTER(): uint32_t or size_t with the number of items; of what is no list, a bool or number that says
     * whether there is any: when read, 1, or `width` of floats. */
    size_t counter, counter_size;
    const void *standard; /* the member that its absence stands for; NULL: zeros */
    const char *const *words;
    uint32_t word_count;
    int first_word;
    const struct fields *fields; /* of an object, of each item */
    /* in place of `fields`, where it depends on the members before */
    const struct fields *(*choose)(const void *owner);
    enum json_layout layout; /* of a list or array */
    /* Not written where an unsigned member has all these bits; 0: it always is. */
    unsigned left_out_bits;
    size_t left_out;
    /* Says whether there is such a member: read from the place `at`, or written where that is NULL. */
    bool (*when)(const void *owner, const struct json_place *at);
    /* Complains about what was read, with json_complain(). */
    void (*check)(const struct json_place *at, const char *key, const void *owner);
    void (*write)(struct json_writer *json, const char *key, const void *owner);
    void (*read)(const struct json_place *at, const char *key, void *owner);
    /* Gives the copy `owner` of a struct its own memory; NULL: the member points at nothing. */
    void (*copy)(void *owner, struct arena *arena);
};

#define FIELD_MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define FIELD_COUNTER(type, member) .counter = offsetof(type, member), .counter_size = sizeof(((type *)0)->member)
#define FIELD_WORDS(list) .words = (list), .word_count = sizeof(list) / sizeof *(list)
/* The type of a row and more of it: a list, its counter, the table of its items, and what else there is. */
#define FIELD_ITEMS(type, member, counter, table, ...)                                                                 \
    FIELD_LIST, FIELD_MEMBER(type, member), FIELD_COUNTER(type, counter), .fields = &(table), __VA_ARGS__

struct fields {
    const struct field *rows;
    size_t count;
    size_t size;             /* of the struct */
    enum json_layout layout; /* JSON_LINES: a member a line; all within an object on one line are on it too */
};

/* The same of rows that stand in it. */
#define FIELD_TABLE(type, layout, ...)                                                                                 \
    {                                                                                                                  \
        (const struct field[]){__VA_ARGS__}, sizeof((const struct field[]){__VA_ARGS__}) / sizeof(struct field),       \
            sizeof(type), layout                                                                                       \
    }
#define FIELDS(type, rows, ...)                                                                                        \
    {                                                                                                                  \
        (rows), sizeof(rows) / sizeof *(rows), sizeof(type), __VA_ARGS__                                               \
    }

/* The table of the objects or items of a row. */
const struct fields *fields_of(const struct field *row, const void *owner);

/* The row of that key, which must be there. */
const struct field *fields_find(const struct fields *fields, const char *key);

/* Says whether a FIELD_OMITTED member is left out. */
bool field_is_absent(const struct field *row, const void *owner);

/* The member, or what its absence stands for. */
const void *field_value(const struct field *row, const void *owner);

/* Tables of bare values, for lists of them. */
extern const struct fields fields_of_text, fields_of_count, fields_of_float;

/* The members into an object that is open; with JSON_INLINE on one line, whatever the tables say. */
void fields_write(struct json_writer *json, const struct fields *fields, enum json_layout layout, const void *owner);

/* A whole document: "format" and the members, on one line with JSON_INLINE, whatever the table says. False where null
 * stands for a number that is not finite. */
bool fields_write_document(const char *format, const struct fields *fields, enum json_layout layout, const void *owner,
                           struct text *out);

/* Copies of structs with all that their members point at, in the arena. Numbers that may be null are NAN in them where
 * they are not finite, as in a file. */
void *fields_copy(const struct fields *fields, const void *items, size_t count, struct arena *arena);

/* From the object at the place into `owner`, which has its defaults (zeros of an arena) already; lists in the
 * reader's arena. The reader's error is set when something is wrong. */
void fields_read(const struct json_place *at, const struct fields *fields, void *owner);

/* A whole document of that "format" into a struct of the arena. NULL with err set. `name` is for messages. */
void *fields_read_document(const void *data, size_t size, const char *name, const char *format,
                           const struct fields *fields, struct arena *arena, struct error *err);

/* True where it is a JSON object whose own "format" begins so. */
bool document_has_format(const void *data, size_t size, const char *beginning);
