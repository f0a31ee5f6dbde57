#include "import/gltf/gltf_targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/gltf/gltf_keys.h"
#include "import/gltf/gltf_map.h"

/* ---- what the file says ------------------------------------------------------------------------------------------ */

static int path_index(const char *path)
{
    static const char *const paths[GLTF_PATH_COUNT] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; i < GLTF_PATH_COUNT; i++)
        if (strcmp(paths[i], path) == 0)
            return i;
    return -1;
}

static struct gltf_target *target_of(struct gltf_targets *targets, int32_t *slots, int32_t node)
{
    if (slots[node] == GLTF_NONE) {
        slots[node] = (int32_t)targets->count;
        targets->items[targets->count++] = (struct gltf_target){
            .node = node,
            .samplers = {GLTF_NONE, GLTF_NONE, GLTF_NONE, GLTF_NONE},
            .channel = GLTF_NONE,
            .morph = GLTF_NONE,
        };
    }
    return &targets->items[slots[node]];
}

/* The last channel for a path of a node counts, as in Assimp. */
static bool gather(const struct gltf_file *file, const json_t *animation, struct gltf_targets *targets)
{
    const json_t *channels = json_object_get(animation, "channels");
    size_t nodes = gltf_count(file, "nodes");
    size_t samplers = json_array_size(json_object_get(animation, "samplers"));
    size_t count = json_array_size(channels);
    int32_t *slots = malloc((nodes + 1) * sizeof *slots);
    targets->items = calloc(count + 1, sizeof *targets->items);
    for (size_t i = 0; slots && i < nodes; i++)
        slots[i] = GLTF_NONE;
    for (size_t i = 0; slots && targets->items && i < count; i++) {
        const json_t *channel = json_array_get(channels, i);
        const json_t *target = json_object_get(channel, "target");
        int32_t node = gltf_index(target, "node");
        int32_t sampler = gltf_index(channel, "sampler");
        int path = path_index(gltf_string(target, "path", ""));
        if (sampler == GLTF_NONE || (size_t)sampler >= samplers)
            continue;
        if (path >= 0 && gltf_item(file, "nodes", node))
            target_of(targets, slots, node)->samplers[path] = sampler;
        else
            targets->orphans++;
    }
    bool good = slots && targets->items;
    free(slots);
    return good;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* A channel or morph channel of the clip under its name. */
struct entry {
    const char *name;
    int32_t index;
    bool taken;
};

struct entries {
    uint32_t count;
    struct entry *items; /* by name, then by index */
};

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static bool list_channels(const struct clip *clip, struct entries *out)
{
    out->items = calloc((size_t)clip->channel_count + 1, sizeof *out->items);
    for (uint32_t i = 0; out->items && i < clip->channel_count; i++)
        if (!clip->channels[i].is_repair)
            out->items[out->count++] = (struct entry){clip->channels[i].node_name, (int32_t)i, false};
    if (out->items)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    return out->items != NULL;
}

static bool list_morphs(const struct clip *clip, struct entries *out)
{
    out->items = calloc((size_t)clip->morph_count + 1, sizeof *out->items);
    for (uint32_t i = 0; out->items && i < clip->morph_count; i++)
        out->items[out->count++] = (struct entry){clip->morphs[i].node_name, (int32_t)i, false};
    if (out->items)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    return out->items != NULL;
}

/* The entries of that name: their number, and the first in *first. */
static uint32_t find_named(const struct entries *entries, const char *name, uint32_t *first)
{
    uint32_t low = 0;
    uint32_t high = entries->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(entries->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* Names that Assimp cut off, or that are no UTF-8, do not sort where they should. */
    for (high = 0;
         (low == entries->count || strcmp(entries->items[low].name, name) != 0) && high < entries->count;
         high++)
        if (gltf_names_agree(name, entries->items[high].name))
            low = high;
    *first = low;
    uint32_t count = 0;
    while (low + count < entries->count && gltf_names_agree(name, entries->items[low + count].name))
        count++;
    return count;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

struct match {
    struct gltf_file *file;
    const json_t *animation;
    const struct clip *clip;
    bool has_orphans; /* some channel may hold keys that are not its own */
    bool count_only; /* the name is unique: the counts are checked, the values not */
};

/* A component that the animation does not move has at most one key, which holds the node's own value. */
static bool rest_agrees(const struct match *match, int32_t node, enum component component,
                        const struct keys *keys)
{
    if (keys->count != 1 || component != COMPONENT_TRANSLATION || match->count_only)
        return keys->count <= 1;
    float value[4];
    for (int i = 0; gltf_node_value(match->file, node, component, value) && i < 3; i++)
        if (!(fabsf(value[i] - keys->values[i]) <= 1e-5f * (1 + fabsf(value[i]))))
            return false;
    return true;
}

static bool channel_agrees(const struct match *match, const struct gltf_target *target,
                           const struct channel *channel)
{
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        struct error ignored = {0};
        struct gltf_sampler sampler;
        const struct keys *keys = &channel->keys[k];
        bool moved =
            target->samplers[k] != GLTF_NONE &&
            gltf_sampler_find(match->file, match->animation, target->samplers[k], &sampler, &ignored);
        bool same = moved ? gltf_keys_agree(match->file, &sampler, keys, component_width((enum component)k),
                                            match->count_only, false)
                          : target->samplers[k] != GLTF_NONE ||
                                rest_agrees(match, target->node, (enum component)k, keys);
        if (!same)
            return false;
    }
    return true;
}

static bool morph_agrees(const struct match *match, const struct gltf_target *target,
                         const struct morph_channel *morph)
{
    struct error ignored = {0};
    struct gltf_sampler sampler;
    if (!gltf_sampler_find(match->file, match->animation, target->samplers[GLTF_WEIGHTS], &sampler, &ignored))
        return false;
    if (match->count_only || sampler.interpolation == INTERPOLATE_CUBIC || morph->target_count == 0)
        return morph->keys.count == sampler.input.count;
    return gltf_keys_agree(match->file, &sampler, &morph->keys, morph->target_count, false, true);
}

typedef bool agrees_fn(const struct match *match, const struct gltf_target *target, int32_t index);

static bool agrees_with_channel(const struct match *match, const struct gltf_target *target, int32_t index)
{
    return channel_agrees(match, target, &match->clip->channels[index]);
}

static bool agrees_with_morph(const struct match *match, const struct gltf_target *target, int32_t index)
{
    return morph_agrees(match, target, &match->clip->morphs[index]);
}

/* Takes the first entry of the target's name whose keys agree. Those that agree equally well are all the
 * same. */
static int32_t take(struct match *match, struct entries *entries, const struct gltf_target *target,
                    agrees_fn *agrees)
{
    char buffer[32];
    uint32_t first;
    uint32_t count = find_named(entries, gltf_node_name(match->file, target->node, buffer), &first);
    match->count_only = count == 1;
    for (uint32_t i = first; i < first + count; i++) {
        struct entry *entry = &entries->items[i];
        bool certain = count == 1 && match->has_orphans;
        if (entry->taken || (!certain && !agrees(match, target, entry->index)))
            continue;
        entry->taken = true;
        return entry->index;
    }
    return GLTF_NONE;
}

static bool is_moved(const struct gltf_target *target)
{
    for (int k = 0; k < COMPONENT_COUNT; k++)
        if (target->samplers[k] != GLTF_NONE)
            return true;
    return false;
}

static void take_all(struct match *match, struct entries *channels, struct entries *morphs,
                     struct gltf_targets *targets)
{
    for (size_t i = 0; i < targets->count; i++) {
        struct gltf_target *target = &targets->items[i];
        if (is_moved(target))
            target->channel = take(match, channels, target, agrees_with_channel);
        if (target->samplers[GLTF_WEIGHTS] != GLTF_NONE)
            target->morph = take(match, morphs, target, agrees_with_morph);
    }
    for (uint32_t i = 0; i < channels->count; i++)
        targets->unclaimed[channels->items[i].index] = !channels->items[i].taken;
}

bool gltf_targets_find(struct gltf_file *file, const json_t *animation, const struct clip *clip,
                       struct gltf_targets *targets, struct error *err)
{
    *targets = (struct gltf_targets){0};
    struct entries channels = {0};
    struct entries morphs = {0};
    targets->unclaimed = calloc((size_t)clip->channel_count + 1, sizeof *targets->unclaimed);
    bool good = targets->unclaimed && gather(file, animation, targets) && list_channels(clip, &channels) &&
                list_morphs(clip, &morphs);
    if (good) {
        struct match match = {
            .file = file, .animation = animation, .clip = clip, .has_orphans = targets->orphans > 0};
        take_all(&match, &channels, &morphs, targets);
    }
    free(channels.items);
    free(morphs.items);
    return good || error_set(err, "out of memory");
}

void gltf_targets_release(struct gltf_targets *targets)
{
    free(targets->items);
    free(targets->unclaimed);
    *targets = (struct gltf_targets){0};
}
