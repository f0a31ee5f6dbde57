#include "import/gltf/gltf_repair.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

const char *const gltf_paths[GLTF_PATH_COUNT] = {"translation", "rotation", "scale", "weights"};

static size_t values_per_key(enum interpolation interpolation)
{
    return interpolation == INTERPOLATE_CUBIC ? 3 : 1;
}

bool gltf_sampler_find(const struct gltf_file *file, const json_t *animation, int32_t index, struct gltf_sampler *out,
                       struct error *err)
{
    const json_t *json = json_array_get(json_object_get(animation, "samplers"), (size_t)index);
    if (index == GLTF_NONE || !json_is_object(json))
        return error_set(err, "there is no sampler %d", (int)index);
    const char *mode = gltf_string(json, "interpolation", "LINEAR"); /* an unknown one is LINEAR, as in Assimp */
    out->interpolation = strcmp(mode, "STEP") == 0          ? INTERPOLATE_STEP
                         : strcmp(mode, "CUBICSPLINE") == 0 ? INTERPOLATE_CUBIC
                                                            : INTERPOLATE_LINEAR;
    if (!gltf_accessor_find(file, gltf_index(json, "input"), &out->input, err) ||
        !gltf_accessor_find(file, gltf_index(json, "output"), &out->output, err))
        return false;
    if (out->input.width != 1 || out->input.count == 0)
        return error_set(err, "sampler %d has no key times", (int)index);
    if (out->output.count < values_per_key(out->interpolation) * out->input.count)
        return error_set(err, "sampler %d has %u values for %u keys", (int)index, out->output.count, out->input.count);
    return true;
}

bool gltf_sampler_is_integer(const struct gltf_sampler *sampler)
{
    return sampler->input.component != GLTF_FLOAT || sampler->output.component != GLTF_FLOAT;
}

static bool choose_width(const struct gltf_sampler *sampler, uint32_t *width, struct error *err)
{
    size_t stored = values_per_key(sampler->interpolation) * sampler->input.count;
    size_t numbers = (size_t)sampler->output.count * sampler->output.width;
    if (*width == 0 && numbers % stored != 0)
        return error_set(err, "%zu morph weights do not divide into %u keys", numbers, sampler->input.count);
    if (*width == 0)
        *width = (uint32_t)(numbers / stored);
    else if (sampler->output.width != *width || sampler->output.count < stored)
        return error_set(err, "%u values of %u numbers are not enough for %u keys", sampler->output.count,
                         sampler->output.width, sampler->input.count);
    return true;
}

bool gltf_keys_read(struct gltf_file *file, const struct gltf_sampler *sampler, enum interpolation as, uint32_t *width,
                    struct arena *arena, struct keys *out, struct error *err)
{
    assert(as == sampler->interpolation || as != INTERPOLATE_CUBIC);
    if (!choose_width(sampler, width, err))
        return false;
    const float *seconds = gltf_floats(file, &sampler->input, err);
    const float *numbers = seconds ? gltf_floats(file, &sampler->output, err) : NULL;
    if (!numbers)
        return false;
    const uint32_t count = sampler->input.count;
    const size_t stored = values_per_key(sampler->interpolation) * *width, wanted = values_per_key(as) * *width;
    const size_t skip = stored > wanted ? *width : 0; /* to the value of a CUBICSPLINE key */
    double *times = ARENA_NEW(arena, double, count);
    float *values = ARENA_NEW(arena, float, wanted *count);
    for (size_t k = 0; k < count; k++) {
        times[k] = (double)seconds[k];
        memcpy(values + k * wanted, numbers + k * stored + skip, wanted * sizeof *values);
    }
    *out = (struct keys){.count = count, .times = times, .values = values, .interpolation = as};
    return true;
}

bool gltf_keys_agree(struct gltf_file *file, const struct gltf_sampler *sampler, const struct keys *keys,
                     uint32_t width, bool count_only, bool clamped)
{
    uint32_t wanted = clamped ? 0 : width; /* an element of morph weights is one of them, not a key's */
    if (keys->count != sampler->input.count)
        return false;
    if (count_only || gltf_sampler_is_integer(sampler))
        return true;
    if (!choose_width(sampler, &wanted, ERROR_IGNORED) || wanted != width ||
        (keys->interpolation == INTERPOLATE_CUBIC && sampler->interpolation != INTERPOLATE_CUBIC))
        return false;
    const float *numbers = gltf_floats(file, &sampler->output, ERROR_IGNORED);
    const size_t stored = values_per_key(sampler->interpolation) * width;
    const size_t given = values_per_key(keys->interpolation) * width, skip = stored > given ? width : 0;
    for (size_t k = 0; numbers && k < keys->count; k++)
        for (size_t i = 0; i < given; i++) { /* Assimp copies floats: the same bits; a NaN is like any NaN */
            const float in_file = numbers[k * stored + skip + i], in_scene = keys->values[k * given + i];
            if (clamped && in_file < 0.0f ? in_scene != 0.0f
                                          : in_file != in_scene && (in_file == in_file || in_scene == in_scene))
                return false;
        }
    return numbers != NULL;
}

bool gltf_sampler_has_negative(struct gltf_file *file, const struct gltf_sampler *sampler)
{
    const float *numbers = gltf_floats(file, &sampler->output, ERROR_IGNORED);
    const size_t per_key = (size_t)sampler->output.count * sampler->output.width / sampler->input.count;
    const size_t width = per_key / values_per_key(sampler->interpolation);
    const size_t skip = sampler->interpolation == INTERPOLATE_CUBIC ? width : 0;
    for (size_t k = 0; numbers && k < sampler->input.count; k++)
        for (size_t i = 0; i < width; i++)
            if (numbers[k * per_key + skip + i] < 0.0f)
                return true;
    return false;
}

bool gltf_node_value(const struct gltf_file *file, int32_t node, enum component component, float out[static 4])
{
    static const float defaults[COMPONENT_COUNT][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
    const json_t *json = gltf_item(file, "nodes", node);
    const json_t *value = json_object_get(json, gltf_paths[component]);
    if (!json || json_object_get(json, "matrix"))
        return false;
    memcpy(out, defaults[component], sizeof defaults[component]);
    if (json_array_size(value) == component_width(component))
        for (uint32_t i = 0; i < component_width(component); i++)
            out[i] = (float)json_number_value(json_array_get(value, i));
    return true;
}

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
    const struct entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static struct entries list_entries(const struct clip *clip, bool morphs, struct arena *arena)
{
    struct entries list = {.count = morphs ? clip->morph_count : clip->channel_count};
    list.items = ARENA_NEW(arena, struct entry, list.count);
    for (uint32_t i = 0; i < list.count; i++)
        list.items[i] =
            (struct entry){morphs ? clip->morphs[i].node_name : clip->channels[i].node_name, (int32_t)i, false};
    sort_items(list.items, list.count, sizeof *list.items, by_name);
    return list;
}

struct match {
    struct gltf_file *file;
    const json_t *animation;
    const struct clip *clip;
    bool has_orphans; /* some channel may hold keys that are not its own */
    bool is_morph;    /* the clip's morph channels are looked at */
    bool count_only;  /* the name is unique: the counts are checked, the values not */
    bool is_strict;   /* a translation that the file does not say decides too: Assimp may take that of a namesake */
};

/*
 * Says if keys of the clip can be what Assimp made of a path of the target. A component that is not moved has at most
 * one key, which holds the node's own value; a sampler that cannot be read decides nothing.
 */
static bool path_agrees(const struct match *match, const struct gltf_target *target, int path, int32_t index)
{
    const struct morph_channel *morph = match->is_morph ? &match->clip->morphs[index] : NULL;
    const struct keys *keys = morph ? &morph->keys : &match->clip->channels[index].keys[path];
    const enum component component = (enum component)path;
    struct gltf_sampler sampler;
    float value[4];
    if (target->samplers[path] == GLTF_NONE) {
        const bool is_said = json_object_get(gltf_item(match->file, "nodes", target->node), "translation") != NULL;
        if (keys->count != 1 || component != COMPONENT_TRANSLATION || match->count_only ||
            (!is_said && !match->is_strict))
            return keys->count <= 1;
        for (int i = 0; gltf_node_value(match->file, target->node, component, value) && i < 3; i++)
            if (!(fabsf(value[i] - keys->values[i]) <= 1e-5f * (1 + fabsf(value[i]))))
                return false;
        return true;
    }
    if (!gltf_sampler_find(match->file, match->animation, target->samplers[path], &sampler, ERROR_IGNORED))
        return !morph;
    const bool counts = morph && (sampler.interpolation == INTERPOLATE_CUBIC || morph->target_count == 0);
    return gltf_keys_agree(match->file, &sampler, keys, morph ? morph->target_count : component_width(component),
                           match->count_only || counts, morph != NULL);
}

/* Takes the first channel of the target's name whose keys agree. Those that agree equally well are all the same. */
static int32_t take(struct match *match, struct entries *entries, const struct gltf_target *target)
{
    const int first_path = match->is_morph ? GLTF_WEIGHTS : 0, end = match->is_morph ? GLTF_PATH_COUNT : GLTF_WEIGHTS;
    char buffer[32];
    const struct entry key = {.name = gltf_node_name(match->file, target->node, buffer)};
    uint32_t first = (uint32_t)lower_bound(&key, entries->items, entries->count, sizeof key, by_name), count = 0;
    /* Names that Assimp cut off, or that are no UTF-8, do not sort where they should. */
    if (first == entries->count || strcmp(entries->items[first].name, key.name) != 0)
        for (first = 0; first < entries->count && !gltf_names_agree(key.name, entries->items[first].name);)
            first++;
    while (first + count < entries->count && gltf_names_agree(key.name, entries->items[first + count].name))
        count++;
    match->count_only = count == 1;
    for (uint32_t i = 0; i < 2 * count; i++) {
        struct entry *entry = entries->items + first + i % count;
        match->is_strict = i < count;
        bool certain = count == 1 && match->has_orphans, agrees = !entry->taken;
        for (int k = first_path; k < end && agrees && !certain; k++)
            agrees = path_agrees(match, target, k, entry->index);
        if (!agrees)
            continue;
        entry->taken = true;
        return entry->index;
    }
    return GLTF_NONE;
}

struct gltf_targets gltf_targets_find(struct gltf_file *file, const json_t *animation, const struct clip *clip,
                                      struct arena *arena)
{
    const struct gltf_target still = {0, {GLTF_NONE, GLTF_NONE, GLTF_NONE, GLTF_NONE}, GLTF_NONE, GLTF_NONE};
    const json_t *list = json_object_get(animation, "channels");
    size_t sampler_count = json_array_size(json_object_get(animation, "samplers")), count = json_array_size(list);
    uint32_t *slots = ARENA_NEW(arena, uint32_t, gltf_count(file, "nodes")); /* of targets, from 1 on; 0: none */
    struct gltf_targets targets = {.items = ARENA_NEW(arena, struct gltf_target, count)};
    for (size_t i = 0; i < count; i++) { /* the last channel for a path of a node counts, as in Assimp */
        const json_t *channel = json_array_get(list, i), *target = json_object_get(channel, "target");
        int32_t node = gltf_index(target, "node"), sampler = gltf_index(channel, "sampler");
        int path = 0;
        while (path < GLTF_PATH_COUNT && strcmp(gltf_paths[path], gltf_string(target, "path", "")) != 0)
            path++;
        if (sampler == GLTF_NONE || (size_t)sampler >= sampler_count)
            continue;
        if (path == GLTF_PATH_COUNT || !gltf_item(file, "nodes", node)) {
            targets.orphans++;
            continue;
        }
        if (slots[node] == 0) {
            targets.items[targets.count] = still;
            targets.items[targets.count].node = node;
            slots[node] = (uint32_t)++targets.count;
        }
        int32_t *moved_by = &targets.items[slots[node] - 1].samplers[path];
        targets.doubled += *moved_by != GLTF_NONE;
        targets.matrices += path != GLTF_WEIGHTS && json_object_get(gltf_item(file, "nodes", node), "matrix");
        *moved_by = sampler;
    }
    struct entries channels = list_entries(clip, false, arena), morphs = list_entries(clip, true, arena);
    struct match match = {file, animation, clip, .has_orphans = targets.orphans > 0};
    for (size_t i = 0; i < targets.count; i++) {
        struct gltf_target *target = &targets.items[i];
        const int32_t *samplers = target->samplers;
        match.is_morph = false;
        if (samplers[0] != GLTF_NONE || samplers[1] != GLTF_NONE || samplers[2] != GLTF_NONE)
            target->channel = take(&match, &channels, target);
        match.is_morph = true;
        if (samplers[GLTF_WEIGHTS] != GLTF_NONE)
            target->morph = take(&match, &morphs, target);
    }
    return targets;
}
