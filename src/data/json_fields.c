#include "data/json_fields.h"

#include <math.h>
#include <string.h>

#include "base/names.h"

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

const struct fields *fields_of(const struct field *row, const void *owner)
{
    return row->choose ? row->choose(owner) : row->fields;
}

const struct field *fields_find(const struct fields *fields, const char *key)
{
    return NAMED(fields->rows, fields->count, key);
}

bool field_is_absent(const struct field *row, const void *owner)
{
    const char *bytes = owner;
    if (!(row->flags & FIELD_OMITTED))
        return false;
    if (row->counter_size > 0)
        return get_number(bytes + row->counter, row->counter_size) == 0;
    for (size_t i = 0; i < row->size; i++)
        if (bytes[row->offset + i] != 0)
            return false;
    return true;
}

const void *field_value(const struct field *row, const void *owner)
{
    return row->standard && field_is_absent(row, owner) ? row->standard : (const char *)owner + row->offset;
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
        json_add_floats(json, row->key, member, row->width * (row->depth > 0 ? (size_t)row->depth : 1));
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

static bool is_left_out(const struct field *row, const void *owner)
{
    const unsigned bits = row->left_out_bits;
    return bits && (*(const unsigned *)((const char *)owner + row->left_out) & bits) == bits;
}

void fields_write(struct json_writer *json, const struct fields *fields, enum json_layout layout, const void *owner)
{
    for (const struct field *row = fields->rows; row < fields->rows + fields->count; row++)
        if (!field_is_absent(row, owner) && !is_left_out(row, owner) && (!row->when || row->when(owner, NULL)))
            write_value(json, row, layout, owner);
}

bool fields_write_document(const char *format, const struct fields *fields, enum json_layout layout, const void *owner,
                           struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, layout);
    json_add_string(&json, "format", format);
    fields_write(&json, fields, layout, owner);
    json_close(&json);
    return !json.has_gaps;
}

/* Gives a copy of a struct its own copies of what its members point at. */
static void copy_members(const struct fields *fields, void *owner, struct arena *arena)
{
    for (const struct field *row = fields->rows; row < fields->rows + fields->count; row++) {
        char *member = (char *)owner + row->offset;
        const void *pointer = NULL;
        size_t count = 1;
        if (row->type == FIELD_OBJECT)
            copy_members(row->fields, member, arena);
        if ((row->type == FIELD_SIZE_OR_NULL || row->type == FIELD_DOUBLE_OR_NULL) && !isfinite(*(double *)member))
            *(double *)member = NAN;
        if (row->copy)
            row->copy(owner, arena);
        if (row->type == FIELD_LIST)
            count = get_number((char *)owner + row->counter, row->counter_size);
        else if (row->type != FIELD_TEXT && row->type != FIELD_TEXT_OR_NULL && row->type != FIELD_POINTER)
            continue;
        memcpy(&pointer, member, sizeof pointer);
        if (pointer)
            pointer = row->fields ? fields_copy(row->fields, pointer, count, arena) : arena_string(arena, pointer);
        memcpy(member, &pointer, sizeof pointer);
    }
}

void *fields_copy(const struct fields *fields, const void *items, size_t count, struct arena *arena)
{
    char *copy = arena_alloc(arena, count, fields->size);
    if (count > 0)
        memcpy(copy, items, count * fields->size);
    for (size_t i = 0; i < count; i++)
        copy_members(fields, copy + i * fields->size, arena);
    return copy;
}
