/* Meshes can do without primitives, attributes, triangles with their vertices, morph targets. */
#include <string.h>

#include "reduce/gltf_edit.h"

static uint32_t vertex_count(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_column *points = edit_values(edit, json_object_get(primitive, "attributes"), "POSITION");
    return points ? points->count : 0;
}

static uint32_t triangles_of(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_column *indices = edit_values(edit, primitive, "indices");
    const json_t *mode = json_object_get(primitive, "mode");
    return mode && json_integer_value(mode) != 4 ? 0 : (indices ? indices->count : vertex_count(edit, primitive)) / 3;
}

static void keep_vertices(struct gltf_edit *edit, json_t *attributes, const bool *keeps)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(attributes, next, key, value) {
        struct gltf_column *values = edit_own(edit, attributes, key);
        if (values)
            edit_keep(edit, values, keeps, 1);
    }
}

/* Vertices that no triangle has go too. At least one triangle stays in a primitive. */
static void keep_triangles(struct gltf_edit *edit, json_t *primitive, const bool *keeps, uint32_t triangles)
{
    const struct gltf_column *old = edit_values(edit, primitive, "indices");
    const uint32_t vertices = vertex_count(edit, primitive);
    bool *used = ARENA_NEW(edit->arena, bool, vertices + 1);
    double *indices = ARENA_NEW(edit->arena, double, 3 * (size_t)triangles),
           *place = ARENA_NEW(edit->arena, double, vertices + 1);
    uint32_t count = 0, kept = 0;
    size_t t;
    json_t *target;
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        const double vertex = old ? old->numbers[i] : i;
        if (!keeps[i / 3] || vertex < 0 || vertex >= vertices)
            continue;
        used[(uint32_t)vertex] = true;
        indices[count++] = vertex;
    }
    if (count < 3)
        return;
    for (uint32_t v = 0; v < vertices; v++)
        place[v] = used[v] ? kept++ : 0;
    for (uint32_t i = 0; i < count; i++)
        indices[i] = place[(uint32_t)indices[i]];
    keep_vertices(edit, json_object_get(primitive, "attributes"), used);
    json_array_foreach(edit_list(primitive, "targets"), t, target)
        keep_vertices(edit, target, used);
    struct gltf_column *new = edit_own(edit, primitive, "indices");
    if (new) {
        new->numbers = indices;
        new->count = count;
    }
}

void walk_triangles(struct gltf_edit *edit, struct cut *cut)
{
    size_t m, p;
    json_t *mesh, *primitive;
    json_array_foreach(edit_list(edit->root, "meshes"), m, mesh)
        json_array_foreach(edit_list(mesh, "primitives"), p, primitive) {
            const uint32_t triangles = triangles_of(edit, primitive);
            bool *keeps = ARENA_NEW(edit->arena, bool, triangles + 1), changes = false;
            for (uint32_t i = 0; i < triangles; i++) {
                keeps[i] = !cut_takes_next(cut);
                changes = changes || !keeps[i];
            }
            if (changes)
                keep_triangles(edit, primitive, keeps, triangles);
        }
}

void walk_primitives(struct gltf_edit *edit, struct cut *cut)
{
    size_t i;
    json_t *mesh;
    json_array_foreach(edit_list(edit->root, "meshes"), i, mesh)
        edit_leave_out(mesh, "primitives", 1, cut);
}

/* All but positions, joints and weights may go. */
void walk_attributes(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const spare[] = {"NORMAL",     "TANGENT",    "TEXCOORD_0", "TEXCOORD_1",
                                        "TEXCOORD_2", "TEXCOORD_3", "COLOR_0",    "COLOR_1"};
    for (size_t i = 0; i < sizeof spare / sizeof spare[0]; i++)
        if (cut_takes_next(cut))
            edit_strip(json_object_get(edit->root, "meshes"), spare[i]);
}

/* The weights of the targets in the keys of one channel; without a target the channel goes. */
static bool keep_weights(struct gltf_edit *edit, json_t *sampler, const bool *keeps, uint32_t targets, uint32_t kept)
{
    const struct gltf_column *old = edit_values(edit, sampler, "output");
    if (kept == 0 || !old || old->count % targets != 0)
        return false;
    bool *keeps_all = ARENA_NEW(edit->arena, bool, old->count + 1);
    for (uint32_t i = 0; i < old->count; i++)
        keeps_all[i] = keeps[i % targets];
    edit_keep(edit, edit_own(edit, sampler, "output"), keeps_all, 1);
    return true;
}

static void keep_channels(struct gltf_edit *edit, json_t *animation, uint32_t mesh, const bool *keeps, uint32_t targets,
                          uint32_t kept)
{
    json_t *channels = json_array(), *channel;
    size_t i;
    json_array_foreach(edit_list(animation, "channels"), i, channel) {
        const json_t *target = json_object_get(channel, "target"), *nodes = edit_list(edit->root, "nodes"),
                     *samplers = edit_list(animation, "samplers");
        const char *path = json_string_value(json_object_get(target, "path"));
        const int32_t node = edit_index(target, "node", (uint32_t)json_array_size(nodes)),
                      sampler = edit_index(channel, "sampler", (uint32_t)json_array_size(samplers));
        const bool is_its = path && strcmp(path, "weights") == 0 && node >= 0 && sampler >= 0 &&
                            edit_index(json_array_get(nodes, (size_t)node), "mesh", mesh + 1) == (int32_t)mesh;
        if (!is_its || keep_weights(edit, json_array_get(samplers, (size_t)sampler), keeps, targets, kept))
            json_array_append(channels, channel);
    }
    json_object_set_new(animation, "channels", channels);
}

/* Targets of a mesh go from all its primitives, and their weights from the mesh, its nodes and all clips. */
void walk_targets(struct gltf_edit *edit, struct cut *cut)
{
    size_t m, i;
    json_t *mesh, *item;
    json_array_foreach(edit_list(edit->root, "meshes"), m, mesh) {
        const uint32_t count = (uint32_t)json_array_size(
            edit_list(json_array_get(edit_list(mesh, "primitives"), 0), "targets"));
        bool *keeps = ARENA_NEW(edit->arena, bool, count + 1);
        uint32_t kept = 0;
        for (uint32_t t = 0; t < count; t++)
            kept += keeps[t] = !cut_takes_next(cut);
        if (kept == count)
            continue;
        json_array_foreach(edit_list(mesh, "primitives"), i, item)
            edit_keep_items(item, "targets", keeps, count);
        edit_keep_items(mesh, "weights", keeps, count);
        json_array_foreach(edit_list(edit->root, "nodes"), i, item)
            if (edit_index(item, "mesh", (uint32_t)m + 1) == (int32_t)m)
                edit_keep_items(item, "weights", keeps, count);
        json_array_foreach(edit_list(edit->root, "animations"), i, item)
            keep_channels(edit, item, (uint32_t)m, keeps, count, kept);
    }
}
