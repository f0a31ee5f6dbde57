// A number as a colour of the scale that the legend shows. What faces the camera has the legend's colour, what turns away is
// darker, so that the shape is seen.
#include "frame.glsl"
#include "surface.glsl"

uniform vec3 value_range;     // at the lower end, in the middle, at the upper end
uniform vec3 value_colors[7]; // at even steps, sRGB-encoded

const float no_value = 1e29;  // from there on there is no number

vec3 scale_color(float value)
{
    float part = value < value_range.y ? 0.5 * (value - value_range.x) / (value_range.y - value_range.x)
                                       : 0.5 + 0.5 * (value - value_range.y) / (value_range.z - value_range.y);
    float at = 6.0 * clamp(part, 0.0, 1.0);
    vec3 color = value_colors[0];
    for (int i = 0; i < 6; i++)
        color += clamp(at - float(i), 0.0, 1.0) * (value_colors[i + 1] - value_colors[i]);
    return color;
}

void write_value(float value, vec3 without)
{
    Surface s = surface_here();
    float facing = dot(s.normal, normalize(nearness.xyz));
    pixel = vec4((value < no_value ? scale_color(value) : without) * (0.6 + 0.4 * max(facing, 0.0)), 1.0);
}
