#version 330 core
// No picture: how high the lowest of the model stands above each place of the ground, as a number of two bytes.
#include "surface.glsl"

void main()
{
    surface_here(); // what is cut out casts no shadow
    uint height = uint(clamp(gl_FragCoord.z, 0.0, 1.0) * 65535.0);
    pixel = vec4(vec2(height & 255u, height >> 8) / 255.0, 0.0, 1.0);
}
