/* Clips of another file: how its nodes correspond to those of a scene, and copies of the clips that fit. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/sort.h"
#include "base/text.h"
#include "data/affine_d.h"
#include "data/scene/bind_pose.h"
#include "data/scene/scene.h"
#include "data/vector.h"

enum { HELD = -2 }; /* by a repair, without a transform */

struct match {
    struct scene *scene;
    const struct scene *other;
    const char *prefix;  /* in the scene's arena; NULL: names are the same */
    bool adds;           /* the scene's names have it; else those of the clips */
    double scale;        /* of translations: from the file's unit to the scene's */
    int32_t *drivers;    /* [scene->node_count] the node of the other file whose rotations move it; HELD; NO_INDEX */
    struct text crossed; /* bones that rest along other axes */
    uint32_t crossed_count;
    bool turns;
    struct affine_d turn; /* in scene space, of all that the clips move */
    struct affine_d *put; /* [scene->node_count] rotations to scene space with the other file's rest pose */
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

/* Returns how many of the other's channels have a node; of how many, and the first name that has none, or NULL. */
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
        scene_note(
            match->scene, NOTE_WARNING, "clips-prefix",
            "clips of %s: %u of %u channels would have a node with --clips-prefix '%s', which is before %s names", file,
            best, total, found.prefix, whose);
        return;
    }
    *match = found;
    scene_note(match->scene, NOTE_WARNING, "clips-prefix",
               "clips of %s: all channels have a node once `%s` is taken off %s names", file, found.prefix, whose);
}

/* From a node above another to that one at rest; 0 where it is not above it. Returns how far that is. */
static double distance(const struct scene *scene, int32_t node, int32_t above, vec3 out)
{
    mat4 to_above;
    memset(out, 0, sizeof(vec3));
    affine_from_transform(&transform_identity, to_above);
    for (; node != above; node = scene->nodes[node].parent) {
        if (node == NO_INDEX)
            return 0;
        affine_mul(scene->nodes[node].local_to_parent, to_above, to_above);
    }
    memcpy(out, to_above[3], sizeof(vec3));
    return vec3_length(out);
}

/* Less than this says nothing: a ten thousandth of the largest distance of a node from its parent. */
static double least_distance(const struct scene *scene)
{
    double largest = 0;
    for (uint32_t i = 1; i < scene->node_count; i++)
        largest = fmax(largest, vec3_length(scene->nodes[i].local_to_parent[3]));
    return 1e-4 * largest;
}

/*
 * By the scene's distances as a multiple of the other file's, the median; 0 where nothing can be compared. Of nodes
 * that both files have, to the nearest node above them that both have: an importer may put more in between. Those that
 * lie on it tell nothing. Consistent: of two or more three quarters agree.
 */
static void find_scale(double wanted, struct match *match)
{
    static const double tolerance = 0.05;
    enum { CROSSED = 60, LISTED = 8 };
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
        vec3 way, their_way;
        double length = distance(scene, ours[i], ours[above], way);
        double their_length = distance(other, (int32_t)i, above, their_way), angle = vector_degrees(way, their_way);
        if (length <= least || their_length <= their_least)
            continue;
        ratios[count++] = length / their_length;
        const bool both =
            match->drivers[ours[i]] >= 0 && match->drivers[ours[above]] >= 0 && scene->nodes[ours[above]].is_bone;
        if (angle > CROSSED && both && match->crossed_count++ < LISTED)
            text_addf(&match->crossed, "%s%s %.0f", match->crossed.size ? ", " : "", other->nodes[i].name, angle);
    }
    sort_items(ratios, count, sizeof *ratios, compare_doubles);
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
    else if (median > 0 && fabs(log(median / scale)) > (consistent ? tolerance : log(2)))
        scene_note(match->scene, NOTE_WARNING, "clips-scale",
                   "clips of %s: the model's bones rest %.6g times as far from their parents%s, and translations are "
                   "multiplied by %.6g",
                   file, median, consistent ? "" : " in the median, with much spread", scale);
}

static struct affine_d rotation_of(const mat4 matrix)
{
    struct transform parts, rotation = transform_identity;
    affine_to_transform(matrix, &parts);
    memcpy(rotation.rotation, parts.rotation, sizeof parts.rotation);
    return affine_d_from_transform(&rotation);
}

/* a^-1 b */
static struct affine_d behind(const struct affine_d *a, const struct affine_d *b)
{
    struct affine_d inverse;
    affine_d_inverse(a, &inverse);
    return affine_d_mul(&inverse, b);
}

/* Rotations of all nodes to scene space: at rest, or where they are bound where the file says so. */
static struct affine_d *standing(const struct scene *scene, bool bound, struct arena *arena)
{
    struct bind_pose bind;
    struct error ignored = {0};
    struct affine_d *out = ARENA_NEW(arena, struct affine_d, scene->node_count);
    bound = bound && bind_pose_solve(scene, arena, &bind, &ignored);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        out[n] = rotation_of(bound ? bind.pose.node_to_scene[n] : scene->nodes[n].local_to_parent);
        if (!bound && n > 0)
            out[n] = affine_d_mul(&out[scene->nodes[n].parent], &out[n]);
    }
    return out;
}

static void find_drivers(struct match *match)
{
    match->drivers = ARENA_NEW(match->scene->arena, int32_t, match->scene->node_count);
    for (uint32_t n = 0; n < match->scene->node_count; n++)
        match->drivers[n] = NO_INDEX;
    for (uint32_t i = 0; i < match->other->clip_count; i++)
        for (uint32_t k = 0; k < match->other->clips[i].channel_count; k++) {
            const struct channel *channel = &match->other->clips[i].channels[k];
            int32_t node = match_node(match, channel->node_name);
            if (node != NO_INDEX && channel->node != NO_INDEX && channel->keys[COMPONENT_ROTATION].count > 0)
                match->drivers[node] = channel->is_repair ? HELD : channel->node;
        }
}

/* The next node above that the clips move; NO_INDEX. */
static int32_t moved_above(const struct match *match, int32_t node)
{
    do
        node = match->scene->nodes[node].parent;
    while (node != NO_INDEX && match->drivers[node] < 0);
    return node;
}

/*
 * The other file's rest pose on the model: the nodes that the clips move are turned as they are against their parents
 * there. Returns the first bone that is moved, or NO_INDEX; *alike: the share of bones, of two or more, that rest
 * nearly as against those above.
 */
static int32_t put_on(const struct match *match, const struct affine_d *ours, struct affine_d *put, double *alike)
{
    enum { NEARLY = 30 };
    const struct scene *scene = match->scene, *other = match->other;
    const struct affine_d *theirs = standing(other, true, scene->arena), *rest = standing(scene, false, scene->arena);
    int32_t first = NO_INDEX;
    uint32_t near = 0, count = 0;
    for (int32_t n = 0; n < (int32_t)scene->node_count; n++) {
        const bool is_moved = match->drivers[n] >= 0;
        const struct scene *from = is_moved ? other : scene;
        const struct affine_d *stand = is_moved ? theirs : rest;
        const int32_t node = is_moved ? match->drivers[n] : n, above = scene->nodes[n].parent,
                      moved = moved_above(match, n);
        int32_t parent = from->nodes[node].parent;
        while (is_moved && parent != NO_INDEX && strstr(other->nodes[parent].name, "_$AssimpFbx$_"))
            parent = other->nodes[parent].parent; /* a helper of the importer, which the node's clip holds still */
        put[n] = match->drivers[n] == HELD ? affine_d_identity
                 : parent == NO_INDEX      ? stand[node]
                                           : behind(&stand[parent], &stand[node]);
        put[n] = above == NO_INDEX ? put[n] : affine_d_mul(&put[above], &put[n]);
        if (!is_moved || !scene->nodes[n].is_bone)
            continue;
        first = first == NO_INDEX ? n : first;
        if (moved == NO_INDEX)
            continue;
        const struct affine_d a = behind(&ours[moved], &ours[n]), b = behind(&put[moved], &put[n]);
        near += affine_d_degrees(&a, &b) <= NEARLY;
        count++;
    }
    *alike = count > 1 ? (double)near / count : 0;
    return first;
}

/*
 * Where that is the model's own pose but for one turn by right angles, in the space that the clips' root is moved in,
 * and half of the bones rest alike, the root is turned back.
 */
static void find_turn(struct match *match)
{
    enum { RIGHT = 15, FAR = 45 };
    const char *file = path_base(match->other->path);
    struct affine_d *ours = standing(match->scene, true, match->scene->arena), above = affine_d_identity, right;
    struct affine_d *put = match->put = ARENA_NEW(match->scene->arena, struct affine_d, match->scene->node_count);
    double alike;
    const int32_t first = put_on(match, ours, put, &alike);
    int32_t root = first;
    while (root != NO_INDEX && moved_above(match, root) != NO_INDEX)
        root = moved_above(match, root);
    if (root == NO_INDEX)
        return;
    if (match->scene->nodes[root].parent != NO_INDEX)
        above = put[match->scene->nodes[root].parent];
    const struct affine_d is = behind(&above, &put[first]), back = behind(&is, &affine_d_identity);
    struct affine_d turn = behind(&above, &ours[first]);
    turn = affine_d_mul(&turn, &back);
    for (int i = 0; i < 9; i++)
        right.column[i / 3][i % 3] = round(turn.column[i / 3][i % 3]);
    memset(right.column[3], 0, sizeof right.column[3]);
    const double degrees = affine_d_degrees(&turn, &affine_d_identity);
    match->turns =
        degrees > FAR && affine_d_degrees(&turn, &right) <= RIGHT && alike >= 0.5 && match->crossed_count == 0;
    if (match->turns) {
        right = affine_d_mul(&above, &right);
        struct affine_d from = behind(&above, &affine_d_identity);
        match->turn = affine_d_mul(&right, &from);
        scene_note(match->scene, NOTE_WARNING, "clips-turn",
                   "clips of %s: their root is turned by %.0f degrees, for so the model's bones rest against theirs",
                   file, degrees);
    } else if (degrees > FAR || match->crossed_count > 0) {
        text_addf(&match->crossed, "%s%s %.0f", match->crossed_count ? "; as a whole at " : "",
                  match->scene->nodes[first].name, degrees);
        scene_note(
            match->scene, NOTE_WARNING, "clips-rest",
            "clips of %s: bones rest along other axes than the model's (degrees: %s), so keys mean other turns here. "
            "Retargeting is not done: export the clip for this skeleton",
            file, match->crossed.data);
    }
}

/* turn: of translations and rotations, or NULL. */
static struct keys copy_keys(const struct keys *in, uint32_t width, double scale, const struct affine_d *turn,
                             struct arena *arena)
{
    struct keys out = *in;
    size_t count = (size_t)in->count * width * (in->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    double *times = ARENA_NEW(arena, double, in->count);
    float *values = ARENA_NEW(arena, float, count);
    for (uint32_t k = 0; k < in->count; k++)
        times[k] = in->times[k];
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)in->values[i] * scale);
    for (size_t i = 0; turn && i < count; i += width) {
        double from[4] = {0}, quaternion[4], columns[3][3];
        memcpy(columns, turn->column, sizeof columns);
        quaternion_from_columns(columns, quaternion);
        for (uint32_t k = 0; k < width; k++)
            from[k] = (double)values[i + k];
        if (width == 4)
            quatd_mul(quaternion, from, from);
        else
            affine_d_point(turn, from, from);
        for (uint32_t k = 0; k < width; k++)
            values[i + k] = (float)from[k];
    }
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
        const bool is_turned = match->turns && channel->node != NO_INDEX && match->drivers[channel->node] >= 0 &&
                               moved_above(match, channel->node) == NO_INDEX;
        const int32_t above = is_turned ? match->scene->nodes[channel->node].parent : NO_INDEX;
        struct affine_d turn = match->turn;
        if (above != NO_INDEX) {
            turn = behind(&match->put[above], &turn);
            turn = affine_d_mul(&turn, &match->put[above]);
        }
        for (int c = 0; c < COMPONENT_COUNT; c++)
            channel->keys[c] = copy_keys(&in->channels[i].keys[c], component_width((enum component)c),
                                         c == COMPONENT_TRANSLATION ? match->scale : 1,
                                         is_turned && c != COMPONENT_SCALE ? &turn : NULL, arena);
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
            morph->node =
                match_node(match, arena_printf(scene->arena, "%.*s", (int)(star - morph->node_name), morph->node_name));
        morph->keys = copy_keys(&in->morphs[i].keys, morph->target_count, 1, NULL, scene->arena);
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
    find_drivers(&match);
    find_scale(options->scale, &match);
    find_turn(&match);
    text_release(&match.crossed);
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
            SCOPED(text) list = {0};
            unsigned missing = 0;
            scene->clip_count++;
            for (uint32_t k = 0; k < clip->channel_count; k++)
                if (clip->channels[k].node == NO_INDEX && !clip->channels[k].is_repair)
                    text_addf(&list, "%s%s", missing++ ? ", " : "", clip->channels[k].node_name);
            if (missing > 0)
                scene_note(scene, NOTE_WARNING, "unmatched-channels",
                           "clip `%s` of %s: %u of %u channels move no node here: %s", clip->name,
                           path_base(other->path), missing, clip->channel_count, text_string(&list));
        } else {
            scene_note(scene, NOTE_WARNING, "unmatched-clip", "clip `%s` of %s moves no node of %s and is left out",
                       clip->name, path_base(other->path), path_base(scene->path));
        }
    }
}
