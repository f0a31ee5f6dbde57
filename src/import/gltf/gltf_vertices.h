#ifndef RIGPROOF_IMPORT_GLTF_VERTICES_H
#define RIGPROOF_IMPORT_GLTF_VERTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene/scene.h"
#include "import/gltf/gltf_file.h"

/*
 * The order of a mesh's vertices. Before 5.3.0 Assimp keeps the file's; from then on the vertices of an
 * indexed primitive come in the order in which the indices first name them, and unused ones are dropped.
 */

/*
 * The vertices below `vertex_count` in the order of their first use: order[vertex_count] is filled as far as
 * the returned number.
 */
uint32_t gltf_first_use(const uint32_t *indices, uint32_t index_count, uint32_t vertex_count,
                        uint32_t *order);

/*
 * For each vertex of the mesh the element of the primitive's accessors that it came from:
 * order[mesh->vertex_count]. The running Assimp's rule is tried first, then the other one; right is what
 * gives the mesh's number of vertices and, where they are stored as floats, its positions. The array is the
 * heap's, the caller frees it. NULL with err set when neither fits, or the primitive cannot be read.
 * *vertex_count: elements of the accessors.
 */
uint32_t *gltf_vertex_order(struct gltf_file *file, const json_t *primitive, const struct mesh *mesh,
                            uint32_t *vertex_count, struct error *err);

#endif
