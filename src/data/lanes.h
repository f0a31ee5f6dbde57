#ifndef RIGPROOF_DATA_LANES_H
#define RIGPROOF_DATA_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Four floats at once, through the vector extension that gcc and clang share: SSE2 on x86-64, NEON on arm64, and on
 * both the same IEEE operations in the same order, hence the same bits. No fused operations, no reciprocal estimates.
 */
typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));

/* Elements i, j of `a` and k, l of `b`; k and l count from 4. */
#if defined(__clang__) || __GNUC__ >= 12
#define LANES_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector((a), (b), (i), (j), (k), (l))
#else
#define LANES_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle((a), (b), (i32x4){(i), (j), (k), (l)})
#endif

static inline f32x4 lanes_splat(float value)
{
    return (f32x4){value, value, value, value};
}

/* Any address: no alignment is asked for. */
static inline f32x4 lanes_load(const void *from)
{
    f32x4 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void lanes_store(void *to, f32x4 lanes)
{
    memcpy(to, &lanes, sizeof lanes);
}

/* Where the mask is all ones `a`, where it is zero `b`. Comparisons of lanes make such masks. */
static inline f32x4 lanes_select(i32x4 mask, f32x4 a, f32x4 b)
{
    return (f32x4)(((i32x4)a & mask) | ((i32x4)b & ~mask));
}

static inline f32x4 lanes_abs(f32x4 lanes)
{
    return (f32x4)((i32x4)lanes & (i32x4){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

static inline f32x4 lanes_max(f32x4 a, f32x4 b)
{
    return lanes_select(a > b, a, b);
}

static inline f32x4 lanes_sqrt(f32x4 lanes)
{
    f32x4 root;
    for (int i = 0; i < 4; i++)
        root[i] = sqrtf(lanes[i]);
    return root;
}

/* Turns four rows into four columns. */
static inline void lanes_transpose(f32x4 rows[4])
{
    f32x4 a = LANES_SHUFFLE(rows[0], rows[1], 0, 4, 1, 5);
    f32x4 b = LANES_SHUFFLE(rows[2], rows[3], 0, 4, 1, 5);
    f32x4 c = LANES_SHUFFLE(rows[0], rows[1], 2, 6, 3, 7);
    f32x4 d = LANES_SHUFFLE(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = LANES_SHUFFLE(a, b, 0, 1, 4, 5);
    rows[1] = LANES_SHUFFLE(a, b, 2, 3, 6, 7);
    rows[2] = LANES_SHUFFLE(c, d, 0, 1, 4, 5);
    rows[3] = LANES_SHUFFLE(c, d, 2, 3, 6, 7);
}

/* out = a b, the operations of affine_mul() in its order. `out` may be `a` or `b`. */
static inline void lanes_affine_mul(const float (*a)[4], const float (*b)[4], float (*out)[4])
{
    f32x4 a0 = lanes_load(a[0]), a1 = lanes_load(a[1]), a2 = lanes_load(a[2]), a3 = lanes_load(a[3]);
    f32x4 product[4];
    for (int j = 0; j < 4; j++)
        product[j] = a0 * b[j][0] + a1 * b[j][1] + a2 * b[j][2];
    product[3] += a3;
    for (int j = 0; j < 4; j++)
        lanes_store(out[j], product[j]);
}

#endif
