#include "options/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/names.h"

/* ---- messages -------------------------------------------------------------------------------------------------- */

bool value_fail(struct value_source *source, const struct tree_node *at, const char *format, ...)
{
    char text[sizeof source->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (source->tree)
        return tree_error(source->tree, at, source->err, "%s%s%s", source->key ? source->key : "",
                          source->key ? ": " : "", text);
    return error_set(source->err, "--%s: %s", source->key, text);
}

/* "no `x`; did you mean `y`? There are: y, z"; of keys, which may be many, those alone that are near. */
static bool fail_choice(struct value_source *source, const struct tree_node *at, bool is_key, const char *given,
                        const char *const *names, size_t count)
{
    const char *near = name_nearest(given, names, count);
    SCOPED(text) list = {0};
    text_addf(&list, "%s `%s`; ", is_key ? "unknown key" : "no", given);
    if (near)
        text_addf(&list, "did you mean `%s`?", near);
    if (!near || !is_key)
        text_add(&list, near ? " There are: " : "there are: ");
    for (size_t i = 0; i < count && (!near || !is_key); i++)
        text_addf(&list, "%s%s", i ? ", " : "", names[i]);
    value_fail(source, at, "%s", text_string(&list));
    return false;
}

bool value_unknown_key(struct value_source *source, const struct tree_node *key, const struct setting *rows,
                       size_t count)
{
    FREED const char **names = memory_new(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = rows[i].name;
    if (source->tree)
        source->key = NULL;
    fail_choice(source, key, true, key->text, names, count);
    return false;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

const char *value_string(struct value_source *source, const struct tree_node *value)
{
    if (value->kind != TREE_TEXT)
        value_fail(source, value, "expected one value, found a %s", value->kind == TREE_LIST ? "list" : "mapping");
    else if (value->text[0] == '\0' && source->tree)
        value_fail(source, value, "the value is missing");
    else
        return value->text;
    return NULL;
}

bool value_is_mapping(struct value_source *source, const struct tree_node *value)
{
    return value->kind == TREE_MAPPING || value_fail(source, value, "expected a mapping (key: value)");
}

bool value_absent(struct value_source *source, const struct tree_node *at, const char *why)
{
    struct error noted = {0}, *err = source->err;
    if (!source->absent)
        return value_fail(source, at, "%s", why);
    source->err = &noted;
    value_fail(source, at, "%s", why);
    source->err = err;
    if (!*source->absent)
        *source->absent = arena_string(source->arena, noted.text);
    return true;
}

const char *value_file(struct value_source *source, const struct tree_node *at, const char *name)
{
    struct error why = {0};
    bool absent = false;
    const char *path = source->paths ? suite_paths_file(source->paths, name, source->arena, &absent, &why) : name;
    if (!path && absent && value_absent(source, at, why.text)) {
        SCOPED(text) place = {0};
        path_join(source->paths->folder, name, &place);
        path = arena_string(source->arena, place.data);
    } else if (!path)
        value_fail(source, at, "%s", why.text);
    return path;
}

bool value_next(struct value_source *source, struct value_walk *walk)
{
    const struct tree_node *value = walk->value;
    bool is_list = value->kind == TREE_LIST;
    if (is_list && value->count == 0) {
        walk->failed = !value_fail(source, value, "the list is empty");
        return false;
    }
    if (!walk->rest) {
        if (walk->item == (is_list ? value->count : 1))
            return false;
        walk->at = is_list ? value->items[walk->item] : value;
        walk->item++;
        walk->rest = value_string(source, walk->at);
        walk->failed = !walk->rest;
        if (walk->failed)
            return false;
    }
    const char separators[] = {walk->separator, '\0'};
    walk->part = (struct slice){walk->rest, strcspn(walk->rest, separators)};
    walk->rest = walk->rest[walk->part.length] ? walk->rest + walk->part.length + 1 : NULL;
    return true;
}

struct slice value_quoted_name(const char *text, size_t length, char sign)
{
    for (size_t i = 1; length > 1 && *text == '"' && i < length; i++)
        if (text[i] == '"' && (i + 1 == length || text[i + 1] == sign))
            return (struct slice){text + 1, i - 1};
    return (struct slice){NULL, 0};
}

void value_add_name(struct slice name, bool is_quoted, struct text *out)
{
    text_addf(out, is_quoted ? "\"%.*s\"" : "%.*s", (int)name.length, name.data);
}

const struct setting *value_find(const struct setting *rows, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is((struct slice){name, length}, rows[i].name))
            return &rows[i];
    return NULL;
}

bool value_read(struct value_source *source, const struct setting *row, void *base, const struct tree_node *value)
{
    source->key = row->name;
    source->row = row;
    return row->type->read(source, row->variable ? row->variable : (char *)base + row->offset, value);
}

bool value_is_repeatable(const struct setting *row)
{
    return (row->type->form & FORM_REPEATED) || (row->type == &value_bits && row->kind == VALUE_BITS_ADD);
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

static void put_whole(const struct setting *row, void *target, long number)
{
    if (row->size == sizeof(bool))
        *(bool *)target = number != 0;
    else if (row->size == sizeof(int))
        *(int *)target = (int)number;
    else
        *(long *)target = number;
}

/* Reads a number; one that counts values is whole. */
static bool read_number(struct value_source *source, void *target, const struct tree_node *value)
{
    const struct setting *row = source->row;
    const bool both = row->kind == VALUE_EITHER_SIGN, whole = row->type == &value_count;
    const char *text = value_string(source, value);
    double number = 0;
    if (!text)
        return false;
    if (!row->also || strcmp(text, row->also) != 0) { /* which is 0 */
        bool is_number = decimal_read(text, strlen(text), whole, &number);
        double size = both ? fabs(number) : number;
        bool good = is_number && size >= row->least && size <= row->most;
        if (!good && whole)
            return value_fail(source, value, "`%s` is not a whole number from %.0f to %.0f", text, row->least,
                              row->most);
        if (!good)
            return value_fail(source, value, "`%s` is not a number from %.6g to %.6g%s", text, row->least, row->most,
                              both ? ", or the same below 0" : "");
    }
    if (whole)
        put_whole(row, target, (long)number);
    else if (row->size == sizeof(float))
        *(float *)target = (float)number;
    else
        *(double *)target = number;
    return true;
}

static void write_number(const struct setting *row, const void *target, struct text *out)
{
    if (row->size == sizeof(float))
        text_add_float(out, *(const float *)target);
    else if (row->also && *(const double *)target == 0)
        text_add(out, row->also);
    else if (!isnan(*(const double *)target)) /* not given */
        text_add_double(out, *(const double *)target);
}

/* Numbers with a sign between, or a list of them, as many as wanted and each within the row's limits: sides of a
 * picture are whole, a part of a vector may have either sign. `walk` ends at the first that is none. */
static bool read_numbers(struct value_source *source, const struct tree_node *value, bool are_sides, size_t wanted,
                         double *out, struct value_walk *walk)
{
    const struct setting *row = source->row;
    size_t count = 0;
    bool good = true;
    *walk = (struct value_walk){.value = value, .separator = are_sides ? 'x' : ':'};
    for (; good && value_next(source, walk); count++)
        good = count < wanted && decimal_read(walk->part.data, walk->part.length, are_sides, &out[count]) &&
               fabs(out[count]) <= row->most && (!are_sides || out[count] >= row->least);
    return good && count == wanted;
}

static bool read_size(struct value_source *source, void *target, const struct tree_node *value)
{
    const struct setting *row = source->row;
    uint32_t *sides = target;
    struct value_walk walk;
    double side[2];
    if (value->kind == TREE_LIST && value->count != 2)
        return value_fail(source, value, "expected a width and a height");
    const bool good = read_numbers(source, value, true, 2, side, &walk);
    if (walk.failed)
        return false;
    if (!good && value->kind == TREE_LIST)
        return value_fail(source, walk.at, "`%s` is not a side from %.0f to %.0f", walk.at->text, row->least,
                          row->most);
    if (!good)
        return value_fail(source, walk.at, "`%s` is not %s from %.0fx%.0f to %.0fx%.0f", walk.at->text, row->value_name,
                          row->least, row->least, row->most, row->most);
    sides[0] = (uint32_t)side[0];
    sides[1] = (uint32_t)side[1];
    return true;
}

static void write_size(const struct setting *row, const void *target, struct text *out)
{
    const uint32_t *sides = target;
    (void)row;
    text_addf(out, "%ux%u", sides[0], sides[1]);
}

static bool read_vector(struct value_source *source, void *target, const struct tree_node *value)
{
    static const char *const forms[] = {[2] = "two numbers X:Y", [3] = "three numbers X:Y:Z"};
    static const char *const lists[] = {[2] = "two numbers [X, Y]", [3] = "three numbers [X, Y, Z]"};
    const size_t wanted = source->row->size / sizeof(float);
    struct value_walk walk;
    double numbers[3];
    if (value->kind == TREE_LIST && value->count != wanted)
        return value_fail(source, value, "expected %s", lists[wanted]);
    const bool good = read_numbers(source, value, false, wanted, numbers, &walk);
    for (size_t i = 0; good && i < wanted; i++)
        ((float *)target)[i] = (float)numbers[i];
    return good || (!walk.failed && value_fail(source, walk.at, "`%s`: expected %s", walk.at->text, forms[wanted]));
}

static void write_vector(const struct setting *row, const void *target, struct text *out)
{
    const float *vector = target;
    for (size_t i = 0; i < row->size / sizeof *vector; i++) {
        text_add(out, i ? ":" : "");
        text_add_float(out, vector[i]);
    }
}

static bool read_colour(struct value_source *source, void *target, const struct tree_node *value)
{
    uint8_t *colour = target;
    const char *text = value_string(source, value);
    if (!text)
        return false;
    size_t n = strlen(text);
    if ((n != 6 && n != 8) || strspn(text, "0123456789abcdefABCDEF") != n)
        return value_fail(source, value, "`%s` is not RRGGBB or RRGGBBAA in hexadecimal", text);
    unsigned long bits = strtoul(text, NULL, 16);
    if (n == 6)
        bits = bits << 8 | 0xff;
    for (int i = 0; i < 4; i++)
        colour[i] = (uint8_t)(bits >> (24 - 8 * i));
    return true;
}

static void write_colour(const struct setting *row, const void *target, struct text *out)
{
    const uint8_t *colour = target;
    (void)row;
    text_addf(out, "%02x%02x%02x%02x", colour[0], colour[1], colour[2], colour[3]);
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

static bool read_flag(struct value_source *source, void *target, const struct tree_node *value)
{
    const char *text = value_string(source, value);
    if (!text)
        return false;
    *(bool *)target = strcmp(text, "true") == 0;
    return *(bool *)target || strcmp(text, "false") == 0 ||
           value_fail(source, value, "`%s` is neither `true` nor `false`", text);
}

static void write_flag(const struct setting *row, const void *target, struct text *out)
{
    (void)row;
    text_add(out, *(const bool *)target ? "yes" : "no");
}

/* The position of a word, word_count for `also`, -1 with the error set. */
static int find_word(struct value_source *source, const struct setting *row, const struct tree_node *at,
                     struct slice word)
{
    for (size_t i = 0; i < row->word_count; i++)
        if (slice_is(word, row->words[i]))
            return (int)i;
    if (row->also && slice_is(word, row->also))
        return (int)row->word_count;
    enum { MOST_WORDS = 32 };
    const char *names[MOST_WORDS];
    char copy[64];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)word.length, word.data);
    for (; count < row->word_count && count < MOST_WORDS - 1; count++)
        names[count] = row->words[count];
    if (row->also)
        names[count++] = row->also;
    fail_choice(source, at, false, copy, names, count);
    return -1;
}

static bool read_word(struct value_source *source, void *target, const struct tree_node *value)
{
    const struct setting *row = source->row;
    const char *text = value_string(source, value);
    int i = text ? find_word(source, row, value, slice_of(text)) : -1;
    if (i >= 0)
        put_whole(row, target, row->values ? row->values[i] : i);
    return i >= 0;
}

static void write_word(const struct setting *row, const void *target, struct text *out)
{
    int number = row->size == sizeof(bool) ? *(const bool *)target : *(const int *)target;
    for (int i = 0; i < (int)row->word_count; i++)
        if (number == (row->values ? row->values[i] : i))
            text_add(out, row->words[i]);
}

static bool read_bits(struct value_source *source, void *target, const struct tree_node *value)
{
    const struct setting *row = source->row;
    struct value_walk walk = {.value = value, .separator = ','};
    unsigned bits = row->kind == VALUE_BITS_ADD ? *(unsigned *)target : 0, parts = 0;
    bool none = false;
    for (; value_next(source, &walk); parts++) {
        int i = find_word(source, row, walk.at, walk.part);
        if (i < 0)
            return false;
        none = none || i == (int)row->word_count;
        bits |= i < (int)row->word_count ? 1u << i : 0;
        if (none && parts > 0)
            return value_fail(source, walk.at, "`%s` cannot be combined with others", row->also);
    }
    if (!walk.failed)
        *(unsigned *)target = bits;
    return !walk.failed;
}

static void write_bits(const struct setting *row, const void *target, struct text *out)
{
    unsigned bits = *(const unsigned *)target;
    size_t start = out->size;
    for (size_t i = 0; i < row->word_count; i++)
        if (bits >> i & 1)
            text_addf(out, "%s%s", out->size > start ? "," : "", row->words[i]);
    if (out->size == start)
        text_add(out, "none");
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

static bool read_text(struct value_source *source, void *target, const struct tree_node *value)
{
    const char *text = value_string(source, value);
    if (text && !*text)
        return value_fail(source, value, "the value is missing");
    if (text)
        *(const char **)target = text;
    return text != NULL;
}

static void write_text(const struct setting *row, const void *target, struct text *out)
{
    const char *text = *(const char *const *)target;
    (void)row;
    text_add(out, text ? text : "none");
}

static bool read_texts(struct value_source *source, void *target, const struct tree_node *value)
{
    struct option_list *list = target;
    if (list->count == OPTION_LIST_MOST)
        return value_fail(source, value, "at most %d of them", OPTION_LIST_MOST);
    return read_text(source, &list->items[list->count], value) && ++list->count;
}

/* ---- mappings -------------------------------------------------------------------------------------------------- */

bool value_read_fields(struct value_source *source, const struct setting *fields, size_t count, void *target,
                       const struct tree_node *value)
{
    const char *outer = source->key;
    char inner[64];
    if (!value_is_mapping(source, value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const struct tree_node *key = value->keys[i];
        const struct setting *field = source->row = value_find(fields, count, key->text, strlen(key->text));
        if (!field)
            return value_unknown_key(source, key, fields, count);
        snprintf(inner, sizeof inner, source->tree ? "%s.%s" : "%s: %s", outer, field->name);
        source->key = inner;
        if (!field->type->read(source, (char *)target + field->offset, value->items[i]))
            return false;
    }
    source->key = outer;
    return true;
}

static bool read_fields(struct value_source *source, void *target, const struct tree_node *value)
{
    return value_read_fields(source, source->row->fields, source->row->field_count, target, value);
}

const struct value_type value_flag = {read_flag, write_flag, FORM_FLAG};
const struct value_type value_text = {read_text, write_text, FORM_TEXT};
const struct value_type value_texts = {read_texts, NULL, FORM_TEXT | FORM_LIST | FORM_REPEATED};
const struct value_type value_number = {read_number, write_number, FORM_NUMBER};
const struct value_type value_count = {read_number, NULL, FORM_WHOLE};
const struct value_type value_word = {read_word, write_word, FORM_WORD};
const struct value_type value_bits = {read_bits, write_bits, FORM_WORD | FORM_TEXT | FORM_LIST};
const struct value_type value_size = {read_size, write_size, FORM_TEXT | FORM_LIST};
const struct value_type value_vector = {read_vector, write_vector, FORM_TEXT | FORM_LIST};
const struct value_type value_colour = {read_colour, write_colour, FORM_TEXT};
const struct value_type value_fields = {read_fields, NULL, FORM_MAPPING};
