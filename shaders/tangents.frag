#version 330 core
// The tangent in scene space as a colour: x red, y green, z blue, -1..1 to 0..255, and to 0..127 where texture coordinates are
// mirrored; black where the model has none. Not sRGB-encoded, so that the numbers can be read off the picture.
#include "surface.glsl"

#if TANGENTS
in vec4 skinned_tangent;
#endif

void main()
{
    surface_here();
    pixel = vec4(0.0, 0.0, 0.0, 1.0);
#if TANGENTS
    float size = length(skinned_tangent.xyz);
    if (size > 0.0)
        pixel.rgb = (skinned_tangent.xyz / size * 0.5 + 0.5) * (skinned_tangent.w < 0.0 ? 0.5 : 1.0);
#endif
}
