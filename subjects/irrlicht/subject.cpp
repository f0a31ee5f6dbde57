// Irrlicht as a subject of rigproof: X, B3D and MS3D through its mesh loaders, posed by CSkinnedMesh on the null device.
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

#include <irrlicht.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace irr;

struct Model {
    IrrlichtDevice *device;
    scene::ISkinnedMesh *mesh;
    double rate; // frames of the file a second
};

// Irrlicht keeps an X file's ticks as frames and leaves their rate to the caller. Files that do not say it have 4800.
static double ticks_of_x(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const char *key = "AnimTicksPerSecond";
    for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
        size_t brace = text.find_first_of("{;}", at);
        double ticks = brace != std::string::npos && text[brace] == '{' ? atof(text.c_str() + brace + 1) : 0;
        if (ticks > 0) { // neither the template of it nor its member
            return ticks;
        }
    }
    return 4800;
}

static bool load(void *user, const char *path, struct rigproof_answer *answer)
{
    Model *model = (Model *)user;
    scene::ISceneManager *manager = model->device->getSceneManager();
    manager->getMeshCache()->clear();
    model->mesh = NULL;
    scene::IAnimatedMesh *mesh = manager->getMesh(path);
    if (!mesh || mesh->getMeshType() != scene::EAMT_SKINNED) {
        return rigproof_fail(answer, "Irrlicht cannot read this as a skinned mesh");
    }
    model->mesh = (scene::ISkinnedMesh *)mesh;
    size_t length = strlen(path);
    bool x = length > 2 && (strcmp(path + length - 2, ".x") == 0 || strcmp(path + length - 2, ".X") == 0);
    model->rate = x ? ticks_of_x(path) : model->mesh->getAnimationSpeed();
    return true;
}

static const char *parent_of(const core::array<scene::ISkinnedMesh::SJoint *> &joints, const scene::ISkinnedMesh::SJoint *child)
{
    for (u32 j = 0; j < joints.size(); j++) {
        for (u32 c = 0; c < joints[j]->Children.size(); c++) {
            if (joints[j]->Children[c] == child) {
                return joints[j]->Name.c_str();
            }
        }
    }
    return NULL;
}

static bool has_weights(const core::array<scene::ISkinnedMesh::SJoint *> &joints, u32 buffer)
{
    for (u32 j = 0; j < joints.size(); j++) {
        for (u32 w = 0; w < joints[j]->Weights.size(); w++) {
            if (joints[j]->Weights[w].buffer_id == buffer) {
                return true;
            }
        }
    }
    return false;
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    if (!request->clip && !load(user, request->model, answer)) { // the rest pose is what no frame has changed yet
        return false;
    }
    scene::ISkinnedMesh *mesh = ((Model *)user)->mesh;
    if (request->clip_index > 0) {
        return rigproof_fail(answer, "Irrlicht plays all clips of a file as one");
    }
    mesh->animateMesh(request->clip ? (f32)(request->time * ((Model *)user)->rate) : -1.0f, 1.0f);
    mesh->skinMesh();
    const core::array<scene::ISkinnedMesh::SJoint *> &joints = mesh->getAllJoints();
    for (u32 j = 0; j < joints.size(); j++) {
        const scene::ISkinnedMesh::SJoint *joint = joints[j];
        rigproof_node(answer, joint->Name.c_str(), parent_of(joints, joint), NULL, NULL, NULL, NULL,
                      joint->GlobalAnimatedMatrix.pointer());
        core::matrix4 matrix = joint->GlobalAnimatedMatrix * joint->GlobalInversedMatrix;
        if (joint->Weights.size()) {
            rigproof_palette(answer, NULL, joint->Name.c_str(), matrix.pointer());
        }
    }
    for (u32 b = 0; b < mesh->getMeshBufferCount(); b++) {
        scene::IMeshBuffer *buffer = mesh->getMeshBuffer(b);
        const bool is_rigid = !has_weights(joints, b);
        std::vector<float> points;
        for (u32 v = 0; v < buffer->getVertexCount(); v++) {
            core::vector3df p = buffer->getPosition(v);
            if (is_rigid) { // in the space of its joint
                ((scene::SSkinMeshBuffer *)buffer)->Transformation.transformVect(p);
            }
            points.insert(points.end(), {p.X, p.Y, p.Z});
        }
        rigproof_skin(answer, std::to_string(b).c_str(), points.data(), NULL, buffer->getVertexCount());
    }
    return true;
}

int main(int argc, char **argv)
{
    SIrrlichtCreationParameters parameters;
    parameters.DriverType = video::EDT_NULL;
    parameters.LoggingLevel = ELL_NONE;
    Model model = {createDeviceEx(parameters), NULL, 0};
    if (!model.device) {
        fputs("no null device\n", stderr);
        return 1;
    }
    struct rigproof_subject subject = rigproof_subject_named("Irrlicht");
    subject.version = IRRLICHT_SDK_VERSION;
    subject.storage = "columns";
    subject.axes[0] = "x"; // left-handed
    subject.axes[1] = "y";
    subject.axes[2] = "-z";
    subject.user = &model;
    subject.load = load;
    subject.pose = pose;
    return rigproof_subject_main(argc, argv, &subject);
}
