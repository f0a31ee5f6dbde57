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
uniform vec3 coat_factors;      // of a clear coat: how much of it there is, roughness, scale of its normal map
uniform sampler2D ambient_occlusion; // of the picture, draw/frame/ambient_occlusion.c
uniform vec4 ambient_occlusion_at;   // texels = xy + zw * gl_FragCoord

vec2 uv_of(int slot)
{
    return map_uv(slot, surface_uv, surface_more_uv);
}

#if TANGENTS && !defined(FITTED)
// A normal map's, on the surface's side. Where normals differ within a pixel the surface is rougher (Toksvig 2004).
vec3 mapped_normal(vec3 normal, vec4 encoded, float scale, inout float roughness)
{
    vec3 texel = encoded.xyz * (255.0 / 127.0) - 128.0 / 127.0;
    float size = dot(texel, texel);
    float side = dot(normal, skinned_normal) < 0.0 ? -1.0 : 1.0;
    vec3 tangent = skinned_tangent.xyz - normal * dot(normal, skinned_tangent.xyz);
    float length_squared = dot(tangent, tangent);
    if (length_squared < 1e-12 || size < 1e-6)
        return normal;
    tangent *= inversesqrt(length_squared);
    vec3 bitangent = cross(normal, tangent) * (skinned_tangent.w < 0.0 ? -side : side);
    vec2 slope = texel.xy * scale;
    vec3 result = tangent * slope.x + bitangent * slope.y + normal * max(texel.z, 0.05);
    float flat_size = min(sqrt(size), 1.0), variance = min((1.0 - flat_size) / flat_size * 0.5, 0.3);
    roughness = sqrt(sqrt(min(roughness * roughness * roughness * roughness + variance * variance, 1.0)));
    return result * inversesqrt(dot(result, result));
}
#endif

#if COAT
// Light of a surface below a clear coat, which has a normal map of its own or none, and takes from the light what it reflects
// (KHR_materials_clearcoat).
vec3 coated(vec3 light, vec3 normal, vec3 to_eye, float seen, vec3 around)
{
    float coat = coat_factors.x, roughness = coat_factors.y;
#if HAS_MAP(MAP_COAT)
    coat *= texture(coat_texture, uv_of(MAP_COAT)).r;
#endif
#if HAS_MAP(MAP_COAT_ROUGHNESS)
    roughness *= texture(coat_roughness_texture, uv_of(MAP_COAT_ROUGHNESS)).g;
#endif
    roughness = clamp(roughness, 0.045, 1.0);
#if HAS_MAP(MAP_COAT_NORMAL) && TANGENTS && !defined(FITTED)
    normal = mapped_normal(normal, texture(coat_normal_texture, uv_of(MAP_COAT_NORMAL)), coat_factors.z, roughness);
#endif
    float cosine = dot(normal, to_eye);
    vec2 sum = split_sum(abs(cosine), roughness);
    float reflectance = coat * (0.04 * (sum.x - sum.y) + sum.y);
    return light * (1.0 - reflectance) +
           reflectance * reflected(2.0 * cosine * normal - to_eye, normal, roughness, seen, around);
}
#endif

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
    vec3 normal = s.normal;
#if HAS_MAP(MAP_NORMAL) && TANGENTS && !defined(FITTED)
    normal = mapped_normal(normal, texture(normal_texture, uv_of(MAP_NORMAL)), material_factors.z, roughness);
#endif
    float facing = abs(dot(normal, to_eye));
    vec3 mirrored_eye = 2.0 * dot(normal, to_eye) * normal - to_eye;
    vec2 sum = split_sum(facing, roughness);
    // What single scattering loses on rough facets comes back in the metal's colour (Turquin 2019).
    vec3 reflectance = (f0 * (sum.x - sum.y) + sum.y) * (1.0 + f0 * (1.0 / sum.x - 1.0));
    float horizon = clamp(1.0 + dot(mirrored_eye, s.normal), 0.0, 1.0); // below the surface nothing is reflected
    float seen = mix(1.0, occlusion * open, 0.7);
    vec3 around = irradiance(to_rig(normal), open) * occlusion;
    vec3 light = diffuse * (1.0 - reflectance) * around + emissive;
    light += reflectance * reflected(mirrored_eye, normal, roughness, seen * horizon * horizon, around);
#if COAT
    light = coated(light, s.normal, to_eye, seen, around);
#endif
    write_linear(develop(light), s.alpha);
}
