#pragma once

/* To be included first. */

#include "cmocka_setup.h"

#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "import/import.h"

#define GLTF_FILE RELEASED_BY(gltf_close) struct gltf_file

/* A file's scene; the test fails when it cannot be imported. */
static inline struct scene *import_path(const char *path, uint32_t repairs)
{
    struct import_options options = import_defaults;
    options.repairs = repairs;
    return assert_good(import_scene(path, &options, err));
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

/* That a note says so, or, of NULL, that there is none. */
static inline void assert_told(const char *note, const char *part)
{
    if (part ? !note || !strstr(note, part) : note != NULL)
        fail_msg("\"%s\" does not contain \"%s\"", note ? note : "(nothing)", part ? part : "(nothing)");
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" does not contain \"%s\"", text ? text : "(nothing)", part);
}

/* A file in a folder of its own: where the block of a TEMPORARY ends, both are gone, with all that lies there. */
struct temporary {
    char folder[64], path[128];
};
#define TEMPORARY RELEASED_BY(temporary_remove) struct temporary

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
    folder_remove(temporary->folder);
}

/* Another file in that folder, whose path this is until the next one's is asked for. */
static inline const char *beside(const struct temporary *temporary, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", temporary->folder, name);
    return path;
}

/* The scene of a file with those bytes; the test fails when it cannot be imported. */
static inline struct scene *import_bytes(const char *name, const void *data, size_t size, uint32_t repairs)
{
    const TEMPORARY file = temporary_make(name, data, size);
    return import_path(file.path, repairs);
}

/* The scene of a file with that text; NULL with err set. */
static inline struct scene *import_text(const char *name, const char *text, struct error *err)
{
    const TEMPORARY file = temporary_make(name, text, strlen(text));
    return import_scene(file.path, &import_defaults, err);
}

/*
 * A copy of `source`, a text, changed: where `with` is set, every `mark` is that; else `text` stands before the first one.
 * Imported with these repairs.
 */
struct change {
    const char *mark, *with, *text;
};

static inline struct scene *import_changed(const char *source, const struct change *changes, size_t count,
                                           uint32_t repairs)
{
    SCOPED(blob) file;
    SCOPED(text) text = {0};
    char name[32], extension[16];
    path_extension(source, extension);
    snprintf(name, sizeof name, "a.%s", extension);
    assert_good(file_read(source, 1 << 24, &file, err));
    text_add(&text, (const char *)file.data);
    for (size_t i = 0; i < count; i++) {
        struct text out = {0};
        const char *rest = text_string(&text);
        assert_non_null(strstr(rest, changes[i].mark));
        for (const char *at; (at = strstr(rest, changes[i].mark)) != NULL; rest = at + strlen(changes[i].mark)) {
            text_add_bytes(&out, rest, (size_t)(at - rest));
            text_add(&out, changes[i].with ? changes[i].with : changes[i].text);
            if (changes[i].with)
                continue;
            rest = at;
            break;
        }
        text_add(&out, rest);
        text_release(&text);
        text = out;
    }
    return import_bytes(name, text.data, text.size, repairs);
}

/* All repairs but that one. */
#define ALL_BUT(repair) (REPAIR_ALL & ~(uint32_t)REPAIR_##repair)
