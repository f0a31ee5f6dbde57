#version 330 core
// The colour of the bone that holds the surface: bytes that belong to one bone of the scene alone. A triangle has one
// colour, that of its last vertex. Dark grey: nothing holds it.
#include "surface.glsl"

flat in uint strongest_binding; // 1 + the binding, or 0

uniform samplerBuffer binding_colors; // a texel a binding, bytes / 255

void main()
{
    surface_here();
    vec3 color = strongest_binding > 0u ? texelFetch(binding_colors, int(strongest_binding) - 1).rgb : vec3(64.0 / 255.0);
    pixel = vec4(color, 1.0);
}
