#include "import/convert.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/*
 * Ticks become seconds here and do not occur again. aiVectorKey and aiQuatKey both begin with the time, then have the value,
 * and end with the mode. Assimp 5.4.3 has that member, glTF files fill it from 6.0.5 on, and every other importer leaves it
 * at Linear: Step and Cubic_Spline are proof, everything else is Linear or says nothing.
 */
enum { KEY_WITHOUT_MODE = sizeof(double) + sizeof(struct aiQuaternion) };
#ifdef HAVE_KEY_INTERPOLATION
_Static_assert(sizeof(struct aiQuatKey) > KEY_WITHOUT_MODE, "configured with other headers of Assimp: run cmake again");
static enum interpolation mode_of(const void *key, bool is_rotation)
{
    enum aiAnimInterpolation mode = is_rotation ? ((const struct aiQuatKey *)key)->mInterpolation
                                                : ((const struct aiVectorKey *)key)->mInterpolation;
    if (mode == aiAnimInterpolation_Step)
        return INTERPOLATE_STEP;
    return mode == aiAnimInterpolation_Cubic_Spline ? INTERPOLATE_CUBIC : INTERPOLATE_LINEAR;
}
#else
_Static_assert(sizeof(struct aiQuatKey) == KEY_WITHOUT_MODE,
               "configured with other headers of Assimp: run cmake again");
static enum interpolation mode_of(const void *key, bool is_rotation)
{
    (void)key, (void)is_rotation;
    return INTERPOLATE_LINEAR;
}
#endif

/*
 * Of `count` aiVectorKey or aiQuatKey. A cubic component has three keys a key (in-tangent, value,
 * out-tangent); Assimp may have collapsed equal ones, and what is left is then a constant.
 */
static void convert_keys(struct conversion *c, struct keys *keys, const void *source, uint32_t count, double rate,
                         bool is_rotation)
{
    static const unsigned char order[2][4] = {{0, 1, 2}, {1, 2, 3, 0}}; /* x, y, z, w in a vector, in w, x, y, z */
    const size_t size = is_rotation ? sizeof(struct aiQuatKey) : sizeof(struct aiVectorKey);
    const size_t offset = is_rotation ? offsetof(struct aiQuatKey, mValue) : offsetof(struct aiVectorKey, mValue);
    const size_t width = is_rotation ? 4 : 3;
    if (count == 0 || !source)
        return;
    const enum interpolation mode = mode_of(source, is_rotation);
    double *times = ARENA_NEW(c->scene->arena, double, count);
    float *values = ARENA_NEW(c->scene->arena, float, width *count);
    for (uint32_t k = 0; k < count; k++) {
        const char *key = (const char *)source + k * size;
        double ticks;
        float value[4];
        memcpy(&ticks, key, sizeof ticks);
        memcpy(value, key + offset, width * sizeof *value);
        times[k] = ticks / rate;
        for (size_t i = 0; i < width; i++)
            values[k * width + i] = value[order[is_rotation][i]];
    }
    *keys = (struct keys){count, times, values, mode};
    if (mode != INTERPOLATE_CUBIC)
        return;
    keys->count = count % 3 == 0 ? count / 3 : 1;
    if (count % 3 != 0)
        keys->interpolation = INTERPOLATE_LINEAR;
    for (uint32_t k = 0; k < keys->count; k++)
        times[k] = times[3 * k];
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

static void convert_channel(struct conversion *c, struct channel *channel, const struct aiNodeAnim *source, double rate)
{
    struct keys *keys = channel->keys;
    channel->node_name = copy_string(c, &source->mNodeName);
    channel->node = bind_node(c, channel->node_name);
    channel->before = extrapolation_of(source->mPreState);
    channel->after = extrapolation_of(source->mPostState);
    convert_keys(c, &keys[COMPONENT_TRANSLATION], source->mPositionKeys, source->mNumPositionKeys, rate, false);
    convert_keys(c, &keys[COMPONENT_ROTATION], source->mRotationKeys, source->mNumRotationKeys, rate, true);
    convert_keys(c, &keys[COMPONENT_SCALE], source->mScalingKeys, source->mNumScalingKeys, rate, false);
}

/* X, B3D and MS3D files do not always say how long a tick is. */
static double tick_rate(struct conversion *c, const struct clip *clip)
{
    double rate = clip->ticks_per_second;
    if (rate > 0 && isfinite(rate)) {
        if (rate == 1.0 && is_format(c, "ms3d"))
            scene_note(c->scene, NOTE_WARNING, "tick-rate",
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
               "clip \"%s\" does not say how many ticks a second has: 1 is taken, as the repair is off", clip->name);
    return 1.0;
}

bool convert_clips(struct conversion *c)
{
    struct scene *scene = c->scene;
    scene->clip_count = c->source->mNumAnimations;
    scene->clips = ARENA_NEW(scene->arena, struct clip, scene->clip_count);
    for (uint32_t index = 0; index < scene->clip_count; index++) {
        const struct aiAnimation *source = c->source->mAnimations[index];
        struct clip *clip = &scene->clips[index];
        clip->name = copy_string(c, &source->mName);
        if (!clip->name[0])
            clip->name = arena_printf(scene->arena, "clip %u", index);
        clip->ticks_per_second = source->mTicksPerSecond;
        double rate = tick_rate(c, clip);
        clip->duration = source->mDuration / rate;
        if (!isfinite(clip->duration) || fabs(clip->duration) > 1e9)
            return error_set(c->err, "clip \"%s\": the duration is not a sensible number", clip->name);
        if (clip->duration < 0)
            clip->duration = 0;
        clip->channel_count = source->mNumChannels;
        clip->channels = ARENA_NEW(scene->arena, struct channel, clip->channel_count);
        for (uint32_t i = 0; i < clip->channel_count; i++)
            convert_channel(c, &clip->channels[i], source->mChannels[i], rate);
        convert_morph_channels(c, clip, source, rate);
    }
    return true;
}
