#ifndef RIGPROOF_DRAW_VIEWPOINT_H
#define RIGPROOF_DRAW_VIEWPOINT_H

#include "draw/shader/programs.h"

/* What the camera of the frame settings gives for a frame: matrices, and the lights that move with it. The same for all surfaces. */

struct viewpoint {
    mat4 view; /* scene space -> the camera's */
    /* the uniforms of shaders/frame.glsl */
    mat4 scene_to_clip;
    vec3 key_direction; /* these four: scene space, unit */
    vec3 fill_direction;
    vec3 rim_direction;
    vec3 sky_direction;
    vec4 nearness;      /* of the view `depth`: views_nearness() */
};

void viewpoint_of(const struct frame_settings *frame_settings, struct viewpoint *out);

/* Sets the uniforms of a program that is in use. */
void viewpoint_set(const struct viewpoint *viewpoint, const struct gl *gl, const struct program *program);

#endif
