#include "data/image/frame_settings.h"

#include <string.h>

#include "data/json_fields.h"

const char *const view_names[VIEW_COUNT] = {
    "lit",        "studio",   "unlit",      "normals",      "weights", "bones", "depth",       "uv",
    "influences", "tangents", "weight-sum", "displacement", "stretch", "speed", "weight:BONE",
};

const char *const overlay_names[OVERLAY_COUNT] = {"skeleton", "wireframe", "bounds", "axes",
                                                   "label",    "legend",    "names"};

#define MEMBER(member) FIELD_MEMBER(struct camera, member)
const struct fields camera_fields = FIELD_TABLE(struct camera, JSON_INLINE,
    {"eye", FIELD_FLOATS, MEMBER(eye), .width = 3},
    {"target", FIELD_FLOATS, MEMBER(target), .width = 3},
    {"up", FIELD_FLOATS, MEMBER(up), .width = 3},
    {"fov_y", FIELD_FLOAT, MEMBER(fov_y)},
    {"ortho_height", FIELD_FLOAT, MEMBER(ortho_height)},
    {"near", FIELD_FLOAT, MEMBER(near_plane)},
    {"far", FIELD_FLOAT, MEMBER(far_plane)},
);

void camera_file_write(const struct camera *camera, struct text *out)
{
    fields_write_document("rigproof.camera/1", &camera_fields, JSON_LINES, camera, out);
}

void camera_check(const struct json_place *at, const struct camera *camera)
{
    static const float straight = 3.14159f;
    if (camera->fov_y < 0 || camera->fov_y > straight)
        json_complain(at, "fov_y", "must be from 0 to below 180 degrees, in radians");
    if (camera->ortho_height < 0)
        json_complain(at, "ortho_height", "must not be negative");
    if (camera->fov_y > 0 && !(camera->near_plane > 0))
        json_complain(at, "near", "must be greater than 0 for a perspective camera");
    if (!(camera->far_plane > camera->near_plane))
        json_complain(at, "far", "must be greater than `near`");
    if (memcmp(camera->eye, camera->target, sizeof camera->eye) == 0)
        json_complain(at, "target", "is the same as `eye`: the camera looks nowhere");
}

static void read_camera(const struct json_place *at, struct camera *out)
{
    fields_read(at, &camera_fields, out);
    camera_check(at, out);
}

bool camera_file_read(const void *data, size_t size, const char *name, struct camera *out, struct error *err)
{
    struct json_reader reader;
    struct arena *arena = arena_require(1 << 20);
    *out = (struct camera){0};
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
        read_camera(&camera, out);
    } else {
        read_camera(&reader.root, out);
    }
    json_reader_close(&reader);
    arena_destroy(arena);
    return !error_is_set(err);
}
