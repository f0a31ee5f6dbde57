#version 330 core
// Which binding holds the surface: a number in the bytes red (the lowest), green and blue, exact because the target
// has 8 bits a channel. A triangle has one number, that of its last vertex. No picture: nothing is lit or blended.
#include "surface.glsl"

flat in uint strongest_binding;

void main()
{
    surface_here(); // what is cut out and what faces away is left out, as in the picture
    uvec3 bytes = uvec3(strongest_binding, strongest_binding >> 8, strongest_binding >> 16) & 255u;
    pixel = vec4(vec3(bytes) / 255.0, 1.0);
}
