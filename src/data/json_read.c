#include "data/json_read.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- complaints ------------------------------------------------------------------------------------------------ */

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
    struct text path = {0};
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    add_path(&path, key ? &member : at);
    error_set(at->reader->err, "%s: %s%s%s", at->reader->name, text_string(&path), path.size > 0 ? ": " : "", what);
    text_release(&path);
    return false;
}

static const char *kind_of(const json_t *value)
{
    static const char *const kinds[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null",
    };
    return kinds[json_typeof(value)];
}

/* ---- the document ---------------------------------------------------------------------------------------------- */

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
        return error_set(err, "%s: no JSON, line %d, column %d: %s", name, where.line, where.column, where.text);
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

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* Bits of json_type. */
enum {
    ANY_STRING = 1 << JSON_STRING,
    ANY_NUMBER = 1 << JSON_INTEGER | 1 << JSON_REAL,
    ANY_BOOL = 1 << JSON_TRUE | 1 << JSON_FALSE,
    OR_NULL = 1 << JSON_NULL,
    ANY_OBJECT = 1 << JSON_OBJECT,
    ANY_ARRAY = 1 << JSON_ARRAY,
};

/* The member, of one of these types, or NULL with a complaint. `wanted` is the start of a sentence: "a string is". */
static json_t *find(const struct json_place *at, const char *key, const char *wanted, unsigned types)
{
    json_t *value = at->value;
    if (error_is_set(at->reader->err))
        return NULL;
    if (key && !json_is_object(value)) {
        json_complain(at, NULL, "an object is wanted, found %s", kind_of(value));
        return NULL;
    }
    if (key)
        value = json_object_get(value, key);
    if (!value)
        json_complain(at, key, "%s wanted, there is none", wanted);
    else if (!(types >> json_typeof(value) & 1))
        json_complain(at, key, "%s wanted, found %s", wanted, kind_of(value));
    return error_is_set(at->reader->err) ? NULL : value;
}

bool json_has(const struct json_place *at, const char *key)
{
    return !error_is_set(at->reader->err) && json_object_get(at->value, key) != NULL;
}

static const char *read_string(const struct json_place *at, const char *key, const char *wanted, unsigned types)
{
    const json_t *value = find(at, key, wanted, types);
    if (json_is_null(value))
        return NULL;
    if (!value || !fits(at, json_string_length(value) + 1, 1))
        return "";
    return arena_string(at->reader->arena, json_string_value(value));
}

const char *json_read_string(const struct json_place *at, const char *key)
{
    return read_string(at, key, "a string is", ANY_STRING);
}

const char *json_read_string_or_null(const struct json_place *at, const char *key)
{
    return read_string(at, key, "a string or null is", ANY_STRING | OR_NULL);
}

uint32_t json_read_word(const struct json_place *at, const char *key, const char *const *words, size_t count)
{
    const json_t *value = find(at, key, "a string is", ANY_STRING);
    struct text list = {0};
    if (!value)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(json_string_value(value), words[i]) == 0) {
            text_release(&list);
            return (uint32_t)i;
        }
        text_addf(&list, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    }
    json_complain(at, key, "%s%s is wanted, found another string", count > 1 ? "one of " : "", text_string(&list));
    text_release(&list);
    return 0;
}

bool json_read_bool(const struct json_place *at, const char *key)
{
    return json_is_true(find(at, key, "true or false is", ANY_BOOL));
}

void json_require_format(const struct json_place *root, const char *format)
{
    enum { LONGEST_SHOWN = 60 };
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\"%s\" is", format);
    const char *found = read_string(root, "format", wanted, ANY_STRING);
    if (strlen(found) > LONGEST_SHOWN)
        json_complain(root, "format", "%s wanted, found a long string", wanted);
    else if (strcmp(found, format) != 0)
        json_complain(root, "format", "%s wanted, found \"%s\"", wanted, found);
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

uint32_t json_read_count(const struct json_place *at, const char *key)
{
    static const char wanted[] = "a whole number from 0 to 4294967295 is";
    const json_t *value = find(at, key, wanted, ANY_NUMBER);
    double number = json_number_value(value); /* 0 for NULL; jansson has refused what is not finite already */
    if (!(number >= 0.0 && number <= (double)UINT32_MAX && number == floor(number)))
        return json_complain(at, key, "%s wanted, found %.9g", wanted, number);
    return (uint32_t)number;
}

static bool is_written_as(float value, double number)
{
    struct text text = {0};
    text_add_float(&text, value);
    bool same = strtod(text_string(&text), NULL) == number;
    text_release(&text);
    return same;
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
    return halfway && is_written_as(other, number) ? other : nearest;
}

float json_read_float(const struct json_place *at, const char *key)
{
    double number = json_read_double(at, key);
    if (!isfinite((float)number))
        return json_complain(at, key, "a number that a float holds is wanted, found %.9g", number);
    return nearest_float(number);
}

double json_read_double(const struct json_place *at, const char *key)
{
    return json_number_value(find(at, key, "a number is", ANY_NUMBER));
}

double json_read_double_or_nan(const struct json_place *at, const char *key)
{
    const json_t *value = find(at, key, "a number or null is", ANY_NUMBER | OR_NULL);
    return json_is_null(value) ? NAN : json_number_value(value);
}

/* One of the numbers; what is wrong with it is said of all, which a person looks for by their key. */
static bool take_number(const struct json_place *at, const char *key, size_t i, size_t count, const json_t *item,
                        float *out)
{
    if (!json_is_number(item))
        return json_complain(at, key, "%zu finite numbers are wanted, [%zu] is %s", count, i, kind_of(item));
    double number = json_number_value(item);
    if (!isfinite((float)number))
        return json_complain(at, key, "%zu finite numbers are wanted, [%zu] is %.9g: more than a float holds", count, i,
                             number);
    *out = nearest_float(number);
    return true;
}

void json_read_floats(const struct json_place *at, const char *key, float *out, size_t count)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%zu finite numbers are", count);
    const json_t *value = find(at, key, wanted, ANY_ARRAY);
    memset(out, 0, count * sizeof *out);
    if (value && json_array_size(value) != count)
        json_complain(at, key, "%s wanted, there are %zu", wanted, json_array_size(value));
    for (size_t i = 0; value && i < count && !error_is_set(at->reader->err); i++)
        take_number(at, key, i, count, json_array_get(value, i), &out[i]);
}

void json_read_affine(const struct json_place *at, const char *key, mat4 out)
{
    float rows[12];
    json_read_floats(at, key, rows, 12);
    affine_from_rows(rows, out);
}

void json_read_box(const struct json_place *at, vec3 min, vec3 max)
{
    json_read_floats(at, "min", min, 3);
    json_read_floats(at, "max", max, 3);
    if (min[0] > max[0] || min[1] > max[1] || min[2] > max[2])
        json_complain(at, "min", "is greater than max");
}

/* ---- containers ------------------------------------------------------------------------------------------------ */

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
    return place_of(at, key, find(at, key, "an object is", ANY_OBJECT));
}

struct json_place json_read_array(const struct json_place *at, const char *key, uint32_t *count)
{
    json_t *value = find(at, key, "an array is", ANY_ARRAY);
    if (json_array_size(value) > UINT32_MAX)
        json_complain(at, key, "an array of at most %" PRIu32 " items is wanted", UINT32_MAX);
    *count = error_is_set(at->reader->err) ? 0 : (uint32_t)json_array_size(value);
    return place_of(at, key, value);
}

struct json_place json_item(const struct json_place *array, uint32_t i)
{
    assert(error_is_set(array->reader->err) || i < json_array_size(array->value));
    return (struct json_place){
        .reader = array->reader, .parent = array, .index = i, .value = json_array_get(array->value, i)};
}
