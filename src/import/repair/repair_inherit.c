#include "import/repair/inherit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/motion/motion.h"

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

/* The scales that a new node and its model are to have, found from those of the file before one is set. */
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
    FREED struct scales *scales = find_scales(&(struct played){.c = c});
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
    FREED struct scales *scales = find_scales(played);
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
