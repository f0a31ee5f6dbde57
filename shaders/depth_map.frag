#version 330 core
// No picture: how near the model is, as a number in the bytes red (the lowest), green and blue: what draw/frame/ground.c and
// ambient_occlusion.c see of it.
#include "surface.glsl"

void main()
{
    surface_here(); // what is cut out casts no shadow
    uint depth = uint(clamp(gl_FragCoord.z, 0.0, 1.0) * 16777215.0);
    pixel = vec4(vec3(uvec3(depth, depth >> 8, depth >> 16) & 255u) / 255.0, 1.0);
}
