// Linear blend skinning: a vertex from mesh space to the palette's space.

struct Skinned {
    vec3 position;
    vec3 normal;    // unit or zero
    float mirrored; // -1 where the skinning turns triangles inside out, else 1
};

float largest(vec3 v)
{
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

vec3 unit_or_zero(vec3 v)
{
    float size = largest(v);
    return size > 0.0 ? normalize(v / size) : vec3(0.0);
}

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

    // Normals go by the inverse transpose: the cofactors times the determinant's sign, which holds for singular
    // matrices too. Brought to size first, so that a scale of 1e-15 does not run out of floats.
    float size = largest(vec3(largest(rows[0].xyz), largest(rows[1].xyz), largest(rows[2].xyz)));
    float by = size > 0.0 ? 1.0 / size : 0.0;
    vec3 a = by * rows[0].xyz, b = by * rows[1].xyz, c = by * rows[2].xyz;
    vec3 bc = cross(b, c);
    result.mirrored = dot(a, bc) < 0.0 ? -1.0 : 1.0;
    result.normal =
        result.mirrored * unit_or_zero(vec3(dot(bc, normal), dot(cross(c, a), normal), dot(cross(a, b), normal)));
    return result;
}
