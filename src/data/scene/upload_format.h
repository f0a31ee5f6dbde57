#pragma once

#include "base/error.h"
#include "data/scene/pose.h"

/*
 * Says how matrices and weights are uploaded to the vertex shader and what it does with them. None of it but the
 * skinning may be seen in a picture: matrices of any path, as mat4 or mat3x4, give equal pixels; trs and unorm8 stay
 * within limits stated where they are made (SIMILARITY_TOLERANCE, weights_to_bytes()). All zero is the default.
 */

enum palette_path {
    PALETTE_TBO,     /* buffer texture: all bindings of the scene, as many as GL_MAX_TEXTURE_BUFFER_SIZE holds */
    PALETTE_UNIFORM, /* a plain array of uniforms: one instance's bindings at a time */
    PALETTE_UBO,     /* a uniform block, bound to the range of one instance's bindings */
    PALETTE_SSBO,    /* a shader storage block: all bindings of the scene; needs GL 4.3 */
    PALETTE_PATH_COUNT,
};

/* A binding in vec4s. */
enum palette_format {
    PALETTE_MAT3X4, /* 3: the rows of its matrix */
    PALETTE_MAT4,   /* 4: the columns of its matrix, the last row 0 0 0 1 with them */
    PALETTE_TRS,    /* 2: unit quaternion x y z w; translation and uniform scale */
    PALETTE_FORMAT_COUNT,
};

enum weight_format {
    WEIGHTS_FLOAT,
    WEIGHTS_UNORM8, /* bytes that sum up to 255 (weights_to_bytes()) */
    WEIGHT_FORMAT_COUNT,
};

enum skinning {
    SKINNING_LINEAR,          /* palette/skin.h */
    SKINNING_DUAL_QUATERNION, /* palette/dual_quaternion.h */
    SKINNING_COUNT,
};

struct upload_format {
    enum palette_path path;
    enum palette_format format;
    enum weight_format weights;
    enum skinning skinning;
};

/* As options have them: "tbo", "mat3x4", "float", "linear". */
extern const char *const palette_path_names[PALETTE_PATH_COUNT];
extern const char *const palette_format_names[PALETTE_FORMAT_COUNT];
extern const char *const weight_format_names[WEIGHT_FORMAT_COUNT];
extern const char *const skinning_names[SKINNING_COUNT];

/* vec4s of a binding: 3, 4 or 2. */
uint32_t palette_format_rows(enum palette_format format);

/*
 * Weights, cut to 0..1, as bytes, k / 255 each. Those of a vertex sum up to 255 times the sum of its weights, rounded,
 * so that it is not drawn towards the origin. Each is the weight's floor; what is then missing goes, one each, to those
 * with the largest remainders, the first of equals (Hamilton's method).
 *
 * A byte is less than 1 / 255 off, and the n of a vertex together no more than n / 2 / 255: linear skinning moves a
 * vertex by no more than n / 4 / 255 times the distance of the two places farthest apart that its bones take it to.
 */
void weights_to_bytes(const struct influence *influences, uint32_t count, uint8_t *bytes);

/* The option for which every matrix of a palette must be a similarity ("--palette-format trs"), or NULL. */
const char *upload_format_needs_similarity(const struct upload_format *upload_format);

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

/* The similarity nearest to a matrix: scale is the root mean square of its columns' lengths. False when the matrix is
 * none; *why is then "is mirrored", "has a scale that is not uniform" or "has shear". */
bool similarity_from_affine(const mat4 matrix, struct similarity *out, const char **why);

/* False with err set (exit code 2) when a matrix of the palette is none; names mesh, bone and `what` needs it. */
bool palette_check_similar(const struct scene *scene, const struct palette *palette, const char *what,
                           struct error *err);
