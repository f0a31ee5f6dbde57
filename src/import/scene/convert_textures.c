#include "import/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "data/image/image.h"

/* ---- where the pixels come from ---------------------------------------------------------------------------------- */

static bool keep_image(struct conversion *c, struct texture *texture, struct image *image)
{
    size_t size = (size_t)4 * image->width * image->height;
    texture->width = image->width;
    texture->height = image->height;
    texture->rgba = ARENA_NEW(c->scene->arena, uint8_t, size);
    memcpy(texture->rgba, image->rgba, size);
    image_release(image);
    return true;
}

static void make_checker(struct conversion *c, struct texture *texture)
{
    enum { SIZE = 64, FIELD = 8 };
    texture->missing = true;
    texture->width = SIZE;
    texture->height = SIZE;
    texture->rgba = ARENA_NEW(c->scene->arena, uint8_t, (size_t)4 * SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) {
        bool odd = (i % SIZE / FIELD + i / SIZE / FIELD) % 2;
        uint8_t *p = texture->rgba + (size_t)4 * (size_t)i;
        p[0] = p[2] = odd ? 255 : 96;
        p[1] = odd ? 0 : 96;
        p[3] = 255;
    }
}

/* Raw texels: blue, green, red, alpha in memory. */
static bool copy_texels(struct conversion *c, struct texture *texture, const struct aiTexture *source)
{
    size_t count = (size_t)source->mWidth * source->mHeight;
    if (count == 0 || !source->pcData)
        return false;
    texture->width = source->mWidth;
    texture->height = source->mHeight;
    texture->rgba = ARENA_NEW(c->scene->arena, uint8_t, 4 * count);
    for (size_t i = 0; i < count; i++) {
        const struct aiTexel *texel = &source->pcData[i];
        const uint8_t rgba[4] = {texel->r, texel->g, texel->b, texel->a};
        memcpy(texture->rgba + 4 * i, rgba, sizeof rgba);
    }
    return true;
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

/*
 * A file beside the model: by the name as it is stored, by the name as an URI (glTF, COLLADA), and by its base name in the
 * model's own folder, for files often store the path of the machine they were made on. Never outside the
 * model's folder.
 */
static bool find_file(const struct conversion *c, const char *name, char **path, bool *outside)
{
    const char *model = c->scene->path;
    bool refused;
    if (path_inside_model_tree(model, name, path, outside))
        return true;
    char *decoded = memory_new(strlen(name) + 1, 1);
    if (decode_percent(name, (unsigned char *)decoded) != strlen(decoded)) /* it has a NUL */
        memcpy(decoded, name, strlen(name) + 1);
    bool found = path_inside_model_tree(model, decoded, path, &refused);
    *outside = *outside || refused;
    if (!found)
        found = path_inside_model_tree(model, path_base(decoded), path, &refused);
    free(decoded);
    return found;
}

static bool read_texture(struct conversion *c, struct texture *texture, struct error *why)
{
    struct image image;
    char *path = NULL;
    bool outside = false;
    const struct aiTexture *embedded = find_embedded(c, texture->name);
    if (embedded && embedded->mHeight > 0)
        return copy_texels(c, texture, embedded) || error_set(why, "it is empty");
    if (embedded &&
        (!embedded->pcData || !image_decode(&image, embedded->pcData, embedded->mWidth, texture->name, why)))
        return error_set(why, "it is empty");
    if (!embedded && !find_file(c, texture->name, &path, &outside))
        return error_set(why, outside ? "it is outside the model's folder" : "there is no such file");
    bool good = embedded || image_read(&image, path, why);
    free(path);
    return good && keep_image(c, texture, &image);
}

int32_t convert_texture(struct conversion *c, const char *name)
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
    if (!read_texture(c, texture, &why)) {
        scene_note(scene, NOTE_WARNING, "texture", "texture \"%s\" cannot be read, a checker stands for it: %s", plain,
                   why.text);
        make_checker(c, texture);
    }
    return (int32_t)scene->texture_count++;
}
