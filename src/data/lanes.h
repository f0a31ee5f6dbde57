#pragma once

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

/* Returns `a` where the mask is all ones, `b` where it is zero. Comparisons of lanes make such masks. */
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

/* A matrix of the kind of affine.h, column by column. */
struct lanes_affine {
    f32x4 column[4];
};

static inline struct lanes_affine lanes_affine_load(const float (*matrix)[4])
{
    return (struct lanes_affine){
        {lanes_load(matrix[0]), lanes_load(matrix[1]), lanes_load(matrix[2]), lanes_load(matrix[3])}};
}

static inline void lanes_affine_store(struct lanes_affine matrix, float (*out)[4])
{
    for (int i = 0; i < 4; i++)
        lanes_store(out[i], matrix.column[i]);
}

/* a b, the operations of affine_mul() in its order. */
static inline struct lanes_affine lanes_affine_mul(struct lanes_affine a, struct lanes_affine b)
{
    struct lanes_affine product;
    for (int j = 0; j < 4; j++) {
        f32x4 x = LANES_SHUFFLE(b.column[j], b.column[j], 0, 0, 4, 4);
        f32x4 y = LANES_SHUFFLE(b.column[j], b.column[j], 1, 1, 5, 5);
        f32x4 z = LANES_SHUFFLE(b.column[j], b.column[j], 2, 2, 6, 6);
        product.column[j] = a.column[0] * x + a.column[1] * y + a.column[2] * z;
    }
    product.column[3] += a.column[3];
    return product;
}
