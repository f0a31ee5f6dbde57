#include "data/scene/surface.h"

#include <math.h>
#include <string.h>

#include "base/names.h"

float srgb_to_linear(float s)
{
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static const struct material_map *find_map(const struct material *material, const char *name)
{
    return NAMED(material->maps, material->map_count, name);
}

/* Copies a number or a colour; false: it is the default, which `out` holds already. */
static bool take_factor(const struct material *material, const char *name, float *out)
{
    const struct factor *factor = NAMED(material->factors, material->factor_count, name);
    if (factor)
        memcpy(out, factor->values, factor->width * sizeof *out);
    return factor != NULL;
}

/* Says where a material of the shading has what a slot is: the first of these that is there. */
static const struct {
    enum surface_slot slot;
    const char *name;
    unsigned shadings; /* bits: 1 << enum shading_model */
} rows[] = {
    {SURFACE_BASE, "diffuse", 1 << SHADING_SPECULAR_GLOSSINESS},
    {SURFACE_METALLIC_ROUGHNESS, "metallic-roughness", 1 << SHADING_METALLIC_ROUGHNESS},
    {SURFACE_METALLIC_ROUGHNESS, "roughness", 1 << SHADING_METALLIC_ROUGHNESS},
    {SURFACE_SPECULAR, "specular", 1 << SHADING_SPECULAR_GLOSSINESS},
    {SURFACE_NORMAL, "normal", ~0u},
    {SURFACE_NORMAL, "bump", ~0u},
    {SURFACE_OCCLUSION, "occlusion", ~0u},
    {SURFACE_EMISSIVE, "emissive", ~0u},
    {SURFACE_COAT, "clearcoat", ~0u},
    {SURFACE_COAT_ROUGHNESS, "clearcoat roughness", ~0u},
    {SURFACE_COAT_NORMAL, "clearcoat normal", ~0u},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint32_t base_set(const struct material *material)
{
    const struct material_map *base = find_map(material, "base colour");
    return base ? base->uv : 0;
}

void surface_uv_sets(const struct material *material, uint32_t sets[2])
{
    sets[0] = sets[1] = base_set(material);
    for (size_t i = 0; i < ROWS && sets[1] == sets[0]; i++) {
        const struct material_map *map =
            rows[i].shadings >> material->shading & 1 ? find_map(material, rows[i].name) : NULL;
        if (map)
            sets[1] = map->uv;
    }
}

static bool is_of_max(const struct scene *scene)
{
    return strcmp(scene->format, "3ds") == 0 || strcmp(scene->format, "ase") == 0;
}

/*
 * KHR_texture_transform: translation * rotation * scale, v down, turning the way that a person sees as
 * counter-clockwise. Of other formats v is up and the turn is first: about the centre, as Assimp has it; of 3ds Max's
 * the offset is taken off before, and the scale is about the centre, too (p' = scale * turn * (p - centre - offset) +
 * centre, as its own pictures show).
 */
static void to_texture(const struct scene *scene, const struct material_map *map, float out[2][3])
{
    const float c = cosf(map->rotation), s = sinf(map->rotation), *scale = map->scale, *offset = map->offset;
    const float turned[2][2] = {{scale[0] * c, -scale[0] * s}, {scale[1] * s, scale[1] * c}};
    float m[2][3] = {{c * scale[0], s * scale[1], offset[0]}, {-s * scale[0], c * scale[1], offset[1]}};
    for (int i = 0; i < 2 && !scene_is_gltf(scene); i++) {
        const float x = turned[i][0], y = turned[i][1];
        const float moved = is_of_max(scene) ? 0.5f - x * (0.5f + offset[0]) - y * (0.5f + offset[1])
                                             : offset[i] + 0.5f * (scale[i] - x - y);
        memcpy(m[i], (const float[3]){x, -y, y + moved}, sizeof m[i]); /* v is 1 - v */
        if (i == 1)
            memcpy(m[i], (const float[3]){-x, y, 1 - y - moved}, sizeof m[i]);
    }
    memcpy(out, m, sizeof m);
}

/* Says whether colours are such as normals pointing out have: red and green in the middle, much blue. */
static bool looks_like_normals(const struct texture *texture)
{
    enum { STEPS = 32 };
    double sums[3] = {0};
    for (uint64_t i = 0; i < STEPS * STEPS; i++) {
        const uint64_t x = i % STEPS * texture->width / STEPS, y = i / STEPS * texture->height / STEPS;
        for (size_t k = 0; k < 3; k++)
            sums[k] += texture->rgba[4 * (y * texture->width + x) + k] / (255.0 * STEPS * STEPS);
    }
    return fabs(sums[0] - 0.5) < 0.15 && fabs(sums[1] - 0.5) < 0.15 && sums[2] > 0.7;
}

static void take_map(const struct scene *scene, const struct material *material, const struct material_map *map,
                     int32_t texture, struct surface_map *out)
{
    if (texture == NO_INDEX || !scene->textures[texture].rgba)
        return;
    out->texture = texture;
    out->uv = map && map->uv != base_set(material);
    memcpy(out->wrap, map ? map->wrap : material->wrap, sizeof out->wrap);
    if (map)
        to_texture(scene, map, out->to_texture);
}

static void take_maps(const struct scene *scene, const struct material *material, struct surface *out)
{
    static const struct surface_map none = {NO_INDEX, 0, {{1, 0, 0}, {0, 1, 0}}, 1, {WRAP_REPEAT, WRAP_REPEAT}};
    for (int i = 0; i < SURFACE_SLOTS; i++)
        out->maps[i] = none;
    for (size_t i = 0; i < ROWS; i++) {
        struct surface_map *slot = &out->maps[rows[i].slot];
        const struct material_map *map =
            rows[i].shadings >> material->shading & 1 ? find_map(material, rows[i].name) : NULL;
        if (!map || slot->texture != NO_INDEX)
            continue;
        take_map(scene, material, map, map->texture, slot);
        if (rows[i].slot == SURFACE_NORMAL || rows[i].slot == SURFACE_OCCLUSION || rows[i].slot == SURFACE_COAT_NORMAL)
            slot->strength = map->strength;
        if (slot->texture != NO_INDEX && strcmp(rows[i].name, "bump") == 0 &&
            !looks_like_normals(&scene->textures[slot->texture]))
            *slot = none;
    }
    if (out->maps[SURFACE_BASE].texture == NO_INDEX)
        take_map(scene, material, find_map(material, "base colour"), material->base_texture, &out->maps[SURFACE_BASE]);
}

static float clamped(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f);
}

static void take_phong(const struct material *material, struct surface *out)
{
    vec3 color = {0, 0, 0};
    float factor = 1, shininess = 0, largest = 0, diffuse = 0;
    out->metallic = 0;
    out->roughness = 1;
    if (!take_factor(material, "specular colour", color))
        return;
    take_factor(material, "specular factor", &factor);
    take_factor(material, "shininess", &shininess);
    out->roughness = sqrtf(sqrtf(2.0f / (fmaxf(shininess, 0.0f) + 2.0f)));
    for (int i = 0; i < 3; i++) {
        color[i] = clamped(color[i] * factor);
        out->specular[i] = 0.08f * color[i];
        largest = fmaxf(largest, color[i]);
        diffuse = fmaxf(diffuse, out->base_color[i]);
    }
    if (largest < 0.3f || diffuse > 0.02f || out->maps[SURFACE_BASE].texture != NO_INDEX)
        return;
    out->metallic = 1;
    for (int i = 0; i < 3; i++)
        out->base_color[i] = srgb_to_linear(color[i]);
}

/* Fills in metallic-roughness, with KHR_materials_ior and KHR_materials_specular. */
static void take_metallic_roughness(const struct scene *scene, const struct material *material, struct surface *out)
{
    float index = 1.5f, factor = 1;
    vec3 color = {1, 1, 1};
    const struct material_map *map = find_map(material, "metallic");
    const bool is_lost = map && !scene->textures[map->texture].rgba; /* what it says of where there is metal */
    out->metallic = is_lost ? 0 : material->plain_metallic;
    take_factor(material, "metallic factor", &out->metallic);
    take_factor(material, "roughness factor", &out->roughness);
    if (!scene_is_gltf(scene))
        return;
    take_factor(material, "refractive index", &index);
    take_factor(material, "specular factor", &factor);
    take_factor(material, "specular colour", color);
    for (int i = 0; i < 3; i++) {
        float bent = index + 1 != 0 ? (index - 1) / (index + 1) : 1;
        out->specular[i] = clamped(bent * bent * color[i] * factor);
    }
}

static void take_emissive(const struct scene *scene, const struct material *material, struct surface *out)
{
    float strength = 1;
    bool is_lit = take_factor(material, "emissive colour", out->emissive);
    take_factor(material, "emissive strength", &strength);
    for (int i = 0; i < 3; i++) {
        const float color = out->emissive[i]; /* above 1 it is no colour that a person picked */
        if (!scene_is_gltf(scene))            /* a texture takes the place of a colour that is not there */
            out->emissive[i] = is_lit ? (color > 1 ? color : srgb_to_linear(color))
                               : out->maps[SURFACE_EMISSIVE].texture != NO_INDEX ? 1.0f
                                                                                 : 0.0f;
        out->emissive[i] = fmaxf(out->emissive[i] * fmaxf(strength, 0.0f), 0.0f);
    }
}

void surface_of(const struct scene *scene, const struct material *material, struct surface *out)
{
    *out = (struct surface){.metallic = 1, .roughness = 1, .specular = {0.04f, 0.04f, 0.04f}, .unlit = material->unlit};
    memcpy(out->base_color, material->base_color, sizeof out->base_color);
    take_maps(scene, material, out);
    if (material->shading == SHADING_PHONG)
        take_phong(material, out);
    if (material->shading == SHADING_METALLIC_ROUGHNESS)
        take_metallic_roughness(scene, material, out);
    if (material->shading == SHADING_SPECULAR_GLOSSINESS) {
        float glossiness = 1;
        vec3 specular = {1, 1, 1};
        out->is_specular_glossy = true;
        out->metallic = 0;
        take_factor(material, "diffuse colour", out->base_color);
        take_factor(material, "specular colour", specular);
        take_factor(material, "glossiness factor", &glossiness);
        memcpy(out->specular, specular, sizeof specular);
        out->roughness = 1 - clamped(glossiness);
    }
    take_factor(material, "clearcoat factor", &out->coat);
    take_factor(material, "clearcoat roughness", &out->coat_roughness);
    out->metallic = clamped(out->metallic);
    out->roughness = clamped(out->roughness);
    out->coat = clamped(out->coat);
    out->coat_roughness = clamped(out->coat_roughness);
    take_emissive(scene, material, out);
}
