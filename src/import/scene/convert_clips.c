#include "import/convert.h"

#include <math.h>
#include <string.h>

/*
 * Ticks become seconds here and do not occur again. aiVectorKey and aiQuatKey both begin with the time
 * and end with the mode, but their values differ in width and order: hence two loops.
 */

/*
 * Assimp 5.4.3 has the member, glTF files fill it from 6.0.5 on, and every other importer leaves it at
 * Linear: Step and Cubic_Spline are proof, everything else is Linear or says nothing.
 */
enum { KEY_WITHOUT_MODE = sizeof(double) + sizeof(struct aiQuaternion) };
#ifdef HAVE_KEY_INTERPOLATION
_Static_assert(sizeof(struct aiQuatKey) > KEY_WITHOUT_MODE, "configured with other headers of Assimp: run cmake again");
static enum interpolation mode_of(enum aiAnimInterpolation mode)
{
    if (mode == aiAnimInterpolation_Step)
        return INTERPOLATE_STEP;
    return mode == aiAnimInterpolation_Cubic_Spline ? INTERPOLATE_CUBIC : INTERPOLATE_LINEAR;
}
#define KEY_MODE(key) mode_of((key)->mInterpolation)
#else
_Static_assert(sizeof(struct aiQuatKey) == KEY_WITHOUT_MODE, "configured with other headers of Assimp: run cmake again");
#define KEY_MODE(key) INTERPOLATE_LINEAR
#endif

/*
 * `count` raw keys with their values in place. A cubic component has three keys a key (in-tangent, value,
 * out-tangent); Assimp may have collapsed equal ones, and what is left is then a constant.
 */
static void set_keys(struct keys *keys, uint32_t count, enum interpolation mode, double *times, float *values)
{
    *keys = (struct keys){count, times, values, mode};
    if (mode != INTERPOLATE_CUBIC)
        return;
    if (count % 3 != 0) {
        keys->count = 1;
        keys->interpolation = INTERPOLATE_LINEAR;
        return;
    }
    keys->count = count / 3;
    for (uint32_t k = 0; k < keys->count; k++)
        times[k] = times[3 * k];
}

static void convert_vectors(struct conversion *c, struct keys *keys, const struct aiVectorKey *source,
                            uint32_t count, double rate)
{
    if (count == 0 || !source)
        return;
    double *times = ARENA_NEW(c->scene->arena, double, count);
    float *values = ARENA_NEW(c->scene->arena, float, (size_t)3 * count);
    for (uint32_t k = 0; k < count; k++) {
        times[k] = source[k].mTime / rate;
        values[3 * k] = source[k].mValue.x;
        values[3 * k + 1] = source[k].mValue.y;
        values[3 * k + 2] = source[k].mValue.z;
    }
    set_keys(keys, count, KEY_MODE(&source[0]), times, values);
}

static void convert_quaternions(struct conversion *c, struct keys *keys, const struct aiQuatKey *source,
                                uint32_t count, double rate)
{
    if (count == 0 || !source)
        return;
    double *times = ARENA_NEW(c->scene->arena, double, count);
    float *values = ARENA_NEW(c->scene->arena, float, (size_t)4 * count);
    for (uint32_t k = 0; k < count; k++) {
        times[k] = source[k].mTime / rate;
        values[4 * k] = source[k].mValue.x;
        values[4 * k + 1] = source[k].mValue.y;
        values[4 * k + 2] = source[k].mValue.z;
        values[4 * k + 3] = source[k].mValue.w;
    }
    set_keys(keys, count, KEY_MODE(&source[0]), times, values);
}

static enum extrapolation extrapolation_of(enum aiAnimBehaviour behaviour)
{
    switch (behaviour) {
    case aiAnimBehaviour_CONSTANT:
        return EXTRAPOLATE_CONSTANT;
    case aiAnimBehaviour_LINEAR:
        return EXTRAPOLATE_LINEAR;
    case aiAnimBehaviour_REPEAT:
        return EXTRAPOLATE_REPEAT;
    default:
        return EXTRAPOLATE_DEFAULT;
    }
}

static void convert_channel(struct conversion *c, struct channel *channel, const struct aiNodeAnim *source,
                            double rate)
{
    channel->node_name = copy_string(c, &source->mNodeName);
    channel->node = bind_node(c, channel->node_name);
    channel->before = extrapolation_of(source->mPreState);
    channel->after = extrapolation_of(source->mPostState);
    convert_vectors(c, &channel->keys[COMPONENT_TRANSLATION], source->mPositionKeys, source->mNumPositionKeys,
                    rate);
    convert_quaternions(c, &channel->keys[COMPONENT_ROTATION], source->mRotationKeys,
                        source->mNumRotationKeys, rate);
    convert_vectors(c, &channel->keys[COMPONENT_SCALE], source->mScalingKeys, source->mNumScalingKeys, rate);
}

/* X, B3D and MS3D files do not always say how long a tick is. */
static double tick_rate(struct conversion *c, const struct clip *clip)
{
    double rate = clip->ticks_per_second;
    if (rate > 0 && isfinite(rate)) {
        if (rate == 1.0 && is_format(c, "ms3d"))
            scene_note(
                c->scene, NOTE_WARNING, "tick-rate",
                "clip \"%s\" has 1 tick per second, which is believed although MS3D files often mean frames",
                clip->name);
        return rate;
    }
    if (c->repairs & REPAIR_TICK_RATE) {
        scene_note(c->scene, NOTE_REPAIR, "tick-rate",
                   "clip \"%s\" does not say how many ticks a second has: 25 are taken", clip->name);
        return 25.0;
    }
    scene_note(c->scene, NOTE_WARNING, "tick-rate",
               "clip \"%s\" does not say how many ticks a second has: 1 is taken, as the repair is off",
               clip->name);
    return 1.0;
}

static bool convert_clip(struct conversion *c, uint32_t index)
{
    const struct aiAnimation *source = c->source->mAnimations[index];
    struct clip *clip = &c->scene->clips[index];
    clip->name = copy_string(c, &source->mName);
    if (!clip->name[0])
        clip->name = arena_printf(c->scene->arena, "clip %u", index);
    clip->ticks_per_second = source->mTicksPerSecond;
    double rate = tick_rate(c, clip);
    clip->duration = source->mDuration / rate;
    if (!isfinite(clip->duration) || fabs(clip->duration) > 1e9)
        return error_set(c->err, "clip \"%s\": the duration is not a sensible number", clip->name);
    if (clip->duration < 0)
        clip->duration = 0;
    clip->channel_count = source->mNumChannels;
    clip->channels = ARENA_NEW(c->scene->arena, struct channel, clip->channel_count);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        convert_channel(c, &clip->channels[i], source->mChannels[i], rate);
    return convert_morph_channels(c, clip, source, rate);
}

bool convert_clips(struct conversion *c)
{
    c->scene->clip_count = c->source->mNumAnimations;
    c->scene->clips = ARENA_NEW(c->scene->arena, struct clip, c->scene->clip_count);
    for (uint32_t i = 0; i < c->scene->clip_count; i++)
        if (!convert_clip(c, i))
            return false;
    return true;
}
