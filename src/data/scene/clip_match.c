#include "data/scene/clip_match.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/sort.h"
#include "data/vector.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

static int32_t find_exact(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].is_bone && strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return scene_find_node(scene, name);
}

/* The node whose name is `prefix` and `name`. */
static int32_t find_behind(const struct scene *scene, const char *prefix, const char *name)
{
    size_t length = strlen(prefix);
    int32_t found = NO_INDEX;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        if (strncmp(node->name, prefix, length) != 0 || strcmp(node->name + length, name) != 0)
            continue;
        if (node->is_bone)
            return (int32_t)i;
        found = found == NO_INDEX ? (int32_t)i : found;
    }
    return found;
}

int32_t clip_match_node(const struct scene *scene, const struct clip_match *match, const char *name)
{
    int32_t node = find_exact(scene, name);
    if (node != NO_INDEX || !match->prefix)
        return node;
    if (match->adds)
        return find_behind(scene, match->prefix, name);
    size_t length = strlen(match->prefix);
    return strncmp(name, match->prefix, length) == 0 ? find_exact(scene, name + length) : NO_INDEX;
}

/* ---- prefix ------------------------------------------------------------------------------------------------------ */

/* How many of `other`'s channels have a node. */
static uint32_t count_matched(const struct scene *scene, const struct scene *other, const struct clip_match *match,
                              uint32_t *total)
{
    uint32_t matched = 0;
    *total = 0;
    for (uint32_t i = 0; i < other->clip_count; i++)
        for (uint32_t k = 0; k < other->clips[i].channel_count; k++) {
            const struct channel *channel = &other->clips[i].channels[k];
            *total += !channel->is_repair;
            matched += !channel->is_repair && clip_match_node(scene, match, channel->node_name) != NO_INDEX;
        }
    return matched;
}

static const char *first_unmatched(const struct scene *scene, const struct scene *other)
{
    for (uint32_t i = 0; i < other->clip_count; i++)
        for (uint32_t k = 0; k < other->clips[i].channel_count; k++) {
            const struct channel *channel = &other->clips[i].channels[k];
            if (!channel->is_repair && find_exact(scene, channel->node_name) == NO_INDEX)
                return channel->node_name;
        }
    return NULL;
}

/* What one of two names has before the other, in the scene's arena. */
static bool prefix_between(struct scene *scene, const char *theirs, const char *ours, struct clip_match *match)
{
    size_t their_length = strlen(theirs), our_length = strlen(ours);
    match->adds = our_length > their_length;
    const char *longer = match->adds ? ours : theirs, *shorter = match->adds ? theirs : ours;
    size_t length = match->adds ? our_length - their_length : their_length - our_length;
    if (length == 0 || !*shorter || strcmp(longer + length, shorter) != 0)
        return false;
    match->prefix = arena_printf(scene->arena, "%.*s", (int)length, longer);
    return true;
}

/* Most channels need it: where one is left over, `left_arm` and `arm` are two bones. */
static bool is_plausible(const char *prefix, uint32_t gained, uint32_t total)
{
    bool is_separated = !isalnum((unsigned char)prefix[strlen(prefix) - 1]);
    return (is_separated || gained >= 3) && gained >= total - gained;
}

/* The prefix with which most channels have a node, where it is more than without one; of equals the shortest. */
static void find_prefix(struct scene *scene, const struct scene *other, struct clip_match *match)
{
    enum { MOST_TRIED = 64 };
    uint32_t total, plain = count_matched(scene, other, match, &total), best = plain, tried = 0;
    const char *name = plain < total ? first_unmatched(scene, other) : NULL;
    struct clip_match found = *match;
    for (uint32_t i = 0; name && i < scene->node_count && tried < MOST_TRIED; i++) {
        struct clip_match candidate = *match;
        if (!prefix_between(scene, name, scene->nodes[i].name, &candidate))
            continue;
        uint32_t matched = count_matched(scene, other, &candidate, &total);
        bool better =
            matched > best || (matched == best && found.prefix && strlen(candidate.prefix) < strlen(found.prefix));
        tried++;
        if (better && is_plausible(candidate.prefix, matched - plain, total)) {
            found = candidate;
            best = matched;
        }
    }
    if (!found.prefix)
        return;
    const char *file = path_base(other->path), *whose = found.adds ? "the model's" : "the clips'";
    if (best == total) {
        *match = found;
        scene_note(scene, NOTE_WARNING, "clips-prefix",
                   "clips of %s: all channels have a node once `%s` is taken off %s names", file, found.prefix, whose);
    } else {
        scene_note(
            scene, NOTE_WARNING, "clips-prefix",
            "clips of %s: %u of %u channels would have a node with --clips-prefix '%s', which is before %s names", file,
            best, total, found.prefix, whose);
    }
}

static void take_prefix(const struct scene *scene, const struct scene *other, const char *prefix,
                        struct clip_match *match)
{
    struct clip_match added = {.prefix = prefix, .adds = true, .scale = 1};
    uint32_t total;
    match->prefix = prefix;
    match->adds = count_matched(scene, other, &added, &total) > count_matched(scene, other, match, &total);
}

/* ---- scale ------------------------------------------------------------------------------------------------------- */

static const double tolerance = 0.05;

/* From a node at rest to one above it. */
static double distance(const struct scene *scene, int32_t node, int32_t above)
{
    mat4 to_above;
    affine_from_transform(&transform_identity, to_above);
    for (; node != above; node = scene->nodes[node].parent)
        affine_mul(scene->nodes[node].local_to_parent, to_above, to_above);
    return vec3_length(to_above[3]);
}

/* Of a node from its parent. */
static double largest_distance(const struct scene *scene)
{
    double largest = 0;
    for (uint32_t i = 1; i < scene->node_count; i++)
        largest = fmax(largest, distance(scene, (int32_t)i, scene->nodes[i].parent));
    return largest;
}

static bool is_above(const struct scene *scene, int32_t above, int32_t node)
{
    do
        node = scene->nodes[node].parent;
    while (node != NO_INDEX && node != above);
    return node != NO_INDEX;
}

/*
 * ratios[other->node_count]: of nodes that both files have, to the nearest node above them that both have: an
 * importer may put more in between. Those that lie on it tell nothing. Sorted; returns their number.
 */
static uint32_t collect_ratios(const struct scene *scene, const struct scene *other, const struct clip_match *match,
                               double *ratios)
{
    int32_t *ours = calloc(other->node_count, sizeof *ours);
    double least = 1e-4 * largest_distance(scene), their_least = 1e-4 * largest_distance(other);
    uint32_t count = 0;
    for (uint32_t i = 0; ours && i < other->node_count; i++) {
        int32_t above = other->nodes[i].parent;
        ours[i] = clip_match_node(scene, match, other->nodes[i].name);
        while (above != NO_INDEX && ours[above] == NO_INDEX)
            above = other->nodes[above].parent;
        if (ours[i] == NO_INDEX || above == NO_INDEX || !is_above(scene, ours[above], ours[i]))
            continue;
        double length = distance(scene, ours[i], ours[above]), their_length = distance(other, (int32_t)i, above);
        if (length > least && their_length > their_least)
            ratios[count++] = length / their_length;
    }
    free(ours);
    qsort(ratios, count, sizeof *ratios, compare_doubles);
    return count;
}

/* 0.01 where floats made 0.009999999 of it. */
static double without_noise(double scale)
{
    char text[32];
    snprintf(text, sizeof text, "%.5g", scale);
    double shorter = strtod(text, NULL);
    return fabs(shorter - scale) < 1e-6 * scale ? shorter : scale;
}

/* The scene's distances as a multiple of the other file's; 0 where nothing can be compared. */
static double measure_scale(const struct scene *scene, const struct scene *other, const struct clip_match *match,
                            bool *consistent)
{
    double *ratios = calloc(other->node_count + 1, sizeof *ratios);
    uint32_t count = ratios ? collect_ratios(scene, other, match, ratios) : 0, near = 0;
    double median = count > 0 ? without_noise(ratios[count / 2]) : 0;
    for (uint32_t i = 0; i < count; i++)
        near += fabs(ratios[i] / median - 1) <= tolerance;
    *consistent = count >= 2 && near >= 0.75 * count;
    free(ratios);
    return median;
}

static void find_scale(struct scene *scene, const struct scene *other, double wanted, struct clip_match *match)
{
    bool consistent;
    double measured = measure_scale(scene, other, match, &consistent);
    const char *file = path_base(other->path);
    double scale = wanted > 0 ? wanted : consistent && fabs(measured - 1) > tolerance ? measured : 1;
    match->scale = scale;
    if (wanted <= 0 && scale != 1)
        scene_note(scene, NOTE_WARNING, "clips-scale",
                   "clips of %s: translations are multiplied by %.6g, for the model's bones rest %.6g times as far "
                   "from their parents (--clips-scale 1 leaves them)",
                   file, scale, measured);
    else if (measured > 0 && fabs(measured / scale - 1) > (consistent ? tolerance : 1))
        scene_note(scene, NOTE_WARNING, "clips-scale",
                   "clips of %s: the model's bones rest %.6g times as far from their parents%s, and translations are "
                   "multiplied by %.6g",
                   file, measured, consistent ? "" : " in the median, with much spread", scale);
}

struct clip_match clip_match_find(struct scene *scene, const struct scene *other, const struct clip_options *options)
{
    struct clip_match match = {.scale = 1};
    if (options->prefix)
        take_prefix(scene, other, options->prefix, &match);
    else
        find_prefix(scene, other, &match);
    find_scale(scene, other, options->scale, &match);
    return match;
}
