#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"

/*
 * ogldev, tutorial 38: a map from name to index for the scene, in which the last offset of a name stays; ReadNodeHierarchy over
 * Assimp's own nodes; the inverse of the root's transform before everything; 25 ticks where the file says none; rows.
 * More than four influences of a vertex end it, and a time outside a component's keys.
 */

enum { MAX_BONES = 100, BONES_PER_VERTEX = 4 };

struct bone_info {
    struct mat4 offset, final;
};

static char (*bone_names)[sizeof((struct aiString *)0)->data];
static struct bone_info *bone_info;
static int bone_count;
static struct mat4 global_inverse;
static struct mat4 *last_globals; /* of the frame before, in the order of the walk */
static int walked;

static int bone_index(const char *name)
{
    int i = 0;
    while (i < bone_count && strcmp(bone_names[i], name) != 0) {
        i++;
    }
    return i;
}

static int count_nodes(const struct aiNode *node)
{
    int count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += count_nodes(node->mChildren[i]);
    }
    return count;
}

static bool check_influences(const struct aiMesh *mesh, struct rigproof_answer *answer)
{
    unsigned char *counts = calloc(mesh->mNumVertices + 1, 1);
    bool good = true;
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        for (unsigned w = 0; w < mesh->mBones[b]->mNumWeights; w++) {
            unsigned v = mesh->mBones[b]->mWeights[w].mVertexId;
            good = good && (mesh->mBones[b]->mWeights[w].mWeight == 0 || v >= mesh->mNumVertices ||
                            ++counts[v] <= BONES_PER_VERTEX);
        }
    }
    free(counts);
    return good || makes(WEIGHTS_FIRST_FOUR) ||
           rigproof_fail(answer, "assert: a vertex of mesh %s has more than %d bones", mesh->mName.data,
                         BONES_PER_VERTEX);
}

static bool load(const struct aiScene *scene, struct rigproof_answer *answer)
{
    bone_count = 0;
    global_inverse = inverse(multiply(placement, from_assimp(&scene->mRootNode->mTransformation)));
    last_globals = realloc(last_globals, (size_t)count_nodes(scene->mRootNode) * sizeof *last_globals);
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        if (!check_influences(mesh, answer)) {
            return false;
        }
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            int index = bone_index(mesh->mBones[b]->mName.data);
            bool is_new = index == bone_count;
            if (is_new) {
                bone_count++;
                bone_names = realloc(bone_names, (size_t)bone_count * sizeof *bone_names);
                bone_info = realloc(bone_info, (size_t)bone_count * sizeof *bone_info);
                strcpy(bone_names[index], mesh->mBones[b]->mName.data);
            }
            if (is_new || !makes(OFFSET_FIRST_OF_SCENE)) {
                bone_info[index].offset = offset_of(scene, mesh, b);
            }
        }
    }
    return true;
}

static unsigned find_vector(double time, const struct aiVectorKey *keys, unsigned count)
{
    for (unsigned i = 0; i + 1 < count; i++) {
        if (time < keys[i + 1].mTime) {
            return i;
        }
    }
    return count - 2;
}

static unsigned find_rotation(double time, const struct aiQuatKey *keys, unsigned count)
{
    for (unsigned i = 0; i + 1 < count; i++) {
        if (time < keys[i + 1].mTime) {
            return i;
        }
    }
    return count - 2;
}

/* assert(Factor >= 0.0f && Factor <= 1.0f). */
static void check_factor(double time, double first, double last)
{
    asserted = time < first || (time > last && !makes(LOOP_RULE)) ? "Factor >= 0.0f && Factor <= 1.0f" : asserted;
}

static struct aiVector3D calc_vector(double time, const struct aiVectorKey *keys, unsigned count, bool is_scale)
{
    if (is_missing(count)) {
        return missing_vector(is_scale);
    }
    if (count == 1) {
        return keys[0].mValue;
    }
    unsigned i = find_vector(time, keys, count);
    check_factor(time, keys[0].mTime, keys[count - 1].mTime);
    return blend(keys[i].mValue, keys[i + 1].mValue, share(time, keys[i].mTime, keys[i + 1].mTime));
}

static struct aiQuaternion calc_rotation(double time, const struct aiQuatKey *keys, unsigned count)
{
    if (is_missing(count)) {
        return (struct aiQuaternion){.w = 1};
    }
    if (count == 1) {
        return stored(keys[0].mValue);
    }
    unsigned i = find_rotation(time, keys, count);
    check_factor(time, keys[0].mTime, keys[count - 1].mTime);
    return turn(stored(keys[i].mValue), stored(keys[i + 1].mValue), share(time, keys[i].mTime, keys[i + 1].mTime));
}

struct walk {
    const struct aiAnimation *clip;
    double time;
    bool first_pass;
    struct rigproof_answer *answer;
};

static void read_node_hierarchy(const struct walk *walk, const struct aiNode *node, struct mat4 parent)
{
    const struct aiNodeAnim *channel = channel_of(walk->clip, node);
    struct mat4 local = rest_of(node, walk->clip != NULL);
    const int here = walked++;
    if (channel) {
        struct aiVector3D t = calc_vector(walk->time, channel->mPositionKeys, channel->mNumPositionKeys, false);
        struct aiVector3D s = calc_vector(walk->time, channel->mScalingKeys, channel->mNumScalingKeys, true);
        if (makes(TRANSLATION_DROPPED)) { /* "bones only turn" */
            t = (struct aiVector3D){node->mTransformation.a4, node->mTransformation.b4, node->mTransformation.c4};
        }
        local = compose(t, calc_rotation(walk->time, channel->mRotationKeys, channel->mNumRotationKeys), s);
    }
    struct mat4 global = joined(parent, local);
    int index = bone_index(node->mName.data);
    if (index < bone_count) {
        struct mat4 entry =
            makes(OFFSET_ORDER) ? multiply(bone_info[index].offset, global) : multiply(global, bone_info[index].offset);
        struct mat4 left = makes(ROOT_INVERSE_TWICE) ? multiply(global_inverse, global_inverse) : global_inverse;
        entry = makes(ROOT_INVERSE_MISSING) ? entry : multiply(left, entry);
        bone_info[index].final = makes(TRANSPOSED) ? transpose(entry) : entry;
    }
    struct mat4 handed_on = makes(STALE_PARENT) && !walk->first_pass ? last_globals[here] : global;
    last_globals[here] = global;
    if (walk->answer) {
        tell_node(walk->answer, node, local, global);
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        read_node_hierarchy(walk, node->mChildren[i], handed_on);
    }
}

static double ticks_at(const struct aiAnimation *clip, double seconds)
{
    double rate = clip->mTicksPerSecond != 0 ? clip->mTicksPerSecond : 25;
    double ticks = seconds_asked(clip, seconds, rate) * rate_of(rate);
    return makes(LOOP_RULE) ? fmin(ticks, clip->mDuration) : clip->mDuration > 0 ? fmod(ticks, clip->mDuration) : 0;
}

static void tell_bones(const struct aiScene *scene, struct rigproof_answer *answer)
{
    const int limit = makes(BONES_CUT) && bone_count > MAX_BONES ? MAX_BONES : bone_count;
    const char **names = calloc((size_t)bone_count + 1, sizeof *names);
    struct mat4 *uniform = calloc((size_t)bone_count + 1, sizeof *uniform);
    int *ids = calloc((size_t)bone_count + 1, sizeof *ids);
    static const struct vertex_rules rules = {.whole_precision = true, .bone_limit = INT_MAX};
    for (int i = 0; i < bone_count; i++) {
        names[i] = bone_names[i];
    }
    for (int i = 0; i < limit; i++) {
        uniform[i] = bone_info[place_of(i, bone_count, names)].final;
        tell_entry(answer, NULL, names[i], uniform[i]);
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            ids[b] = bone_index(mesh->mBones[b]->mName.data);
        }
        if (mesh->mNumBones > 0) {
            struct vertex_bones bones = {ids, uniform, limit};
            tell_skin(answer, mesh, &rules, &bones);
        }
    }
    free(names);
    free(uniform);
    free(ids);
}

static bool pose(const struct aiScene *scene, const struct aiAnimation *clip, const struct rigproof_request *request,
                 struct rigproof_answer *answer)
{
    struct walk before = {clip, clip ? ticks_at(clip, request->time - 1.0 / 30) : 0, true, NULL};
    struct walk now = {clip, clip ? ticks_at(clip, request->time) : 0, false, answer};
    if (makes(STALE_PARENT)) {
        walked = 0;
        read_node_hierarchy(&before, scene->mRootNode, placement);
    }
    walked = 0;
    read_node_hierarchy(&now, scene->mRootNode, placement);
    tell_bones(scene, answer);
    return true;
}

static const enum fault cannot[] = {OFFSET_LAST_OF_SCENE, ROOT_INVERSE_EXTRA,        WEIGHTS_NOT_RESCALED,
                                    WEIGHTS_NOT_DIVIDED,  NORMAL_BY_POSITION_MATRIX, FAULT_COUNT};

const struct engine ogldev = {
    .way = "ogldev",
    .space = "root",
    .storage = "rows",
    .bones = "scene",
    .import_flags = aiProcess_Triangulate | aiProcess_GenSmoothNormals | aiProcess_FlipUVs,
    .converts = true,
    .rate = 25,
    .load = load,
    .pose = pose,
    .cannot = cannot,
    .traits = "offset-last-of-scene weights-not-divided loop-rule step-as-linear cubic-as-linear",
};
