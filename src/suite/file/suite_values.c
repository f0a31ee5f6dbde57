/* The values of a suite's keys: texts, numbers, words, lists of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/names.h"
#include "base/text.h"
#include "suite/file/suite_reader.h"

/* ---- messages -------------------------------------------------------------------------------------------------- */

bool suite_fail(struct suite_reader *reader, const struct tree_node *at, const char *format, ...)
{
    char text[sizeof reader->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return tree_error(&reader->tree, at, reader->err, "%s", text);
}

bool suite_fail_unknown(struct suite_reader *reader, const struct tree_node *at, const char *what, const char *name,
                        const char *const *names, size_t count)
{
    const char *near = name_nearest(name, names, count);
    if (near)
        return suite_fail(reader, at, "%s `%s`; did you mean `%s`?", what, name, near);
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_addf(&list, "%s%s", i ? ", " : "", names[i]);
    suite_fail(reader, at, "%s `%s`; there are: %s", what, name, text_string(&list));
    text_release(&list);
    return false;
}

/* ---- one value ------------------------------------------------------------------------------------------------- */

const char *suite_text(struct suite_reader *reader, const char *key, const struct tree_node *value)
{
    if (value->kind != TREE_TEXT)
        suite_fail(reader, value, "%s: one value is wanted here, not a %s", key,
                   value->kind == TREE_LIST ? "list" : "mapping");
    else if (value->text[0] == '\0')
        suite_fail(reader, value, "%s: the value is missing", key);
    else
        return value->text;
    return NULL;
}

bool suite_number(struct suite_reader *reader, const char *key, const struct tree_node *value,
                  const struct number_field *limits)
{
    const char *text = suite_text(reader, key, value);
    double number = 0;
    if (!text)
        return false;
    if (decimal_read(text, strlen(text), limits->whole, &number) && number >= limits->least && number <= limits->most) {
        *limits->target = number;
        return true;
    }
    return suite_fail(reader, value, "%s: `%s` is not a %snumber from %.6g to %.6g", key, text,
                      limits->whole ? "whole " : "", limits->least, limits->most);
}

bool suite_bool(struct suite_reader *reader, const char *key, const struct tree_node *value, bool *out)
{
    const char *text = suite_text(reader, key, value);
    if (!text)
        return false;
    *out = strcmp(text, "true") == 0;
    return *out || strcmp(text, "false") == 0 ||
           suite_fail(reader, value, "%s: `%s` is neither `true` nor `false`", key, text);
}

int suite_word(struct suite_reader *reader, const char *key, const struct tree_node *value, const char *const *words,
               size_t count)
{
    char what[64];
    const char *text = suite_text(reader, key, value);
    for (size_t i = 0; text && i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return (int)i;
    snprintf(what, sizeof what, "%s: no", key);
    if (text)
        suite_fail_unknown(reader, value, what, text, words, count);
    return -1;
}

/* ---- several --------------------------------------------------------------------------------------------------- */

bool suite_is_mapping(struct suite_reader *reader, const char *key, const struct tree_node *value)
{
    return value->kind == TREE_MAPPING || suite_fail(reader, value, "%s: a mapping is wanted here (key: value)", key);
}

static const struct number_field *find_field(const char *name, const struct number_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static bool fail_unknown_field(struct suite_reader *reader, const struct tree_node *key,
                               const struct number_field *fields, size_t count)
{
    const char *names[16];
    for (size_t i = 0; i < count; i++)
        names[i] = fields[i].name;
    return suite_fail_unknown(reader, key, "unknown key", key->text, names, count);
}

bool suite_numbers(struct suite_reader *reader, const char *key, const struct tree_node *value,
                   const struct number_field *fields, size_t count)
{
    char inner[64];
    if (!suite_is_mapping(reader, key, value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const struct number_field *field = find_field(value->keys[i]->text, fields, count);
        if (!field)
            return fail_unknown_field(reader, value->keys[i], fields, count);
        snprintf(inner, sizeof inner, "%s.%s", key, field->name);
        if (!(field->inside ? suite_numbers(reader, inner, value->items[i], field->inside, field->inside_count)
                            : suite_number(reader, inner, value->items[i], field)))
            return false;
    }
    return true;
}

bool suite_list_of(struct suite_reader *reader, const char *key, const struct tree_node *const *value,
                   struct value_list *out)
{
    if ((*value)->kind == TREE_LIST && (*value)->count == 0)
        return suite_fail(reader, *value, "%s: the list is empty", key);
    *out = (*value)->kind == TREE_LIST ? (struct value_list){(*value)->count, (*value)->items}
                                       : (struct value_list){1, value};
    return true;
}
