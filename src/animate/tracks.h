#pragma once

#include "data/scene/pose.h"

/* A clip made ready for sampling: clip + time -> local pose, without an allocation or a look at a name. */
struct tracks;

enum wrap {
    WRAP_LOOP, /* outside [0, duration] the time wraps; inside it is sampled as it is, both ends included */
    WRAP_HOLD, /* outside, the nearest end ("clamp") */
};

/* The time to sample at; duration 0 gives 0. A time outside [0, duration] by at most a millionth of it, or half a
 * microsecond where that is more, is the nearest end, which durations that were printed or rounded to floats still
 * mean. */
double wrap_time(double time, double duration, enum wrap wrap);

/*
 * Made in the arena; the clip and the scene must outlive it. Rotations are normalised and, where they are interpolated
 * linearly, each turned to the side of its predecessor (q and -q are one rotation). When two channels move one node the
 * last counts; channels without any key, or whose node is NO_INDEX, move nothing.
 */
struct tracks *tracks_create(const struct scene *scene, const struct clip *clip, struct arena *arena);

/*
 * Writes the local transforms of the nodes that the clip moves at `time` (seconds, already wrapped), and the morph
 * weights of the instances on the nodes that its morph channels move; the rest of the pose is left alone, so a pose
 * that was reset once stays right while one clip plays.
 * - Step: the value of key i holds on [time i, time i+1), where a key counts from a float's rounding (2^-23 of the
 *   time)
 *   earlier: the key that a file of floats has for frame 1 at 24 a second is the key of 1.0 / 24.
 * - Linear: vectors and weights lerp; rotations slerp along the shortest arc and are normalised. At a key its value is
 *   exact.
 * - Cubic: glTF 2.0 appendix C; rotations as four numbers, no sign flipped, normalised after.
 * - Outside the keys: the channel's extrapolation. Linear goes on along the two outermost values, for rotations along
 *   their arc at constant speed; steps, and two keys at one time, hold. Repeat holds an empty range. Weights hold.
 * - Of several keys at one time the last holds from that time on.
 * - A component the channel lacks comes from the node's rest transform.
 * - Morph weights may be any number. Of a mesh with more targets than the channel the rest keep theirs.
 * - A time that is NaN samples the first keys.
 * The result depends on clip and time alone, bit for bit, whatever was sampled before; it is the same with every
 * compiler and on every machine. Not thread-safe per `tracks`: values are computed inside it.
 */
void tracks_sample(struct tracks *tracks, double time, struct pose *pose);
