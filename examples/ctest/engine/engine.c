#include "engine.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <string.h>

static void collect(struct engine *engine, const struct aiNode *node, int parent)
{
    int me = engine->node_count;
    if (me == ENGINE_MOST_NODES)
        return;
    engine->nodes[me] = node;
    engine->parents[me] = parent;
    engine->node_count++;
    for (unsigned c = 0; c < node->mNumChildren; c++)
        collect(engine, node->mChildren[c], me);
}

const struct aiScene *engine_load(struct engine *engine, const char *path)
{
    aiReleaseImport(engine->scene);
    engine->scene = aiImportFile(path, aiProcess_Triangulate);
    engine->node_count = 0;
    if (engine->scene)
        collect(engine, engine->scene->mRootNode, -1);
    return engine->scene;
}

const struct aiAnimation *engine_clip(const struct engine *engine, const char *name)
{
    for (unsigned a = 0; a < engine->scene->mNumAnimations; a++)
        if (strcmp(engine->scene->mAnimations[a]->mName.data, name) == 0)
            return engine->scene->mAnimations[a];
    return NULL;
}

/* Between two keys: the first, the second, and how far it is from one to the other. */
struct span {
    unsigned from, to;
    float share;
};

#define SPAN(keys, count, ticks) span_of(&(keys)->mTime, sizeof *(keys), count, ticks)

static double time_of(const double *first, size_t stride, unsigned key)
{
    return *(const double *)((const char *)first + key * stride);
}

static struct span span_of(const double *first, size_t stride, unsigned count, double ticks)
{
    unsigned k = 0;
    while (k + 1 < count && time_of(first, stride, k + 1) <= ticks)
        k++;
    if (k + 1 >= count || ticks <= time_of(first, stride, k))
        return (struct span){k, k, 0};
    double start = time_of(first, stride, k);
    return (struct span){k, k + 1, (float)((ticks - start) / (time_of(first, stride, k + 1) - start))};
}

static struct aiVector3D mix(const struct aiVectorKey *keys, struct span span)
{
    struct aiVector3D a = keys[span.from].mValue, b = keys[span.to].mValue;
    float u = span.share;
    return (struct aiVector3D){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
}

static struct aiMatrix4x4 product(struct aiMatrix4x4 a, struct aiMatrix4x4 b)
{
    aiMultiplyMatrix4(&a, &b);
    return a;
}

/* Scaled, then turned, then moved. */
static struct aiMatrix4x4 composed(struct aiVector3D t, struct aiQuaternion r, struct aiVector3D s)
{
    const struct aiVector3D one = {1, 1, 1};
    struct aiMatrix4x4 turned, scaled;
    aiMatrix4FromScalingQuaternionPosition(&turned, &one, &r, &t);
    aiMatrix4Scaling(&scaled, &s);
    return product(turned, scaled);
}

static struct aiMatrix4x4 local(const struct aiNode *node, const struct aiAnimation *clip, double ticks)
{
    struct aiMatrix4x4 matrix = node->mTransformation;
    for (unsigned c = 0; clip && c < clip->mNumChannels; c++) {
        const struct aiNodeAnim *channel = clip->mChannels[c];
        if (strcmp(channel->mNodeName.data, node->mName.data) != 0)
            continue;
        struct aiVector3D t =
            mix(channel->mPositionKeys, SPAN(channel->mPositionKeys, channel->mNumPositionKeys, ticks));
        struct aiVector3D s = mix(channel->mScalingKeys, SPAN(channel->mScalingKeys, channel->mNumScalingKeys, ticks));
        struct span span = SPAN(channel->mRotationKeys, channel->mNumRotationKeys, ticks);
        struct aiQuaternion r;
        aiQuaternionInterpolate(&r, &channel->mRotationKeys[span.from].mValue, &channel->mRotationKeys[span.to].mValue,
                                span.share);
        matrix = composed(t, r, s);
    }
    return matrix;
}

void engine_pose(struct engine *engine, const struct aiAnimation *clip, double seconds)
{
    double ticks = clip ? seconds * clip->mTicksPerSecond : 0;
    for (int n = 0; n < engine->node_count; n++) {
        struct aiMatrix4x4 own = local(engine->nodes[n], clip, ticks), parent;
        engine->globals[n] = own;
        if (engine->parents[n] >= 0) {
            parent = engine->globals[engine->parents[n]];
            engine->globals[n] = product(parent, own);
        }
    }
}

struct aiMatrix4x4 engine_bone(const struct engine *engine, const struct aiBone *bone)
{
    struct aiMatrix4x4 matrix = bone->mOffsetMatrix;
    for (int n = 0; n < engine->node_count; n++)
        if (strcmp(engine->nodes[n]->mName.data, bone->mName.data) == 0)
            matrix = product(engine->globals[n], bone->mOffsetMatrix);
    return matrix;
}
