// rigproof's vectors.glsl as a mistake has it: normals are not brought back to length 1.

float largest(vec3 v)
{
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

vec3 unit_or_zero(vec3 v)
{
    return 3.0 * normalize(v);
}
