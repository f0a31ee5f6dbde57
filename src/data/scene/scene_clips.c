#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/names.h"
#include "base/text.h"
#include "data/scene/clip_match.h"
#include "data/scene/scene.h"

/* ---- what a name means ------------------------------------------------------------------------------------------- */

/*
 * Exporters put before a clip's name what it moves: Blender's FBX `rig|walk`, once more at each trip through FBX
 * (`Armature|rig|walk`), Maya's name spaces `rig:walk`; and FBX importers put the layer behind it, `rig|walk|BaseLayer`.
 * Other signs, `Robot_Walk`, `animation.model.walk`, are parts of names as often as not.
 */
static const char *next_part(const char *name)
{
    const char *sign = strpbrk(name, "|:");
    return sign && sign[1] ? sign + 1 : NULL;
}

/* Length of the name without the layer at its end. */
static size_t length_without_layer(const char *name)
{
    static const char *const layers[] = {"BaseLayer", "Base Layer", "Layer0"};
    const char *bar = strrchr(name, '|');
    for (size_t i = 0; bar && bar > name && i < sizeof layers / sizeof layers[0]; i++)
        if (strcmp(bar + 1, layers[i]) == 0)
            return (size_t)(bar - name);
    return strlen(name);
}

static bool answers_to(const char *clip, const char *name)
{
    size_t whole = strlen(clip), short_length = length_without_layer(clip), length = strlen(name);
    for (const char *part = clip; part && length > 0; part = next_part(part)) {
        size_t before = (size_t)(part - clip);
        if (strcmp(part, name) == 0 ||
            (short_length < whole && before + length == short_length && strncmp(part, name, length) == 0))
            return true;
    }
    return false;
}

static const struct clip *find_exact(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->clip_count; i++)
        if (strcmp(scene->clips[i].name, name) == 0)
            return &scene->clips[i];
    return NULL;
}

/* Clips that bear one name are one answer, the first, as they are for the whole name. */
static bool is_ambiguous(const struct scene *scene, const char *name, const struct clip *found)
{
    for (uint32_t i = 0; i < scene->clip_count; i++)
        if (answers_to(scene->clips[i].name, name) && strcmp(scene->clips[i].name, found->name) != 0)
            return true;
    return false;
}

static const struct clip *find_short(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->clip_count; i++)
        if (answers_to(scene->clips[i].name, name))
            return &scene->clips[i];
    return NULL;
}

/* The other way: `walk` of this file is what another exporter calls `rig|walk`. */
static const struct clip *find_without_prefix(const struct scene *scene, const char *name)
{
    const struct clip *found = NULL;
    for (const char *part = next_part(name); part && !found; part = next_part(part))
        found = find_exact(scene, part);
    return found;
}

static const struct clip *find_by_index(const struct scene *scene, const char *name)
{
    char *end = NULL;
    if (!isdigit((unsigned char)name[0]))
        return NULL;
    unsigned long index = strtoul(name, &end, 10);
    return *end == '\0' && index < scene->clip_count ? &scene->clips[index] : NULL;
}

/* ---- what to say when it means none ------------------------------------------------------------------------------ */

/* A dozen names, or fewer when they are long: one line has to hold them. With `name`, those that answer to it. */
static void list_clips(const struct scene *scene, const char *name, struct text *out)
{
    enum { LISTED = 12, LONGEST = 500 };
    uint32_t listed = 0, more = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const char *clip = scene->clips[i].name;
        if (name && !answers_to(clip, name))
            continue;
        if (more > 0 || listed == LISTED || out->size + strlen(clip) > LONGEST) {
            more++;
            continue;
        }
        text_addf(out, "%s%s", listed++ ? ", " : "", clip);
        if (name)
            text_addf(out, " (%u)", i);
    }
    if (more > 0)
        text_addf(out, "%s%u more", listed ? " and " : "", more);
}

/* The nearest of all names in full and of all their short forms. */
static const char *nearest_clip(const struct scene *scene, const char *name)
{
    const char *best = NULL;
    size_t best_distance = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (const char *part = scene->clips[i].name; part; part = next_part(part)) {
            size_t distance = name_distance(name, part);
            if (name_nearest(name, &part, 1) && (!best || distance < best_distance)) {
                best = part;
                best_distance = distance;
            }
        }
    return best;
}

static void explain_missing(const struct scene *scene, const char *name, struct error *err)
{
    struct text list = {0};
    const char *near = nearest_clip(scene, name);
    list_clips(scene, NULL, &list);
    if (scene->clip_count == 0)
        error_set(err, "%s has no clip `%s`: it has no clips at all", scene->path, name);
    else if (near)
        error_set(err, "%s has no clip `%s`; did you mean `%s`? It has: %s", scene->path, name, near, text_string(&list));
    else
        error_set(err, "%s has no clip `%s`; it has: %s", scene->path, name, text_string(&list));
    text_release(&list);
}

static void explain_ambiguous(const struct scene *scene, const char *name, struct error *err)
{
    struct text list = {0};
    list_clips(scene, name, &list);
    error_set(err, "%s: several clips answer to `%s`; give the whole name or the number: %s", scene->path, name,
              text_string(&list));
    text_release(&list);
}

const struct clip *scene_find_clip(const struct scene *scene, const char *name, struct error *err)
{
    const struct clip *clip = find_exact(scene, name);
    if (clip)
        return clip;
    clip = find_short(scene, name);
    if (clip && is_ambiguous(scene, name, clip)) {
        explain_ambiguous(scene, name, err);
        return NULL;
    }
    if (!clip)
        clip = find_without_prefix(scene, name);
    if (!clip)
        clip = find_by_index(scene, name);
    if (!clip)
        explain_missing(scene, name, err);
    return clip;
}

/* ---- clips from another file --------------------------------------------------------------------------------- */

static void copy_keys(struct keys *out, const struct keys *in, uint32_t width, struct arena *arena)
{
    *out = *in;
    if (in->count == 0)
        return;
    size_t values = (size_t)in->count * width * (in->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    double *times = ARENA_NEW(arena, double, in->count);
    float *numbers = ARENA_NEW(arena, float, values);
    memcpy(times, in->times, in->count * sizeof *times);
    memcpy(numbers, in->values, values * sizeof *numbers);
    out->times = times;
    out->values = numbers;
}

static void scale_translations(struct keys *keys, double scale, struct arena *arena)
{
    size_t count = (size_t)keys->count * 3 * (keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    float *values = ARENA_NEW(arena, float, count);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)keys->values[i] * scale);
    keys->values = values;
}

static uint32_t copy_channels(struct scene *scene, const struct clip_match *match, const struct clip *in,
                              struct clip *out)
{
    uint32_t bound = 0;
    out->channels = ARENA_NEW(scene->arena, struct channel, in->channel_count);
    for (uint32_t i = 0; i < in->channel_count; i++) {
        struct channel *channel = &out->channels[i];
        *channel = in->channels[i];
        channel->node_name = arena_string(scene->arena, in->channels[i].node_name);
        channel->node = clip_match_node(scene, match, channel->node_name);
        for (int c = 0; c < COMPONENT_COUNT; c++)
            copy_keys(&channel->keys[c], &in->channels[i].keys[c], component_width((enum component)c), scene->arena);
        if (match->scale != 1)
            scale_translations(&channel->keys[COMPONENT_TRANSLATION], match->scale, scene->arena);
        bound += channel->node != NO_INDEX;
    }
    return bound;
}

/* FBX calls a morph channel "<node>*<index of the mesh>". */
static int32_t find_morph_target(const struct scene *scene, const struct clip_match *match, const char *name)
{
    int32_t node = clip_match_node(scene, match, name);
    const char *star = strrchr(name, '*');
    if (node != NO_INDEX || !star || star[1] == '\0' || strspn(star + 1, "0123456789") != strlen(star + 1))
        return node;
    return clip_match_node(scene, match, arena_printf(scene->arena, "%.*s", (int)(star - name), name));
}

static bool has_targets(const struct scene *scene, int32_t node)
{
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if ((int32_t)scene->instances[i].node == node && scene->meshes[scene->instances[i].mesh].target_count > 0)
            return true;
    return false;
}

/* Returns how many of them have targets to move here. */
static uint32_t copy_morphs(struct scene *scene, const struct clip_match *match, const struct clip *in,
                            struct clip *out)
{
    uint32_t bound = 0;
    out->morphs = ARENA_NEW(scene->arena, struct morph_channel, in->morph_count);
    for (uint32_t i = 0; i < in->morph_count; i++) {
        struct morph_channel *morph = &out->morphs[i];
        *morph = in->morphs[i];
        morph->node_name = arena_string(scene->arena, in->morphs[i].node_name);
        morph->node = find_morph_target(scene, match, morph->node_name);
        copy_keys(&morph->keys, &in->morphs[i].keys, morph->target_count, scene->arena);
        bound += has_targets(scene, morph->node);
    }
    return bound;
}

static void warn_unmatched(struct scene *scene, const struct scene *other, const struct clip *clip)
{
    struct text list = {0};
    unsigned missing = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        if (clip->channels[i].node != NO_INDEX || clip->channels[i].is_repair)
            continue;
        text_addf(&list, "%s%s", missing ? ", " : "", clip->channels[i].node_name);
        missing++;
    }
    if (missing > 0)
        scene_note(scene, NOTE_WARNING, "unmatched-channels", "clip `%s` of %s: %u of %u channels move no node here: %s",
                   clip->name, path_base(other->path), missing, clip->channel_count, text_string(&list));
    text_release(&list);
}

uint32_t keys_count_until(const struct keys *keys, double time)
{
    uint32_t low = 0, high = keys->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (keys->times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void scene_adopt_clips(struct scene *scene, const struct scene *other, const struct clip_options *options)
{
    struct clip_match match = clip_match_find(scene, other, options);
    struct clip *clips = ARENA_NEW(scene->arena, struct clip, scene->clip_count + other->clip_count);
    if (scene->clip_count > 0)
        memcpy(clips, scene->clips, scene->clip_count * sizeof *clips);
    scene->clips = clips;
    for (uint32_t i = 0; i < other->clip_count; i++) {
        struct clip *clip = &clips[scene->clip_count];
        *clip = other->clips[i];
        clip->name = arena_string(scene->arena, other->clips[i].name);
        uint32_t bound = copy_channels(scene, &match, &other->clips[i], clip);
        bound += copy_morphs(scene, &match, &other->clips[i], clip);
        if (bound > 0) {
            scene->clip_count++;
            warn_unmatched(scene, other, clip);
        } else {
            scene_note(scene, NOTE_WARNING, "unmatched-clip", "clip `%s` of %s moves no node of %s and is left out", clip->name,
                       path_base(other->path), path_base(scene->path));
        }
    }
}
