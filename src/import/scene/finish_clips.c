#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this no animation means its numbers: they are bytes of something else (Assimp copies integers
 * bytewise). */
static const float largest_value = 1e9f;

/* Keys, and what a message needs to say where they are. */
struct place {
    struct conversion *c;
    const struct clip *clip;
    const char *node, *component;
    struct keys *keys;
    size_t width; /* numbers of a key */
};

static bool check_keys(const struct place *at)
{
    for (uint32_t k = 0; k < at->keys->count; k++) {
        bool good = isfinite(at->keys->times[k]) && fabs(at->keys->times[k]) <= 1e9;
        const char *what = good ? "the value of" : "the time of";
        for (size_t i = 0; i < at->width && good; i++) {
            float value = at->keys->values[k * at->width + i];
            good = isfinite(value) && fabsf(value) <= largest_value;
        }
        if (!good)
            return error_set(at->c->err, "clip \"%s\", node \"%s\", %s: %s key %u is not a sensible number",
                             at->clip->name, at->node, at->component, what, k);
    }
    return true;
}

struct sorted_key {
    double time;
    uint32_t index;
};

static int by_time(const void *a, const void *b)
{
    const struct sorted_key *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The arrays may be shared between channels: sorted keys get new ones. */
static void sort_keys(const struct place *at)
{
    struct keys *keys = at->keys;
    const size_t width = at->width;
    uint32_t k = 1;
    while (k < keys->count && keys->times[k] >= keys->times[k - 1])
        k++;
    if (k >= keys->count)
        return;
    struct sorted_key *order = memory_new(keys->count, sizeof *order);
    for (k = 0; k < keys->count; k++)
        order[k] = (struct sorted_key){keys->times[k], k};
    qsort(order, keys->count, sizeof *order, by_time);
    double *times = ARENA_NEW(at->c->scene->arena, double, keys->count);
    float *values = ARENA_NEW(at->c->scene->arena, float, keys->count *width);
    for (k = 0; k < keys->count; k++) {
        times[k] = order[k].time;
        memcpy(values + k * width, keys->values + order[k].index * width, width * sizeof *values);
    }
    free(order);
    keys->times = times;
    keys->values = values;
    scene_note(at->c->scene, NOTE_WARNING, "key-order",
               "clip \"%s\", node \"%s\", %s: the times of the keys go back; sorted", at->clip->name, at->node,
               at->component);
}

/* Value keys become unit quaternions; tangents are not rotations and stay. */
static void normalise_rotations(const struct place *at)
{
    const size_t count = at->keys->count, offset = at->width > 4 ? 4 : 0;
    if (count == 0)
        return; /* there are no values to copy */
    float *values = ARENA_NEW(at->c->scene->arena, float, count * at->width);
    memcpy(values, at->keys->values, count * at->width * sizeof *values);
    uint32_t zeros = 0;
    for (size_t k = 0; k < count; k++) {
        float *q = values + k * at->width + offset;
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (double)q[i] * (double)q[i];
        bool is_zero = square < 1e-12;
        zeros += is_zero;
        for (int i = 0; i < 4; i++)
            q[i] = is_zero ? (float)(i == 3) : (float)((double)q[i] / sqrt(square));
    }
    at->keys->values = values;
    if (zeros > 0)
        scene_note(at->c->scene, NOTE_WARNING, "zero-rotation",
                   "clip \"%s\", node \"%s\": %u rotation keys are zero and count as no rotation", at->clip->name,
                   at->node, zeros);
}

/* `at->width`: numbers of a value; becomes those of a key. */
static bool finish_keys(struct place at, bool is_rotation)
{
    at.width *= at.keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    if (!check_keys(&at))
        return false;
    sort_keys(&at);
    if (is_rotation)
        normalise_rotations(&at);
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
    const struct channel **order = memory_new(clip->channel_count, sizeof *order);
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
    enum { LISTED = 8, LONGEST = 511 };
    struct text names = {0};
    uint32_t unbound = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node == NO_INDEX && unbound++ < LISTED)
            text_addf(&names, "%s\"%s\"", names.size ? ", " : "", clip->channels[i].node_name);
    if (unbound > 0)
        scene_note(c->scene, NOTE_WARNING, "channel-without-node",
                   "clip \"%s\": no node is called %.*s%s: %u of %u channels move nothing", clip->name, LONGEST,
                   text_string(&names), unbound > LISTED ? ", ..." : "", unbound, clip->channel_count);
    text_release(&names);
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
    static const char *const names[COMPONENT_COUNT] = {"translation", "rotation", "scale"};
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        for (uint32_t k = 0; k < clip->channel_count * COMPONENT_COUNT; k++) {
            struct channel *channel = &clip->channels[k / COMPONENT_COUNT];
            const enum component part = k % COMPONENT_COUNT;
            const struct place at = {
                c, clip, channel->node_name, names[part], &channel->keys[part], component_width(part)};
            if (!finish_keys(at, part == COMPONENT_ROTATION))
                return false;
        }
        for (uint32_t k = 0; k < clip->morph_count; k++) {
            struct morph_channel *morph = &clip->morphs[k];
            const struct place at = {c, clip, morph->node_name, "morph weights", &morph->keys, morph->target_count};
            if (!finish_keys(at, false))
                return false;
        }
        sort_channels(c, clip);
        list_unbound(c, clip);
    }
    return true;
}
