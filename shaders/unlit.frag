#version 330 core
// The material's colour as it is: base colour times texture times vertex colour.

void main()
{
    Surface s = surface_here();
    write_linear(s.color, s.alpha);
}
