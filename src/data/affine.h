#pragma once

#include <stdbool.h>

#include <cglm/types.h>

/*
 * Affine maps as cglm's mat4: column-major, column vectors, p' = M p; the last row is always 0 0 0 1. A matrix is
 * named after what it maps: bone_to_scene takes a point in bone space to scene space.
 *
 * The products here are our own plain C instead of cglm's because theirs differ per instruction set (fused on arm64);
 * ours, built with -ffp-contract=off, give the same bits on every machine.
 */

/* Translation, unit quaternion (x, y, z, w) and scale: p' = T R S p. */
struct transform {
    vec3 translation;
    vec4 rotation;
    vec3 scale;
};

extern const mat4 mat4_identity;
extern const struct transform transform_identity;

/* out = a b: first b, then a. `out` may be `a` or `b`. */
void affine_mul(const mat4 a, const mat4 b, mat4 out);

/* The matrix of a transform. The rotation need not be normalised exactly; it is used as it is. */
void affine_from_transform(const struct transform *transform, mat4 out);

/* The unit quaternion of a rotation's columns, w >= 0 where it is above 1/2. */
void quaternion_from_columns(double c[3][3], double out[4]);

/*
 * Translation, rotation and scale of a matrix. A mirrored matrix gets the mirror in its x scale. Shear, which T R S
 * cannot hold, is lost: false then (more than 1e-4 relative), or when a scale is zero.
 */
bool affine_to_transform(const mat4 matrix, struct transform *out);

/* False, and out = identity, when the matrix is singular or not finite. */
bool affine_inverse(const mat4 matrix, mat4 out);

float affine_determinant(const mat4 matrix);

void affine_point(const mat4 matrix, const vec3 point, vec3 out);

bool affine_is_finite(const mat4 matrix);

/* Says whether no element differs from the identity's by more than epsilon. */
bool affine_is_identity(const mat4 matrix, float epsilon);

/* The 12 numbers of the upper three rows, row by row: the form of every file of ours. */
void affine_rows(const mat4 matrix, float out[static 12]);
void affine_from_rows(const float rows[static 12], mat4 out);
