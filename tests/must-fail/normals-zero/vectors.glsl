// rigproof's vectors.glsl as a mistake has it: every normal is lost.

float largest(vec3 v)
{
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

vec3 unit_or_zero(vec3 v)
{
    return 0.0 * v;
}
