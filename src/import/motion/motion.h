#pragma once

#include "data/measure.h"
#include "data/scene/scene.h"

/* The motion that a file means between the keys that Assimp gives: curves, what they make of a value, and keys that
 * follow it. */

/* Times this near, in seconds, are the same. */
#define SAME_TIME 1e-9

/*
 * One number over time. Between two keys it is constant, a line or a Bezier segment, as the first of them says; before
 * the first key and after the last one it holds their values, unless bezier_extend() adds keys there. Times are
 * seconds, slopes per second.
 *
 * A Bezier segment from key a to key b has the control points
 *   (a.time, a.value), (a.time + a.out_weight d, a.value + a.out_weight d a.out_slope),
 *   (b.time - b.in_weight d, b.value - b.in_weight d b.in_slope), (b.time, b.value), d = b.time - a.time;
 * weights are from 0 to 1, and with both 1/3 time is linear in the parameter.
 */
enum bezier_kind { BEZIER_LINEAR, BEZIER_CUBIC, BEZIER_HOLD, BEZIER_HOLD_NEXT };

#define BEZIER_PLAIN (1.0 / 3.0)

struct bezier_key {
    double time, value;
    enum bezier_kind segment; /* after the key */
    double in_slope, in_weight, out_slope, out_weight;
    uint32_t flags; /* FBX' KeyAttrFlags, and KeyAttrDataFloat without its last number: what its slopes are made of */
    double data[3];
};

/* Says how a curve goes on before its first key, and after its last one: all keys again, each time from the value that
 * the last time ended with (ONWARD), or back and forth (MIRROR); or straight on as it ends there. */
enum bezier_beyond { BEYOND_HOLD, BEYOND_REPEAT, BEYOND_ONWARD, BEYOND_MIRROR, BEYOND_SLOPE };

struct bezier_curve {
    uint32_t count;
    struct bezier_key *keys; /* [count], times ascend */
    struct {
        enum bezier_beyond kind;
        double times; /* how often it is repeated; below 0 for ever */
    } beyond[2];      /* before and after the keys */
};

/* Adds keys, so that the curve goes on by them from `from` to `to`; keys is malloc'd anew. Returns whether it had to
 * and could: false too when that takes too many keys. */
bool bezier_extend(struct bezier_curve *curve, double from, double to);

/* The number of keys up to that time, which gives the segment: 0 is before the first key. */
uint32_t bezier_segment(const struct bezier_curve *curve, double time);

/* The value where all segments are lines, as Assimp has them. */
double bezier_on_lines(const struct bezier_curve *curve, double time);

/* Value and slope at `time` of the segment that holds `middle`: the same time, or one between it and the next key. */
void bezier_evaluate(const struct bezier_curve *curve, double middle, double time, double *value, double *slope);

/* Bits 1 << kind of the segments in which the value changes. */
unsigned bezier_shape(const struct bezier_curve *curve);

/* A component of a channel, or the weights of blend shapes. */
struct motion {
    unsigned width;   /* numbers of a value */
    bool is_rotation; /* quaternions */
    double tolerance; /* of each number */
    const void *context;
    /* Value and slope per second at `time`; `middle` as in bezier_evaluate(). */
    void (*evaluate)(const void *context, double middle, double time, double *value, double *slope);
};

/* The largest difference of two values; of rotations q and -q are the same. */
double value_difference(const double *a, const double *b, unsigned width, bool is_rotation);

/* Sorts times and keeps of those that are no more than `apart` behind another the first. Returns how many are left. */
uint32_t sort_times(double *times, size_t count, double apart);

enum { MOTION_WEIGHT = COMPONENT_COUNT, MOTION_KINDS };

/* Counts of what was done to a clip. */
struct follow_counts {
    uint32_t followed, added;   /* components of channels, keys */
    uint32_t unlike;            /* whose keys are not what the file's curves give */
    double worst[MOTION_KINDS]; /* how far off a number was, by component, then of weights; of rotations half an
                                   angle */
};

/*
 * Makes linear keys of Assimp's cubic ones, in the arena, that follow the motion, with as many added as it takes, where
 * lines are off by more than a few tolerances. The motion bends or jumps at keys and at the further knots only, which
 * are taken. Without an arena it is only found out how far off they are. Counted for `kind`, a component or
 * MOTION_WEIGHT; as unlike what would take too many keys, or is not a sensible number. A jump is two keys of one time,
 * 1e-9 s before or behind the knot, so that the value at that knot does not hang on a rounding error.
 */
void motion_follow(const struct motion *motion, const double *further_knots, uint32_t further_count, struct keys *keys,
                   struct arena *arena, struct follow_counts *counts, int kind);

/* Notes of that id. `fixed`: the keys follow, else it is a warning that they do not. What is unlike: "<its[0]> 3
 * <its[1]>". */
void follow_tell(const struct follow_counts *counts, struct scene *scene, const struct clip *clip, const char *id,
                 bool fixed, const char *const its[2]);
