#include "data/image/camera_file.h"

#include <stddef.h>
#include <string.h>

#include "data/json_read.h"

static const struct member {
    const char *name;
    size_t offset; /* in struct camera */
    size_t count;  /* of floats */
} members[] = {
    {"eye", offsetof(struct camera, eye), 3},
    {"target", offsetof(struct camera, target), 3},
    {"up", offsetof(struct camera, up), 3},
    {"fov_y", offsetof(struct camera, fov_y), 1},
    {"ortho_height", offsetof(struct camera, ortho_height), 1},
    {"near", offsetof(struct camera, near_plane), 1},
    {"far", offsetof(struct camera, far_plane), 1},
};
enum { MEMBER_COUNT = sizeof members / sizeof members[0] };

void camera_write_members(struct json_writer *json, const struct camera *camera)
{
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const float *values = (const float *)((const char *)camera + members[i].offset);
        if (members[i].count > 1)
            json_add_floats(json, members[i].name, values, members[i].count);
        else
            json_add_float(json, members[i].name, *values);
    }
}

void camera_file_write(const struct camera *camera, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.camera/1");
    camera_write_members(&json, camera);
    json_close(&json);
}

static void read_members(const struct json_place *at, struct camera *out)
{
    static const float straight = 3.14159f;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        float *values = (float *)((char *)out + members[i].offset);
        if (members[i].count > 1)
            json_read_floats(at, members[i].name, values, members[i].count);
        else
            *values = json_read_float(at, members[i].name);
    }
    if (out->fov_y < 0 || out->fov_y > straight)
        json_complain(at, "fov_y", "an angle from 0 to below 180 degrees is wanted, in radians");
    if (out->ortho_height < 0)
        json_complain(at, "ortho_height", "half a height is not negative");
    if (out->fov_y > 0 && !(out->near_plane > 0))
        json_complain(at, "near", "the near plane of a perspective camera is before the eye, more than 0");
    if (!(out->far_plane > out->near_plane))
        json_complain(at, "far", "the far plane is beyond the near one");
    if (memcmp(out->eye, out->target, sizeof out->eye) == 0)
        json_complain(at, "target", "the same as the eye: it looks nowhere");
}

bool camera_file_read(const void *data, size_t size, const char *name, struct camera *out, struct error *err)
{
    enum { STRINGS = 1 << 20 };
    struct json_reader reader;
    struct arena *arena = arena_create(STRINGS, err);
    *out = (struct camera){0};
    if (!arena)
        return false;
    json_reader_open(&reader, data, size, name, arena, err);
    bool is_recorded = json_has(&reader.root, "frames");
    if (is_recorded || json_has(&reader.root, "format"))
        json_require_format(&reader.root, is_recorded ? "rigproof.recorded/1" : "rigproof.camera/1");
    if (is_recorded) {
        uint32_t count = 0;
        struct json_place frames = json_read_array(&reader.root, "frames", &count);
        if (count == 0)
            json_complain(&reader.root, "frames", "no frame, so no camera");
        struct json_place frame = json_item(&frames, 0), camera = json_read_object(&frame, "camera");
        read_members(&camera, out);
    } else {
        read_members(&reader.root, out);
    }
    json_reader_close(&reader);
    arena_destroy(arena);
    return !error_is_set(err);
}
