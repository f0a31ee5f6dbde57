#ifndef RIGPROOF_DATA_SIMILARITY_H
#define RIGPROOF_DATA_SIMILARITY_H

#include <stdbool.h>

#include <cglm/types.h>

#include "base/error.h"
#include "data/pose/pose.h"

/*
 * Rotation, translation and one scale for all directions: p' = scale R p + translation. What a palette of 8 floats a
 * binding can hold.
 */
struct similarity {
    vec4 rotation; /* unit quaternion x, y, z, w; w >= 0 */
    vec3 translation;
    float scale; /* 0 or above */
};

/* The largest part of the scale by which an element of the matrix may miss the similarity's: a point at distance d of
 * the mesh's origin moves by less than 3e-5 times scale times d, mostly far less. Importers' rounding is some 1e-7. */
#define SIMILARITY_TOLERANCE 1e-5

/* The similarity nearest to a matrix: scale is the root mean square of its columns' lengths. False when the matrix is none;
 * *why is then "is mirrored", "has a scale that is not uniform" or "has shear". */
bool similarity_from_affine(const mat4 matrix, struct similarity *out, const char **why);

/* False with err set (exit code 2) when a matrix of the palette is none; names mesh, bone and `what` needs it. */
bool palette_check_similar(const struct scene *scene, const struct palette *palette, const char *what,
                           struct error *err);

#endif
