#include "import/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this no animation means its numbers: they are bytes of something else (Assimp copies integers
 * bytewise). */
static const float largest_value = 1e9f;

static const char *const component_names[] = {"translation", "rotation", "scale"};

/* What a message needs to say where it is. */
struct place {
    struct conversion *c;
    const struct clip *clip;
    const char *node;
    const char *component;
};

static bool complain(const struct place *at, uint32_t key, const char *what)
{
    return error_set(at->c->err, "clip \"%s\", node \"%s\", %s: %s key %u is not a sensible number",
                     at->clip->name, at->node, at->component, what, key);
}

static bool check_keys(const struct place *at, const struct keys *keys, size_t width)
{
    for (uint32_t k = 0; k < keys->count; k++) {
        if (!isfinite(keys->times[k]) || fabs(keys->times[k]) > 1e9)
            return complain(at, k, "the time of");
        for (size_t i = 0; i < width; i++) {
            float value = keys->values[k * width + i];
            if (!isfinite(value) || fabsf(value) > largest_value)
                return complain(at, k, "the value of");
        }
    }
    return true;
}

struct sorted_key {
    double time;
    uint32_t index;
};

static int by_time(const void *a, const void *b)
{
    const struct sorted_key *x = a;
    const struct sorted_key *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The arrays may be shared between channels: sorted keys get new ones. */
static void sort_keys(const struct place *at, struct keys *keys, size_t width)
{
    bool ascending = true;
    for (uint32_t k = 1; k < keys->count && ascending; k++)
        ascending = keys->times[k] >= keys->times[k - 1];
    if (ascending)
        return;
    struct sorted_key *order = scratch_alloc(keys->count, sizeof *order);
    for (uint32_t k = 0; k < keys->count; k++)
        order[k] = (struct sorted_key){keys->times[k], k};
    qsort(order, keys->count, sizeof *order, by_time);
    double *times = ARENA_NEW(at->c->scene->arena, double, keys->count);
    float *values = ARENA_NEW(at->c->scene->arena, float, keys->count *width);
    for (uint32_t k = 0; k < keys->count; k++) {
        times[k] = order[k].time;
        memcpy(values + k * width, keys->values + order[k].index * width, width * sizeof *values);
    }
    free(order);
    keys->times = times;
    keys->values = values;
    scene_note(at->c->scene, NOTE_WARNING, "key-order",
               "clip \"%s\", node \"%s\", %s: the times of the keys go back; sorted", at->clip->name,
               at->node, at->component);
}

/* Value keys become unit quaternions; tangents are not rotations and stay. */
static void normalise_rotations(const struct place *at, struct keys *keys)
{
    if (keys->count == 0)
        return; /* there are no values to copy */
    size_t stride = keys->interpolation == INTERPOLATE_CUBIC ? 12 : 4;
    size_t offset = keys->interpolation == INTERPOLATE_CUBIC ? 4 : 0;
    float *values = ARENA_NEW(at->c->scene->arena, float, keys->count *stride);
    memcpy(values, keys->values, keys->count * stride * sizeof *values);
    uint32_t zeros = 0;
    for (uint32_t k = 0; k < keys->count; k++) {
        float *q = values + k * stride + offset;
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (double)q[i] * (double)q[i];
        bool is_zero = square < 1e-12;
        zeros += is_zero;
        for (int i = 0; i < 4; i++)
            q[i] = is_zero ? (float)(i == 3) : (float)((double)q[i] / sqrt(square));
    }
    keys->values = values;
    if (zeros > 0)
        scene_note(at->c->scene, NOTE_WARNING, "zero-rotation",
                   "clip \"%s\", node \"%s\": %u rotation keys are zero and count as no rotation",
                   at->clip->name, at->node, zeros);
}

static bool finish_channel(struct conversion *c, const struct clip *clip, struct channel *channel)
{
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        struct keys *keys = &channel->keys[i];
        struct place at = {c, clip, channel->node_name, component_names[i]};
        size_t width =
            component_width((enum component)i) * (keys->interpolation == INTERPOLATE_CUBIC ? 3u : 1u);
        if (!check_keys(&at, keys, width))
            return false;
        sort_keys(&at, keys, width);
        if (i == COMPONENT_ROTATION)
            normalise_rotations(&at, keys);
    }
    return true;
}

/* Order of channels: their nodes' order, those without a node last by name, else as they came. */
static int by_node(const void *a, const void *b)
{
    const struct channel *const *x = a;
    const struct channel *const *y = b;
    int32_t left = (*x)->node, right = (*y)->node;
    if (left != right)
        return (uint32_t)left < (uint32_t)right ? -1 : 1; /* NO_INDEX becomes the largest */
    int names = left == NO_INDEX ? strcmp((*x)->node_name, (*y)->node_name) : 0;
    return names ? names : (*x > *y) - (*x < *y);
}

/* Assimp hands glTF's channels over in the order of a hash table, which differs from build to build. */
static void sort_channels(struct conversion *c, struct clip *clip)
{
    const struct channel **order = scratch_alloc(clip->channel_count, sizeof *order);
    struct channel *sorted = ARENA_NEW(c->scene->arena, struct channel, clip->channel_count);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        order[i] = &clip->channels[i];
    qsort(order, clip->channel_count, sizeof *order, by_node);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        sorted[i] = *order[i];
    free(order);
    clip->channels = sorted;
}

/* The names of channels that move nothing, in one note a clip. */
static void list_unbound(struct conversion *c, const struct clip *clip)
{
    enum { LISTED = 8 };
    char names[512] = "";
    uint32_t unbound = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        if (clip->channels[i].node != NO_INDEX)
            continue;
        size_t used = strlen(names);
        if (unbound++ < LISTED)
            snprintf(names + used, sizeof names - used, "%s\"%s\"", used ? ", " : "",
                     clip->channels[i].node_name);
    }
    if (unbound > 0)
        scene_note(c->scene, NOTE_WARNING, "channel-without-node",
                   "clip \"%s\": no node is called %s%s: %u of %u channels move nothing", clip->name, names,
                   unbound > LISTED ? ", ..." : "", unbound, clip->channel_count);
}

double clip_last_key(const struct clip *clip)
{
    double last = -INFINITY;
    for (uint32_t i = 0; i < clip->channel_count * COMPONENT_COUNT + clip->morph_count; i++) {
        const uint32_t channels = clip->channel_count * COMPONENT_COUNT;
        const struct keys *keys = i < channels ? &clip->channels[i / COMPONENT_COUNT].keys[i % COMPONENT_COUNT]
                                               : &clip->morphs[i - channels].keys;
        for (uint32_t k = 0; k < keys->count; k++)
            last = fmax(last, keys->times[k]);
    }
    return last;
}

bool finish_clips(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        for (uint32_t k = 0; k < clip->channel_count; k++)
            if (!finish_channel(c, clip, &clip->channels[k]))
                return false;
        for (uint32_t k = 0; k < clip->morph_count; k++) {
            struct morph_channel *morph = &clip->morphs[k];
            struct place at = {c, clip, morph->node_name, "morph weights"};
            size_t width =
                (size_t)morph->target_count * (morph->keys.interpolation == INTERPOLATE_CUBIC ? 3 : 1);
            if (!check_keys(&at, &morph->keys, width))
                return false;
            sort_keys(&at, &morph->keys, width);
        }
        sort_channels(c, clip);
        list_unbound(c, clip);
    }
    return true;
}
