#version 330 core
// A number of each vertex on the view's scale of colours; grey: there is none.
#include "scale.glsl"

in float shown_value;

void main()
{
    write_value(shown_value, vec3(0.55));
}
