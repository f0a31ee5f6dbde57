// What is the same for all of a frame: the camera, and what moves with it.

uniform mat4 scene_to_clip;

// Directions in scene space: to the lights, and up on the picture. draw/frame/frame.c says where they are.
uniform vec3 key_direction;
uniform vec3 fill_direction;
uniform vec3 rim_direction;
uniform vec3 sky_direction;

uniform vec4 nearness; // of a point p: (p, 1) . nearness is 1 near, 0 far
