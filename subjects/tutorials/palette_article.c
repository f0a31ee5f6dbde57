#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"

/*
 * The C++ article on matrix palettes: a skeleton as arrays (parents, names, inverse bind matrices), animations as a track for
 * each bone, sampled by upper bound; before the first key it blends from the identity at time 0; a component without keys is the
 * identity; the end of a clip is held, what is beyond it wraps; 128 matrices a model, weights as bytes that the shader divides by 255.
 */

enum { PALETTE_SIZE = 128 };

static struct {
    const struct aiNode **nodes; /* parents first */
    int *parents, count;
    struct mat4 *world, *local;
} skeleton;

static void add_joint(const struct aiNode *node, int parent)
{
    const int joint = skeleton.count;
    skeleton.nodes[joint] = node;
    skeleton.parents[joint] = parent;
    skeleton.count++;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        add_joint(node->mChildren[i], joint);
    }
}

static int count_joints(const struct aiNode *node)
{
    int count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += count_joints(node->mChildren[i]);
    }
    return count;
}

static bool load(const struct aiScene *scene, struct rigproof_answer *answer)
{
    size_t count = (size_t)count_joints(scene->mRootNode);
    (void)answer;
    skeleton.nodes = realloc(skeleton.nodes, count * sizeof *skeleton.nodes);
    skeleton.parents = realloc(skeleton.parents, count * sizeof *skeleton.parents);
    skeleton.world = realloc(skeleton.world, count * sizeof *skeleton.world);
    skeleton.local = realloc(skeleton.local, count * sizeof *skeleton.local);
    skeleton.count = 0;
    add_joint(scene->mRootNode, -1);
    for (int j = 0; j < skeleton.count; j++) {
        skeleton.world[j] = from_assimp(&skeleton.nodes[j]->mTransformation);
        if (skeleton.parents[j] >= 0) {
            skeleton.world[j] = multiply(skeleton.world[skeleton.parents[j]], skeleton.world[j]);
        }
    }
    return true;
}

static struct aiVector3D sample_vector(const struct aiVectorKey *keys, unsigned count, double time, bool is_scale)
{
    struct aiVector3D identity = {is_scale, is_scale, is_scale};
    unsigned upper = 0;
    if (is_missing(count)) {
        return makes(MISSING_COMPONENT_ZERO) ? missing_vector(is_scale) : identity;
    }
    while (upper < count && keys[upper].mTime <= time) {
        upper++;
    }
    if (upper == count) {
        return keys[count - 1].mValue;
    }
    if (upper == 0) {
        return blend(identity, keys[0].mValue, share(time, 0, keys[0].mTime));
    }
    return blend(keys[upper - 1].mValue, keys[upper].mValue, share(time, keys[upper - 1].mTime, keys[upper].mTime));
}

static struct aiQuaternion sample_rotation(const struct aiQuatKey *keys, unsigned count, double time)
{
    struct aiQuaternion identity = {.w = 1};
    unsigned upper = 0;
    if (is_missing(count)) {
        return identity;
    }
    while (upper < count && keys[upper].mTime <= time) {
        upper++;
    }
    if (upper == count) {
        return stored(keys[count - 1].mValue);
    }
    if (upper == 0) {
        return turn(identity, stored(keys[0].mValue), share(time, 0, keys[0].mTime));
    }
    return turn(stored(keys[upper - 1].mValue), stored(keys[upper].mValue),
                share(time, keys[upper - 1].mTime, keys[upper].mTime));
}

static struct mat4 local_of(int joint, const struct aiAnimation *clip, double time)
{
    const struct aiNode *node = skeleton.nodes[joint];
    const struct aiNodeAnim *track = channel_of(clip, node);
    if (!track) {
        return rest_of(node, clip != NULL);
    }
    struct aiVector3D rest = {node->mTransformation.a4, node->mTransformation.b4, node->mTransformation.c4};
    struct aiVector3D t = sample_vector(track->mPositionKeys, track->mNumPositionKeys, time, false);
    return compose(makes(TRANSLATION_DROPPED) ? rest : t,
                   sample_rotation(track->mRotationKeys, track->mNumRotationKeys, time),
                   sample_vector(track->mScalingKeys, track->mNumScalingKeys, time, true));
}

static double ticks_at(const struct aiAnimation *clip, double seconds)
{
    double rate = clip->mTicksPerSecond > 0 ? clip->mTicksPerSecond : 25;
    double ticks = seconds_asked(clip, seconds, rate) * rate_of(rate);
    if (makes(LOOP_RULE)) {
        return clip->mDuration > 0 ? fmod(ticks, clip->mDuration) : 0;
    }
    return ticks < 0 ? 0 : ticks > clip->mDuration && clip->mDuration > 0 ? fmod(ticks, clip->mDuration) : ticks;
}

static int joint_of(const char *name)
{
    for (int j = 0; j < skeleton.count; j++) {
        if (strcmp(skeleton.nodes[j]->mName.data, name) == 0) {
            return j;
        }
    }
    return 0;
}

static void fill_palette(const struct aiScene *scene, const struct aiMesh *mesh, struct rigproof_answer *answer)
{
    struct {
        struct mat4 matrices[PALETTE_SIZE];
    } animation;
    const int count = (int)mesh->mNumBones, limit = count < PALETTE_SIZE ? count : PALETTE_SIZE;
    const char **names = calloc((size_t)count, sizeof *names);
    int *ids = calloc((size_t)count, sizeof *ids);
    static const struct vertex_rules rules = {.rescales = true, .largest_four = true, .bone_limit = INT_MAX};
    for (int b = 0; b < count; b++) {
        names[b] = mesh->mBones[b]->mName.data;
        ids[b] = b;
    }
    for (int b = 0; b < limit; b++) {
        int from = place_of(b, count, names);
        struct mat4 world = skeleton.world[joint_of(names[from])];
        animation.matrices[b] = entry_of(world, offset_of(scene, mesh, (unsigned)from));
        if (makes(ROOT_INVERSE_EXTRA)) {
            animation.matrices[b] =
                multiply(inverse(from_assimp(&scene->mRootNode->mTransformation)), animation.matrices[b]);
        }
        tell_entry(answer, mesh->mName.data, names[b], animation.matrices[b]);
    }
    struct vertex_bones bones = {ids, animation.matrices, limit};
    tell_skin(answer, mesh, &rules, &bones);
    free(names);
    free(ids);
}

static bool pose(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer)
{
    double time = clip ? ticks_at(clip, request->time) : 0;
    for (int j = 0; j < skeleton.count; j++) {
        skeleton.local[j] = local_of(j, clip, time);
    }
    for (int n = 0; n < skeleton.count; n++) {
        int j = makes(STALE_PARENT) ? skeleton.count - 1 - n : n;
        int parent = skeleton.parents[j];
        skeleton.world[j] = parent >= 0 ? joined(skeleton.world[parent], skeleton.local[j]) : skeleton.local[j];
    }
    for (int j = 0; j < skeleton.count; j++) {
        tell_node(answer, skeleton.nodes[j], skeleton.local[j], skeleton.world[j]);
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        if (scene->mMeshes[m]->mNumBones > 0) {
            fill_palette(scene, scene->mMeshes[m], answer);
        }
    }
    return true;
}

static const enum fault cannot[] = {BONES_CUT,          WEIGHTS_IN_BYTES,    ROOT_INVERSE_MISSING,
                                    ROOT_INVERSE_TWICE, WEIGHTS_NOT_DIVIDED, NORMAL_BY_POSITION_MATRIX,
                                    FAULT_COUNT};

const struct engine palette_article = {
    .way = "palette-article",
    .space = "scene",
    .storage = "columns",
    .bones = "mesh",
    .import_flags = aiProcess_Triangulate,
    .converts = true,
    .rate = 30,
    .load = load,
    .pose = pose,
    .cannot = cannot,
    .traits = "bones-cut weights-in-bytes before-first-key missing-component-identity step-as-linear cubic-as-linear",
};
