#ifndef RIGPROOF_SUITE_CROWD_H
#define RIGPROOF_SUITE_CROWD_H

#include "suite/pipeline.h"

/*
 * --crowd COLUMNSxROWS: that many instances of the model in one picture, on a grid on the ground, around where the model
 * stands. Instance k, from 0, column by column and then row by row away from the front, plays k * --crowd-phase seconds
 * later than the first; by default the clip's duration is spread over all. A cell is 1.2 times what `one` reaches along
 * its axis, or half of what it reaches along the other, or of its radius, where that is more; `one` are the bounds of all
 * instances at all times as if each stood where the model does.
 */

/* How many instances; 0: no crowd is asked for. */
uint32_t crowd_size(const struct settings *settings);

/* The time of an instance where the first has `time`. */
double crowd_time(const struct pipeline *pipeline, double time, uint32_t instance);

/* The bounds of all of them; without a crowd `one` again. */
struct bounds crowd_bounds(const struct pipeline *pipeline, const struct bounds *one);

/* What a picture at a time shows: the crowd, or without one its first member. Is not to be copied. */
struct posed_crowd {
    struct crowd crowd;
    struct crowd_member first;
    struct arena *arena; /* of the crowd's poses; NULL without one */
};

/* Poses all; the pipeline is left at `time`. Without a crowd it is `first`, whose pose and palette must live on. */
bool crowd_pose(struct posed_crowd *out, struct pipeline *pipeline, double time, const struct bounds *one,
                const struct crowd_member *first, struct error *err);
void crowd_release(struct posed_crowd *crowd);

/* Skins a member on the CPU into the pipeline's `skinned`, adds its bounds, and moves it to its place. */
void crowd_skin(struct pipeline *pipeline, const struct posed_crowd *crowd, uint32_t member, struct bounds *bounds);

#endif
