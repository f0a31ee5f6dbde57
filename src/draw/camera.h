#ifndef RIGPROOF_DRAW_CAMERA_H
#define RIGPROOF_DRAW_CAMERA_H

#include "data/scene.h"
#include "data/shot.h"

/*
 * An orbit camera that frames the bounds of a whole sampled sequence: its bounding sphere fits the view at zoom 1 for
 * every yaw and pitch, so a turntable does not breathe and frames do not jitter. Empty bounds are framed as a unit
 * box at the origin. `aspect` is width / height. up_axis 0 x, 1 y, 2 z, up_sign 1 or -1.
 */
struct camera camera_orbit(const struct bounds *bounds, const struct orbit *orbit, int up_axis, int up_sign,
                           float aspect);

/*
 * A camera of the file, where its node is in the pose (node_to_scene filled). Near and far planes are widened to hold
 * the bounds when the file's would clip everything.
 */
struct camera camera_from_scene(const struct scene_camera *camera, const mat4 *node_to_scene, float aspect);

/* View and projection for GL's clip space (-1..1). */
void camera_matrices(const struct camera *camera, float aspect, mat4 view, mat4 projection);

#endif
