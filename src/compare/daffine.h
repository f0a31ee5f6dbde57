#ifndef RIGPROOF_COMPARE_DAFFINE_H
#define RIGPROOF_COMPARE_DAFFINE_H

#include <stdbool.h>

#include "data/affine.h"

/*
 * Affine maps in double: M_a M_g^-1 of two float matrices must not add noise of its own to what is compared.
 * Columns as in mat4: three axes and the origin.
 */
struct daffine {
    double column[4][3];
};

extern const struct daffine daffine_identity;

struct daffine daffine_from(const mat4 matrix);
struct daffine daffine_from_transform(const struct transform *transform);

/* First b, then a. */
struct daffine daffine_mul(const struct daffine *a, const struct daffine *b);

/* False, and the identity, when the matrix is singular: flat to 1e-12 of its axes' lengths. */
bool daffine_inverse(const struct daffine *m, struct daffine *out);

void daffine_point(const struct daffine *m, const double point[3], double out[3]);

/* |m point - point'| for two maps. */
double daffine_gap(const struct daffine *a, const struct daffine *b, const double point[3]);

/* Length of axis i's image, and the largest of the three. */
double daffine_axis(const struct daffine *m, int i);
double daffine_scale(const struct daffine *m);

/* Whether both are the same: axes within `epsilon` of the larger's scale, origins within `length`. */
bool daffine_near(const struct daffine *a, const struct daffine *b, double epsilon, double length);

/*
 * The angle between two rotations once scale is removed (axes to unit length):
 * 2 asin(min(1, |R1 - R2|_F / (2 sqrt 2))), which is exact for small angles, unlike acos((trace - 1) / 2).
 * An axis without length counts as equal.
 */
double daffine_degrees(const struct daffine *a, const struct daffine *b);

/* The largest change of an axis' length from `was` to `now`, in percent, with its sign. An axis that had no length and
 * has one, or the other way, is 100. */
double daffine_scale_percent(const struct daffine *was, const struct daffine *now);

double vector_distance(const double a[3], const double b[3]);

#endif
