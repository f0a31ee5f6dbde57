#include "import/repair/inherit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/fbx/fbx_animation.h"

struct model {
    struct slice name;
    uint32_t element;
    bool is_ambiguous; /* several models have the name */
    enum inherit_type type;
    int32_t parent;            /* the index of the model above */
    int32_t taken;             /* whose scale it has besides its own: that of this model, and what that one has taken */
    bool is_scaled, is_uneven; /* at any time, with what it has taken */
};

static int by_name(const void *a, const void *b)
{
    return slice_order(((const struct model *)a)->name, ((const struct model *)b)->name);
}

/* Looks at scales of x, y and z: one of each, or as many as `count` says; NULL: there are none. */
static void look_at_values(struct model *model, double *const values[3], const uint32_t count[3])
{
    for (int axis = 0; axis < 3; axis++) {
        model->is_uneven = model->is_uneven || count[axis] != count[0];
        for (uint32_t k = 0; k < count[axis]; k++) {
            model->is_scaled = model->is_scaled || fabs(values[axis][k] - 1) > 1e-6;
            model->is_uneven = model->is_uneven || fabs(values[axis][k] - values[0][k]) > 1e-6 * fabs(values[0][k]);
        }
    }
}

/* The scale of a model at rest, and the keys of its curves in all stacks and layers. */
static void look_at_scale(const struct fbx_file *file, struct model *model)
{
    double own[3] = {1, 1, 1};
    int64_t id = 0;
    uint32_t count, curve_count;
    fbx_property(file, model->element, fbx_properties[COMPONENT_SCALE], 3, own);
    look_at_values(model, (double *const[3]){&own[0], &own[1], &own[2]}, (const uint32_t[3]){1, 1, 1});
    fbx_integer(file, model->element, 0, &id);
    const struct fbx_connection *nodes = fbx_connections(file, file->by_parent, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        double *keys[3] = {NULL};
        uint32_t key_count[3] = {0};
        if (!slice_is(nodes[i].property, fbx_properties[COMPONENT_SCALE]))
            continue;
        const struct fbx_connection *curves = fbx_connections(file, file->by_parent, nodes[i].other, &curve_count);
        for (uint32_t k = 0; k < curve_count; k++) {
            const uint32_t curve = fbx_find(file, curves[k].other, "AnimationCurve");
            const uint32_t values = curve ? fbx_child(file, curve, "KeyValueFloat") : 0;
            for (int axis = 0; axis < 3 && values; axis++)
                if (slice_is(curves[k].property, fbx_axes[axis]) && !keys[axis])
                    keys[axis] = fbx_array(file, values, &key_count[axis]);
        }
        look_at_values(model, keys, key_count);
        for (int axis = 0; axis < 3; axis++)
            free(keys[axis]);
    }
}

/* The file's models by name; freed by the caller. NULL: there are none, or none that says how it takes over a scale. */
static struct model *read_models(const struct fbx_file *file, uint32_t *count)
{
    bool is_needed = false;
    struct model *models = memory_new(file->object_count, sizeof *models);
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Model")) != 0;) {
        const double type = fbx_model_number(file, e, "InheritType", RSrs);
        models[(*count)++] = (struct model){.name = fbx_object_name(file, e),
                                            .element = e,
                                            .type = type == RrSs || type == Rrs ? (enum inherit_type)type : RSrs,
                                            .parent = NO_INDEX,
                                            .taken = NO_INDEX};
        is_needed = is_needed || type == RrSs || type == Rrs;
    }
    if (!is_needed) {
        free(models);
        return NULL;
    }
    sort_items(models, *count, sizeof *models, by_name);
    for (uint32_t m = 1; m < *count; m++)
        if (by_name(&models[m - 1], &models[m]) == 0)
            models[m - 1].is_ambiguous = models[m].is_ambiguous = true;
    for (uint32_t m = 0; m < *count; m++)
        look_at_scale(file, &models[m]);
    return models;
}

/* Sets what a model takes over, by what its parent does. Returns whether Assimp's is another scale. */
static bool take_over(struct model *models, struct model *model)
{
    const struct model *parent = model->parent == NO_INDEX ? NULL : &models[model->parent];
    if (!parent || model->type == RSrs)
        return false;
    const bool differs = model->type == Rrs ? parent->is_scaled : parent->is_uneven;
    model->taken = model->type == RrSs ? model->parent : parent->taken;
    if (model->taken != NO_INDEX) {
        model->is_scaled = model->is_scaled || models[model->taken].is_scaled;
        model->is_uneven = model->is_uneven || models[model->taken].is_uneven;
    }
    return differs;
}

bool is_pivot(const char *name, const char *which)
{
    const char *mark = strstr(name, "_$AssimpFbx$_");
    return mark && strncmp(mark + strlen("_$AssimpFbx$_"), which, strlen(which)) == 0;
}

/* The place in `order` of the node that the new one goes above: the model's, or the first of its pivots that turns or
 * scales. NO_INDEX: pivots that move the centre of these are there, behind which a node can take back no scale. */
static int32_t find_place(const struct placed_node *order, int32_t node, bool *has_translation)
{
    static const char *const centres[] = {"RotationPivot", "RotationOffset", "ScalingPivot", "ScalingOffset"};
    const char *name = order[node].node->mName.data;
    int32_t place = node;
    *has_translation = true;
    for (int32_t n = order[node].parent; n != NO_INDEX && is_pivot_of(order[n].node->mName.data, name);
         n = order[n].parent) {
        for (size_t i = 0; i < sizeof centres / sizeof *centres; i++)
            if (is_pivot(order[n].node->mName.data, centres[i]))
                return NO_INDEX;
        *has_translation = false;
        if (!is_pivot(order[n].node->mName.data, "Translation"))
            place = n;
    }
    return place;
}

/* A node with nothing but a name, as Assimp would have it. */
static const struct aiNode *make_node(struct conversion *c, const char *model)
{
    struct aiNode *node = ARENA_NEW(c->scene->arena, struct aiNode, 1);
    const char *name = arena_printf(c->scene->arena, "%s_$AssimpFbx$_ParentScaling", model);
    struct aiMatrix4x4 *m = &node->mTransformation;
    m->a1 = m->b2 = m->c3 = m->d4 = 1;
    node->mName.length = (ai_uint32)(strlen(name) < sizeof node->mName.data ? strlen(name) : 0);
    memcpy(node->mName.data, name, node->mName.length);
    return node;
}

/* Puts the nodes into the tree, whose nodes move: `moved` says where to. */
static struct placed_node *put_in(struct conversion *c, const struct placed_node *order, uint32_t count,
                                  uint32_t *moved)
{
    struct placed_node *out = memory_new(count + c->inherit_count, sizeof *out);
    FREED struct inherit **above = memory_new(count, sizeof *above);
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->inherit_count; i++)
        above[c->inherits[i].place] = &c->inherits[i];
    for (uint32_t i = 0; i < count; i++) {
        int32_t parent = order[i].parent == NO_INDEX ? NO_INDEX : (int32_t)moved[order[i].parent];
        if (above[i]) {
            out[at] = (struct placed_node){make_node(c, order[above[i]->model].node->mName.data), parent};
            above[i]->node = at;
            parent = (int32_t)at++;
        }
        moved[i] = at;
        out[at++] = (struct placed_node){order[i].node, parent};
    }
    return out;
}

/* The nodes of a model and of those whose scales it has taken, in the arena; `node_of` has each model's. */
static uint32_t *list_scales(struct arena *arena, const struct model *models, const int32_t *node_of, int32_t model,
                             uint32_t *count)
{
    *count = 0;
    for (int32_t m = model; m != NO_INDEX; m = models[m].taken)
        ++*count;
    uint32_t *list = ARENA_NEW(arena, uint32_t, *count), at = 0;
    for (int32_t m = model; m != NO_INDEX; m = models[m].taken)
        list[at++] = (uint32_t)node_of[m];
    return list;
}

/* Finds the models whose scale Assimp has wrong. Returns how many there are for which no node can be put in. */
static uint32_t find_inherits(struct conversion *c, const struct placed_node *order, uint32_t count,
                              struct model *models, uint32_t model_count)
{
    struct arena *arena = c->scene->arena;
    int32_t *model_of = memory_new(count, sizeof *model_of), *node_of = memory_new(model_count, sizeof *node_of);
    uint32_t left = 0;
    c->inherits = ARENA_NEW(arena, struct inherit, model_count);
    for (uint32_t m = 0; m < model_count; m++)
        node_of[m] = NO_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        const struct model key = {.name = slice_of(order[i].node->mName.data)};
        struct model *model = bsearch(&key, models, model_count, sizeof key, by_name);
        model_of[i] = order[i].parent == NO_INDEX ? NO_INDEX : model_of[order[i].parent];
        if (!model || node_of[model - models] != NO_INDEX) /* a hostile file's tree may have it twice */
            continue;
        model->parent = model_of[i];
        model_of[i] = (int32_t)(model - models);
        node_of[model - models] = (int32_t)i;
        if (model->is_ambiguous)
            model->type = RSrs;
        if (!take_over(models, model))
            continue;
        struct inherit inherit = {.model = i};
        inherit.place = find_place(order, (int32_t)i, &inherit.has_translation);
        inherit.back = list_scales(arena, models, node_of, model->parent, &inherit.back_count);
        inherit.taken = list_scales(arena, models, node_of, model->taken, &inherit.taken_count);
        if (inherit.place != NO_INDEX && (c->repairs & REPAIR_FBX_INHERIT_TYPE))
            c->inherits[c->inherit_count++] = inherit;
        else
            left++;
    }
    free(model_of);
    free(node_of);
    return left;
}

void fbx_put_inherit_nodes(struct conversion *c, struct placed_node **order, size_t *count)
{
    const struct fbx_file *file = fbx_of(c);
    uint32_t model_count = 0, old_count = (uint32_t)*count;
    FREED struct model *models = file ? read_models(file, &model_count) : NULL;
    if (!models)
        return;
    const uint32_t left = find_inherits(c, *order, old_count, models, model_count);
    if (left > 0)
        warn(c, "fbx-inherit-type",
             "%u nodes do not take over their parent's scale as usual (InheritType): Assimp ignores that", left);
    if (c->inherit_count == 0)
        return;
    repaired(
        c, "fbx-inherit-type",
        "%u nodes do not take over their parent's scale as usual (InheritType), which Assimp ignores: a node above "
        "each takes it back",
        c->inherit_count);
    FREED uint32_t *moved = memory_new(old_count, sizeof *moved);
    struct placed_node *with = put_in(c, *order, old_count, moved);
    for (uint32_t i = 0; i < c->inherit_count; i++) {
        struct inherit *inherit = &c->inherits[i];
        inherit->model = moved[inherit->model];
        for (uint32_t k = 0; k < inherit->back_count; k++)
            inherit->back[k] = moved[inherit->back[k]];
        for (uint32_t k = 0; k < inherit->taken_count; k++)
            inherit->taken[k] = moved[inherit->taken[k]];
    }
    free(*order);
    *order = with;
    *count += c->inherit_count;
}
