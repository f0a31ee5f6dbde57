// OpenSceneGraph as a subject of rigproof: COLLADA through its plugin, posed by osgAnimation's update callbacks.
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

#include <osg/Version>
#include <osgAnimation/BasicAnimationManager>
#include <osgAnimation/Bone>
#include <osgAnimation/BoneMapVisitor>
#include <osgAnimation/RigGeometry>
#include <osgAnimation/RigTransformSoftware>
#include <osgDB/ReadFile>
#include <osgUtil/UpdateVisitor>
#include <osg/Geode>
#include <osg/MatrixTransform>

#include <algorithm>
#include <string>
#include <vector>

struct Model {
    osg::ref_ptr<osg::Node> root;
    osg::ref_ptr<osgAnimation::BasicAnimationManager> manager;
    unsigned frame = 0;
};

// Everything below the root in its order, parents first.
struct Collect : osg::NodeVisitor {
    std::vector<osg::Transform *> transforms;
    std::vector<osg::Geometry *> geometries;
    osgAnimation::BasicAnimationManager *manager = nullptr;

    Collect() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
    void look(osg::Node &node)
    {
        for (osg::Callback *callback = node.getUpdateCallback(); callback; callback = callback->getNestedCallback()) {
            if (auto *found = dynamic_cast<osgAnimation::BasicAnimationManager *>(callback)) {
                manager = found;
            }
        }
    }
    void apply(osg::Node &node) override
    {
        look(node);
        traverse(node);
    }
    void apply(osg::Transform &node) override
    {
        look(node);
        transforms.push_back(&node);
        traverse(node);
    }
    void apply(osg::Geometry &geometry) override
    {
        geometries.push_back(&geometry);
    }
};

static bool load(void *user, const char *path, struct rigproof_answer *answer)
{
    Model *model = (Model *)user;
    *model = Model();
    model->root = osgDB::readNodeFile(path);
    if (!model->root) {
        return rigproof_fail(answer, "OpenSceneGraph cannot read this file");
    }
    Collect found;
    model->root->accept(found);
    model->manager = found.manager;
    return true;
}

static void put(float *to, const osg::Matrix &matrix) // its rows are columns of column vectors
{
    std::copy(matrix.ptr(), matrix.ptr() + 16, to);
}

static void update(Model *model, double time)
{
    osgUtil::UpdateVisitor visitor;
    osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
    stamp->setSimulationTime(time);
    stamp->setReferenceTime(time);
    stamp->setFrameNumber(++model->frame);
    visitor.setFrameStamp(stamp);
    visitor.setTraversalNumber(model->frame);
    model->root->accept(visitor);
}

static osgAnimation::Animation *choose(Model *model, const struct rigproof_request *request)
{
    if (!model->manager) {
        return nullptr;
    }
    const osgAnimation::AnimationList &all = model->manager->getAnimationList();
    for (const auto &one : all) {
        if (request->clip && one->getName() == request->clip) {
            return one.get();
        }
    }
    if (all.size() == 1) {
        return all[0].get();
    }
    return request->clip_index >= 0 && (size_t)request->clip_index < all.size() ? all[request->clip_index].get() : nullptr;
}

static bool play(Model *model, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    osgAnimation::Animation *clip = choose(model, request);
    if (!clip) {
        return rigproof_fail(answer, "no clip of that name");
    }
    model->manager->stopAll();
    clip->setPlayMode(osgAnimation::Animation::STAY);
    model->manager->playAnimation(clip);
    clip->setStartTime(0); // which the line above has set to the time of the last update
    update(model, request->time);
    return true;
}

static const char *parent_of(const osg::Node *node)
{
    while (node->getNumParents()) {
        node = node->getParent(0);
        if (dynamic_cast<const osg::Transform *>(node)) {
            return node->getName().c_str();
        }
    }
    return NULL;
}

static void tell_palette(struct rigproof_answer *answer, osgAnimation::RigGeometry *rig, const osg::Matrix &world)
{
    if (!rig->getInfluenceMap()) {
        return;
    }
    osg::Matrix toWorld = world;
    for (const auto &influence : *rig->getInfluenceMap()) {
        osgAnimation::BoneMapVisitor bones;
        if (!rig->getSkeleton()) {
            return;
        }
        rig->getSkeleton()->accept(bones);
        auto at = bones.getBoneMap().find(influence.first);
        if (at == bones.getBoneMap().end()) {
            continue;
        }
        float matrix[16];
        osg::Matrix skeleton = rig->getSkeleton()->getWorldMatrices().empty() ? osg::Matrix() : rig->getSkeleton()->getWorldMatrices()[0];
        put(matrix, at->second->getInvBindMatrixInSkeletonSpace() * at->second->getMatrixInSkeletonSpace() * skeleton);
        rigproof_palette(answer, rig->getName().c_str(), influence.first.c_str(), matrix);
    }
}

static void tell_skin(struct rigproof_answer *answer, osg::Geometry *geometry)
{
    auto *rig = dynamic_cast<osgAnimation::RigGeometry *>(geometry);
    osg::Matrix world = geometry->getWorldMatrices().empty() ? osg::Matrix() : geometry->getWorldMatrices()[0];
    if (rig) {
        tell_palette(answer, rig, world);
        rig->update();
    }
    auto *vertices = dynamic_cast<osg::Vec3Array *>(geometry->getVertexArray());
    if (!vertices) {
        return;
    }
    std::vector<float> points;
    for (const osg::Vec3 &v : *vertices) {
        osg::Vec3 p = v * world;
        points.insert(points.end(), {p.x(), p.y(), p.z()});
    }
    rigproof_skin(answer, geometry->getName().c_str(), points.data(), NULL, vertices->size());
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    Model *model = (Model *)user;
    if (!request->clip && model->frame && !load(user, request->model, answer)) { // back to the rest pose
        return false;
    }
    if (request->clip && !play(model, request, answer)) {
        return false;
    }
    if (!request->clip) {
        update(model, 0);
        if (model->manager) {
            model->manager->stopAll();
        }
    }
    Collect found;
    model->root->accept(found);
    for (osg::Transform *transform : found.transforms) {
        float global[16];
        osg::MatrixList worlds = transform->getWorldMatrices();
        if (worlds.empty()) {
            continue;
        }
        put(global, worlds[0]);
        rigproof_node(answer, transform->getName().c_str(), parent_of(transform), NULL, NULL, NULL, NULL, global);
    }
    for (osg::Geometry *geometry : found.geometries) {
        tell_skin(answer, geometry);
    }
    return true;
}

int main(int argc, char **argv)
{
    Model model;
    struct rigproof_subject subject = rigproof_subject_named("OpenSceneGraph");
    subject.version = osgGetVersion();
    subject.storage = "columns";
    subject.user = &model;
    subject.load = load;
    subject.pose = pose;
    int code = rigproof_subject_main(argc, argv, &subject);
    fflush(stdout);
    _Exit(code); // its singletons do not survive the end of main
}
