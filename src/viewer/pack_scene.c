#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "data/image/image.h"
#include "data/record/snapshot.h"
#include "data/scene/surface.h"
#include "viewer/packer.h"

static void pack_nodes(struct packer *packer, const struct scene *scene)
{
    const size_t count = scene->node_count;
    FREED uint32_t *parents = memory_new(count, sizeof *parents);
    FREED float(*parts)[10] = memory_new(count, sizeof *parts);
    FREED uint8_t(*colors)[3] = memory_new(count, sizeof *colors);
    FREED bool *joints = memory_new(count, sizeof *joints);
    FREED uint32_t *flat = memory_new(3 * count, sizeof *flat), *flags = memory_new(count, sizeof *flags);
    bone_colors(scene, colors);
    scene_joints(scene, joints);
    json_open_object(&packer->json, "nodes", JSON_LINES);
    json_open_array(&packer->json, "names", JSON_INLINE);
    for (size_t n = 0; n < count; n++) {
        const struct node *node = &scene->nodes[n];
        json_add_string(&packer->json, NULL, node->name);
        parents[n] = (uint32_t)(node->parent + 1);
        memcpy(parts[n], node->rest.translation, sizeof node->rest.translation);
        memcpy(parts[n] + 3, node->rest.rotation, sizeof node->rest.rotation);
        memcpy(parts[n] + 7, node->rest.scale, sizeof node->rest.scale);
        flags[n] = (uint32_t)joints[n] + 2u * node->is_bone;
        for (int i = 0; i < 3; i++)
            flat[3 * n + (size_t)i] = colors[n][i];
    }
    json_close(&packer->json);
    pack_indices(packer, "parents", parents, count); /* 0: none; else one more than the index */
    pack_matrices(packer, "local_to_parent", scene->nodes->local_to_parent, sizeof *scene->nodes, count);
    pack_floats(packer, "rest", parts[0], 10 * count, 10, EXACT);
    pack_indices(packer, "colors", flat, 3 * count);
    pack_indices(packer, "flags", flags, count);
    json_close(&packer->json);
}

static void pack_instances(struct packer *packer, const struct scene *scene)
{
    struct json_writer *json = &packer->json;
    json_open_array(json, "instances", JSON_LINES);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_int(json, "mesh", instance->mesh);
        json_add_int(json, "node", instance->node);
        json_add_int(json, "first_binding", instance->first_binding);
        json_add_int(json, "first_weight", instance->first_weight);
        json_open_array(json, "weights", JSON_INLINE);
        for (uint32_t t = 0; t < mesh->target_count; t++)
            json_add_float(json, NULL, instance->weights ? instance->weights[t] : mesh->targets[t].default_weight);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void pack_map(struct packer *packer, const char *key, const struct surface_map *map)
{
    struct json_writer *json = &packer->json;
    if (map->texture == NO_INDEX)
        return;
    json_open_object(json, key, JSON_INLINE);
    json_add_int(json, "texture", map->texture);
    json_add_int(json, "uv", map->uv);
    json_add_floats(json, "to_texture", map->to_texture[0], 6);
    json_add_float(json, "strength", map->strength);
    json_add_string(json, "wrap_u", wrap_words[map->wrap[0]]);
    json_add_string(json, "wrap_v", wrap_words[map->wrap[1]]);
    json_close(json);
}

/* `texture` is what all views but studio draw, plainly; the rest is as surface_of() has it. */
static void pack_material(struct packer *packer, const struct scene *scene, const struct material *material)
{
    static const char *const slots[SURFACE_SLOTS] = {
        "base", "metallic_roughness", "specular", "normal", "occlusion", "emissive", "coat", "coat_roughness",
        "coat_normal"};
    struct json_writer *json = &packer->json;
    struct surface surface;
    surface_of(scene, material, &surface);
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", material->name);
    json_add_floats(json, "color", material->base_color, 4);
    json_add_int(json, "texture", material->base_texture);
    json_add_string(json, "wrap_u", wrap_words[material->wrap[0]]);
    json_add_string(json, "wrap_v", wrap_words[material->wrap[1]]);
    json_add_string(json, "alpha", alpha_words[material->alpha_mode]);
    json_add_float(json, "cutoff", material->alpha_cutoff);
    json_add_bool(json, "two_sided", material->two_sided);
    json_add_bool(json, "unlit", surface.unlit);
    json_add_floats(json, "surface_color", surface.base_color, 4);
    json_add_floats(json, "emissive", surface.emissive, 3);
    json_add_float(json, "metallic", surface.metallic);
    json_add_float(json, "roughness", surface.roughness);
    json_add_floats(json, "specular", surface.specular, 3);
    json_add_bool(json, "is_specular_glossy", surface.is_specular_glossy);
    json_add_float(json, "coat", surface.coat);
    json_add_float(json, "coat_roughness", surface.coat_roughness);
    json_open_object(json, "maps", JSON_LINES);
    for (int slot = 0; slot < SURFACE_SLOTS; slot++)
        pack_map(packer, slots[slot], &surface.maps[slot]);
    json_close(json);
    json_close(json);
}

static void pack_materials(struct packer *packer, const struct scene *scene)
{
    json_open_array(&packer->json, "materials", JSON_LINES);
    for (uint32_t m = 0; m < scene->material_count; m++)
        pack_material(packer, scene, &scene->materials[m]);
    json_close(&packer->json);
}

/* Half as wide and high: means of four, by alpha, so that clear pixels have no say. Odd rows at the end are left. */
static void halve(struct image *image)
{
    const uint32_t width = image->width > 1 ? image->width / 2 : 1, height = image->height > 1 ? image->height / 2 : 1;
    const uint32_t right = image->width > 1 ? 2 : 1, down = image->height > 1 ? 2 : 1;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) /* in place: what is written was read before */
            image_mean(image, right * x, right * (x + 1), down * y, down * (y + 1),
                       image->rgba + 4 * ((size_t)y * width + x));
    image->width = width;
    image->height = height;
}

/* Returns which texture of the first model has the same texels, or NO_INDEX. */
static int32_t find_shared(const struct packer *packer, const struct texture *texture)
{
    const bool may_be = packer->first && packer->form == VIEWER_WHOLE && texture->rgba;
    for (uint32_t t = 0; may_be && t < packer->first->texture_count; t++) {
        const struct texture *other = &packer->first->textures[t];
        if (other->rgba && other->width == texture->width && other->height == texture->height &&
            memcmp(other->rgba, texture->rgba, 4 * (size_t)other->width * other->height) == 0)
            return (int32_t)t;
    }
    return NO_INDEX;
}

/* As a data URI: the file as it is stored where that is small enough, else a PNG; null where no material draws it; its
 * number in the first model where that has it. */
static void pack_texture(struct packer *packer, const struct texture *texture)
{
    const int32_t shared = find_shared(packer, texture);
    if (shared != NO_INDEX) {
        json_add_int(&packer->json, NULL, shared);
        return;
    }
    const uint32_t most = packer->most_texels;
    struct image image = {texture->width, texture->height, texture->rgba}, copy = {0};
    SCOPED(text) png = {0}, uri = {0};
    const bool is_wanted = texture->rgba && packer->form == VIEWER_WHOLE,
               is_large = image.width > most || image.height > most;
    if (is_wanted && is_large) {
        const size_t size = 4 * (size_t)image.width * image.height;
        copy = image;
        copy.rgba = memory_unset(size);
        memcpy(copy.rgba, image.rgba, size);
        while (copy.width > most || copy.height > most)
            halve(&copy);
        image = copy;
    }
    if (is_wanted && !is_large && texture->file) {
        text_addf(&uri, "data:image/%s;base64,", texture->file[0] == 0xFF ? "jpeg" : "png");
        text_add_base64(&uri, texture->file, texture->file_size);
    } else if (is_wanted && image_encode_png(&image, PNG_GOLDEN, &png, ERROR_IGNORED)) {
        text_add(&uri, "data:image/png;base64,");
        text_add_base64(&uri, png.data, png.size);
    }
    json_add_string(&packer->json, NULL, uri.size ? text_string(&uri) : NULL);
    free(copy.rgba);
}

void pack_scene(struct packer *packer, const struct scene *scene, bool has_clips)
{
    struct json_writer *json = &packer->json;
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", path_base(scene->path));
    pack_nodes(packer, scene);
    json_open_array(json, "meshes", JSON_LINES);
    for (uint32_t m = 0; m < scene->mesh_count; m++)
        pack_mesh(packer, &scene->meshes[m]);
    json_close(json);
    pack_instances(packer, scene);
    pack_materials(packer, scene);
    json_open_array(json, "textures", JSON_LINES);
    for (uint32_t t = 0; t < scene->texture_count; t++)
        pack_texture(packer, &scene->textures[t]);
    json_close(json);
    json_open_array(json, "clips", JSON_LINES);
    for (uint32_t c = 0; has_clips && c < scene->clip_count; c++)
        pack_clip(packer, &scene->clips[c]);
    json_close(json);
    json_close(json);
}
