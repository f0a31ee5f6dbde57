/* Says which constant matrices are between a subject's numbers and ours. */
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

/* Returns how far apart two maps are, by what they do to what is as large as their own space's extent. */
static double distance(const struct affine_d *a, const struct affine_d *b, double extent)
{
    double linear = 0.0;
    for (int i = 0; i < 3; i++)
        linear += pow(vector_distance(a->column[i], b->column[i]), 2);
    return sqrt(linear) / fmax(linear_size(b), 1e-30) * extent + vector_distance(a->column[3], b->column[3]);
}

/* Applies a frame to a matrix of ours; false where it has no inverse. */
static bool apply(const struct frame *frame, const struct affine_d *ours, struct affine_d *out)
{
    struct affine_d back;
    if (!affine_d_inverse(&frame->right, &back))
        return false;
    *out = affine_d_mul(&frame->left, ours);
    *out = affine_d_mul(out, &back);
    return true;
}

static bool explains(const struct frame_pairs *pairs, const struct frame *frame, uint32_t i)
{
    struct affine_d expected;
    const double extent = pairs->extent * fmax(linear_size(&frame->left), 1e-30);
    return apply(frame, &pairs->ours[i], &expected) &&
           distance(&pairs->theirs[i], &expected, extent) <= explained * extent;
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
        sort_items(ratios, count, sizeof *ratios, compare_doubles);
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

double frame_unit(double size, double epsilon)
{
    if (!(size > 0))
        return 0;
    const double power = pow(10, round(log10(size))), digit = pow(10, floor(log10(size)) - 5);
    return fabs(size - power) <= epsilon * power ? power : round(size / digit) * digit;
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
    for (int k = 0; k < 12 && count > 0; k++)
        frame->left.column[k / 3][k % 3] = sum.column[k / 3][k % 3] / count;
    const bool is_axes = frame_is_axes(&frame->left, explained, pairs->extent);
    for (int k = 0; k < 12 && is_axes; k++) {
        double *value = &frame->left.column[k / 3][k % 3];
        *value = k >= 9 || fabs(*value) <= explained * size ? 0.0 : copysign(frame_unit(size, explained), *value);
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

/* The frame that explains most pairs of those that were tried. */
struct search {
    const struct frame_pairs *pairs;
    uint32_t step; /* from one pair to the next that is tried as a pivot */
    uint32_t most;
    struct frame best;
};

static void try_frame(struct search *search, const struct frame *frame)
{
    const uint32_t count = count_explained(search->pairs, frame);
    if (count > search->most) {
        search->most = count;
        search->best = *frame;
    }
}

/* Tries the left factors that some pairs have with that right one. */
static void try_right(struct search *search, const struct affine_d *right)
{
    struct frame tried = {.right = *right};
    for (uint32_t i = 0; i < search->pairs->count && search->most < search->pairs->count; i += search->step)
        if (left_of(search->pairs, i, right, &tried.left))
            try_frame(search, &tried);
}

/* The best of all, and how many right factors do as well; two where nothing shows the unit. */
static uint32_t find_frame(const struct frame_pairs *pairs, struct frame *best, uint32_t *rivals)
{
    enum { PIVOTS = 4 };
    struct search all = {pairs, pairs->count > PIVOTS ? pairs->count / PIVOTS : 1, 0, frame_identity};
    bool has_scale = false;
    *rivals = 1;
    try_right(&all, &affine_d_identity);
    for (uint32_t i = 0; i < pairs->count; i += all.step) {
        const double scale = frame_unit(find_scale(pairs, i), explained);
        has_scale = has_scale || scale > 0;
        for (int which = fabs(scale - 1) < 1e-6; which < 48 && scale > 0; which++) {
            const struct affine_d axes = frame_axes(which, scale);
            struct search own = {pairs, all.step, 0, frame_identity};
            try_frame(&own, &(struct frame){.left = axes, .right = axes});
            try_right(&own, &axes);
            *rivals = own.most > all.most ? 1 : *rivals + (own.most == all.most);
            all = own.most > all.most ? own : all;
        }
        if (all.most >= share * pairs->count)
            break;
    }
    *rivals += !has_scale;
    *best = all.best;
    return all.most;
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
    FREED struct affine_d *places = memory_new(2 * (size_t)nodes->count, sizeof *places);
    struct frame_pairs seen = {places, places + nodes->count, 0, nodes->extent};
    while (seen.count < nodes->count) {
        struct affine_d theirs = affine_d_identity, ours = affine_d_identity;
        memcpy(theirs.column[3], nodes->theirs[seen.count].column[3], sizeof theirs.column[3]);
        memcpy(ours.column[3], nodes->ours[seen.count].column[3], sizeof ours.column[3]);
        frame_pair(&seen, &theirs, &ours);
    }
    frame_solve(&seen, NULL, NULL, frame);
}

bool frame_turn(const struct frame *frame, const struct affine_d *theirs, const struct affine_d *ours, double extent,
                struct affine_d *turn)
{
    struct affine_d back, expected, pair[] = {*theirs, *ours};
    const struct frame_pairs one = {pair, pair + 1, 1, extent};
    const double most = explained * extent * linear_size(&frame->left);
    *turn = affine_d_identity;
    if (explains(&one, frame, 0) || !apply(frame, ours, &expected) || !affine_d_inverse(&expected, &back))
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
