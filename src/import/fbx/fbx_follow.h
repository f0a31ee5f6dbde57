#ifndef RIGPROOF_IMPORT_FBX_FOLLOW_H
#define RIGPROOF_IMPORT_FBX_FOLLOW_H

#include "import/convert.h"
#include "import/fbx/fbx_curve.h"
#include "import/fbx/fbx_fit.h"

/* Keys that Assimp made of curves, and the function of time that the curves mean. Times are seconds of the clip. */
struct fbx_follow {
    struct keys *keys; /* linear, times ascending */
    struct fbx_function function;
    const struct fbx_curve *const *curves; /* [curve_count] those with keys make the function */
    uint32_t curve_count;
    double duration;
    double tolerance; /* of each number */
};

/*
 * Lets the keys follow the curves, where lines between them are off by more than a few tolerances: they become cubic, stay
 * where they are in time, and as many are added as it takes. `error`: how far off a number was at most, 0 where nothing is
 * to be done; `added`: the number of keys added. With `write` false only these are found out. False when it cannot be done.
 */
bool fbx_follow(struct conversion *c, const struct fbx_follow *follow, bool write, double *error, uint32_t *added);

/* The largest difference; of rotations q and -q are the same. */
double fbx_difference(const double *a, const double *b, unsigned width, bool is_rotation);

#endif
