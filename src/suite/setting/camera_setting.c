#include "suite/setting/camera_setting.h"

#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "data/image/camera_file.h"

/* ---- parts ----------------------------------------------------------------------------------------------------- */

/* What was said in one value, so that parts that exclude each other are seen in any order. */
enum said {
    SAID_ORBIT = 1 << 0,
    SAID_FREE = 1 << 1,
    SAID_PLANE = 1 << 2,
    SAID_ANGLE = 1 << 3, /* a field of view of more than 0 */
    SAID_HEIGHT = 1 << 4,
};

static const double farthest = 1e9;

static const struct {
    const char *name; /* with the `=` */
    enum said said;
    double least, most;
    enum {
        PART_YAW, PART_PITCH, PART_ZOOM, PART_FOV, PART_ORTHO, PART_NEAR, PART_FAR, PART_EYE, PART_TARGET, PART_UP
    } part;
} parts[] = {
    {"yaw=", SAID_ORBIT, -36000, 36000, PART_YAW}, {"pitch=", SAID_ORBIT, -90, 90, PART_PITCH},
    {"zoom=", SAID_ORBIT, 0.001, 1000, PART_ZOOM}, {"fov=", 0, 0, 150, PART_FOV},
    {"ortho=", SAID_HEIGHT, 1e-9, 1e9, PART_ORTHO}, {"near=", SAID_PLANE, -1e9, 1e9, PART_NEAR},
    {"far=", SAID_PLANE, -1e9, 1e9, PART_FAR},      {"eye=", SAID_FREE, 0, 0, PART_EYE},
    {"target=", SAID_FREE, 0, 0, PART_TARGET},      {"up=", SAID_FREE, 0, 0, PART_UP},
};

static void set_field(struct settings *s, int part, float number)
{
    switch (part) {
    case PART_YAW:
        s->orbit.yaw = number;
        break;
    case PART_PITCH:
        s->orbit.pitch = number;
        break;
    case PART_ZOOM:
        s->orbit.zoom = number;
        break;
    case PART_FOV:
        s->orbit.fov = s->free_camera.fov = number;
        if (number > 0)
            s->orbit.ortho_height = s->free_camera.ortho_height = 0;
        break;
    case PART_ORTHO:
        s->orbit.ortho_height = s->free_camera.ortho_height = number;
        s->orbit.fov = s->free_camera.fov = 0;
        break;
    case PART_NEAR:
        s->free_camera.near_plane = number;
        s->free_camera.has_near = true;
        break;
    default:
        s->free_camera.far_plane = number;
        s->free_camera.has_far = true;
    }
}

static bool set_number(struct settings *s, size_t i, const char *part, size_t length, enum said *said,
                       struct error *err)
{
    size_t n = strlen(parts[i].name);
    double number = 0;
    if (!settings_number(part + n, length - n, &number) || number < parts[i].least || number > parts[i].most)
        return error_set(err, "--camera: `%.*s`: a number from %.6g to %.6g is wanted", (int)length, part,
                         parts[i].least, parts[i].most);
    set_field(s, parts[i].part, (float)number);
    *said |= parts[i].part == PART_FOV && number > 0 ? SAID_ANGLE : parts[i].said;
    return true;
}

/* X:Y:Z */
static bool read_point(const char *text, size_t length, vec3 out)
{
    const char *end = text + length;
    for (int i = 0; i < 3; i++) {
        double number = 0;
        size_t n = 0;
        while (text + n < end && text[n] != ':')
            n++;
        if (!settings_number(text, n, &number) || fabs(number) > farthest)
            return false;
        out[i] = (float)number;
        text += n;
        if (i < 2 && text++ == end)
            return false;
    }
    return text == end;
}

static bool set_point(struct settings *s, size_t i, const char *part, size_t length, enum said *said,
                      struct error *err)
{
    struct free_camera *camera = &s->free_camera;
    const int which = parts[i].part;
    size_t n = strlen(parts[i].name);
    float *target = which == PART_EYE ? camera->eye : which == PART_TARGET ? camera->target : camera->up;
    bool *has = which == PART_EYE ? &camera->has_eye : which == PART_TARGET ? &camera->has_target : &camera->has_up;
    if (!read_point(part + n, length - n, target))
        return error_set(err, "--camera: `%.*s`: three numbers X:Y:Z are wanted", (int)length, part);
    *has = true;
    *said |= parts[i].said;
    return true;
}

static bool set_part(struct settings *s, const char *part, size_t length, enum said *said, struct error *err)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t n = strlen(parts[i].name);
        if (length > n && strncmp(part, parts[i].name, n) == 0)
            return parts[i].said == SAID_FREE ? set_point(s, i, part, length, said, err)
                                              : set_number(s, i, part, length, said, err);
    }
    return error_set(err, "--camera: `%.*s` is not yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, target=, up=, "
                     "near=, far=, nor file:NAME or @FILE", (int)length, part);
}

bool camera_setting_check_part(const char *part, size_t length, struct error *err)
{
    struct settings alone = {0};
    enum said said = 0;
    return set_part(&alone, part, length, &said, err);
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static bool looks_along_up(const struct free_camera *c)
{
    double along[3], up[3], side = 0, view = 0, length = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = (double)c->target[i] - c->eye[i];
        up[i] = c->up[i];
        view += along[i] * along[i];
        length += up[i] * up[i];
    }
    for (int i = 0; i < 3; i++) {
        double part = along[(i + 1) % 3] * up[(i + 2) % 3] - along[(i + 2) % 3] * up[(i + 1) % 3];
        side += part * part;
    }
    return !(side > 1e-12 * view * length);
}

static bool check_free(const struct free_camera *c, struct error *err)
{
    if (!c->has_eye || !c->has_target)
        return error_set(err, "--camera: a free camera wants eye=X:Y:Z and target=X:Y:Z; %s is missing",
                         c->has_eye ? "target=" : "eye=");
    if (memcmp(c->eye, c->target, sizeof c->eye) == 0)
        return error_set(err, "--camera: eye and target are the same: it looks nowhere");
    if (c->has_up && looks_along_up(c))
        return error_set(err, "--camera: up is nothing, or along the view: leave it out, or give another");
    if (c->fov <= 0 && c->ortho_height <= 0)
        return error_set(err, "--camera: an orthographic free camera wants ortho=H, half the height that it sees");
    if (c->has_near && c->fov > 0 && c->near_plane <= 0)
        return error_set(err, "--camera: near= of a perspective camera is more than 0");
    if (c->has_far && c->fov > 0 && c->far_plane <= 0)
        return error_set(err, "--camera: far= of a perspective camera is more than 0");
    if (c->has_near && c->has_far && c->far_plane <= c->near_plane)
        return error_set(err, "--camera: far= is beyond near=");
    return true;
}

static bool choose_kind(struct settings *s, enum said said, struct error *err)
{
    if ((said & SAID_ORBIT) && (said & (SAID_FREE | SAID_PLANE)))
        return error_set(err, "--camera: either an orbit (yaw, pitch, zoom) or a free camera (eye, target, up, near, "
                         "far)");
    if ((said & SAID_ANGLE) && (said & SAID_HEIGHT))
        return error_set(err, "--camera: either perspective (fov=) or orthographic (ortho=)");
    if (said & SAID_FREE)
        s->camera_kind = CAMERA_FREE;
    else if ((said & SAID_ORBIT) || s->camera_kind != CAMERA_FREE)
        s->camera_kind = CAMERA_ORBIT;
    if ((said & SAID_PLANE) && s->camera_kind != CAMERA_FREE)
        return error_set(err, "--camera: near= and far= are for a free camera: give eye= and target= too");
    s->camera_name = NULL;
    return s->camera_kind != CAMERA_FREE || check_free(&s->free_camera, err);
}

static bool read_saved(struct settings *s, const char *path, struct error *err)
{
    enum { LIMIT = 64 << 20 };
    struct blob file;
    if (!file_read(path, LIMIT, &file, err))
        return error_prefix(err, "--camera");
    bool good = camera_file_read(file.data, file.size, path, &s->saved_camera, err) || error_prefix(err, "--camera");
    blob_release(&file);
    s->camera_kind = CAMERA_SAVED;
    s->camera_name = path;
    return good;
}

bool camera_setting_parse(struct settings *s, const char *value, struct error *err)
{
    enum said said = 0;
    if (value[0] == '@')
        return read_saved(s, value + 1, err);
    if (strncmp(value, "file:", 5) == 0) {
        s->camera_kind = CAMERA_OF_FILE;
        s->camera_name = value + 5;
        return true;
    }
    for (const char *part = value;; part++) {
        size_t length = strcspn(part, ",");
        if (!set_part(s, part, length, &said, err))
            return false;
        part += length;
        if (*part == '\0')
            return choose_kind(s, said, err);
    }
}

/* ---- recorded.json --------------------------------------------------------------------------------------------- */

static void add_number(struct text *out, const char *name, float number)
{
    text_addf(out, "%s%s=", out->size ? "," : "", name);
    text_add_float(out, number);
}

static void add_point(struct text *out, const char *name, const vec3 point)
{
    text_addf(out, "%s%s=", out->size ? "," : "", name);
    for (int i = 0; i < 3; i++) {
        text_add(out, i ? ":" : "");
        text_add_float(out, point[i]);
    }
}

static void describe_orbit(const struct orbit *orbit, struct text *out)
{
    add_number(out, "yaw", orbit->yaw);
    add_number(out, "pitch", orbit->pitch);
    add_number(out, "zoom", orbit->zoom);
    if (orbit->ortho_height > 0)
        add_number(out, "ortho", orbit->ortho_height);
    else
        add_number(out, "fov", orbit->fov);
}

static void describe_free(const struct free_camera *camera, struct text *out)
{
    add_point(out, "eye", camera->eye);
    add_point(out, "target", camera->target);
    if (camera->has_up)
        add_point(out, "up", camera->up);
    add_number(out, camera->fov > 0 ? "fov" : "ortho", camera->fov > 0 ? camera->fov : camera->ortho_height);
    if (camera->has_near)
        add_number(out, "near", camera->near_plane);
    if (camera->has_far)
        add_number(out, "far", camera->far_plane);
}

void camera_setting_describe(const struct settings *s, struct text *out)
{
    if (s->camera_kind == CAMERA_OF_FILE)
        text_addf(out, "file:%s", s->camera_name);
    else if (s->camera_kind == CAMERA_SAVED)
        text_addf(out, "@%s", path_base(s->camera_name));
    else if (s->camera_kind == CAMERA_FREE)
        describe_free(&s->free_camera, out);
    else
        describe_orbit(&s->orbit, out);
}
