#include "compare/match/placement.h"

#include <math.h>
#include <string.h>

#include "compare/match/matrix_change.h"
#include "base/format_number.h"

static const double alike = 1e-4;

const struct box box_empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

struct box box_of(const vec3 min, const vec3 max)
{
    return (struct box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

void box_corner(const struct box *box, int which, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = which >> k & 1 ? box->max[k] : box->min[k];
}

void box_add(struct box *box, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = fmin(box->min[k], point[k]);
        box->max[k] = fmax(box->max[k], point[k]);
    }
}

double box_radius(const struct box *box)
{
    return box->min[0] <= box->max[0] ? 0.5 * vector_distance(box->min, box->max) : 0.0;
}

/* Row k of a turn: p'[k] = sign[k] * p[axis[k]]. */
struct axes {
    int axis[3];
    int sign[3];
};

/* No turn; quarter turns; half turns; thirds about the diagonals; half turns about the edges' middles. */
static const struct axes rotations[TURN_COUNT / 2] = {
    {{0, 1, 2}, {1, 1, 1}},   {{0, 2, 1}, {1, -1, 1}},   {{0, 2, 1}, {1, 1, -1}},  {{2, 1, 0}, {1, 1, -1}},
    {{2, 1, 0}, {-1, 1, 1}},  {{1, 0, 2}, {-1, 1, 1}},   {{1, 0, 2}, {1, -1, 1}},  {{0, 1, 2}, {1, -1, -1}},
    {{0, 1, 2}, {-1, 1, -1}}, {{0, 1, 2}, {-1, -1, 1}},  {{2, 0, 1}, {1, 1, 1}},   {{1, 2, 0}, {1, 1, 1}},
    {{2, 0, 1}, {1, -1, -1}}, {{2, 0, 1}, {-1, 1, -1}},  {{2, 0, 1}, {-1, -1, 1}}, {{1, 2, 0}, {1, -1, -1}},
    {{1, 2, 0}, {-1, 1, -1}}, {{1, 2, 0}, {-1, -1, 1}},  {{1, 0, 2}, {1, 1, -1}},  {{1, 0, 2}, {-1, -1, -1}},
    {{0, 2, 1}, {-1, 1, 1}},  {{0, 2, 1}, {-1, -1, -1}}, {{2, 1, 0}, {1, -1, 1}},  {{2, 1, 0}, {-1, -1, -1}},
};

/* A mirror is a turn after which x is negated: with the half turns before it, any axis. */
static void turn_point(int turn, const double point[3], double out[3])
{
    const struct axes *axes = &rotations[turn % (TURN_COUNT / 2)];
    for (int k = 0; k < 3; k++)
        out[k] = axes->sign[k] * point[axes->axis[k]];
    if (turn >= TURN_COUNT / 2)
        out[0] = -out[0];
}

void placement_apply(const struct placement *placement, const double point[3], double out[3])
{
    double turned[3];
    turn_point(placement->turn, point, turned);
    for (int k = 0; k < 3; k++)
        out[k] = placement->scale * turned[k] + placement->shift[k];
}

void placement_undo(const struct placement *placement, const double point[3], double out[3])
{
    const struct axes *axes = &rotations[placement->turn % (TURN_COUNT / 2)];
    double turned[3], result[3];
    for (int k = 0; k < 3; k++)
        turned[k] = (point[k] - placement->shift[k]) / placement->scale;
    if (placement->turn >= TURN_COUNT / 2)
        turned[0] = -turned[0];
    for (int k = 0; k < 3; k++)
        result[axes->axis[k]] = axes->sign[k] * turned[k];
    memcpy(out, result, sizeof result);
}

bool placement_of_boxes(const struct box *was, const struct box *now, int turn, struct placement *out)
{
    double before = box_radius(was), after = box_radius(now), center[3];
    struct box placed = box_empty;
    if (!(before > 0) || !(after > 0))
        return false;
    *out = (struct placement){.scale = after / before, .turn = turn};
    if (fabs(out->scale - 1.0) < alike)
        out->scale = 1.0;
    for (int k = 0; k < 3; k++)
        center[k] = 0.5 * (was->min[k] + was->max[k]);
    placement_apply(out, center, center);
    for (int k = 0; k < 3; k++) {
        out->shift[k] = 0.5 * (now->min[k] + now->max[k]) - center[k];
        if (fabs(out->shift[k]) < alike * after)
            out->shift[k] = 0.0;
    }
    for (int i = 0; i < 8; i++) {
        double corner[3];
        box_corner(was, i, corner);
        placement_apply(out, corner, corner);
        box_add(&placed, corner);
    }
    return fmax(vector_distance(placed.min, now->min), vector_distance(placed.max, now->max)) <= alike * after;
}

int placement_parts(const struct placement *placement)
{
    const double *shift = placement->shift;
    return (placement->scale != 1.0) + (placement->turn != 0) + (shift[0] != 0 || shift[1] != 0 || shift[2] != 0);
}

struct affine_d placement_rotation(int turn)
{
    struct affine_d out = affine_d_identity;
    for (int i = 0; i < 3; i++)
        turn_point(turn, affine_d_identity.column[i], out.column[i]);
    return out;
}

void placement_describe(const struct placement *placement, double unit_meters, struct text *out)
{
    struct text parts[3] = {{0}, {0}, {0}};
    const double *shift = placement->shift;
    size_t count = 0;
    if (placement->scale != 1.0)
        text_add(&parts[count++], format_ratio(placement->scale, 0.67, 1.5, "larger", "smaller").text);
    if (placement->turn != 0) {
        const struct affine_d turn = placement_rotation(placement->turn);
        text_add(&parts[count], placement->turn < TURN_COUNT / 2 ? "turned " : "");
        matrix_describe(&turn, 0.0, 0.0, &parts[count++]);
    }
    if (shift[0] != 0 || shift[1] != 0 || shift[2] != 0) {
        struct affine_d move = affine_d_identity;
        memcpy(move.column[3], shift, sizeof placement->shift);
        text_add(&parts[count], "moved by ");
        matrix_describe(&move, 0.0, unit_meters, &parts[count++]);
    }
    for (size_t i = 0; i < count; i++)
        text_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", text_string(&parts[i]));
    for (int i = 0; i < 3; i++)
        text_release(&parts[i]);
}
