#pragma once

#include "base/text.h"
#include "data/affine_d.h"

/* A whole thing in other units, on other axes, moved: p' = scale * turn * p + shift; turns swap and negate axes. */
struct placement {
    double scale;
    int turn; /* 0..TURN_COUNT-1; 0 is none */
    double shift[3];
};

/* Rotations that take axes to axes (24), small angles first, then the same with a mirror. */
enum { TURN_COUNT = 48 };

struct box {
    double min[3];
    double max[3];
};

extern const struct box box_empty;
struct box box_of(const vec3 min, const vec3 max);
void box_corner(const struct box *box, int which, double out[3]); /* 0 ... 7 */
void box_add(struct box *box, const double point[3]);
/* Half the diagonal; 0 when empty. */
double box_radius(const struct box *box);

/* The placement with this turn that takes one box to the other, to 1e-4 of its size. False when none does. */
bool placement_of_boxes(const struct box *was, const struct box *now, int turn, struct placement *out);

void placement_apply(const struct placement *placement, const double point[3], double out[3]);
void placement_undo(const struct placement *placement, const double point[3], double out[3]);

/* A turn as a matrix. */
struct affine_d placement_rotation(int turn);

/* Returns how many of scale, turn and shift there are. */
int placement_parts(const struct placement *placement);

/* "100 times larger, turned 90.0° about x and moved by 3 cm along y". */
void placement_describe(const struct placement *placement, double unit_meters, struct text *out);
