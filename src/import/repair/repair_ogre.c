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
        scene_note(c->scene, is_on ? NOTE_REPAIR : NOTE_WARNING, "ogre-keys",
                   "translations of keys are in the space of the bone's parent: as Assimp has them up to %.3g off",
                   worst);
    if (closed > 0)
        scene_note(c->scene, is_on ? NOTE_REPAIR : NOTE_WARNING, "ogre-keys",
                   "%u lists of keys end before their clip: Ogre goes on to the first key, where Assimp holds the last",
                   closed);
}
