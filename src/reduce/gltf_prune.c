/* Takes away what the shown scene does not reach, and what names it. */
#include <math.h>
#include <string.h>

#include "import/gltf/gltf_file.h"
#include "reduce/gltf_edit.h"

/* Takes out what is null, and lists without items, which are not legal. */
static void clean(json_t *value)
{
    const char *name;
    json_t *item;
    void *next;
    json_object_foreach_safe(value, next, name, item) {
        clean(item);
        if (json_is_null(item) || (json_is_array(item) && json_array_size(item) == 0))
            json_object_del(value, name);
    }
    for (size_t i = json_array_size(value); i-- > 0;)
        if (json_is_null(item = json_array_get(value, i)))
            json_array_remove(value, i);
        else
            clean(item);
}

static const struct {
    const char *list, *path;
} references[] = {
    {"scenes", "scene"},
    {"nodes", "scenes/*/nodes/*"},
    {"nodes", "nodes/*/children/*"},
    {"nodes", "skins/*/joints/*"},
    {"nodes", "skins/*/skeleton"},
    {"nodes", "animations/*/channels/*/target/node"},
    {"meshes", "nodes/*/mesh"},
    {"skins", "nodes/*/skin"},
};

struct numbering {
    uint32_t count;
    int32_t *number; /* -1: it is gone */
};

static json_t *renumber(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    const struct numbering *now = context;
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    const bool is_kept = index >= 0 && index < (json_int_t)now->count && now->number[index] >= 0;
    return is_kept ? json_integer(now->number[index]) : json_null();
}

void edit_keep_items(struct gltf_edit *edit, const char *list, const bool *wanted)
{
    struct numbering now = {edit_count(edit, list), NULL};
    int32_t kept = 0;
    now.number = ARENA_NEW(edit->arena, int32_t, now.count);
    for (uint32_t i = 0; i < now.count; i++) {
        now.number[i] = wanted[i] ? kept++ : -1;
        if (!wanted[i])
            json_array_set_new(edit_list(edit->root, list), i, json_null());
    }
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (strcmp(references[i].list, list) == 0)
            edit_walk(edit->root, references[i].path, renumber, &now);
    if (strcmp(list, "animations") == 0)
        edit->clip = edit->clip >= 0 && edit->clip < (int32_t)now.count ? now.number[edit->clip] : -1;
    clean(edit->root);
}

/* ---- joints ---- */

enum { SETS = EDIT_SLOTS / 4 };

/* Columns of joints and of weights, as far as sets are whole; how many slots these are. */
static uint32_t find_influences(const struct gltf_edit *edit, const json_t *attributes,
                                struct gltf_column *columns[2][SETS])
{
    static const char *const keys[2][SETS] = {{"JOINTS_0", "JOINTS_1"}, {"WEIGHTS_0", "WEIGHTS_1"}};
    uint32_t sets = 0;
    for (; sets < SETS; sets++)
        for (int i = 0; i < 2; i++) {
            columns[i][sets] = edit_column(edit, attributes, keys[i][sets]);
            if (!columns[i][sets] || columns[i][sets]->width != 4 || columns[i][sets]->count != columns[0][0]->count)
                return 4 * sets;
        }
    return 4 * sets;
}

void edit_influences(struct gltf_edit *edit, json_t *attributes, const int32_t *place, uint32_t joint_count,
                     const bool dropped[EDIT_SLOTS])
{
    struct gltf_column *columns[2][SETS];
    double *new[2][SETS];
    const uint32_t slots = find_influences(edit, attributes, columns), vertices = slots > 0 ? columns[0][0]->count : 0;
    bool has_second = false;
    for (uint32_t i = 0; i < slots / 2; i++)
        new[i % 2][i / 2] = ARENA_NEW(edit->arena, double, 4 * (size_t)vertices);
    for (uint32_t v = 0; v < vertices; v++) {
        double joints[EDIT_SLOTS] = {0}, weights[EDIT_SLOTS] = {0};
        for (uint32_t i = 0; i < slots; i++) {
            const double old = columns[0][i / 4]->numbers[4 * v + i % 4],
                         weight = columns[1][i / 4]->numbers[4 * v + i % 4];
            const bool is_left = old >= 0 && old < joint_count && place && place[(uint32_t)old] >= 0;
            const double joint = is_left ? place[(uint32_t)old] : place ? 0 : old;
            uint32_t slot = 0;
            if (i > 0 && !(fabs(weight) > 0))
                continue;
            while (!dropped[i] && slot < i && !(weights[slot] > 0 && !(fabs(joints[slot] - joint) > 0)))
                slot++;
            joints[slot] = dropped[i] ? joints[0] : joint;
            weights[slot] += weight;
        }
        for (uint32_t i = 0; i < slots; i++) {
            new[0][i / 4][4 * v + i % 4] = joints[i];
            new[1][i / 4][4 * v + i % 4] = weights[i];
            has_second = has_second || (i >= 4 && weights[i] > 0);
        }
    }
    for (uint32_t i = 0; i < slots / 2; i++)
        columns[i % 2][i / 2]->numbers = new[i % 2][i / 2];
    if (!has_second)
        edit_walk(attributes, "@(JOINTS|WEIGHTS)_1", edit_leave_out, NULL);
}

static void remove_joints(struct gltf_edit *edit, uint32_t skin_index, const bool *removed)
{
    json_t *skin = json_array_get(edit_list(edit->root, "skins"), skin_index), *joints = edit_list(skin, "joints"),
           *node, *primitive;
    const uint32_t count = (uint32_t)json_array_size(joints), meshes = edit_count(edit, "meshes");
    int32_t *place = ARENA_NEW(edit->arena, int32_t, count), kept = 0;
    bool *keeps = ARENA_NEW(edit->arena, bool, count), *seen = ARENA_NEW(edit->arena, bool, meshes);
    size_t i, k;
    for (uint32_t j = 0; j < count; j++) {
        const int32_t joint = gltf_index_at(joints, j);
        keeps[j] = joint >= 0 && joint < (int32_t)edit_count(edit, "nodes") && !removed[joint];
        place[j] = keeps[j] ? kept++ : -1;
    }
    if (kept == 0 || kept == (int32_t)count)
        return;
    for (uint32_t j = 0; j < count; j++)
        if (!keeps[j])
            json_array_set_new(joints, j, json_null());
    clean(joints);
    struct gltf_column *binds = edit_column(edit, skin, "inverseBindMatrices");
    if (binds && binds->count >= count)
        edit_keep(edit, binds, keeps, 1);
    json_array_foreach(edit_list(edit->root, "nodes"), i, node) {
        const int32_t mesh = edit_index(node, "mesh", meshes);
        if (gltf_index(node, "skin") != (int32_t)skin_index || mesh < 0 || seen[mesh])
            continue;
        seen[mesh] = true;
        json_array_foreach(edit_list(edit_item(edit, "meshes", node, "mesh"), "primitives"), k, primitive)
            edit_influences(edit, json_object_get(primitive, "attributes"), place, count, (const bool[EDIT_SLOTS]){0});
    }
}

void edit_remove_joints(struct gltf_edit *edit, const bool *removed)
{
    for (uint32_t s = 0; s < edit_count(edit, "skins"); s++)
        remove_joints(edit, s, removed);
}

/* ---- all that is to be there ---- */

static void reach(const struct gltf_edit *edit, const json_t *list, bool *wanted)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const int32_t node = gltf_index_at(list, i);
        if (node < 0 || node >= (int32_t)edit_count(edit, "nodes") || wanted[node])
            continue;
        wanted[node] = true;
        reach(edit, edit_list(json_array_get(edit_list(edit->root, "nodes"), (size_t)node), "children"), wanted);
    }
}

static json_t *mark(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    const struct numbering *marks = context; /* whose numbers are 1 then */
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    if (index >= 0 && index < (json_int_t)marks->count)
        marks->number[index] = 1;
    return NULL;
}

/* Those of a list that a path names, or with NULL all, that have such a member, or with NULL any. */
static void keep_named(struct gltf_edit *edit, const char *list, const char *path, const char *member)
{
    struct numbering marks = {edit_count(edit, list), NULL};
    bool *wanted = ARENA_NEW(edit->arena, bool, marks.count);
    marks.number = ARENA_NEW(edit->arena, int32_t, marks.count);
    if (path)
        edit_walk(edit->root, path, mark, &marks);
    for (uint32_t i = 0; i < marks.count; i++)
        wanted[i] = (marks.number[i] || !path) &&
                    (!member || json_object_get(json_array_get(edit_list(edit->root, list), i), member));
    edit_keep_items(edit, list, wanted);
}

/* Channels without a sampler, of nodes that are gone, and of weights that nothing has. */
static json_t *drop_channel(json_t *channel, EDIT_UNUSED const char *key, void *context)
{
    const struct gltf_edit *edit = context;
    const json_t *target = json_object_get(channel, "target"), *node = edit_item(edit, "nodes", target, "node"),
                 *mesh = edit_item(edit, "meshes", node, "mesh");
    const char *path = gltf_string(target, "path", "");
    const json_t *primitive = json_array_get(edit_list(mesh, "primitives"), 0);
    const bool has_targets = json_array_size(edit_list(primitive, "targets")) > 0;
    const bool is_gone = json_object_get(target, "node") && !json_is_object(node);
    return is_gone || !json_object_get(channel, "sampler") || (node && strcmp(path, "weights") == 0 && !has_targets)
               ? json_null()
               : NULL;
}

static json_t *drop_of_mesh(json_t *node, EDIT_UNUSED const char *key, EDIT_UNUSED void *context)
{
    if (!json_object_get(node, "mesh"))
        edit_walk(node, "@(skin|weights)", edit_leave_out, NULL);
    return NULL;
}

void gltf_edit_prune(struct gltf_edit *edit)
{
    json_t *root = edit->root;
    clean(root);
    const uint32_t scenes = edit_count(edit, "scenes"), nodes = edit_count(edit, "nodes");
    const int32_t shown = edit_index(root, "scene", scenes);
    bool *wanted = ARENA_NEW(edit->arena, bool, scenes + 1), *gone = ARENA_NEW(edit->arena, bool, nodes);
    wanted[shown >= 0 ? shown : 0] = true;
    edit_keep_items(edit, "scenes", wanted);
    if (scenes > 0)
        json_object_set_new(root, "scene", json_integer(0));
    wanted = ARENA_NEW(edit->arena, bool, nodes);
    reach(edit, edit_list(json_array_get(edit_list(root, "scenes"), 0), "nodes"), wanted);
    for (uint32_t i = 0; i < nodes; i++)
        gone[i] = !wanted[i];
    edit_remove_joints(edit, gone);
    for (uint32_t i = 0; i < nodes; i++)
        if (gone[i])
            json_array_set_new(edit_list(root, "nodes"), i, json_null());
    edit_walk(root, "animations/*/channels/*", drop_channel, edit);
    edit_keep_items(edit, "nodes", wanted);
    keep_named(edit, "meshes", "nodes/*/mesh", "primitives");
    edit_walk(root, "nodes/*", drop_of_mesh, NULL);
    clean(root);
    keep_named(edit, "skins", "nodes/*/skin", NULL);
    keep_named(edit, "animations", NULL, "channels");
}
