// Lengths that neither overflow nor vanish.

float largest(vec3 v)
{
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

vec3 unit_or_zero(vec3 v)
{
    float size = largest(v);
    return size > 0.0 ? normalize(v / size) : vec3(0.0);
}
