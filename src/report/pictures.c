#define _XOPEN_SOURCE 700 /* strdup */

#include "report/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "base/json.h"

/* A page beyond this is slow to open; what does not fit is named as missing. */
enum { MOST_BYTES_A_FILE = 64 << 20, MOST_BYTES = 256 << 20 };

struct picture {
    const char *path; /* as the results have it */
    long number;      /* -1: missing */
    char *reason;     /* why; freed at the end */
};

struct collection {
    const char *folder;
    size_t count, capacity;
    struct picture *items;
    size_t bytes;
    long embedded;
    struct text *files;
};

static bool is_png(const struct blob *blob)
{
    return blob->size >= 8 && memcmp(blob->data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static bool read_png(struct collection *all, const char *name, struct blob *out, struct error *err)
{
    struct text path = {0};
    path_join(all->folder, name, &path);
    bool good = file_read(text_string(&path), MOST_BYTES_A_FILE, out, err);
    if (good && !is_png(out))
        good = error_set(err, "%s is no PNG", text_string(&path));
    if (good && out->size > MOST_BYTES - all->bytes)
        good = error_set(err, "left out: this page holds %d MiB of pictures already", MOST_BYTES >> 20);
    text_release(&path);
    return good;
}

static void embed(struct collection *all, struct picture *picture)
{
    struct blob blob = {0};
    struct error err = {0};
    if (read_png(all, picture->path, &blob, &err)) {
        picture->number = all->embedded++;
        all->bytes += blob.size;
        text_addf(all->files, "<script type=\"text/plain\" id=\"picture-%ld\">", picture->number);
        text_add_base64(all->files, blob.data, blob.size);
        text_add(all->files, "</script>\n");
    } else {
        picture->number = -1;
        picture->reason = strdup(err.text);
    }
    blob_release(&blob);
}

static void add(struct collection *all, const char *path)
{
    if (!path)
        return;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].path, path) == 0)
            return;
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 64;
        struct picture *items = realloc(all->items, capacity * sizeof *items);
        if (!items)
            return; /* a page without this picture */
        all->items = items;
        all->capacity = capacity;
    }
    struct picture *picture = &all->items[all->count++];
    *picture = (struct picture){.path = path};
    embed(all, picture);
}

/* Whether somebody will want to see the frame. */
static bool is_wanted(enum image_state state, bool case_fails)
{
    switch (state) {
    case IMAGE_DIFFERS:
    case IMAGE_MISSING:
        return true;
    case IMAGE_NOISE:
    case IMAGE_TOLERATED:
        return case_fails;
    default:
        return false;
    }
}

static void add_case(struct collection *all, const struct case_result *result, bool fails)
{
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct image_result *image = &result->times[i].image;
        if (!is_wanted(image->state, fails))
            continue;
        add(all, image->golden);
        add(all, image->actual);
        add(all, image->heat);
    }
}

static void write_index(const struct collection *all, struct text *index)
{
    struct json_writer json = {.text = index};
    json_open_object(&json, NULL, JSON_LINES);
    json_open_object(&json, "number", JSON_LINES);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].number >= 0)
            json_add_int(&json, all->items[i].path, all->items[i].number);
    json_close(&json);
    json_open_object(&json, "missing", JSON_LINES);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].number < 0)
            json_add_string(&json, all->items[i].path, all->items[i].reason ? all->items[i].reason : "");
    json_close(&json);
    json_close(&json);
}

void pictures_embed(const struct results *results, const char *folder, struct text *index, struct text *files)
{
    struct collection all = {.folder = folder, .files = files};
    for (size_t i = 0; i < results->case_count; i++)
        add_case(&all, &results->cases[i], case_status_fails(results->cases[i].status, results->strict));
    write_index(&all, index);
    for (size_t i = 0; i < all.count; i++)
        free(all.items[i].reason);
    free(all.items);
}
