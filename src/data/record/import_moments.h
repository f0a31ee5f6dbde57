#ifndef RIGPROOF_DATA_IMPORT_MOMENTS_H
#define RIGPROOF_DATA_IMPORT_MOMENTS_H

#include "data/bounds.h"
#include "data/record/snapshot.h"

/* The moments of a mesh and of a picture, as data/record/snapshot.h describes them. Sums are made in double, in a fixed order. */

/* Fills positions, faces, normals, uvs and colors. `bounds` are the mesh's, not empty. */
void moments_of_mesh(const struct mesh *mesh, const struct bounds *bounds, struct mesh_snapshot *out);

/* Fills has_moments and moments; a texture that is missing has none. */
void moments_of_texture(const struct texture *texture, struct texture_snapshot *out);

#endif
