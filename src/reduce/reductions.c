/* The things that can be left out of a glTF file. They are counted through the whole file, whatever they are in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/gltf_edit.h"

static bool is_in(uint32_t at, uint32_t first, uint32_t count)
{
    return at >= first && at - first < count;
}

static json_t *list_of(const struct gltf_edit *edit, const char *name)
{
    return edit_list(edit->root, name);
}

static uint32_t node_count(const struct gltf_edit *edit)
{
    return (uint32_t)json_array_size(list_of(edit, "nodes"));
}

/* ---- parts of the document ---- */

static const char *const parts[] = {"materials", "textures",   "images",         "samplers",
                                    "cameras",   "extensions", "extensionsUsed", "extensionsRequired",
                                    "extras"};
enum { PARTS = sizeof parts / sizeof parts[0] };

static uint32_t count_parts(const struct gltf_edit *edit)
{
    (void)edit;
    return PARTS;
}

/* Members that may be left out of any object below. */
static void strip(json_t *value, const char *key)
{
    const char *name;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        json_object_del(value, key);
        json_object_foreach(value, name, member)
            strip(member, key);
    }
    json_array_foreach(value, i, member)
        strip(member, key);
}

static void leave_out_parts(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < PARTS; i++) {
        json_object_del(edit->root, parts[i]);
        if (i == 0)
            strip(json_object_get(edit->root, "meshes"), "material");
        if (i == 4)
            strip(json_object_get(edit->root, "nodes"), "camera");
        if (i == 5 || i == 8)
            strip(edit->root, parts[i]);
    }
}

static uint32_t count_clips(const struct gltf_edit *edit)
{
    return (uint32_t)json_array_size(list_of(edit, "animations"));
}

/* The clip that plays stays. */
static void leave_out_clips(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    json_t *old = list_of(edit, "animations"), *new = json_array();
    int32_t clip = -1;
    for (uint32_t i = 0; i < json_array_size(old); i++) {
        if (is_in(i, first, count) && (int32_t)i != edit->clip)
            continue;
        clip = (int32_t)i == edit->clip ? (int32_t)json_array_size(new) : clip;
        json_array_append(new, json_array_get(old, i));
    }
    edit->clip = clip;
    json_object_set_new(edit->root, "animations", new);
}

static void leave_out_meshes(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < node_count(edit); i++) {
        json_object_del(json_array_get(list_of(edit, "nodes"), i), "mesh");
        json_object_del(json_array_get(list_of(edit, "nodes"), i), "skin");
        json_object_del(json_array_get(list_of(edit, "nodes"), i), "weights");
    }
}

/* ---- values ---- */

static struct gltf_values *values_of(const struct gltf_edit *edit, const json_t *owner, const char *key)
{
    const int32_t index = edit_index(owner, key, edit->accessor_count);
    return index >= 0 ? &edit->accessors[index] : NULL;
}

/* Elements of which `keeps` says so, as new numbers. */
static void keep_elements(struct gltf_edit *edit, struct gltf_values *values, const bool *keeps, uint32_t each)
{
    double *old = values->numbers;
    const size_t block = (size_t)each * values->width;
    uint32_t kept = 0;
    values->numbers = ARENA_NEW(edit->arena, double, (size_t)values->count * values->width);
    for (uint32_t i = 0; i < values->count / each; i++)
        if (keeps[i])
            memcpy(values->numbers + block * kept++, old + block * i, block * sizeof *old);
    values->count = kept * each;
}

/* An accessor that several use is given to this one alone before it is changed. */
static void own(struct gltf_edit *edit, json_t *owner, const char *key)
{
    const struct gltf_values *values = values_of(edit, owner, key);
    if (!values)
        return;
    struct gltf_values *grown = ARENA_NEW(edit->arena, struct gltf_values, edit->accessor_count + 1);
    memcpy(grown, edit->accessors, edit->accessor_count * sizeof *grown);
    grown[edit->accessor_count] = *values;
    edit->accessors = grown;
    json_object_set_new(owner, key, json_integer(edit->accessor_count++));
}

/* ---- joints, nodes ---- */

enum { SETS = 2 };

/* JOINTS and WEIGHTS of both sets, of this mesh alone; how many sets there are. */
static int own_influences(struct gltf_edit *edit, json_t *attributes, struct gltf_values *joints[SETS],
                          struct gltf_values *weights[SETS])
{
    static const char *const joints_keys[] = {"JOINTS_0", "JOINTS_1"}, *const weights_keys[] = {"WEIGHTS_0",
                                                                                                "WEIGHTS_1"};
    int sets = 0;
    for (int set = 0; set < SETS; set++) {
        own(edit, attributes, joints_keys[set]);
        own(edit, attributes, weights_keys[set]);
    }
    for (; sets < SETS; sets++) {
        joints[sets] = values_of(edit, attributes, joints_keys[sets]);
        weights[sets] = values_of(edit, attributes, weights_keys[sets]);
        if (!joints[sets] || !weights[sets] || joints[sets]->width != 4 || weights[sets]->width != 4 ||
            joints[sets]->count != weights[sets]->count || joints[sets]->count != joints[0]->count)
            break;
    }
    return sets;
}

/* Weight of joints that went goes to the first that is left; two influences of one joint, also of two sets, become
 * one. */
static void move_influences(struct gltf_edit *edit, json_t *attributes, const int32_t *place, uint32_t joint_count)
{
    struct gltf_values *joints[SETS], *weights[SETS];
    const int sets = own_influences(edit, attributes, joints, weights);
    double *new_joints[SETS], *new_weights[SETS];
    const uint32_t vertices = sets > 0 ? joints[0]->count : 0;
    for (int set = 0; set < sets; set++) {
        new_joints[set] = ARENA_NEW(edit->arena, double, 4 * (size_t)vertices);
        new_weights[set] = ARENA_NEW(edit->arena, double, 4 * (size_t)vertices);
    }
    for (uint32_t v = 0; v < vertices; v++)
        for (int i = 0; i < 4 * sets; i++) {
            const double joint = joints[i / 4]->numbers[4 * v + (uint32_t)i % 4],
                         weight = weights[i / 4]->numbers[4 * v + (uint32_t)i % 4];
            const int32_t to =
                joint >= 0 && joint < joint_count && place[(uint32_t)joint] >= 0 ? place[(uint32_t)joint] : 0;
            int slot = 0;
            if (!(fabs(weight) > 0))
                continue;
            while (slot < i && !(new_weights[slot / 4][4 * v + (uint32_t)slot % 4] > 0 &&
                                 (int32_t)new_joints[slot / 4][4 * v + (uint32_t)slot % 4] == to))
                slot++;
            new_joints[slot / 4][4 * v + (uint32_t)slot % 4] = to;
            new_weights[slot / 4][4 * v + (uint32_t)slot % 4] += weight;
        }
    for (int set = 0; set < sets; set++) {
        joints[set]->numbers = new_joints[set];
        weights[set]->numbers = new_weights[set];
    }
}

/* One joint stays at least. */
static void remove_joints(struct gltf_edit *edit, uint32_t skin_index, const bool *removed)
{
    json_t *skin = json_array_get(list_of(edit, "skins"), skin_index), *old = edit_list(skin, "joints"),
           *new = json_array(), *node, *primitive;
    const uint32_t count = (uint32_t)json_array_size(old);
    int32_t *place = ARENA_NEW(edit->arena, int32_t, count + 1);
    bool *keeps = ARENA_NEW(edit->arena, bool, count + 1);
    size_t i, k;
    for (uint32_t j = 0; j < count; j++) {
        const json_int_t joint = json_integer_value(json_array_get(old, j));
        keeps[j] = joint >= 0 && joint < node_count(edit) && !removed[joint];
        place[j] = keeps[j] ? (int32_t)json_array_size(new) : -1;
        if (keeps[j])
            json_array_append(new, json_array_get(old, j));
    }
    if (json_array_size(new) == 0 || json_array_size(new) == count) {
        json_decref(new);
        return;
    }
    json_object_set_new(skin, "joints", new);
    own(edit, skin, "inverseBindMatrices");
    struct gltf_values *binds = values_of(edit, skin, "inverseBindMatrices");
    if (binds && binds->count >= count)
        keep_elements(edit, binds, keeps, 1);
    bool *seen = ARENA_NEW(edit->arena, bool, json_array_size(list_of(edit, "meshes")) + 1);
    json_array_foreach(list_of(edit, "nodes"), i, node) {
        const int32_t mesh = edit_index(node, "mesh", (uint32_t)json_array_size(list_of(edit, "meshes")));
        if (edit_index(node, "skin", skin_index + 1) != (int32_t)skin_index || mesh < 0 || seen[mesh])
            continue;
        seen[mesh] = true;
        json_array_foreach(edit_list(json_array_get(list_of(edit, "meshes"), (size_t)mesh), "primitives"), k, primitive)
            move_influences(edit, json_object_get(primitive, "attributes"), place, count);
    }
}

static void remove_joints_of_all(struct gltf_edit *edit, const bool *removed)
{
    for (uint32_t s = 0; s < json_array_size(list_of(edit, "skins")); s++)
        remove_joints(edit, s, removed);
}

static void mark_below(const struct gltf_edit *edit, uint32_t node, bool *marked)
{
    size_t i;
    json_t *child;
    if (node >= node_count(edit) || marked[node])
        return;
    marked[node] = true;
    json_array_foreach(edit_list(json_array_get(list_of(edit, "nodes"), node), "children"), i, child)
        mark_below(edit, (uint32_t)json_integer_value(child), marked);
}

/* Takes nodes out of a list; where `heirs`, their children come in their place. */
static void replace_in(const struct gltf_edit *edit, json_t *owner, const char *key, const bool *removed, bool heirs)
{
    json_t *new = json_array(), *item, *child;
    size_t i, k;
    if (!json_object_get(owner, key)) {
        json_decref(new);
        return;
    }
    json_array_foreach(edit_list(owner, key), i, item) {
        const json_int_t node = json_integer_value(item);
        if (node < 0 || node >= node_count(edit))
            continue;
        if (!removed[node])
            json_array_append(new, item);
        else if (heirs)
            json_array_foreach(edit_list(json_array_get(list_of(edit, "nodes"), (size_t)node), "children"), k, child)
                json_array_append(new, child);
    }
    json_object_set_new(owner, key, new);
}

static void remove_nodes(struct gltf_edit *edit, const bool *removed, bool heirs)
{
    size_t i;
    json_t *item;
    remove_joints_of_all(edit, removed);
    json_array_foreach(list_of(edit, "scenes"), i, item)
        replace_in(edit, item, "nodes", removed, heirs);
    json_array_foreach(list_of(edit, "nodes"), i, item)
        replace_in(edit, item, "children", removed, heirs);
}

static void leave_out_subtrees(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1);
    for (uint32_t i = first; i < first + count; i++)
        mark_below(edit, i, removed);
    remove_nodes(edit, removed, false);
}

/* One after the other, so that the children of two in a row are not lost. */
static void splice_nodes(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < node_count(edit); i++) {
        bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1);
        removed[i] = true;
        remove_nodes(edit, removed, true);
    }
}

static void leave_out_joints(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1);
    for (uint32_t i = first; i < first + count && i < node_count(edit); i++)
        removed[i] = true;
    remove_joints_of_all(edit, removed);
}

/* ---- meshes ---- */

/* The k-th primitive of all meshes, NULL beyond the last. */
static json_t *primitive_at(const struct gltf_edit *edit, uint32_t k, json_t **mesh_out)
{
    size_t i;
    json_t *mesh;
    json_array_foreach(list_of(edit, "meshes"), i, mesh) {
        const uint32_t count = (uint32_t)json_array_size(edit_list(mesh, "primitives"));
        *mesh_out = mesh;
        if (k < count)
            return json_array_get(edit_list(mesh, "primitives"), k);
        k -= count;
    }
    return NULL;
}

static uint32_t vertex_count(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_values *points = values_of(edit, json_object_get(primitive, "attributes"), "POSITION");
    return points ? points->count : 0;
}

static uint32_t triangles_of(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_values *indices = values_of(edit, primitive, "indices");
    const json_t *mode = json_object_get(primitive, "mode");
    return mode && json_integer_value(mode) != 4 ? 0 : (indices ? indices->count : vertex_count(edit, primitive)) / 3;
}

static uint32_t count_triangles(const struct gltf_edit *edit)
{
    uint32_t sum = 0;
    json_t *mesh, *primitive;
    for (uint32_t p = 0; (primitive = primitive_at(edit, p, &mesh)); p++)
        sum += triangles_of(edit, primitive);
    return sum;
}

static void keep_vertices(struct gltf_edit *edit, json_t *attributes, const bool *keeps)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(attributes, next, key, value) {
        own(edit, attributes, key);
        if (values_of(edit, attributes, key))
            keep_elements(edit, values_of(edit, attributes, key), keeps, 1);
    }
}

/* Vertices that no triangle has go too. At least one triangle stays in a primitive. */
static void keep_triangles(struct gltf_edit *edit, json_t *primitive, const bool *keeps, uint32_t triangles)
{
    const struct gltf_values *old = values_of(edit, primitive, "indices");
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
    if (old) {
        own(edit, primitive, "indices");
        values_of(edit, primitive, "indices")->numbers = indices;
        values_of(edit, primitive, "indices")->count = count;
    }
}

static void leave_out_triangles(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    uint32_t at = 0;
    json_t *mesh, *primitive;
    for (uint32_t p = 0; (primitive = primitive_at(edit, p, &mesh)); p++) {
        const uint32_t triangles = triangles_of(edit, primitive);
        bool *keeps = ARENA_NEW(edit->arena, bool, triangles + 1), changes = false;
        for (uint32_t i = 0; i < triangles; i++, at++) {
            keeps[i] = !is_in(at, first, count);
            changes = changes || !keeps[i];
        }
        if (changes)
            keep_triangles(edit, primitive, keeps, triangles);
    }
}

static uint32_t count_primitives(const struct gltf_edit *edit)
{
    uint32_t count = 0;
    json_t *mesh;
    while (primitive_at(edit, count, &mesh))
        count++;
    return count;
}

static void leave_out_primitives(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    uint32_t at = 0;
    size_t i, k;
    json_t *mesh, *primitive;
    json_array_foreach(list_of(edit, "meshes"), i, mesh) {
        json_t *new = json_array();
        json_array_foreach(edit_list(mesh, "primitives"), k, primitive)
            if (!is_in(at++, first, count))
                json_array_append(new, primitive);
        if (json_array_size(new) > 0)
            json_object_set(mesh, "primitives", new);
        json_decref(new);
    }
}

/* All but positions, joints and weights. */
static const char *const spare_attributes[] = {"NORMAL",     "TANGENT",    "TEXCOORD_0", "TEXCOORD_1",
                                               "TEXCOORD_2", "TEXCOORD_3", "COLOR_0",    "COLOR_1"};
enum { SPARE_ATTRIBUTES = sizeof spare_attributes / sizeof spare_attributes[0] };

static uint32_t count_attributes(const struct gltf_edit *edit)
{
    (void)edit;
    return SPARE_ATTRIBUTES;
}

static void leave_out_attributes(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < SPARE_ATTRIBUTES; i++)
        strip(json_object_get(edit->root, "meshes"), spare_attributes[i]);
}

/* ---- animation ---- */

static uint32_t count_channels(const struct gltf_edit *edit)
{
    const json_t *clip = edit->clip >= 0 ? json_array_get(list_of(edit, "animations"), (size_t)edit->clip) : NULL;
    return (uint32_t)json_array_size(edit_list(clip, "channels"));
}

static void leave_out_channels(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    json_t *clip = edit->clip >= 0 ? json_array_get(list_of(edit, "animations"), (size_t)edit->clip) : NULL;
    json_t *new = json_array(), *channel;
    size_t i;
    json_array_foreach(edit_list(clip, "channels"), i, channel)
        if (!is_in((uint32_t)i, first, count))
            json_array_append(new, channel);
    if (clip && json_array_size(new) > 0)
        json_object_set(clip, "channels", new);
    json_decref(new);
}

/* Keys of all samplers of the clip, one after the other; a sampler keeps one key, of a cubic curve two. */
static uint32_t walk_keys(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    json_t *clip = edit->clip >= 0 ? json_array_get(list_of(edit, "animations"), (size_t)edit->clip) : NULL, *sampler;
    uint32_t at = 0;
    size_t i;
    json_array_foreach(edit_list(clip, "samplers"), i, sampler) {
        const struct gltf_values *times = values_of(edit, sampler, "input"),
                                 *values = values_of(edit, sampler, "output");
        const uint32_t keys = times ? times->count : 0, begin = at;
        at += keys;
        if (!values || keys == 0 || begin + keys <= first || begin >= first + count)
            continue;
        const char *how = json_string_value(json_object_get(sampler, "interpolation"));
        const uint32_t least = how && strcmp(how, "CUBICSPLINE") == 0 ? 2 : 1, each = values->count / keys;
        bool *keeps = ARENA_NEW(edit->arena, bool, keys);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < keys; k++)
            kept += keeps[k] = !is_in(begin + k, first, count);
        if (kept < least || each == 0 || values->count % keys != 0)
            continue;
        own(edit, sampler, "input");
        own(edit, sampler, "output");
        keep_elements(edit, values_of(edit, sampler, "input"), keeps, 1);
        keep_elements(edit, values_of(edit, sampler, "output"), keeps, each);
    }
    return at;
}

static uint32_t count_keys(const struct gltf_edit *edit)
{
    return walk_keys((struct gltf_edit *)edit, UINT32_MAX, 0);
}

static void leave_out_keys(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    walk_keys(edit, first, count);
}

/* ---- values that become simple ---- */

static const char *const transforms[] = {"matrix", "scale", "rotation", "translation"};

static uint32_t count_transforms(const struct gltf_edit *edit)
{
    return 4 * node_count(edit);
}

static void leave_out_transforms(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < 4 * node_count(edit); i++)
        json_object_del(json_array_get(list_of(edit, "nodes"), i / 4), transforms[i % 4]);
}

static uint32_t count_accessors(const struct gltf_edit *edit)
{
    return edit->accessor_count;
}

/* Numbers of floats to two digits behind the point; quaternions are left, as they must be of unit length. */
static void round_accessors(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < edit->accessor_count; i++) {
        struct gltf_values *values = &edit->accessors[i];
        if (values->component != 5126 || values->width == 4)
            continue;
        double *rounded = ARENA_NEW(edit->arena, double, (size_t)values->count * values->width);
        for (size_t k = 0; k < (size_t)values->count * values->width; k++)
            rounded[k] = floor(values->numbers[k] * 100 + 0.5) / 100;
        values->numbers = rounded;
    }
}

static void name_nodes(struct gltf_edit *edit, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < node_count(edit); i++) {
        const char name[] = {(char)('a' + i % 26), i >= 26 ? (char)('a' + i / 26 % 26) : '\0', '\0'};
        json_object_set_new(json_array_get(list_of(edit, "nodes"), i), "name", json_string(name));
    }
}

const struct reduction reductions[REDUCTIONS] = {
    {"parts", count_parts, leave_out_parts},
    {"clips", count_clips, leave_out_clips},
    {"meshes", node_count, leave_out_meshes},
    {"primitives", count_primitives, leave_out_primitives},
    {"subtrees", node_count, leave_out_subtrees},
    {"attributes", count_attributes, leave_out_attributes},
    {"triangles", count_triangles, leave_out_triangles},
    {"channels", count_channels, leave_out_channels},
    {"nodes", node_count, splice_nodes},
    {"joints", node_count, leave_out_joints},
    {"keys", count_keys, leave_out_keys},
    {"transforms", count_transforms, leave_out_transforms},
    {"digits", count_accessors, round_accessors},
    {"names", node_count, name_nodes},
};
