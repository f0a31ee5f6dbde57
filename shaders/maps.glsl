// Which maps a material has: MAPS, from the program's key, a bit for each slot of enum surface_slot in data/scene/surface.h.
#define MAP_BASE 0
#define MAP_METALLIC_ROUGHNESS 1
#define MAP_SPECULAR 2
#define MAP_NORMAL 3
#define MAP_OCCLUSION 4
#define MAP_EMISSIVE 5
#define MAP_COAT 6
#define MAP_COAT_ROUGHNESS 7
#define MAP_COAT_NORMAL 8
#define HAS_MAP(slot) ((MAPS >> slot & 1) == 1)

uniform vec4 map_rows[18]; // two of each: texture coordinates = dot(xyz, (u, v, 1)); w: which set of coordinates
uniform sampler2D metallic_roughness_texture; // linear
uniform sampler2D specular_texture;           // sRGB-encoded, glossiness in alpha
uniform sampler2D normal_texture;             // linear
uniform sampler2D occlusion_texture;          // linear
uniform sampler2D emissive_texture;           // sRGB-encoded
uniform sampler2D coat_texture;               // linear
uniform sampler2D coat_roughness_texture;     // linear
uniform sampler2D coat_normal_texture;        // linear

vec2 map_uv(int slot, vec2 first, vec2 second)
{
    vec4 u = map_rows[2 * slot], v = map_rows[2 * slot + 1];
    vec3 at = vec3(u.w > 0.5 ? second : first, 1.0);
    return vec2(dot(u.xyz, at), dot(v.xyz, at));
}
