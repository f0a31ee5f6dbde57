#version 330 core

in vec4 mark_color;

out vec4 pixel; // sRGB-encoded, premultiplied

void main()
{
    pixel = vec4(mark_color.rgb * mark_color.a, mark_color.a);
}
