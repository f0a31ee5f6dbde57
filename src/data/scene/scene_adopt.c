/* Clips of another file: how its nodes correspond to those of a scene, and copies of the clips that fit. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/sort.h"
#include "base/text.h"
#include "data/scene/scene.h"
#include "data/vector.h"

struct match {
    struct scene *scene;
    const struct scene *other;
    const char *prefix; /* in the scene's arena; NULL: names are the same */
    bool adds;          /* the scene's names have it; else those of the clips */
    double scale;       /* of translations: from the file's unit to the scene's */
};

/* The node that a name of the other file means: of several nodes with that name a bone before a node that is none. */
static int32_t match_node(const struct match *match, const char *name)
{
    int32_t node = scene_find_node(match->scene, name);
    if (node != NO_INDEX || !match->prefix)
        return node;
    if (match->adds)
        return scene_find_node_behind(match->scene, match->prefix, name);
    size_t length = strlen(match->prefix);
    return strncmp(name, match->prefix, length) == 0 ? scene_find_node(match->scene, name + length) : NO_INDEX;
}

/* How many of the other's channels have a node; of how many, and the first name that has none, or NULL. */
static uint32_t count_matched(const struct match *match, uint32_t *total, const char **unmatched)
{
    uint32_t matched = 0;
    *total = 0;
    *unmatched = NULL;
    for (uint32_t i = 0; i < match->other->clip_count; i++)
        for (uint32_t k = 0; k < match->other->clips[i].channel_count; k++) {
            const struct channel *channel = &match->other->clips[i].channels[k];
            if (channel->is_repair)
                continue;
            bool has_node = match_node(match, channel->node_name) != NO_INDEX;
            *total += 1;
            matched += has_node;
            if (!has_node && !*unmatched)
                *unmatched = channel->node_name;
        }
    return matched;
}

/* The prefix with which most channels have a node, where it is more than without one; of equals the shortest. */
static void find_prefix(struct match *match)
{
    enum { MOST_TRIED = 64 };
    const char *name, *ignored;
    uint32_t total, plain = count_matched(match, &total, &name), best = plain, tried = 0;
    struct match found = *match;
    for (uint32_t i = 0; name && i < match->scene->node_count && tried < MOST_TRIED; i++) {
        struct match candidate = *match;
        const char *ours = match->scene->nodes[i].name;
        candidate.adds = strlen(ours) > strlen(name);
        const char *longer = candidate.adds ? ours : name, *shorter = candidate.adds ? name : ours;
        size_t length = strlen(longer) - strlen(shorter);
        if (length == 0 || !*shorter || strcmp(longer + length, shorter) != 0)
            continue;
        candidate.prefix = arena_printf(match->scene->arena, "%.*s", (int)length, longer);
        uint32_t matched = count_matched(&candidate, &total, &ignored);
        bool better = matched > best || (matched == best && found.prefix && length < strlen(found.prefix));
        /* Most channels need it: where one is left over, `left_arm` and `arm` are two bones. */
        bool is_separated = !isalnum((unsigned char)candidate.prefix[length - 1]);
        uint32_t gained = matched - plain;
        tried++;
        if (better && (is_separated || gained >= 3) && gained >= total - gained) {
            found = candidate;
            best = matched;
        }
    }
    if (!found.prefix)
        return;
    const char *file = path_base(match->other->path), *whose = found.adds ? "the model's" : "the clips'";
    if (best < total) {
        scene_note(match->scene, NOTE_WARNING, "clips-prefix",
                   "clips of %s: %u of %u channels would have a node with --clips-prefix '%s', which is before %s names",
                   file, best, total, found.prefix, whose);
        return;
    }
    *match = found;
    scene_note(match->scene, NOTE_WARNING, "clips-prefix",
               "clips of %s: all channels have a node once `%s` is taken off %s names", file, found.prefix, whose);
}

/* From a node at rest to one above it; 0 where that is not above it. */
static double distance(const struct scene *scene, int32_t node, int32_t above)
{
    mat4 to_above;
    affine_from_transform(&transform_identity, to_above);
    for (; node != above; node = scene->nodes[node].parent) {
        if (node == NO_INDEX)
            return 0;
        affine_mul(scene->nodes[node].local_to_parent, to_above, to_above);
    }
    return vec3_length(to_above[3]);
}

/* What tells nothing: a ten thousandth of the largest distance of a node from its parent. */
static double least_distance(const struct scene *scene)
{
    double largest = 0;
    for (uint32_t i = 1; i < scene->node_count; i++)
        largest = fmax(largest, distance(scene, (int32_t)i, scene->nodes[i].parent));
    return 1e-4 * largest;
}

/*
 * By the scene's distances as a multiple of the other file's, the median; 0 where nothing can be compared. Of nodes that both files
 * have, to the nearest node above them that both have: an importer may put more in between. Those that lie on it tell nothing.
 * Consistent: of two or more three quarters agree.
 */
static void find_scale(double wanted, struct match *match)
{
    static const double tolerance = 0.05;
    const struct scene *scene = match->scene, *other = match->other;
    int32_t *ours = ARENA_NEW(scene->arena, int32_t, other->node_count);
    double *ratios = ARENA_NEW(scene->arena, double, other->node_count);
    double least = least_distance(scene), their_least = least_distance(other);
    uint32_t count = 0, near = 0;
    for (uint32_t i = 0; i < other->node_count; i++) {
        int32_t above = other->nodes[i].parent;
        ours[i] = match_node(match, other->nodes[i].name);
        while (above != NO_INDEX && ours[above] == NO_INDEX)
            above = other->nodes[above].parent;
        if (ours[i] == NO_INDEX || above == NO_INDEX)
            continue;
        double length = distance(scene, ours[i], ours[above]), their_length = distance(other, (int32_t)i, above);
        if (length > least && their_length > their_least)
            ratios[count++] = length / their_length;
    }
    qsort(ratios, count, sizeof *ratios, compare_doubles);
    double median = count > 0 ? ratios[count / 2] : 0;
    char text[32];
    snprintf(text, sizeof text, "%.5g", median);
    if (fabs(strtod(text, NULL) - median) < 1e-6 * median)
        median = strtod(text, NULL); /* 0.01 where floats made 0.009999999 of it */
    for (uint32_t i = 0; i < count; i++)
        near += fabs(ratios[i] / median - 1) <= tolerance;
    bool consistent = count >= 2 && near >= 0.75 * count;
    const char *file = path_base(other->path);
    double scale = wanted > 0 ? wanted : consistent && fabs(median - 1) > tolerance ? median : 1;
    match->scale = scale;
    if (wanted <= 0 && scale != 1)
        scene_note(match->scene, NOTE_WARNING, "clips-scale",
                   "clips of %s: translations are multiplied by %.6g, for the model's bones rest %.6g times as far "
                   "from their parents (--clips-scale 1 leaves them)",
                   file, scale, median);
    else if (median > 0 && fabs(median / scale - 1) > (consistent ? tolerance : 1))
        scene_note(match->scene, NOTE_WARNING, "clips-scale",
                   "clips of %s: the model's bones rest %.6g times as far from their parents%s, and translations are "
                   "multiplied by %.6g",
                   file, median, consistent ? "" : " in the median, with much spread", scale);
}

static struct keys copy_keys(const struct keys *in, uint32_t width, double scale, struct arena *arena)
{
    struct keys out = *in;
    size_t count = (size_t)in->count * width * (in->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    double *times = ARENA_NEW(arena, double, in->count);
    float *values = ARENA_NEW(arena, float, count);
    for (uint32_t k = 0; k < in->count; k++)
        times[k] = in->times[k];
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)in->values[i] * scale);
    out.times = times;
    out.values = values;
    return out;
}

/* Returns how many of the channels have a node here. */
static uint32_t copy_channels(const struct match *match, const struct clip *in, struct clip *out)
{
    struct arena *arena = match->scene->arena;
    uint32_t bound = 0;
    out->channels = ARENA_NEW(arena, struct channel, in->channel_count);
    for (uint32_t i = 0; i < in->channel_count; i++) {
        struct channel *channel = &out->channels[i];
        *channel = in->channels[i];
        channel->node_name = arena_string(arena, in->channels[i].node_name);
        channel->node = match_node(match, channel->node_name);
        for (int c = 0; c < COMPONENT_COUNT; c++)
            channel->keys[c] = copy_keys(&in->channels[i].keys[c], component_width((enum component)c),
                                         c == COMPONENT_TRANSLATION ? match->scale : 1, arena);
        bound += channel->node != NO_INDEX;
    }
    return bound;
}

/* Returns how many of them have targets to move here. */
static uint32_t copy_morphs(const struct match *match, const struct clip *in, struct clip *out)
{
    const struct scene *scene = match->scene;
    uint32_t bound = 0;
    out->morphs = ARENA_NEW(scene->arena, struct morph_channel, in->morph_count);
    for (uint32_t i = 0; i < in->morph_count; i++) {
        struct morph_channel *morph = &out->morphs[i];
        bool has_targets = false;
        *morph = in->morphs[i];
        morph->node_name = arena_string(scene->arena, in->morphs[i].node_name);
        morph->node = match_node(match, morph->node_name);
        const char *star = strrchr(morph->node_name, '*'); /* FBX calls it "<node>*<index of the mesh>" */
        if (morph->node == NO_INDEX && star && star[1] && strspn(star + 1, "0123456789") == strlen(star + 1))
            morph->node = match_node(match, arena_printf(scene->arena, "%.*s", (int)(star - morph->node_name),
                                                         morph->node_name));
        morph->keys = copy_keys(&in->morphs[i].keys, morph->target_count, 1, scene->arena);
        for (uint32_t k = 0; k < scene->instance_count; k++)
            has_targets = has_targets || ((int32_t)scene->instances[k].node == morph->node &&
                                          scene->meshes[scene->instances[k].mesh].target_count > 0);
        bound += has_targets;
    }
    return bound;
}

void scene_adopt_clips(struct scene *scene, const struct scene *other, const struct clip_options *options)
{
    struct match match = {.scene = scene, .other = other, .scale = 1};
    if (options->prefix) {
        struct match added = match;
        const char *ignored;
        uint32_t total;
        match.prefix = added.prefix = options->prefix;
        added.adds = true;
        match.adds = count_matched(&added, &total, &ignored) > count_matched(&match, &total, &ignored);
    } else {
        find_prefix(&match);
    }
    find_scale(options->scale, &match);
    struct clip *clips = ARENA_NEW(scene->arena, struct clip, scene->clip_count + other->clip_count);
    if (scene->clip_count > 0)
        memcpy(clips, scene->clips, scene->clip_count * sizeof *clips);
    scene->clips = clips;
    for (uint32_t i = 0; i < other->clip_count; i++) {
        struct clip *clip = &clips[scene->clip_count];
        *clip = other->clips[i];
        clip->name = arena_string(scene->arena, other->clips[i].name);
        uint32_t bound = copy_channels(&match, &other->clips[i], clip);
        if (bound + copy_morphs(&match, &other->clips[i], clip) > 0) {
            struct text list = {0};
            unsigned missing = 0;
            scene->clip_count++;
            for (uint32_t k = 0; k < clip->channel_count; k++)
                if (clip->channels[k].node == NO_INDEX && !clip->channels[k].is_repair)
                    text_addf(&list, "%s%s", missing++ ? ", " : "", clip->channels[k].node_name);
            if (missing > 0)
                scene_note(scene, NOTE_WARNING, "unmatched-channels",
                           "clip `%s` of %s: %u of %u channels move no node here: %s", clip->name,
                           path_base(other->path), missing, clip->channel_count, text_string(&list));
            text_release(&list);
        } else {
            scene_note(scene, NOTE_WARNING, "unmatched-clip", "clip `%s` of %s moves no node of %s and is left out",
                       clip->name, path_base(other->path), path_base(scene->path));
        }
    }
}
