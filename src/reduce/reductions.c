/* The things that can be left out of a glTF file. They are counted through the whole file, whatever they are in. */
#include <math.h>
#include <string.h>

#include "reduce/gltf_edit.h"

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

/* ---- parts of the document ---- */

/* Members of the file, and what goes with them: a member of all that is in a list, or with "" in the file. */
static const struct {
    const char *name, *list, *member;
} parts[] = {{"materials", "meshes", "material"},
             {"textures", "materials", "*Texture"},
             {"images", "textures", "source"},
             {"samplers", "textures", "sampler"},
             {"cameras", "nodes", "camera"},
             {"extensions", "", "extensions"},
             {"extensionsUsed"},
             {"extensionsRequired"},
             {"extras", "", "extras"}};

static void walk_parts(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!cut_takes_next(cut))
            continue;
        json_object_del(edit->root, parts[i].name);
        if (parts[i].list)
            edit_strip(parts[i].list[0] ? list_of(edit, parts[i].list) : edit->root, parts[i].member);
    }
}

/* Each image becomes one of a pixel. */
static void walk_images(struct gltf_edit *edit, struct cut *cut)
{
    json_t *image;
    size_t i;
    json_array_foreach(list_of(edit, "images"), i, image)
        if (cut_takes_next(cut))
            json_object_set_new(image, "uri", json_string(edit_smallest_image));
}

/* The clip that plays stays. */
static void walk_clips(struct gltf_edit *edit, struct cut *cut)
{
    const uint32_t count = (uint32_t)json_array_size(list_of(edit, "animations"));
    bool *keeps = ARENA_NEW(edit->arena, bool, count + 1);
    int32_t playing = edit->clip, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        keeps[i] = !cut_takes_next(cut) || (int32_t)i == playing;
        edit->clip = (int32_t)i == playing ? kept : edit->clip;
        kept += keeps[i];
    }
    if (kept < (int32_t)count)
        edit_keep_items(edit->root, "animations", keeps, count);
}

static void walk_meshes(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const keys[] = {"mesh", "skin", "weights"};
    for (uint32_t i = 0; i < node_count(edit); i++) {
        const bool is_out = cut_takes_next(cut);
        for (int k = 0; k < 3 && is_out; k++)
            json_object_del(node_at(edit, i), keys[k]);
    }
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
        edit_own(edit, attributes, joints_keys[set]);
        edit_own(edit, attributes, weights_keys[set]);
    }
    for (; sets < SETS; sets++) {
        joints[sets] = edit_values(edit, attributes, joints_keys[sets]);
        weights[sets] = edit_values(edit, attributes, weights_keys[sets]);
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

/* Influences of all vertices of a primitive but the first, whose weight grows by theirs; a second set without weights
 * goes. */
static void drop_influences(struct gltf_edit *edit, json_t *attributes, const bool *dropped)
{
    struct gltf_column *columns[2][SETS]; /* joints, weights */
    const int slots = 4 * own_influences(edit, attributes, columns[0], columns[1]);
    double *new[2][SETS];
    bool has_second = false;
    for (int i = 0; i < slots / 2; i++) {
        struct gltf_column *column = columns[i % 2][i / 2];
        const size_t numbers = 4 * (size_t)column->count;
        new[i % 2][i / 2] = memcpy(ARENA_NEW(edit->arena, double, numbers), column->numbers, numbers * sizeof(double));
        column->numbers = new[i % 2][i / 2];
    }
    for (uint32_t v = 0; slots > 0 && v < columns[0][0]->count; v++)
        for (int i = 1; i < slots; i++) {
            double *joint = &new[0][i / 4][4 * v + (uint32_t)i % 4], *weight = &new[1][i / 4][4 * v + (uint32_t)i % 4];
            if (dropped[i]) {
                new[1][0][4 * v] += *weight;
                *joint = *weight = 0;
            }
            has_second = has_second || (i >= 4 && *weight > 0);
        }
    if (!has_second)
        edit_strip(attributes, "*S_1");
}

static void walk_influences(struct gltf_edit *edit, struct cut *cut)
{
    json_t *mesh, *primitive;
    size_t m, p;
    json_array_foreach(list_of(edit, "meshes"), m, mesh)
        json_array_foreach(edit_list(mesh, "primitives"), p, primitive) {
            json_t *attributes = json_object_get(primitive, "attributes");
            const int slots = json_object_get(attributes, "JOINTS_1")   ? 8
                              : json_object_get(attributes, "JOINTS_0") ? 4
                                                                        : 0;
            bool dropped[4 * SETS] = {false}, any = false;
            for (int i = 1; i < slots; i++)
                any = (dropped[i] = cut_takes_next(cut)) || any;
            if (any)
                drop_influences(edit, attributes, dropped);
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
    struct gltf_column *binds = edit_own(edit, skin, "inverseBindMatrices");
    if (binds && binds->count >= count)
        edit_keep(edit, binds, keeps, 1);
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
        if (cut_takes_next(cut)) {
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
        if (!cut_takes_next(cut))
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
        any = (removed[i] = cut_takes_next(cut)) || any;
    if (any)
        remove_joints_of_all(edit, removed);
}

/* ---- animation ---- */

/* A clip without channels goes. */
static void walk_channels(struct gltf_edit *edit, struct cut *cut)
{
    edit_leave_out(clip_of(edit), "channels", 0, cut);
}

/* Keys of all samplers of the clip, one after the other; a sampler keeps one key, of a cubic curve two. */
static void walk_keys(struct gltf_edit *edit, struct cut *cut)
{
    json_t *sampler;
    size_t i;
    json_array_foreach(edit_list(clip_of(edit), "samplers"), i, sampler) {
        const struct gltf_column *times = edit_values(edit, sampler, "input"),
                                 *values = edit_values(edit, sampler, "output");
        const uint32_t keys = times ? times->count : 0, each = values && keys > 0 ? values->count / keys : 0;
        const char *how = json_string_value(json_object_get(sampler, "interpolation"));
        const uint32_t least = how && strcmp(how, "CUBICSPLINE") == 0 ? 2 : 1;
        bool *keeps = ARENA_NEW(edit->arena, bool, keys);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < keys; k++)
            kept += keeps[k] = !cut_takes_next(cut);
        if (kept == keys || kept < least || each == 0 || values->count % keys != 0)
            continue;
        edit_keep(edit, edit_own(edit, sampler, "input"), keeps, 1);
        edit_keep(edit, edit_own(edit, sampler, "output"), keeps, each);
    }
}

/* ---- values that become simple ---- */

static void walk_transforms(struct gltf_edit *edit, struct cut *cut)
{
    static const char *const transforms[] = {"matrix", "scale", "rotation", "translation"};
    for (uint32_t i = 0; i < 4 * node_count(edit); i++)
        if (cut_takes_next(cut))
            json_object_del(node_at(edit, i / 4), transforms[i % 4]);
}

/* Numbers of floats to two digits behind the point; quaternions are left, as they must be of unit length. */
static void walk_digits(struct gltf_edit *edit, struct cut *cut)
{
    for (uint32_t i = 0; i < edit->accessor_count; i++) {
        struct gltf_column *values = &edit->accessors[i];
        if (!cut_takes_next(cut) || values->component != GLTF_FLOAT || values->width == 4)
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
        if (cut_takes_next(cut))
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
    walk_parts,   walk_images,   walk_clips, walk_meshes, walk_primitives, walk_subtrees, walk_attributes,
    walk_triangles, walk_targets, walk_channels, walk_nodes, walk_joints, walk_influences, walk_keys,
    walk_transforms, walk_digits, walk_names,
};
