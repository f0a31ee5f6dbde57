#ifndef RIGPROOF_DRAW_VIEWS_H
#define RIGPROOF_DRAW_VIEWS_H

#include "draw/renderer.h"

/* What some views show besides the model: colours of bones, the range of depths. */

/*
 * Uploads what the view of the frame settings needs of the scene: the texture buffer binding_colors of the views `bones` and
 * `weight:BONE`. Others need nothing. False with err set when memory runs out.
 */
bool views_prepare(struct renderer *renderer, const struct scene *scene, const struct frame_settings *frame_settings,
                   struct error *err);

/*
 * The view `depth`: (p, 1) . out is 1 where a point p in scene space is as near as the nearest corner of the box that
 * was framed, 0 as far as its farthest, linear between. The camera's planes take their place where there is no box or
 * a corner is nearer than the near plane. `view` is a mat4.
 */
void views_nearness(const struct frame_settings *frame_settings, const vec4 *view, float out[4]);

#endif
