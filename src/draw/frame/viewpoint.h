#ifndef RIGPROOF_DRAW_VIEWPOINT_H
#define RIGPROOF_DRAW_VIEWPOINT_H

#include "draw/renderer.h"

/*
 * What the camera of the frame settings gives for a frame: matrices, and the lights that move with it; and what some views
 * show besides the model. The same for all surfaces.
 */

struct viewpoint {
    mat4 view; /* scene space -> the camera's */
    /* the uniforms of shaders/frame.glsl */
    mat4 scene_to_clip;
    vec3 directions[4]; /* to the key, fill and rim light, and to the sky: scene space, unit */
    /*
     * The view `depth`: (p, 1) . nearness is 1 where a point p in scene space is as near as the nearest corner of the
     * box that was framed, 0 as far as its farthest, linear between. The camera's planes take their place where there is
     * no box or a corner is nearer than the near plane.
     */
    vec4 nearness;
};

void viewpoint_of(const struct frame_settings *frame_settings, struct viewpoint *out);

/* Sets the uniforms of a program that is in use. */
void viewpoint_set(const struct viewpoint *viewpoint, const struct gl *gl, const struct program *program);

/*
 * Uploads what the view of the frame settings needs of the scene: the texture buffer binding_colors of the views `bones` and
 * `weight:BONE`. Others need nothing. False with err set when memory runs out.
 */
bool views_prepare(struct renderer *renderer, const struct scene *scene, const struct frame_settings *frame_settings,
                   struct error *err);

#endif
