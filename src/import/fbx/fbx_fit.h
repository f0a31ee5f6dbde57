#ifndef RIGPROOF_IMPORT_FBX_FIT_H
#define RIGPROOF_IMPORT_FBX_FIT_H

#include "import/convert.h"
#include "import/fbx/fbx_animation.h"

/* Any motion as cubic keys. */

/* `width` numbers as a function of time that is smooth between knots. */
struct fbx_function {
    unsigned width;
    bool is_rotation; /* the numbers are a unit quaternion */
    /* Value and slope per second at `time`, of the stretch between two knots that `middle` lies in; just at a knot when the
     * two are the same. */
    void (*evaluate)(const void *of, double middle, double time, double *value, double *slope);
    const void *of;
};

/*
 * In-tangent, value, out-tangent for each key, as in struct keys. Where the function jumps two keys have the same time,
 * FBX_FIT_JUMP seconds before or behind the knot, so that the value at the knot does not hang on a rounding error.
 */
#define FBX_FIT_JUMP 1e-9

struct fbx_fit {
    uint32_t count, capacity;
    double *times;
    float *values; /* [count * 3 * width] */
};

/*
 * Keys at the `count` > 0 knots, which ascend, and between them as many as it takes to follow the function within
 * `tolerance` in each number. The arrays are the caller's, to be freed in any case. False when it would take too many keys,
 * or a number is not a sensible one.
 */
bool fbx_fit(const struct fbx_function *function, const double *knots, uint32_t count, double tolerance,
             struct fbx_fit *out);

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
