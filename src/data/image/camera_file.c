#include "data/image/camera_file.h"

#include <string.h>

#include "data/json_read.h"

void camera_write_members(struct json_writer *json, const struct camera *camera)
{
    json_add_floats(json, "eye", camera->eye, 3);
    json_add_floats(json, "target", camera->target, 3);
    json_add_floats(json, "up", camera->up, 3);
    json_add_float(json, "fov_y", camera->fov_y);
    json_add_float(json, "ortho_height", camera->ortho_height);
    json_add_float(json, "near", camera->near_plane);
    json_add_float(json, "far", camera->far_plane);
}

void camera_file_write(const struct camera *camera, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.camera/1");
    camera_write_members(&json, camera);
    json_close(&json);
}

static void check(const struct json_place *at, const struct camera *camera)
{
    static const float straight = 3.14159f;
    if (camera->fov_y < 0 || camera->fov_y > straight)
        json_complain(at, "fov_y", "an angle from 0 to below 180 degrees is wanted, in radians");
    if (camera->ortho_height < 0)
        json_complain(at, "ortho_height", "half a height is not negative");
    if (camera->fov_y > 0 && !(camera->near_plane > 0))
        json_complain(at, "near", "the near plane of a perspective camera is before the eye, more than 0");
    if (!(camera->far_plane > camera->near_plane))
        json_complain(at, "far", "the far plane is beyond the near one");
    if (memcmp(camera->eye, camera->target, sizeof camera->eye) == 0)
        json_complain(at, "target", "the same as the eye: it looks nowhere");
}

static void read_members(const struct json_place *at, struct camera *out)
{
    json_read_floats(at, "eye", out->eye, 3);
    json_read_floats(at, "target", out->target, 3);
    json_read_floats(at, "up", out->up, 3);
    out->fov_y = json_read_float(at, "fov_y");
    out->ortho_height = json_read_float(at, "ortho_height");
    out->near_plane = json_read_float(at, "near");
    out->far_plane = json_read_float(at, "far");
    check(at, out);
}

static void read_recorded(const struct json_place *root, struct camera *out)
{
    uint32_t count = 0;
    json_require_format(root, "rigproof.recorded/1");
    struct json_place frames = json_read_array(root, "frames", &count);
    if (count == 0) {
        json_complain(root, "frames", "no frame, so no camera");
        return;
    }
    struct json_place frame = json_item(&frames, 0);
    struct json_place camera = json_read_object(&frame, "camera");
    read_members(&camera, out);
}

bool camera_file_read(const void *data, size_t size, const char *name, struct camera *out, struct error *err)
{
    enum { STRINGS = 1 << 20 };
    struct json_reader reader;
    struct arena *arena = arena_create(STRINGS, err);
    *out = (struct camera){0};
    if (!arena)
        return false;
    if (json_reader_open(&reader, data, size, name, arena, err)) {
        if (json_has(&reader.root, "frames"))
            read_recorded(&reader.root, out);
        else {
            if (json_has(&reader.root, "format"))
                json_require_format(&reader.root, "rigproof.camera/1");
            read_members(&reader.root, out);
        }
    }
    json_reader_close(&reader);
    arena_destroy(arena);
    return !error_is_set(err);
}
