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

/* Where the framebuffer is in the picture, in samples. */
void studio_set_tile(const struct frame *frame, uint32_t x, uint32_t y);

/* Uniforms of a program in use. */
void studio_set_uniforms(const struct frame *frame, const struct program *program);

/* What a mesh's program in VIEW_STUDIO reads; in other views nothing is added. */
void studio_add_to_key(const struct frame *frame, const struct gpu_mesh *mesh, struct program_key *key);

/* Binds the maps of a material and sets its factors, for a program in use. */
void studio_bind_surface(const struct gpu_model *model, const struct gpu_mesh *mesh, const struct program *program);

/*
 * Draws the model in place of a frame, with matrices to a clip space; of depths that are blended only those that hide more than half
 * count, or none. False with err set when a shader does not build.
 */
enum { NO_DEPTH = (1 << 24) - 1 };
enum depth_of { DEPTH_OF_ALL, DEPTH_OF_OPAQUE };
bool depth_map_draw(struct frame *frame, struct depth_map *map, uint32_t width, uint32_t height, const mat4 scene_to_clip,
                    enum depth_of what, struct error *err);

/* Makes `made` of bytes, as large as the map, and leaves it bound to that unit. */
void depth_map_upload(struct depth_map *map, const struct gl *gl, GLuint unit, const uint8_t *bytes);
void depth_map_release(struct depth_map *map, const struct gl *gl);

/*
 * Ambient occlusion of what the camera sees, made of depths alone: how much of its neighbours at a few distances stands out before
 * the plane between them, two that face each other at a time, so that a slope is no crevice. One number a pixel; pictures of more
 * than OCCLUSION_SIZE pixels have it at that size. False with err set when a shader does not build.
 */
enum { OCCLUSION_SIZE = 1024 };
bool ambient_occlusion_prepare(struct frame *frame, struct error *err);

/* Of distances from the camera, [height][width] within `margin` more on every side, INFINITY where nothing is; `texel`: how wide one is at distance
 * 1 (perspective) or anywhere. light: 255 in the open. */
struct distances {
    uint32_t width, height, margin;
    const float *at;
    float texel;
    bool perspective;
    float radius; /* texels: of the model */
};
void ambient_occlusion(const struct distances *distances, uint8_t *light);

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
