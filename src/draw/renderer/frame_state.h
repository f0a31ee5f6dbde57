#pragma once

#include "draw/renderer/renderer.h"

/* VIEW_STUDIO needs these besides. */
struct studio {
    vec4 eye;      /* shaders/studio.frag */
    vec3 rig[3];   /* shaders/studio.glsl: right, up, to the front; scene space, unit */
    const struct program *ground; /* NULL: none is seen */
    vec3 corners[4];
};

struct primitive_vertex {
    float x, y;       /* clip space, -1..1 inside the picture */
    float z;          /* depth in clip space where it is tested, else 0 */
    float color[4];   /* sRGB-encoded, straight alpha */
};

/* Triangles that are drawn alike. */
struct primitive_run {
    size_t first; /* vertex; the last is before the next run's first */
    bool tested;  /* hidden behind opaque surfaces, so a little nearer than it is */
};

struct primitives {
    struct primitive_vertex *vertices; /* malloc'd; three a triangle */
    size_t count;
    struct primitive_run runs[8];
    size_t run_count;
    const struct program *program; /* that draws them */
};

/* All tiles of a frame share this. */
struct frame {
    struct renderer *renderer;
    struct gpu_model *model;
    struct crowd crowd;            /* count 0: the first member alone, which is no crowd; without poses no skeleton */
    const struct palette *palette; /* of the first member */
    const struct frame_settings *frame_settings;
    struct drawing *drawing;       /* where what is drawn goes */
    uint32_t *bindings;            /* in place of a picture: draw_crowd_identity() */
    unsigned factor;               /* supersamples a pixel, along an edge */
    int samples;                   /* multisamples a framebuffer pixel */
    struct item *items;            /* malloc'd; opaque and masked ones in the scene's order, then the blended ones */
    uint32_t item_count;
    struct primitives primitives;
    const char *unset; /* of the user's shaders: what stays 0, else NULL */
    mat4 projection;
    mat4 view; /* scene space -> the camera's; the rest are the uniforms of shaders/frame.glsl */
    mat4 scene_to_clip;
    vec3 directions[4]; /* to the key, fill and rim light, and to the sky: scene space, unit */
    /*
     * The view `depth`: (p, 1) . nearness is 1 where a point p in scene space is as near as the nearest corner of the
     * box that was framed, 0 as far as its farthest, linear between. The camera's planes take their place where there
     * is no box or a corner is nearer than the near plane.
     */
    vec4 nearness;
    struct value_range range; /* of the scale of colours: the settings', of depths from the farthest to the nearest */
    struct studio studio;
};

/* Much of a frame is known before it is drawn, from the palette and what bones hold: it spares work and changes no
 * pixel. */

/* The part of the picture outside of which nothing is drawn: the whole of it where that is not known (overlays, the
 * user's shaders, other than linear skinning, a mesh that reaches behind the camera). May be empty. */
struct rectangle frame_scissor(const struct frame *frame);

/*
 * 1 where no vertex of the instance, of any member of the crowd, is turned inside out by its bones, -1 where all are:
 * GL can leave the back of its triangles out then. 0 where they differ or that is not known.
 */
int frame_winding(const struct frame *frame, uint32_t instance);

/* Says where what is drawn goes, part by part: from the target to samples, from these into the picture. */
struct drawing {
    struct renderer *renderer;
    uint32_t width, height;
    unsigned factor;
    uint8_t background[4];
    struct image picture;  /* as soon as a part is in it */
    uint32_t *bindings;    /* in its place; the caller's */
    struct rectangle part; /* of the picture, that was drawn last; no width: it has been taken */
    struct rectangle box;  /* the same in the target */
    uint8_t *samples;      /* malloc'd: what is read back of it */
    bool is_read;
    bool shows;            /* a surface of the user's shaders has left something */
    char why_empty[256];   /* if not: renderer_why_empty(); "" */
};

struct drawing *drawing_create(const struct frame *frame);

/* The part was drawn; GL begins to rasterise. The one before must have been taken. */
void drawing_put(struct drawing *drawing, const struct rectangle *part, const struct rectangle *box);

/* Waits for the part that was drawn last, if there is one, and reads it; the second also puts it where it belongs. */
bool drawing_read(struct drawing *drawing, struct error *err);
bool drawing_take(struct drawing *drawing, struct error *err);
