#ifndef RIGPROOF_DRAW_STUDIO_H
#define RIGPROOF_DRAW_STUDIO_H

#include "draw/renderer.h"

/* What VIEW_STUDIO has besides: where its lights are, and a ground that the posed model casts a shadow on. */

struct frame;

struct studio {
    vec4 eye;      /* shaders/studio.frag */
    vec3 rig[3];   /* shaders/studio.glsl: right, up, to the front; scene space, unit */
    const struct program *ground; /* NULL: none is seen */
    vec3 corners[4];
};

/* The frame's view is set. */
void studio_set_viewpoint(struct frame *frame);

/* Uniforms of a program in use. */
void studio_set_uniforms(const struct frame *frame, const struct program *program);

/* What a mesh's program in VIEW_STUDIO reads, bit 1 << enum surface_slot; nothing in other views. */
unsigned studio_maps(const struct frame *frame, const struct gpu_mesh *mesh);

/* Binds the maps of a material and sets its factors, for a program in use. */
void studio_bind_surface(const struct gpu_model *model, const struct gpu_mesh *mesh, const struct program *program);

/*
 * The ground: a square at the lowest point of what the camera frames, as wide as that and a margin. Draws the heights of the
 * posed model above it, works out the shadow and uploads it, after the palette and before the frame. No ground where nothing
 * is framed or the camera is below it. False with err set when a shader does not build.
 */
bool ground_prepare(struct frame *frame, struct error *err);
void ground_draw(const struct frame *frame);

/*
 * Heights above the ground -> shadow, [GROUND_SIZE][GROUND_SIZE] each. heights: 0 at the ground, 65535 `most` texels above it, NO_HEIGHT
 * where nothing is. shadow: alpha of black, 0 at the edges. In integers, so that every machine has the same.
 */
enum { GROUND_SIZE = 256, NO_HEIGHT = UINT16_MAX };
void ground_shadow(const uint16_t *heights, double most, uint8_t *shadow);

#endif
