#version 330 core
// Texture coordinates: what is behind the decimal point of u in red, of v in green. The origin is at the upper left.
#include "surface.glsl"

void main()
{
    surface_here();
    pixel = vec4(fract(surface_uv), 0.0, 1.0);
}
