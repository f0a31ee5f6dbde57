/* Reads what a material has besides its base colour: textures and numbers, as Assimp hands them over. A new one is a
 * row here. */
#include "import/scene/convert.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <assimp/GltfMaterial.h>
#include <assimp/ObjMaterial.h>
#include <assimp/material.h>

/* In whose materials a number is the file's: Assimp also works out some of one kind from the other. */
enum { GLTF = 1, OTHERS = 2, ANY = GLTF | OTHERS };

// clang-format off
/* Rows of one name: the first that is there counts. */
static const struct {
    const char *name;
    unsigned type, index; /* numbers where a header of Assimp 5.2 has no word */
} map_rows[] = {
    {"diffuse", aiTextureType_DIFFUSE, 0}, /* of KHR_materials_pbrSpecularGlossiness, beside the base colour */
    {"normal", aiTextureType_NORMALS, 0},
    {"normal", aiTextureType_NORMAL_CAMERA, 0},
    {"bump", aiTextureType_HEIGHT, 0},
    {"metallic", aiTextureType_METALNESS, 0},
    {"roughness", aiTextureType_DIFFUSE_ROUGHNESS, 0},
    {"emissive", aiTextureType_EMISSIVE, 0},
    {"emissive", aiTextureType_EMISSION_COLOR, 0},
    {"occlusion", aiTextureType_LIGHTMAP, 0},
    {"occlusion", aiTextureType_AMBIENT_OCCLUSION, 0},
    {"specular", aiTextureType_SPECULAR, 0},
    {"specular colour", aiTextureType_SPECULAR, 1},
    {"shininess", aiTextureType_SHININESS, 0},
    {"ambient", aiTextureType_AMBIENT, 0},
    {"opacity", aiTextureType_OPACITY, 0},
    {"displacement", aiTextureType_DISPLACEMENT, 0},
    {"reflection", aiTextureType_REFLECTION, 0},
    {"sheen", aiTextureType_SHEEN, 0},
    {"sheen roughness", aiTextureType_SHEEN, 1},
    {"clearcoat", aiTextureType_CLEARCOAT, 0},
    {"clearcoat roughness", aiTextureType_CLEARCOAT, 1},
    {"clearcoat normal", aiTextureType_CLEARCOAT, 2},
    {"transmission", aiTextureType_TRANSMISSION, 0},
    {"thickness", aiTextureType_TRANSMISSION, 1},
    {"anisotropy", 26, 0},
};

static const struct factor_row {
    const char *name, *key;
    unsigned type, index;
    uint32_t width;
    unsigned formats;
    vec4 plain; /* the default, which is left out */
} factor_rows[] = {
    {"diffuse colour", AI_MATKEY_COLOR_DIFFUSE, 4, GLTF, {0}}, /* of KHR_materials_pbrSpecularGlossiness; the base
                                                                  colour by default */
    {"metallic factor", AI_MATKEY_METALLIC_FACTOR, 1, ANY, {1}},
    {"roughness factor", AI_MATKEY_ROUGHNESS_FACTOR, 1, ANY, {1}},
    {"bump scale", AI_MATKEY_BUMPSCALING, 1, ANY, {1}},
    {"displacement scale", "$mat.displacementscaling", 0, 0, 1, ANY, {1}},
    {"emissive colour", AI_MATKEY_COLOR_EMISSIVE, 3, ANY, {0}},
    {"emissive strength", AI_MATKEY_EMISSIVE_INTENSITY, 1, ANY, {1}},
    {"ambient colour", AI_MATKEY_COLOR_AMBIENT, 3, OTHERS, {0}},
    {"specular colour", AI_MATKEY_COLOR_SPECULAR, 3, GLTF, {1, 1, 1}},
    {"specular colour", AI_MATKEY_COLOR_SPECULAR, 3, OTHERS, {0}},
    {"specular factor", AI_MATKEY_SPECULAR_FACTOR, 1, ANY, {1}},
    {"specular factor", AI_MATKEY_SHININESS_STRENGTH, 1, OTHERS, {1}},
    {"glossiness factor", AI_MATKEY_GLOSSINESS_FACTOR, 1, ANY, {1}},
    {"shininess", AI_MATKEY_SHININESS, 1, OTHERS, {0}},
    {"reflective colour", AI_MATKEY_COLOR_REFLECTIVE, 3, ANY, {0}},
    {"reflectivity", AI_MATKEY_REFLECTIVITY, 1, ANY, {0}},
    {"sheen colour", AI_MATKEY_SHEEN_COLOR_FACTOR, 3, ANY, {0}},
    {"sheen roughness", AI_MATKEY_SHEEN_ROUGHNESS_FACTOR, 1, ANY, {0}},
    {"clearcoat factor", AI_MATKEY_CLEARCOAT_FACTOR, 1, ANY, {0}},
    {"clearcoat roughness", AI_MATKEY_CLEARCOAT_ROUGHNESS_FACTOR, 1, ANY, {0}},
    {"transmission factor", AI_MATKEY_TRANSMISSION_FACTOR, 1, ANY, {0}},
    {"thickness", AI_MATKEY_VOLUME_THICKNESS_FACTOR, 1, ANY, {0}},
    {"attenuation distance", AI_MATKEY_VOLUME_ATTENUATION_DISTANCE, 1, ANY, {0}},
    {"attenuation colour", AI_MATKEY_VOLUME_ATTENUATION_COLOR, 3, ANY, {1, 1, 1}},
    {"refractive index", AI_MATKEY_REFRACTI, 1, GLTF, {1.5f}},
    {"refractive index", AI_MATKEY_REFRACTI, 1, OTHERS, {1}},
    {"anisotropy", AI_MATKEY_ANISOTROPY_FACTOR, 1, ANY, {0}},
    {"anisotropy rotation", "$mat.anisotropyRotation", 0, 0, 1, ANY, {0}},
};
// clang-format on

enum { MAP_ROWS = sizeof map_rows / sizeof *map_rows, FACTOR_ROWS = sizeof factor_rows / sizeof *factor_rows };

bool get_floats(const struct aiMaterial *source, const char *key, unsigned type, unsigned index, unsigned count,
                float *values)
{
    float found[8];
    unsigned found_count = count;
    assert(count <= sizeof found / sizeof *found);
    if (aiGetMaterialFloatArray(source, key, type, index, found, &found_count) != aiReturn_SUCCESS ||
        found_count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!isfinite(found[i]))
            return false;
    memcpy(values, found, count * sizeof *values);
    return true;
}

bool get_int(const struct aiMaterial *source, const char *key, unsigned type, unsigned index, int *value)
{
    unsigned count = 1;
    return aiGetMaterialIntegerArray(source, key, type, index, value, &count) == aiReturn_SUCCESS && count == 1;
}

static enum wrap_mode wrap_of(const struct aiMaterial *source, const char *key, unsigned type, unsigned index)
{
    int mode = aiTextureMapMode_Wrap;
    get_int(source, key, type, index, &mode);
    if (mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal)
        return WRAP_CLAMP;
    return mode == aiTextureMapMode_Mirror ? WRAP_MIRROR : WRAP_REPEAT;
}

/* OpenGL's number of a filter. */
static const char *filter_of(const struct aiMaterial *source, const char *key, unsigned type, unsigned index)
{
    static const struct {
        int number;
        const char *name;
    } filters[] = {{9728, "nearest"},
                   {9729, "linear"},
                   {9984, "nearest-mipmap-nearest"},
                   {9985, "linear-mipmap-nearest"},
                   {9986, "nearest-mipmap-linear"},
                   {9987, "linear-mipmap-linear"}};
    int number = 0;
    get_int(source, key, type, index, &number);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i].number == number)
            return filters[i].name;
    return NULL;
}

/* To 6 decimals: what is left of a way there and back. */
static float rounded(double value)
{
    return (float)(rint(value * 1e6) / 1e6 + 0.0);
}

/* Assimp turns about the centre of a picture whose rows go up, glTF about the corner of one whose rows go down; this
 * takes back what glTF2Importer.cpp does to the offset. */
static void undo_gltf_transform(struct material_map *map)
{
    double c = cos((double)-map->rotation), s = sin((double)-map->rotation), half[2];
    for (int k = 0; k < 2; k++)
        half[k] = 0.5 * (double)map->scale[k];
    map->offset[0] = rounded((double)map->offset[0] - half[0] * (-c + s + 1));
    map->offset[1] = rounded(half[1] * (s + c - 1) + 1 - (double)map->scale[1] - (double)map->offset[1]);
    map->rotation = rounded((double)-map->rotation);
}

bool read_map(struct conversion *c, const struct aiMaterial *source, unsigned type, unsigned index,
              struct material_map *out, const char **texture)
{
    static const struct material_map plain = {.texture = NO_INDEX, .strength = 1, .scale = {1, 1}};
    static const char *const strengths[] = {_AI_MATKEY_GLTF_SCALE_BASE, _AI_MATKEY_GLTF_STRENGTH_BASE,
                                            "$tex.file.strength", /* of Assimp 5.3 and 5.4 */
                                            _AI_MATKEY_OBJ_BUMPMULT_BASE};
    struct aiString name;
    float t[5]; /* struct aiUVTransform */
    int set;
    *out = plain;
    if (aiGetMaterialString(source, AI_MATKEY_TEXTURE(type, index), &name) != aiReturn_SUCCESS || name.length == 0)
        return false;
    *texture = copy_string(c, &name);
    for (size_t i = 0; i < sizeof strengths / sizeof *strengths; i++)
        get_floats(source, strengths[i], type, index, 1, &out->strength);
    if (get_int(source, AI_MATKEY_UVWSRC(type, index), &set) && set >= 0)
        out->uv = (uint32_t)set;
    out->wrap[0] = wrap_of(source, AI_MATKEY_MAPPINGMODE_U(type, index));
    out->wrap[1] = wrap_of(source, AI_MATKEY_MAPPINGMODE_V(type, index));
    out->filter[0] = filter_of(source, AI_MATKEY_GLTF_MAPPINGFILTER_MIN(type, index));
    out->filter[1] = filter_of(source, AI_MATKEY_GLTF_MAPPINGFILTER_MAG(type, index));
    if (get_floats(source, AI_MATKEY_UVTRANSFORM(type, index), 5, t)) {
        memcpy(out->offset, &t[0], sizeof(vec2));
        memcpy(out->scale, &t[2], sizeof(vec2));
        out->rotation = t[4];
        if (is_gltf(c))
            undo_gltf_transform(out);
    }
    return true;
}

bool read_base_map(struct conversion *c, const struct aiMaterial *source, struct material_map *out,
                   const char **texture)
{
    bool is_there = read_map(c, source, aiTextureType_BASE_COLOR, 0, out, texture) ||
                    read_map(c, source, aiTextureType_DIFFUSE, 0, out, texture);
    out->name = "base colour";
    return is_there;
}

bool map_is_moved(const struct material_map *map)
{
    return map->offset[0] != 0 || map->offset[1] != 0 || map->scale[0] != 1 || map->scale[1] != 1 || map->rotation != 0;
}

static struct material_map *find_map(struct material_map *maps, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(maps[i].name, name) == 0)
            return &maps[i];
    return NULL;
}

static uint32_t gather_maps(struct conversion *c, const struct material *material, const struct aiMaterial *source,
                            struct material_map *maps)
{
    const char *texture;
    uint32_t count = 0;
    if (read_base_map(c, source, &maps[0], &texture))
        count = maps[0].uv > 0 || map_is_moved(&maps[0]) || maps[0].filter[0] || maps[0].filter[1];
    for (size_t i = 0; i < MAP_ROWS; i++) {
        struct material_map *map = &maps[count];
        if (find_map(maps, count, map_rows[i].name) ||
            !read_map(c, source, map_rows[i].type, map_rows[i].index, map, &texture))
            continue;
        map->name = map_rows[i].name;
        map->texture = convert_texture(c, texture, false);
        if (map_rows[i].type != aiTextureType_DIFFUSE || map->texture != material->base_texture)
            count++;
    }
    /* One picture of both is glTF's. */
    struct material_map *metallic = find_map(maps, count, "metallic"), *roughness = find_map(maps, count, "roughness");
    if (metallic && roughness && metallic->texture == roughness->texture) {
        metallic->name = "metallic-roughness";
        memmove(roughness, roughness + 1, (size_t)(&maps[--count] - roughness) * sizeof *roughness);
    }
    return count;
}

/* Assimp 6 works a roughness out of the shininess of FBX. */
static bool is_from_shininess(struct conversion *c, const struct aiMaterial *source, const struct factor *factor)
{
    float shininess;
    return is_format(c, "fbx") && strcmp(factor->name, "roughness factor") == 0 &&
           get_floats(source, AI_MATKEY_SHININESS, 1, &shininess) && shininess >= 0 &&
           fabs((double)factor->values[0] - (1.0 - sqrt((double)shininess) / 10.0)) < 1e-5;
}

static uint32_t gather_factors(struct conversion *c, const struct material *material, const struct aiMaterial *source,
                               struct factor *factors)
{
    uint32_t count = 0;
    for (const struct factor_row *row = factor_rows; row < factor_rows + FACTOR_ROWS; row++) {
        struct factor *factor = &factors[count];
        const float *plain = strcmp(row->name, "diffuse colour") == 0 ? material->base_color : row->plain;
        bool is_plain = true;
        if (!(row->formats & (is_gltf(c) ? GLTF : OTHERS)) ||
            (count > 0 && strcmp(factors[count - 1].name, row->name) == 0))
            continue;
        *factor = (struct factor){.name = row->name, .width = row->width};
        if (!get_floats(source, row->key, row->type, row->index, row->width, factor->values))
            continue;
        for (uint32_t i = 0; i < row->width; i++)
            is_plain = is_plain && fabsf(factor->values[i] - plain[i]) <= 1e-6f;
        count += !is_plain && !is_from_shininess(c, source, factor);
    }
    return count;
}

/*
 * A grey roughness map of its own and a metallic one become one picture as glTF has it: green and blue of the former's
 * pixels. Where materials put different metallic maps to one roughness map the last counts.
 */
static void join_roughness(struct conversion *c, struct material_map *maps, uint32_t count)
{
    const struct material_map *map = find_map(maps, count, "roughness"), *other = find_map(maps, count, "metallic");
    struct texture *to = map ? &c->scene->textures[map->texture] : NULL;
    const struct texture *from = other ? &c->scene->textures[other->texture] : NULL;
    if (!to || !to->rgba || !to->hash || to == from)
        return;
    for (uint64_t y = 0; y < to->height; y++)
        for (uint64_t x = 0; x < to->width; x++) {
            uint8_t *pixel = to->rgba + 4 * (y * to->width + x);
            uint64_t at = from ? y * from->height / to->height * from->width + x * from->width / to->width : 0;
            pixel[2] = from && from->rgba ? from->rgba[4 * at + 2] : 255;
        }
}

bool is_specular_glossy(struct conversion *c, const struct aiMaterial *source)
{
    float ignored;
    return is_gltf(c) && get_floats(source, AI_MATKEY_GLOSSINESS_FACTOR, 1, &ignored);
}

/* Assimp names no model; what only one of them has tells. */
static void convert_shading(struct conversion *c, struct material *material, const struct aiMaterial *source)
{
    float ignored;
    bool is_metallic = is_gltf(c) || get_floats(source, AI_MATKEY_METALLIC_FACTOR, 1, &ignored), is_rough = is_metallic;
    for (uint32_t i = 0; i < material->map_count; i++) {
        is_metallic = is_metallic || strncmp(material->maps[i].name, "metallic", 8) == 0; /* or metallic-roughness */
        is_rough = is_rough || is_metallic || strcmp(material->maps[i].name, "roughness") == 0;
    }
    for (uint32_t i = 0; i < material->factor_count; i++)
        is_rough = is_rough || strcmp(material->factors[i].name, "roughness factor") == 0;
    material->plain_metallic = is_metallic ? 1 : 0;
    material->shading = is_specular_glossy(c, source) ? SHADING_SPECULAR_GLOSSINESS
                        : is_rough                    ? SHADING_METALLIC_ROUGHNESS
                                                      : SHADING_PHONG;
}

void convert_maps(struct conversion *c, struct material *material, const struct aiMaterial *source)
{
    struct material_map maps[MAP_ROWS + 2];
    struct factor factors[FACTOR_ROWS + 1];
    int shading = 0;
    material->map_count = gather_maps(c, material, source, maps);
    material->maps = ARENA_COPIES(c->scene->arena, struct material_map, maps, material->map_count);
    material->factor_count = gather_factors(c, material, source, factors);
    material->factors = ARENA_COPIES(c->scene->arena, struct factor, factors, material->factor_count);
    convert_shading(c, material, source);
    if (c->surfaces)
        join_roughness(c, material->maps, material->map_count);
    material->unlit = get_int(source, AI_MATKEY_SHADING_MODEL, &shading) && shading == aiShadingMode_NoShading;
}
