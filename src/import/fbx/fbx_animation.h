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

/* What three curves do to the translation, rotation or scale of a model, as a function of time. */
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

/* Value and slope per second of the struct fbx_motion at `time`; `middle` as in fbx_curve_evaluate(). */
void fbx_motion_evaluate(const void *motion, double middle, double time, double *value, double *slope);

#endif
