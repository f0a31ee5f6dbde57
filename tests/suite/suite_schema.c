/*
 * The JSON Schema of a suite file, made of the tables that read one; a text is any scalar, as it is to the reader. Prints it; with an argument says whether that file is
 * the same: docs/schemas/suite.schema.json is what this program printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "suite/suite_file.h"

static json_t *reference(const char *to, const char *name)
{
    return json_pack("{s:s++}", "$ref", "#/", to, name);
}

/* The words of a row; what looks like a number may be one. */
static json_t *words_of(const struct setting *row)
{
    json_t *words = json_array();
    for (size_t i = 0; i < row->word_count + (row->also != NULL); i++) {
        const char *word = i < row->word_count ? row->words[i] : row->also;
        json_array_append_new(words, json_string(word));
        if (word[strspn(word, "0123456789")] == '\0')
            json_array_append_new(words, json_integer(atoi(word)));
    }
    return json_pack("{s:o}", "enum", words);
}

static json_t *mapping_of(const struct setting *rows, size_t count);

static json_t *schema_of(const struct setting *row)
{
    const unsigned form = row->type->form;
    json_t *any = json_array(), *schema;
    if ((form & FORM_WORD) || (row->also && (form & FORM_NUMBER)))
        json_array_append_new(any, words_of(row));
    if (form & FORM_FLAG)
        json_array_append_new(any, json_pack("{s:s}", "type", "boolean"));
    if (form & (FORM_NUMBER | FORM_WHOLE))
        json_array_append_new(any, json_pack("{s:s, s:f, s:f}", "type", form & FORM_WHOLE ? "integer" : "number", "minimum",
                                             row->kind == VALUE_EITHER_SIGN ? -row->most : row->least, "maximum", row->most));
    if (form & FORM_TEXT)
        json_array_append_new(any, reference("$defs/", "text"));
    if (form & FORM_LIST) {
        json_t *items = json_deep_copy(any);
        if (form & FORM_MAPPING) /* of a mix, in the list too */
            json_array_append_new(items, json_pack("{s:s}", "type", "object"));
        json_array_append_new(any, json_pack("{s:s, s:i, s:{s:o}}", "type", "array", "minItems", 1, "items", "anyOf", items));
    }
    if (form & FORM_MAPPING)
        json_array_append_new(any, row->fields ? mapping_of(row->fields, row->field_count)
                                               : json_pack("{s:s}", "type", "object"));
    if (json_array_size(any) == 1) {
        schema = json_incref(json_array_get(any, 0));
        json_decref(any);
    } else
        schema = json_pack("{s:o}", "anyOf", any);
    if (row->help)
        json_object_set_new(schema, "description", json_string(row->help));
    return schema;
}

static void add_rows(json_t *properties, const struct setting *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rows[i].not_in_suite)
            json_object_set_new(properties, rows[i].name, schema_of(&rows[i]));
}

static json_t *mapping_of(const struct setting *rows, size_t count)
{
    json_t *properties = json_object();
    add_rows(properties, rows, count);
    return json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0, "properties", properties);
}

int main(int argc, char **argv)
{
    json_t *test = mapping_of(case_keys, CASE_KEYS), *keys = json_object_get(test, "properties"), *defaults = json_object();
    add_rows(keys, setting_table, setting_count);
    json_object_set_new(test, "required", json_pack("[s,s]", "name", "model"));
    const char *name;
    json_t *schema;
    json_object_foreach(keys, name, schema) {
        const struct setting *key = value_find(case_keys, CASE_KEYS, name, strlen(name));
        if (!key || key->group != ONLY_OF_CASE)
            json_object_set_new(defaults, name, reference("$defs/case/properties/", name));
    }
    json_t *subject = mapping_of(subject_keys, SUBJECT_KEYS);
    json_object_set_new(subject, "required", json_pack("[s]", "command"));
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:[s,s], s:{s:{s:[i,s]}, s:o, s:{s:s, s:o}, s:{s:s, s:b, s:o}, s:{s:s, s:i, s:o}}, s:{s:{s:[s,s,s]}, s:o}}",
        "$schema", "https://json-schema.org/draft/2020-12/schema", "title", "rigproof suite", "description",
        "A suite file, version 1. See docs/formats.md.", "type", "object", "additionalProperties", 0, "required", "version",
        "cases", "properties", "version", "enum", 1, "1", "goldens", reference("$defs/", "text"), "subjects", "type", "object",
        "additionalProperties", subject, "defaults", "type",
        "object", "additionalProperties", 0, "properties", defaults, "cases", "type", "array", "minItems", 1, "items",
        reference("$defs/", "case"), "$defs", "text", "type", "string", "number", "boolean", "case", test);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    json_t *printed = json_loads(text, 0, NULL), *committed = argc > 1 ? json_load_file(argv[1], 0, NULL) : NULL;
    if (argc < 2)
        puts(text);
    else if (!json_equal(printed, committed))
        fprintf(stderr, "%s is of another version: write there what this program prints without an argument\n", argv[1]);
    int code = argc < 2 || json_equal(printed, committed) ? 0 : 1;
    json_decref(root);
    json_decref(printed);
    json_decref(committed);
    free(text);
    return code;
}
