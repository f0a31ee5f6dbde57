#pragma once

#include "pipeline/pipeline.h"

/*
 * Says how every node moves at each of a list of times, by differences between neighbouring times:
 *
 *     linear  (p[i+1] - p[i-1]) / (t[i+1] - t[i-1])
 *     angular (turn(q[i-1], q[i]) + turn(q[i], q[i+1])) / (t[i+1] - t[i-1])
 *
 * with p the translation and q the rotation, to the parent or to the scene, and turn(a, b) the axis times the angle,
 * in degrees, of the shorter rotation b a^-1 that leads from a to b, about the axes of the parent or the scene. At the
 * first and the last time the missing neighbour is the time itself. Exact for even motion; a node that turns by half a
 * turn or more from one time to the next seems to turn the other way, and where the clip begins anew it jumps.
 */
struct velocities {
    struct motion *local; /* [node_count] of the last step */
    struct motion *global;

    /* their own */
    struct pipeline *pipeline;
    const double *times;
    size_t count;
    struct transform *poses[6]; /* [node_count] each: local and global transforms of three times */
};

/* turn(a, b). Quaternions are x, y, z, w. */
void turn_between(const vec4 from, const vec4 to, double out[3]);

/* The two formulas, of the times i - 1, i and i + 1. */
void motion_between(const struct transform *from, const struct transform *at, const struct transform *to,
                    double seconds, double linear[3], double angular[3]);

/* For these times, at least two and ascending, which must outlive it; the rest is the pipeline's. NULL with err set. */
struct velocities *velocities_create(struct pipeline *pipeline, const double *times, size_t count, struct error *err);

/* Poses the pipeline at times[i] and measures. i goes up from 0 one by one. False with err set when a pose fails. */
bool velocities_step(struct velocities *velocities, size_t i, struct error *err);
