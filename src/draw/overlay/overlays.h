#ifndef RIGPROOF_DRAW_OVERLAYS_H
#define RIGPROOF_DRAW_OVERLAYS_H

#include "draw/overlay/overlay_primitives.h"
#include "draw/renderer.h"

/* The overlays of one frame, in the order they are drawn: wireframe, bounds, axes, skeleton, label. */
struct overlaid {
    struct renderer *renderer;
    struct gpu_model *model;
    const struct crowd *crowd; /* count 0: its first member alone, which is no crowd; without poses there is no skeleton */
    const struct frame_settings *frame_settings;
    const vec4 *view;          /* mat4 */
    const vec4 *scene_to_clip; /* mat4 */
};

/*
 * Makes the primitives and uploads them; none without overlays. Runs the vertex shader for the wireframe, so
 * this goes before anything of the frame is drawn. False with err set when memory runs out or a shader does not build.
 */
bool overlays_prepare(const struct overlaid *overlaid, struct primitives *primitives, struct error *err);

/* Draws them into the target; depth is what the model left there. */
bool overlays_draw(struct renderer *renderer, struct shader_set *shaders, const struct primitives *primitives,
                   struct error *err);

void primitives_release(struct primitives *primitives);

#endif
