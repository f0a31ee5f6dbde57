/* Keys of game formats that Assimp takes for others: Ogre's, MilkShape's, DirectX's and Blitz3D's. */
#include "import/scene/convert.h"

#include <math.h>
#include <string.h>

/* Behind the last key Ogre goes on to the first one of the next round (AnimationTrack::getKeyFramesAtTime). */
static bool close_round(struct conversion *c, const struct clip *clip, struct keys *keys, size_t width)
{
    const uint32_t count = keys->count;
    if (count < 2 || keys->times[count - 1] > clip->duration - 1e-6)
        return false;
    double *times = ARENA_NEW(c->scene->arena, double, count + 1);
    float *values = ARENA_NEW(c->scene->arena, float, (count + 1) * width);
    memcpy(times, keys->times, count * sizeof *times);
    memcpy(values, keys->values, count * width * sizeof *values);
    memcpy(values + count * width, keys->values, width * sizeof *values);
    times[count] = clip->duration + keys->times[0];
    *keys = (struct keys){count + 1, times, values, keys->interpolation};
    return true;
}

/*
 * Ogre adds a key's translation to the bone's at rest, in the parent's space (Node::translate, TS_PARENT), and
 * multiplies the rotation on the right. Assimp multiplies the matrices, which turns the translation by the bone's
 * rotation at rest. Returns by how much the farthest is off.
 */
static double untwist(struct conversion *c, const struct node *node, struct keys *keys)
{
    mat4 to_bone;
    double worst = 0;
    vec3 *values = ARENA_NEW(c->scene->arena, vec3, keys->count);
    if (!affine_inverse(node->local_to_parent, to_bone))
        return 0;
    for (size_t k = 0; k < keys->count; k++) {
        affine_point(to_bone, keys->values + 3 * k, values[k]); /* the file's */
        for (size_t i = 0; i < 3; i++) {
            values[k][i] += node->rest.translation[i];
            worst = fmax(worst, fabs((double)values[k][i] - (double)keys->values[3 * k + i]));
        }
    }
    keys->values = (const float *)values;
    return worst;
}

void repair_ogre_keys(struct conversion *c)
{
    double worst = 0;
    uint32_t closed = 0;
    const bool is_on = (c->repairs & REPAIR_OGRE_KEYS) != 0;
    for (uint32_t i = 0; i < c->scene->clip_count; i++)
        for (uint32_t k = 0; k < c->scene->clips[i].channel_count; k++) {
            struct channel *channel = &c->scene->clips[i].channels[k], changed = *channel;
            if (channel->node != NO_INDEX)
                worst = fmax(worst, untwist(c, &c->scene->nodes[channel->node], &changed.keys[COMPONENT_TRANSLATION]));
            for (int part = 0; part < COMPONENT_COUNT; part++)
                closed += close_round(c, &c->scene->clips[i], &changed.keys[part], component_width(part));
            if (is_on)
                *channel = changed;
        }
    if (worst > 1e-5)
        repaired_or_warn(
            c, is_on, "ogre-keys",
            "translations of keys are in the space of the bone's parent: as Assimp has them up to %.3g off", worst);
    if (closed > 0)
        repaired_or_warn(
            c, is_on, "ogre-keys",
            "%u lists of keys end before their clip: Ogre goes on to the first key, where Assimp holds the last",
            closed);
}

static void report_keys(struct conversion *c, uint32_t count, const char *what)
{
    if (count > 0)
        repaired_or_warn(c, c->repairs & REPAIR_GAME_KEYS, "game-keys", "%u %s", count, what);
}

/* In MilkShape a joint's matrix is the one at rest times that of its keys, which are moved in the joint's own space.
 * Assimp adds their translation to the joint's in its parent's space. Returns how many are off by more than 1e-5. */
static uint32_t turn_translations(struct conversion *c, const struct node *node, struct keys *keys)
{
    uint32_t off = 0;
    vec3 *values = ARENA_NEW(c->scene->arena, vec3, keys->count);
    for (size_t k = 0; k < keys->count; k++) {
        double distance = 0;
        vec3 moved;
        for (size_t i = 0; i < 3; i++)
            moved[i] = keys->values[3 * k + i] - node->rest.translation[i];
        affine_point(node->local_to_parent, moved, values[k]);
        for (size_t i = 0; i < 3; i++)
            distance = fmax(distance, fabs((double)values[k][i] - (double)keys->values[3 * k + i]));
        off += distance > 1e-5;
    }
    if (off > 0 && (c->repairs & REPAIR_GAME_KEYS))
        keys->values = (const float *)values;
    return off;
}

void repair_ms3d_keys(struct conversion *c)
{
    uint32_t off = 0;
    for (uint32_t i = 0; i < c->scene->clip_count; i++)
        for (uint32_t k = 0; k < c->scene->clips[i].channel_count; k++) {
            struct channel *channel = &c->scene->clips[i].channels[k];
            if (channel->node != NO_INDEX)
                off += turn_translations(c, &c->scene->nodes[channel->node], &channel->keys[COMPONENT_TRANSLATION]);
        }
    report_keys(c, off, "translations of keys are in the space of the joint, which Assimp takes for its parent's");
}

/*
 * Assimp makes a matrix of each rotation key of a .x file, and a quaternion of that. From a quaternion (w, v) that is
 * not of unit length it gets w' = sqrt(1 - v v) and v' = v w / w', another rotation, where the matrix has a positive
 * trace; else (w, v) itself. 5.2.5 does so and the source of later ones reads the same: one that keeps the file's
 * quaternion must not get this repair. Puts (w, v) back. Returns false, with `q` (x y z w) left alone: it is of unit
 * length.
 */
static bool restore_rotation(float q[4])
{
    const double w = fabs((double)q[3]), length = hypot(hypot((double)q[0], (double)q[1]), (double)q[2]);
    if (fabs(w * w + length * length - 1) < 1e-6 || w <= 0.5 || w >= 1 || length * length >= 0.75 || length == 0)
        return false;
    const double longer = sqrt(1 - w * w) / length;
    for (int i = 0; i < 3; i++)
        q[i] = (float)((double)q[i] * longer);
    q[3] = (float)((double)q[3] / longer);
    return true;
}

void repair_x_keys(struct conversion *c)
{
    uint32_t off = 0;
    for (uint32_t i = 0; i < c->scene->clip_count; i++)
        for (uint32_t k = 0; k < c->scene->clips[i].channel_count; k++) {
            struct keys *keys = &c->scene->clips[i].channels[k].keys[COMPONENT_ROTATION];
            float *values = ARENA_NEW(c->scene->arena, float, 4 * keys->count);
            uint32_t restored = 0;
            for (size_t n = 0; n < 4 * (size_t)keys->count; n++)
                values[n] = keys->values[n];
            for (size_t key = 0; key < keys->count; key++)
                restored += restore_rotation(values + 4 * key);
            off += restored;
            if (restored > 0 && (c->repairs & REPAIR_GAME_KEYS))
                keys->values = values;
        }
    report_keys(c, off, "rotations of keys are not of unit length, of which Assimp makes other rotations");
}

/* The first and the last time of keys that move something: Assimp adds single ones at 0. */
static void range_of_keys(const struct clip *clip, double *first, double *last)
{
    *first = INFINITY;
    *last = -INFINITY;
    for (uint32_t k = 0; k < clip->channel_count; k++)
        for (int part = 0; part < COMPONENT_COUNT; part++) {
            const struct keys *keys = &clip->channels[k].keys[part];
            if (keys->count < 2)
                continue;
            *first = fmin(*first, keys->times[0]);
            *last = fmax(*last, keys->times[keys->count - 1]);
        }
}

static void put_earlier(struct conversion *c, struct clip *clip, double seconds)
{
    for (uint32_t k = 0; k < clip->channel_count; k++)
        for (int part = 0; part < COMPONENT_COUNT; part++) {
            struct keys *keys = &clip->channels[k].keys[part];
            double *times = ARENA_NEW(c->scene->arena, double, keys->count);
            for (size_t key = 0; key < keys->count; key++)
                times[key] = fmax(keys->times[key] - seconds, 0);
            keys->times = times;
        }
}

/*
 * A B3D clip of n frames has keys at 0 to n. Blender's exporter, Irrlicht and Luanti count them from 1 to n + 1: the
 * last one would not be played.
 */
void repair_b3d_keys(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->clip_count && i < c->source->mNumAnimations; i++) {
        struct clip *clip = &c->scene->clips[i];
        const double ticks = c->source->mAnimations[i]->mDuration, frame = ticks > 0 ? clip->duration / ticks : 0;
        double first, last;
        range_of_keys(clip, &first, &last);
        if (frame <= 0 || last < clip->duration + frame / 2)
            continue;
        const bool from_one = first > frame / 2;
        if (from_one && (c->repairs & REPAIR_GAME_KEYS)) {
            put_earlier(c, clip, frame);
            last -= frame;
        }
        if (last > clip->duration + frame / 2 && (c->repairs & REPAIR_GAME_KEYS))
            clip->duration = last;
        repaired_or_warn(c, c->repairs & REPAIR_GAME_KEYS, "game-keys",
                         "clip \"%s\" has keys behind its last frame, %g%s", clip->name, ticks,
                         from_one ? ": they count from 1" : "");
    }
}
