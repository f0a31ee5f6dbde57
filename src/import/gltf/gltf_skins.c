#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bone b is joint b of the skin, if Assimp took this skin: their number and all their names say so. */
void gltf_fix_joints(const struct gltf_repair *repair)
{
    struct scene *scene = repair->c->scene;
    for (uint32_t i = 0; repair->is_mapped && i < scene->mesh_count; i++) {
        struct mesh *mesh = &scene->meshes[i];
        const json_t *skin = gltf_item(repair->file, "skins", repair->uses[i].skin);
        const json_t *joints = json_object_get(skin, "joints");
        bool agrees = json_array_size(joints) == mesh->bone_count;
        uint32_t bound = 0;
        if (!skin || mesh->bone_count == 0)
            continue;
        for (uint32_t b = 0; b < mesh->bone_count && agrees; b++) {
            char buffer[32];
            agrees = gltf_names_agree(gltf_node_name(repair->file, gltf_index_at(joints, b), buffer),
                                      repair->c->source->mMeshes[i]->mBones[b]->mName.data);
        }
        if (!agrees)
            scene_note(scene, NOTE_WARNING, GLTF_UNREAD,
                       "mesh %s: its bones are not the joints of the file's skin, so they stay bound by name",
                       mesh->quoted);
        for (uint32_t b = 0; b < mesh->bone_count && agrees; b++) {
            int32_t node = gltf_scene_node(repair, gltf_index_at(joints, b));
            if (node == NO_INDEX || (uint32_t)node == mesh->bones[b].node)
                continue;
            mesh->bones[b].node = (uint32_t)node;
            bound++;
        }
        if (bound > 0)
            scene_note(scene, NOTE_REPAIR, "name-clash",
                       "mesh %s: bound to the joint that the file names by index: %u %s", mesh->quoted, bound,
                       bound == 1 ? "bone" : "bones");
    }
}

enum { MAX_SETS = 64 };

/* Index of the accessor of JOINTS_n or WEIGHTS_n. */
static int32_t accessor_of(const json_t *attributes, const char *name, unsigned set)
{
    char key[32];
    snprintf(key, sizeof key, "%s_%u", name, set);
    return gltf_index(attributes, key);
}

static bool has_set(const json_t *attributes, uint32_t set)
{
    return set < MAX_SETS && accessor_of(attributes, "JOINTS", set) != GLTF_NONE &&
           accessor_of(attributes, "WEIGHTS", set) != GLTF_NONE;
}

/* An accessor that cannot be read is another warning's business: 0 numbers. */
static size_t count_of(const struct gltf_file *file, int32_t index, struct gltf_accessor *accessor)
{
    return gltf_accessor_find(file, index, accessor, ERROR_IGNORED) ? (size_t)accessor->count * accessor->width : 0;
}

/* Returns whether vertices of the mesh are those of the file, one by one. */
static bool has_vertices_of(const struct gltf_repair *repair, const struct mesh *mesh, const json_t *attributes)
{
    struct error ignored = {0};
    struct gltf_accessor accessor;
    const bool is_there = gltf_accessor_find(repair->file, gltf_index(attributes, "POSITION"), &accessor, &ignored) &&
                          accessor.component == GLTF_FLOAT && accessor.width == 3 &&
                          accessor.count == mesh->vertex_count;
    const float *positions = is_there ? gltf_floats(repair->file, &accessor, &ignored) : NULL;
    return positions && memcmp(positions, mesh->positions, mesh->vertex_count * sizeof *mesh->positions) == 0;
}

/* Notes the order in which the file has a mesh's influences, where its vertices are the file's. */
static void keep_slots(const struct gltf_repair *repair, struct mesh *mesh, const json_t *attributes)
{
    enum { SETS_KEPT = 8 };
    const uint32_t *joints[SETS_KEPT];
    uint32_t sets = 0;
    bool is_good = mesh->vertex_count > 0 && has_set(attributes, 0) && !has_set(attributes, SETS_KEPT) &&
                   has_vertices_of(repair, mesh, attributes);
    for (; is_good && has_set(attributes, sets); sets++) {
        struct gltf_accessor accessor;
        is_good = count_of(repair->file, accessor_of(attributes, "JOINTS", sets), &accessor) > 0 &&
                  accessor.width == 4 && accessor.count == mesh->vertex_count;
        joints[sets] = is_good ? gltf_indices(repair->file, &accessor, ERROR_IGNORED) : NULL;
        is_good = joints[sets] != NULL;
    }
    if (!is_good)
        return;
    mesh->slot_count = 4 * sets;
    mesh->slots = ARENA_NEW(repair->c->scene->arena, uint32_t, (size_t)mesh->vertex_count * mesh->slot_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = 0; i < mesh->slot_count; i++) {
            const uint32_t joint = joints[i / 4][4 * v + i % 4];
            mesh->slots[v * mesh->slot_count + i] = joint < mesh->bone_count ? joint : 0;
        }
}

void gltf_check(const struct gltf_repair *repair)
{
    if (!repair->is_mapped || repair->effects & (CHANGES_VERTICES | CHANGES_WEIGHTS))
        return;
    for (uint32_t i = 0; i < repair->c->scene->mesh_count; i++) {
        struct mesh *mesh = &repair->c->scene->meshes[i];
        const json_t *primitive = repair->uses[i].primitive, *attributes = json_object_get(primitive, "attributes");
        const json_t *positions = gltf_item(repair->file, "accessors", gltf_index(attributes, "POSITION"));
        struct error ignored = {0};
        struct gltf_accessor accessor;
        size_t count = count_of(repair->file, gltf_index(primitive, "indices"), &accessor), bad = 0;
        const uint32_t *indices = count > 0 ? gltf_indices(repair->file, &accessor, &ignored) : NULL;
        if (indices && gltf_accessor_find(repair->file, gltf_index(attributes, "POSITION"), &accessor, &ignored))
            for (size_t k = 0; k < count; k++)
                bad += indices[k] >= accessor.count;
        if (bad > 0)
            warn(repair->c, "gltf-indices",
                 "mesh %s: %zu of %zu indices name a vertex that is not there; Assimp leaves their triangles out",
                 mesh->quoted, bad, count);
        const json_t *first = gltf_item(repair->file, "accessors", gltf_index(attributes, "WEIGHTS_0"));
        if (first && gltf_index(first, "componentType") != GLTF_FLOAT && gltf_is_draco(primitive))
            warn(repair->c, GLTF_UNREAD, "mesh %s: its weights are integers, which Assimp garbles, and compressed",
                 mesh->quoted);
        if (positions && gltf_index(positions, "componentType") != GLTF_FLOAT && /* KHR_mesh_quantization */
            (!(repair->c->repairs & REPAIR_GLTF_INTEGERS) || gltf_is_draco(primitive)))
            warn(repair->c, "gltf-quantization",
                 "mesh %s: positions are integers, which Assimp takes for floats: they are wrong; `npx "
                 "@gltf-transform/cli dequantize IN OUT` makes floats of them",
                 mesh->quoted);
        if (mesh->bone_count > 0)
            keep_slots(repair, mesh, attributes);
        for (unsigned set = 0; mesh->bone_count > 0 && has_set(attributes, set); set++) {
            struct gltf_accessor weight;
            count = count_of(repair->file, accessor_of(attributes, "JOINTS", set), &accessor);
            size_t weight_count = count_of(repair->file, accessor_of(attributes, "WEIGHTS", set), &weight);
            size_t astray = 0, senseless = 0;
            const uint32_t *joints = count > 0 ? gltf_indices(repair->file, &accessor, &ignored) : NULL;
            const float *weights = joints && weight_count > 0 ? gltf_floats(repair->file, &weight, &ignored) : NULL;
            for (size_t k = 0; weights && k < count && k < weight_count; k++) {
                senseless += !isfinite(weights[k]);
                astray += weights[k] > 0.0f && joints[k] >= mesh->bone_count;
            }
            if (astray > 0)
                warn(repair->c, "gltf-joints",
                     "mesh %s: %zu weights name a joint that the skin does not have; Assimp leaves them out",
                     mesh->quoted, astray);
            if (senseless > 0)
                warn(repair->c, "gltf-weights", "mesh %s: %zu weights are not numbers; Assimp leaves them out",
                     mesh->quoted, senseless);
        }
    }
}
