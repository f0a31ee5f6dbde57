#include "import/gltf/gltf_repair.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int32_t gltf_scene_node(const struct gltf_repair *repair, int32_t file_node)
{
    return repair->is_mapped && file_node >= 0 && (uint32_t)file_node < repair->file_node_count
               ? repair->scene_node[file_node]
               : NO_INDEX;
}

/* A node of the file that is still to be walked, and the scene node that its parent became. */
struct pending {
    int32_t file_node, parent;
};

/* Puts children where the first one is taken next; an element that is no index is no child, as in Assimp. */
static bool push_children(const json_t *children, int32_t parent, struct pending *stack, uint32_t *height,
                          uint32_t most)
{
    for (size_t i = json_array_size(children); i > 0; i--) {
        int32_t child = gltf_index_at(children, i - 1);
        if (child != GLTF_NONE && *height >= most)
            return false;
        if (child != GLTF_NONE)
            stack[(*height)++] = (struct pending){child, parent};
    }
    return true;
}

/*
 * Both trees in pre-order; false when they differ in shape or in a name. The scene Assimp reads is the default one, or
 * the first. With one root that is Assimp's root; else one is added.
 */
static bool walk_trees(const struct gltf_repair *repair, struct pending *stack)
{
    const struct scene *scene = repair->c->scene;
    int32_t index = gltf_index(repair->file->root, "scene");
    const json_t *roots = json_object_get(gltf_item(repair->file, "scenes", index == GLTF_NONE ? 0 : index), "nodes");
    uint32_t height = 0, visited = 0, root_count = 0;
    for (size_t i = 0; i < json_array_size(roots); i++)
        root_count += gltf_index_at(roots, i) != GLTF_NONE;
    visited = root_count != 1;
    if (!push_children(roots, visited ? 0 : NO_INDEX, stack, &height, scene->node_count))
        return false;
    while (height > 0) {
        char buffer[32];
        struct pending next = stack[--height];
        uint32_t own = visited++;
        const json_t *json = gltf_item(repair->file, "nodes", next.file_node);
        if (own >= scene->node_count || !json || scene->nodes[own].parent != next.parent ||
            !gltf_names_agree(gltf_node_name(repair->file, next.file_node, buffer), scene->nodes[own].name))
            return false;
        repair->file_node[own] = next.file_node;
        if (repair->scene_node[next.file_node] == NO_INDEX)
            repair->scene_node[next.file_node] = (int32_t)own;
        if (!push_children(json_object_get(json, "children"), (int32_t)own, stack, &height, scene->node_count))
            return false;
    }
    return visited == scene->node_count;
}

static int32_t *filled(struct arena *arena, size_t count, int32_t value)
{
    int32_t *list = ARENA_NEW(arena, int32_t, count);
    for (size_t i = 0; i < count; i++)
        list[i] = value;
    return list;
}

/* Assimp made one mesh of each primitive of a node's mesh. */
static void make_map(struct gltf_repair *repair)
{
    const struct scene *scene = repair->c->scene;
    repair->file_node_count = (uint32_t)gltf_count(repair->file, "nodes");
    repair->scene_node = filled(scene->arena, repair->file_node_count, NO_INDEX);
    repair->file_node = filled(scene->arena, scene->node_count, GLTF_NONE);
    repair->uses = ARENA_NEW(scene->arena, struct gltf_mesh_use, scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        repair->uses[i].skin = GLTF_NONE;
    FREED struct pending *stack = memory_new(scene->node_count, sizeof *stack);
    repair->is_mapped = walk_trees(repair, stack);
    for (uint32_t n = 0; n < scene->node_count && repair->is_mapped; n++) {
        const struct aiNode *assimp = repair->c->nodes[n];
        const json_t *json = gltf_item(repair->file, "nodes", repair->file_node[n]);
        const json_t *mesh = gltf_item(repair->file, "meshes", gltf_index(json, "mesh"));
        const json_t *primitives = json_object_get(mesh, "primitives");
        int32_t skin = gltf_index(json, "skin");
        if (json_array_size(primitives) != assimp->mNumMeshes)
            continue;
        for (uint32_t p = 0; p < assimp->mNumMeshes; p++) {
            struct gltf_mesh_use *use = &repair->uses[assimp->mMeshes[p]];
            bool is_first = !use->primitive;
            assert(assimp->mMeshes[p] < scene->mesh_count); /* convert_instances() has looked */
            use->primitive = json_array_get(primitives, p);
            use->skin = is_first || use->skin == skin ? skin : GLTF_NONE;
        }
    }
}

/* As many finite numbers as the mesh has targets. */
static void fix_rest(const struct gltf_repair *repair)
{
    struct scene *scene = repair->c->scene;
    for (uint32_t i = 0; repair->is_mapped && i < scene->instance_count; i++) {
        struct instance *instance = &scene->instances[i];
        const uint32_t count = scene->meshes[instance->mesh].target_count;
        const json_t *node = gltf_item(repair->file, "nodes", repair->file_node[instance->node]);
        const json_t *list = json_object_get(node, "weights");
        bool good = count > 0 && json_array_size(list) == count;
        float *weights = ARENA_NEW(scene->arena, float, good ? count : 0);
        for (uint32_t t = 0; t < count && good; t++) {
            const json_t *number = json_array_get(list, t);
            weights[t] = (float)json_number_value(number);
            good = json_is_number(number) && fabsf(weights[t]) <= 1e9f;
        }
        if (!good)
            continue;
        instance->weights = weights;
        scene_note(scene, NOTE_REPAIR, "gltf-morph", "node \"%s\": its own morph weights at rest read from the file",
                   scene->nodes[instance->node].name);
    }
}

/* Numbers of materials' extensions that Assimp does not read before 5.3 or 6. Textures of these stay lost. */
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

static void fix_materials(const struct gltf_repair *repair)
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

void gltf_fix(struct conversion *c)
{
    struct gltf_repair repair = {.c = c, .file = gltf_of(c), .effects = assimp_flags_effects(c->flags)};
    const char *unread = "nodes and meshes are found by name, not by index: the nodes are not those of the file";
    if (!repair.file)
        warn(c, GLTF_UNREAD, "the file could not be read again, its known faults are not repaired: %s", c->problem);
    if (!repair.file || !gltf_is_version_2(repair.file))
        return;
    if (repair.effects & CHANGES_MESHES)
        unread = "repairs that go by the index of a mesh or a node are left out: --assimp-flags has rearranged them";
    else
        make_map(&repair);
    if (!repair.is_mapped)
        warn(c, GLTF_UNREAD, "%s", unread);
    gltf_fix_clips(&repair);
    if (c->repairs & REPAIR_NAME_CLASH)
        gltf_fix_joints(&repair);
    if (c->repairs & REPAIR_GLTF_MORPH)
        fix_rest(&repair);
    if (c->repairs & REPAIR_GLTF_MATERIALS)
        fix_materials(&repair);
    gltf_check(&repair);
}
