#ifndef RIGPROOF_IMPORT_FBX_MOTION_H
#define RIGPROOF_IMPORT_FBX_MOTION_H

#include "data/scene/scene.h"
#include "import/fbx/fbx_curve.h"

/*
 * What the curves of an AnimationStack do to the translation, rotation or scale of a model, as a function of time.
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

/* Value and slope per second of the motion at `time`; `middle` as in fbx_curve_evaluate(). */
void fbx_motion_evaluate(const struct fbx_motion *motion, double middle, double time, double *value, double *slope);

#endif
