#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/assimp_flags.h"
#include "import/gltf/gltf_accessor.h"
#include "import/gltf/gltf_vertices.h"
#include "import/import.h"

enum { MAX_SETS = 64, SET_WIDTH = 4 };

/* The JOINTS_n and WEIGHTS_n of a primitive. */
struct weight_sets {
    uint32_t count;
    uint32_t *joints[MAX_SETS]; /* [4 * vertices] */
    float *weights[MAX_SETS];   /* [4 * vertices] */
};

static int32_t set_accessor(const json_t *attributes, const char *name, uint32_t set)
{
    char key[32];
    snprintf(key, sizeof key, "%s_%u", name, (unsigned)set);
    return gltf_index(attributes, key);
}

static uint32_t count_sets(const json_t *attributes)
{
    uint32_t count = 0;
    while (count < MAX_SETS && set_accessor(attributes, "JOINTS", count) != GLTF_NONE &&
           set_accessor(attributes, "WEIGHTS", count) != GLTF_NONE)
        count++;
    return count;
}

static bool has_integer_weights(const struct gltf_file *file, const json_t *attributes)
{
    for (uint32_t set = 0; set < count_sets(attributes); set++) {
        struct error ignored = {0};
        struct gltf_accessor accessor;
        if (gltf_accessor_find(file, set_accessor(attributes, "WEIGHTS", set), &accessor, &ignored) &&
            accessor.component != GLTF_FLOAT)
            return true;
    }
    return false;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void release_sets(struct weight_sets *sets)
{
    for (uint32_t i = 0; i < sets->count; i++) {
        free(sets->joints[i]);
        free(sets->weights[i]);
    }
}

static bool read_set(struct gltf_file *file, const json_t *attributes, uint32_t set, uint32_t vertex_count,
                     struct weight_sets *out, struct error *err)
{
    struct gltf_accessor joints;
    struct gltf_accessor weights;
    if (!gltf_accessor_find(file, set_accessor(attributes, "JOINTS", set), &joints, err) ||
        !gltf_accessor_find(file, set_accessor(attributes, "WEIGHTS", set), &weights, err))
        return false;
    if (joints.width != SET_WIDTH || weights.width != SET_WIDTH || joints.count != vertex_count ||
        weights.count != vertex_count)
        return error_set(err, "JOINTS_%u or WEIGHTS_%u is not a VEC4 for each of %u vertices", (unsigned)set,
                         (unsigned)set, (unsigned)vertex_count);
    out->count = set + 1;
    out->joints[set] = calloc((size_t)SET_WIDTH * vertex_count + 1, sizeof(uint32_t));
    out->weights[set] = calloc((size_t)SET_WIDTH * vertex_count + 1, sizeof(float));
    if (!out->joints[set] || !out->weights[set])
        return error_set(err, "out of memory");
    return gltf_accessor_indices(file, &joints, out->joints[set], err) &&
           gltf_accessor_floats(file, &weights, out->weights[set], err);
}

static bool read_sets(struct gltf_file *file, const json_t *attributes, uint32_t vertex_count,
                      struct weight_sets *out, struct error *err)
{
    uint32_t count = count_sets(attributes);
    for (uint32_t set = 0; set < count; set++)
        if (!read_set(file, attributes, set, vertex_count, out, err))
            return false;
    return true;
}

/* ---- influences -------------------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    const struct influence *x = a;
    const struct influence *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

static uint32_t add_influence(struct influence *influences, uint32_t count, uint32_t bone, float weight)
{
    for (uint32_t i = 0; i < count; i++)
        if (influences[i].bone == bone) {
            influences[i].weight += weight;
            return count;
        }
    influences[count] = (struct influence){bone, weight};
    return count + 1;
}

/* The influences of one element of the accessors, sorted. Weights that are not above zero do not count, as in
 * Assimp. False with err set: see gltf_fix_weights(). */
static bool gather(const struct weight_sets *sets, uint32_t element, const struct mesh *mesh,
                   struct influence *out, uint32_t *count, struct error *err)
{
    *count = 0;
    for (uint32_t i = 0; i < sets->count * SET_WIDTH; i++) {
        size_t at = (size_t)SET_WIDTH * element + i % SET_WIDTH;
        float weight = sets->weights[i / SET_WIDTH][at];
        uint32_t joint = sets->joints[i / SET_WIDTH][at];
        if (!isfinite(weight))
            return error_set(err, "mesh %s: a weight of vertex %u is not a number", mesh->quoted, (unsigned)element);
        if (weight <= 0.0f)
            continue;
        if (joint >= mesh->bone_count || mesh->bones[joint].follows_mesh_node)
            return error_set(err, "mesh %s: vertex %u refers to joint %u of %u", mesh->quoted, (unsigned)element,
                             (unsigned)joint, (unsigned)mesh->bone_count);
        *count = add_influence(out, *count, joint, weight);
    }
    qsort(out, *count, sizeof *out, by_weight);
    return true;
}

static bool replace_influences(const struct gltf_repair *repair, struct mesh *mesh,
                               const struct weight_sets *sets, const uint32_t *order)
{
    struct arena *arena = repair->scene->arena;
    struct influence found[MAX_SETS * SET_WIDTH];
    uint32_t *first = ARENA_NEW(arena, uint32_t, (size_t)mesh->vertex_count + 1);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count;
        if (!gather(sets, order[v], mesh, found, &count, repair->err))
            return false;
        first[v + 1] = first[v] + count;
    }
    struct influence *influences = ARENA_NEW(arena, struct influence, first[mesh->vertex_count]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count;
        gather(sets, order[v], mesh, found, &count, repair->err);
        if (count > 0)
            memcpy(influences + first[v], found, count * sizeof *found);
    }
    mesh->influence_first = first;
    mesh->influences = influences;
    scene_note(repair->scene, NOTE_REPAIR, "gltf-integers",
               "mesh %s: the weights of its %u vertices are stored as integers; read from the file", mesh->quoted,
               (unsigned)mesh->vertex_count);
    return true;
}

static void warn(const struct gltf_repair *repair, const struct mesh *mesh, const char *why)
{
    scene_note(repair->scene, NOTE_WARNING, GLTF_UNREAD,
               "mesh %s: its weights are stored as integers, which Assimp garbles, and could not be read "
               "from the file: %s",
               mesh->quoted, why);
}

/* A mesh with integer weights. False only when the weights themselves are wrong. */
static bool fix_mesh(const struct gltf_repair *repair, struct mesh *mesh, const json_t *primitive)
{
    struct error why = {0};
    struct weight_sets sets = {0};
    uint32_t vertex_count;
    if (json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression")) {
        warn(repair, mesh, "it is compressed");
        return true;
    }
    if (repair->effects & (CHANGES_VERTICES | CHANGES_WEIGHTS)) {
        warn(repair, mesh, "--assimp-flags has rearranged its vertices or weights");
        return true;
    }
    uint32_t *order = gltf_vertex_order(repair->file, primitive, mesh, &vertex_count, &why);
    bool read =
        order && read_sets(repair->file, json_object_get(primitive, "attributes"), vertex_count, &sets, &why);
    bool good = !read || replace_influences(repair, mesh, &sets, order);
    if (!read)
        warn(repair, mesh, why.text);
    release_sets(&sets);
    free(order);
    return good;
}

bool gltf_fix_weights(const struct gltf_repair *repair)
{
    if (!(repair->repairs & REPAIR_GLTF_INTEGERS))
        return true;
    for (uint32_t i = 0; repair->map && i < repair->scene->mesh_count; i++) {
        struct mesh *mesh = &repair->scene->meshes[i];
        const struct gltf_mesh_use *use = &repair->map->uses[i];
        const json_t *primitives =
            json_object_get(gltf_item(repair->file, "meshes", use->mesh), "primitives");
        const json_t *primitive =
            use->mesh == GLTF_NONE ? NULL : json_array_get(primitives, (size_t)use->primitive);
        if (mesh->bone_count == 0 ||
            !has_integer_weights(repair->file, json_object_get(primitive, "attributes")))
            continue;
        if (!fix_mesh(repair, mesh, primitive))
            return false;
    }
    return true;
}
