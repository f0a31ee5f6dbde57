#version 330 core
// Linear blend skinning: vertices of one instance from mesh space to the palette's space, and on to the screen.
// Names and locations are a contract, see README.md. INFLUENCE_SETS comes from the program's key:
//   1  up to 4 influences a vertex    2  up to 8    0  any number, listed in a buffer texture

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color;

#if INFLUENCE_SETS == 0
layout(location = 8) in uvec2 influence_range; // first, count
uniform usamplerBuffer influences;             // x: bone, y: the weight's bits
#else
layout(location = 4) in uvec4 bones;
layout(location = 5) in vec4 weights;
#if INFLUENCE_SETS == 2
layout(location = 6) in uvec4 more_bones;
layout(location = 7) in vec4 more_weights;
#endif
#endif

uniform samplerBuffer palette; // 3 texels a binding: the rows of its 3x4 matrix
uniform int first_binding;     // of the instance
uniform mat4 scene_to_clip;

out vec3 skinned_position;
out vec3 skinned_normal;
out vec2 surface_uv;
out vec4 surface_color;
flat out float mirrored; // below zero where the skinning turns triangles inside out
#ifdef STRONGEST_BINDING
flat out uint strongest_binding; // 1 + the index of the binding that holds the vertex most; 0: none holds it
#endif

// The columns of this matrix are the rows of the binding's: vec4(p, 1) * rows is the point.
mat3x4 binding_rows(uint bone)
{
    int texel = 3 * (first_binding + int(bone));
    return mat3x4(texelFetch(palette, texel), texelFetch(palette, texel + 1), texelFetch(palette, texel + 2));
}

mat3x4 blended_rows()
{
    mat3x4 rows = mat3x4(vec4(0.0), vec4(0.0), vec4(0.0));
#if INFLUENCE_SETS == 0
    for (uint i = 0u; i < influence_range.y; i++) {
        uvec2 influence = texelFetch(influences, int(influence_range.x + i)).xy;
        rows += uintBitsToFloat(influence.y) * binding_rows(influence.x);
    }
#else
    for (int i = 0; i < 4; i++)
        rows += weights[i] * binding_rows(bones[i]);
#if INFLUENCE_SETS == 2
    for (int i = 0; i < 4; i++)
        rows += more_weights[i] * binding_rows(more_bones[i]);
#endif
#endif
    return rows;
}

#ifdef STRONGEST_BINDING
// The influence with the largest weight, the first of equals.
uint strongest()
{
    uint bone = 0u;
    float most = 0.0;
#if INFLUENCE_SETS == 0
    for (uint i = 0u; i < influence_range.y; i++) {
        uvec2 influence = texelFetch(influences, int(influence_range.x + i)).xy;
        if (uintBitsToFloat(influence.y) > most) {
            most = uintBitsToFloat(influence.y);
            bone = influence.x;
        }
    }
#else
    for (int i = 0; i < 4; i++)
        if (weights[i] > most) {
            most = weights[i];
            bone = bones[i];
        }
#if INFLUENCE_SETS == 2
    for (int i = 0; i < 4; i++)
        if (more_weights[i] > most) {
            most = more_weights[i];
            bone = more_bones[i];
        }
#endif
#endif
    return most > 0.0 ? uint(first_binding) + bone + 1u : 0u;
}
#endif

float largest(vec3 v)
{
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

vec3 unit_or_zero(vec3 v)
{
    float size = largest(v);
    return size > 0.0 ? normalize(v / size) : vec3(0.0);
}

void main()
{
    mat3x4 rows = blended_rows();
    skinned_position = vec4(position, 1.0) * rows;
    gl_Position = scene_to_clip * vec4(skinned_position, 1.0);

    // Normals go by the inverse transpose: the cofactors times the determinant's sign, which holds for singular
    // matrices too. Brought to size first, so that a scale of 1e-15 does not run out of floats.
    float size = largest(vec3(largest(rows[0].xyz), largest(rows[1].xyz), largest(rows[2].xyz)));
    float by = size > 0.0 ? 1.0 / size : 0.0;
    vec3 a = by * rows[0].xyz, b = by * rows[1].xyz, c = by * rows[2].xyz;
    vec3 bc = cross(b, c);
    mirrored = dot(a, bc) < 0.0 ? -1.0 : 1.0;
    skinned_normal = mirrored * unit_or_zero(vec3(dot(bc, normal), dot(cross(c, a), normal), dot(cross(a, b), normal)));

    surface_uv = uv;
    surface_color = color;
#ifdef STRONGEST_BINDING
    strongest_binding = strongest();
#endif
}
