#version 330 core
// The material as its file means it, metallic-roughness or specular-glossiness, in the studio of studio.glsl.
#include "maps.glsl"

#ifndef FITTED
in vec3 skinned_position;
#if MORE_UV
in vec2 surface_more_uv;
#endif
#if TANGENTS
in vec4 skinned_tangent; // w: the sign of the bitangent
#endif
#endif
#if !MORE_UV
#define surface_more_uv surface_uv
#endif

#define BASE_UV map_uv(MAP_BASE, surface_uv, surface_more_uv)
#include "surface.glsl"
#include "studio.glsl"

uniform vec4 eye;               // the camera: its place and 1, or the direction towards it and 0
uniform vec4 material_factors;  // metallic, roughness, scale of the normal map, strength of the occlusion
uniform vec4 specular_factor;   // at normal incidence; w: 1 of specular-glossiness, where it is all of it
uniform vec4 emissive_factor;   // w: 1 of a material that is not lit
uniform sampler2D ambient_occlusion; // of the picture, draw/frame/ambient_occlusion.c
uniform vec4 ambient_occlusion_at;   // texels = xy + zw * gl_FragCoord

vec2 uv_of(int slot)
{
    return map_uv(slot, surface_uv, surface_more_uv);
}

// The normal map's, on the surface's side; `rougher` by how much the map's neighbours differ below a pixel (Toksvig).
vec3 mapped_normal(vec3 normal, inout float roughness)
{
#if HAS_MAP(MAP_NORMAL) && TANGENTS && !defined(FITTED)
    vec3 texel = texture(normal_texture, uv_of(MAP_NORMAL)).xyz * (255.0 / 127.0) - 128.0 / 127.0;
    float size = dot(texel, texel);
    float side = dot(normal, skinned_normal) < 0.0 ? -1.0 : 1.0;
    vec3 tangent = skinned_tangent.xyz - normal * dot(normal, skinned_tangent.xyz);
    float length_squared = dot(tangent, tangent);
    if (length_squared < 1e-12 || size < 1e-6)
        return normal;
    tangent *= inversesqrt(length_squared);
    vec3 bitangent = cross(normal, tangent) * (skinned_tangent.w * side);
    vec2 slope = texel.xy * material_factors.z;
    vec3 result = tangent * slope.x + bitangent * slope.y + normal * max(texel.z, 0.05);
    float flat_size = min(sqrt(size), 1.0), variance = min((1.0 - flat_size) / flat_size * 0.5, 0.3);
    roughness = sqrt(sqrt(min(roughness * roughness * roughness * roughness + variance * variance, 1.0)));
    return result * inversesqrt(dot(result, result));
#else
    return normal;
#endif
}

void main()
{
    Surface s = surface_here();
    if (emissive_factor.w > 0.5) {
        write_linear(s.color, s.alpha);
        return;
    }
    float metallic = material_factors.x, roughness = material_factors.y, occlusion = 1.0;
    vec3 f0 = specular_factor.rgb, diffuse = s.color, emissive = emissive_factor.rgb;
#if HAS_MAP(MAP_METALLIC_ROUGHNESS)
    vec4 mixed = texture(metallic_roughness_texture, uv_of(MAP_METALLIC_ROUGHNESS));
    metallic *= mixed.b;
    roughness *= mixed.g;
#endif
#if HAS_MAP(MAP_SPECULAR)
    vec4 specular = texture(specular_texture, uv_of(MAP_SPECULAR));
    f0 *= srgb_decode(specular.rgb);
    roughness = 1.0 - (1.0 - roughness) * specular.a;
#endif
#if HAS_MAP(MAP_OCCLUSION)
    occlusion = 1.0 + material_factors.w * (texture(occlusion_texture, uv_of(MAP_OCCLUSION)).r - 1.0);
#endif
#if HAS_MAP(MAP_EMISSIVE)
    emissive *= srgb_decode(texture(emissive_texture, uv_of(MAP_EMISSIVE)).rgb);
#endif
    if (specular_factor.w > 0.5) {
        diffuse *= 1.0 - max(f0.r, max(f0.g, f0.b));
    } else {
        diffuse *= 1.0 - metallic;
        f0 = mix(min(f0, vec3(1.0)), s.color, metallic);
    }
    float open = 1.0; // to the light around
#if ALPHA != 2
    open = texelFetch(ambient_occlusion, ivec2(ambient_occlusion_at.xy + ambient_occlusion_at.zw * gl_FragCoord.xy), 0).r;
#endif
    vec3 to_eye = eye.xyz - eye.w * skinned_position;
    to_eye *= inversesqrt(max(dot(to_eye, to_eye), 1e-30));
    roughness = clamp(roughness, 0.045, 1.0);
    vec3 normal = mapped_normal(s.normal, roughness);
    float facing = abs(dot(normal, to_eye));
    vec3 mirrored_eye = 2.0 * dot(normal, to_eye) * normal - to_eye;
    vec2 sum = split_sum(facing, roughness);
    // What single scattering loses on rough facets comes back in the metal's colour (Turquin 2019).
    vec3 reflectance = (f0 * (sum.x - sum.y) + sum.y) * (1.0 + f0 * (1.0 / sum.x - 1.0));
    float horizon = clamp(1.0 + dot(mirrored_eye, s.normal), 0.0, 1.0); // below the surface nothing is reflected
    float seen = mix(1.0, occlusion * open, 0.7) * horizon * horizon;
    vec3 light = diffuse * (1.0 - reflectance) * irradiance(to_rig(normal), open) * occlusion;
    light += reflectance * environment(to_rig(mirrored_eye), roughness) * seen;
    write_linear(develop(light + emissive), s.alpha);
}
