#pragma once

#include <stdbool.h>

#include "data/affine.h"

/* Affine maps in double: M_a M_g^-1 of two float matrices must not add noise. Columns: three axes and the origin. */
struct affine_d {
    double column[4][3];
};

extern const struct affine_d affine_d_identity;

struct affine_d affine_d_from(const mat4 matrix);
struct affine_d affine_d_from_transform(const struct transform *transform);

void affine_d_to(const struct affine_d *m, mat4 out);

/* First b, then a. */
struct affine_d affine_d_mul(const struct affine_d *a, const struct affine_d *b);

/* False, and the identity, when the matrix is singular: flat to 1e-12 of its axes' lengths. */
bool affine_d_inverse(const struct affine_d *m, struct affine_d *out);

void affine_d_point(const struct affine_d *m, const double point[3], double out[3]);

/* |m point - point'| for two maps. */
double affine_d_gap(const struct affine_d *a, const struct affine_d *b, const double point[3]);

/* Length of axis i's image, and the largest of the three. */
double affine_d_axis(const struct affine_d *m, int i);
double affine_d_scale(const struct affine_d *m);

/* Says whether both are the same: axes within `epsilon` of the larger's scale, origins within `length`. */
bool affine_d_near(const struct affine_d *a, const struct affine_d *b, double epsilon, double length);

/*
 * The angle between two rotations once scale is removed (axes to unit length):
 * 2 asin(min(1, |R1 - R2|_F / (2 sqrt 2))), which is exact for small angles, unlike acos((trace - 1) / 2).
 * An axis without length counts as equal.
 */
double affine_d_degrees(const struct affine_d *a, const struct affine_d *b);

/* The largest change of an axis' length from `was` to `now`, in percent, with its sign. An axis that had no length and
 * has one, or the other way, is 100. */
double affine_d_scale_percent(const struct affine_d *was, const struct affine_d *now);

double vector_distance(const double a[3], const double b[3]);
double point_distance(const vec3 a, const vec3 b);

/* The angle between two directions, whatever their lengths: 2 asin(|a - b| / 2) of the unit vectors, exact for small
 * angles. 0 where one of them has no length. */
double vector_degrees(const vec3 a, const vec3 b);
