#include "import/gltf/gltf_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gltf_node_name(const struct gltf_file *file, int32_t node, char buffer[static 32])
{
    const char *name = gltf_string(gltf_item(file, "nodes", node), "name", "");
    if (name[0])
        return name;
    snprintf(buffer, 32, "nodes[%d]", (int)node);
    return buffer;
}

bool gltf_names_agree(const char *in_file, const char *in_scene)
{
    for (size_t i = 0; i < GLTF_NAME_MAX - 1; i++) {
        bool replaced = in_file[i] == '?' && (unsigned char)in_scene[i] >= 0x80;
        if (in_file[i] != in_scene[i] && !replaced)
            return false;
        if (in_file[i] == '\0')
            return true;
    }
    return true;
}

/* ---- the two trees ----------------------------------------------------------------------------------------------- */

struct pair {
    const struct aiNode *node;
    int32_t file_node;
};

struct walk {
    struct gltf_map *map;
    const struct gltf_file *file;
    const struct scene *scene;
    const struct aiNode **nodes; /* [scene->node_count] in pre-order */
    struct pair *stack;          /* [scene->node_count] */
    uint32_t stack_count;
    uint32_t visited;
};

/* The children of both must pair up. An element that is no index is no child, as in Assimp. */
static bool push_children(struct walk *walk, const struct aiNode *node, const json_t *children)
{
    uint32_t next = node->mNumChildren;
    for (size_t i = json_array_size(children); i > 0; i--) {
        int32_t child = gltf_index_at(children, i - 1);
        if (child == GLTF_NONE)
            continue;
        if (next == 0 || walk->stack_count >= walk->scene->node_count || !node->mChildren[next - 1])
            return false;
        walk->stack[walk->stack_count++] = (struct pair){node->mChildren[--next], child};
    }
    return next == 0;
}

static bool visit(struct walk *walk, struct pair pair)
{
    char buffer[32];
    uint32_t own = walk->visited++;
    const json_t *json = gltf_item(walk->file, "nodes", pair.file_node);
    if (own >= walk->scene->node_count || !json)
        return false;
    if (!gltf_names_agree(gltf_node_name(walk->file, pair.file_node, buffer), pair.node->mName.data))
        return false;
    walk->nodes[own] = pair.node;
    walk->map->file_node[own] = pair.file_node;
    if (walk->map->scene_node[pair.file_node] == NO_INDEX)
        walk->map->scene_node[pair.file_node] = (int32_t)own;
    return push_children(walk, pair.node, json_object_get(json, "children"));
}

/* The scene Assimp reads: the default one, or the first. With one root that is Assimp's root; else one is
 * added. */
static bool walk_trees(struct walk *walk, const struct aiNode *root)
{
    int32_t index = gltf_index(walk->file->root, "scene");
    const json_t *roots =
        json_object_get(gltf_item(walk->file, "scenes", index == GLTF_NONE ? 0 : index), "nodes");
    uint32_t root_count = 0;
    int32_t only = GLTF_NONE;
    for (size_t i = 0; i < json_array_size(roots); i++)
        if (gltf_index_at(roots, i) != GLTF_NONE) {
            root_count++;
            only = gltf_index_at(roots, i);
        }
    if (root_count == 1) {
        walk->stack[walk->stack_count++] = (struct pair){root, only};
    } else {
        walk->nodes[walk->visited++] = root;
        if (!push_children(walk, root, roots))
            return false;
    }
    while (walk->stack_count > 0)
        if (!visit(walk, walk->stack[--walk->stack_count]))
            return false;
    return walk->visited == walk->scene->node_count;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* Each node's place in post-order: its place in pre-order, less the ancestors that come later, plus all below
 * it. */
static void rank_nodes(const struct scene *scene, uint32_t *ranks)
{
    uint32_t *below = calloc(scene->node_count, sizeof *below);
    uint32_t *depth = calloc(scene->node_count, sizeof *depth);
    for (uint32_t i = scene->node_count; below && i > 1; i--)
        below[scene->nodes[i - 1].parent] += below[i - 1] + 1;
    for (uint32_t i = 0; below && depth && i < scene->node_count; i++) {
        depth[i] = i == 0 ? 0 : depth[scene->nodes[i].parent] + 1;
        ranks[i] = i - depth[i] + below[i];
    }
    free(below);
    free(depth);
}

/* The node's mesh: Assimp made one mesh of each primitive. */
static void note_use(const struct walk *walk, uint32_t node, uint32_t rank)
{
    const struct aiNode *assimp = walk->nodes[node];
    const json_t *json = gltf_item(walk->file, "nodes", walk->map->file_node[node]);
    int32_t mesh = gltf_index(json, "mesh");
    int32_t skin = gltf_index(json, "skin");
    size_t primitives = json_array_size(json_object_get(gltf_item(walk->file, "meshes", mesh), "primitives"));
    if (mesh == GLTF_NONE || primitives != assimp->mNumMeshes)
        return;
    for (uint32_t p = 0; p < assimp->mNumMeshes; p++) {
        if (assimp->mMeshes[p] >= walk->scene->mesh_count)
            continue;
        struct gltf_mesh_use *use = &walk->map->uses[assimp->mMeshes[p]];
        use->mesh = mesh;
        use->primitive = (int32_t)p;
        if (gltf_item(walk->file, "skins", skin) && (use->skin == GLTF_NONE || rank > use->rank)) {
            use->skin = skin;
            use->rank = rank;
        }
    }
}

/* ---- the map ----------------------------------------------------------------------------------------------------- */

static bool allocate(struct gltf_map *map, struct walk *walk)
{
    uint32_t nodes = walk->scene->node_count;
    uint32_t meshes = walk->scene->mesh_count;
    map->file_node_count = (uint32_t)gltf_count(walk->file, "nodes");
    map->scene_node = calloc((size_t)map->file_node_count + 1, sizeof *map->scene_node);
    map->file_node = calloc((size_t)nodes + 1, sizeof *map->file_node);
    map->uses = calloc((size_t)meshes + 1, sizeof *map->uses);
    walk->nodes = calloc((size_t)nodes + 1, sizeof *walk->nodes);
    walk->stack = calloc((size_t)nodes + 1, sizeof *walk->stack);
    if (!map->scene_node || !map->file_node || !map->uses || !walk->nodes || !walk->stack)
        return false;
    for (uint32_t i = 0; i < map->file_node_count; i++)
        map->scene_node[i] = NO_INDEX;
    for (uint32_t i = 0; i < nodes; i++)
        map->file_node[i] = GLTF_NONE;
    for (uint32_t i = 0; i < meshes; i++)
        map->uses[i] = (struct gltf_mesh_use){.mesh = GLTF_NONE, .primitive = GLTF_NONE, .skin = GLTF_NONE};
    return true;
}

bool gltf_map_make(struct gltf_map *map, const struct gltf_file *file, const struct scene *scene,
                   const struct aiScene *source, struct error *err)
{
    *map = (struct gltf_map){0};
    if (!source->mRootNode || scene->node_count == 0)
        return error_set(err, "the scene has no nodes");
    struct walk walk = {.map = map, .file = file, .scene = scene};
    uint32_t *ranks = calloc(scene->node_count, sizeof *ranks);
    bool good = true;
    if (!allocate(map, &walk) || !ranks)
        good = error_set(err, "out of memory");
    else if (!walk_trees(&walk, source->mRootNode))
        good = error_set(err, "the nodes are not those of the file");
    if (good) {
        rank_nodes(scene, ranks);
        for (uint32_t i = 0; i < scene->node_count; i++)
            note_use(&walk, i, ranks[i]);
    }
    free(walk.nodes);
    free(walk.stack);
    free(ranks);
    if (!good)
        gltf_map_release(map);
    return good;
}

void gltf_map_release(struct gltf_map *map)
{
    free(map->scene_node);
    free(map->file_node);
    free(map->uses);
    *map = (struct gltf_map){0};
}
