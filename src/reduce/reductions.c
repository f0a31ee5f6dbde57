/* The things that can be left out of a glTF file. They are counted through the whole file, whatever they are in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/gltf_edit.h"

/* Returns whether the next thing is left out. */
static bool is_next_out(struct cut *cut)
{
    const uint32_t at = cut->at++;
    return at >= cut->first && at - cut->first < cut->count;
}

static json_t *list_of(const struct gltf_edit *edit, const char *name)
{
    return edit_list(edit->root, name);
}

static uint32_t node_count(const struct gltf_edit *edit)
{
    return (uint32_t)json_array_size(list_of(edit, "nodes"));
}

static json_t *node_at(const struct gltf_edit *edit, uint32_t node)
{
    return json_array_get(list_of(edit, "nodes"), node);
}

/* The clip that plays, or NULL. */
static json_t *clip_of(const struct gltf_edit *edit)
{
    return edit->clip >= 0 ? json_array_get(list_of(edit, "animations"), (size_t)edit->clip) : NULL;
}

static void walk_list(json_t *owner, const char *key, uint32_t least, struct cut *cut)
{
    json_t *old = edit_list(owner, key), *new = json_array(), *item;
    size_t i;
    json_array_foreach(old, i, item)
        if (!is_next_out(cut))
            json_array_append(new, item);
    if (json_array_size(new) >= least && json_array_size(new) < json_array_size(old))
        json_object_set(owner, key, new);
    json_decref(new);
}

/* ---- parts of the document ---- */

/* Members of the file, and what goes with them: a member of all that is in a list, or with "" in the file. */
static const struct {
    const char *name, *list, *member;
} parts[] = {{"materials", "meshes", "material"},
             {"textures"},
             {"images"},
             {"samplers"},
             {"cameras", "nodes", "camera"},
             {"extensions", "", "extensions"},
             {"extensionsUsed"},
             {"extensionsRequired"},
             {"extras", "", "extras"}};

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

static void walk_parts(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!is_next_out(cut))
            continue;
        json_object_del(edit->root, parts[i].name);
        if (parts[i].list)
            strip(parts[i].list[0] ? list_of(edit, parts[i].list) : edit->root, parts[i].member);
    }
}

/* The clip that plays stays. */
static void walk_clips(struct gltf_edit *edit, struct cut *cut)
{
    json_t *old = list_of(edit, "animations"), *new = json_array(), *clip;
    const json_t *playing = clip_of(edit);
    size_t i;
    json_array_foreach(old, i, clip)
        if (!is_next_out(cut) || clip == playing) {
            edit->clip = clip == playing ? (int32_t)json_array_size(new) : edit->clip;
            json_array_append(new, clip);
        }
    if (json_array_size(new) < json_array_size(old))
        json_object_set(edit->root, "animations", new);
    json_decref(new);
}

static void walk_meshes(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const keys[] = {"mesh", "skin", "weights"};
    for (uint32_t i = 0; i < node_count(edit); i++) {
        const bool is_out = is_next_out(cut);
        for (int k = 0; k < 3 && is_out; k++)
            json_object_del(node_at(edit, i), keys[k]);
    }
}

/* ---- values ---- */

static struct gltf_column *values_of(const struct gltf_edit *edit, const json_t *owner, const char *key)
{
    const int32_t index = edit_index(owner, key, edit->accessor_count);
    return index >= 0 ? &edit->accessors[index] : NULL;
}

/* Elements of which `keeps` says so, as new numbers. */
static void keep_elements(struct gltf_edit *edit, struct gltf_column *values, const bool *keeps, uint32_t each)
{
    const size_t block = (size_t)each * values->width;
    double *numbers = ARENA_NEW(edit->arena, double, (size_t)values->count * values->width);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < values->count / each; i++)
        if (keeps[i])
            memcpy(numbers + block * kept++, values->numbers + block * i, block * sizeof *numbers);
    values->numbers = numbers;
    values->count = kept * each;
}

/* An accessor that several use is given to this one alone before it is changed. It stays where it is until the next
 * one is. NULL where there is none. */
static struct gltf_column *own(struct gltf_edit *edit, json_t *owner, const char *key)
{
    const struct gltf_column *values = values_of(edit, owner, key);
    if (!values)
        return NULL;
    struct gltf_column *grown = ARENA_NEW(edit->arena, struct gltf_column, edit->accessor_count + 1);
    memcpy(grown, edit->accessors, edit->accessor_count * sizeof *grown);
    grown[edit->accessor_count] = *values;
    edit->accessors = grown;
    json_object_set_new(owner, key, json_integer(edit->accessor_count));
    return &grown[edit->accessor_count++];
}

/* ---- joints, nodes ---- */

enum { SETS = 2 };

/* JOINTS and WEIGHTS of both sets, of this mesh alone; how many sets there are. */
static int own_influences(struct gltf_edit *edit, json_t *attributes, struct gltf_column *joints[SETS],
                          struct gltf_column *weights[SETS])
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
    struct gltf_column *joints[SETS], *weights[SETS];
    const int slots = 4 * own_influences(edit, attributes, joints, weights);
    double *new_joints[SETS], *new_weights[SETS];
    const uint32_t vertices = slots > 0 ? joints[0]->count : 0;
    for (int set = 0; set < slots / 4; set++) {
        new_joints[set] = ARENA_NEW(edit->arena, double, 4 * (size_t)vertices);
        new_weights[set] = ARENA_NEW(edit->arena, double, 4 * (size_t)vertices);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        double held_by[4 * SETS] = {0}, held[4 * SETS] = {0};
        for (int i = 0; i < slots; i++) {
            const double joint = joints[i / 4]->numbers[4 * v + (uint32_t)i % 4];
            const double weight = weights[i / 4]->numbers[4 * v + (uint32_t)i % 4];
            const bool is_left = joint >= 0 && joint < joint_count && place[(uint32_t)joint] >= 0;
            const int32_t to = is_left ? place[(uint32_t)joint] : 0;
            int slot = 0;
            if (!(fabs(weight) > 0))
                continue;
            while (slot < i && !(held[slot] > 0 && (int32_t)held_by[slot] == to))
                slot++;
            held_by[slot] = to;
            held[slot] += weight;
        }
        for (int i = 0; i < slots; i++) {
            new_joints[i / 4][4 * v + (uint32_t)i % 4] = held_by[i];
            new_weights[i / 4][4 * v + (uint32_t)i % 4] = held[i];
        }
    }
    for (int set = 0; set < slots / 4; set++) {
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
    struct gltf_column *binds = own(edit, skin, "inverseBindMatrices");
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

static void walk_subtrees(struct gltf_edit *edit, struct cut *cut)
{
    bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1), any = false;
    for (uint32_t i = 0; i < node_count(edit); i++)
        if (is_next_out(cut)) {
            mark_below(edit, i, removed);
            any = true;
        }
    if (any)
        remove_nodes(edit, removed, false);
}

/* One after the other, so that the children of two in a row are not lost. */
static void walk_nodes(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < node_count(edit); i++) {
        if (!is_next_out(cut))
            continue;
        bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1);
        removed[i] = true;
        remove_nodes(edit, removed, true);
    }
}

static void walk_joints(struct gltf_edit *edit, struct cut *cut)
{
    bool *removed = ARENA_NEW(edit->arena, bool, node_count(edit) + 1), any = false;
    for (uint32_t i = 0; i < node_count(edit); i++)
        any = (removed[i] = is_next_out(cut)) || any;
    if (any)
        remove_joints_of_all(edit, removed);
}

/* ---- meshes ---- */

static uint32_t vertex_count(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_column *points = values_of(edit, json_object_get(primitive, "attributes"), "POSITION");
    return points ? points->count : 0;
}

static uint32_t triangles_of(const struct gltf_edit *edit, const json_t *primitive)
{
    const struct gltf_column *indices = values_of(edit, primitive, "indices");
    const json_t *mode = json_object_get(primitive, "mode");
    return mode && json_integer_value(mode) != 4 ? 0 : (indices ? indices->count : vertex_count(edit, primitive)) / 3;
}

static void keep_vertices(struct gltf_edit *edit, json_t *attributes, const bool *keeps)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(attributes, next, key, value) {
        struct gltf_column *values = own(edit, attributes, key);
        if (values)
            keep_elements(edit, values, keeps, 1);
    }
}

/* Vertices that no triangle has go too. At least one triangle stays in a primitive. */
static void keep_triangles(struct gltf_edit *edit, json_t *primitive, const bool *keeps, uint32_t triangles)
{
    const struct gltf_column *old = values_of(edit, primitive, "indices");
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
    struct gltf_column *new = own(edit, primitive, "indices");
    if (new) {
        new->numbers = indices;
        new->count = count;
    }
}

static void walk_triangles(struct gltf_edit *edit, struct cut *cut)
{
    size_t m, p;
    json_t *mesh, *primitive;
    json_array_foreach(list_of(edit, "meshes"), m, mesh)
        json_array_foreach(edit_list(mesh, "primitives"), p, primitive) {
            const uint32_t triangles = triangles_of(edit, primitive);
            bool *keeps = ARENA_NEW(edit->arena, bool, triangles + 1), changes = false;
            for (uint32_t i = 0; i < triangles; i++) {
                keeps[i] = !is_next_out(cut);
                changes = changes || !keeps[i];
            }
            if (changes)
                keep_triangles(edit, primitive, keeps, triangles);
        }
}

static void walk_primitives(struct gltf_edit *edit, struct cut *cut)
{
    size_t i;
    json_t *mesh;
    json_array_foreach(list_of(edit, "meshes"), i, mesh)
        walk_list(mesh, "primitives", 1, cut);
}

/* All but positions, joints and weights may go. */
static void walk_attributes(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const spare[] = {"NORMAL",     "TANGENT",    "TEXCOORD_0", "TEXCOORD_1",
                                        "TEXCOORD_2", "TEXCOORD_3", "COLOR_0",    "COLOR_1"};
    for (size_t i = 0; i < sizeof spare / sizeof spare[0]; i++)
        if (is_next_out(cut))
            strip(json_object_get(edit->root, "meshes"), spare[i]);
}

/* ---- animation ---- */

/* A clip without channels goes. */
static void walk_channels(struct gltf_edit *edit, struct cut *cut)
{
    walk_list(clip_of(edit), "channels", 0, cut);
}

/* Keys of all samplers of the clip, one after the other; a sampler keeps one key, of a cubic curve two. */
static void walk_keys(struct gltf_edit *edit, struct cut *cut)
{
    json_t *sampler;
    size_t i;
    json_array_foreach(edit_list(clip_of(edit), "samplers"), i, sampler) {
        const struct gltf_column *times = values_of(edit, sampler, "input"),
                                 *values = values_of(edit, sampler, "output");
        const uint32_t keys = times ? times->count : 0, each = values && keys > 0 ? values->count / keys : 0;
        const char *how = json_string_value(json_object_get(sampler, "interpolation"));
        const uint32_t least = how && strcmp(how, "CUBICSPLINE") == 0 ? 2 : 1;
        bool *keeps = ARENA_NEW(edit->arena, bool, keys);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < keys; k++)
            kept += keeps[k] = !is_next_out(cut);
        if (kept == keys || kept < least || each == 0 || values->count % keys != 0)
            continue;
        keep_elements(edit, own(edit, sampler, "input"), keeps, 1);
        keep_elements(edit, own(edit, sampler, "output"), keeps, each);
    }
}

/* ---- values that become simple ---- */

static void walk_transforms(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const transforms[] = {"matrix", "scale", "rotation", "translation"};
    for (uint32_t i = 0; i < 4 * node_count(edit); i++)
        if (is_next_out(cut))
            json_object_del(node_at(edit, i / 4), transforms[i % 4]);
}

/* Numbers of floats to two digits behind the point; quaternions are left, as they must be of unit length. */
static void walk_digits(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < edit->accessor_count; i++) {
        struct gltf_column *values = &edit->accessors[i];
        if (!is_next_out(cut) || values->component != GLTF_FLOAT || values->width == 4)
            continue;
        double *rounded = ARENA_NEW(edit->arena, double, (size_t)values->count * values->width);
        for (size_t k = 0; k < (size_t)values->count * values->width; k++)
            rounded[k] = floor(values->numbers[k] * 100 + 0.5) / 100;
        values->numbers = rounded;
    }
}

static void walk_names(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < node_count(edit); i++) {
        const char name[] = {(char)('a' + i % 26), i >= 26 ? (char)('a' + i / 26 % 26) : '\0', '\0'};
        if (is_next_out(cut))
            json_object_set_new(node_at(edit, i), "name", json_string(name));
    }
}

uint32_t reduction_count(reduction_walk *walk, struct gltf_edit *edit)
{
    struct cut none = {0};
    const size_t used = edit->arena->used;
    walk(edit, &none);
    arena_rewind(edit->arena, used);
    return none.at;
}

reduction_walk *const reductions[REDUCTIONS] = {
    walk_parts,    walk_clips,    walk_meshes, walk_primitives, walk_subtrees, walk_attributes, walk_triangles,
    walk_channels, walk_nodes,    walk_joints, walk_keys,       walk_transforms, walk_digits,   walk_names,
};
