#pragma once

#include "data/scene/scene.h"
#include "import/fbx/fbx_file.h"
#include "import/motion/motion.h"

/* The things that are animated: a component of a model's transform, or after these the weight of a blend shape. */
enum { FBX_WEIGHT = COMPONENT_COUNT, FBX_KINDS };

/* The names of these properties ("Lcl Translation"), and of what the curves of each are connected as ("d|X"). */
extern const char *const fbx_properties[FBX_KINDS], *const fbx_axes[FBX_KINDS];

/* A property of an object with its curves: of x, y and z, or the first one alone. Elements of the file; 0 is none. */
struct fbx_animated {
    struct slice name; /* of the model */
    int kind;
    uint32_t object;
    uint32_t curves[3];
    uint32_t node;  /* the AnimationCurveNode */
    uint32_t layer; /* of struct fbx_animation's, or FBX_RESTING: the base has a node for it, but no curves */
};

/* Says how a layer above the base is put on those below it, by its weight: added, in their place, or between both.
 * Turns are composed and scales multiplied unless it `adds` them axis by axis (BlendMode, RotationAccumulationMode,
 * ScaleAccumulationMode of the FBX SDK). */
struct fbx_layer {
    enum { FBX_ADDED, FBX_REPLACES, FBX_BLENDED } mode;
    bool adds_angles, adds_scales;
    double weight;         /* percent */
    uint32_t weight_curve; /* an element; 0: the weight is constant */
};

/* Layers that are read, and the curves that a component may have: three of the base, and four of each layer above. */
enum { FBX_LAYERS = 16, FBX_CURVES = 3 + 4 * (FBX_LAYERS - 1), FBX_RESTING = FBX_LAYERS };

struct fbx_animation {
    double start, stop;   /* seconds of the file's time: the stack's LocalStart and LocalStop */
    bool has_range;       /* false: both are 0, and Assimp takes all keys */
    uint32_t layer_count; /* the base, which is the first, and those above it that animate something */
    struct fbx_layer layers[FBX_LAYERS];
    uint32_t count;
    struct fbx_animated *list; /* components of models, by name, then by kind, then by layer */
    uint32_t shape_count;
    struct fbx_animated *shapes; /* DeformPercent of blend shape channels */
};

/* The first AnimationStack of that name behind the element `*after`, which becomes the one found. False: there is
 * none. */
bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out);
void fbx_animation_release(struct fbx_animation *animation);

/* The entry of a model and a component in a layer: NULL when it is not animated there, or when several models of that
 * name are. */
const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct slice name,
                                              enum component component, uint32_t layer);

/* FBX's unit of time: this many in a second. */
#define FBX_TICKS_PER_SECOND 46186158000.0

/* Reads the AnimationCurve `element`. The keys are the caller's, to be freed. False: broken, or no keys. */
bool fbx_curve_read(const struct fbx_file *file, uint32_t element, struct bezier_curve *curve);

/* Assimp loses a curve one of whose keys has a negative number as flags. In `data`, the file's bytes, the flags of such
 * curves get a name that it does not ask for, and fbx_curve_read() does. Returns how many. */
uint32_t fbx_curves_hide_flags(const struct fbx_file *file, unsigned char *data);

enum { FBX_ORDERS = 6 };

/*
 * Curves move a component of a model, or the weights of its blend shapes: each curve divided by `divisor` is a number
 * of the value; where it has no keys, the constant. With layers above the base each has four further curves: x, y, z
 * and its weight in percent, and `divisor` is 1. Of a rotation the three curves are Euler angles in degrees, applied in
 * the order `order` (FBX's number: 0 is XYZ, which means Rz Ry Rx), and the value is the quaternion (x, y, z, w) before
 * * Euler * after.
 */
struct fbx_motion {
    unsigned width; /* numbers of a value */
    uint32_t curve_count;
    struct bezier_curve *curves;
    const double *constants; /* [curve_count], divided already */
    double divisor;
    double tolerance; /* of each number of the value, for fbx_follow() */
    bool is_rotation, is_scale;
    unsigned order;
    double before[4], after[4];
    uint32_t layer_count;
    const struct fbx_layer *layers; /* [layer_count] */
};

/* The quaternion of Euler angles in degrees; or its derivative by the angle that turns as the `derived`-th, from 0
 * on. */
void fbx_euler(const double degrees[3], unsigned order, unsigned derived, double q[4]);
enum { FBX_NOT_DERIVED = 3 };

/* From the Euler angles, or from the numbers of the value, to the value. */
void fbx_motion_value(const struct fbx_motion *motion, const double *axes, double *value);

/* As struct motion has it, of a struct fbx_motion. */
void fbx_motion_evaluate(const void *motion, double middle, double time, double *value, double *slope);

/* motion_follow() for a component that FBX' curves move. Times are seconds of the clip, which lasts `duration`. */
void fbx_follow(const struct fbx_motion *motion, double duration, struct keys *keys, struct arena *arena,
                struct follow_counts *counts, int kind);
