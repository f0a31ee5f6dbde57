#pragma once

#include "data/scene/scene.h"
#include "data/image/frame_settings.h"

/*
 * An orbit camera that frames the bounds of a whole sampled sequence: its bounding sphere fits the view at zoom 1 for
 * every yaw and pitch, so a turntable does not breathe and frames do not jitter. Bounds that are empty, a single point
 * or not finite are framed as a unit box around their centre (or the origin).
 *
 * aspect is width / height. up_axis 0 x, 1 y, 2 z, up_sign 1 or -1. At yaw 0 the camera looks along -Z when x or y is
 * up, along +Y when z is up; positive yaw moves it counter-clockwise seen from above (to its right); positive pitch
 * lifts it. zoom > 1 narrows the field of view (the camera never enters the model), zoom < 1 moves the camera away.
 * Orthographic, zoom divides the height seen. Around a target of its own the orbit has the same size. Planes that are
 * given count; others hold the sphere, and are pushed away by the one that is given.
 */
struct camera camera_orbit(const struct bounds *bounds, const struct orbit *orbit, int up_axis, int up_sign,
                           float aspect);

/*
 * A camera that stands where it is told and looks at the orbit's target, which is another place, at the orbit's angle.
 * Its up, of any length and not along the view, is the up axis where it is NULL; looking straight along that, it is
 * where the orbit of yaw 0 and pitch +-90 has it. Planes that are not given hold the bounds' sphere with room to spare,
 * the near one never behind the eye; a plane that is given pushes the other away.
 */
struct camera camera_free(const struct bounds *bounds, const struct orbit *orbit, const vec3 eye, const float *up,
                          int up_axis, int up_sign);

/*
 * Moves a camera to its right and up, by fractions of the picture's width and height as they are at its target: what
 * was seen in the middle comes to lie as far to the left and down. 0.5 moves it to the border.
 */
void camera_pan(struct camera *camera, const float pan[2], float aspect);

/*
 * A camera of the file. node_to_scene is its node's in the pose (NULL: the camera is in scene space). Near and far
 * planes are widened to hold the bounds (as far as they are in front of the camera) when the file's planes would clip
 * all of them, or when they make no sense.
 */
struct camera camera_from_scene(const struct scene_camera *camera, const mat4 *node_to_scene,
                                const struct bounds *bounds);

/* View (scene -> camera space: x right, y up, z back) and projection for GL's clip space (-1..1). */
void camera_matrices(const struct camera *camera, float aspect, mat4 view, mat4 projection);
