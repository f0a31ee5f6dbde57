// Filament's gltfio as a subject of rigproof: glTF through its loader and animator, on the backend that draws nothing.
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

#include <filament/Engine.h>
#include <filament/TransformManager.h>
#include <gltfio/Animator.h>
#include <gltfio/AssetLoader.h>
#include <gltfio/FilamentAsset.h>
#include <gltfio/MaterialProvider.h>
#include <gltfio/ResourceLoader.h>
#include <utils/EntityManager.h>
#include <utils/NameComponentManager.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace filament;
using namespace gltfio;

struct Model {
    Engine *engine;
    MaterialProvider *materials;
    AssetLoader *loader;
    FilamentAsset *asset = nullptr;
    std::string played; // the clip whose targets are moved; "": none
};

static bool load(void *user, const char *path, struct rigproof_answer *answer)
{
    Model *model = (Model *)user;
    if (model->asset) {
        model->loader->destroyAsset(model->asset);
        model->asset = nullptr;
    }
    std::ifstream file(path, std::ios::binary);
    std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.size() < 12) {
        return rigproof_fail(answer, "an empty file");
    }
    bool binary = std::equal(bytes.begin(), bytes.begin() + 4, "glTF");
    model->asset = binary ? model->loader->createAssetFromBinary(bytes.data(), (uint32_t)bytes.size())
                          : model->loader->createAssetFromJson(bytes.data(), (uint32_t)bytes.size());
    if (!model->asset) {
        return rigproof_fail(answer, "gltfio cannot read this file");
    }
    ResourceConfiguration configuration = {};
    configuration.engine = model->engine;
    configuration.gltfPath = path;
    ResourceLoader resources(configuration);
    if (!resources.loadResources(model->asset)) {
        return rigproof_fail(answer, "gltfio cannot load what the file refers to");
    }
    model->played = "";
    return true;
}

static int choose(Animator *animator, const struct rigproof_request *request)
{
    int count = (int)animator->getAnimationCount(), named = -1, found = 0;
    for (int i = 0; i < count; i++) {
        if (std::string(animator->getAnimationName(i)) == request->clip) {
            named = i;
            found++;
        }
    }
    return found == 1 ? named : request->clip_index < count ? request->clip_index : -1;
}

// Nodes without a name are numbered as they come: children say by name whose they are.
static void tell(struct rigproof_answer *answer, Model *model, utils::Entity entity, const char *parent, int *count)
{
    TransformManager &transforms = model->engine->getTransformManager();
    TransformManager::Instance instance = transforms.getInstance(entity);
    const char *given = model->asset->getName(entity);
    const std::string name = given && *given ? given : "entity " + std::to_string(*count);
    ++*count;
    math::mat4f global = transforms.getWorldTransform(instance), local = transforms.getTransform(instance);
    rigproof_node(answer, name.c_str(), parent, NULL, NULL, NULL, &local[0][0], &global[0][0]);
    std::vector<utils::Entity> children(transforms.getChildCount(instance));
    transforms.getChildren(instance, children.data(), children.size());
    std::reverse(children.begin(), children.end()); // they are held last first
    for (utils::Entity child : children) {
        tell(answer, model, child, name.c_str(), count);
    }
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    Model *model = (Model *)user;
    // gltfio moves a clip's targets and never back what another clip has moved: each clip starts from the file's pose.
    std::string wanted = request->clip ? std::to_string(request->clip_index) + request->clip : "";
    if (!model->played.empty() && model->played != wanted && !load(user, request->model, answer)) {
        return false;
    }
    if (request->clip) {
        Animator *animator = model->asset->getAnimator();
        int index = choose(animator, request);
        if (index < 0) {
            return rigproof_fail(answer, "no clip %s", request->clip);
        }
        animator->applyAnimation((size_t)index, (float)request->time);
        animator->updateBoneMatrices();
        model->played = wanted;
    }
    int count = 0;
    tell(answer, model, model->asset->getRoot(), NULL, &count);
    return true;
}

int main(int argc, char **argv)
{
    Model model;
    int answers = dup(1); // the engine prints to stdout
    dup2(2, 1);
    model.engine = Engine::create(Engine::Backend::NOOP);
    model.materials = createUbershaderLoader(model.engine);
    model.loader = AssetLoader::create({model.engine, model.materials, new utils::NameComponentManager(utils::EntityManager::get())});
    struct rigproof_subject subject = rigproof_subject_named("Filament gltfio");
    subject.version = "1.9.25";
    subject.gives = RIGPROOF_NODES;
    subject.storage = "columns";
    subject.user = &model;
    subject.load = load;
    subject.pose = pose;
    fflush(stdout);
    dup2(answers, 1);
    close(answers);
    int code = rigproof_subject_main(argc, argv, &subject);
    fflush(stdout);
    _Exit(code); // the engine's threads do not survive the end of main
}
