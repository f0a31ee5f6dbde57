#pragma once

#include "draw/renderer/frame_state.h"

/* VIEW_STUDIO has more than other views: where its lights are, and a ground that the posed model casts a shadow on. */

/* The frame's view is set. */
void studio_set_viewpoint(struct frame *frame);

/* Sets where the framebuffer is in the picture, in samples. */
void studio_set_tile(const struct frame *frame, uint32_t x, uint32_t y);

/* Uniforms of a program in use. */
void studio_set_uniforms(const struct frame *frame, const struct program *program);

/* Adds what a mesh's program in VIEW_STUDIO reads; in other views nothing is added. */
void studio_add_to_key(const struct frame *frame, const struct gpu_mesh *mesh, struct program_key *key);

/*
 * Draws how near the model is in another clip space, before the frame itself is drawn. Of blended surfaces the parts of
 * half opacity or more count, or none. False with err set when a shader does not build.
 */
enum { NO_DEPTH = (1 << 24) - 1 };
enum depth_of { DEPTH_OF_ALL, DEPTH_OF_OPAQUE };
bool depth_map_draw(struct frame *frame, struct depth_map *map, uint32_t width, uint32_t height,
                    const mat4 scene_to_clip, enum depth_of what, struct error *err);

/* Makes `made` of bytes, as large as the map, and leaves it bound to that unit. */
void depth_map_upload(struct depth_map *map, GLuint unit, const uint8_t *bytes);

/*
 * Ambient occlusion of what the camera sees, made of depths alone: how much of its neighbours at a few distances stands
 * out before the plane between them, two that face each other at a time, so that a slope is no crevice. One number a
 * pixel; pictures of more than OCCLUSION_SIZE pixels have it at that size. False with err set when a shader does not
 * build.
 */
enum { OCCLUSION_SIZE = 1024 };
bool ambient_occlusion_prepare(struct frame *frame, struct error *err);

/* Says how far from the camera things are. */
struct distances {
    uint32_t width, height, margin;
    const float *at;   /* [margin + height + margin][margin + width + margin]; INFINITY: nothing is there */
    float texel;       /* how wide one is: at distance 1 in perspective, else anywhere */
    bool perspective;
    float radius;      /* of the model, in texels */
};

/* light: [height][width], 255 in the open. */
void ambient_occlusion(const struct distances *distances, uint8_t *light);

/*
 * The ground: a square at the lowest point of what the camera frames, as wide as that and a margin. Draws the heights
 * of the posed model above it, works out the shadow and uploads it, after the palette and before the frame. No ground
 * where nothing is framed or the camera is below it. False with err set when a shader does not build.
 */
bool ground_prepare(struct frame *frame, struct error *err);
void ground_draw(const struct frame *frame);

/*
 * Heights above the ground -> shadow, [GROUND_SIZE][GROUND_SIZE] each. heights: 0 at the ground, 65535 `most` texels
 * above it, NO_HEIGHT where nothing is. shadow: alpha of black, 0 at the edges. Blurred in integers: the same on every
 * machine.
 */
enum { GROUND_SIZE = 256, NO_HEIGHT = UINT16_MAX };
void ground_shadow(const uint16_t *heights, double most, uint8_t *shadow);
