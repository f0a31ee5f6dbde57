#version 330 core
// How many bones hold a vertex, a colour a number; a triangle has that of its last vertex.
#include "surface.glsl"

flat in uint used_influences;

const uint more = 9u;
const vec3 colors[10] = vec3[10](
    vec3(255.0, 0.0, 255.0),   // 0: nothing holds it
    vec3(40.0, 60.0, 160.0),   // 1
    vec3(0.0, 150.0, 220.0),   // 2
    vec3(0.0, 190.0, 120.0),   // 3
    vec3(140.0, 210.0, 40.0),  // 4
    vec3(250.0, 220.0, 40.0),  // 5
    vec3(250.0, 150.0, 30.0),  // 6
    vec3(230.0, 80.0, 40.0),   // 7
    vec3(150.0, 20.0, 40.0),   // 8
    vec3(255.0, 255.0, 255.0)); // 9 and more

void main()
{
    surface_here();
    pixel = vec4(colors[min(used_influences, more)] / 255.0, 1.0);
}
