// The vertex in mesh space before bones move it. The place for what deforms a mesh ahead of its skeleton.
#include "vectors.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
#if TANGENTS
layout(location = 9) in vec4 tangent; // targets leave it as it is
#endif

#if MORPH_TARGETS

uniform samplerBuffer morph_deltas;   // of the mesh: a target after the other, 2 texels a vertex: position, normal
uniform int morph_vertices;           // how many vertices a target has
uniform usamplerBuffer morph_weights; // first and count for each instance; then x: target, y: the weight's bits
uniform int morph_slot;               // of the instance
#if CROWD
uniform int crowd_slots;              // how many slots on that of the crowd's next instance is
#endif

// Targets without weight are not in the list.
vec3 morphed(vec3 rest, int part)
{
    int slot = morph_slot;
#if CROWD
    slot += gl_InstanceID * crowd_slots;
#endif
    uvec2 range = texelFetch(morph_weights, slot).xy;
    for (uint i = 0u; i < range.y; i++) {
        uvec2 item = texelFetch(morph_weights, int(range.x + i)).xy;
        int texel = 2 * (int(item.x) * morph_vertices + gl_VertexID) + part;
        rest += uintBitsToFloat(item.y) * texelFetch(morph_deltas, texel).xyz;
    }
    return rest;
}

vec3 rest_position()
{
    return morphed(position, 0);
}

// Unit or zero.
vec3 rest_normal()
{
    return unit_or_zero(morphed(normal, 1));
}

#else

vec3 rest_position()
{
    return position;
}

// Unit or zero.
vec3 rest_normal()
{
    return normal;
}

#endif
