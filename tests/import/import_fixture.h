#ifndef RIGPROOF_TESTS_IMPORT_FIXTURE_H
#define RIGPROOF_TESTS_IMPORT_FIXTURE_H

#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "import/import.h"

/* A file's scene; the test fails when it cannot be imported. */
static inline struct scene *import_path(const char *path, uint32_t repairs)
{
    struct import_options options = import_defaults;
    options.repairs = repairs;
    struct error err = {0};
    struct scene *scene = import_scene(path, &options, &err);
    if (!scene)
        fail_msg("%s", err.text);
    return scene;
}

static inline struct scene *load_with(const char *name, uint32_t repairs)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FIXTURES, name);
    return import_path(path, repairs);
}

static inline struct scene *load(const char *name)
{
    return load_with(name, REPAIR_ALL);
}

static inline const struct clip *clip_of(const struct scene *scene, const char *name)
{
    struct error err = {0};
    const struct clip *clip = scene_find_clip(scene, name, &err);
    if (!clip)
        fail_msg("%s", err.text);
    return clip;
}

/* The text of the first note of that id, or NULL. */
static inline const char *note_of(const struct scene *scene, enum note_kind kind, const char *id)
{
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (scene->notes[i].kind == kind && strcmp(scene->notes[i].id, id) == 0)
            return scene->notes[i].text;
    return NULL;
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" does not contain \"%s\"", text ? text : "(nothing)", part);
}

static inline void assert_floats(const float *actual, const float *expected, size_t count, float tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(actual[i] - expected[i] <= tolerance && expected[i] - actual[i] <= tolerance))
            fail_msg("element %zu is %.9g instead of %.9g", i, (double)actual[i], (double)expected[i]);
}

static inline void assert_seconds(double actual, double expected)
{
    if (!(actual - expected <= 1e-9 && expected - actual <= 1e-9))
        fail_msg("%.17g instead of %.17g", actual, expected);
}

#endif
