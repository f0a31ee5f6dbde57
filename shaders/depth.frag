#version 330 core
// Depth along the camera's view, linear: white at the nearest corner of the box that was framed, black at the farthest.
#include "frame.glsl"
#include "surface.glsl"

#ifndef FITTED
in vec3 skinned_position;
#endif

void main()
{
    surface_here();
    pixel = vec4(vec3(clamp(dot(nearness, vec4(skinned_position, 1.0)), 0.0, 1.0)), 1.0);
}
