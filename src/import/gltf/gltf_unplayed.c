/* Names what a file holds that is not played or drawn, each once. */
#include "import/gltf/gltf_repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/library.h"

/* Says how much of an extension is read and drawn, by Assimp 5.2 to 6.0 and beside it. */
enum honour {
    ALL,    /* wherever it is; or nothing of it is in a pose or a picture */
    BUT,    /* all but these members of its objects, where one is not zero */
    IMAGES, /* not the pictures; an ordinary one beside it is drawn */
    CODE,   /* not what is encoded; numbers beside it are read */
};

// clang-format off
static const struct extension {
    const char *name;
    enum honour honour;
    const char *members[2];
    const char *command; /* of gltf-transform: writes the file without it */
} extensions[] = {
    {"KHR_animation_pointer", ALL}, /* what is left of it gltf_resolve_pointers() lists */
    {"KHR_draco_mesh_compression", ALL, .command = "copy"}, /* where Assimp was built with it */
    {"KHR_materials_clearcoat", ALL}, {"KHR_materials_emissive_strength", ALL}, {"KHR_materials_ior", ALL},
    {"KHR_materials_pbrSpecularGlossiness", ALL}, {"KHR_materials_unlit", ALL}, {"KHR_mesh_quantization", ALL},
    {"KHR_texture_transform", ALL},
    {"EXT_meshopt_compression", CODE, .command = "copy"}, {"KHR_meshopt_compression", CODE, .command = "copy"},
    {"EXT_texture_avif", IMAGES, .command = "png"}, {"EXT_texture_webp", IMAGES, .command = "png"},
    {"KHR_texture_basisu", IMAGES, .command = "ktxdecompress"}, {"MSFT_texture_dds", IMAGES},
    {"EXT_mesh_gpu_instancing", BUT, {"attributes"}},
    {"KHR_lights_punctual", BUT, {"lights"}},
    {"KHR_materials_anisotropy", BUT, {"anisotropyStrength"}},
    {"KHR_materials_diffuse_transmission", BUT, {"diffuseTransmissionFactor"}},
    {"KHR_materials_dispersion", BUT, {"dispersion"}},
    {"KHR_materials_iridescence", BUT, {"iridescenceFactor"}},
    {"KHR_materials_sheen", BUT, {"sheenColorFactor"}},
    {"KHR_materials_specular", BUT, {"specularTexture", "specularColorTexture"}},
    {"KHR_materials_transmission", BUT, {"transmissionFactor"}},
    {"KHR_materials_variants", BUT, {"variants"}},
    {"KHR_materials_volume", BUT, {"thicknessFactor"}},
    /* Data beside what is seen. */
    {"EXT_feature_metadata", ALL}, {"EXT_mesh_features", ALL}, {"EXT_mesh_manifold", ALL},
    {"EXT_structural_metadata", ALL}, {"FB_ngon_encoding", ALL}, {"KHR_node_hoverability", ALL},
    {"KHR_node_selectability", ALL}, {"KHR_xmp", ALL}, {"KHR_xmp_json_ld", ALL},
    {"VRMC_vrm", ALL}, {"VRMC_vrm_animation", ALL}, /* which bones are whose, for programs that retarget */
};
// clang-format on

static const struct extension *find_extension(const char *name)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(extensions[i].name, name) == 0)
            return &extensions[i];
    return NULL;
}

/* Returns whether a factor, a colour or a list says something. */
static bool is_something(const json_t *value)
{
    bool found = json_is_object(value) || json_is_true(value) || json_number_value(value) != 0.0;
    for (size_t i = 0; i < json_array_size(value) && !found; i++)
        found = is_something(json_array_get(value, i));
    return found;
}

/* Returns whether an extension of an object asks for what is not played or drawn. */
static bool is_lost(const json_t *object, const char *name, const json_t *value)
{
    const struct extension *row = find_extension(name);
    if (!row || row->honour != BUT)
        return !row || (row->honour == IMAGES && !json_object_get(object, "source"));
    return is_something(json_object_get(value, row->members[0])) ||
           (row->members[1] && is_something(json_object_get(value, row->members[1])));
}

/* Jansson reads no deeper than 2048 levels. */
static void find_lost(json_t *value, json_t *lost)
{
    const char *key, *name;
    json_t *child, *extension;
    size_t i;
    json_array_foreach(value, i, child)
    {
        find_lost(child, lost);
    }
    json_object_foreach(value, key, child)
    {
        json_object_foreach(strcmp(key, "extensions") == 0 ? child : NULL, name, extension)
        {
            if (is_lost(value, name, extension))
                json_object_set_new_nocheck(lost, name, json_true());
        }
        if (strcmp(key, "extras") != 0) /* a person's own */
            find_lost(child, lost);
    }
}

json_t *gltf_find_lost(const struct gltf_file *file)
{
    json_t *lost = json_object(), *entry;
    size_t i;
    find_lost(file->root, lost);
    json_array_foreach(json_object_get(file->root, "extensionsUsed"), i, entry)
    {
        if (json_is_string(entry) && !find_extension(json_string_value(entry))) /* it may need no objects */
            json_object_set_new_nocheck(lost, json_string_value(entry), json_true());
    }
    return lost;
}

enum { LISTED = 48 };

/* The required extensions that are not honoured; with Assimp's message of why it read nothing, also Draco if it says
 * so. */
static bool refuse(const struct gltf_file *file, const json_t *lost, const char *message, struct error *err)
{
    SCOPED(text) list = {0};
    const char *command = NULL;
    size_t i, count = 0;
    json_t *entry;
    json_array_foreach(json_object_get(file->root, "extensionsRequired"), i, entry)
    {
        const char *name = json_is_string(entry) ? json_string_value(entry) : "";
        const struct extension *row = find_extension(name);
        const bool is_meant = message && strcmp(name, "KHR_draco_mesh_compression") == 0 &&
                              (strstr(message, "Draco") || strstr(message, "without data"));
        if (!name[0] || (row && row->honour != CODE && !is_meant && !json_object_get(lost, name)))
            continue;
        if (count++ < LISTED)
            text_addf(&list, "%s%.96s", count > 1 ? " and " : "", name);
        command = row && row->command ? row->command : command;
    }
    if (count > 0)
        error_set(err, "the file requires %s, which Assimp %s and rigproof do not honour; %s%s%s", text_string(&list),
                  import_library_version(),
                  command ? "decode it with a tool such as `npx @gltf-transform/cli " : "taken off",
                  command ? command : " the list extensionsRequired, the rest of the file is drawn",
                  command ? " IN OUT`" : "");
    return count > 0;
}

void gltf_explain_refusal(struct conversion *c, const char *message)
{
    if (gltf_of(c))
        refuse(c->gltf, NULL, message, c->err);
}

/* Marks the nodes at and below these. Returns how many were not marked before. */
static size_t reach(const struct gltf_file *file, const json_t *roots, bool *marks)
{
    const size_t count = gltf_count(file, "nodes");
    FREED int32_t *stack = memory_new(count + 1, sizeof *stack);
    size_t height = 0, found = 0;
    for (const json_t *list = roots;;) {
        for (size_t i = 0; i < json_array_size(list); i++) {
            const int32_t node = gltf_index_at(list, i);
            if (node == GLTF_NONE || (size_t)node >= count || marks[node])
                continue;
            marks[node] = true;
            stack[height++] = node;
            found++;
        }
        if (height == 0)
            break;
        list = json_object_get(gltf_item(file, "nodes", stack[--height]), "children");
    }
    return found;
}

static void list_scenes(struct conversion *c)
{
    const struct gltf_file *file = c->gltf;
    const size_t meshes = gltf_count(file, "meshes"), node_count = gltf_count(file, "nodes");
    const int32_t given = gltf_index(file->root, "scene");
    bool *nodes = memory_new(node_count + 1, sizeof *nodes), *shown = memory_new(meshes + 1, sizeof *shown);
    SCOPED(text) list = {0};
    size_t others = 0, hidden = meshes;
    reach(file, json_object_get(gltf_item(file, "scenes", given == GLTF_NONE ? 0 : given), "nodes"), nodes);
    for (size_t n = 0; n < node_count; n++) {
        const int32_t mesh = nodes[n] ? gltf_index(gltf_item(file, "nodes", (int64_t)n), "mesh") : GLTF_NONE;
        if (!gltf_item(file, "meshes", mesh) || shown[mesh])
            continue;
        shown[mesh] = true;
        hidden--;
    }
    for (size_t s = 0; s < gltf_count(file, "scenes"); s++) {
        char number[32];
        const json_t *other = gltf_item(file, "scenes", (int64_t)s);
        snprintf(number, sizeof number, "number %zu", s);
        if (reach(file, json_object_get(other, "nodes"), nodes) > 0)
            list_name(&list, others++, LISTED, "", slice_of(gltf_string(other, "name", number)));
    }
    if (others + hidden > 0)
        warn(c, "gltf-scenes", "drawn is the default scene%s%s: %zu of %zu meshes are not in it",
             others ? ", not " : "", text_string(&list), hidden, meshes);
    free(nodes);
    free(shown);
}

bool gltf_list_lost(struct conversion *c, const json_t *lost)
{
    static const char *const lists[] = {"skins", "animations", "shaders"}; /* objects in glTF 1.0, arrays in 2.0 */
    const struct gltf_file *file = c->gltf;
    struct text list = {0};
    size_t count = 0;
    const char *name;
    json_t *value;
    for (size_t i = 0; !gltf_is_version_2(file) && i < sizeof lists / sizeof *lists; i++) {
        const size_t length = json_object_size(json_object_get(file->root, lists[i]));
        if (length > 0)
            text_addf(&list, "%s%zu %s", count++ ? ", " : "", length, lists[i]);
    }
    if (count > 0)
        warn(c, GLTF_VERSION_1,
             "a glTF 1.0 file with %s, which Assimp does not read: convert it to 2.0, as `npx gltf-pipeline -i IN -o "
             "OUT` does",
             text_string(&list));
    text_release(&list);
    if (!gltf_is_version_2(file))
        return true;
    json_object_foreach((json_t *)lost, name, value)
    {
        list_name(&list, count++, LISTED, "", slice_of(name));
    }
    if (count > 0)
        warn(c, "gltf-extensions", "not drawn or played: %s", text_string(&list));
    text_release(&list);
    list_scenes(c);
    return !refuse(file, lost, NULL, c->err);
}
