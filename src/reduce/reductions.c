/* The things that can be left out of a glTF file. They are counted through the whole file, whatever they are in. */
#include <math.h>
#include <string.h>

#include "reduce/gltf_edit.h"

/* Returns whether the next thing is left out. */
static bool takes_next(struct cut *cut)
{
    const uint32_t at = cut->at++;
    return at >= cut->first && at - cut->first < cut->count;
}

struct walk {
    struct gltf_edit *edit;
    struct cut *cut;
};

/* Says which of the next things stay, and how many. */
static bool *choose(const struct walk *walk, uint32_t count, uint32_t *kept)
{
    bool *keeps = ARENA_NEW(walk->edit->arena, bool, count);
    *kept = 0;
    for (uint32_t i = 0; i < count; i++)
        *kept += keeps[i] = !takes_next(walk->cut);
    return keeps;
}

/* ---- what a path leads to ---- */

/* These go together: members and what names them. */
static const char *const parts[][2] = {
    {"materials", "meshes/**/material"},
    {"textures", "materials/**/*Texture"},
    {"images", "textures/*/source"},
    {"samplers", "textures/*/sampler"},
    {"cameras", "nodes/*/camera"},
    {"**/extensions", "extensions@(Used|Required)"},
    {"extensionsRequired"},
    {"**/extras"},
    {"meshes/*/primitives/*/**/NORMAL"},
    {"meshes/*/primitives/*/**/TANGENT"},
    {"meshes/*/primitives/*/**/TEXCOORD_*", "materials/**/*Texture"}, /* which need them */
    {"meshes/*/primitives/*/**/COLOR_*"},
};

static void walk_parts(struct walk *walk)
{
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (int k = takes_next(walk->cut) ? 0 : 2; k < 2 && parts[i][k]; k++)
            edit_walk(walk->edit->root, parts[i][k], edit_leave_out, NULL);
}

static json_t *leave_next(EDIT_UNUSED json_t *value, EDIT_UNUSED const char *key, void *walk)
{
    return takes_next(((struct walk *)walk)->cut) ? json_null() : NULL;
}

static json_t *shrink_image(EDIT_UNUSED json_t *value, EDIT_UNUSED const char *key, void *walk)
{
    return takes_next(((struct walk *)walk)->cut) ? json_string(edit_smallest_image) : NULL;
}

static json_t *rename_next(EDIT_UNUSED json_t *value, EDIT_UNUSED const char *key, void *context)
{
    struct cut *cut = ((struct walk *)context)->cut;
    const uint32_t i = cut->at;
    const char name[] = {(char)('a' + i % 26), i >= 26 ? (char)('a' + i / 26 % 26) : '\0', '\0'};
    return takes_next(cut) ? json_string(name) : NULL;
}

/* ---- what needs more than a path ---- */

/* The clip that plays stays. */
static void walk_clips(struct walk *walk)
{
    uint32_t kept;
    bool *keeps = choose(walk, edit_count(walk->edit, "animations"), &kept);
    if (walk->edit->clip >= 0)
        keeps[walk->edit->clip] = true;
    edit_keep_items(walk->edit, "animations", keeps);
}

/* Children come in the place of a node. */
static void splice(const struct gltf_edit *edit, json_t *list, uint32_t node)
{
    size_t i, k;
    json_t *item, *child;
    json_array_foreach(list, i, item) {
        if (json_integer_value(item) != node)
            continue;
        json_array_remove(list, i);
        json_array_foreach(edit_list(json_array_get(edit_list(edit->root, "nodes"), node), "children"), k, child)
            json_array_insert(list, i + k, child);
        return;
    }
}

/* One after the other, so that the children of two in a row are not lost. */
static void walk_nodes(struct walk *walk)
{
    const struct gltf_edit *edit = walk->edit;
    size_t k;
    json_t *owner;
    for (uint32_t i = 0; i < edit_count(edit, "nodes"); i++) {
        if (!takes_next(walk->cut))
            continue;
        json_array_foreach(edit_list(edit->root, "scenes"), k, owner)
            splice(edit, edit_list(owner, "nodes"), i);
        json_array_foreach(edit_list(edit->root, "nodes"), k, owner)
            splice(edit, edit_list(owner, "children"), i);
    }
}

static void walk_joints(struct walk *walk)
{
    const uint32_t count = edit_count(walk->edit, "nodes");
    bool *removed = ARENA_NEW(walk->edit->arena, bool, count);
    for (uint32_t i = 0; i < count; i++)
        removed[i] = takes_next(walk->cut);
    edit_remove_joints(walk->edit, removed);
}

static json_t *drop_influences(json_t *attributes, EDIT_UNUSED const char *key, void *context)
{
    struct walk *walk = context;
    const uint32_t slots = json_object_get(attributes, "JOINTS_1")   ? 8
                           : json_object_get(attributes, "JOINTS_0") ? 4
                                                                     : 0;
    bool dropped[EDIT_SLOTS] = {false}, any = false;
    for (uint32_t i = 1; i < slots; i++)
        any = (dropped[i] = takes_next(walk->cut)) || any;
    if (any)
        edit_influences(walk->edit, attributes, NULL, 0, dropped);
    return NULL;
}

/* Keys of all channels of the clip, one after the other; a sampler keeps one key, of a cubic curve two. */
static json_t *drop_keys(json_t *sampler, EDIT_UNUSED const char *key, void *context)
{
    struct walk *walk = context;
    struct gltf_column *times = edit_column(walk->edit, sampler, "input"),
                       *values = edit_column(walk->edit, sampler, "output");
    const char *how = json_string_value(json_object_get(sampler, "interpolation"));
    const uint32_t count = times ? times->count : 0, least = how && strcmp(how, "CUBICSPLINE") == 0 ? 2 : 1;
    uint32_t kept;
    const bool *keeps = choose(walk, count, &kept);
    if (kept < count && kept >= least && values && values->count > 0 && values->count % count == 0) {
        edit_keep(walk->edit, values, keeps, values->count / count);
        edit_keep(walk->edit, times, keeps, 1);
    }
    return NULL;
}

/* Numbers of floats to two digits behind the point; quaternions are left, as they must be of unit length. */
static json_t *round_column(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    struct walk *walk = context;
    struct gltf_column *column = &walk->edit->columns[json_integer_value(value)];
    const size_t count = (size_t)column->count * column->width;
    if (!takes_next(walk->cut) || column->component != GLTF_FLOAT || column->width == 4)
        return NULL;
    double *rounded = ARENA_NEW(walk->edit->arena, double, count);
    for (size_t i = 0; i < count; i++)
        rounded[i] = floor(column->numbers[i] * 100 + 0.5) / 100;
    column->numbers = rounded;
    return NULL;
}

static void walk_digits(struct walk *walk)
{
    for (int i = 0; i < EDIT_ACCESSORS; i++)
        edit_walk(walk->edit->root, edit_accessors[i].path, round_column, walk);
}

/* ---- meshes ---- */

struct used {
    const struct gltf_edit *edit;
    const bool *vertices;
};

static json_t *keep_vertices(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    const struct used *used = context;
    edit_keep(used->edit, &used->edit->columns[json_integer_value(value)], used->vertices, 1);
    return NULL;
}

/* Triangles with their vertices. At least one stays in a primitive. */
static json_t *drop_triangles(json_t *primitive, EDIT_UNUSED const char *key, void *context)
{
    struct walk *walk = context;
    struct arena *arena = walk->edit->arena;
    struct gltf_column *indices = edit_column(walk->edit, primitive, "indices"),
                       *points = edit_column(walk->edit, json_object_get(primitive, "attributes"), "POSITION");
    const json_t *mode = json_object_get(primitive, "mode");
    const uint32_t vertices = points ? points->count : 0,
                   triangles = mode && json_integer_value(mode) != 4 ? 0 : (indices ? indices->count : vertices) / 3;
    uint32_t kept, count = 0, place = 0;
    const bool *keeps = choose(walk, triangles, &kept);
    bool *used = ARENA_NEW(arena, bool, vertices);
    double *now = ARENA_NEW(arena, double, 3 * (size_t)triangles), *places = ARENA_NEW(arena, double, vertices);
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        const double vertex = indices ? indices->numbers[i] : i;
        if (!keeps[i / 3] || vertex < 0 || vertex >= vertices)
            continue;
        used[(uint32_t)vertex] = true;
        now[count++] = vertex;
    }
    if (kept == triangles || count < 3)
        return NULL;
    for (uint32_t v = 0; v < vertices; v++)
        places[v] = used[v] ? place++ : 0;
    for (uint32_t i = 0; i < count; i++)
        now[i] = places[(uint32_t)now[i]];
    edit_walk(primitive, "attributes/*", keep_vertices, &(struct used){walk->edit, used});
    edit_walk(primitive, "targets/*/*", keep_vertices, &(struct used){walk->edit, used});
    if (indices) {
        indices->numbers = now;
        indices->count = count;
    }
    return NULL;
}

static void leave_items(json_t *owner, const char *list, const bool *keeps, uint32_t count)
{
    json_t *items = edit_list(owner, list);
    for (uint32_t i = 0; i < json_array_size(items) && i < count; i++)
        if (!keeps[i])
            json_array_set_new(items, i, json_null());
}

/* Keeps those weights of a channel that stay. */
static void keep_weights(struct gltf_edit *edit, const json_t *channel, const json_t *mesh, const bool *keeps,
                         uint32_t targets)
{
    const json_t *target = json_object_get(channel, "target"), *node = edit_item(edit, "nodes", target, "node");
    const char *path = json_string_value(json_object_get(target, "path"));
    struct gltf_column *values = edit_column(edit, json_object_get(channel, "sampler"), "output");
    if (edit_item(edit, "meshes", node, "mesh") != mesh || !path || strcmp(path, "weights") != 0 || !values ||
        values->count % targets != 0)
        return;
    bool *keeps_all = ARENA_NEW(edit->arena, bool, values->count);
    for (uint32_t i = 0; i < values->count; i++)
        keeps_all[i] = keeps[i % targets];
    edit_keep(edit, values, keeps_all, 1);
}

/* Targets of a mesh go from all its primitives, and their weights from the mesh, its nodes and all clips. */
static json_t *drop_targets(json_t *mesh, EDIT_UNUSED const char *key, void *context)
{
    struct walk *walk = context;
    struct gltf_edit *edit = walk->edit;
    json_t *primitives = edit_list(mesh, "primitives"), *item, *channel;
    const uint32_t count = (uint32_t)json_array_size(edit_list(json_array_get(primitives, 0), "targets"));
    size_t i, k;
    uint32_t kept;
    const bool *keeps = choose(walk, count, &kept);
    if (kept == count)
        return NULL;
    json_array_foreach(primitives, i, item)
        leave_items(item, "targets", keeps, count);
    leave_items(mesh, "weights", keeps, count);
    json_array_foreach(edit_list(edit->root, "nodes"), i, item)
        if (edit_item(edit, "meshes", item, "mesh") == mesh)
            leave_items(item, "weights", keeps, count);
    json_array_foreach(edit_list(edit->root, "animations"), i, item)
        json_array_foreach(edit_list(item, "channels"), k, channel)
            keep_weights(edit, channel, mesh, keeps, count);
    return NULL;
}

/* ---- in this order ---- */

static const struct reduction {
    void (*walk)(struct walk *walk);
    const char *path; /* or what it leads to is visited */
    edit_visit *visit;
} reductions[REDUCTIONS] = {
    {walk_parts},
    {NULL, "images/*/uri", shrink_image},
    {walk_clips},
    {NULL, "nodes/*/mesh", leave_next},
    {NULL, "meshes/*/primitives/*", leave_next},
    {NULL, "@(scenes|nodes)/*/@(nodes|children)/*", leave_next},
    {NULL, "meshes/*/primitives/*", drop_triangles},
    {NULL, "meshes/*", drop_targets},
    {NULL, "animations/*/channels/*", leave_next},
    {walk_nodes},
    {walk_joints},
    {NULL, "meshes/*/primitives/*/attributes", drop_influences},
    {NULL, "animations/*/channels/*/sampler", drop_keys},
    {NULL, "nodes/*/@(matrix|scale|rotation|translation)", leave_next},
    {walk_digits},
    {NULL, "nodes/*/name", rename_next},
};

void reduction_walk(uint32_t reduction, struct gltf_edit *edit, struct cut *cut)
{
    const struct reduction *r = &reductions[reduction];
    struct walk walk = {edit, cut};
    if (r->walk)
        r->walk(&walk);
    else
        edit_walk(edit->root, r->path, r->visit, &walk);
}

uint32_t reduction_count(uint32_t reduction, struct gltf_edit *edit)
{
    struct cut none = {0};
    const size_t used = edit->arena->used;
    reduction_walk(reduction, edit, &none);
    arena_rewind(edit->arena, used);
    return none.at;
}
