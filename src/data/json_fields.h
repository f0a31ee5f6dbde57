#ifndef RIGPROOF_DATA_JSON_FIELDS_H
#define RIGPROOF_DATA_JSON_FIELDS_H

#include "base/json.h"
#include "data/affine.h"
#include "data/json_read.h"

/*
 * A struct as an object of a JSON file: a table with a row for each member, in the order of the file, by which the struct
 * is written (base/json.h) and read (data/json_read.h).
 *
 *     static const struct field camera_rows[] = {
 *         {"name", FIELD_TEXT, FIELD_MEMBER(struct camera, name)},
 *         {"eye", FIELD_FLOATS, FIELD_MEMBER(struct camera, eye), .width = 3},
 *     };
 *     static const struct fields cameras = FIELDS(struct camera, camera_rows);
 *     ...
 *         {"cameras", FIELD_LIST, FIELD_MEMBER(struct scene, cameras), FIELD_COUNTER(struct scene, camera_count),
 *          .fields = &cameras, .layout = JSON_LINES},
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
    size_t counter,
        counter_size; /* FIELD_COUNTER(): uint32_t or size_t with the number of items; of what is no list, a bool
                                   * or number that says whether there is any: when read, 1, or `width` of floats */
    const char *const *words;
    uint32_t word_count;
    int first_word;
    const struct fields *fields; /* of an object, of each item */
    const struct fields *(*choose)(
        const void *owner);  /* where it depends on the members before: in place of `fields` */
    enum json_layout layout; /* of a list or array */
    /* Whether there is such a member: read from the place `at`, or written where that is NULL. */
    bool (*when)(const void *owner, const struct json_place *at);
    /* Complains about what was read, with json_complain(). */
    void (*check)(const struct json_place *at, const char *key, const void *owner);
    void (*write)(struct json_writer *json, const char *key, const void *owner);
    void (*read)(const struct json_place *at, const char *key, void *owner);
};

#define FIELD_MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define FIELD_COUNTER(type, member) .counter = offsetof(type, member), .counter_size = sizeof(((type *)0)->member)
#define FIELD_WORDS(list) .words = (list), .word_count = sizeof(list) / sizeof *(list)

struct fields {
    const struct field *rows;
    size_t count;
    size_t size;             /* of the struct */
    enum json_layout layout; /* JSON_LINES: a member a line; all within an object on one line are on it too */
};

#define FIELDS(type, rows, ...)                                                                                        \
    {                                                                                                                  \
        (rows), sizeof(rows) / sizeof *(rows), sizeof(type), __VA_ARGS__                                               \
    }

/* The table of the objects or items of a row. */
const struct fields *fields_of(const struct field *row, const void *owner);

/* Tables of bare values, for lists of them. */
extern const struct fields fields_of_text, fields_of_count, fields_of_float;

/* The members into the object that is open in `json`; on one line with JSON_INLINE, whatever the table says. */
void fields_write(struct json_writer *json, const struct fields *fields, enum json_layout layout, const void *owner);

/* A whole document: "format" and the members. */
void fields_write_document(const char *format, const struct fields *fields, enum json_layout layout, const void *owner,
                           struct text *out);

/* From the object at the place into `owner`, which has its defaults (zeros of an arena) already; lists in the reader's arena.
 * The reader's error is set when something is wrong. */
void fields_read(const struct json_place *at, const struct fields *fields, void *owner);

/* A whole document of that "format" into a struct of the arena. NULL with err set. `name` is for messages. */
void *fields_read_document(const void *data, size_t size, const char *name, const char *format,
                           const struct fields *fields, struct arena *arena, struct error *err);

#endif
