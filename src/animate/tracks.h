#ifndef RIGPROOF_ANIMATE_TRACKS_H
#define RIGPROOF_ANIMATE_TRACKS_H

#include <stdbool.h>

#include "data/pose.h"
#include "data/scene.h"

/*
 * A clip made ready for sampling: clip + time -> local pose.
 *
 * Sampling allocates nothing and looks no name up. Components whose keys stand at the same times share one key search
 * and lie side by side in memory.
 */
struct tracks;

enum wrap {
    WRAP_LOOP,  /* outside [0, duration] the time wraps; inside it is sampled as it is, both ends included */
    WRAP_HOLD,  /* outside, the nearest end ("clamp") */
};

/* The time to sample at. duration 0 gives 0. */
double wrap_time(double time, double duration, enum wrap wrap);

/* Made in the arena; the clip and the scene must outlive it. */
struct tracks *tracks_create(const struct scene *scene, const struct clip *clip, struct arena *arena);

/*
 * Writes the local transforms of the nodes that the clip moves at `time` (seconds, already wrapped); other nodes of
 * the pose are left alone, so a pose that was reset once stays right while one clip plays. A component the channel
 * lacks comes from the node's rest transform. Before the first and after the last key the channel's extrapolation
 * holds. Not thread-safe per `tracks`: it remembers where the last search ended (a cursor, for time moving forward);
 * results never depend on it.
 */
void tracks_sample(struct tracks *tracks, double time, struct pose *pose);

#endif
