/* The protocol: docs/subjects.md. */

#include "subject/subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/json.h"

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

static void write_camera(struct json_writer *json, const struct subject_picture *picture)
{
    const struct camera *camera = &picture->camera;
    json_open_object(json, "camera", JSON_INLINE);
    json_add_floats(json, "eye", camera->eye, 3);
    json_add_floats(json, "target", camera->target, 3);
    json_add_floats(json, "up", camera->up, 3);
    if (camera->fov_y > 0)
        json_add_float(json, "fov_y", camera->fov_y);
    else
        json_add_float(json, "ortho_height", 2.0f * camera->ortho_height);
    json_add_float(json, "near", camera->near_plane);
    json_add_float(json, "far", camera->far_plane);
    json_add_floats(json, "view", &picture->view[0][0], 16);
    json_add_floats(json, "projection", &picture->projection[0][0], 16);
    json_close(json);
}

/* One of several values is a list. */
static void write_settings(struct json_writer *json, const struct subject_request *request)
{
    if (request->setting_count == 0)
        return;
    json_open_object(json, "settings", JSON_INLINE);
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

static void write_picture(struct json_writer *json, const struct subject_picture *picture)
{
    json_open_object(json, "picture", JSON_INLINE);
    json_add_string(json, "file", picture->file);
    json_add_int(json, "width", picture->width);
    json_add_int(json, "height", picture->height);
    json_open_array(json, "background", JSON_INLINE);
    for (int i = 0; i < 4; i++)
        json_add_int(json, NULL, picture->background[i]);
    json_close(json);
    write_camera(json, picture);
    json_open_array(json, "bounds", JSON_INLINE);
    for (int i = 0; i < 6; i++)
        json_add_float(json, NULL, i < 3 ? picture->framed.min[i] : picture->framed.max[i - 3]);
    json_close(json);
    json_add_int(json, "frame", picture->frame);
    json_close(json);
}

/* A line, with its end. */
static void write_request(const struct subject_request *request, unsigned long id, const char *folder, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_INLINE);
    json_add_string(&json, "request", "pose");
    json_add_int(&json, "id", (long long)id);
    json_add_string(&json, "model", request->model);
    json_add_string(&json, "clip", request->clip);
    if (request->clip)
        json_add_int(&json, "clip_index", request->clip_index);
    json_add_double(&json, "time", request->time);
    json_add_string(&json, "wrap", request->holds ? "hold" : "loop");
    json_open_array(&json, "wants", JSON_INLINE);
    for (int i = 0; i < SUBJECT_PARTS; i++)
        if (request->wants >> i & 1)
            json_add_string(&json, NULL, subject_part_words[i]);
    json_close(&json);
    json_add_string(&json, "folder", folder);
    write_settings(&json, request);
    if (request->import_file) {
        json_open_object(&json, "import", JSON_INLINE);
        json_add_string(&json, "file", request->import_file);
        json_close(&json);
    }
    if (request->picture)
        write_picture(&json, request->picture);
    json_close(&json);
    while (out->size > 0 && out->data[out->size - 1] == '\n')
        out->size--;
    text_add(out, "\n");
}

bool subject_greet(struct subject *subject, struct error *err)
{
    struct text request = {0}, line = {0};
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
    text_release(&request);
    text_release(&line);
    return good;
}

bool subject_ask(struct subject *subject, const struct subject_request *request, struct arena *arena,
                 struct subject_answer *out, struct error *err)
{
    struct text text = {0}, line = {0};
    bool refused = false;
    if (!subject_greet(subject, err))
        return false;
    write_request(request, ++subject->requests, subject->folder, &text);
    bool good = subject_exchange(subject, &text, &line, err);
    if (good) {
        good = subject_read_answer(&line, subject->spec->name, subject->requests, subject->folder, arena, out, &refused,
                                   err);
        subject->end = good ? SUBJECT_ANSWERED : refused ? SUBJECT_REFUSED : SUBJECT_GARBAGE;
        if (subject->end == SUBJECT_GARBAGE)
            subject_kill(subject);
    }
    text_release(&text);
    text_release(&line);
    return good;
}
