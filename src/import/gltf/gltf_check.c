/* What Assimp leaves out of a file without a word: triangles and weights that name something that is not there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/assimp/assimp_flags.h"
#include "import/gltf/gltf_accessor.h"
#include "import/gltf/gltf_repair.h"

/* The components of an accessor, as integers or as floats; the caller frees them. NULL when they cannot be read: that
 * is another warning's business. */
static uint32_t *read_indices(struct gltf_file *file, int32_t index, size_t *count)
{
    struct error ignored = {0};
    struct gltf_accessor accessor;
    if (index == GLTF_NONE || !gltf_accessor_find(file, index, &accessor, &ignored))
        return NULL;
    *count = (size_t)accessor.count * accessor.width;
    uint32_t *values = calloc(*count + 1, sizeof *values);
    if (values && gltf_accessor_indices(file, &accessor, values, &ignored))
        return values;
    free(values);
    return NULL;
}

static float *read_floats(struct gltf_file *file, int32_t index, size_t *count)
{
    struct error ignored = {0};
    struct gltf_accessor accessor;
    if (index == GLTF_NONE || !gltf_accessor_find(file, index, &accessor, &ignored))
        return NULL;
    *count = (size_t)accessor.count * accessor.width;
    float *values = calloc(*count + 1, sizeof *values);
    if (values && gltf_accessor_floats(file, &accessor, values, &ignored))
        return values;
    free(values);
    return NULL;
}

static void check_triangles(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *primitive)
{
    struct error ignored = {0};
    struct gltf_accessor positions;
    size_t count = 0, bad = 0;
    int32_t position_index = gltf_index(json_object_get(primitive, "attributes"), "POSITION");
    uint32_t *indices = read_indices(repair->file, gltf_index(primitive, "indices"), &count);
    if (indices && gltf_accessor_find(repair->file, position_index, &positions, &ignored))
        for (size_t i = 0; i < count; i++)
            bad += indices[i] >= positions.count;
    if (bad > 0)
        scene_note(repair->scene, NOTE_WARNING, "gltf-indices",
                   "mesh %s: %zu of %zu indices name a vertex that is not there; Assimp leaves their triangles out",
                   mesh->quoted, bad, count);
    free(indices);
}

/* KHR_mesh_quantization: Assimp copies the bytes of integers into floats. */
static void check_positions(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *attributes)
{
    enum { FLOAT = 5126 };
    const json_t *positions = gltf_item(repair->file, "accessors", gltf_index(attributes, "POSITION"));
    if (positions && gltf_index(positions, "componentType") != FLOAT)
        scene_note(repair->scene, NOTE_WARNING, "gltf-quantization",
                   "mesh %s: positions are integers, which Assimp takes for floats: they are wrong; `npx "
                   "@gltf-transform/cli dequantize IN OUT` makes floats of them",
                   mesh->quoted);
}

static void check_weights(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *attributes,
                          unsigned set)
{
    char joints_key[32], weights_key[32];
    size_t joint_count = 0, weight_count = 0, astray = 0, senseless = 0;
    snprintf(joints_key, sizeof joints_key, "JOINTS_%u", set);
    snprintf(weights_key, sizeof weights_key, "WEIGHTS_%u", set);
    uint32_t *joints = read_indices(repair->file, gltf_index(attributes, joints_key), &joint_count);
    float *weights = read_floats(repair->file, gltf_index(attributes, weights_key), &weight_count);
    for (size_t i = 0; joints && weights && i < joint_count && i < weight_count; i++) {
        senseless += !isfinite(weights[i]);
        astray += weights[i] > 0.0f && joints[i] >= mesh->bone_count;
    }
    if (astray > 0)
        scene_note(repair->scene, NOTE_WARNING, "gltf-joints",
                   "mesh %s: %zu weights name a joint that the skin does not have; Assimp leaves them out",
                   mesh->quoted, astray);
    if (senseless > 0)
        scene_note(repair->scene, NOTE_WARNING, "gltf-weights",
                   "mesh %s: %zu weights are not numbers; Assimp leaves them out", mesh->quoted, senseless);
    free(joints);
    free(weights);
}

void gltf_check(const struct gltf_repair *repair)
{
    enum { SETS = 64 };
    if (repair->effects & (CHANGES_VERTICES | CHANGES_WEIGHTS))
        return;
    for (uint32_t i = 0; repair->map && i < repair->scene->mesh_count; i++) {
        const struct mesh *mesh = &repair->scene->meshes[i];
        const struct gltf_mesh_use *use = &repair->map->uses[i];
        const json_t *item = use->mesh == GLTF_NONE ? NULL : gltf_item(repair->file, "meshes", use->mesh);
        const json_t *primitive = json_array_get(json_object_get(item, "primitives"), (size_t)use->primitive);
        const json_t *attributes = json_object_get(primitive, "attributes");
        check_triangles(repair, mesh, primitive);
        check_positions(repair, mesh, attributes);
        for (unsigned set = 0; mesh->bone_count > 0 && set < SETS; set++) {
            char key[32];
            snprintf(key, sizeof key, "JOINTS_%u", set);
            if (gltf_index(attributes, key) == GLTF_NONE)
                break;
            check_weights(repair, mesh, attributes, set);
        }
    }
}

/* What Assimp cannot decode. Its message says whether it was built with Draco. */
static bool is_encoding(const char *extension, const char *message)
{
    static const char *const never[] = {"EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_mesh_quantization"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (strcmp(extension, never[i]) == 0)
            return true;
    return strcmp(extension, "KHR_draco_mesh_compression") == 0 &&
           strstr(message, "Draco mesh compression not supported");
}

void gltf_explain_encoding(const char *path, const char *message, struct error *err)
{
    static const char format[] = "the file requires %s, which Assimp %s cannot read; decode it with a tool such as "
                                 "`npx @gltf-transform/cli %s IN OUT`";
    struct gltf_file file;
    struct error ignored = {0};
    struct text list = {0};
    size_t index;
    json_t *entry;
    const json_t *required = gltf_open(&file, path, &ignored) ? json_object_get(file.root, "extensionsRequired") : NULL;
    json_array_foreach(required, index, entry)
    {
        if (json_is_string(entry) && is_encoding(json_string_value(entry), message))
            text_addf(&list, "%s%s", list.size ? " and " : "", json_string_value(entry));
    }
    /* Each of the tool's commands decompresses what it reads. */
    const char *command = strstr(text_string(&list), "quantization") ? "dequantize" : "copy";
    if (list.size > 0 && error_is_set(err))
        error_prefix(err, format, text_string(&list), import_library_version(), command);
    else if (list.size > 0)
        error_set(err, format, text_string(&list), import_library_version(), command);
    text_release(&list);
    gltf_close(&file);
}
