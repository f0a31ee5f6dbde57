#pragma once

#include "data/lanes.h"

/* Interpolation of four curves at once: a value of `width` numbers (3 or 4) is `width` lanes, one curve per lane. */

static inline void curve_copy(const f32x4 *from, uint32_t width, f32x4 *out)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = from[i];
}

/* from + u (to - from): `from` exactly at u = 0, and constant where both are equal. */
static inline void curve_lerp(const f32x4 *from, const f32x4 *to, f32x4 u, uint32_t width, f32x4 *out)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = from[i] + u * (to[i] - from[i]);
}

static inline f32x4 curve_dot(const f32x4 a[4], const f32x4 b[4])
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static inline void curve_normalise(f32x4 q[4])
{
    f32x4 scale = 1.0f / lanes_sqrt(curve_dot(q, q));
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* Polynomials are summed in pairs (Estrin's scheme): the chain of operations, which bounds the speed, is half of
 * Horner's. */

/* sin(x) / x as a function of x squared, for |x| <= pi/2: within 2e-8 (Chebyshev fit). */
static inline f32x4 curve_sinc(f32x4 y)
{
    f32x4 low = 8.333242137e-3f * y - 1.666666596e-1f;
    f32x4 high = 2.634756396e-6f * y - 1.982273955e-4f;
    f32x4 y2 = y * y;
    return 1.0f + (low * y + high * (y * y2));
}

/* The square of the angle whose cosine is 1 - z, for 0 <= z <= 1: within 1.2e-7 (Chebyshev fit of acos^2 / z). */
static inline f32x4 curve_angle_squared(f32x4 z)
{
    f32x4 z2 = z * z, z4 = z2 * z2;
    f32x4 a = 1.999999934f + 3.33341786e-1f * z;
    f32x4 b = 8.871448984e-2f + 2.991962007e-2f * z;
    f32x4 c = 5.153983499e-3f + 1.358920696e-2f * z;
    f32x4 d = 4.99284706e-3f * z - 8.310886019e-3f;
    return z * ((a + b * z2) + (c + d * z2) * z4);
}

/*
 * The shortest arc between unit quaternions whose dot product is not negative. With the angle a between them,
 *   slerp ~ sin((1 - u) a) from + sin(u a) to ~ (1 - u) sinc((1 - u) a) from + u sinc(u a) to,
 * and the common factor goes when the sum is normalised. Both functions are smooth in a squared, and a squared is
 * smooth in the cosine: no acos, no sin, no division by a small sine, no branch for small angles. An error of e in a
 * squared moves the weights by e / 6.
 */
static inline void curve_slerp(const f32x4 from[4], const f32x4 to[4], f32x4 u, f32x4 out[4])
{
    f32x4 angle_squared = curve_angle_squared(1.0f - curve_dot(from, to));
    f32x4 v = 1.0f - u;
    f32x4 from_weight = v * curve_sinc(v * v * angle_squared);
    f32x4 to_weight = u * curve_sinc(u * u * angle_squared);
    f32x4 q[4];
    for (int i = 0; i < 4; i++)
        q[i] = from_weight * from[i] + to_weight * to[i];
    curve_normalise(q);
    curve_copy(q, 4, out);
}

/*
 * glTF 2.0 appendix C. A key of a cubic curve is in-tangent, value, out-tangent, each of `width` lanes. The weights:
 * of the key before, its out-tangent, the key after, its in-tangent, those of tangents times the key interval.
 */
static inline void curve_hermite(const f32x4 *from, const f32x4 *to, const f32x4 weights[4], uint32_t width, f32x4 *out)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = (weights[0] * from[width + i] + weights[2] * to[width + i]) +
                 (weights[1] * from[2 * width + i] + weights[3] * to[i]);
    if (width == 4)
        curve_normalise(out);
}

/* Along the shortest arc through two rotations at constant angular speed, at u = 0 the first and at u = 1 the
 * second, any u: round and round if need be. One curve at a time and in double, for it is rare. */
void extrapolate_rotation(const float from[4], const float to[4], double u, float out[4]);
