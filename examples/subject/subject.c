/* An engine on Assimp as a subject of rigproof: nodes and palette, linear keys. cc subject.c $(pkg-config --cflags --libs
 * rigproof-subject assimp) */
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

static const struct aiScene *scene;

static bool load(void *user, const char *model, struct rigproof_answer *answer)
{
    (void)user;
    aiReleaseImport(scene);
    scene = aiImportFile(model, aiProcess_Triangulate);
    return scene || rigproof_fail(answer, "%s", aiGetErrorString());
}

/* Of keys in order: the one before the time, the one behind, and how far it is from one to the other. */
#define SPAN(keys, count) \
    unsigned k = 0; \
    while (k + 1 < count && keys[k + 1].mTime <= ticks) k++; \
    unsigned n = k + 1 < count && ticks > keys[k].mTime ? k + 1 : k; \
    float u = n > k ? (float)((ticks - keys[k].mTime) / (keys[n].mTime - keys[k].mTime)) : 0;

static struct aiVector3D mixed(const struct aiVectorKey *keys, unsigned count, double ticks)
{
    SPAN(keys, count)
    struct aiVector3D a = keys[k].mValue, b = keys[n].mValue;
    struct aiVector3D v = {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
    return v;
}

static struct aiQuaternion turned(const struct aiQuatKey *keys, unsigned count, double ticks)
{
    SPAN(keys, count)
    struct aiQuaternion q;
    aiQuaternionInterpolate(&q, &keys[k].mValue, &keys[n].mValue, u);
    aiQuaternionNormalize(&q); /* it is off by 1e-4 of its length */
    return q;
}

/* aiMatrix4FromScalingQuaternionPosition() scales what was turned: translation * scale * rotation. */
static struct aiMatrix4x4 composed(struct aiVector3D t, struct aiQuaternion r, struct aiVector3D s)
{
    const struct aiVector3D one = {1, 1, 1};
    struct aiMatrix4x4 matrix, scale;
    aiMatrix4FromScalingQuaternionPosition(&matrix, &one, &r, &t);
    aiMatrix4Scaling(&scale, &s);
    aiMultiplyMatrix4(&matrix, &scale);
    return matrix;
}

static struct aiMatrix4x4 local(const struct aiNode *node, const struct aiAnimation *clip, double ticks)
{
    struct aiMatrix4x4 matrix = node->mTransformation;
    for (unsigned c = 0; clip && c < clip->mNumChannels; c++) {
        const struct aiNodeAnim *channel = clip->mChannels[c];
        if (strcmp(channel->mNodeName.data, node->mName.data) == 0) {
            struct aiVector3D t = mixed(channel->mPositionKeys, channel->mNumPositionKeys, ticks);
            struct aiQuaternion r = turned(channel->mRotationKeys, channel->mNumRotationKeys, ticks);
            struct aiVector3D s = mixed(channel->mScalingKeys, channel->mNumScalingKeys, ticks);
            matrix = composed(t, r, s);
        }
    }
    return matrix;
}

static void walk(struct rigproof_answer *answer, const struct aiNode *node, struct aiMatrix4x4 global,
                 const struct aiAnimation *clip, double ticks)
{
    struct aiMatrix4x4 mine = local(node, clip, ticks);
    aiMultiplyMatrix4(&global, &mine);
    rigproof_node(answer, node->mName.data, node->mParent ? node->mParent->mName.data : NULL, NULL, NULL, NULL, &mine.a1,
                  &global.a1);
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++) {
            const struct aiBone *bone = scene->mMeshes[m]->mBones[b];
            if (strcmp(bone->mName.data, node->mName.data) == 0) {
                struct aiMatrix4x4 matrix = global;
                aiMultiplyMatrix4(&matrix, &bone->mOffsetMatrix);
                rigproof_palette(answer, scene->mMeshes[m]->mName.data, bone->mName.data, &matrix.a1);
            }
        }
    }
    for (unsigned c = 0; c < node->mNumChildren; c++) walk(answer, node->mChildren[c], global, clip, ticks);
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    const struct aiAnimation *clip = NULL;
    struct aiMatrix4x4 identity;
    (void)user;
    for (unsigned a = 0; request->clip && a < scene->mNumAnimations; a++)
        if (strcmp(scene->mAnimations[a]->mName.data, request->clip) == 0) clip = scene->mAnimations[a];
    if (request->clip && !clip) return rigproof_fail(answer, "no clip is called %s", request->clip);
    aiIdentityMatrix4(&identity);
    walk(answer, scene->mRootNode, identity, clip, request->time * (clip && clip->mTicksPerSecond > 0 ? clip->mTicksPerSecond : 25));
    return true;
}

int main(int argc, char **argv)
{
    struct rigproof_subject subject = rigproof_subject_named("example.c");
    subject.load = load;
    subject.pose = pose;
    subject.storage = "rows"; /* aiMatrix4x4 */
    return rigproof_subject_main(argc, argv, &subject);
}
