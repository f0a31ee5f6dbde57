#version 330 core
// The material's colour as it is: base colour times texture times vertex colour.
#include "surface.glsl"

void main()
{
    Surface s = surface_here();
    write_linear(s.color, s.alpha);
}
