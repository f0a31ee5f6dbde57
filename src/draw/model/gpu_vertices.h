#ifndef RIGPROOF_DRAW_GPU_VERTICES_H
#define RIGPROOF_DRAW_GPU_VERTICES_H

#include "draw/renderer.h"

/* A mesh's vertices and influences in GL's memory, as skin.vert reads them. */

/* The form that the mesh's influences need. */
enum influence_form gpu_vertices_form(const struct mesh *mesh);

/*
 * Uploads vertices and influences, weights and bones as told, into the buffers that the mesh has; again where it was done
 * before. False when out of memory.
 */
bool gpu_vertices_upload(const struct gl *gl, struct gpu_mesh *mesh, enum weight_format weights, bool signed_bones);

/* Sets the attributes that the mesh has no array of. */
void gpu_vertices_set_constants(const struct gl *gl, const struct gpu_mesh *mesh);

#endif
