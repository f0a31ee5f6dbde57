#version 330 core
// A number of each triangle on the view's scale of colours; magenta: there is none, as for one without area at rest.
#include "scale.glsl"

flat in int shown_triangles; // the number of the instance's first triangle is there

uniform samplerBuffer shown_values;

void main()
{
    write_value(texelFetch(shown_values, shown_triangles + gl_PrimitiveID).r, vec3(1.0, 0.0, 1.0));
}
