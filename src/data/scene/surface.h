#pragma once

#include "data/scene/scene.h"

/*
 * A material as a renderer wants it: glTF's metallic-roughness (2.0, 3.9 and appendix B) or specular-glossiness
 * (KHR_materials_pbrSpecularGlossiness); what other formats have is mapped onto the first. Whole where the import was
 * asked for it (import_options.surfaces): else only the base texture has pixels, and maps without pixels are none.
 *
 * Phong's (FBX, OBJ, COLLADA): roughness is (2 / (shininess + 2))^(1/4), the normalised Blinn-Phong lobe whose width is
 * that of GGX; 1 without a specular colour. Reflectance is 0.08 of the specular colour: 0.5 is what most things have.
 * Black that has a bright specular colour is a metal of that colour. A bump map that is a normal map by its colours is
 * one.
 */

enum surface_slot {
    SURFACE_BASE,               /* sRGB, alpha */
    SURFACE_METALLIC_ROUGHNESS, /* linear: roughness in green, metallic in blue */
    SURFACE_SPECULAR,           /* specular-glossiness alone: sRGB, glossiness in alpha */
    SURFACE_NORMAL,             /* linear: tangent space, y up */
    SURFACE_OCCLUSION,          /* linear: red */
    SURFACE_EMISSIVE,           /* sRGB */
    SURFACE_COAT,               /* linear: red */
    SURFACE_COAT_ROUGHNESS,     /* linear: green */
    SURFACE_COAT_NORMAL,        /* as SURFACE_NORMAL */
    SURFACE_SLOTS,
};

struct surface_map {
    int32_t texture;        /* into scene.textures, NO_INDEX: none */
    uint32_t uv;            /* 0: mesh.uvs, 1: mesh.more_uvs */
    float to_texture[2][3]; /* rows: texture coordinates = to_texture * (u, v, 1) (KHR_texture_transform) */
    float strength;         /* scale of a normal map, strength of occlusion; else 1 */
    enum wrap_mode wrap[2];
};

struct surface {
    vec4 base_color;         /* linear, straight alpha; the diffuse colour of specular-glossiness */
    vec3 emissive;           /* linear, its strength included */
    float metallic;
    float roughness; /* perceptual; of specular-glossiness 1 - glossiness: of a map 1 - (1 - roughness) * alpha */
    vec3 specular;           /* reflectance at normal incidence of what is not metal: 0.04 thrice by default */
    bool is_specular_glossy; /* specular is then the whole of it and metallic plays no part */
    float coat, coat_roughness; /* of a clear layer on top (KHR_materials_clearcoat): 0 none, 1 all over; perceptual */
    bool unlit;
    struct surface_map maps[SURFACE_SLOTS];
};

void surface_of(const struct scene *scene, const struct material *material, struct surface *out);

/* The file's set of texture coordinates that mesh.uvs holds, and the one of mesh.more_uvs: the first other one that a
 * map of the surface asks for; the same where none does. */
void surface_uv_sets(const struct material *material, uint32_t sets[2]);

/* IEC 61966-2-1. */
float srgb_to_linear(float s);
