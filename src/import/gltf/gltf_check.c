/* What Assimp leaves out of a file without a word: triangles and weights that name something that is not there. */
#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <string.h>

#include "import/assimp/library.h"

/* What cannot be read is another warning's business: 0 numbers. */
static size_t count_of(const struct gltf_file *file, int32_t index, struct gltf_accessor *accessor)
{
    struct error ignored = {0};
    return gltf_accessor_find(file, index, accessor, &ignored) ? (size_t)accessor->count * accessor->width : 0;
}

static void check_triangles(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *primitive)
{
    struct error ignored = {0};
    struct gltf_accessor accessor, positions;
    size_t count = count_of(repair->file, gltf_index(primitive, "indices"), &accessor), bad = 0;
    int32_t position_index = gltf_index(json_object_get(primitive, "attributes"), "POSITION");
    const uint32_t *indices = count > 0 ? gltf_indices(repair->file, &accessor, &ignored) : NULL;
    if (indices && gltf_accessor_find(repair->file, position_index, &positions, &ignored))
        for (size_t i = 0; i < count; i++)
            bad += indices[i] >= positions.count;
    if (bad > 0)
        scene_note(repair->c->scene, NOTE_WARNING, "gltf-indices",
                   "mesh %s: %zu of %zu indices name a vertex that is not there; Assimp leaves their triangles out",
                   mesh->quoted, bad, count);
}

static void check_weights(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *attributes,
                          unsigned set)
{
    struct error ignored = {0};
    struct gltf_accessor joint, weight;
    size_t joint_count = count_of(repair->file, gltf_set(attributes, "JOINTS", set), &joint), astray = 0;
    size_t weight_count = count_of(repair->file, gltf_set(attributes, "WEIGHTS", set), &weight), senseless = 0;
    const uint32_t *joints = joint_count > 0 ? gltf_indices(repair->file, &joint, &ignored) : NULL;
    const float *weights = joints && weight_count > 0 ? gltf_floats(repair->file, &weight, &ignored) : NULL;
    for (size_t i = 0; weights && i < joint_count && i < weight_count; i++) {
        senseless += !isfinite(weights[i]);
        astray += weights[i] > 0.0f && joints[i] >= mesh->bone_count;
    }
    if (astray > 0)
        scene_note(repair->c->scene, NOTE_WARNING, "gltf-joints",
                   "mesh %s: %zu weights name a joint that the skin does not have; Assimp leaves them out",
                   mesh->quoted, astray);
    if (senseless > 0)
        scene_note(repair->c->scene, NOTE_WARNING, "gltf-weights",
                   "mesh %s: %zu weights are not numbers; Assimp leaves them out", mesh->quoted, senseless);
}

void gltf_check(const struct gltf_repair *repair)
{
    enum { SETS = 64 };
    if (!repair->is_mapped || repair->effects & (CHANGES_VERTICES | CHANGES_WEIGHTS))
        return;
    for (uint32_t i = 0; i < repair->c->scene->mesh_count; i++) {
        const struct mesh *mesh = &repair->c->scene->meshes[i];
        const json_t *primitive = repair->uses[i].primitive, *attributes = json_object_get(primitive, "attributes");
        const json_t *positions = gltf_item(repair->file, "accessors", gltf_index(attributes, "POSITION"));
        check_triangles(repair, mesh, primitive);
        if (positions && gltf_index(positions, "componentType") != GLTF_FLOAT) /* KHR_mesh_quantization */
            scene_note(repair->c->scene, NOTE_WARNING, "gltf-quantization",
                       "mesh %s: positions are integers, which Assimp takes for floats: they are wrong; `npx "
                       "@gltf-transform/cli dequantize IN OUT` makes floats of them",
                       mesh->quoted);
        for (unsigned set = 0; mesh->bone_count > 0 && set < SETS; set++) {
            if (gltf_set(attributes, "JOINTS", set) == GLTF_NONE)
                break;
            check_weights(repair, mesh, attributes, set);
        }
    }
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
        /* Assimp's message says whether it was built with Draco. */
        const char *name = json_is_string(entry) ? json_string_value(entry) : "";
        bool is_encoding = strcmp(name, "KHR_draco_mesh_compression") == 0
                               ? strstr(message, "Draco mesh compression not supported") != NULL
                               : strcmp(name, "EXT_meshopt_compression") == 0 ||
                                     strcmp(name, "KHR_meshopt_compression") == 0 ||
                                     strcmp(name, "KHR_mesh_quantization") == 0;
        if (is_encoding)
            text_addf(&list, "%s%s", list.size ? " and " : "", name);
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
