// The vertex in mesh space before bones move it. The place for what deforms a mesh ahead of its skeleton.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

vec3 rest_position()
{
    return position;
}

// Unit or zero.
vec3 rest_normal()
{
    return normal;
}
