#ifndef RIGPROOF_IMPORT_FBX_MOTION_H
#define RIGPROOF_IMPORT_FBX_MOTION_H

#include "data/scene.h"
#include "import/fbx_curve.h"

/*
 * What the curves of an AnimationStack do to the translation, rotation or scale of a model, as a function of time, and
 * its approximation by cubic keys.
 */
struct fbx_motion {
    enum component component;
    struct fbx_curve curves[3]; /* of x, y, z; without keys: `constants` */
    double constants[3];
    /*
     * Rotations: before * Euler * after, Euler angles in degrees, applied in the order `order` (FBX's number: 0 is XYZ, which
     * means Rz Ry Rx). Quaternions are x, y, z, w.
     */
    unsigned order;
    double before[4], after[4];
};

enum { FBX_ORDERS = 6 };

/* The quaternion of Euler angles in degrees. */
void fbx_euler(const double degrees[3], unsigned order, double q[4]);

/* From the Euler angles or the vector of the three curves to the motion's value (3 numbers, or a quaternion). */
void fbx_motion_value(const struct fbx_motion *motion, const double axes[3], double *value);

/* Value and slope per second of the motion at `time`, with each curve in the segment that it is in at `middle`. */
void fbx_motion_evaluate(const struct fbx_motion *motion, double middle, double time, double *value, double *slope);

/* Cubic keys: in-tangent, value, out-tangent, as in struct keys. Where the motion jumps, two keys have the same time. */
struct fbx_fit {
    uint32_t count, capacity;
    double *times;
    float *values;
};

/*
 * Keys at the `count` knots (ascending; the times of the curves' keys have to be among them), and between them as many as
 * it takes to follow the motion within `tolerance` (of a number; of a rotation half the radians). The arrays are the
 * caller's, to be freed. False when it would take too many keys, or a tangent is no sensible number.
 */
bool fbx_fit(const struct fbx_motion *motion, const double *knots, uint32_t count, double tolerance, struct fbx_fit *out);

#endif
