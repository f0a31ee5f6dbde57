#ifndef RIGPROOF_ANIMATE_TRANSITION_H
#define RIGPROOF_ANIMATE_TRANSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A timeline of clips that fade into each other. Clip 0 is there from the beginning; transition k leads from clip k to
 * clip k + 1 between `start` and `end`, in seconds of the timeline:
 *
 *   clip 0 alone   | start  both, the second's weight grows linearly  end |   clip 1 alone
 *
 * A clip's own time begins at the start of the transition that brings it (clip 0's at 0). So the timeline lasts until the
 * last clip has been played once: with one transition that is start + its duration, which is both durations minus their
 * overlap, the time from `start` to the end of the first clip (a gap, where `start` is beyond that end).
 */
struct transition {
    double start; /* >= 0 */
    double end;   /* >= start; equal: a cut, the second from `start` on */
};

/* What is there at a time: clip `to` with `weight`, clip `from` with the rest. Weight 1: `to` alone. */
struct fade {
    uint32_t from;
    uint32_t to;
    double weight;
};

/* Whether each is in order, and begins not before the one before has ended. */
bool transition_check(const struct transition *transitions, uint32_t count, struct error *err);

/* At `start` all is still the first clip, at `end` all is the second: both exactly. */
struct fade transition_at(const struct transition *transitions, uint32_t count, double time);

/* When the last of the clips has been played once, but not before it is there alone. */
double transition_duration(const struct transition *transitions, uint32_t count, double last_duration);

#endif
