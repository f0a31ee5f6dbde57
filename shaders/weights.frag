#version 330 core
// How much a bone holds: blue 0, cyan 1/4, green 1/2, yellow 3/4, red 1, straight lines between. SHOWN_WEIGHT 1 is the
// largest weight of a vertex; 2 is that of one bone, with grey where it holds nothing. Grey alone is shaded, so that the
// shape is seen: red = green = blue is no colour of the ramp.
#include "frame.glsl"
#include "surface.glsl"

in float shown_weight;

vec3 ramp(float weight)
{
    float w = clamp(weight, 0.0, 1.0);
    return clamp(vec3(4.0 * w - 2.0, 2.0 - abs(4.0 * w - 2.0), 2.0 - 4.0 * w), 0.0, 1.0);
}

void main()
{
    Surface s = surface_here();
#if SHOWN_WEIGHT == 2
    if (shown_weight == 0.0) {
        float light = 0.36 + 0.10 * dot(s.normal, key_direction) + 0.06 * dot(s.normal, sky_direction);
        pixel = vec4(vec3(light), 1.0);
        return;
    }
#endif
    pixel = vec4(ramp(shown_weight), 1.0);
}
