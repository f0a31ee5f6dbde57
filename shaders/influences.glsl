// Which bones hold a vertex, and by how much. INFLUENCE_SETS comes from the program's key:
//   1  up to 4 influences a vertex    2  up to 8    0  any number, listed in a buffer texture
// Slots that a vertex does not need have weight 0.
#include "palette.glsl"

#if INFLUENCE_SETS == 0

layout(location = 8) in uvec2 influence_range; // first, count
uniform usamplerBuffer influences;             // x: bone, y: the weight's bits

uint influence_count()
{
    return influence_range.y;
}

uint influence_bone(uint i)
{
    return texelFetch(influences, int(influence_range.x + i)).x;
}

float influence_weight(uint i)
{
    return uintBitsToFloat(texelFetch(influences, int(influence_range.x + i)).y);
}

#else

layout(location = 4) in uvec4 bones;
layout(location = 5) in vec4 weights;
#if INFLUENCE_SETS == 2
layout(location = 6) in uvec4 more_bones;
layout(location = 7) in vec4 more_weights;
#endif

uint influence_count()
{
    return 4u * uint(INFLUENCE_SETS);
}

uint influence_bone(uint i)
{
#if INFLUENCE_SETS == 2
    if (i >= 4u)
        return more_bones[i - 4u];
#endif
    return bones[i];
}

float influence_weight(uint i)
{
#if INFLUENCE_SETS == 2
    if (i >= 4u)
        return more_weights[i - 4u];
#endif
    return weights[i];
}

#endif

// The bone of the largest weight, the first of equals. `most` is that weight, 0 where none holds the vertex.
uint lead_bone(out float most)
{
    uint bone = 0u;
    most = 0.0;
    for (uint i = 0u; i < influence_count(); i++)
        if (influence_weight(i) > most) {
            most = influence_weight(i);
            bone = influence_bone(i);
        }
    return bone;
}

#ifdef STRONGEST_BINDING
// 1 + the binding of the largest weight; 0: none holds the vertex.
uint strongest()
{
    float most;
    uint bone = lead_bone(most);
    return most > 0.0 ? uint(first_binding) + bone + 1u : 0u;
}
#endif

#ifdef SHOWN_WEIGHT
uniform samplerBuffer binding_colors; // a texel a binding; alpha: 1 for the bone that is asked for, else 0

// 1: the vertex's largest weight. 2: what the bone that is asked for holds of it.
float weight_to_show()
{
    float shown = 0.0;
    for (uint i = 0u; i < influence_count(); i++) {
#if SHOWN_WEIGHT == 1
        shown = max(shown, influence_weight(i));
#else
        shown += influence_weight(i) * texelFetch(binding_colors, first_binding + int(influence_bone(i))).a;
#endif
    }
    return shown;
}
#endif

#ifdef USED_INFLUENCES
// How many bones hold the vertex.
uint influences_to_show()
{
    uint used = 0u;
    for (uint i = 0u; i < influence_count(); i++)
        used += influence_weight(i) != 0.0 ? 1u : 0u;
    return used;
}
#endif
