#version 330 core
// A character: four bones a vertex, the camera as three matrices, as LearnOpenGL has them. rigproof knows what these names mean.
layout(location = 0) in vec3 pos;
layout(location = 1) in vec3 norm;
layout(location = 2) in ivec4 boneIds;
layout(location = 3) in vec4 weights;

uniform mat4 projection, view, model;
uniform mat4 finalBonesMatrices[100];

out vec3 Normal;
out vec3 FragPos;

void main()
{
    mat4 bone = mat4(0.0);
    for (int i = 0; i < 4; i++)
        if (boneIds[i] >= 0)
            bone += weights[i] * finalBonesMatrices[boneIds[i]];
    vec4 world = model * bone * vec4(pos, 1.0);
    FragPos = world.xyz;
    Normal = normalize(inverse(transpose(mat3(bone))) * norm);
    gl_Position = projection * view * world;
}
