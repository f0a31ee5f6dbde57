#version 330 core
// A fixed rig that moves with the camera, so that a turntable stays readable from every side: a warm key from the upper
// left, a cool fill from the right, a rim from behind that parts the model from the background, and a soft sky.
#include "frame.glsl"
#include "surface.glsl"

const vec3 key_color = vec3(0.72, 0.69, 0.65);
const vec3 fill_color = vec3(0.14, 0.16, 0.20);
const vec3 rim_color = vec3(0.26, 0.27, 0.30);
const vec3 sky_color = vec3(0.185, 0.19, 0.20); // from all around ...
const vec3 sky_slope = vec3(0.075, 0.09, 0.11); // ... more from above, less from below

// Lambert, led around the terminator so that the shadow side keeps its shape.
float wrapped(vec3 normal, vec3 direction)
{
    float w = max(dot(normal, direction) * 0.74 + 0.26, 0.0);
    return w * (w * 0.65 + 0.35);
}

void main()
{
    Surface s = surface_here();
    vec3 light = sky_color + sky_slope * dot(s.normal, sky_direction);
    light += key_color * wrapped(s.normal, key_direction);
    light += fill_color * wrapped(s.normal, fill_direction);
    light += rim_color * max(dot(s.normal, rim_direction), 0.0);
    write_linear(s.color * light, s.alpha);
}
