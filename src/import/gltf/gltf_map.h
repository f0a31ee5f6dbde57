#ifndef RIGPROOF_IMPORT_GLTF_MAP_H
#define RIGPROOF_IMPORT_GLTF_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include <assimp/scene.h>

#include "data/scene/scene.h"
#include "import/gltf/gltf_file.h"

/*
 * Which node and mesh of the scene is which one of the file. Assimp keeps neither index: it reads nodes and
 * meshes in the order in which something first refers to them. What it does keep is the shape of the node
 * tree, and on each node the primitives of its mesh in order; so the two trees are walked side by side.
 */

/* What a mesh of the scene was made from. */
struct gltf_mesh_use {
    int32_t mesh;      /* of the file; GLTF_NONE when no node uses it */
    int32_t primitive; /* of that mesh */
    int32_t skin; /* of the node whose skin Assimp used: the last in post-order; GLTF_NONE for a rigid mesh */
    uint32_t rank; /* that node's place in post-order */
};

struct gltf_map {
    uint32_t file_node_count;
    int32_t *scene_node; /* [file_node_count] the first scene node made from it, or NO_INDEX */
    int32_t *file_node;  /* [scene->node_count] GLTF_NONE for the root that Assimp adds above several */
    struct gltf_mesh_use *uses; /* [scene->mesh_count] */
};

/*
 * Makes the map; its memory is the heap's, gltf_map_release() in any case. False with err set when the trees
 * differ in shape or in a name: then nothing may be found by index.
 */
bool gltf_map_make(struct gltf_map *map, const struct gltf_file *file, const struct scene *scene,
                   const struct aiScene *source, struct error *err);

/* Frees what the struct holds. A zeroed struct is fine. */
void gltf_map_release(struct gltf_map *map);

enum { GLTF_NAME_MAX = 1024 };

/* The name Assimp gives a node of the file: its own, or "nodes[7]". Points into the file or the buffer. */
const char *gltf_node_name(const struct gltf_file *file, int32_t node, char buffer[static 32]);

/* Whether a name of the file is the one Assimp has: cut off at its length limit, bytes that are no UTF-8
 * being '?' here. */
bool gltf_names_agree(const char *in_file, const char *in_scene);

#endif
