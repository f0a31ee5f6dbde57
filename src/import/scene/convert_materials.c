#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/GltfMaterial.h>
#include <assimp/commonMetaData.h>
#include <assimp/material.h>

#include "base/file/file.h"
#include "data/image/image.h"

/* Room for the texture's pixels. */
static uint8_t *new_pixels(struct conversion *c, struct texture *texture, uint32_t width, uint32_t height)
{
    texture->width = width;
    texture->height = height;
    return texture->rgba = ARENA_NEW(c->scene->arena, uint8_t, (size_t)4 * width * height);
}

static void use_slashes(char *path)
{
    for (; *path; path++)
        *path = *path == '\\' ? '/' : *path;
}

/* "*3" means the third embedded texture; FBX refers to them by the name of the file they were. */
static const struct aiTexture *find_embedded(const struct conversion *c, const char *name)
{
    const struct aiScene *source = c->source;
    if (name[0] == '*') {
        char *end;
        unsigned long index = strtoul(name + 1, &end, 10);
        return *end == '\0' && end != name + 1 && index < source->mNumTextures ? source->mTextures[index] : NULL;
    }
    const char *base = path_base(name);
    for (unsigned i = 0; i < source->mNumTextures; i++) {
        char stored[sizeof source->mTextures[i]->mFilename.data];
        memcpy(stored, source->mTextures[i]->mFilename.data, sizeof stored);
        stored[sizeof stored - 1] = '\0';
        use_slashes(stored);
        if (stored[0] && (strcmp(stored, name) == 0 || strcmp(path_base(stored), base) == 0))
            return source->mTextures[i];
    }
    return NULL;
}

/* A file in the model's folder, which is where the model really is; listed whether it is there or not, and also
 * where a link leads out of there today. */
static bool look_for(struct conversion *c, const char *name, char **path, bool *outside)
{
    struct scene *scene = c->scene;
    bool refused;
    bool found = path_inside_model_tree(scene->path, name, path, &refused);
    FREED char *model = path_beside_links(scene->path);
    const int folder = *name == '/' ? 0 : (int)(path_base(model) - model);
    if (*name && !(refused && path_leads_out(name)))
        scene_add_file(scene, arena_printf(scene->arena, "%.*s%s", folder, model, name));
    *outside = *outside || refused;
    return found;
}

/*
 * By the name as it is stored, by the name as an URI (glTF, COLLADA), and by its base name, for files often store the
 * path of the machine they were made on.
 */
static bool find_file(struct conversion *c, const char *name, char **path, bool *outside)
{
    if (look_for(c, name, path, outside))
        return true;
    FREED char *decoded = memory_new(strlen(name) + 1, 1);
    if (decode_percent(name, (unsigned char *)decoded) != strlen(decoded)) /* it has a NUL */
        memcpy(decoded, name, strlen(name) + 1);
    return (strcmp(name, decoded) != 0 && look_for(c, decoded, path, outside)) ||
           (strcmp(decoded, path_base(decoded)) != 0 && look_for(c, path_base(decoded), path, outside));
}

/* Pixels of raw texels or of a picture's file. */
static bool decode_texture(struct conversion *c, struct texture *texture, const struct aiTexture *raw, const void *data,
                           size_t size, const char *path, struct error *why)
{
    SCOPED(image) image = {0};
    if (raw) {
        uint8_t *p = new_pixels(c, texture, raw->mWidth, raw->mHeight);
        for (size_t i = 0; i < (size_t)raw->mWidth * raw->mHeight; i++, p += 4) {
            const struct aiTexel *texel = &raw->pcData[i]; /* blue first in memory */
            memcpy(p, (const uint8_t[4]){texel->r, texel->g, texel->b, texel->a}, 4);
        }
        return true;
    }
    if (!image_decode(&image, data, size, path ? path : texture->name, why))
        return false;
    memcpy(new_pixels(c, texture, image.width, image.height), image.rgba, (size_t)4 * image.width * image.height);
    return true;
}

/* The bytes of a PNG or a JPEG, for who hands them on: a page has no need of another file than the artist's. */
static void keep_file(struct conversion *c, struct texture *texture, const void *data, size_t size)
{
    const bool is_png = size > 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0;
    if (!is_png && !(size > 3 && memcmp(data, "\xff\xd8\xff", 3) == 0))
        return;
    uint8_t *copy = ARENA_COPIES(c->scene->arena, uint8_t, data, size);
    texture->file = copy;
    texture->file_size = size;
}

/* A texture that is no base texture is a hash and a size: to decode it would take longer than all else, and a normal
 * map that has green upside down has about the same means. Where surfaces are asked for it has pixels as well, if
 * they can be had. */
static bool read_texture(struct conversion *c, struct texture *texture, bool is_base, struct error *why)
{
    enum { LARGEST = 1 << 30 };
    SCOPED(blob) file = {0};
    char *path = NULL, hash[17];
    bool outside = false;
    const struct aiTexture *embedded = find_embedded(c, texture->name);
    const bool is_raw = embedded && embedded->mHeight > 0;
    const bool is_beside = !embedded && find_file(c, texture->name, &path, &outside);
    if (embedded && (!embedded->pcData || embedded->mWidth == 0))
        return error_set(why, "it is empty");
    if (!embedded && !is_beside)
        return error_set(why, outside ? "it is outside the model's folder" : "there is no such file");
    if (path && file_is_lfs_pointer(path)) /* without its path, which import.json is not to hold */
        error_set(why, "it " LFS_POINTER);
    bool good = embedded || file_read(path, LARGEST, &file, why);
    const void *data = embedded ? (const void *)embedded->pcData : file.data;
    size_t size = is_raw     ? (size_t)embedded->mWidth * embedded->mHeight * sizeof *embedded->pcData
                  : embedded ? embedded->mWidth
                             : file.size;
    if (good && size == 0)
        good = error_set(why, "it is empty");
    if (good && is_base) {
        good = decode_texture(c, texture, is_raw ? embedded : NULL, data, size, path, why);
    } else if (good) {
        struct error undrawn = {0};
        bytes_hash(data, size, hash);
        texture->hash = arena_string(c->scene->arena, hash);
        texture->width = is_raw ? embedded->mWidth : 0;
        texture->height = is_raw ? embedded->mHeight : 0;
        if (!is_raw)
            image_size(data, size, &texture->width, &texture->height);
        if (c->surfaces && !decode_texture(c, texture, is_raw ? embedded : NULL, data, size, path, &undrawn))
            warn(c, "texture", "texture \"%s\" is not drawn: %s", texture->name, undrawn.text);
    }
    if (good && c->surfaces && !is_raw && texture->rgba)
        keep_file(c, texture, data, size);
    free(path);
    return good;
}

int32_t convert_texture(struct conversion *c, const char *name, bool is_base)
{
    struct scene *scene = c->scene;
    char *plain = arena_string(scene->arena, name);
    use_slashes(plain);
    for (uint32_t i = 0; i < scene->texture_count; i++)
        if (strcmp(scene->textures[i].name, plain) == 0)
            return (int32_t)i;
    struct texture *texture = &scene->textures[scene->texture_count];
    texture->name = plain;
    struct error why = {0};
    if (!read_texture(c, texture, is_base, &why)) {
        scene_note(scene, NOTE_WARNING, "texture", "texture \"%s\" cannot be read%s: %s", plain,
                   is_base ? ", a checker stands for it" : "", why.text);
        enum { SIZE = 64, FIELD = 8 };
        uint8_t *p = is_base ? new_pixels(c, texture, SIZE, SIZE) : NULL;
        texture->missing = true;
        for (int i = 0; p && i < SIZE * SIZE; i++, p += 4) {
            bool odd = (i % SIZE / FIELD + i / SIZE / FIELD) % 2;
            p[0] = p[2] = odd ? 255 : 96;
            p[1] = odd ? 0 : 96;
            p[3] = 255;
        }
    }
    return (int32_t)scene->texture_count++;
}

static void convert_base_texture(struct conversion *c, struct material *material, const struct aiMaterial *source)
{
    struct material_map map;
    const char *texture;
    bool is_there = read_base_map(c, source, &map, &texture);
    material->base_texture = is_there ? convert_texture(c, texture, true) : NO_INDEX;
    if (!is_there)
        return;
    memcpy(material->wrap, map.wrap, sizeof map.wrap);
    if (map_is_moved(&map) && !c->surfaces)
        warn(c, "texture-transform",
             "material \"%s\": the texture is moved, turned or scaled on the surface, which is not drawn",
             material->name);
}

/*
 * glTF's base colour is linear. A classic diffuse colour is what a person picked on a screen: sRGB. Where FBX
 * and COLLADA have a texture it takes the colour's place, and the colour that Assimp reports is a default.
 */
static void convert_color(struct conversion *c, struct material *material, const struct aiMaterial *source)
{
    struct aiColor4D color = {1, 1, 1, 1};
    bool has_base =
        !is_specular_glossy(c, source) && aiGetMaterialColor(source, AI_MATKEY_BASE_COLOR, &color) == aiReturn_SUCCESS;
    if (!has_base && aiGetMaterialColor(source, AI_MATKEY_COLOR_DIFFUSE, &color) != aiReturn_SUCCESS)
        color = (struct aiColor4D){0.8f, 0.8f, 0.8f, 1};
    bool replaced = material->base_texture != NO_INDEX && (is_format(c, "fbx") || is_format(c, "dae"));
    /* Blender writes its linear colours as they are, into formats that mean sRGB, too. */
    const struct aiMetadataEntry *entry = metadata_of(c, AI_METADATA_SOURCE_GENERATOR);
    bool is_from_blender =
        entry && entry->mType == AI_AISTRING && strstr(((const struct aiString *)entry->mData)->data, "Blender");
    bool is_linear = is_gltf(c) || is_from_blender;
    const float rgb[3] = {color.r, color.g, color.b};
    for (int i = 0; i < 3; i++) {
        float x = is_linear ? rgb[i] : srgb_to_linear(rgb[i]);
        material->base_color[i] = replaced || !isfinite(x) ? 1.0f : x;
    }
    material->base_color[3] = is_gltf(c) && isfinite(color.a) ? color.a : 1.0f;
}

/* Other formats have an opacity; 0 is what exporters write who mean 1 minus it. Holes in a texture are cut out. */
static void convert_opacity(struct conversion *c, struct material *material, const struct aiMaterial *source)
{
    float opacity = 1.0f;
    get_floats(source, AI_MATKEY_OPACITY, 1, &opacity);
    if (opacity <= 0.0f) {
        warn(c, "opacity", "material \"%s\" has opacity 0, which is taken for opaque", material->name);
        opacity = 1.0f;
    }
    material->base_color[3] = opacity < 1.0f ? opacity : 1.0f;
    if (opacity < 1.0f)
        material->alpha_mode = ALPHA_BLEND;
    if (opacity < 1.0f || material->base_texture == NO_INDEX)
        return;
    const struct texture *texture = &c->scene->textures[material->base_texture];
    for (size_t i = 0; i < (size_t)texture->width * texture->height && material->alpha_mode != ALPHA_MASK; i++)
        if (texture->rgba[4 * i + 3] < 128)
            material->alpha_mode = ALPHA_MASK;
}

static void convert_material(struct conversion *c, uint32_t index, const struct aiMaterial *source)
{
    struct material *material = &c->scene->materials[index];
    struct aiString name;
    int two_sided = 1;
    bool named = aiGetMaterialString(source, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS && name.length > 0;
    material->name = named ? copy_string(c, &name) : arena_printf(c->scene->arena, "material %u", index);
    convert_base_texture(c, material, source);
    convert_color(c, material, source);
    material->alpha_cutoff = 0.5f;
    if (is_gltf(c)) {
        struct aiString mode = {0};
        get_floats(source, AI_MATKEY_GLTF_ALPHACUTOFF, 1, &material->alpha_cutoff);
        aiGetMaterialString(source, AI_MATKEY_GLTF_ALPHAMODE, &mode);
        material->alpha_mode = ALPHA_OPAQUE;
        if (strcmp(mode.data, "MASK") == 0)
            material->alpha_mode = ALPHA_MASK;
        else if (strcmp(mode.data, "BLEND") == 0)
            material->alpha_mode = ALPHA_BLEND;
    } else {
        convert_opacity(c, material, source);
    }
    get_int(source, AI_MATKEY_TWOSIDED, &two_sided);
    material->two_sided = two_sided != 0 || is_format(c, "dae"); /* whose importer writes 0 for nothing, too */
}

void convert_materials(struct conversion *c)
{
    struct scene *scene = c->scene;
    uint32_t count = c->source->mNumMaterials;
    scene->material_count = count ? count : 1;
    scene->materials = ARENA_NEW(scene->arena, struct material, scene->material_count);
    size_t most = 1;
    for (uint32_t i = 0; i < count; i++)
        most += c->source->mMaterials[i]->mNumProperties; /* a texture is one of them */
    scene->textures = ARENA_NEW(scene->arena, struct texture, most);
    for (uint32_t i = 0; i < count; i++)
        convert_material(c, i, c->source->mMaterials[i]);
    for (uint32_t i = 0; i < count; i++) /* what is drawn comes first */
        convert_maps(c, &scene->materials[i], c->source->mMaterials[i]);
    if (count == 0)
        scene->materials[0] = (struct material){
            .name = "default", .base_color = {0.6f, 0.6f, 0.6f, 1}, .base_texture = NO_INDEX, .two_sided = true};
}
