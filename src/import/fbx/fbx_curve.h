#ifndef RIGPROOF_IMPORT_FBX_CURVE_H
#define RIGPROOF_IMPORT_FBX_CURVE_H

#include "import/fbx/fbx_file.h"

/*
 * A curve of an FBX file: one number over time. Between two keys it is constant, a line or a Bezier segment, as the first
 * of them says; before the first key and after the last one it holds their values. Times are seconds from the file's time
 * 0, slopes per second.
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

#endif
