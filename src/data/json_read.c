#include "data/json_fields.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_path(struct text *out, const struct json_place *at)
{
    if (!at->parent)
        return;
    add_path(out, at->parent);
    if (at->key)
        text_addf(out, "%s%s", out->size > 0 ? "." : "", at->key);
    else
        text_addf(out, "[%zu]", at->index);
}

bool json_complain(const struct json_place *at, const char *key, const char *format, ...)
{
    const struct json_place member = {.parent = at, .key = key};
    SCOPED(text) path = {0};
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    add_path(&path, key ? &member : at);
    return error_set(at->reader->err, "%s: %s%s%s", at->reader->name, text_string(&path), path.size > 0 ? ": " : "",
                     what);
}

static const char *kind_of(const json_t *value)
{
    static const char *const kinds[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null",
    };
    return kinds[json_typeof(value)];
}

bool json_reader_open(struct json_reader *reader, const void *data, size_t size, const char *name, struct arena *arena,
                      struct error *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8: some editors put it first */
    json_error_t where;
    const char *text = size > 0 ? data : "";
    *reader = (struct json_reader){.name = name, .arena = arena, .err = err};
    reader->root.reader = reader;
    if (error_is_set(err))
        return false;
    if (size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
        text += strlen(mark);
        size -= strlen(mark);
    }
    /* Whole numbers as doubles: one without a dot may be larger than any integer. */
    reader->root.value = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &where);
    if (!reader->root.value)
        return error_set(err, "%s: not valid JSON, line %d, column %d: %s", name, where.line, where.column, where.text);
    return true;
}

void json_reader_close(struct json_reader *reader)
{
    json_decref(reader->root.value);
    reader->root.value = NULL;
}

static bool fits(const struct json_place *at, size_t count, size_t size)
{
    return !error_is_set(at->reader->err) &&
           (arena_fits(at->reader->arena, count, size) || json_complain(at, NULL, "more than fits in memory"));
}

void *json_alloc(const struct json_place *at, uint32_t *count, size_t size)
{
    if (!fits(at, *count, size))
        *count = 0;
    return arena_alloc(at->reader->arena, *count, size);
}

/* Bits of json_type. */
enum {
    ANY_STRING = 1 << JSON_STRING,
    ANY_NUMBER = 1 << JSON_INTEGER | 1 << JSON_REAL,
    ANY_BOOL = 1 << JSON_TRUE | 1 << JSON_FALSE,
    OR_NULL = 1 << JSON_NULL,
    ANY_OBJECT = 1 << JSON_OBJECT,
    ANY_ARRAY = 1 << JSON_ARRAY,
};

/* The member, of one of these types, or NULL with a complaint. */
static json_t *find(const struct json_place *at, const char *key, const char *expected, unsigned types)
{
    json_t *value = at->value;
    if (error_is_set(at->reader->err))
        return NULL;
    if (key && !json_is_object(value)) {
        json_complain(at, NULL, "expected an object, found %s", kind_of(value));
        return NULL;
    }
    if (key)
        value = json_object_get(value, key);
    if (!value)
        json_complain(at, key, "expected %s, found nothing", expected);
    else if (!(types >> json_typeof(value) & 1))
        json_complain(at, key, "expected %s, found %s", expected, kind_of(value));
    return error_is_set(at->reader->err) ? NULL : value;
}

bool json_has(const struct json_place *at, const char *key)
{
    return !error_is_set(at->reader->err) && json_object_get(at->value, key) != NULL;
}

bool json_has_array(const struct json_place *at, const char *key)
{
    return json_is_array(json_object_get(at->value, key));
}

static const char *read_string(const struct json_place *at, const char *key, const char *expected, unsigned types)
{
    const json_t *value = find(at, key, expected, types);
    if (json_is_null(value))
        return NULL;
    if (!value || !fits(at, json_string_length(value) + 1, 1))
        return "";
    return arena_string(at->reader->arena, json_string_value(value));
}

const char *json_read_string(const struct json_place *at, const char *key)
{
    return read_string(at, key, "a string", ANY_STRING);
}

void json_require_format(const struct json_place *root, const char *format)
{
    enum { LONGEST_SHOWN = 60 };
    char expected[128];
    snprintf(expected, sizeof expected, "\"%s\"", format);
    const char *found = read_string(root, "format", expected, ANY_STRING);
    if (strlen(found) > LONGEST_SHOWN)
        json_complain(root, "format", "expected %s, found a long string", expected);
    else if (strcmp(found, format) != 0)
        json_complain(root, "format", "expected %s, found \"%s\"", expected, found);
}

uint32_t json_read_count(const struct json_place *at, const char *key)
{
    static const char expected[] = "a whole number from 0 to 4294967295";
    const json_t *value = find(at, key, expected, ANY_NUMBER);
    double number = json_number_value(value); /* 0 for NULL; jansson has refused what is not finite already */
    if (!(number >= 0.0 && number <= (double)UINT32_MAX && number == floor(number)))
        return json_complain(at, key, "expected %s, found %.9g", expected, number);
    return (uint32_t)number;
}

/*
 * The decimal that was rounded to a double is to be rounded to a float, and two roundings are not one: 7.038531e-26
 * gives a double halfway between two floats. Of these the one that is written so was meant.
 */
static float nearest_float(double number)
{
    float nearest = (float)number;
    float other = nextafterf(nearest, number > (double)nearest ? INFINITY : -INFINITY);
    bool halfway = number != (double)nearest && (double)nearest + (double)other == 2.0 * number;
    if (halfway) {
        SCOPED(text) text = {0};
        text_add_float(&text, other);
        nearest = strtod(text_string(&text), NULL) == number ? other : nearest;
    }
    return nearest;
}

/* Errors of one of the numbers are said of all, which a person looks for by their key. */
static void read_floats(const struct json_place *at, const char *key, float *out, size_t count)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%zu finite numbers", count);
    const json_t *value = find(at, key, expected, ANY_ARRAY);
    if (value && json_array_size(value) != count)
        json_complain(at, key, "expected %s, found %zu", expected, json_array_size(value));
    for (size_t i = 0; value && i < count && !error_is_set(at->reader->err); i++) {
        const json_t *item = json_array_get(value, i);
        double number = json_number_value(item);
        if (!json_is_number(item))
            json_complain(at, key, "expected %s, but [%zu] is %s", expected, i, kind_of(item));
        else if (!isfinite((float)number))
            json_complain(at, key, "expected %s, but [%zu] is %.9g: more than a float holds", expected, i, number);
        else
            out[i] = nearest_float(number);
    }
}

static double read_number(const struct json_place *at, const struct field *row)
{
    bool may_be_null = row->type == FIELD_DOUBLE_OR_NULL || row->type == FIELD_SIZE_OR_NULL;
    const json_t *value = find(at, row->key, may_be_null ? "a number or null" : "a number",
                               may_be_null ? ANY_NUMBER | OR_NULL : ANY_NUMBER);
    double number = json_is_null(value) ? NAN : json_number_value(value);
    if (row->type == FIELD_SIZE_OR_NULL && number < 0.0)
        json_complain(at, row->key, "expected a number that is not negative, found %.9g", number);
    else if (row->type == FIELD_FLOAT && !isfinite((float)number))
        json_complain(at, row->key, "expected a number that a float holds, found %.9g", number);
    return number;
}

/* The index of the string in the row's words. */
static int read_word(const struct json_place *at, const struct field *row)
{
    const json_t *value = find(at, row->key, "a string", ANY_STRING);
    SCOPED(text) list = {0};
    int found = -1;
    for (uint32_t i = 0; value && i < row->word_count && found < 0; i++) {
        if (strcmp(json_string_value(value), row->words[i]) == 0)
            found = (int)i;
        text_addf(&list, "%s\"%s\"", i > 0 ? ", " : "", row->words[i]);
    }
    if (found < 0)
        json_complain(at, row->key, "expected %s%s, found another string", row->word_count > 1 ? "one of " : "",
                      text_string(&list));
    return found < 0 ? 0 : found;
}

static struct json_place place_of(const struct json_place *at, const char *key, json_t *value)
{
    struct json_place place = *at;
    if (key)
        place = (struct json_place){.reader = at->reader, .parent = at, .key = key};
    place.value = value;
    return place;
}

struct json_place json_read_object(const struct json_place *at, const char *key)
{
    return place_of(at, key, find(at, key, "an object", ANY_OBJECT));
}

struct json_place json_read_array(const struct json_place *at, const char *key, uint32_t *count)
{
    json_t *value = find(at, key, "an array", ANY_ARRAY);
    if (json_array_size(value) > UINT32_MAX)
        json_complain(at, key, "expected an array of at most %" PRIu32 " items", UINT32_MAX);
    *count = error_is_set(at->reader->err) ? 0 : (uint32_t)json_array_size(value);
    return place_of(at, key, value);
}

struct json_place json_item(const struct json_place *array, uint32_t i)
{
    assert(error_is_set(array->reader->err) || i < json_array_size(array->value));
    return (struct json_place){
        .reader = array->reader, .parent = array, .index = i, .value = json_array_get(array->value, i)};
}

/* A bool, uint32_t, int or size_t by its size. */
static void set_number(void *member, size_t size, size_t number)
{
    uint32_t half = (uint32_t)number;
    if (size == sizeof(bool))
        *(bool *)member = number != 0;
    else
        memcpy(member, size == sizeof half ? (void *)&half : (void *)&number, size);
}

static void read_items(const struct json_place *at, const struct field *row, char *owner)
{
    uint32_t count;
    const struct fields *fields = fields_of(row, owner);
    struct json_place array = json_read_array(at, row->key, &count);
    char *items = owner + row->offset;
    if (row->type == FIELD_ARRAY && count != row->width)
        json_complain(at, row->key, "expected %u items, found %u", row->width, count);
    else if (row->most > 0 && count > row->most)
        json_complain(at, row->key, "expected at most %u items, found %u", row->most, count);
    if (row->type == FIELD_LIST) {
        items = json_alloc(&array, &count, fields->size);
        memcpy(owner + row->offset, &items, sizeof items);
        set_number(owner + row->counter, row->counter_size, count);
    }
    for (uint32_t i = 0; i < count && !error_is_set(at->reader->err); i++) {
        struct json_place item = json_item(&array, i);
        fields_read(&item, fields, items + i * fields->size);
    }
}

static void read_value(const struct json_place *at, const struct field *row, void *owner)
{
    void *member = (char *)owner + row->offset;
    const void *pointer = NULL;
    uint32_t count;
    float rows[12] = {0};
    struct json_place place;
    switch (row->type) {
    case FIELD_TEXT:
    case FIELD_TEXT_OR_NULL:
        pointer = row->type == FIELD_TEXT ? json_read_string(at, row->key)
                                          : read_string(at, row->key, "a string or null", ANY_STRING | OR_NULL);
        memcpy(member, &pointer, sizeof pointer);
        break;
    case FIELD_WORD:
        memcpy(member, &row->words[read_word(at, row)], sizeof pointer);
        break;
    case FIELD_ENUM:
        *(int *)member = row->first_word + read_word(at, row);
        break;
    case FIELD_CONSTANT:
        read_word(at, row);
        break;
    case FIELD_BOOL:
        *(bool *)member = json_is_true(find(at, row->key, "true or false", ANY_BOOL));
        break;
    case FIELD_COUNT:
        count = json_read_count(at, row->key);
        if (row->most > 0 && count > row->most)
            json_complain(at, row->key, "expected at most %u, found %u", row->most, count);
        set_number(member, row->size, count);
        break;
    case FIELD_FLOAT:
        *(float *)member = nearest_float(read_number(at, row));
        break;
    case FIELD_DOUBLE:
    case FIELD_DOUBLE_OR_NULL:
    case FIELD_SIZE_OR_NULL:
        *(double *)member = read_number(at, row);
        break;
    case FIELD_FLOATS:
        read_floats(at, row->key, member, row->width * (row->depth > 0 ? (size_t)row->depth : 1));
        break;
    case FIELD_AFFINE:
        read_floats(at, row->key, rows, 12);
        affine_from_rows(rows, member);
        break;
    case FIELD_OBJECT:
        place = json_read_object(at, row->key);
        fields_read(&place, fields_of(row, owner), member);
        break;
    case FIELD_POINTER:
        if (!json_is_null(json_object_get(at->value, row->key))) {
            place = json_read_object(at, row->key);
            count = 1;
            pointer = json_alloc(&place, &count, fields_of(row, owner)->size);
            if (count > 0)
                fields_read(&place, fields_of(row, owner), (void *)pointer);
        }
        memcpy(member, &pointer, sizeof pointer);
        break;
    case FIELD_LIST:
    case FIELD_ARRAY:
        read_items(at, row, owner);
        break;
    case FIELD_CUSTOM:
        row->read(at, row->key, owner);
        break;
    }
}

void fields_read(const struct json_place *at, const struct fields *fields, void *owner)
{
    for (const struct field *row = fields->rows; row < fields->rows + fields->count; row++) {
        if (error_is_set(at->reader->err))
            return;
        if ((row->flags && !json_has(at, row->key)) || (row->when && !row->when(owner, at)))
            continue;
        if (row->counter_size > 0 && row->type != FIELD_LIST)
            set_number((char *)owner + row->counter, row->counter_size, row->type == FIELD_FLOATS ? row->width : 1);
        read_value(at, row, owner);
        if (row->check && !error_is_set(at->reader->err))
            row->check(at, row->key, owner);
    }
}

void *fields_read_document(const void *data, size_t size, const char *name, const char *format,
                           const struct fields *fields, struct arena *arena, struct error *err)
{
    void *out = arena_alloc(arena, 1, fields->size);
    struct json_reader reader;
    if (json_reader_open(&reader, data, size, name, arena, err)) {
        json_require_format(&reader.root, format);
        fields_read(&reader.root, fields, out);
    }
    json_reader_close(&reader);
    return error_is_set(err) ? NULL : out;
}

bool document_has_format(const void *data, size_t size, const char *beginning)
{
    json_t *document = json_loadb(data, size, 0, NULL);
    const char *format = json_string_value(json_object_get(document, "format"));
    const bool has = format && strncmp(format, beginning, strlen(beginning)) == 0;
    json_decref(document);
    return has;
}
