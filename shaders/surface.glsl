// What the views share: the material at this pixel.
// From the program's key: TEXTURED 0 or 1; TWO_SIDED 0 or 1; ALPHA 0 opaque, 1 mask, 2 blend (keep in sync with enum
// alpha_mode). `discard` is only compiled in where it is needed: with it the rasteriser cannot test depth first.

#ifndef FITTED // to the outputs of another program's vertex shader, which stand for these
in vec3 skinned_normal;
in vec2 surface_uv;
in vec4 surface_color;
flat in float mirrored;
#endif

uniform vec4 base_color;        // linear, straight alpha
uniform sampler2D base_texture; // sRGB-encoded bytes: filtered as they are, decoded here
uniform float alpha_cutoff;

#ifndef BASE_UV
#define BASE_UV surface_uv
#endif

out vec4 pixel; // sRGB-encoded, premultiplied

// Encoding and decoding are done here and not by GL's sRGB formats, whose rounding differs from CPU to CPU.
vec3 srgb_decode(vec3 encoded)
{
    return mix(encoded / 12.92, pow((encoded + 0.055) / 1.055, vec3(2.4)), step(0.04045, encoded));
}

vec3 srgb_encode(vec3 linear)
{
    vec3 v = clamp(linear, 0.0, 1.0);
    return max(min(12.92 * v, 0.04045), 1.055 * pow(max(v, 1e-6), vec3(1.0 / 2.4)) - 0.055);
}

struct Surface {
    vec3 color;  // linear
    float alpha;
    vec3 normal; // unit, scene space, on the side that is seen; zero where the model has none
};

// Leaves the shader for pixels that are not there: cut out by the alpha mask, or the back of a single-sided surface.
Surface surface_here()
{
    vec4 color = base_color * surface_color;
#if TEXTURED
#ifdef LOD_BIAS
    vec4 texel = texture(base_texture, BASE_UV, LOD_BIAS);
#else
    vec4 texel = texture(base_texture, BASE_UV);
#endif
    color *= vec4(srgb_decode(texel.rgb), texel.a);
#endif
    bool front = (gl_FrontFacing ? mirrored : -mirrored) > 0.0;
#if !TWO_SIDED
    if (!front)
        discard;
#endif
#if ALPHA == 0
    color.a = 1.0;
#elif ALPHA == 1
    if (color.a < alpha_cutoff)
        discard;
    color.a = 1.0;
#endif
    float scale = inversesqrt(max(dot(skinned_normal, skinned_normal), 1e-12));
    return Surface(color.rgb, clamp(color.a, 0.0, 1.0), (front ? scale : -scale) * skinned_normal);
}

void write_linear(vec3 color, float alpha)
{
    pixel = vec4(srgb_encode(color) * alpha, alpha);
}
