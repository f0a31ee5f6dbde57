/* Numbers of materials' extensions that Assimp does not read before 5.3 or 6. Textures of these stay lost. */
#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *factor; /* as convert_maps.c calls it */
    const char *extension, *key;
    uint32_t width;
    float plain;
} rows[] = {
    {"specular colour", "KHR_materials_specular", "specularColorFactor", 3, 1},
    {"specular factor", "KHR_materials_specular", "specularFactor", 1, 1},
    {"emissive strength", "KHR_materials_emissive_strength", "emissiveStrength", 1, 1},
    {"anisotropy", "KHR_materials_anisotropy", "anisotropyStrength", 1, 0},
    {"anisotropy rotation", "KHR_materials_anisotropy", "anisotropyRotation", 1, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* False: not there, not finite numbers, or the default. */
static bool read_factor(const json_t *extensions, size_t row, struct factor *out)
{
    const json_t *value = json_object_get(json_object_get(extensions, rows[row].extension), rows[row].key);
    bool is_plain = true;
    *out = (struct factor){.name = rows[row].factor, .width = rows[row].width};
    for (uint32_t i = 0; i < out->width; i++) {
        const json_t *number = out->width == 1 ? value : json_array_get(value, i);
        out->values[i] = (float)json_number_value(number);
        if (!json_is_number(number) || !isfinite(out->values[i]))
            return false;
        is_plain = is_plain && fabsf(out->values[i] - rows[row].plain) <= 1e-6f;
    }
    return !is_plain;
}

/* Returns how many numbers were lost. */
static uint32_t fix_material(const struct gltf_repair *repair, struct material *material, const json_t *extensions)
{
    struct factor *factors = ARENA_NEW(repair->c->scene->arena, struct factor, material->factor_count + ROWS);
    uint32_t count = material->factor_count;
    if (count > 0)
        memcpy(factors, material->factors, count * sizeof *factors);
    for (size_t row = 0; row < ROWS; row++) {
        bool is_there = false;
        for (uint32_t i = 0; i < material->factor_count; i++)
            is_there = is_there || strcmp(material->factors[i].name, rows[row].factor) == 0;
        if (!is_there && read_factor(extensions, row, &factors[count]))
            count++;
    }
    uint32_t added = count - material->factor_count;
    material->factors = factors;
    material->factor_count = count;
    return added;
}

void gltf_fix_materials(const struct gltf_repair *repair)
{
    struct scene *scene = repair->c->scene;
    bool *fixed = ARENA_NEW(scene->arena, bool, scene->material_count);
    const char *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; repair->is_mapped && i < scene->mesh_count; i++) {
        struct material *material = &scene->materials[scene->meshes[i].material];
        int32_t in_file = gltf_index(repair->uses[i].primitive, "material");
        const json_t *extensions = json_object_get(gltf_item(repair->file, "materials", in_file), "extensions");
        uint32_t added = 0;
        if (extensions && !fixed[scene->meshes[i].material])
            added = fix_material(repair, material, extensions);
        fixed[scene->meshes[i].material] = true;
        if (added > 0 && !first)
            first = material->factors[material->factor_count - added].name;
        count += added;
    }
    if (count > 0)
        scene_note(scene, NOTE_REPAIR, "gltf-materials",
                   "%u number%s of materials' extensions read from the file: %s%s", count, count > 1 ? "s" : "", first,
                   count > 1 ? " and so on" : "");
}
