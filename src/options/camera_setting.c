/*
 * The camera, on a command line or in a suite:
 *
 *     yaw=D,pitch=D,zoom=Z,fov=D       an orbit; fov=0 is orthographic, ortho=H too, and sees H above and below
 *     target=BONE                      an orbit around that, where it is at the first time; follow=1 at each,
 *                                      follow=rest at rest
 *     target=X:Y:Z                     around a point
 *     eye=X:Y:Z,target=X:Y:Z           a free camera; up=X:Y:Z, fov=D or ortho=H as well, and target=BONE
 *     pan=X:Y, near=N, far=N           of either
 *     file:NAME                        a camera of the model file
 *     @FILE                            a saved one (data/image/frame_settings.h), read at once
 *
 * or a mapping of the parts, {yaw: 30}, {eye: [1, 2, 3]}, {file: NAME}, {saved: FILE}. Parts that are not named stay
 * as they were, so a case adds to the camera of the defaults; a part of an orbit makes an orbit of what was something
 * else, eye and up a free camera. An orbit does not inherit target, near and far of a free camera.
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "data/image/frame_settings.h"
#include "data/vector.h"
#include "options/settings.h"

/* Says whether a text is three numbers, or would be. Names may have colons and digits too. */
static bool is_point(struct slice text)
{
    size_t colons = 0, i = 0;
    for (; i < text.length && strchr("0123456789.:+-eE", text.data[i]); i++)
        colons += text.data[i] == ':';
    return i == text.length && colons == 2;
}

/* A bone, in quotes where it could be something else, or X:Y:Z as value_vector reads it. */
static bool read_aim(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    const char *text = value->kind == TREE_TEXT ? value_string(source, value) : NULL;
    const struct slice all = {text, text ? strlen(text) : 0},
                       quoted = value_quoted_name(text ? text : "", all.length, '\0');
    if (text && !is_point(all)) {
        s->aim = AIM_AT_BONE;
        s->aim_bone = quoted.length > 0 ? quoted : all;
        return true;
    }
    s->aim = AIM_AT_POINT;
    return value_vector.read(source, s->orbit.target, value);
}
static const struct value_type value_aim = {read_aim, NULL, FORM_TEXT | FORM_LIST};

static const char *const follow_words[] = {"0", "1", "rest", "false", "true"};
static const int follow_values[] = {FOLLOW_FIRST, FOLLOW_EVERY, FOLLOW_REST, FOLLOW_FIRST, FOLLOW_EVERY};

/* `group`: bits of what one value says, so that parts that exclude each other are seen in any order. */
enum part {
    YAW = 1 << 0,
    PITCH = 1 << 1,
    ZOOM = 1 << 2,
    FOV = 1 << 3,
    ORTHO = 1 << 4,
    EYE = 1 << 5,
    TARGET = 1 << 6,
    UP = 1 << 7,
    NEAR = 1 << 8,
    FAR = 1 << 9,
    OF_FILE = 1 << 10,
    SAVED = 1 << 11,
    FOLLOW = 1 << 12,
    PAN = 1 << 13,
    SAID_ORBIT = YAW | PITCH | ZOOM,
    SAID_FREE = EYE | UP,
    SAID_VECTOR = EYE | TARGET | UP,
    SAID_ELSEWHERE = OF_FILE | SAVED,
};

#define PART(member) VALUE_IN(struct settings, member)
const struct setting camera_parts[CAMERA_PARTS] = {
    {"yaw", NULL, NULL, YAW, &value_number, PART(orbit.yaw), .least = -36000, .most = 36000},
    {"pitch", NULL, NULL, PITCH, &value_number, PART(orbit.pitch), .least = -90, .most = 90},
    {"zoom", NULL, NULL, ZOOM, &value_number, PART(orbit.zoom), .least = 0.001, .most = 1000},
    {"eye", NULL, NULL, EYE, &value_vector, PART(eye), .most = 1e9},
    {"target", NULL, NULL, TARGET, &value_aim, 0, sizeof(float[3]), NULL, .most = 1e9},
    {"follow", NULL, NULL, FOLLOW, &value_word, PART(follow), VALUE_WORDS(follow_words), .values = follow_values},
    {"up", NULL, NULL, UP, &value_vector, PART(camera_up), .most = 1e9},
    {"pan", NULL, NULL, PAN, &value_vector, PART(pan), .most = 1000},
    {"fov", NULL, NULL, FOV, &value_number, PART(orbit.fov), .least = 0, .most = 150},
    {"ortho", NULL, NULL, ORTHO, &value_number, PART(orbit.ortho_height), .least = 1e-9, .most = 1e9},
    {"near", NULL, NULL, NEAR, &value_number, PART(orbit.near_plane), .least = -1e9, .most = 1e9},
    {"far", NULL, NULL, FAR, &value_number, PART(orbit.far_plane), .least = -1e9, .most = 1e9},
    {"file", NULL, NULL, OF_FILE, &value_text, PART(camera_name)},
    {"saved", NULL, NULL, SAVED, &value_text, PART(camera_name)},
};

static bool check_planes(struct value_source *source, const struct tree_node *at, const struct orbit *c)
{
    if (c->has_near && c->fov > 0 && c->near_plane <= 0)
        return value_fail(source, at, "near= of a perspective camera must be more than 0");
    if (c->has_far && c->fov > 0 && c->far_plane <= 0)
        return value_fail(source, at, "far= of a perspective camera must be more than 0");
    if (c->has_near && c->has_far && c->far_plane <= c->near_plane)
        return value_fail(source, at, "far= must be more than near=");
    return true;
}

/* Where a bone is, is not known before the model is. */
static bool check_free(struct value_source *source, const struct tree_node *at, const struct settings *s)
{
    const struct orbit *c = &s->orbit;
    double along[3], up[3], side[3];
    for (int i = 0; i < 3; i++) {
        along[i] = (double)c->target[i] - s->eye[i];
        up[i] = s->camera_up[i];
    }
    vec3d_cross(along, up, side);
    if (!s->has_eye || !c->has_target)
        return value_fail(source, at, "a free camera needs eye=X:Y:Z and target=X:Y:Z; %s is missing",
                          s->has_eye ? "target=" : "eye=");
    if (s->aim == AIM_AT_POINT && memcmp(s->eye, c->target, sizeof s->eye) == 0)
        return value_fail(source, at, "eye and target are the same point");
    if (s->aim == AIM_AT_POINT && s->has_up &&
        !(vec3d_dot(side, side) > 1e-12 * vec3d_dot(along, along) * vec3d_dot(up, up)))
        return value_fail(source, at, "up is zero or parallel to the view: leave it out, or give another");
    if (c->fov <= 0 && c->ortho_height <= 0)
        return value_fail(source, at, "an orthographic free camera needs ortho=H, half the height that it sees");
    return true;
}

/* Completes and checks the camera once all parts that one value named are read. */
static bool finish(struct value_source *source, const struct tree_node *at, struct settings *s, unsigned said)
{
    struct orbit *orbit = &s->orbit;
    const bool was_free = s->camera_kind == CAMERA_FREE;
    const bool is_free = (said & SAID_FREE) || (was_free && !(said & SAID_ORBIT));
    if ((said & SAID_ORBIT) && (said & SAID_FREE))
        return value_fail(source, at, "a camera is an orbit (yaw, pitch, zoom) or a free camera (eye, up), not both");
    if (was_free && !is_free) {
        s->aim = said & TARGET ? s->aim : AIM_AT_BOUNDS;
        orbit->has_near = orbit->has_far = false;
    }
    if (s->aim != AIM_AT_BONE && (said & FOLLOW))
        return value_fail(source, at, "follow= is for a bone: target=BONE");
    if (s->aim != AIM_AT_BONE)
        s->follow = FOLLOW_FIRST;
    if ((said & FOV) && s->orbit.fov > 0 && (said & ORTHO))
        return value_fail(source, at, "a camera is perspective (fov=) or orthographic (ortho=), not both");
    if (said & ORTHO)
        s->orbit.fov = 0;
    else if ((said & FOV) && s->orbit.fov > 0)
        s->orbit.ortho_height = 0;
    orbit->has_target = s->aim != AIM_AT_BOUNDS;
    orbit->has_near |= (said & NEAR) != 0;
    orbit->has_far |= (said & FAR) != 0;
    s->has_eye |= (said & EYE) != 0;
    s->has_up |= (said & UP) != 0;
    s->camera_kind = is_free ? CAMERA_FREE : CAMERA_ORBIT;
    s->camera_name = NULL;
    return (!is_free || check_free(source, at, s)) && check_planes(source, at, orbit);
}

static bool read_saved(struct value_source *source, const struct tree_node *at, struct settings *s, const char *name)
{
    enum { LIMIT = 64 << 20 };
    struct error why = {0};
    SCOPED(blob) file = {0};
    const char *path = value_file(source, at, name);
    if (!path)
        return false;
    s->camera_kind = CAMERA_SAVED;
    s->camera_name = path;
    bool good = file_read(path, LIMIT, &file, &why) &&
                camera_file_read(file.data, file.size, path, &s->saved_camera, &why);
    return good || value_absent(source, at, why.text);
}

static bool read_mapping(struct value_source *source, struct settings *s, const struct tree_node *value)
{
    unsigned said = 0;
    if (value->count == 0)
        return value_fail(source, value, "the mapping is empty");
    if (!value_read_fields(source, camera_parts, CAMERA_PARTS, s, value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const struct setting *part =
            value_find(camera_parts, CAMERA_PARTS, value->keys[i]->text, strlen(value->keys[i]->text));
        if ((part->group & SAID_ELSEWHERE) && value->count > 1)
            return value_fail(source, value->keys[i], "a %s has no other parts",
                              part->group == SAVED ? "saved camera" : "camera of the file");
        said |= part->group;
    }
    if (said == SAVED)
        return read_saved(source, value->items[0], s, s->camera_name);
    if (said == OF_FILE)
        s->camera_kind = CAMERA_OF_FILE;
    return said == OF_FILE || finish(source, value, s, said);
}

/* A bone's name may hold a comma: what does not name the next part belongs to it, and all that is in quotes. */
static void extend_aim(struct value_walk *walk, const struct setting *parts, size_t count, size_t before)
{
    const char *name = walk->part.data + before;
    const struct slice quoted = value_quoted_name(name, strlen(name), ',');
    if (quoted.data) {
        walk->part.length = (size_t)(quoted.data + quoted.length + 1 - walk->part.data);
        walk->rest = walk->part.data[walk->part.length] ? walk->part.data + walk->part.length + 1 : NULL;
    }
    while (walk->rest && !quoted.data) {
        const size_t sign = strcspn(walk->rest, "=,");
        if (walk->rest[sign] == '=' && value_find(parts, count, walk->rest, sign))
            return;
        const size_t more = strcspn(walk->rest, ",");
        walk->part.length = (size_t)(walk->rest + more - walk->part.data);
        walk->rest = walk->rest[more] ? walk->rest + more + 1 : NULL;
    }
}

/* A mapping each. */
bool settings_read_parts(struct value_source *source, const struct setting *parts, size_t count, struct settings *s,
                         const struct tree_node *value, unsigned excluded, const char *expected, unsigned *said)
{
    struct value_walk walk = {.value = value, .separator = ','};
    *said = 0;
    while (value_next(source, &walk)) {
        char text[128];
        size_t n = strcspn(walk.part.data, "=");
        const struct setting *part = n + 1 < walk.part.length ? value_find(parts, count, walk.part.data, n) : NULL;
        if (!part || (part->group & excluded))
            return value_fail(source, value, "`%.*s` is not %s", (int)walk.part.length, walk.part.data, expected);
        if (part->type == &value_aim)
            extend_aim(&walk, parts, count, n + 1);
        snprintf(text, sizeof text, "%.*s", (int)(walk.part.length - n - 1), walk.part.data + n + 1);
        const struct tree_node key = {.text = part->name}, *keys = &key;
        const struct tree_node item = {.line = value->line, .column = value->column, .text = text}, *items = &item;
        const struct tree_node mapping = {.kind = TREE_MAPPING, .count = 1, .keys = &keys, .items = &items};
        if (!value_read_fields(source, parts, count, s, &mapping))
            return false;
        if (part->type == &value_aim && s->aim == AIM_AT_BONE) { /* in the caller's text, not in the copy */
            const size_t quote = s->aim_bone.data != text;
            s->aim_bone = (struct slice){walk.part.data + n + 1 + quote, walk.part.length - n - 1 - 2 * quote};
        }
        *said |= part->group;
    }
    return !walk.failed;
}

static bool read_camera(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    if (value->kind == TREE_MAPPING)
        return read_mapping(source, s, value);
    const char *text = value_string(source, value);
    if (!text)
        return false;
    if (text[0] == '@')
        return read_saved(source, value, s, text + 1);
    unsigned said;
    if (strncmp(text, "file:", 5) != 0)
        return settings_read_parts(
                   source, camera_parts, CAMERA_PARTS, s, value, SAID_ELSEWHERE,
                   "yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, target=, follow=, up=, pan=, near=, far=, "
                   "nor file:NAME or @FILE",
                   &said) &&
               finish(source, value, s, said);
    s->camera_kind = CAMERA_OF_FILE;
    s->camera_name = text + 5;
    return true;
}

/* Writes the value that --camera would want; a saved camera is its base name alone. */
static void write_camera(const struct setting *row, const void *target, struct text *out)
{
    const struct settings *s = target;
    bool is_free = s->camera_kind == CAMERA_FREE;
    unsigned shown = (is_free ? s->orbit.fov <= 0 : s->orbit.ortho_height > 0) ? ORTHO : FOV;
    size_t start = out->size;
    (void)row;
    if (s->camera_kind == CAMERA_OF_FILE || s->camera_kind == CAMERA_SAVED) {
        text_addf(out, s->camera_kind == CAMERA_SAVED ? "@%s" : "file:%s",
                  s->camera_kind == CAMERA_SAVED ? path_base(s->camera_name) : s->camera_name);
        return;
    }
    shown |= is_free ? EYE | (s->has_up ? UP : 0) : (unsigned)SAID_ORBIT;
    shown |= (s->aim != AIM_AT_BOUNDS ? TARGET : 0) | (s->follow != FOLLOW_FIRST ? FOLLOW : 0) |
             (s->pan[0] != 0 || s->pan[1] != 0 ? PAN : 0) | (s->orbit.has_near ? NEAR : 0) |
             (s->orbit.has_far ? FAR : 0);
    for (size_t i = 0; i < CAMERA_PARTS; i++) {
        const struct setting *part = &camera_parts[i];
        const void *value = part->group == TARGET ? s->orbit.target : (const void *)((const char *)s + part->offset);
        if (!(part->group & shown))
            continue;
        text_addf(out, "%s%s=", out->size > start ? "," : "", part->name);
        if (part->group == TARGET && s->aim == AIM_AT_BONE) {
            const bool is_quoted = is_point(s->aim_bone) || (memchr(s->aim_bone.data, ',', s->aim_bone.length) &&
                                                             memchr(s->aim_bone.data, '=', s->aim_bone.length));
            value_add_name(s->aim_bone, is_quoted, out);
        } else if (part->group & (SAID_VECTOR | PAN))
            value_vector.write(part, value, out);
        else if (part->group == FOLLOW)
            text_add(out, follow_words[s->follow]);
        else
            text_add_float(out, *(const float *)value);
    }
}

const struct value_type value_camera = {read_camera, write_camera, FORM_TEXT | FORM_MAPPING};

/* ---- place ------------------------------------------------------------------------------------------------------- */

/*
 * Reads where the model is put, on a command line or in a suite: turn=D (degrees around the up axis) or turn=X:Y:Z
 * (around x, then y, then z), scale=F, move=X:Y:Z; or a mapping of these parts, {turn: 90, scale: 2, move: [0, 1, 0]}.
 * Parts that are not named stay as they were.
 */
static bool read_turn(struct value_source *source, void *target, const struct tree_node *value)
{
    struct model_place *place = target;
    const bool is_one = value->kind == TREE_TEXT && !strchr(value->text, ':');
    const struct setting *row = source->row;
    const struct setting part = {
        .size = is_one ? sizeof place->turn_up : sizeof place->turn, .least = -row->most, .most = row->most};
    const struct model_place was = *place;
    *place = (struct model_place){.scale = was.scale};
    memcpy(place->move, was.move, sizeof was.move);
    source->row = &part;
    bool good =
        is_one ? value_number.read(source, &place->turn_up, value) : value_vector.read(source, place->turn, value);
    source->row = row;
    return good;
}

static const struct value_type value_turn = {read_turn, NULL, FORM_TEXT | FORM_NUMBER | FORM_LIST};

const struct setting place_parts[PLACE_PARTS] = {
    {"turn", NULL, NULL, 0, &value_turn, VALUE_IN(struct settings, place), .most = 36000},
    {"scale", NULL, NULL, 0, &value_number, PART(place.scale), .least = 1e-6, .most = 1e6},
    {"move", NULL, NULL, 0, &value_vector, PART(place.move), .most = 1e9},
};

static bool read_place(struct value_source *source, void *target, const struct tree_node *value)
{
    unsigned ignored;
    if (value->kind == TREE_MAPPING && value->count == 0)
        return value_fail(source, value, "the mapping is empty");
    if (value->kind == TREE_MAPPING)
        return value_read_fields(source, place_parts, PLACE_PARTS, target, value);
    return settings_read_parts(source, place_parts, PLACE_PARTS, target, value, 0,
                               "turn=D or turn=X:Y:Z (degrees), scale= or move=X:Y:Z", &ignored);
}

/* Writes the value that --place would want; "none" where it changes nothing. */
static void write_place(const struct setting *row, const void *target, struct text *out)
{
    const struct model_place *place = &((const struct settings *)target)->place;
    const size_t start = out->size;
    const float zero[3] = {0};
    (void)row;
    if (place->turn_up != 0) {
        text_add(out, "turn=");
        text_add_float(out, place->turn_up);
    } else if (memcmp(place->turn, zero, sizeof zero) != 0) {
        text_add(out, "turn=");
        value_vector.write(&place_parts[2], place->turn, out); /* as long */
    }
    if (place->scale != 0 && place->scale != 1) {
        text_addf(out, "%sscale=", out->size > start ? "," : "");
        text_add_float(out, place->scale);
    }
    if (memcmp(place->move, zero, sizeof zero) != 0) {
        text_addf(out, "%smove=", out->size > start ? "," : "");
        value_vector.write(&place_parts[2], place->move, out);
    }
    if (out->size == start)
        text_add(out, "none");
}

const struct value_type value_place = {read_place, write_place, FORM_TEXT | FORM_MAPPING};
