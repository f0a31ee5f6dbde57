#pragma once

/* To be included first. */

#include "cmocka_setup.h"

#include <unistd.h>

#include "base/file/file.h"
#include "import/import.h"

#define GLTF_FILE RELEASED_BY(gltf_close) struct gltf_file

/* A file's scene; the test fails when it cannot be imported. */
static inline struct scene *import_path(const char *path, uint32_t repairs)
{
    struct import_options options = import_defaults;
    options.repairs = repairs;
    struct scene *scene = assert_good(import_scene(path, &options, err));
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

/* A file in a folder of its own, gone with temporary_remove(). */
struct temporary {
    char folder[64], path[128];
};

static inline struct temporary temporary_make(const char *name, const void *data, size_t size)
{
    struct temporary temporary = {.folder = "/tmp/rigproof-import-XXXXXX"};
    struct error err = {0};
    assert_non_null(mkdtemp(temporary.folder));
    snprintf(temporary.path, sizeof temporary.path, "%s/%s", temporary.folder, name);
    assert_true(file_write(temporary.path, data, size, &err));
    return temporary;
}

static inline void temporary_remove(const struct temporary *temporary)
{
    unlink(temporary->path);
    rmdir(temporary->folder);
}

/* The scene of a file with those bytes; the test fails when it cannot be imported. */
static inline struct scene *import_bytes(const char *name, const void *data, size_t size, uint32_t repairs)
{
    const struct temporary file = temporary_make(name, data, size);
    struct scene *scene = import_path(file.path, repairs);
    temporary_remove(&file);
    return scene;
}

/* The scene of a file with that text; NULL with err set. */
static inline struct scene *import_text(const char *name, const char *text, struct error *err)
{
    struct temporary temporary = temporary_make(name, text, strlen(text));
    struct scene *scene = import_scene(temporary.path, &import_defaults, err);
    temporary_remove(&temporary);
    return scene;
}
