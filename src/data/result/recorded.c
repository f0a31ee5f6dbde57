#define _GNU_SOURCE /* memmem */

#include "data/result/recorded.h"

#include <string.h>

#include "base/json.h"
#include "data/image/camera_file.h"
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
    if (recorded->import_file)
        json_add_string(&json, "import_file", recorded->import_file);
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
static const char *read_if_there(const struct json_place *at, const char *key)
{
    return json_has(at, key) ? json_read_string(at, key) : NULL;
}

bool recorded_read(const void *data, size_t size, const char *name, struct arena *arena, struct recorded *out,
                   struct error *err)
{
    struct json_reader reader;
    *out = (struct recorded){0};
    if (json_reader_open(&reader, data, size, name, arena, err)) {
        json_require_format(&reader.root, "rigproof.recorded/1");
        out->fingerprint = fingerprint_read(&reader.root, "fingerprint");
        out->options = fingerprint_read(&reader.root, "options");
        update_options(&out->options);
        out->import = read_if_there(&reader.root, "import");
        out->import_file = read_if_there(&reader.root, "import_file");
        if (out->import_file && !error_is_set(err) && !recorded_is_import_name(out->import_file))
            error_set(err, "%s: `import_file` is no name of a file that ends with `" RECORDED_IMPORT_SUFFIX "`", name);
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
            out->frames[i].pose = read_if_there(&frame, "pose");
        }
    }
    json_reader_close(&reader);
    return !error_is_set(err);
}

bool recorded_is_import_name(const char *name)
{
    size_t length = strlen(name), suffix = strlen(RECORDED_IMPORT_SUFFIX);
    return length > suffix && name[0] != '.' && !strchr(name, '/') && strcmp(name + length - suffix, RECORDED_IMPORT_SUFFIX) == 0;
}

/* Appends a text without what stands from `opening` to the end of `closing`, if it does. */
static bool cut(const char *text, size_t size, const char *opening, const char *closing, struct text *out)
{
    const char *end = text + size, *from = memmem(text, size, opening, strlen(opening));
    const char *to = from ? memmem(from, (size_t)(end - from), closing, strlen(closing)) : NULL;
    text_add_bytes(out, text, to ? (size_t)(from - text) : size);
    if (to)
        text_add_bytes(out, to + strlen(closing), (size_t)(end - to) - strlen(closing));
    return to != NULL;
}

static void keep_golden(const void *data, size_t size, bool but_for_fingerprint, struct text *out)
{
    struct text rest = {0};
    cut(data, size, "\n \"library\": {", "\n },", &rest);
    if (but_for_fingerprint)
        cut(text_string(&rest), rest.size, "\n \"fingerprint\": {", "\n },", out);
    else
        text_add_bytes(out, text_string(&rest), rest.size);
    text_release(&rest);
}

bool recorded_same(const void *a, size_t a_size, const void *b, size_t b_size, bool but_for_fingerprint)
{
    struct text x = {0}, y = {0};
    keep_golden(a, a_size, but_for_fingerprint, &x);
    keep_golden(b, b_size, but_for_fingerprint, &y);
    bool same = x.size == y.size && memcmp(text_string(&x), text_string(&y), x.size) == 0;
    text_release(&x);
    text_release(&y);
    return same;
}

bool recorded_share_import(const void *data, size_t size, const char *import_file, struct text *out)
{
    static const char next[] = "\n \"frames\": [";
    struct text rest = {0};
    cut(data, size, "\n \"import\": ", ",", &rest);
    const char *text = text_string(&rest), *frames = strstr(text, next), *library = strstr(text, "\n \"library\": {");
    const char *place = library && frames && library < frames ? library : frames;
    if (place) {
        text_add_bytes(out, text, (size_t)(place - text));
        text_addf(out, "\n \"import_file\": \"%s\",%s", import_file, place);
    }
    text_release(&rest);
    return place != NULL;
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
