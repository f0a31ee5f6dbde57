#version 330 core
// Marks drawn over the picture, made on the CPU: a place in clip space, and a colour.

layout(location = 0) in vec3 position; // z: 0 where depth is not tested
layout(location = 1) in vec4 color; // sRGB-encoded, straight alpha

out vec4 mark_color;

void main()
{
    mark_color = color;
    gl_Position = vec4(position, 1.0);
}
