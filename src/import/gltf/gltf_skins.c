#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/library.h"

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Bone b is joint b of the skin, if Assimp took this skin: their number and all their names say so. */
static bool skin_agrees(const struct gltf_repair *repair, const struct mesh *mesh, const struct aiMesh *source,
                        const json_t *joints)
{
    if (json_array_size(joints) != mesh->bone_count)
        return false;
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        char buffer[32];
        const char *name = gltf_node_name(repair->file, gltf_index_at(joints, b), buffer);
        if (!gltf_names_agree(name, source->mBones[b]->mName.data))
            return false;
    }
    return true;
}

void gltf_fix_joints(const struct gltf_repair *repair)
{
    struct scene *scene = repair->c->scene;
    for (uint32_t i = 0; repair->is_mapped && i < scene->mesh_count; i++) {
        struct mesh *mesh = &scene->meshes[i];
        const json_t *skin = gltf_item(repair->file, "skins", repair->uses[i].skin);
        const json_t *joints = json_object_get(skin, "joints");
        uint32_t bound = 0;
        if (!skin || mesh->bone_count == 0)
            continue;
        if (!skin_agrees(repair, mesh, repair->c->source->mMeshes[i], joints)) {
            scene_note(scene, NOTE_WARNING, GLTF_UNREAD,
                       "mesh %s: its bones are not the joints of the file's skin, so they stay bound by name",
                       mesh->quoted);
            continue;
        }
        for (uint32_t b = 0; b < mesh->bone_count; b++) {
            int32_t node = gltf_scene_node(repair, gltf_index_at(joints, b));
            if (node == NO_INDEX || (uint32_t)node == mesh->bones[b].node)
                continue;
            mesh->bones[b].node = (uint32_t)node;
            bound++;
        }
        if (bound > 0)
            scene_note(scene, NOTE_REPAIR, "name-clash",
                       "mesh %s: bound to the joint that the file names by index: %u %s", mesh->quoted, (unsigned)bound,
                       bound == 1 ? "bone" : "bones");
    }
}

/* ---- the order of vertices --------------------------------------------------------------------------------------- */

/* Vertices below `vertex_count` in the order of their first use. Returns how many are used. */
static uint32_t order_by_use(const uint32_t *indices, uint32_t index_count, uint32_t vertex_count, uint32_t *order)
{
    bool *used = memory_new(vertex_count, sizeof *used);
    uint32_t count = 0;
    for (uint32_t i = 0; i < index_count; i++) {
        if (indices[i] >= vertex_count || used[indices[i]])
            continue;
        used[indices[i]] = true;
        order[count++] = indices[i];
    }
    free(used);
    return count;
}

/* `positions` are NULL when they are not floats and Assimp garbled them. */
static bool fits(const struct mesh *mesh, const float *positions, const uint32_t *order, uint32_t count)
{
    if (count != mesh->vertex_count)
        return false;
    for (uint32_t v = 0; positions && v < count; v++)
        for (int i = 0; i < 3; i++)
            if (positions[3 * (size_t)order[v] + (size_t)i] != mesh->positions[v][i])
                return false;
    return true;
}

uint32_t *gltf_vertex_order(struct gltf_file *file, const json_t *primitive, const struct mesh *mesh,
                            uint32_t *vertex_count, struct error *err)
{
    struct gltf_accessor vertices, used = {.count = 0};
    const float *positions = NULL;
    const uint32_t *indices = NULL;
    int32_t index = gltf_index(primitive, "indices");
    if (!gltf_accessor_find(file, gltf_index(json_object_get(primitive, "attributes"), "POSITION"), &vertices, err))
        return NULL;
    bool has_places = vertices.component == GLTF_FLOAT && vertices.width == 3;
    if (has_places)
        positions = gltf_floats(file, &vertices, err);
    if (index != GLTF_NONE && gltf_accessor_find(file, index, &used, err))
        indices = used.width == 1 ? gltf_indices(file, &used, err) : NULL;
    if ((has_places && !positions) || (index != GLTF_NONE && !indices)) {
        error_set(err, "the indices are not SCALAR");
        return NULL;
    }
    *vertex_count = vertices.count;
    uint32_t *order = memory_new(vertices.count, sizeof *order);
    for (int rule = 0; rule < 2; rule++) {
        bool by_use = (rule == 0) == library_gltf()->orders_by_use;
        uint32_t count = by_use && indices ? order_by_use(indices, used.count, vertices.count, order) : vertices.count;
        for (uint32_t v = 0; !by_use && v < count; v++)
            order[v] = v;
        if ((indices || !by_use) && fits(mesh, positions, order, count))
            return order;
    }
    error_set(err, "its %u vertices are not the file's %u in any order known of Assimp", (unsigned)mesh->vertex_count,
              (unsigned)vertices.count);
    free(order);
    return NULL;
}

/* ---- integer weights --------------------------------------------------------------------------------------------- */

enum { MAX_SETS = 64, SET_WIDTH = 4 };

/* The JOINTS_n and WEIGHTS_n of a primitive. */
struct weight_sets {
    uint32_t count;
    const uint32_t *joints[MAX_SETS]; /* [4 * vertices] */
    const float *weights[MAX_SETS];   /* [4 * vertices] */
};

static bool has_set(const json_t *attributes, uint32_t set)
{
    return set < MAX_SETS && gltf_set(attributes, "JOINTS", set) != GLTF_NONE &&
           gltf_set(attributes, "WEIGHTS", set) != GLTF_NONE;
}

static bool has_integer_weights(const struct gltf_file *file, const json_t *attributes)
{
    for (uint32_t set = 0; has_set(attributes, set); set++) {
        struct error ignored = {0};
        struct gltf_accessor accessor;
        if (gltf_accessor_find(file, gltf_set(attributes, "WEIGHTS", set), &accessor, &ignored) &&
            accessor.component != GLTF_FLOAT)
            return true;
    }
    return false;
}

static bool read_sets(struct gltf_file *file, const json_t *attributes, uint32_t vertex_count, struct weight_sets *out,
                      struct error *err)
{
    for (uint32_t set = 0; has_set(attributes, set); set++) {
        struct gltf_accessor joints, weights;
        if (!gltf_accessor_find(file, gltf_set(attributes, "JOINTS", set), &joints, err) ||
            !gltf_accessor_find(file, gltf_set(attributes, "WEIGHTS", set), &weights, err))
            return false;
        if (joints.width != SET_WIDTH || weights.width != SET_WIDTH || joints.count != vertex_count ||
            weights.count != vertex_count)
            return error_set(err, "JOINTS_%u or WEIGHTS_%u is not a VEC4 for each of %u vertices", (unsigned)set,
                             (unsigned)set, (unsigned)vertex_count);
        out->joints[set] = gltf_indices(file, &joints, err);
        out->weights[set] = out->joints[set] ? gltf_floats(file, &weights, err) : NULL;
        if (!out->weights[set])
            return false;
        out->count = set + 1;
    }
    return true;
}

/* Raw, as convert_weights() leaves them. Weights that are not above zero do not count, as in Assimp. */
static bool replace_influences(const struct gltf_repair *repair, struct mesh *mesh, const struct weight_sets *sets,
                               const uint32_t *order)
{
    struct arena *arena = repair->c->scene->arena;
    struct error *err = repair->c->err;
    const size_t most = (size_t)sets->count * SET_WIDTH;
    uint32_t *first = ARENA_NEW(arena, uint32_t, (size_t)mesh->vertex_count + 1);
    struct influence *influences = ARENA_NEW(arena, struct influence, most * mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        first[v + 1] = first[v];
        for (size_t i = 0; i < most; i++) {
            size_t at = (size_t)SET_WIDTH * order[v] + i % SET_WIDTH;
            float weight = sets->weights[i / SET_WIDTH][at];
            uint32_t joint = sets->joints[i / SET_WIDTH][at];
            if (!isfinite(weight))
                return error_set(err, "mesh %s: a weight of vertex %u is not a number", mesh->quoted,
                                 (unsigned)order[v]);
            if (weight <= 0.0f)
                continue;
            if (joint >= mesh->bone_count)
                return error_set(err, "mesh %s: vertex %u refers to joint %u of %u", mesh->quoted, (unsigned)order[v],
                                 (unsigned)joint, (unsigned)mesh->bone_count);
            influences[first[v + 1]++] = (struct influence){joint, weight};
        }
    }
    mesh->influence_first = first;
    mesh->influences = influences;
    scene_note(repair->c->scene, NOTE_REPAIR, "gltf-integers",
               "mesh %s: the weights of its %u vertices are stored as integers; read from the file", mesh->quoted,
               (unsigned)mesh->vertex_count);
    return true;
}

/* A mesh with integer weights. False only when the weights themselves are wrong. */
static bool fix_mesh(const struct gltf_repair *repair, struct mesh *mesh, const json_t *primitive)
{
    struct error why = {0};
    struct weight_sets sets = {0};
    uint32_t vertex_count, *order = NULL;
    bool good = true;
    if (json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression"))
        error_set(&why, "it is compressed");
    else if (repair->effects & (CHANGES_VERTICES | CHANGES_WEIGHTS))
        error_set(&why, "--assimp-flags has rearranged its vertices or weights");
    else
        order = gltf_vertex_order(repair->file, primitive, mesh, &vertex_count, &why);
    if (order && read_sets(repair->file, json_object_get(primitive, "attributes"), vertex_count, &sets, &why))
        good = replace_influences(repair, mesh, &sets, order);
    else
        scene_note(repair->c->scene, NOTE_WARNING, GLTF_UNREAD,
                   "mesh %s: its weights are stored as integers, which Assimp garbles, and could not be read from the "
                   "file: %s",
                   mesh->quoted, why.text);
    free(order);
    return good;
}

bool gltf_fix_weights(const struct gltf_repair *repair)
{
    for (uint32_t i = 0; repair->is_mapped && i < repair->c->scene->mesh_count; i++) {
        struct mesh *mesh = &repair->c->scene->meshes[i];
        const json_t *primitive = repair->uses[i].primitive;
        if (mesh->bone_count > 0 && has_integer_weights(repair->file, json_object_get(primitive, "attributes")) &&
            !fix_mesh(repair, mesh, primitive))
            return false;
    }
    return true;
}
