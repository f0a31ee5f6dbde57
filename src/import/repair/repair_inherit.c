#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/fbx/fbx_animation.h"
#include "import/motion/motion.h"

/*
 * FBX' InheritType says how a model takes over the scale of its parent. With S_p the parent's scale and X what that one
 * took over, a model with translation T, rotation R and scale s is below its parent
 *   RSrs: T R s                as Assimp has all of them
 *   Rrs:  T S_p^-1 R (X s)     it leaves out its parent's scale
 *   RrSs: T S_p^-1 R (S_p s)   it takes it over axis by axis
 * (FBX SDK, FbxTransform::EInheritType; T is scaled by S_p in each of them). A node for S_p^-1 is put above the model,
 * or above its pivots that turn, and keys of clips follow the scales of the file.
 */
enum inherit_type { RrSs, RSrs, Rrs };

struct model {
    struct slice name;
    uint32_t element;
    bool is_ambiguous; /* several models have the name */
    enum inherit_type type;
    int32_t parent;            /* the index of the model above */
    int32_t taken;             /* whose scale it has besides its own: that of this model, and what that one has taken */
    bool is_scaled, is_uneven; /* at any time, with what it has taken */
};

/* A node that takes a parent's scale back, and the model below it. Scales are products of those of nodes. */
struct inherit {
    int32_t place; /* in Assimp's tree: the node is put above that one */
    uint32_t node, model;
    bool has_translation; /* the model itself has it, no pivot */
    uint32_t back_count, taken_count;
    uint32_t *back;  /* whose scales are taken back */
    uint32_t *taken; /* whose scales the model has besides its own */
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
    qsort(models, *count, sizeof *models, by_name);
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

static bool is_pivot(const char *name, const char *which)
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
    struct inherit **above = memory_new(count, sizeof *above);
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
    free(above);
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
    for (uint32_t i = 0; i < count; i++) {
        const struct model key = {.name = slice_of(order[i].node->mName.data)};
        struct model *model = bsearch(&key, models, model_count, sizeof key, by_name);
        model_of[i] = order[i].parent == NO_INDEX ? NO_INDEX : model_of[order[i].parent];
        if (!model)
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
    struct model *models = file ? read_models(file, &model_count) : NULL;
    if (!models)
        return;
    const uint32_t left = find_inherits(c, *order, old_count, models, model_count);
    free(models);
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
    uint32_t *moved = memory_new(old_count, sizeof *moved);
    struct placed_node *with = put_in(c, *order, old_count, moved);
    for (uint32_t i = 0; i < c->inherit_count; i++) {
        struct inherit *inherit = &c->inherits[i];
        inherit->model = moved[inherit->model];
        for (uint32_t k = 0; k < inherit->back_count; k++)
            inherit->back[k] = moved[inherit->back[k]];
        for (uint32_t k = 0; k < inherit->taken_count; k++)
            inherit->taken[k] = moved[inherit->taken[k]];
    }
    free(moved);
    free(*order);
    *order = with;
    *count += c->inherit_count;
}

/* The pivot that scales a model, or the model's own node where it has none. */
static uint32_t scaling_node(const struct scene *scene, uint32_t model)
{
    const char *name = scene->nodes[model].name;
    for (int32_t n = scene->nodes[model].parent; n != NO_INDEX && is_pivot_of(scene->nodes[n].name, name);
         n = scene->nodes[n].parent)
        if (is_pivot(scene->nodes[n].name, "Scaling"))
            return (uint32_t)n;
    return model;
}

/* A scale over time: a product, of which each factor is a node's at rest, or its keys. */
struct product {
    uint32_t count;
    const struct keys **keys; /* NULL: at rest */
    const float **rest;       /* [3] each */
    bool is_reciprocal;
};

/* Value and slope of keys of width 3 in the segment that holds `middle`: Hermite's polynomial (glTF 2.0, appendix C),
 * which of a line's slopes is the line. */
static void evaluate_keys(const struct keys *keys, double middle, double time, double value[3], double slope[3])
{
    const bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    const size_t stride = is_cubic ? 9 : 3, middle_part = is_cubic ? 3 : 0;
    const uint32_t passed = keys_count_until(keys, middle);
    const uint32_t a = passed > 0 ? passed - 1 : 0, b = passed > 0 && passed < keys->count ? passed : a;
    const float *from = keys->values + a * stride, *to = keys->values + b * stride;
    const double span = keys->interpolation == INTERPOLATE_STEP ? 0 : keys->times[b] - keys->times[a];
    const double u = span > 0 ? (time - keys->times[a]) / span : 0, v = 1 - u;
    for (size_t i = 0; i < 3; i++) {
        const double start = (double)from[middle_part + i], rise = (double)to[middle_part + i] - start;
        const double out = is_cubic ? span * (double)from[6 + i] : rise, in = is_cubic ? span * (double)to[i] : rise;
        value[i] = start;
        slope[i] = 0;
        if (span > 0) {
            value[i] += u * u * (3 - 2 * u) * rise + u * v * (v * out - u * in);
            slope[i] = (6 * u * v * rise + v * (1 - 3 * u) * out + u * (3 * u - 2) * in) / span;
        }
    }
}

static void evaluate_product(const void *context, double middle, double time, double *value, double *slope)
{
    const struct product *product = context;
    const double smallest = 1e-6; /* what is scaled to nothing stays nothing */
    for (int i = 0; i < 3; i++) {
        value[i] = 1;
        slope[i] = 0;
    }
    for (uint32_t k = 0; k < product->count; k++) {
        double factor[3], rise[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            factor[i] = (double)product->rest[k][i];
        if (product->keys[k])
            evaluate_keys(product->keys[k], middle, time, factor, rise);
        for (int i = 0; i < 3; i++) {
            slope[i] = slope[i] * factor[i] + value[i] * rise[i];
            value[i] *= factor[i];
        }
    }
    for (int i = 0; i < 3 && product->is_reciprocal; i++) {
        value[i] = 1 / copysign(fmax(fabs(value[i]), smallest), value[i]);
        slope[i] *= -value[i] * value[i];
    }
}

/* A clip's channels by node. */
struct played {
    struct conversion *c;
    struct clip *clip; /* NULL: the scene at rest */
    int32_t *channel_of;
};

static struct channel *channel_of(const struct played *played, uint32_t node)
{
    const int32_t channel = played->clip ? played->channel_of[node] : NO_INDEX;
    return channel == NO_INDEX ? NULL : &played->clip->channels[channel];
}

/* The channel that scales a model: its own, or that of its pivot. NULL: it is scaled as it rests. */
static struct channel *scaling_channel(const struct played *played, uint32_t model)
{
    const uint32_t nodes[2] = {model, scaling_node(played->c->scene, model)};
    for (int i = 0; i < 2; i++) {
        struct channel *channel = channel_of(played, nodes[i]);
        if (channel && !channel->is_repair && channel->keys[COMPONENT_SCALE].count > 0)
            return channel;
    }
    return NULL;
}

/* The scales of models multiplied, or 1 divided by them. */
static struct product product_of(const struct played *played, const uint32_t *models, uint32_t count,
                                 bool is_reciprocal)
{
    struct arena *arena = played->c->scene->arena;
    struct product product = {.count = count,
                              .keys = ARENA_NEW(arena, const struct keys *, count),
                              .rest = ARENA_NEW(arena, const float *, count),
                              .is_reciprocal = is_reciprocal};
    for (uint32_t k = 0; k < count; k++) {
        const struct channel *channel = scaling_channel(played, models[k]);
        product.keys[k] = channel ? &channel->keys[COMPONENT_SCALE] : NULL;
        product.rest[k] = played->c->scene->nodes[scaling_node(played->c->scene, models[k])].rest.scale;
    }
    return product;
}

/* Keys that follow the product: one where it does not change. */
static struct keys follow_product(const struct played *played, const struct product *product)
{
    struct arena *arena = played->c->scene->arena;
    struct follow_counts counts = {0};
    const struct motion motion = {3, false, 1e-6, product, evaluate_product};
    double value[3], slope[3];
    size_t most = 1;
    uint32_t count = 0;
    for (uint32_t k = 0; k < product->count; k++)
        most += product->keys[k] ? product->keys[k]->count : 0;
    double *knots = memory_new(most, sizeof *knots), *times = ARENA_NEW(arena, double, 1);
    float *values = ARENA_NEW(arena, float, 3);
    for (uint32_t k = 0; k < product->count; k++)
        for (uint32_t i = 0; product->keys[k] && i < product->keys[k]->count; i++)
            knots[count++] = product->keys[k]->times[i];
    evaluate_product(product, 0, 0, value, slope);
    for (int i = 0; i < 3; i++)
        values[i] = (float)value[i];
    struct keys keys = {1, times, values, INTERPOLATE_LINEAR};
    motion_follow(&motion, knots, count, &keys, arena, &counts, COMPONENT_SCALE);
    free(knots);
    return keys;
}

/* What a new node's scale and its model's are to be, found from those that the file has before one is set. */
struct scales {
    struct keys back, taken;
    bool changes; /* during the clip, or from what they are at rest */
};

static struct scales *find_scales(const struct played *played)
{
    struct conversion *c = played->c;
    struct scales *scales = memory_new(c->inherit_count, sizeof *scales);
    for (uint32_t i = 0; i < c->inherit_count; i++) {
        const struct inherit *inherit = &c->inherits[i];
        const struct product back = product_of(played, inherit->back, inherit->back_count, true);
        uint32_t *all = ARENA_NEW(c->scene->arena, uint32_t, inherit->taken_count + 1);
        memcpy(all, inherit->taken, inherit->taken_count * sizeof *all);
        all[inherit->taken_count] = inherit->model;
        const struct product taken = product_of(played, all, inherit->taken_count + 1, false);
        scales[i] = (struct scales){follow_product(played, &back), follow_product(played, &taken), false};
        for (uint32_t k = 0; k < back.count; k++)
            scales[i].changes = scales[i].changes || back.keys[k];
    }
    return scales;
}

/* Gives a node another scale at rest. */
static void set_scale(struct node *node, const float scale[3])
{
    memcpy(node->rest.scale, scale, sizeof node->rest.scale);
    affine_from_transform(&node->rest, node->local_to_parent);
}

/* At rest the new node has the model's translation where no pivot has it. */
static void set_rest(struct conversion *c)
{
    struct scene *scene = c->scene;
    struct scales *scales = find_scales(&(struct played){.c = c});
    for (uint32_t i = 0; i < c->inherit_count; i++) {
        const struct inherit *inherit = &c->inherits[i];
        struct node *node = &scene->nodes[inherit->node], *model = &scene->nodes[inherit->model];
        if (inherit->has_translation) {
            memcpy(node->rest.translation, model->rest.translation, sizeof node->rest.translation);
            memset(model->rest.translation, 0, sizeof model->rest.translation);
        }
        set_scale(node, scales[i].back.values);
        set_scale(model, model->rest.scale);
        if (inherit->taken_count > 0)
            set_scale(&scene->nodes[scaling_node(scene, inherit->model)], scales[i].taken.values);
    }
    free(scales);
}

/* The channel of a node; a new one where there is none, for which there is room. */
static struct channel *make_channel(const struct played *played, uint32_t node)
{
    struct clip *clip = played->clip;
    struct channel *channel = channel_of(played, node);
    if (channel)
        return channel;
    played->channel_of[node] = (int32_t)clip->channel_count;
    clip->channels[clip->channel_count] =
        (struct channel){.node_name = played->c->scene->nodes[node].name, .node = (int32_t)node, .is_repair = true};
    return &clip->channels[clip->channel_count++];
}

/* While a clip plays: the model's own channel leaves its translation to the new node. */
static void set_clip(const struct played *played)
{
    struct conversion *c = played->c;
    struct clip *clip = played->clip;
    struct scales *scales = find_scales(played);
    struct channel *channels = clip->channels;
    clip->channels = ARENA_NEW(c->scene->arena, struct channel, (size_t)clip->channel_count + 2 * c->inherit_count);
    memcpy(clip->channels, channels, clip->channel_count * sizeof *channels);
    for (uint32_t i = 0; i < c->inherit_count; i++) {
        const struct inherit *inherit = &c->inherits[i];
        struct channel *model = channel_of(played, inherit->model);
        const struct keys moved = model ? model->keys[COMPONENT_TRANSLATION] : (struct keys){.count = 0};
        if (moved.count == 0 && !scales[i].changes)
            continue;
        struct channel *scaled = scaling_channel(played, inherit->model);
        if (inherit->taken_count > 0 && !scaled)
            scaled = make_channel(played, scaling_node(c->scene, inherit->model));
        if (inherit->taken_count > 0)
            scaled->keys[COMPONENT_SCALE] = scales[i].taken;
        if (model)
            channel_of(played, inherit->model)->keys[COMPONENT_TRANSLATION] = (struct keys){.count = 0};
        struct channel *channel = make_channel(played, inherit->node);
        channel->keys[COMPONENT_TRANSLATION] = moved;
        channel->keys[COMPONENT_ROTATION] = (struct keys){.count = 0};
        channel->keys[COMPONENT_SCALE] = scales[i].back;
    }
    free(scales);
}

void repair_fbx_inherit_type(struct conversion *c)
{
    struct scene *scene = c->scene;
    if (c->inherit_count == 0)
        return;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        struct played played = {
            .c = c, .clip = &scene->clips[i], .channel_of = memory_new(scene->node_count, sizeof(int32_t))};
        for (uint32_t n = 0; n < scene->node_count; n++)
            played.channel_of[n] = NO_INDEX;
        for (uint32_t k = 0; k < played.clip->channel_count; k++)
            if (played.clip->channels[k].node != NO_INDEX)
                played.channel_of[played.clip->channels[k].node] = (int32_t)k;
        set_clip(&played);
        free(played.channel_of);
    }
    set_rest(c); /* last: clips take from it what they do not play */
}
