/* Which constant matrices are between a subject's numbers and ours. */
#include <math.h>
#include <string.h>

#include "data/affine.h"
#include "subject/conventions.h"

/* A pair is explained to this, relative to the extent; a frame explains this share of them. */
static const double explained = 1e-4, share = 0.75;

const struct map map_identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

struct map map_from(const mat4 from)
{
    struct map out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out.m[r][c] = (double)from[c][r];
    return out;
}

void map_to(const struct map *from, mat4 to)
{
    memcpy(to, mat4_identity, sizeof(mat4));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            to[c][r] = (float)from->m[r][c];
}

struct map map_mul(const struct map *a, const struct map *b)
{
    struct map out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out.m[r][c] = a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] + a->m[r][2] * b->m[2][c] +
                          (c == 3 ? a->m[r][3] : 0.0);
    return out;
}

bool map_inverse(const struct map *from, struct map *out)
{
    const double(*m)[4] = from->m;
    double determinant = 0.0, largest = 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int a = (r + 1) % 3, b = (r + 2) % 3, d = (c + 1) % 3, e = (c + 2) % 3;
            out->m[c][r] = m[a][d] * m[b][e] - m[a][e] * m[b][d];
            largest = fmax(largest, fabs(m[r][c]));
        }
    for (int c = 0; c < 3; c++)
        determinant += m[0][c] * out->m[c][0];
    if (!(fabs(determinant) > 1e-15 * largest * largest * largest)) {
        *out = map_identity;
        return false;
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out->m[r][c] /= determinant;
        out->m[r][3] = -(out->m[r][0] * m[0][3] + out->m[r][1] * m[1][3] + out->m[r][2] * m[2][3]);
    }
    return true;
}

static double linear_size(const struct map *map)
{
    double sum = 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum += map->m[r][c] * map->m[r][c];
    return sqrt(sum / 3.0);
}

/* How far apart two maps are, by what they do to what is as large as their own space's extent. */
static double distance(const struct map *a, const struct map *b, double extent)
{
    double linear = 0.0, place = 0.0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            linear += (a->m[r][c] - b->m[r][c]) * (a->m[r][c] - b->m[r][c]);
        place += (a->m[r][3] - b->m[r][3]) * (a->m[r][3] - b->m[r][3]);
    }
    return sqrt(linear) / fmax(linear_size(b), 1e-30) * extent + sqrt(place);
}

struct pairs {
    const struct map *theirs, *ours;
    uint32_t count;
    double extent;
};

static bool explains(const struct pairs *pairs, const struct frame *frame, uint32_t i)
{
    struct map back, expected = map_mul(&frame->left, &pairs->ours[i]);
    if (!map_inverse(&frame->right, &back))
        return false;
    const double extent = pairs->extent * fmax(linear_size(&frame->left), 1e-30);
    expected = map_mul(&expected, &back);
    return distance(&pairs->theirs[i], &expected, extent) <= explained * extent;
}

static uint32_t count_explained(const struct pairs *pairs, const struct frame *frame)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        count += explains(pairs, frame, i);
    return count;
}

/* The left factor that one pair has with that right one. */
static bool left_of(const struct pairs *pairs, uint32_t i, const struct map *right, struct map *left)
{
    struct map back;
    if (!map_inverse(&pairs->ours[i], &back))
        return false;
    *left = map_mul(&pairs->theirs[i], right);
    *left = map_mul(left, &back);
    return linear_size(left) > 0.0;
}

/* The better one of both. */
static void try_pivot(const struct pairs *pairs, uint32_t pivot, const struct map *right, struct frame *best,
                      uint32_t *most)
{
    struct frame tried = {.right = *right};
    if (!left_of(pairs, pivot, right, &tried.left))
        return;
    uint32_t count = count_explained(pairs, &tried);
    if (count > *most) {
        *most = count;
        *best = tried;
    }
}

/* The scale between where both put things, as seen from the pivot; 0: nothing is elsewhere. */
static double find_scale(const struct pairs *pairs, uint32_t pivot)
{
    double ours = 0.0, theirs = 0.0;
    struct map from_ours, from_theirs;
    if (!map_inverse(&pairs->ours[pivot], &from_ours) || !map_inverse(&pairs->theirs[pivot], &from_theirs))
        return 0.0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct map a = map_mul(&from_ours, &pairs->ours[i]), b = map_mul(&from_theirs, &pairs->theirs[i]);
        for (int r = 0; r < 3; r++) {
            ours += a.m[r][3] * a.m[r][3];
            theirs += b.m[r][3] * b.m[r][3];
        }
    }
    return ours > 1e-12 * pairs->extent * pairs->extent ? sqrt(theirs / ours) : 0.0;
}

/* A signed permutation, of 48, times a scale. */
static struct map make_axes(int which, double scale)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct map out = {0};
    for (int r = 0; r < 3; r++)
        out.m[r][orders[which / 8][r]] = which >> r & 1 ? -scale : scale;
    return out;
}

static double round_digits(double value)
{
    if (value == 0.0)
        return 0.0;
    const double unit = pow(10.0, floor(log10(fabs(value))) - 5.0);
    return round(value / unit) * unit;
}

/* The mean of what the pairs say, which is more than floats hold; and what is nearly axes and a unit is exactly that. */
static void refine(const struct pairs *pairs, struct frame *frame)
{
    struct map sum = {0}, one;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (explains(pairs, frame, i) && left_of(pairs, i, &frame->right, &one)) {
            count++;
            for (int k = 0; k < 12; k++)
                sum.m[k / 4][k % 4] += one.m[k / 4][k % 4];
        }
    const double size = linear_size(&frame->left);
    bool is_axes = true;
    for (int k = 0; k < 12 && count > 0; k++)
        frame->left.m[k / 4][k % 4] = sum.m[k / 4][k % 4] / count;
    for (int k = 0; k < 12; k++) {
        const double value = fabs(frame->left.m[k / 4][k % 4]);
        is_axes = is_axes && (k % 4 == 3 ? value <= explained * size * pairs->extent
                                         : value <= explained * size || fabs(value - size) <= explained * size);
    }
    for (int k = 0; k < 12 && is_axes; k++) {
        double *value = &frame->left.m[k / 4][k % 4];
        *value = k % 4 == 3 || fabs(*value) <= explained * size ? 0.0 : copysign(round_digits(size), *value);
    }
}

static bool are_alike(const struct pairs *pairs)
{
    for (uint32_t i = 1; i < pairs->count; i++)
        if (distance(&pairs->ours[i], &pairs->ours[0], pairs->extent) > explained * pairs->extent)
            return false;
    return true;
}

void frame_solve(const struct map *theirs, const struct map *ours, uint32_t count, double extent,
                 const struct map *root, struct frame *frame)
{
    enum { PIVOTS = 8 };
    const struct pairs pairs = {theirs, ours, count, extent > 0 ? extent : 1.0};
    struct frame best = {.left = map_identity, .right = map_identity}, of_root = best;
    const uint32_t step = count > PIVOTS ? count / PIVOTS : 1;
    if (frame->is_known || count < 2 || are_alike(&pairs))
        return;
    uint32_t most = count_explained(&pairs, &best), needed = (uint32_t)ceil(share * count);
    if (2 * most >= count) {
        *frame = best;
        frame->is_known = true;
        return;
    }
    most = 0;
    if (root && map_inverse(root, &of_root.left) && count_explained(&pairs, &of_root) >= needed) {
        of_root.is_known = of_root.is_solved = of_root.is_root = true;
        *frame = of_root;
        return;
    }
    for (uint32_t i = 0; i < count && most < needed; i += step)
        try_pivot(&pairs, i, &map_identity, &best, &most);
    for (uint32_t i = 0; i < count && most < needed; i += step) {
        double scale = round_digits(find_scale(&pairs, i));
        for (int which = 0; which < 48 && most < needed && scale > 0; which++) {
            struct map axes = make_axes(which, scale);
            try_pivot(&pairs, i, &axes, &best, &most);
        }
    }
    if (most < needed)
        return;
    refine(&pairs, &best);
    best.is_known = best.is_solved = true;
    *frame = best;
}
