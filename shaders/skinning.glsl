// A vertex from mesh space to the palette's space, by the bones that hold it. From the program's key:
//   SKINNING  0 linear blend skinning  1 dual quaternions
#include "palette.glsl"
#include "influences.glsl"
#include "vectors.glsl"

struct Skinned {
    vec3 position;
    vec3 normal;    // unit or zero
    float mirrored; // -1 where the skinning turns triangles inside out, else 1
#if TANGENTS
    vec4 tangent;   // unit or zero
#endif
};

// Normals go by the inverse transpose: the cofactors times the determinant's sign, which holds for singular matrices
// too. Brought to size first, so that a scale of 1e-15 does not run out of floats. a, b, c: the matrix's rows.
vec3 transformed_normal(vec3 a, vec3 b, vec3 c, vec3 normal, out float mirrored_by)
{
    float size = largest(vec3(largest(a), largest(b), largest(c)));
    float by = size > 0.0 ? 1.0 / size : 0.0;
    a *= by;
    b *= by;
    c *= by;
    vec3 bc = cross(b, c);
    mirrored_by = dot(a, bc) < 0.0 ? -1.0 : 1.0;
    return mirrored_by * unit_or_zero(vec3(dot(bc, normal), dot(cross(c, a), normal), dot(cross(a, b), normal)));
}

#if TANGENTS
// What a matrix made of a tangent, its rows a, b, c; zero where next to nothing is left, as src/palette/skin.h says.
vec4 transformed_tangent(vec3 a, vec3 b, vec3 c, vec3 moved, vec3 normal, float mirrored)
{
    float size = largest(vec3(largest(a), largest(b), largest(c)));
    vec3 along = size > 0.0 ? moved / size : vec3(0.0);
    vec3 across = along - dot(along, normal) * normal;
    bool is_there = abs(tangent.w) > 0.5 && dot(along, along) > 2.5e-7 && dot(across, across) > 2.5e-5 * dot(along, along);
    return is_there ? vec4(normalize(across), mirrored * tangent.w) : vec4(0.0);
}
#endif

#if SKINNING == 0

// The weighted sum of the vertex's matrices, as rows.
mat3x4 blended_rows()
{
    mat3x4 rows = mat3x4(vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint i = 0u; i < influence_count(); i++)
        rows += influence_weight(i) * binding_rows(influence_bone(i));
    return rows;
}

Skinned skinned(vec3 position, vec3 normal)
{
    mat3x4 rows = blended_rows();
    Skinned result;
    result.position = vec4(position, 1.0) * rows;
    result.normal = transformed_normal(rows[0].xyz, rows[1].xyz, rows[2].xyz, normal, result.mirrored);
#if TANGENTS
    result.tangent = transformed_tangent(rows[0].xyz, rows[1].xyz, rows[2].xyz, vec4(tangent.xyz, 0.0) * rows,
                                         result.normal, result.mirrored);
#endif
    return result;
}

#else

// Dual quaternion skinning in two phases, as src/palette/dual_quaternion.h says: stretches linearly, rigid parts as
// dual quaternions. A binding is p' = rotate(rotation, stretch p) + translation.
struct Joint {
    vec4 rotation; // unit quaternion x y z w
    vec3 translation;
    mat3 stretch;
};

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

#if PALETTE_FORMAT == 2

Joint joint_of(uint bone)
{
    Similarity s = binding_similarity(bone);
    return Joint(s.rotation, s.translation, mat3(s.scale));
}

#else

// The orthogonal factor of the polar decomposition by Newton's iteration; a flat matrix stays as it is.
mat3 orthogonal_factor(mat3 m)
{
    for (int i = 0; i < 8; i++) {
        mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
        float det = dot(m[0], cofactors[0]);
        if (abs(det) > 1e-6)
            m = 0.5 * (m + cofactors / det);
    }
    return dot(m[0], cross(m[1], m[2])) < 0.0 ? -1.0 * m : m;
}

// Of the four ways to a quaternion the one whose divisor is largest; 1 at least.
vec4 quaternion_of(mat3 c)
{
    vec4 squares = vec4(1.0 + c[0][0] - c[1][1] - c[2][2], 1.0 - c[0][0] + c[1][1] - c[2][2],
                        1.0 - c[0][0] - c[1][1] + c[2][2], 1.0 + c[0][0] + c[1][1] + c[2][2]);
    float xy = c[0][1] + c[1][0], xz = c[0][2] + c[2][0], yz = c[1][2] + c[2][1];
    float wx = c[1][2] - c[2][1], wy = c[2][0] - c[0][2], wz = c[0][1] - c[1][0];
    vec4 q = vec4(wx, wy, wz, squares.w);
    float most = squares.w;
    if (squares.x > most) {
        q = vec4(squares.x, xy, xz, wx);
        most = squares.x;
    }
    if (squares.y > most) {
        q = vec4(xy, squares.y, yz, wy);
        most = squares.y;
    }
    if (squares.z > most)
        q = vec4(xz, yz, squares.z, wz);
    return normalize(q);
}

Joint joint_of(uint bone)
{
    mat3x4 rows = binding_rows(bone);
    mat3 m = transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz));
    float size = sqrt((dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2])) / 3.0);
    vec4 q = quaternion_of(orthogonal_factor(size > 0.0 ? m / size : m));
    vec4 back = vec4(-q.xyz, q.w);
    mat3 stretch = mat3(rotate(back, m[0]), rotate(back, m[1]), rotate(back, m[2]));
    return Joint(q, vec3(rows[0].w, rows[1].w, rows[2].w), stretch);
}

#endif

Skinned skinned(vec3 position, vec3 normal)
{
    float most;
    vec4 lead = joint_of(lead_bone(most)).rotation;
    vec4 real = vec4(0.0), dual = vec4(0.0);
    mat3 stretch = mat3(0.0);
    float sum = 0.0;
    for (uint i = 0u; i < influence_count(); i++) {
        float weight = influence_weight(i);
        if (weight == 0.0) // the slot is not used; its bone may be anything
            continue;
        Joint joint = joint_of(influence_bone(i));
        vec4 q = joint.rotation;
        vec3 t = joint.translation;
        float along = dot(lead, q) < 0.0 ? -weight : weight; // q and -q turn the same way
        real += along * q;
        dual += along * 0.5 * vec4(t * q.w + cross(t, q.xyz), -dot(t, q.xyz));
        stretch += weight * joint.stretch;
        sum += weight;
    }
#if TANGENTS
    Skinned result = Skinned(vec3(0.0), vec3(0.0), 1.0, vec4(0.0));
#else
    Skinned result = Skinned(vec3(0.0), vec3(0.0), 1.0);
#endif
    float size = length(real);
    if (size > 0.0 && sum != 0.0) {
        real /= size;
        dual /= size;
        stretch /= sum;
        vec3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
        mat3 rows = transpose(stretch);
        result.position = rotate(real, stretch * position) + translation;
        result.normal = rotate(real, transformed_normal(rows[0], rows[1], rows[2], normal, result.mirrored));
#if TANGENTS
        result.tangent = transformed_tangent(rows[0], rows[1], rows[2], rotate(real, stretch * tangent.xyz), result.normal,
                                             result.mirrored);
#endif
    }
    return result;
}

#endif
