#version 330 core
// Vertices of one instance from mesh space to the palette's space, and on to the screen. Names and locations are a
// contract, see README.md.
#include "frame.glsl"
#include "palette.glsl"
#include "influences.glsl"
#include "morph.glsl"
#include "skinning.glsl"
#include "values.glsl"

layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color;
#if MORE_UV
layout(location = 10) in vec2 more_uv;
#endif

out vec3 skinned_position;
out vec3 skinned_normal;
#if TANGENTS
out vec4 skinned_tangent; // across the normal, unit or zero; w: the bitangent is w * cross(skinned_normal, skinned_tangent.xyz)
#endif
out vec2 surface_uv;
out vec4 surface_color;
#if MORE_UV
out vec2 surface_more_uv;
#endif
flat out float mirrored; // below zero where the skinning turns triangles inside out
#ifdef STRONGEST_BINDING
flat out uint strongest_binding; // 1 + the index of the binding that holds the vertex most; 0: none holds it
#endif
#ifdef SHOWN_WEIGHT
out float shown_weight;
#endif
#ifdef USED_INFLUENCES
flat out uint used_influences;
#endif
#ifdef SHOWN_VALUE
#if SHOWN_VALUE == 2
flat out int shown_triangles; // where the numbers of the instance's triangles begin
#else
out float shown_value;
#endif
#endif

void main()
{
    Skinned vertex = skinned(rest_position(), rest_normal());
    skinned_position = vertex.position;
#if CROWD
    skinned_position += crowd_place();
#endif
    skinned_normal = vertex.normal;
#if TANGENTS
    skinned_tangent = vertex.tangent;
#endif
    mirrored = vertex.mirrored;
    gl_Position = scene_to_clip * vec4(skinned_position, 1.0);
    surface_uv = uv;
    surface_color = color;
#if MORE_UV
    surface_more_uv = more_uv;
#endif
#ifdef STRONGEST_BINDING
    strongest_binding = strongest();
#endif
#ifdef SHOWN_WEIGHT
    shown_weight = weight_to_show();
#endif
#ifdef USED_INFLUENCES
    used_influences = influences_to_show();
#endif
#ifdef SHOWN_VALUE
#if SHOWN_VALUE == 2
    shown_triangles = first_to_show();
#else
    shown_value = value_to_show();
#endif
#endif
}
