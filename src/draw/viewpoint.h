#ifndef RIGPROOF_DRAW_VIEWPOINT_H
#define RIGPROOF_DRAW_VIEWPOINT_H

#include "draw/programs.h"

/* What a shot's camera makes of a frame: matrices, and the lights that move with it. The same for all surfaces. */

/* The uniforms, in the order and with the padding of `struct Frame` in shaders/frame.glsl (std140). */
struct frame_uniforms {
    mat4 scene_to_clip;
    vec4 key_direction; /* these four: scene space, unit; the fourth number is not used */
    vec4 fill_direction;
    vec4 rim_direction;
    vec4 sky_direction;
    vec4 nearness;      /* of the view `depth`: views_nearness() */
};

struct viewpoint {
    mat4 view; /* scene space -> the camera's */
    struct frame_uniforms uniforms;
};

void viewpoint_of(const struct shot *shot, struct viewpoint *out);

/* Sets the uniforms of a program that is in use and draws a single frame. */
void viewpoint_set(const struct viewpoint *viewpoint, const struct gl *gl, const struct program *program);

#endif
