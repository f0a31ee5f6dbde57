#include "draw/skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which nodes ------------------------------------------------------------------------------------------- */

static void mark_carriers(const struct scene *scene, bool *bone)
{
    bool any = false;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        bone[n] = scene->nodes[n].is_bone;
        any = any || bone[n];
    }
    for (uint32_t b = 0; !any && b < scene->binding_count; b++)
        bone[scene->bindings[b].node] = true;
}

bool skeleton_shown(const struct scene *scene, bool *shown)
{
    uint32_t count = scene->node_count;
    bool *above = calloc(count + 1u, 1); /* a bone is an ancestor */
    bool *below = calloc(count + 1u, 1); /* a bone is a descendant */
    if (above && below) {
        mark_carriers(scene, shown);
        for (uint32_t n = 0; n < count; n++) {
            int32_t parent = scene->nodes[n].parent;
            above[n] = parent != NO_INDEX && (above[parent] || shown[parent]);
        }
        for (uint32_t n = count; n-- > 0;) {
            int32_t parent = scene->nodes[n].parent;
            if (parent != NO_INDEX)
                below[parent] = below[parent] || below[n] || shown[n];
        }
        for (uint32_t n = 0; n < count; n++)
            shown[n] = shown[n] || (above[n] && below[n]);
    }
    bool good = above && below;
    free(above);
    free(below);
    return good;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static const float link_color[4] = {0.96f, 0.97f, 0.98f, 0.95f};
static const float joint_color[4] = {1.0f, 0.69f, 0.13f, 1.0f};
static const float selected_color[4] = {1.0f, 0.16f, 0.46f, 1.0f};
static const float rim_color[4] = {0.08f, 0.09f, 0.11f, 0.8f};

/* Half widths and radii in pixels of a picture 512 pixels wide. */
static const float link_half = 1.1f, joint_radius = 2.6f, selected_radius = 4.6f, rim = 0.9f;

struct canvas {
    mat4 scene_to_clip;
    float width, height; /* pixels */
    float unit;          /* pixels per nominal pixel */
    struct marks *marks;
    bool failed;
};

typedef struct {
    float x, y; /* pixels, y up, origin in the middle */
} point;

static void add_vertex(struct canvas *canvas, point p, const float color[4])
{
    struct marks *marks = canvas->marks;
    if (marks->count == marks->capacity) {
        size_t capacity = marks->capacity ? 2 * marks->capacity : 1024;
        void *grown = realloc(marks->vertices, capacity * sizeof *marks->vertices);
        if (!grown) {
            canvas->failed = true;
            return;
        }
        marks->vertices = grown;
        marks->capacity = capacity;
    }
    struct mark_vertex *v = &marks->vertices[marks->count++];
    v->x = p.x / (0.5f * canvas->width);
    v->y = p.y / (0.5f * canvas->height);
    memcpy(v->color, color, sizeof v->color);
}

static void add_triangle(struct canvas *canvas, point a, point b, point c, const float color[4])
{
    add_vertex(canvas, a, color);
    add_vertex(canvas, b, color);
    add_vertex(canvas, c, color);
}

static void add_line(struct canvas *canvas, point a, point b, float half, const float color[4])
{
    float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
    if (!(length > 1e-3f) || !isfinite(length))
        return;
    float nx = -dy / length * half, ny = dx / length * half;
    point p0 = {a.x + nx, a.y + ny}, p1 = {a.x - nx, a.y - ny}, p2 = {b.x - nx, b.y - ny}, p3 = {b.x + nx, b.y + ny};
    add_triangle(canvas, p0, p1, p2, color);
    add_triangle(canvas, p0, p2, p3, color);
}

static void add_disc(struct canvas *canvas, point at, float radius, const float color[4])
{
    enum { SIDES = 16 };
    point ring[SIDES];
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        ring[i] = (point){at.x + radius * (float)cos(angle), at.y + radius * (float)sin(angle)};
    }
    for (int i = 0; i < SIDES; i++)
        add_triangle(canvas, at, ring[i], ring[(i + 1) % SIDES], color);
}

/* ---- projection -------------------------------------------------------------------------------------------- */

static void to_clip(const struct canvas *canvas, const vec3 p, float out[4])
{
    const vec4 *m = canvas->scene_to_clip;
    for (int r = 0; r < 4; r++)
        out[r] = m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r];
}

static float near_distance(const float clip[4])
{
    return clip[2] + clip[3];
}

static bool to_screen(const struct canvas *canvas, const float clip[4], point *out)
{
    *out = (point){0.5f * canvas->width * clip[0] / clip[3], 0.5f * canvas->height * clip[1] / clip[3]};
    return isfinite(out->x) && isfinite(out->y);
}

static bool project(const struct canvas *canvas, const vec3 p, point *out)
{
    float clip[4];
    to_clip(canvas, p, clip);
    return near_distance(clip) > 0 && to_screen(canvas, clip, out);
}

/* A segment's ends on the screen, cut at the near plane; false when nothing of it is before the camera. */
static bool project_segment(const struct canvas *canvas, const vec3 from, const vec3 to, point *a, point *b)
{
    float p[4], q[4];
    to_clip(canvas, from, p);
    to_clip(canvas, to, q);
    float dp = near_distance(p), dq = near_distance(q);
    if (!(dp > 0 || dq > 0))
        return false;
    float t = dp / (dp - dq);
    for (int i = 0; i < 4; i++) {
        float cut = p[i] + t * (q[i] - p[i]);
        if (!(dp > 0))
            p[i] = cut;
        if (!(dq > 0))
            q[i] = cut;
    }
    return to_screen(canvas, p, a) && to_screen(canvas, q, b);
}

/* ---- the skeleton ------------------------------------------------------------------------------------------ */

struct skeleton {
    const struct scene *scene;
    const struct pose *pose;
    const bool *shown;
    const bool *has_child; /* some shown child */
};

static void origin_of(const struct skeleton *s, uint32_t node, vec3 out)
{
    memcpy(out, s->pose->node_to_scene[node][3], sizeof(vec3));
}

/* The parent that a node is linked to, or NO_INDEX. */
static int32_t linked_parent(const struct skeleton *s, uint32_t node)
{
    int32_t parent = s->scene->nodes[node].parent;
    return s->shown[node] && parent != NO_INDEX && s->shown[parent] ? parent : NO_INDEX;
}

/* The link from the parent, and a leaf's stub. */
static void add_links(struct canvas *canvas, const struct skeleton *s, float half, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        int32_t parent = linked_parent(s, n);
        if (parent == NO_INDEX)
            continue;
        vec3 from, to;
        point a, b;
        origin_of(s, (uint32_t)parent, from);
        origin_of(s, n, to);
        if (!s->has_child[n])
            for (int i = 0; i < 3; i++)
                to[i] += (to[i] - from[i]) / 3;
        if (project_segment(canvas, from, to, &a, &b))
            add_line(canvas, a, b, half, color);
    }
}

static void add_joint(struct canvas *canvas, const struct skeleton *s, uint32_t node, float radius,
                      const float color[4])
{
    vec3 origin;
    point at;
    origin_of(s, node, origin);
    if (project(canvas, origin, &at))
        add_disc(canvas, at, radius, color);
}

/* Length of the node's link on the screen, or `otherwise`. */
static float link_length(const struct canvas *canvas, const struct skeleton *s, uint32_t node, float otherwise)
{
    int32_t parent = linked_parent(s, node);
    vec3 from, to;
    point a, b;
    if (parent == NO_INDEX)
        return otherwise;
    origin_of(s, (uint32_t)parent, from);
    origin_of(s, node, to);
    if (!project(canvas, from, &a) || !project(canvas, to, &b))
        return otherwise;
    return hypotf(b.x - a.x, b.y - a.y);
}

/* Joints of short links are smaller, down to half, so that a hand is not one blot. */
static float joint_size(const struct canvas *canvas, const struct skeleton *s, uint32_t node)
{
    float full = joint_radius * canvas->unit;
    float fitting = 0.4f * link_length(canvas, s, node, 1e6f);
    return fitting < 0.5f * full ? 0.5f * full : fitting < full ? fitting : full;
}

static void add_joints(struct canvas *canvas, const struct skeleton *s, float wider, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++)
        if (s->shown[n])
            add_joint(canvas, s, n, joint_size(canvas, s, n) + wider * canvas->unit, color);
}

static void add_skeleton(struct canvas *canvas, const struct skeleton *s, int32_t selected)
{
    add_links(canvas, s, (link_half + rim) * canvas->unit, rim_color);
    add_links(canvas, s, link_half * canvas->unit, link_color);
    add_joints(canvas, s, rim, rim_color);
    add_joints(canvas, s, 0, joint_color);
    if (selected < 0 || (uint32_t)selected >= s->scene->node_count)
        return;
    add_joint(canvas, s, (uint32_t)selected, (selected_radius + rim) * canvas->unit, rim_color);
    add_joint(canvas, s, (uint32_t)selected, selected_radius * canvas->unit, selected_color);
}

static float mark_unit(uint32_t width, uint32_t height)
{
    float unit = (float)(width < height ? width : height) / 512.0f;
    return unit < 0.8f ? 0.8f : unit > 1.35f ? 1.35f : unit;
}

bool skeleton_marks(const struct scene *scene, const struct pose *pose, const mat4 scene_to_clip,
                    uint32_t width, uint32_t height, int32_t selected_node, struct marks *marks)
{
    bool *shown = calloc(scene->node_count + 1u, 1), *has_child = calloc(scene->node_count + 1u, 1);
    bool good = shown && has_child && skeleton_shown(scene, shown);
    if (good) {
        struct canvas canvas = {.width = (float)width, .height = (float)height, .unit = mark_unit(width, height),
                                .marks = marks};
        struct skeleton skeleton = {scene, pose, shown, has_child};
        memcpy(canvas.scene_to_clip, scene_to_clip, sizeof canvas.scene_to_clip);
        for (uint32_t n = 0; n < scene->node_count; n++)
            if (shown[n] && scene->nodes[n].parent != NO_INDEX)
                has_child[scene->nodes[n].parent] = true;
        add_skeleton(&canvas, &skeleton, selected_node);
        good = !canvas.failed;
    }
    free(shown);
    free(has_child);
    return good;
}

void marks_release(struct marks *marks)
{
    free(marks->vertices);
    *marks = (struct marks){0};
}
