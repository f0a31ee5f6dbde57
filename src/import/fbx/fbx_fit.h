#ifndef RIGPROOF_IMPORT_FBX_FIT_H
#define RIGPROOF_IMPORT_FBX_FIT_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
