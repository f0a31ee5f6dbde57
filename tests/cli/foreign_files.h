#pragma once

#include <jansson.h>

#include "suite_runs.h"

/* Another program may hand over such files; these are made by hand of dumps of the walker. */

#define WALKER FIXTURES "/walker/walker.glb"

/* rigproof's own numbers at a time, of one stage or all (NULL); to be released. */
static inline json_t *own_pose(const char *time, const char *stage)
{
    const bool is_skin = stage && strcmp(stage, "skin") == 0;
    const struct outcome *outcome = rigproof("dump", WALKER, "--clip", "walk", "--time", time, "--json", stage ? "--stage" : NULL,
                                             stage, is_skin ? "--vertices" : NULL, NULL);
    require_status(outcome, 0, __FILE__, __LINE__);
    return read_json(outcome->out, outcome->out_size);
}

/* Writes the document and releases it. */
static inline void spill_json(const char *path, json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT);
    spill(path, text);
    free(text);
    json_decref(document);
}

/* Every matrix of a list ("palette", "matrix") through `change`, 12 numbers each. */
static inline void change_matrices(json_t *document, const char *list, const char *key, void (*change)(double m[12]))
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(document, list), i, item) {
        double m[12];
        json_t *numbers = json_object_get(item, key), *changed = json_array();
        for (size_t k = 0; k < 12; k++)
            m[k] = json_number_value(json_array_get(numbers, k));
        change(m);
        for (size_t k = 0; k < 12; k++)
            json_array_append_new(changed, json_real(m[k]));
        json_object_set_new(item, key, changed);
    }
}

enum raw_form { FORM_COLUMNS, FORM_ROWS, FORM_ROWS3X4 };

/* The document's palette as floats, `first` matrices of it, and its bones' names; little-endian as this machine is. */
static inline void spill_raw(const char *path, const char *names, const json_t *document, enum raw_form form, size_t first)
{
    FILE *file = fopen(path, "wb"), *list = names ? fopen(names, "w") : NULL;
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(document, "palette"), i, entry) {
        const json_t *matrix = json_object_get(entry, "matrix");
        for (size_t k = 0; k < (form == FORM_ROWS3X4 ? 12 : 16) && i < first; k++) {
            size_t at = form == FORM_COLUMNS ? k % 4 * 4 + k / 4 : k;
            float value = at < 12 ? (float)json_number_value(json_array_get(matrix, at)) : at == 15 ? 1.0f : 0.0f;
            fwrite(&value, sizeof value, 1, file);
        }
        if (list && i < first)
            fprintf(list, "%s\n", json_string_value(json_object_get(entry, "bone")));
    }
    fclose(file);
    if (list)
        fclose(list);
}
