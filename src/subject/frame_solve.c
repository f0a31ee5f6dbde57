/* Which constant matrices are between a subject's numbers and ours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/vector.h"
#include "subject/normalise.h"

const struct frame frame_identity = {.left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                     .right = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}};

/* A pair is explained to this, relative to the extent; a frame explains this share of them. */
static const double explained = 1e-4, share = 0.75;

/* The root mean square of the axes' lengths. */
static double linear_size(const struct affine_d *map)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += vec3d_dot(map->column[i], map->column[i]);
    return sqrt(sum / 3.0);
}

/* How far apart two maps are, by what they do to what is as large as their own space's extent. */
static double distance(const struct affine_d *a, const struct affine_d *b, double extent)
{
    double linear = 0.0;
    for (int i = 0; i < 3; i++)
        linear += pow(vector_distance(a->column[i], b->column[i]), 2);
    return sqrt(linear) / fmax(linear_size(b), 1e-30) * extent + vector_distance(a->column[3], b->column[3]);
}

struct pairs {
    const struct affine_d *theirs, *ours;
    uint32_t count;
    double extent;
};

static bool explains(const struct pairs *pairs, const struct frame *frame, uint32_t i)
{
    struct affine_d back, expected = affine_d_mul(&frame->left, &pairs->ours[i]);
    if (!affine_d_inverse(&frame->right, &back))
        return false;
    const double extent = pairs->extent * fmax(linear_size(&frame->left), 1e-30);
    expected = affine_d_mul(&expected, &back);
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
static bool left_of(const struct pairs *pairs, uint32_t i, const struct affine_d *right, struct affine_d *left)
{
    struct affine_d back;
    if (!affine_d_inverse(&pairs->ours[i], &back))
        return false;
    *left = affine_d_mul(&pairs->theirs[i], right);
    *left = affine_d_mul(left, &back);
    return linear_size(left) > 0.0;
}

/* The better one of both. */
static void try_pivot(const struct pairs *pairs, uint32_t pivot, const struct affine_d *right, struct frame *best,
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

/* The scale between where both put things, as seen from the pivot: the middle one of all; 0: nothing is elsewhere. */
static double find_scale(const struct pairs *pairs, uint32_t pivot)
{
    double *ratios = memory_new(pairs->count, sizeof *ratios), scale = 0.0;
    size_t count = 0;
    struct affine_d from_ours, from_theirs;
    const bool good =
        affine_d_inverse(&pairs->ours[pivot], &from_ours) && affine_d_inverse(&pairs->theirs[pivot], &from_theirs);
    for (uint32_t i = 0; i < pairs->count && good; i++) {
        const struct affine_d a = affine_d_mul(&from_ours, &pairs->ours[i]),
                              b = affine_d_mul(&from_theirs, &pairs->theirs[i]);
        const double ours = vec3d_length(a.column[3]), theirs = vec3d_length(b.column[3]);
        if (ours * linear_size(&pairs->ours[pivot]) > 1e-4 * pairs->extent && theirs > 0.0)
            ratios[count++] = theirs / ours;
    }
    if (count > 0) {
        qsort(ratios, count, sizeof *ratios, compare_doubles);
        scale = ratios[count / 2];
    }
    free(ratios);
    return scale;
}

struct affine_d frame_axes(int which, double scale)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct affine_d out = {0};
    for (int r = 0; r < 3; r++)
        out.column[orders[which / 8][r]][r] = which >> r & 1 ? -scale : scale;
    return out;
}

double frame_round(double value)
{
    if (value == 0.0)
        return 0.0;
    const double unit = pow(10.0, floor(log10(fabs(value))) - 5.0);
    return round(value / unit) * unit;
}

/* The mean of what the pairs say, which is more than floats hold; and what is nearly axes and a unit is exactly that. */
static void refine(const struct pairs *pairs, struct frame *frame)
{
    struct affine_d sum = {0}, one;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (explains(pairs, frame, i) && left_of(pairs, i, &frame->right, &one)) {
            count++;
            for (int k = 0; k < 12; k++)
                sum.column[k / 3][k % 3] += one.column[k / 3][k % 3];
        }
    const double size = linear_size(&frame->left);
    bool is_axes = true;
    for (int k = 0; k < 12; k++) {
        double *value = &frame->left.column[k / 3][k % 3];
        *value = count > 0 ? sum.column[k / 3][k % 3] / count : *value;
        is_axes =
            is_axes && (k >= 9 ? fabs(*value) <= explained * size * pairs->extent
                               : fabs(*value) <= explained * size || fabs(fabs(*value) - size) <= explained * size);
    }
    for (int k = 0; k < 12 && is_axes; k++) {
        double *value = &frame->left.column[k / 3][k % 3];
        *value = k >= 9 || fabs(*value) <= explained * size ? 0.0 : copysign(frame_round(size), *value);
    }
}

static bool are_alike(const struct pairs *pairs)
{
    for (uint32_t i = 1; i < pairs->count; i++)
        if (distance(&pairs->ours[i], &pairs->ours[0], pairs->extent) > explained * pairs->extent)
            return false;
    return true;
}

void frame_solve(const struct affine_d *theirs, const struct affine_d *ours, uint32_t count, double extent,
                 const struct affine_d *root, const struct frame *hint, struct frame *frame)
{
    enum { PIVOTS = 8 };
    const struct pairs pairs = {theirs, ours, count, extent};
    struct frame best = frame_identity, of_root = frame_identity;
    const uint32_t step = count > PIVOTS ? count / PIVOTS : 1, needed = (uint32_t)ceil(share * count);
    uint32_t most = 0;
    if (frame->is_known || count < 2 || are_alike(&pairs))
        return;
    if (2 * count_explained(&pairs, &best) >= count) {
        *frame = best;
        frame->is_known = true;
        return;
    }
    of_root.is_root = root && affine_d_inverse(root, &of_root.left);
    if (hint && hint->is_solved && count_explained(&pairs, hint) >= needed) {
        *frame = *hint;
        return;
    }
    if (of_root.is_root && count_explained(&pairs, &of_root) >= needed) {
        of_root.is_known = of_root.is_solved = true;
        *frame = of_root;
        return;
    }
    for (uint32_t i = 0; i < count && most < needed; i += step)
        try_pivot(&pairs, i, &affine_d_identity, &best, &most);
    for (uint32_t i = 0; i < count && most < needed; i += step) {
        const double scale = frame_round(find_scale(&pairs, i));
        for (int which = 0; which < 48 && most < count && scale > 0;
             which++) { /* several may explain what hardly moves */
            const struct affine_d axes = frame_axes(which, scale);
            try_pivot(&pairs, i, &axes, &best, &most);
        }
    }
    if (most < needed)
        return;
    refine(&pairs, &best);
    best.is_known = best.is_solved = true;
    *frame = best;
}

bool frame_solve_bones(const struct affine_d *theirs, const struct affine_d *ours, uint32_t count, double extent,
                       struct frame *frame, struct affine_d *turns)
{
    struct affine_d *places = memory_new(2 * (size_t)count, sizeof *places), back;
    uint32_t rigid = 0;
    for (uint32_t i = 0; i < 2 * count; i++) {
        places[i] = affine_d_identity;
        memcpy(places[i].column[3], i < count ? theirs[i].column[3] : ours[i - count].column[3], sizeof back.column[3]);
    }
    frame_solve(places, places + count, count, extent, NULL, NULL, frame);
    free(places);
    for (uint32_t i = 0; i < count && frame->is_known; i++) {
        struct affine_d expected = affine_d_mul(&frame->left, &ours[i]);
        turns[i] = affine_d_identity;
        if (!affine_d_inverse(&frame->right, &back))
            continue;
        expected = affine_d_mul(&expected, &back);
        if (!affine_d_inverse(&expected, &back))
            continue;
        turns[i] = affine_d_mul(&back, &theirs[i]);
        bool is_turn =
            vec3d_length(turns[i].column[3]) * linear_size(&expected) <= explained * extent * linear_size(&frame->left);
        for (int k = 0; k < 3; k++)
            is_turn = is_turn && fabs(affine_d_axis(&turns[i], k) - 1) <= explained &&
                      fabs(vec3d_dot(turns[i].column[k], turns[i].column[(k + 1) % 3])) <= explained;
        if (is_turn)
            rigid++;
        else
            turns[i] = affine_d_identity;
    }
    return frame->is_known && rigid >= share * count;
}
