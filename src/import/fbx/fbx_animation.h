#ifndef RIGPROOF_IMPORT_FBX_ANIMATION_H
#define RIGPROOF_IMPORT_FBX_ANIMATION_H

#include "data/scene/scene.h"
#include "import/fbx/fbx_file.h"

/* ---- what an AnimationStack animates ----------------------------------------------------------------------------- */

/*
 * A property of an object with its curves: of x, y and z, or the first one alone for a blend shape's DeformPercent. Elements
 * are indices into fbx_file.elements, 0 is none.
 */
struct fbx_animated {
    struct fbx_text name; /* of the model */
    enum component component;
    uint32_t object;
    uint32_t curves[3];
    uint32_t node; /* the AnimationCurveNode */
};

struct fbx_animation {
    double start, stop;   /* seconds of the file's time: the stack's LocalStart and LocalStop */
    bool has_range;       /* false: both are 0, and Assimp takes all keys */
    uint32_t layer_count; /* those that animate something; the lists are of the first of them */
    uint32_t count;
    struct fbx_animated *list; /* Lcl Translation, Rotation, Scaling of models, by name, then by component */
    uint32_t shape_count;
    struct fbx_animated *shapes; /* DeformPercent of blend shape channels */
};

/*
 * The first AnimationStack of that name behind the element `*after`, which becomes the one that was found. The lists are
 * the caller's, to be given to fbx_animation_release(). False when there is none.
 */
bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out);
void fbx_animation_release(struct fbx_animation *animation);

/* The entry of a model and a component: NULL when it is not animated, or when several models of that name are. */
const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct fbx_text name,
                                              enum component component);

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/*
 * One number over time. Between two keys it is constant, a line or a Bezier segment, as the first of them says; before the
 * first key and after the last one it holds their values. Times are seconds from the file's time 0, slopes per second.
 *
 * A Bezier segment from key a to key b, with s from 0 to 1, has the control points
 *   (a.time, a.value), (a.time + a.out_weight d, a.value + a.out_weight d a.out_slope),
 *   (b.time - b.in_weight d, b.value - b.in_weight d b.in_slope), (b.time, b.value), d = b.time - a.time;
 * with both weights 1/3, as they are unless the file says otherwise, time is linear in s.
 */

enum fbx_segment { FBX_LINEAR, FBX_CUBIC, FBX_HOLD, FBX_HOLD_NEXT };

struct fbx_key {
    double time, value;
    enum fbx_segment segment; /* after the key */
    double in_slope, in_weight, out_slope, out_weight;
};

struct fbx_curve {
    uint32_t count;
    struct fbx_key *keys; /* [count], times ascend */
};

/* FBX's unit of time: this many in a second. */
#define FBX_TICKS_PER_SECOND 46186158000.0

/* Times this near, in seconds, are the same. */
#define FBX_SAME_TIME 1e-9

/* Reads the AnimationCurve `element`. The keys are the caller's, to be freed. False: broken, or no keys. */
bool fbx_curve_read(const struct fbx_file *file, uint32_t element, struct fbx_curve *curve);

/* The number of keys up to that time, which gives the segment: 0 is before the first key. */
uint32_t fbx_curve_segment(const struct fbx_curve *curve, double time);

/*
 * Value and slope at `time`, with the curve going on as in the segment that holds `middle`: the same time, or one between
 * `time` and the next key, to which the curve is asked to reach from one side.
 */
void fbx_curve_evaluate(const struct fbx_curve *curve, double middle, double time, double *value, double *slope);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

enum { FBX_ORDERS = 6 };

/*
 * What curves do to the translation, rotation or scale of a model, or to the weights of its blend shapes, as a function of
 * time: each curve divided by `divisor` is a number of the value; where it has no keys, the constant.
 *
 * Of a rotation (is_rotation) the three curves are Euler angles in degrees, applied in the order `order` (FBX's number: 0 is
 * XYZ, which means Rz Ry Rx), and the value is the quaternion (x, y, z, w) before * Euler * after.
 */
struct fbx_motion {
    unsigned width; /* numbers of a value */
    uint32_t curve_count;
    struct fbx_curve *curves;
    const double *constants; /* [curve_count], divided already */
    double divisor;
    bool is_rotation;
    unsigned order;
    double before[4], after[4];
};

/* The quaternion of Euler angles in degrees. */
void fbx_euler(const double degrees[3], unsigned order, double q[4]);

/* From the Euler angles, or from the numbers of the value, to the value. */
void fbx_motion_value(const struct fbx_motion *motion, const double *axes, double *value);

/* Value and slope per second at `time`; `middle` as in fbx_curve_evaluate(). */
void fbx_motion_evaluate(const struct fbx_motion *motion, double middle, double time, double *value, double *slope);

/* The largest difference of two values; of rotations q and -q are the same. */
double fbx_difference(const struct fbx_motion *motion, const double *a, const double *b);

/* ---- keys that follow a motion ----------------------------------------------------------------------------------- */

/* Keys that Assimp made of curves, and the motion that the curves mean. Times are seconds of the clip. */
struct fbx_follow {
    struct keys *keys; /* linear, times ascending */
    const struct fbx_motion *motion;
    double duration;
    double tolerance; /* of each number */
};

/*
 * Where the motion jumps two keys have the same time, FBX_JUMP seconds before or behind the curve's key, so that the value
 * at that key does not hang on a rounding error.
 */
#define FBX_JUMP 1e-9

/*
 * Lets the keys follow the curves, where lines between them are off by more than a few tolerances: they become cubic, in the
 * arena, stay where they are in time, and as many are added as it takes. `error`: how far off a number was at most, 0 where
 * nothing is to be done; `added`: the number of keys added. Without an arena only these are found out. False when it cannot be
 * done: it would take too many keys, or a number is not a sensible one.
 */
bool fbx_follow(const struct fbx_follow *follow, struct arena *arena, double *error, uint32_t *added);

#endif
