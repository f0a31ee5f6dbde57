#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <cglm/types.h>

/* Vectors and quaternions (x, y, z, w) in double, which cglm does not have. `out` may be an argument. */

static inline double vec3d_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec3d_cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static inline double vec3d_length(const double v[3])
{
    return sqrt(vec3d_dot(v, v));
}

/* Takes floats, and computes in double. */
static inline double vec3_length(const vec3 v)
{
    return vec3d_length((const double[3]){v[0], v[1], v[2]});
}

static inline double vec3_distance(const vec3 a, const vec3 b)
{
    return vec3d_length((const double[3]){(double)a[0] - (double)b[0], (double)a[1] - (double)b[1],
                                          (double)a[2] - (double)b[2]});
}

static inline bool vec3_is_finite(const vec3 v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* First b, then a. */
static inline void quatd_mul(const double a[4], const double b[4], double out[4])
{
    const double q[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    };
    memcpy(out, q, sizeof q);
}

/* From a to b, which are unit quaternions, by the shorter arc. */
static inline void quatd_slerp(const double a[4], const double b[4], double share, double out[4])
{
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double angle = acos(fmin(fabs(dot), 1));
    double from = 1 - share, to = share;
    if (angle > 1e-6) {
        from = sin((1 - share) * angle) / sin(angle);
        to = sin(share * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++)
        out[i] = from * a[i] + (dot < 0 ? -to : to) * b[i];
}

/* One of length 0 points nowhere: it turns nothing, as in Assimp, glm and three.js. */
static inline void quatd_normalise(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (length == 0)
        q[3] = length = 1;
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}
