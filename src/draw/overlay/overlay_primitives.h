#ifndef RIGPROOF_DRAW_OVERLAY_PRIMITIVES_H
#define RIGPROOF_DRAW_OVERLAY_PRIMITIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/bounds.h"
#include "data/pose/palette.h"

/*
 * What the overlays are made of: triangles in the plane of the picture, made on the CPU, so that widths are in pixels
 * and the same on every machine. What is to be hidden by surfaces has a depth, a little nearer than it is.
 */

struct primitive_vertex {
    float x, y;       /* clip space, -1..1 inside the picture */
    float z;          /* depth in clip space where it is tested, else 0 */
    float color[4];   /* sRGB-encoded, straight alpha */
};

/* Triangles that are drawn alike. */
struct primitive_run {
    size_t first; /* vertex; the last is before the next run's first */
    bool tested;         /* hidden behind opaque surfaces */
};

enum { PRIMITIVE_MOST_RUNS = 8 };

struct primitives {
    struct primitive_vertex *vertices; /* malloc'd; three a triangle */
    size_t count;
    size_t capacity;
    struct primitive_run runs[PRIMITIVE_MOST_RUNS];
    size_t run_count;
};

/* Where primitives are made: the camera, the picture's size. */
struct canvas {
    mat4 scene_to_clip;
    float lift[4]; /* in clip space: what brings a point nearer, so that a surface does not hide its own overlay */
    float width, height; /* pixels */
    float unit;          /* pixels per nominal pixel: widths are made for a picture of 512 */
    bool tested;         /* points get their depth */
    struct primitives *primitives;
    bool failed;         /* out of memory */
};

struct canvas canvas_create(const mat4 scene_to_clip, uint32_t width, uint32_t height, struct primitives *primitives);

typedef struct {
    float x, y; /* pixels, y up, origin in the middle */
    float z;    /* as primitive_vertex.z */
} point;

void add_triangle(struct canvas *canvas, point a, point b, point c, const float color[4]);
/* `half` is half the width in pixels; ends are square, without a cap. */
void add_line(struct canvas *canvas, point a, point b, float half, const float color[4]);
void add_disc(struct canvas *canvas, point at, float radius, const float color[4]);

/* False when the point is not before the camera. */
bool project(const struct canvas *canvas, const vec3 p, point *out);
/* A segment's ends on the screen, cut at the near plane; false when nothing of it is before the camera. */
bool project_segment(const struct canvas *canvas, const vec3 from, const vec3 to, point *a, point *b);

/* ---- overlays ------------------------------------------------------------------------------------------------ */

/* The twelve edges of the box; `opacity` 0 to 1. */
void bounds_primitives(struct canvas *canvas, const struct bounds *bounds, float opacity);

/* Arrows along +x (red), +y (green), +z (blue) from the origin, each with its letter. */
void axes_primitives(struct canvas *canvas, float length);

/*
 * Text in the upper left corner, white with a black shadow one font pixel to the lower right; lines are parted by '\n',
 * each is cut to the picture's width, with ".." where something is missing.
 */
void label_primitives(struct canvas *canvas, const char *text);

/*
 * The edges of one instance's posed triangles, each once: `skinned` is what the vertex shader made of its vertices. The
 * canvas is tested. False when memory runs out.
 */
bool wireframe_primitives(struct canvas *canvas, const struct mesh *mesh, const struct skinned *skinned);

#endif
