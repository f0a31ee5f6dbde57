#version 330 core
// The normal in scene space as a colour: x red, y green, z blue, -1..1 to 0..255. Not sRGB-encoded, so that the numbers
// can be read off the picture. Blended materials are drawn opaque.
#include "surface.glsl"

void main()
{
    Surface s = surface_here();
    pixel = vec4(s.normal * 0.5 + 0.5, 1.0);
}
