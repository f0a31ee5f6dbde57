#ifndef RIGPROOF_TESTS_GLTF_TEMPORARY_H
#define RIGPROOF_TESTS_GLTF_TEMPORARY_H

#include "cmocka_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/gltf/gltf_file.h"

/* A file in a folder of its own, gone with temporary_remove(). The test defines _GNU_SOURCE before all
 * headers. */
struct temporary {
    char folder[64];
    char path[128];
};

static inline struct temporary temporary_make(const char *name, const void *data, size_t size)
{
    struct temporary temporary = {.folder = "/tmp/rigproof-gltf-XXXXXX"};
    assert_non_null(mkdtemp(temporary.folder));
    snprintf(temporary.path, sizeof temporary.path, "%s/%s", temporary.folder, name);
    struct error err = {0};
    assert_true(file_write(temporary.path, data, size, &err));
    return temporary;
}

static inline void temporary_remove(const struct temporary *temporary)
{
    unlink(temporary->path);
    rmdir(temporary->folder);
}

/* Opens glTF given as text. The text stays on disk only while it is read: buffers beside it cannot be had. */
static inline bool open_text(struct gltf_file *file, const char *text, struct error *err)
{
    struct temporary temporary = temporary_make("model.gltf", text, strlen(text));
    bool good = gltf_open(file, temporary.path, err);
    temporary_remove(&temporary);
    return good;
}

static inline void assert_says(const struct error *err, const char *part)
{
    if (!strstr(err->text, part))
        fail_msg("\"%s\" does not contain \"%s\"", err->text, part);
}

#endif
