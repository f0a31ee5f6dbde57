#include <math.h>
#include <stdlib.h>

#include "engine.h"

struct mat4 placement;

/* What aiProcess_GlobalScale and the like do, by hand: every length and direction of the file by one matrix. */
static void convert_matrix(struct aiMatrix4x4 *a, struct mat4 by)
{
    struct mat4 rows = transpose(multiply(multiply(by, from_assimp(a)), inverse(by)));
    memcpy(&a->a1, rows.m, sizeof rows.m);
}

static void convert_nodes(struct aiNode *node, struct mat4 by)
{
    convert_matrix(&node->mTransformation, by);
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        convert_nodes(node->mChildren[i], by);
    }
}

static void convert_channel(struct aiNodeAnim *channel, struct mat4 by, bool turns)
{
    for (unsigned k = 0; k < channel->mNumPositionKeys; k++) {
        channel->mPositionKeys[k].mValue = apply(&by, channel->mPositionKeys[k].mValue, 1);
    }
    for (unsigned k = 0; turns && k < channel->mNumRotationKeys; k++) {
        struct aiQuaternion *q = &channel->mRotationKeys[k].mValue;
        struct aiVector3D axis = {q->x, q->y, q->z};
        axis = apply(&by, axis, 0);
        q->x = axis.x, q->y = axis.y, q->z = axis.z;
    }
    for (unsigned k = 0; turns && k < channel->mNumScalingKeys; k++) {
        struct aiVector3D s = apply(&by, channel->mScalingKeys[k].mValue, 0);
        s.x = fabsf(s.x), s.y = fabsf(s.y), s.z = fabsf(s.z);
        channel->mScalingKeys[k].mValue = s;
    }
}

static void convert_scene(struct aiScene *scene, struct mat4 by, bool turns)
{
    convert_nodes(scene->mRootNode, by);
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            mesh->mVertices[v] = apply(&by, mesh->mVertices[v], 1);
            if (turns && mesh->mNormals) {
                mesh->mNormals[v] = apply(&by, mesh->mNormals[v], 0);
            }
        }
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            convert_matrix(&mesh->mBones[b]->mOffsetMatrix, by);
        }
    }
    for (unsigned a = 0; a < scene->mNumAnimations; a++) {
        for (unsigned c = 0; c < scene->mAnimations[a]->mNumChannels; c++) {
            convert_channel(scene->mAnimations[a]->mChannels[c], by, turns);
        }
    }
}

const struct aiScene *import_model(const char *path, const struct engine *engine, struct rigproof_answer *answer)
{
    struct mat4 by = identity4();
    const float factor = fault_value > 0 ? (float)fault_value : 0.01f;
    unsigned flags = engine->import_flags;
    placement = identity4();
    if (makes(UNIT_SCALE)) {
        by.m[0] = by.m[5] = by.m[10] = factor;
    }
    if (makes(AXES_SWAPPED)) { /* z up, where the file is not: (x, y, z) becomes (x, z, -y) */
        by.m[5] = 0, by.m[6] = -1, by.m[9] = 1, by.m[10] = 0;
    }
    if (makes(MIRRORED)) {
        flags |= engine->converts ? aiProcess_MakeLeftHanded : 0u;
        by.m[0] = engine->converts ? 1 : -1;
    }
    const struct aiScene *scene = aiImportFile(path, flags);
    if (!scene || !scene->mRootNode) {
        rigproof_fail(answer, "%s", aiGetErrorString());
        return NULL;
    }
    if (engine->converts) {
        convert_scene((struct aiScene *)scene, by, makes(AXES_SWAPPED));
    } else {
        placement = by;
    }
    return scene;
}

double seconds_asked(const struct aiAnimation *clip, double seconds, double rate)
{
    double duration = clip && rate > 0 ? clip->mDuration / rate : 0;
    if (makes(TIME_SHIFT)) { /* drawn first, the clock moved on later */
        seconds -= fault_value != 0 ? fault_value : 1.0 / 30;
        seconds += seconds < 0 ? duration : 0;
    }
    return makes(BACKWARDS) ? duration - seconds : seconds;
}

double rate_of(double rate)
{
    return makes(TIME_SCALE) ? (fault_value > 0 ? fault_value : running->rate > 0 ? running->rate : 1) : rate;
}

static struct mat4 rest_global(const struct aiNode *node)
{
    struct mat4 local = from_assimp(&node->mTransformation);
    return node->mParent ? multiply(rest_global(node->mParent), local) : local;
}

static const struct aiNode *find_node(const struct aiNode *node, const char *name)
{
    const struct aiNode *found = strcmp(node->mName.data, name) == 0 ? node : NULL;
    for (unsigned i = 0; !found && i < node->mNumChildren; i++) {
        found = find_node(node->mChildren[i], name);
    }
    return found;
}

/* The offset that a list for the whole scene keeps for a name: the first, or the last. */
static const struct aiBone *of_scene(const struct aiScene *scene, const char *name, bool last)
{
    const struct aiBone *found = NULL;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++) {
            const struct aiBone *bone = scene->mMeshes[m]->mBones[b];
            if (strcmp(bone->mName.data, name) == 0 && (last || !found)) {
                found = bone;
            }
        }
    }
    return found;
}

struct mat4 offset_of(const struct aiScene *scene, const struct aiMesh *mesh, unsigned b)
{
    const struct aiBone *bone = mesh->mBones[b];
    if (makes(OFFSET_MISSING)) {
        return identity4();
    }
    if (makes(OFFSET_OF_OTHER_BONE)) {
        bone = mesh->mBones[(b + 1) % mesh->mNumBones];
    }
    if (makes(OFFSET_FIRST_OF_SCENE) || makes(OFFSET_LAST_OF_SCENE)) {
        bone = of_scene(scene, bone->mName.data, makes(OFFSET_LAST_OF_SCENE));
    }
    if (makes(REST_FOR_BIND)) {
        const struct aiNode *node = find_node(scene->mRootNode, bone->mName.data);
        return node ? inverse(rest_global(node)) : identity4();
    }
    struct mat4 offset = from_assimp(&bone->mOffsetMatrix);
    if (makes(OFFSET_TRANSPOSED)) { /* copied byte by byte into a column-major type */
        offset = transpose(offset);
    }
    return makes(OFFSET_INVERTED) ? inverse(offset) : offset;
}

const struct aiNodeAnim *channel_of(const struct aiAnimation *clip, const struct aiNode *node)
{
    for (unsigned c = 0; clip && c < clip->mNumChannels; c++) {
        if (strcmp(clip->mChannels[c]->mNodeName.data, node->mName.data) == 0) {
            return clip->mChannels[c];
        }
    }
    return NULL;
}

struct mat4 rest_of(const struct aiNode *node, bool has_clip)
{
    struct mat4 local = from_assimp(&node->mTransformation);
    bool pivot = strstr(node->mName.data, "$AssimpFbx$") != NULL;
    if ((has_clip && makes(ONLY_ANIMATED_NODES)) || (pivot && makes(PIVOTS_DROPPED))) {
        return identity4();
    }
    return pivot && makes(PIVOTS_TWICE) ? multiply(local, local) : local;
}

/* Exporters write one key for what stands still; an engine that wants two to interpolate between ignores it. */
bool is_missing(unsigned keys)
{
    return keys == 0 || (keys == 1 && (makes(MISSING_COMPONENT_IDENTITY) || makes(MISSING_COMPONENT_ZERO)));
}

struct aiVector3D missing_vector(bool is_scale)
{
    float value = is_scale && !makes(MISSING_COMPONENT_ZERO) ? 1.0f : 0.0f;
    struct aiVector3D out = {value, value, value};
    return out;
}

struct mat4 joined(struct mat4 parent, struct mat4 local)
{
    return makes(PARENT_ORDER) ? multiply(local, parent) : multiply(parent, local);
}

struct mat4 entry_of(struct mat4 global, struct mat4 offset)
{
    struct mat4 entry = makes(OFFSET_ORDER) ? multiply(offset, global) : multiply(global, offset);
    return makes(TRANSPOSED) ? transpose(entry) : entry;
}

int place_of(int i, int count, const char *const *names)
{
    if (makes(INDEX_SHIFT)) {
        return (i + 1) % count;
    }
    if (!makes(INDEX_PERMUTED)) {
        return i;
    }
    /* matrices in the order of a std::map of names, vertices in the order of the file */
    for (int other = 0; other < count; other++) {
        int before = 0;
        for (int k = 0; k < count; k++) {
            int order = strcmp(names[k], names[other]);
            before += order < 0 || (order == 0 && k < other);
        }
        if (before == i) {
            return other;
        }
    }
    return i;
}

/* As the way stores matrices. */
static const float *in_storage(struct mat4 *matrix)
{
    if (strcmp(running->storage, "columns") != 0) {
        *matrix = transpose(*matrix);
    }
    return matrix->m;
}

void tell_node(struct rigproof_answer *answer, const struct aiNode *node, struct mat4 local, struct mat4 global)
{
    const char *parent = node->mParent ? node->mParent->mName.data : NULL;
    rigproof_node(answer, node->mName.data, parent, NULL, NULL, NULL, in_storage(&local), in_storage(&global));
}

void tell_entry(struct rigproof_answer *answer, const char *mesh, const char *bone, struct mat4 matrix)
{
    rigproof_palette(answer, mesh, bone, in_storage(&matrix));
}
