/* Which constant matrices are between a subject's numbers and ours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/vector.h"
#include "subject/resolving.h"

const struct frame frame_identity = {.left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                     .right = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}};

/* A pair is explained to this, relative to the extent; a frame explains this share of them. */
static const double explained = 1e-4, share = 0.75;

/* Axes of a bone's own are turned by more, in radians: less is a mistake's. */
static const double least_turn = 5e-3;

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

static bool explains(const struct frame_pairs *pairs, const struct frame *frame, uint32_t i)
{
    struct affine_d back, expected = affine_d_mul(&frame->left, &pairs->ours[i]);
    if (!affine_d_inverse(&frame->right, &back))
        return false;
    const double extent = pairs->extent * fmax(linear_size(&frame->left), 1e-30);
    expected = affine_d_mul(&expected, &back);
    return distance(&pairs->theirs[i], &expected, extent) <= explained * extent;
}

static uint32_t count_explained(const struct frame_pairs *pairs, const struct frame *frame)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        count += explains(pairs, frame, i);
    return count;
}

/* The left factor that one pair has with that right one. */
static bool left_of(const struct frame_pairs *pairs, uint32_t i, const struct affine_d *right, struct affine_d *left)
{
    struct affine_d back;
    if (!affine_d_inverse(&pairs->ours[i], &back))
        return false;
    *left = affine_d_mul(&pairs->theirs[i], right);
    *left = affine_d_mul(left, &back);
    return linear_size(left) > 0.0;
}

/* The better one of both. */
static void try_pivot(const struct frame_pairs *pairs, uint32_t pivot, const struct affine_d *right, struct frame *best,
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
static double find_scale(const struct frame_pairs *pairs, uint32_t pivot)
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

/* A unit that is a power of ten but for what a frame may leave is that, else it has six digits. */
static double round_unit(double size)
{
    const double power = size > 0 ? pow(10.0, round(log10(size))) : 0.0;
    return fabs(size - power) <= explained * power ? power : frame_round(size);
}

/* The mean of what the pairs say, which is more than floats hold; and what is nearly axes and a unit is exactly
 * that. */
static void refine(const struct frame_pairs *pairs, struct frame *frame)
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
        *value = k >= 9 || fabs(*value) <= explained * size ? 0.0 : copysign(round_unit(size), *value);
    }
}

static bool are_alike(const struct frame_pairs *pairs)
{
    for (uint32_t i = 1; i < pairs->count; i++)
        if (distance(&pairs->ours[i], &pairs->ours[0], pairs->extent) > explained * pairs->extent)
            return false;
    return true;
}

struct frame frame_converting(const struct frame *frame)
{
    const bool is_solved = !affine_d_near(&frame->right, &affine_d_identity, 0, 0);
    return (struct frame){true, is_solved, frame->right, frame->right, false};
}

struct affine_d frame_placing(const struct frame *frame)
{
    struct affine_d back;
    affine_d_inverse(&frame->right, &back);
    return affine_d_mul(&back, &frame->left);
}

bool frame_is_axes(const struct affine_d *map, double epsilon, double extent)
{
    const double size = linear_size(map);
    bool good = vec3d_length(map->column[3]) <= epsilon * size * extent;
    for (int k = 0; k < 9; k++) {
        const double value = fabs(map->column[k / 3][k % 3]) / size;
        good = good && (value <= epsilon || fabs(value - 1.0) <= epsilon);
    }
    return good;
}

/* Returns whether it has to be axes, but for a little: that is no place, it is noise or a mistake. */
static bool is_noise(const struct frame *frame, double extent)
{
    const struct affine_d place = frame_placing(frame);
    return frame_is_axes(&place, 2e-2, extent) && !frame_is_axes(&place, explained, extent);
}

bool frame_holds(const struct frame_pairs *seen, const struct frame *frame)
{
    return count_explained(seen, frame) >= share * seen->count;
}

bool frame_leaves_some(const struct frame_pairs *nodes, const struct frame *frame)
{
    const struct affine_d place = frame_placing(frame);
    bool leaves = false;
    for (uint32_t i = 0; i < nodes->count && frame->is_solved && !frame_is_axes(&place, 1e-3, nodes->extent); i++)
        leaves = leaves || (explains(nodes, &frame_identity, i) && !explains(nodes, frame, i));
    return leaves;
}

/* Tries all frames with these axes for one that explains more than `most`, which the best has so far. */
static void try_axes(const struct frame_pairs *pairs, int which, double scale, uint32_t step, struct frame *best,
                     uint32_t *most)
{
    const struct affine_d axes = frame_axes(which, scale);
    const struct frame converted = {.left = axes, .right = axes};
    const uint32_t count = count_explained(pairs, &converted);
    if (count > *most) {
        *most = count;
        *best = converted;
    }
    for (uint32_t i = 0; i < pairs->count && *most < pairs->count; i += step)
        try_pivot(pairs, i, &axes, best, most);
}

/* The best of all, and how many right factors do as well; two where nothing shows the unit. */
static uint32_t find_frame(const struct frame_pairs *pairs, struct frame *best, uint32_t *rivals)
{
    enum { PIVOTS = 4 };
    const uint32_t step = pairs->count > PIVOTS ? pairs->count / PIVOTS : 1;
    bool has_scale = false;
    uint32_t most = 0;
    *rivals = 1;
    for (uint32_t i = 0; i < pairs->count && most < pairs->count; i += step)
        try_pivot(pairs, i, &affine_d_identity, best, &most);
    for (uint32_t i = 0; i < pairs->count; i += step) {
        const double scale = round_unit(find_scale(pairs, i));
        has_scale = has_scale || scale > 0;
        for (int which = fabs(scale - 1) < 1e-6; which < 48 && scale > 0; which++) {
            struct frame own = frame_identity;
            uint32_t count = 0;
            try_axes(pairs, which, scale, step, &own, &count);
            *rivals = count > most ? 1 : *rivals + (count == most);
            *best = count > most ? own : *best;
            most = count > most ? count : most;
        }
        if (most >= share * pairs->count)
            break;
    }
    *rivals += !has_scale;
    return most;
}

void frame_solve(const struct frame_pairs *seen, const struct affine_d *root, const struct frame *hint,
                 struct frame *frame)
{
    struct frame best = frame_identity, of_root = frame_identity;
    uint32_t rivals;
    if (frame->is_known || seen->count < 2 || are_alike(seen))
        return;
    if (hint && hint->is_known && frame_holds(seen, hint)) {
        *frame = *hint;
        return;
    }
    *frame = frame_identity;
    const uint32_t same = count_explained(seen, frame), most = find_frame(seen, &best, &rivals);
    const bool is_same = 2 * same >= seen->count && (same >= most || most < seen->count);
    if (is_same || (most >= share * seen->count && is_noise(&best, seen->extent))) {
        frame->is_known = !is_same || same > most || rivals < 2;
        return;
    }
    if (most < share * seen->count)
        return;
    of_root.is_root = root && affine_d_inverse(root, &of_root.left);
    if (of_root.is_root && count_explained(seen, &of_root) == most)
        best = of_root;
    else
        refine(seen, &best);
    best.is_known = rivals < 2;
    best.is_solved = true;
    *frame = best;
}

void frame_solve_places(const struct frame_pairs *nodes, struct frame *frame)
{
    struct affine_d *places = memory_new(2 * (size_t)nodes->count, sizeof *places);
    const struct frame_pairs seen = {places, places + nodes->count, nodes->count, nodes->extent};
    for (uint32_t i = 0; i < 2 * nodes->count; i++) {
        places[i] = affine_d_identity;
        memcpy(places[i].column[3],
               i < nodes->count ? nodes->theirs[i].column[3] : nodes->ours[i - nodes->count].column[3],
               sizeof places->column[3]);
    }
    frame_solve(&seen, NULL, NULL, frame);
    free(places);
}

bool frame_turn(const struct frame *frame, const struct affine_d *theirs, const struct affine_d *ours, double extent,
                struct affine_d *turn)
{
    struct affine_d back, expected = affine_d_mul(&frame->left, ours), pair[] = {*theirs, *ours};
    const struct frame_pairs one = {pair, pair + 1, 1, extent};
    const double most = explained * extent * linear_size(&frame->left);
    *turn = affine_d_identity;
    if (explains(&one, frame, 0) || !affine_d_inverse(&frame->right, &back))
        return false;
    expected = affine_d_mul(&expected, &back);
    if (!affine_d_inverse(&expected, &back))
        return false;
    back = affine_d_mul(&back, theirs);
    bool is_turn = vec3d_length(back.column[3]) * linear_size(&expected) <= most &&
                   !affine_d_near(&back, &affine_d_identity, least_turn, extent);
    for (int k = 0; k < 3; k++)
        is_turn = is_turn && fabs(affine_d_axis(&back, k) - 1) <= explained &&
                  fabs(vec3d_dot(back.column[k], back.column[(k + 1) % 3])) <= explained;
    *turn = is_turn ? back : *turn;
    return is_turn;
}
