#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/vector.h"
#include "import/assimp/library.h"

/* The tree is walked with a stack of our own: hostile files nest deeper than the process's stack is high. */
struct visits {
    struct placed_node *items;
    size_t count;
};

static void push(struct visits *visits, const struct aiNode *node, int32_t parent)
{
    visits->items = memory_room(visits->items, visits->count, sizeof *visits->items);
    visits->items[visits->count++] = (struct placed_node){node, parent};
}

static int by_name(const void *a, const void *b)
{
    const struct named_node *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

size_t first_named(const struct conversion *c, const char *name)
{
    const struct named_node key = {name, 0};
    return lower_bound(&key, c->nodes_by_name, c->scene->node_count, sizeof key, by_name);
}

const struct named_node *nodes_named(const struct conversion *c, const char *name, size_t *count)
{
    const size_t first = first_named(c, name);
    size_t end = first;
    while (end < c->scene->node_count && strcmp(c->nodes_by_name[end].name, name) == 0)
        end++;
    *count = end - first;
    return c->nodes_by_name + first;
}

/*
 * Assimp takes the first node of that name in pre-order. Exporters like to call a mesh's node after the bone it hangs
 * on, so the repair "name-clash" takes the first one without a mesh.
 */
int32_t bind_node(struct conversion *c, const char *name)
{
    size_t count;
    const struct named_node *named = nodes_named(c, name, &count), *free_of_meshes = NULL;
    for (size_t i = 0; i < count && !free_of_meshes; i++)
        if (c->nodes[named[i].node]->mNumMeshes == 0)
            free_of_meshes = &named[i];
    if (count == 0)
        return NO_INDEX;
    if (!free_of_meshes || free_of_meshes == named || !(c->repairs & REPAIR_NAME_CLASH))
        return (int32_t)named->node;
    repaired(c, "name-clash",
             "%zu nodes are called \"%s\": bones and channels of that name are bound to node %u, which has no mesh, "
             "instead of node %u",
             count, name, free_of_meshes->node, named->node);
    return (int32_t)free_of_meshes->node;
}

/* Rigid meshes stand wherever a node refers to them; a skinned one stands once, for its bones place it. */
static bool convert_instances(struct conversion *c)
{
    struct scene *scene = c->scene;
    size_t references = 0;
    for (uint32_t n = 0; n < scene->node_count; n++)
        references += c->nodes[n]->mNumMeshes;
    scene->instances = ARENA_NEW(scene->arena, struct instance, references);
    c->mesh_node = ARENA_NEW(scene->arena, int32_t, c->source->mNumMeshes);
    for (uint32_t m = 0; m < c->source->mNumMeshes; m++)
        c->mesh_node[m] = NO_INDEX;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        for (uint32_t i = 0; i < c->nodes[n]->mNumMeshes; i++) {
            uint32_t mesh = c->nodes[n]->mMeshes[i];
            if (mesh >= c->source->mNumMeshes)
                return error_set(c->err, "node \"%s\" refers to mesh %u of %u", scene->nodes[n].name, mesh,
                                 c->source->mNumMeshes);
            bool again = c->mesh_node[mesh] != NO_INDEX;
            if (!again)
                c->mesh_node[mesh] = (int32_t)n;
            if (!again || c->source->mMeshes[mesh]->mNumBones == 0)
                scene->instances[scene->instance_count++] = (struct instance){.mesh = mesh, .node = n};
        }
    }
    return true;
}

bool convert_nodes(struct conversion *c)
{
    if (!c->source->mRootNode)
        return error_set(c->err, "the file has no nodes");
    struct visits todo = {0}, order = {0}; /* the tree in pre-order, each node with its parent's place in that order */
    struct scene *scene = c->scene;
    uint32_t moved = 0;
    push(&todo, c->source->mRootNode, NO_INDEX);
    while (todo.count > 0) {
        struct placed_node next = todo.items[--todo.count];
        int32_t own = (int32_t)order.count;
        push(&order, next.node, next.parent);
        for (unsigned i = next.node->mNumChildren; i > 0; i--)
            if (next.node->mChildren[i - 1])
                push(&todo, next.node->mChildren[i - 1], own);
    }
    free(todo.items);
    if (is_format(c, "mdl") && (c->repairs & REPAIR_MDL_PARENTS))
        moved = mdl_parents(order.items, (uint32_t)order.count);
    if (moved > 0)
        scene_note(scene, NOTE_REPAIR, "mdl-parents",
                   "%u bones hang on their parents, where Assimp %s lists them beside each other", moved,
                   scene->assimp_version);
    if (is_format(c, "fbx") && !(assimp_flags_effects(c->flags) & CHANGES_NODES))
        fbx_put_inherit_nodes(c, &order.items, &order.count);
    scene->node_count = (uint32_t)order.count;
    scene->nodes = ARENA_NEW(scene->arena, struct node, order.count);
    c->nodes = ARENA_NEW(scene->arena, const struct aiNode *, order.count);
    c->nodes_by_name = ARENA_NEW(scene->arena, struct named_node, order.count);
    for (uint32_t i = 0; i < scene->node_count && !error_is_set(c->err); i++) {
        const struct aiNode *source = order.items[i].node;
        struct node *node = &scene->nodes[i];
        c->nodes[i] = source;
        node->name = copy_string(c, &source->mName);
        node->parent = order.items[i].parent;
        copy_matrix(&source->mTransformation, node->local_to_parent);
        if (!affine_is_finite(node->local_to_parent))
            error_set(c->err, "node \"%s\": the transform is not finite", node->name);
        affine_to_transform(node->local_to_parent, &node->rest);
        c->nodes_by_name[i] = (struct named_node){node->name, i};
    }
    free(order.items);
    if (error_is_set(c->err))
        return false;
    sort_items(c->nodes_by_name, scene->node_count, sizeof *c->nodes_by_name, by_name);
    return convert_instances(c);
}

/* A unit vector, or the fallback when there is none. */
static void copy_direction(const struct aiVector3D *from, const vec3 fallback, vec3 to)
{
    bool is_finite = copy_vector(from, to);
    double length = vec3_length(to);
    bool good = is_finite && isfinite(length) && length > 0;
    for (int i = 0; i < 3; i++)
        to[i] = good ? (float)(to[i] / length) : fallback[i];
}

static bool convert_camera(struct conversion *c, struct scene_camera *camera, const struct aiCamera *source)
{
    static const vec3 forward = {0, 0, 1}, up = {0, 1, 0}; /* Assimp's own default */
    const float narrowest = 1e-3f, widest = 3.1f;
    const float aspect = source->mAspect > 0 && isfinite(source->mAspect) ? source->mAspect : 1.0f;
    const float width = source->mOrthographicWidth;
    camera->name = copy_string(c, &source->mName);
    camera->node = bind_node(c, camera->name);
    bool is_finite = copy_vector(&source->mPosition, camera->position);
    copy_direction(&source->mLookAt, forward, camera->forward);
    copy_direction(&source->mUp, up, camera->up);
    camera->near_plane = source->mClipPlaneNear;
    camera->far_plane = source->mClipPlaneFar;
    if (width > 0 && isfinite(width)) {
        camera->ortho_height = width / aspect;
    } else {
        /* glTF gives the vertical angle, which Assimp may hand over times the aspect ratio; others the horizontal
         * one. */
        bool multiplied = is_gltf(c) && library_gltf()->multiplies_angle;
        float angle = source->mHorizontalFOV;
        angle = multiplied ? angle / aspect : 2.0f * atanf(tanf(0.5f * angle) / aspect);
        camera->fov_y = isfinite(angle) && angle > narrowest ? fminf(angle, widest) : 0.7853982f;
    }
    return is_finite && isfinite(camera->near_plane) && isfinite(camera->far_plane) && isfinite(camera->ortho_height);
}

void convert_cameras(struct conversion *c)
{
    struct scene *scene = c->scene;
    scene->cameras = ARENA_NEW(scene->arena, struct scene_camera, c->source->mNumCameras);
    for (uint32_t i = 0; i < c->source->mNumCameras; i++) {
        struct scene_camera *camera = &scene->cameras[scene->camera_count];
        *camera = (struct scene_camera){.node = NO_INDEX};
        if (convert_camera(c, camera, c->source->mCameras[i]))
            scene->camera_count++;
        else
            scene_note(scene, NOTE_WARNING, "camera", "camera \"%s\" is left out: its numbers are not finite",
                       camera->name);
    }
}
