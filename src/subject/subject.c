/* The protocol: docs/subjects.md. */

#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "data/json_fields.h"

enum { HELLO_MEMORY = 1 << 24 };

struct subject *subject_create(const struct subject_spec *spec)
{
    struct subject *subject = memory_new(1, sizeof *subject);
    *subject = (struct subject){.spec = spec, .in = -1, .out = -1, .said_fd = -1};
    return subject;
}

void subject_destroy(struct subject *subject)
{
    if (!subject)
        return;
    subject_kill(subject);
    if (subject->folder)
        folder_remove(subject->folder);
    free((char *)subject->folder);
    text_release(&subject->received);
    text_release(&subject->said);
    free(subject);
}

/* One of several values is a list. */
static void write_settings(struct json_writer *json, const char *key, const void *owner)
{
    const struct subject_request *request = owner;
    json_open_object(json, key, JSON_INLINE);
    for (size_t i = 0, next; i < request->setting_count; i = next) {
        const char *name = request->settings[i][0];
        for (next = i + 1; next < request->setting_count && strcmp(request->settings[next][0], name) == 0;)
            next++;
        if (next > i + 1)
            json_open_array(json, name, JSON_INLINE);
        for (size_t k = i; k < next; k++)
            json_add_string(json, next > i + 1 ? NULL : name, request->settings[k][1]);
        if (next > i + 1)
            json_close(json);
    }
    json_close(json);
}

/* They are rows of a table that is not known here. */
static void leave_settings(const struct json_place *at, const char *key, void *owner)
{
    (void)at, (void)key, (void)owner;
}

void subject_write_words(struct json_writer *json, const char *key, unsigned parts)
{
    json_open_array(json, key, JSON_INLINE);
    for (int i = 0; i < SUBJECT_PARTS; i++)
        if (parts >> i & 1)
            json_add_string(json, NULL, subject_part_words[i]);
    json_close(json);
}

static void write_wants(struct json_writer *json, const char *key, const void *owner)
{
    subject_write_words(json, key, ((const struct subject_request *)owner)->wants);
}

static void read_wants(const struct json_place *at, const char *key, void *owner)
{
    ((struct subject_request *)owner)->wants = subject_read_words(at, key);
}

static bool has_clip(const void *owner, const struct json_place *at)
{
    return at ? json_has(at, "clip_index") : ((const struct subject_request *)owner)->clip != NULL;
}

static void check_camera(const struct json_place *at, const char *key, const void *owner)
{
    const struct json_place place = json_read_object(at, key);
    camera_check(&place, &((const struct subject_picture *)owner)->seen.camera);
}

// clang-format off
#define SEEN(member) FIELD_MEMBER(struct subject_camera, member)
static const struct fields camera_table = FIELD_TABLE(struct subject_camera, JSON_INLINE,
    {"eye", FIELD_FLOATS, SEEN(camera.eye), .width = 3}, {"target", FIELD_FLOATS, SEEN(camera.target), .width = 3},
    {"up", FIELD_FLOATS, SEEN(camera.up), .width = 3}, {"fov_y", FIELD_FLOAT, SEEN(camera.fov_y), FIELD_OMITTED},
    {"ortho_height", FIELD_FLOAT, SEEN(camera.ortho_height), FIELD_OMITTED},
    {"near", FIELD_FLOAT, SEEN(camera.near_plane)}, {"far", FIELD_FLOAT, SEEN(camera.far_plane)},
    {"view", FIELD_FLOATS, SEEN(view), FIELD_OPTIONAL, .width = 16},
    {"projection", FIELD_FLOATS, SEEN(projection), FIELD_OPTIONAL, .width = 16});

#define SHOWN(member) FIELD_MEMBER(struct subject_picture, member)
static const struct fields picture_table = FIELD_TABLE(struct subject_picture, JSON_INLINE,
    {"file", FIELD_TEXT, SHOWN(file)}, {"width", FIELD_COUNT, SHOWN(width), .most = FRAME_MAX_SIZE},
    {"height", FIELD_COUNT, SHOWN(height), .most = FRAME_MAX_SIZE},
    {"background", FIELD_ARRAY, SHOWN(background), FIELD_OPTIONAL, .width = 4, .fields = &fields_of_count,
     FIELD_COUNTER(struct subject_picture, has_background)},
    {"camera", FIELD_OBJECT, SHOWN(seen), .fields = &camera_table, .check = check_camera},
    {"bounds", FIELD_FLOATS, SHOWN(framed), FIELD_OPTIONAL, .width = 6,
     FIELD_COUNTER(struct subject_picture, has_bounds)},
    {"frame", FIELD_DOUBLE, SHOWN(frame), FIELD_OPTIONAL});

static const struct fields import_table = FIELD_TABLE(const char *, JSON_INLINE,
    {"file", FIELD_TEXT, .size = sizeof(const char *)});

#define ASKED(member) FIELD_MEMBER(struct subject_request, member)
const struct fields subject_request_fields = FIELD_TABLE(struct subject_request, JSON_INLINE,
    {"request", FIELD_TEXT, ASKED(request)}, {"id", FIELD_DOUBLE, ASKED(id)}, {"model", FIELD_TEXT, ASKED(model)},
    {"clip", FIELD_TEXT_OR_NULL, ASKED(clip)}, {"clip_index", FIELD_COUNT, ASKED(clip_index), .when = has_clip},
    {"time", FIELD_DOUBLE, ASKED(time)}, {"wrap", FIELD_TEXT, ASKED(wrap), FIELD_OPTIONAL},
    {"wants", FIELD_CUSTOM, ASKED(wants), .write = write_wants, .read = read_wants},
    {"folder", FIELD_TEXT, ASKED(folder), FIELD_OPTIONAL},
    {"settings", FIELD_CUSTOM, ASKED(settings), FIELD_OMITTED, .write = write_settings, .read = leave_settings},
    {"import", FIELD_OBJECT, ASKED(import_file), FIELD_OMITTED, .fields = &import_table},
    {"picture", FIELD_POINTER, ASKED(picture), FIELD_OMITTED, .fields = &picture_table});
// clang-format on

/* A line, with its end. */
static void write_request(const struct subject_request *request, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_INLINE);
    fields_write(&json, &subject_request_fields, JSON_INLINE, request);
    json_close(&json);
    while (out->size > 0 && out->data[out->size - 1] == '\n')
        out->size--;
    text_add(out, "\n");
}

bool subject_greet(struct subject *subject, struct error *err)
{
    SCOPED(text) request = {0}, line = {0};
    if (subject->pid > 0)
        return true;
    bool good = (subject->folder || (subject->folder = folder_make_temporary(err))) && subject_start(subject, err);
    text_add(&request, "{\"request\": \"hello\", \"protocol\": \"" SUBJECT_PROTOCOL "\"}\n");
    good = good && subject_exchange(subject, &request, &line, err);
    if (good) {
        subject->arena = arena_create(HELLO_MEMORY, err);
        good = subject->arena && subject_read_hello(&line, subject->spec->name, subject->arena, &subject->hello, err);
        if (!good) {
            subject_kill(subject);
            subject->end = SUBJECT_GARBAGE;
        }
    }
    return good;
}

bool subject_ask(struct subject *subject, struct subject_request *request, struct arena *arena,
                 struct subject_answer *out, struct error *err)
{
    SCOPED(text) text = {0}, line = {0};
    bool refused = false;
    if (!subject_greet(subject, err))
        return false;
    request->request = "pose";
    request->id = (double)++subject->requests;
    request->folder = subject->folder;
    write_request(request, &text);
    bool good = subject_exchange(subject, &text, &line, err);
    if (good) {
        good = subject_read_answer(&line, subject->spec->name, subject->requests, subject->folder, arena, out, &refused,
                                   err);
        subject->end = good ? SUBJECT_ANSWERED : refused ? SUBJECT_REFUSED : SUBJECT_GARBAGE;
        if (subject->end == SUBJECT_GARBAGE)
            subject_kill(subject);
    }
    return good;
}
