#include "draw/overlay/overlay_primitives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct canvas canvas_create(const mat4 scene_to_clip, uint32_t width, uint32_t height, struct primitives *primitives)
{
    float unit = (float)(width < height ? width : height) / 512.0f;
    struct canvas canvas = {.width = (float)width, .height = (float)height, .primitives = primitives,
                            .unit = unit < 0.8f ? 0.8f : unit > 1.35f ? 1.35f : unit};
    memcpy(canvas.scene_to_clip, scene_to_clip, sizeof canvas.scene_to_clip);
    return canvas;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static void add_vertex(struct canvas *canvas, point p, const float color[4])
{
    struct primitives *primitives = canvas->primitives;
    if (primitives->count == primitives->capacity) {
        size_t capacity = primitives->capacity ? 2 * primitives->capacity : 1024;
        void *grown = realloc(primitives->vertices, capacity * sizeof *primitives->vertices);
        if (!grown) {
            canvas->failed = true;
            return;
        }
        primitives->vertices = grown;
        primitives->capacity = capacity;
    }
    struct primitive_vertex *v = &primitives->vertices[primitives->count++];
    v->x = p.x / (0.5f * canvas->width);
    v->y = p.y / (0.5f * canvas->height);
    v->z = p.z;
    memcpy(v->color, color, sizeof v->color);
}

void add_triangle(struct canvas *canvas, point a, point b, point c, const float color[4])
{
    add_vertex(canvas, a, color);
    add_vertex(canvas, b, color);
    add_vertex(canvas, c, color);
}

void add_line(struct canvas *canvas, point a, point b, float half, const float color[4])
{
    float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
    if (!(length > 1e-3f) || !isfinite(length))
        return;
    float nx = -dy / length * half, ny = dx / length * half;
    point p0 = {a.x + nx, a.y + ny, a.z}, p1 = {a.x - nx, a.y - ny, a.z};
    point p2 = {b.x - nx, b.y - ny, b.z}, p3 = {b.x + nx, b.y + ny, b.z};
    add_triangle(canvas, p0, p1, p2, color);
    add_triangle(canvas, p0, p2, p3, color);
}

void add_disc(struct canvas *canvas, point at, float radius, const float color[4])
{
    enum { SIDES = 16 };
    point ring[SIDES];
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        ring[i] = (point){at.x + radius * (float)cos(angle), at.y + radius * (float)sin(angle), at.z};
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

static bool to_screen(const struct canvas *canvas, const float clip[4], point *out)
{
    *out = (point){0.5f * canvas->width * clip[0] / clip[3], 0.5f * canvas->height * clip[1] / clip[3], 0};
    if (canvas->tested) { /* what is lifted past the near plane lies on it */
        float z = clip[2] + canvas->lift[2], w = clip[3] + canvas->lift[3];
        out->z = w > 0 && z > -w ? z / w : -1;
    }
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

bool project(const struct canvas *canvas, const vec3 p, point *out)
{
    float clip[4];
    to_clip(canvas, p, clip);
    return clip[2] + clip[3] > 0 && to_screen(canvas, clip, out);
}

bool project_segment(const struct canvas *canvas, const vec3 from, const vec3 to, point *a, point *b)
{
    float p[4], q[4];
    to_clip(canvas, from, p);
    to_clip(canvas, to, q);
    float dp = p[2] + p[3], dq = q[2] + q[3]; /* from the near plane */
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
