#version 330 core
// The ground, a square, with the shadow that draw/frame/ground.c works out.

uniform mat4 scene_to_clip;
uniform vec3 ground_corners[4];

out vec2 ground_uv;

void main()
{
    ground_uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = scene_to_clip * vec4(ground_corners[gl_VertexID], 1.0);
}
