/* The engine under test: what rigproof asks it for, in the engine's own words. */
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

#include "engine.h"

#include <assimp/cimport.h>

static struct engine engine;

static bool load(void *user, const char *path, struct rigproof_answer *answer)
{
    (void)user;
    return engine_load(&engine, path) || rigproof_fail(answer, "%s", aiGetErrorString());
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    const struct aiAnimation *clip = request->clip ? engine_clip(&engine, request->clip) : NULL;
    (void)user;
    if (request->clip && !clip)
        return rigproof_fail(answer, "no clip is called %s", request->clip);
    engine_pose(&engine, clip, request->time);
    for (int n = 0; n < engine.node_count; n++) {
        const struct aiNode *node = engine.nodes[n];
        rigproof_node(answer, node->mName.data, node->mParent ? node->mParent->mName.data : NULL, NULL, NULL, NULL, NULL,
                      &engine.globals[n].a1);
    }
    for (unsigned m = 0; m < engine.scene->mNumMeshes; m++)
        for (unsigned b = 0; b < engine.scene->mMeshes[m]->mNumBones; b++) {
            const struct aiBone *bone = engine.scene->mMeshes[m]->mBones[b];
            struct aiMatrix4x4 matrix = engine_bone(&engine, bone);
            rigproof_palette(answer, engine.scene->mMeshes[m]->mName.data, bone->mName.data, &matrix.a1);
        }
    return true;
}

int main(int argc, char **argv)
{
    struct rigproof_subject subject = rigproof_subject_named("robot-engine");
    subject.load = load;
    subject.pose = pose;
    subject.storage = "rows"; /* aiMatrix4x4 */
    return rigproof_subject_main(argc, argv, &subject);
}
