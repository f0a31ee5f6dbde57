#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"

/*
 * The thesis on a system for human skeletons: a bone is an object with a parent, its clip's channel and its offset; poses are
 * computed by asking each bone for its global transform, which asks its parent. Keys are clamped at both ends; a component
 * without positions stands at zero; weights up to 0.1 are dropped, the first four kept, and not rescaled.
 */

struct bone {
    const struct aiNode *node;
    struct bone *parent;
    struct mat4 local, global, last;
    struct mat4 offset; /* of the first mesh that has it */
    bool is_done, has_offset;
};

static struct bone *bones;
static int bone_count;

static int count_bones(const struct aiNode *node)
{
    int count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += count_bones(node->mChildren[i]);
    }
    return count;
}

static void grow(const struct aiNode *node, struct bone *parent)
{
    struct bone *bone = &bones[bone_count++];
    memset(bone, 0, sizeof *bone);
    bone->node = node;
    bone->parent = parent;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        grow(node->mChildren[i], bone);
    }
}

static struct bone *bone_of(const char *name)
{
    for (int i = 0; i < bone_count; i++) {
        if (strcmp(bones[i].node->mName.data, name) == 0) {
            return &bones[i];
        }
    }
    return &bones[0];
}

static bool load(const struct aiScene *scene, struct rigproof_answer *answer)
{
    (void)answer;
    free(bones);
    bones = calloc((size_t)count_bones(scene->mRootNode), sizeof *bones);
    bone_count = 0;
    grow(scene->mRootNode, NULL);
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++) {
            struct bone *bone = bone_of(scene->mMeshes[m]->mBones[b]->mName.data);
            if (!bone->has_offset || makes(OFFSET_LAST_OF_SCENE)) {
                bone->offset = offset_of(scene, scene->mMeshes[m], b);
                bone->has_offset = true;
            }
        }
    }
    return true;
}

static struct aiVector3D vector_at(const struct aiVectorKey *keys, unsigned count, double time, bool is_scale)
{
    if (is_missing(count)) {
        return missing_vector(is_scale);
    }
    if (time <= keys[0].mTime) {
        return keys[0].mValue;
    }
    if (time >= keys[count - 1].mTime) {
        return keys[count - 1].mValue;
    }
    unsigned next = 1;
    while (keys[next].mTime < time) {
        next++;
    }
    return blend(keys[next - 1].mValue, keys[next].mValue, share(time, keys[next - 1].mTime, keys[next].mTime));
}

static struct aiQuaternion rotation_at(const struct aiQuatKey *keys, unsigned count, double time)
{
    if (is_missing(count)) {
        return (struct aiQuaternion){.w = 1};
    }
    if (time <= keys[0].mTime) {
        return stored(keys[0].mValue);
    }
    if (time >= keys[count - 1].mTime) {
        return stored(keys[count - 1].mValue);
    }
    unsigned next = 1;
    while (keys[next].mTime < time) {
        next++;
    }
    return turn(stored(keys[next - 1].mValue), stored(keys[next].mValue),
                share(time, keys[next - 1].mTime, keys[next].mTime));
}

static struct mat4 animate(const struct bone *bone, const struct aiAnimation *clip, double time)
{
    const struct aiNodeAnim *channel = channel_of(clip, bone->node);
    if (!channel) {
        return rest_of(bone->node, clip != NULL);
    }
    const struct aiMatrix4x4 *rest = &bone->node->mTransformation;
    struct aiVector3D t = vector_at(channel->mPositionKeys, channel->mNumPositionKeys, time, false);
    if (makes(TRANSLATION_DROPPED)) {
        t = (struct aiVector3D){rest->a4, rest->b4, rest->c4};
    }
    return compose(t, rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, time),
                   vector_at(channel->mScalingKeys, channel->mNumScalingKeys, time, true));
}

static struct mat4 global_transform(struct bone *bone)
{
    if (!bone->is_done) {
        struct mat4 parent = !bone->parent         ? placement
                             : makes(STALE_PARENT) ? bone->parent->last
                                                   : global_transform(bone->parent);
        bone->global = joined(parent, bone->local);
        bone->is_done = true;
    }
    return bone->global;
}

static double ticks_at(const struct aiAnimation *clip, double seconds)
{
    double rate = clip->mTicksPerSecond > 0 ? clip->mTicksPerSecond : 25;
    double ticks = seconds_asked(clip, seconds, rate) * rate_of(rate);
    return makes(LOOP_RULE) ? fmin(ticks, clip->mDuration) : clip->mDuration > 0 ? fmod(ticks, clip->mDuration) : 0;
}

static void take_pose(const struct aiAnimation *clip, double seconds)
{
    double time = clip ? ticks_at(clip, seconds) : 0;
    for (int i = 0; i < bone_count; i++) {
        bones[i].local = animate(&bones[i], clip, time);
        bones[i].is_done = false;
    }
    for (int i = 0; i < bone_count; i++) {
        global_transform(&bones[i]);
    }
}

static void tell_skeleton(const struct aiScene *scene, struct rigproof_answer *answer)
{
    static const struct vertex_rules rules = {.whole_precision = true, .small = 0.1f, .bone_limit = INT_MAX};
    const size_t most = bone_count > 0 ? (size_t)bone_count : 1;
    const char **names = calloc(most, sizeof *names);
    struct mat4 *matrices = calloc(most, sizeof *matrices), *g_bones = calloc(most, sizeof *g_bones);
    int *ids = calloc(most, sizeof *ids), *number = calloc(most, sizeof *number), count = 0;
    for (int i = 0; i < bone_count; i++) {
        if (bones[i].has_offset) {
            struct mat4 entry = entry_of(bones[i].global, bones[i].offset);
            number[i] = count;
            names[count] = bones[i].node->mName.data;
            matrices[count++] = makes(ROOT_INVERSE_EXTRA)
                                    ? multiply(inverse(from_assimp(&scene->mRootNode->mTransformation)), entry)
                                    : entry;
        }
    }
    const int limit = makes(BONES_CUT) && count > 100 ? 100 : count;
    for (int i = 0; i < limit; i++) {
        g_bones[i] = matrices[place_of(i, count, names)];
        tell_entry(answer, NULL, names[i], g_bones[i]);
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            ids[b] = number[bone_of(mesh->mBones[b]->mName.data) - bones];
        }
        if (mesh->mNumBones > 0) {
            struct vertex_bones list = {ids, g_bones, limit};
            tell_skin(answer, mesh, &rules, &list);
        }
    }
    free(names);
    free(matrices);
    free(g_bones);
    free(ids);
    free(number);
}

static bool pose(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer)
{
    if (makes(STALE_PARENT)) {
        faults_on[STALE_PARENT] = false;
        take_pose(clip, request->time - 1.0 / 30);
        faults_on[STALE_PARENT] = true;
        for (int i = 0; i < bone_count; i++) {
            bones[i].last = bones[i].global;
        }
    }
    take_pose(clip, request->time);
    for (int i = 0; i < bone_count; i++) {
        tell_node(answer, bones[i].node, bones[i].local, bones[i].global);
    }
    tell_skeleton(scene, answer);
    return true;
}

static const enum fault cannot[] = {OFFSET_FIRST_OF_SCENE, WEIGHTS_FIRST_FOUR,        WEIGHTS_SMALL_DROPPED,
                                    WEIGHTS_NOT_RESCALED,  ROOT_INVERSE_MISSING,      ROOT_INVERSE_TWICE,
                                    WEIGHTS_NOT_DIVIDED,   NORMAL_BY_POSITION_MATRIX, FAULT_COUNT};

const struct engine thesis = {
    .way = "thesis",
    .space = "scene",
    .storage = "columns",
    .bones = "scene",
    .import_flags = aiProcess_Triangulate,
    .rate = 24,
    .load = load,
    .pose = pose,
    .cannot = cannot,
    .traits = "offset-first-of-scene weights-first-four weights-small-dropped weights-not-divided "
              "missing-component-zero loop-rule "
              "step-as-linear cubic-as-linear",
};
