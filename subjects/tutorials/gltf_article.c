#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"

/*
 * The glTF animation article: bones in an array with parents before children, one pass over it; splines searched by halving;
 * seconds, not ticks; an own palette for each mesh, as rows of 3x4; position divided by the sum of weights.
 */

struct joint {
    const struct aiNode *node;
    int parent; /* -1: none */
    struct mat4 local, global;
};

static struct joint *joints;
static int joint_count;

static void flatten(const struct aiNode *node, int parent)
{
    const int here = joint_count++;
    joints = realloc(joints, (size_t)joint_count * sizeof *joints);
    joints[here].node = node;
    joints[here].parent = parent;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        flatten(node->mChildren[i], here);
    }
}

static bool load(const struct aiScene *scene, struct rigproof_answer *answer)
{
    (void)answer;
    joint_count = 0;
    flatten(scene->mRootNode, -1);
    for (int i = 0; i < joint_count; i++) { /* what a frame before the first would have left */
        joints[i].local = from_assimp(&joints[i].node->mTransformation);
        joints[i].global = joints[i].parent < 0 ? multiply(placement, joints[i].local)
                                                : multiply(joints[joints[i].parent].global, joints[i].local);
    }
    return true;
}

/* std::lower_bound over times that lie `stride` bytes apart: the last key at or before the time. */
static unsigned search(const char *first, size_t stride, unsigned count, double time)
{
    unsigned low = 0, high = count;
    while (low + 1 < high) {
        unsigned middle = (low + high) / 2;
        double at;
        memcpy(&at, first + stride * middle, sizeof at);
        if (at <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct aiVector3D spline(const struct aiVectorKey *keys, unsigned count, double ticks, bool is_scale)
{
    if (is_missing(count)) {
        return missing_vector(is_scale);
    }
    unsigned k = search((const char *)&keys[0].mTime, sizeof *keys, count, ticks);
    unsigned next = k + 1 < count ? k + 1 : k;
    return blend(keys[k].mValue, keys[next].mValue, share(ticks, keys[k].mTime, keys[next].mTime));
}

static struct aiQuaternion rotation_spline(const struct aiQuatKey *keys, unsigned count, double ticks)
{
    if (is_missing(count)) {
        return (struct aiQuaternion){.w = 1};
    }
    unsigned k = search((const char *)&keys[0].mTime, sizeof *keys, count, ticks);
    unsigned next = k + 1 < count ? k + 1 : k;
    return turn(stored(keys[k].mValue), stored(keys[next].mValue), share(ticks, keys[k].mTime, keys[next].mTime));
}

static void sample(struct joint *joint, const struct aiAnimation *clip, double ticks)
{
    const struct aiNodeAnim *channel = channel_of(clip, joint->node);
    joint->local = rest_of(joint->node, clip != NULL);
    if (channel) {
        struct aiVector3D t = spline(channel->mPositionKeys, channel->mNumPositionKeys, ticks, false);
        struct aiVector3D s = spline(channel->mScalingKeys, channel->mNumScalingKeys, ticks, true);
        struct aiVector3D nowhere = {0, 0, 0};
        joint->local = compose(makes(TRANSLATION_DROPPED) ? nowhere : t,
                               rotation_spline(channel->mRotationKeys, channel->mNumRotationKeys, ticks), s);
    }
}

static void globals(void)
{
    for (int n = 0; n < joint_count; n++) {
        int i = makes(STALE_PARENT) ? joint_count - 1 - n : n; /* children first: their parents are where they were */
        struct mat4 parent = joints[i].parent < 0 ? placement : joints[joints[i].parent].global;
        joints[i].global = joined(parent, joints[i].local);
    }
}

static double ticks_at(const struct aiAnimation *clip, double seconds)
{
    double rate = clip->mTicksPerSecond > 0 ? clip->mTicksPerSecond : 25, duration = clip->mDuration / rate;
    double time = seconds_asked(clip, seconds, rate);
    time *= makes(TIME_SCALE) ? rate_of(rate) / rate : 1; /* milliseconds for seconds */
    if (time > duration * (1 + 1e-6) && duration > 0) {
        time = makes(LOOP_RULE) ? duration : fmod(time, duration);
    }
    return time * rate;
}

static struct mat4 global_of(const char *name)
{
    for (int i = 0; i < joint_count; i++) {
        if (strcmp(joints[i].node->mName.data, name) == 0) {
            return joints[i].global;
        }
    }
    return identity4();
}

static void tell_mesh(const struct aiScene *scene, const struct aiMesh *mesh, struct rigproof_answer *answer)
{
    const int count = (int)mesh->mNumBones, limit = makes(BONES_CUT) && count > 128 ? 128 : count;
    const char **names = calloc((size_t)count, sizeof *names);
    struct mat4 *matrices = calloc((size_t)count, sizeof *matrices), *palette = calloc((size_t)count, sizeof *palette);
    int *ids = calloc((size_t)count, sizeof *ids);
    static const struct vertex_rules rules = {
        .whole_precision = true, .largest_four = true, .bone_limit = INT_MAX, .gives_normals = true};
    struct mat4 root = inverse(from_assimp(&scene->mRootNode->mTransformation));
    for (int b = 0; b < count; b++) {
        ids[b] = b;
        names[b] = mesh->mBones[b]->mName.data;
        matrices[b] = entry_of(global_of(names[b]), offset_of(scene, mesh, (unsigned)b));
        matrices[b] = makes(ROOT_INVERSE_EXTRA) ? multiply(root, matrices[b]) : matrices[b];
    }
    for (int b = 0; b < limit; b++) {
        palette[b] = matrices[place_of(b, count, names)];
        tell_entry(answer, mesh->mName.data, names[b], palette[b]);
    }
    struct vertex_bones bones = {ids, palette, limit};
    tell_skin(answer, mesh, &rules, &bones);
    free(names);
    free(matrices);
    free(palette);
    free(ids);
}

static bool pose(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer)
{
    double ticks = clip ? ticks_at(clip, request->time) : 0;
    for (int i = 0; i < joint_count; i++) {
        sample(&joints[i], clip, ticks);
    }
    globals();
    for (int i = 0; i < joint_count; i++) {
        tell_node(answer, joints[i].node, joints[i].local, joints[i].global);
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        if (scene->mMeshes[m]->mNumBones > 0) {
            tell_mesh(scene, scene->mMeshes[m], answer);
        }
    }
    return true;
}

static const enum fault cannot[] = {WEIGHTS_NOT_RESCALED, ROOT_INVERSE_MISSING, ROOT_INVERSE_TWICE, FAULT_COUNT};

const struct engine gltf_article = {
    .way = "gltf-article",
    .space = "scene",
    .storage = "rows3x4",
    .bones = "mesh",
    .import_flags = aiProcess_Triangulate,
    .converts = true,
    .rate = 1000,
    .load = load,
    .pose = pose,
    .cannot = cannot,
    .traits = "step-as-linear cubic-as-linear",
};
