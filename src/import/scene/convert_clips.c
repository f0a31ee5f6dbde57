#include "import/scene/convert.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/*
 * Ticks become seconds here and do not occur again. aiVectorKey and aiQuatKey both begin with the time, then have the
 * value, and end with the mode. Assimp 5.4.3 has that member, glTF files fill it from 6.0.5 on, and every other
 * importer leaves it at Linear: Step and Cubic_Spline are proof, everything else is Linear or says nothing.
 */
static enum interpolation mode_of(const void *key, bool is_rotation)
{
    enum { WITHOUT_MODE = sizeof(double) + sizeof(struct aiQuaternion) };
#ifdef HAVE_KEY_INTERPOLATION
    _Static_assert(sizeof(struct aiQuatKey) > WITHOUT_MODE, "configured with other headers of Assimp: run cmake again");
    enum aiAnimInterpolation mode = is_rotation ? ((const struct aiQuatKey *)key)->mInterpolation
                                                : ((const struct aiVectorKey *)key)->mInterpolation;
    return mode == aiAnimInterpolation_Step           ? INTERPOLATE_STEP
           : mode == aiAnimInterpolation_Cubic_Spline ? INTERPOLATE_CUBIC
                                                      : INTERPOLATE_LINEAR;
#else
    _Static_assert(sizeof(struct aiQuatKey) == WITHOUT_MODE,
                   "configured with other headers of Assimp: run cmake again");
    (void)key, (void)is_rotation;
    return INTERPOLATE_LINEAR;
#endif
}

/* A cubic component has three keys a key (in-tangent, value, out-tangent), or a constant where Assimp collapsed
 * them. */
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
    return behaviour == aiAnimBehaviour_CONSTANT ? EXTRAPOLATE_CONSTANT
           : behaviour == aiAnimBehaviour_LINEAR ? EXTRAPOLATE_LINEAR
           : behaviour == aiAnimBehaviour_REPEAT ? EXTRAPOLATE_REPEAT
                                                 : EXTRAPOLATE_DEFAULT;
}

/*
 * FBX has a curve for each target, and Assimp lists at each time those that have a key there: for the others the weight
 * lies on the line between their own keys, and before and after these it stays. `rest`: of a target without any key.
 * `is_key` and `values`: of one target, `width` from a key to the next one.
 */
static void fill_gaps(uint32_t count, size_t width, const double *times, const bool *is_key, float *values, float rest)
{
    uint32_t before = count, after = 0; /* the target's own keys around k; count: there is none */
    for (uint32_t k = 0; k < count; k++) {
        while (after < count && (after < k || !is_key[after * width]))
            after++;
        if (after == k) {
            before = k;
            continue;
        }
        bool has_before = before < count, has_after = after < count;
        float from = has_before ? values[before * width] : has_after ? values[after * width] : rest;
        float to = has_after ? values[after * width] : from;
        double span = has_before && has_after ? times[after] - times[before] : 0.0;
        double u = span > 0.0 ? (times[k] - times[before]) / span : 0.0;
        values[k * width] = (float)((double)from + u * ((double)to - (double)from));
    }
}

static void convert_morph_channel(struct conversion *c, struct morph_channel *channel,
                                  const struct aiMeshMorphAnim *source, double rate)
{
    const char *name = channel->node_name = copy_string(c, &source->mName), *star = strrchr(name, '*');
    /* glTF calls a morph channel after its node, FBX "<node>*<index of the mesh>". */
    channel->node = scene_find_node(c->scene, name);
    if (channel->node == NO_INDEX && star && star[1] != '\0' && star[1 + strspn(star + 1, "0123456789")] == '\0')
        channel->node = scene_find_node(c->scene, arena_printf(c->scene->arena, "%.*s", (int)(star - name), name));
    const struct aiNode *holder = channel->node == NO_INDEX ? NULL : c->nodes[channel->node];
    const uint32_t mesh_count = holder ? holder->mNumMeshes : 0;
    uint32_t width = 0; /* the targets of the node's meshes, without any as many as keys name */
    for (uint32_t i = 0; i < mesh_count; i++)
        if (c->scene->meshes[holder->mMeshes[i]].target_count > width)
            width = c->scene->meshes[holder->mMeshes[i]].target_count;
    for (uint32_t k = 0; width == 0 && k < source->mNumKeys; k++)
        width = source->mKeys[k].mNumValuesAndWeights;
    channel->target_count = width;
    FREED float *rest = memory_new(width, sizeof *rest); /* of targets that have no keys */
    for (uint32_t i = mesh_count; i > 0; i--) { /* the first mesh that has the target counts */
        const struct mesh *mesh = &c->scene->meshes[holder->mMeshes[i - 1]];
        for (uint32_t t = 0; t < mesh->target_count; t++)
            rest[t] = mesh->targets[t].default_weight;
    }
    double *times = ARENA_NEW(c->scene->arena, double, source->mNumKeys);
    float *values = ARENA_NEW(c->scene->arena, float, (size_t)source->mNumKeys *width);
    FREED bool *is_key = memory_new((size_t)source->mNumKeys * width + 1, sizeof *is_key);
    for (uint32_t k = 0; k < source->mNumKeys; k++) {
        const struct aiMeshMorphKey *key = &source->mKeys[k];
        times[k] = key->mTime / rate;
        for (uint32_t i = 0; i < key->mNumValuesAndWeights; i++) {
            if (key->mValues[i] >= width)
                continue;
            values[(size_t)k * width + key->mValues[i]] = (float)key->mWeights[i];
            is_key[(size_t)k * width + key->mValues[i]] = true;
        }
    }
    for (uint32_t i = 0; i < width; i++)
        fill_gaps(source->mNumKeys, width, times, is_key + i, values + i, rest[i]);
    channel->keys = (struct keys){source->mNumKeys, times, values, INTERPOLATE_LINEAR};
}

/* D3DX takes 4800 where a .x file does not say, yet many such files count frames: those have keys closer than 1/120
 * s, or are over in a tenth of a second. */
static bool keys_count_4800(const struct aiAnimation *source)
{
    double gap = INFINITY, last = 0;
    for (unsigned i = 0; i < source->mNumChannels; i++)
        for (unsigned k = 0; k < source->mChannels[i]->mNumPositionKeys + source->mChannels[i]->mNumRotationKeys; k++) {
            const struct aiNodeAnim *channel = source->mChannels[i];
            const unsigned other = channel->mNumPositionKeys;
            const double now = k < other ? channel->mPositionKeys[k].mTime : channel->mRotationKeys[k - other].mTime;
            gap = now > last ? fmin(gap, now - last) : gap;
            last = now;
        }
    return gap >= 4800 / 120 && gap < INFINITY && source->mDuration >= 4800 / 10;
}

/* X, B3D and MS3D files do not always say how long a tick is. */
static double tick_rate(struct conversion *c, const struct clip *clip, const struct aiAnimation *source)
{
    const double usual = is_format(c, "b3d") ? 60.0 : is_format(c, "x") && keys_count_4800(source) ? 4800.0 : 25.0;
    double rate = clip->ticks_per_second;
    if (rate == 1.0 && is_format(c, "ms3d"))
        warn(c, "tick-rate",
             "clip \"%s\" has 1 tick per second, which is believed although MS3D files often mean frames", clip->name);
    if (is_format(c, "smd") && source->mDuration > 0)
        warn(c, "tick-rate",
             "clip \"%s\" has Assimp's 25 frames a second: an SMD file does not say, its .qc does (30 unless set)",
             clip->name);
    if (rate > 0 && isfinite(rate))
        return rate;
    if (c->repairs & REPAIR_TICK_RATE) {
        repaired(c, "tick-rate", "clip \"%s\" does not say how many ticks a second has: %g are taken", clip->name,
                 usual);
        return usual;
    }
    warn(c, "tick-rate", "clip \"%s\" does not say how many ticks a second has: 1 is taken, as the repair is off",
         clip->name);
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
        clip->ticks_per_second = isfinite(source->mTicksPerSecond) ? source->mTicksPerSecond : 0;
        double rate = tick_rate(c, clip, source);
        clip->duration = source->mDuration / rate;
        if (!isfinite(clip->duration) || fabs(clip->duration) > 1e9)
            return error_set(c->err, "clip \"%s\": the duration is not a sensible number", clip->name);
        clip->duration = clip->duration < 0 ? 0 : clip->duration;
        clip->channel_count = source->mNumChannels;
        clip->channels = ARENA_NEW(scene->arena, struct channel, clip->channel_count);
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const struct aiNodeAnim *anim = source->mChannels[i];
            struct channel *channel = &clip->channels[i];
            struct keys *keys = channel->keys;
            channel->node_name = copy_string(c, &anim->mNodeName);
            channel->node = bind_node(c, channel->node_name);
            channel->before = extrapolation_of(anim->mPreState);
            channel->after = extrapolation_of(anim->mPostState);
            convert_keys(c, &keys[COMPONENT_TRANSLATION], anim->mPositionKeys, anim->mNumPositionKeys, rate, false);
            convert_keys(c, &keys[COMPONENT_ROTATION], anim->mRotationKeys, anim->mNumRotationKeys, rate, true);
            convert_keys(c, &keys[COMPONENT_SCALE], anim->mScalingKeys, anim->mNumScalingKeys, rate, false);
        }
        clip->morph_count = source->mNumMorphMeshChannels;
        clip->morphs = ARENA_NEW(scene->arena, struct morph_channel, clip->morph_count);
        for (uint32_t i = 0; i < clip->morph_count; i++)
            convert_morph_channel(c, &clip->morphs[i], source->mMorphMeshChannels[i], rate);
    }
    return true;
}

/* Keys, and what a message needs to say where they are. */
struct place {
    struct conversion *c;
    const struct clip *clip;
    const char *node, *component;
    struct keys *keys;
    size_t width; /* numbers of a value; then of a key */
    bool is_rotation;
};

/* Compares pointers to times, which are compared themselves where these are equal. */
static int by_time(const void *a, const void *b)
{
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;
    return *x != *y ? (*x > *y) - (*x < *y) : (x > y) - (x < y);
}

/* The arrays may be shared between channels: sorted keys get new ones. */
static void sort_keys(const struct place *at)
{
    struct keys *keys = at->keys;
    const size_t width = at->width;
    uint32_t k = 1;
    while (k < keys->count && keys->times[k] >= keys->times[k - 1])
        k++;
    if (k >= keys->count)
        return;
    const double **order = memory_new(keys->count, sizeof *order);
    for (k = 0; k < keys->count; k++)
        order[k] = &keys->times[k];
    sort_items(order, keys->count, sizeof *order, by_time);
    double *times = ARENA_NEW(at->c->scene->arena, double, keys->count);
    float *values = ARENA_NEW(at->c->scene->arena, float, keys->count *width);
    for (k = 0; k < keys->count; k++) {
        times[k] = *order[k];
        memcpy(values + k * width, keys->values + (size_t)(order[k] - keys->times) * width, width * sizeof *values);
    }
    free(order);
    keys->times = times;
    keys->values = values;
    scene_note(at->c->scene, NOTE_WARNING, "key-order",
               "clip \"%s\", node \"%s\", %s: the times of the keys go back; sorted", at->clip->name, at->node,
               at->component);
}

/* Value keys become unit quaternions. Those of a cubic curve stay as long as they are: it is normalised after it is
 * evaluated (glTF 2.0, C.5), and its tangents are not rotations. */
static void normalise_rotations(const struct place *at)
{
    const size_t count = at->keys->count, offset = at->width > 4 ? 4 : 0;
    float *values = ARENA_COPIES(at->c->scene->arena, float, at->keys->values, count * at->width);
    uint32_t zeros = 0;
    for (size_t k = 0; k < count; k++) {
        float *q = values + k * at->width + offset;
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (double)q[i] * (double)q[i];
        bool is_zero = square < 1e-12;
        zeros += is_zero;
        for (int i = 0; i < 4; i++)
            q[i] = is_zero ? (float)(i == 3) : offset > 0 ? q[i] : (float)((double)q[i] / sqrt(square));
    }
    at->keys->values = values;
    if (zeros > 0)
        scene_note(at->c->scene, NOTE_WARNING, "zero-rotation",
                   "clip \"%s\", node \"%s\": %u rotation keys are zero and count as no rotation", at->clip->name,
                   at->node, zeros);
}

static bool finish_keys(struct place at)
{
    at.width *= at.keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    /* Beyond this no animation means its numbers: they are bytes of something else (Assimp copies integers
     * bytewise). */
    const float largest = 1e9f;
    for (uint32_t k = 0; k < at.keys->count; k++) {
        bool good = isfinite(at.keys->times[k]) && fabs(at.keys->times[k]) <= (double)largest;
        const char *what = good ? "the value of" : "the time of";
        for (size_t i = 0; i < at.width && good; i++) {
            float value = at.keys->values[k * at.width + i];
            good = isfinite(value) && fabsf(value) <= largest;
        }
        if (!good)
            return error_set(at.c->err, "clip \"%s\", node \"%s\", %s: %s key %u is not a sensible number",
                             at.clip->name, at.node, at.component, what, k);
    }
    sort_keys(&at);
    if (at.is_rotation && at.keys->count > 0)
        normalise_rotations(&at);
    return true;
}

/* Order of channels: their nodes' order, those without a node last by name, else as they came. */
static int by_node(const void *a, const void *b)
{
    const struct channel *x = *(const struct channel *const *)a, *y = *(const struct channel *const *)b;
    if (x->node != y->node)
        return (uint32_t)x->node < (uint32_t)y->node ? -1 : 1; /* NO_INDEX becomes the largest */
    int names = x->node == NO_INDEX ? strcmp(x->node_name, y->node_name) : 0;
    return names ? names : (x > y) - (x < y);
}

double clip_last_key(const struct clip *clip)
{
    double last = -INFINITY;
    for (uint32_t i = 0; i < clip->channel_count * COMPONENT_COUNT + clip->morph_count; i++) {
        const uint32_t channels = clip->channel_count * COMPONENT_COUNT;
        const struct keys *keys = i < channels ? &clip->channels[i / COMPONENT_COUNT].keys[i % COMPONENT_COUNT]
                                               : &clip->morphs[i - channels].keys;
        for (uint32_t k = 0; k < keys->count; k++)
            last = fmax(last, keys->times[k]);
    }
    return last;
}

bool finish_clips(struct conversion *c)
{
    static const char *const names[COMPONENT_COUNT] = {"translation", "rotation", "scale"};
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        for (uint32_t k = 0; k < clip->channel_count * COMPONENT_COUNT; k++) {
            struct channel *channel = &clip->channels[k / COMPONENT_COUNT];
            const enum component part = k % COMPONENT_COUNT;
            if (!finish_keys((struct place){c, clip, channel->node_name, names[part], &channel->keys[part],
                                            component_width(part), part == COMPONENT_ROTATION}))
                return false;
        }
        for (uint32_t k = 0; k < clip->morph_count; k++) {
            struct morph_channel *morph = &clip->morphs[k];
            if (!finish_keys(
                    (struct place){c, clip, morph->node_name, "morph weights", &morph->keys, morph->target_count}))
                return false;
        }
        /* Assimp hands glTF's channels over in the order of a hash table, which differs from build to build. */
        FREED const struct channel **order = memory_new(clip->channel_count, sizeof *order);
        struct channel *sorted = ARENA_NEW(c->scene->arena, struct channel, clip->channel_count);
        for (uint32_t k = 0; k < clip->channel_count; k++)
            order[k] = &clip->channels[k];
        sort_items(order, clip->channel_count, sizeof *order, by_node);
        for (uint32_t k = 0; k < clip->channel_count; k++)
            sorted[k] = *order[k];
        clip->channels = sorted;
        enum { LISTED = 8 };
        SCOPED(text) names_listed = {0};
        uint32_t unbound = 0;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            if (sorted[k].node == NO_INDEX)
                list_name(&names_listed, unbound++, LISTED, "\"", slice_of(sorted[k].node_name));
        if (unbound > 0)
            warn(c, "channel-without-node", "clip \"%s\": no node is called %s: %u of %u channels move nothing",
                 clip->name, text_string(&names_listed), unbound, clip->channel_count);
    }
    return true;
}
