#include "data/json_fields.h"

#include <jansson.h>
#include <string.h>

#define BARE(type, kind) FIELDS(type, ((const struct field[]){{NULL, kind, .size = sizeof(type)}}))
const struct fields fields_of_text = BARE(const char *, FIELD_TEXT);
const struct fields fields_of_count = BARE(uint32_t, FIELD_COUNT);
const struct fields fields_of_float = BARE(float, FIELD_FLOAT);

/* A bool, uint32_t, int or size_t by its size. */
static size_t get_number(const void *member, size_t size)
{
    uint32_t half;
    size_t whole;
    if (size == sizeof(bool))
        return *(const bool *)member;
    memcpy(size == sizeof half ? (void *)&half : (void *)&whole, member, size);
    return size == sizeof half ? half : whole;
}

static void set_number(void *member, size_t size, size_t number)
{
    uint32_t half = (uint32_t)number;
    if (size == sizeof(bool))
        *(bool *)member = number != 0;
    else
        memcpy(member, size == sizeof half ? (void *)&half : (void *)&number, size);
}

static const struct fields *fields_of(const struct field *row, const void *owner)
{
    return row->choose ? row->choose(owner) : row->fields;
}

static size_t floats_of(const struct field *row)
{
    return (size_t)row->width * (row->depth > 0 ? row->depth : 1);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static bool is_empty(const struct field *row, const char *owner)
{
    if (row->counter_size > 0)
        return get_number(owner + row->counter, row->counter_size) == 0;
    for (size_t i = 0; i < row->size; i++)
        if (owner[row->offset + i] != 0)
            return false;
    return true;
}

static void write_value(struct json_writer *json, const struct field *row, enum json_layout layout, const void *owner);

static void write_struct(struct json_writer *json, const char *key, const struct fields *fields,
                         enum json_layout layout, const void *owner)
{
    if (layout == JSON_LINES)
        layout = fields->layout;
    json_open_object(json, key, layout);
    fields_write(json, fields, layout, owner);
    json_close(json);
}

static void write_items(struct json_writer *json, const struct field *row, enum json_layout layout, const char *items,
                        size_t count, const void *owner)
{
    const struct fields *fields = fields_of(row, owner);
    json_open_array(json, row->key, layout == JSON_LINES ? row->layout : layout);
    for (size_t i = 0; i < count; i++)
        if (fields->rows[0].key)
            write_struct(json, NULL, fields, layout, items + i * fields->size);
        else
            write_value(json, fields->rows, layout, items + i * fields->size);
    json_close(json);
}

static void write_value(struct json_writer *json, const struct field *row, enum json_layout layout, const void *owner)
{
    const void *member = (const char *)owner + row->offset, *pointer = NULL;
    float rows[12];
    if (row->type == FIELD_TEXT || row->type == FIELD_TEXT_OR_NULL || row->type == FIELD_WORD ||
        row->type == FIELD_POINTER || row->type == FIELD_LIST)
        memcpy(&pointer, member, sizeof pointer);
    switch (row->type) {
    case FIELD_TEXT:
    case FIELD_TEXT_OR_NULL:
    case FIELD_WORD:
        json_add_string(json, row->key, pointer);
        break;
    case FIELD_ENUM:
        json_add_string(json, row->key, row->words[*(const int *)member - row->first_word]);
        break;
    case FIELD_CONSTANT:
        json_add_string(json, row->key, row->words[0]);
        break;
    case FIELD_BOOL:
        json_add_bool(json, row->key, *(const bool *)member);
        break;
    case FIELD_COUNT:
        json_add_int(json, row->key, (long long)get_number(member, row->size));
        break;
    case FIELD_FLOAT:
        json_add_float(json, row->key, *(const float *)member);
        break;
    case FIELD_DOUBLE:
    case FIELD_DOUBLE_OR_NULL:
    case FIELD_SIZE_OR_NULL:
        json_add_double(json, row->key, *(const double *)member);
        break;
    case FIELD_FLOATS:
        json_add_floats(json, row->key, member, floats_of(row));
        break;
    case FIELD_AFFINE:
        affine_rows(*(const mat4 *)member, rows);
        json_add_floats(json, row->key, rows, 12);
        break;
    case FIELD_OBJECT:
        write_struct(json, row->key, fields_of(row, owner), layout, member);
        break;
    case FIELD_POINTER:
        if (pointer)
            write_struct(json, row->key, fields_of(row, owner), layout, pointer);
        else
            json_add_string(json, row->key, NULL);
        break;
    case FIELD_LIST:
        write_items(json, row, layout, pointer, get_number((const char *)owner + row->counter, row->counter_size),
                    owner);
        break;
    case FIELD_ARRAY:
        write_items(json, row, layout, member, row->width, owner);
        break;
    case FIELD_CUSTOM:
        row->write(json, row->key, owner);
        break;
    }
}

void fields_write(struct json_writer *json, const struct fields *fields, enum json_layout layout, const void *owner)
{
    for (const struct field *row = fields->rows; row < fields->rows + fields->count; row++)
        if (!(row->flags & FIELD_OMITTED && is_empty(row, owner)) && (!row->when || row->when(owner, NULL)))
            write_value(json, row, layout, owner);
}

void fields_write_document(const char *format, const struct fields *fields, enum json_layout layout, const void *owner,
                           struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, layout);
    json_add_string(&json, "format", format);
    fields_write(&json, fields, layout, owner);
    json_close(&json);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static size_t read_count(const struct json_place *at, const struct field *row)
{
    uint32_t count = json_read_count(at, row->key);
    if (row->most > 0 && count > row->most)
        json_complain(at, row->key, "at most %u is wanted, found %u", row->most, count);
    return count;
}

static double read_size(const struct json_place *at, const char *key)
{
    double size = json_read_double_or_nan(at, key);
    if (size < 0.0)
        json_complain(at, key, "a number that is not negative is wanted");
    return size;
}

static void *read_pointer(const struct json_place *at, const struct field *row, const void *owner)
{
    uint32_t one = 1;
    if (json_is_null(json_object_get(at->value, row->key)))
        return NULL;
    const struct fields *fields = fields_of(row, owner);
    struct json_place place = json_read_object(at, row->key);
    void *target = json_alloc(&place, &one, fields->size);
    if (one > 0)
        fields_read(&place, fields, target);
    return target;
}

static void read_items(const struct json_place *at, const struct field *row, char *owner)
{
    uint32_t count;
    const struct fields *fields = fields_of(row, owner);
    struct json_place array = json_read_array(at, row->key, &count);
    char *items = owner + row->offset;
    if (row->type == FIELD_ARRAY && count != row->width)
        json_complain(at, row->key, "%u items are wanted, there are %u", row->width, count);
    else if (row->most > 0 && count > row->most)
        json_complain(at, row->key, "at most %u items are wanted, there are %u", row->most, count);
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
    const char *text = NULL;
    struct json_place place;
    switch (row->type) {
    case FIELD_TEXT:
        text = json_read_string(at, row->key);
        memcpy(member, &text, sizeof text);
        break;
    case FIELD_TEXT_OR_NULL:
        text = json_read_string_or_null(at, row->key);
        memcpy(member, &text, sizeof text);
        break;
    case FIELD_WORD:
        text = row->words[json_read_word(at, row->key, row->words, row->word_count)];
        memcpy(member, &text, sizeof text);
        break;
    case FIELD_ENUM:
        *(int *)member = row->first_word + (int)json_read_word(at, row->key, row->words, row->word_count);
        break;
    case FIELD_CONSTANT:
        json_read_word(at, row->key, row->words, 1);
        break;
    case FIELD_BOOL:
        *(bool *)member = json_read_bool(at, row->key);
        break;
    case FIELD_COUNT:
        set_number(member, row->size, read_count(at, row));
        break;
    case FIELD_FLOAT:
        *(float *)member = json_read_float(at, row->key);
        break;
    case FIELD_DOUBLE:
        *(double *)member = json_read_double(at, row->key);
        break;
    case FIELD_DOUBLE_OR_NULL:
        *(double *)member = json_read_double_or_nan(at, row->key);
        break;
    case FIELD_SIZE_OR_NULL:
        *(double *)member = read_size(at, row->key);
        break;
    case FIELD_FLOATS:
        json_read_floats(at, row->key, member, floats_of(row));
        break;
    case FIELD_AFFINE:
        json_read_affine(at, row->key, member);
        break;
    case FIELD_OBJECT:
        place = json_read_object(at, row->key);
        fields_read(&place, fields_of(row, owner), member);
        break;
    case FIELD_POINTER:
        text = read_pointer(at, row, owner);
        memcpy(member, &text, sizeof text);
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
