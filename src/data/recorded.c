#define _GNU_SOURCE /* memmem */

#include "data/recorded.h"

#include <string.h>

#include "base/json.h"
#include "data/camera_file.h"
#include "data/json_read.h"

static void write_frame(struct json_writer *json, const struct recorded_frame *frame)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "label", frame->label);
    json_add_double(json, "time", frame->time);
    json_add_string(json, "pixels", frame->pixels);
    json_add_string(json, "png", frame->png);
    if (frame->pose)
        json_add_string(json, "pose", frame->pose);
    json_open_object(json, "camera", JSON_INLINE);
    camera_write_members(json, &frame->camera);
    json_close(json);
    json_close(json);
}

void recorded_write(const struct recorded *recorded, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.recorded/1");
    fingerprint_write(&json, "fingerprint", &recorded->fingerprint);
    fingerprint_write(&json, "options", &recorded->options);
    if (recorded->import)
        json_add_string(&json, "import", recorded->import);
    if (recorded->library.count > 0)
        fingerprint_write(&json, "library", &recorded->library);
    json_open_array(&json, "frames", JSON_LINES);
    for (uint32_t i = 0; i < recorded->frame_count; i++)
        write_frame(&json, &recorded->frames[i]);
    json_close(&json);
    json_close(&json);
}

/* Options of earlier versions: the clip "rest" was called "none", and "instancing" made no difference to pixels. */
static void update_options(struct fingerprint *options)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < options->count; i++) {
        struct fingerprint_entry entry = options->entries[i];
        if (strcmp(entry.name, "instancing") == 0)
            continue;
        if (strcmp(entry.name, "clip") == 0 && strcmp(entry.value, "none") == 0)
            entry.value = "rest";
        options->entries[kept++] = entry;
    }
    options->count = kept;
}

/* In a file of a version before it there is none. */
static const char *read_hash(const struct json_place *at, const char *key)
{
    return json_has(at, key) ? json_read_string(at, key) : NULL;
}

bool recorded_read(const void *data, size_t size, const char *name, struct arena *arena, struct recorded *out,
                   struct error *err)
{
    struct json_reader reader;
    *out = (struct recorded){0};
    if (json_reader_open(&reader, data, size, name, arena, err)) {
        json_demand_format(&reader.root, "rigproof.recorded/1");
        out->fingerprint = fingerprint_read(&reader.root, "fingerprint");
        out->options = fingerprint_read(&reader.root, "options");
        update_options(&out->options);
        out->import = read_hash(&reader.root, "import");
        if (json_has(&reader.root, "library"))
            out->library = fingerprint_read(&reader.root, "library");
        struct json_place frames = json_read_array(&reader.root, "frames", &out->frame_count);
        out->frames = JSON_NEW(&frames, struct recorded_frame, &out->frame_count);
        for (uint32_t i = 0; i < out->frame_count; i++) {
            struct json_place frame = json_item(&frames, i);
            out->frames[i].label = json_read_string(&frame, "label");
            out->frames[i].time = json_read_double(&frame, "time");
            out->frames[i].pixels = json_read_string(&frame, "pixels");
            out->frames[i].png = json_read_string(&frame, "png");
            out->frames[i].pose = read_hash(&frame, "pose");
        }
    }
    json_reader_close(&reader);
    return !error_is_set(err);
}

/* Where the member `library` begins and where what is behind it does; both the end where there is none. */
static void find_library(const char *text, size_t size, size_t *begin, size_t *end)
{
    static const char opening[] = "\n \"library\": {", closing[] = "\n },";
    const char *from = memmem(text, size, opening, sizeof opening - 1);
    const char *to = from ? memmem(from, size - (size_t)(from - text), closing, sizeof closing - 1) : NULL;
    *begin = to ? (size_t)(from - text) : size;
    *end = to ? (size_t)(to - text) + sizeof closing - 1 : size;
}

bool recorded_same(const void *a, size_t a_size, const void *b, size_t b_size)
{
    size_t a_begin, a_end, b_begin, b_end;
    find_library(a, a_size, &a_begin, &a_end);
    find_library(b, b_size, &b_begin, &b_end);
    if (a_begin == a_size && b_begin < b_size) /* it may be absent in one */
        a_begin = a_end = b_begin < a_size ? b_begin : a_size;
    if (b_begin == b_size && a_end > a_begin)
        b_begin = b_end = a_begin < b_size ? a_begin : b_size;
    return a_begin == b_begin && a_size - a_end == b_size - b_end && memcmp(a, b, a_begin) == 0 &&
           memcmp((const char *)a + a_end, (const char *)b + b_end, a_size - a_end) == 0;
}

const struct recorded_frame *recorded_find(const struct recorded *recorded, const char *label, size_t guess)
{
    if (guess < recorded->frame_count && strcmp(recorded->frames[guess].label, label) == 0)
        return &recorded->frames[guess];
    for (uint32_t i = 0; i < recorded->frame_count; i++)
        if (strcmp(recorded->frames[i].label, label) == 0)
            return &recorded->frames[i];
    return NULL;
}
