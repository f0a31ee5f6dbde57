#include "data/result/recorded.h"

#include <string.h>

#include "base/names.h"
#include "data/json_fields.h"

static void check_camera(const struct json_place *at, const char *key, const void *owner)
{
    const struct json_place camera = json_read_object(at, key);
    camera_check(&camera, &((const struct recorded_frame *)owner)->camera);
}

/* Files are named after the label, times are sampled: they must be of one moment. */
static void check_time(const struct json_place *at, const char *key, const void *owner)
{
    const struct recorded_frame *frame = owner;
    SCOPED(text) label = {0};
    text_add_seconds(&label, frame->time);
    if (strcmp(text_string(&label), frame->label) != 0)
        json_complain(at, key, "%s is not the time of `label`, %s", text_string(&label), frame->label);
}

static void check_bounds(const struct json_place *at, const char *key, const void *owner)
{
    const float *bounds = ((const struct recorded *)owner)->bounds;
    for (int i = 0; i < 3; i++)
        if (!(bounds[i] <= bounds[3 + i])) {
            json_complain(at, key, "expected the least and then the largest x, y and z");
            break;
        }
}

static void check_import_name(const struct json_place *at, const char *key, const void *owner)
{
    if (!recorded_is_import_name(((const struct recorded *)owner)->import_file))
        json_complain(at, key, "expected the name of a file that ends with `" RECORDED_IMPORT_SUFFIX "`");
}

static const struct fields frame_fields = FIELD_TABLE(struct recorded_frame, JSON_INLINE,
    {"label", FIELD_TEXT, FIELD_MEMBER(struct recorded_frame, label)},
    {"time", FIELD_DOUBLE, FIELD_MEMBER(struct recorded_frame, time), .check = check_time},
    {"pixels", FIELD_TEXT, FIELD_MEMBER(struct recorded_frame, pixels)},
    {"png", FIELD_TEXT, FIELD_MEMBER(struct recorded_frame, png)},
    {"pose", FIELD_TEXT, FIELD_MEMBER(struct recorded_frame, pose), FIELD_OMITTED},
    {"camera", FIELD_OBJECT, FIELD_MEMBER(struct recorded_frame, camera), FIELD_OMITTED,
     FIELD_COUNTER(struct recorded_frame, has_camera), .fields = &camera_fields, .check = check_camera},
);
enum { MOST_FRAMES = 100000 }; /* of a case */

static const struct fields recorded_fields = FIELD_TABLE(struct recorded, JSON_LINES,
    {"fingerprint", FIELD_OBJECT, FIELD_MEMBER(struct recorded, fingerprint), .fields = &fingerprint_fields},
    {"options", FIELD_OBJECT, FIELD_MEMBER(struct recorded, options), .fields = &fingerprint_fields},
    {"import_file", FIELD_TEXT, FIELD_MEMBER(struct recorded, import_file), .check = check_import_name},
    {"library", FIELD_OBJECT, FIELD_MEMBER(struct recorded, library), FIELD_OMITTED,
     FIELD_COUNTER(struct recorded, library.count), .fields = &fingerprint_fields},
    {"bounds", FIELD_FLOATS, FIELD_MEMBER(struct recorded, bounds), FIELD_OMITTED,
     FIELD_COUNTER(struct recorded, has_bounds), .width = 6, .check = check_bounds},
    {"frames", FIELD_ITEMS(struct recorded, frames, frame_count, frame_fields, .most = MOST_FRAMES,
                           .layout = JSON_LINES)},
);

void recorded_write(const struct recorded *recorded, struct text *out)
{
    fields_write_document("rigproof.recorded/1", &recorded_fields, JSON_LINES, recorded, out);
}

bool recorded_read(const void *data, size_t size, const char *name, struct arena *arena, struct recorded *out,
                   struct error *err)
{
    const struct recorded *read =
        fields_read_document(data, size, name, "rigproof.recorded/1", &recorded_fields, arena, err);
    *out = read ? *read : (struct recorded){0};
    return read != NULL;
}

bool recorded_peek(const void *data, size_t size, struct arena *arena, const char **import_file)
{
    static const char first[] = "{\n \"format\": \"rigproof.recorded/1\",\n", last[] = "\n}\n",
                      key[] = "\n \"import_file\": \"";
    const char *text = data, *end = text + size;
    *import_file = NULL;
    if (size < sizeof first + sizeof last || memcmp(text, first, strlen(first)) != 0 ||
        memcmp(end - strlen(last), last, strlen(last)) != 0)
        return false;
    const char *name = memmem(text, size, key, strlen(key));
    if (!name)
        return false;
    name += strlen(key);
    *import_file = arena_printf(arena, "%.*s", (int)strcspn(name, "\"\n"), name);
    return recorded_is_import_name(*import_file) && !strchr(*import_file, '\\');
}

bool recorded_is_import_name(const char *name)
{
    size_t length = strlen(name), suffix = strlen(RECORDED_IMPORT_SUFFIX);
    return length > suffix && name[0] != '.' && !strchr(name, '/') &&
           strcmp(name + length - suffix, RECORDED_IMPORT_SUFFIX) == 0;
}

/* Appends a text without what stands from `opening` to the end of that object, if it does. */
static void cut(const char *text, size_t size, const char *opening, struct text *out)
{
    static const char closing[] = "\n },";
    const char *end = text + size, *from = memmem(text, size, opening, strlen(opening));
    const char *to = from ? memmem(from, (size_t)(end - from), closing, strlen(closing)) : NULL;
    text_add_bytes(out, text, to ? (size_t)(from - text) : size);
    if (to)
        text_add_bytes(out, to + strlen(closing), (size_t)(end - to) - strlen(closing));
}

bool recorded_same(const void *a, size_t a_size, const void *b, size_t b_size, bool but_for_fingerprint)
{
    static const char fingerprint[] = "\n \"fingerprint\": {";
    SCOPED(text) golden = {0}, actual = {0}, bare_golden = {0}, bare_actual = {0};
    cut(a, a_size, "\n \"library\": {", &golden);
    cut(b, b_size, "\n \"library\": {", &actual);
    cut(text_string(&golden), golden.size, fingerprint, &bare_golden);
    cut(text_string(&actual), actual.size, fingerprint, &bare_actual);
    const struct text *was = but_for_fingerprint ? &bare_golden : &golden;
    const struct text *now = but_for_fingerprint ? &bare_actual : &actual;
    return was->size == now->size && memcmp(text_string(was), text_string(now), was->size) == 0;
}

const struct recorded_frame *recorded_find(const struct recorded *recorded, const char *label)
{
    return NAMED(recorded->frames, recorded->frame_count, label);
}
