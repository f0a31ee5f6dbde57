#ifndef RIGPROOF_ANIMATE_TIMELINE_H
#define RIGPROOF_ANIMATE_TIMELINE_H

#include <stdint.h>

#include "base/arena.h"

/*
 * The times of a list of keys, with an index: the range of times is cut into as many equal buckets as there are keys,
 * and each bucket knows the first key in it. A search looks at one bucket: a key or two where keys are evenly spaced,
 * and a binary search inside the bucket where they are not. It remembers nothing, so it costs the same at random
 * times and in playback, and its result depends on the time alone.
 */
struct timeline {
    const double *times; /* [count] ascending, equal ones allowed; not owned */
    uint32_t count;      /* at least 1 */
    uint32_t last_bucket;
    double buckets_per_second;
    uint32_t *bucket_start; /* [last_bucket + 2] */
};

struct timeline timeline_create(const double *times, uint32_t count, struct arena *arena);

/*
 * Key times were floats in most files: a float lies up to 2^-24 of the time beside the one that was meant, and a time that
 * is itself rounded as much again. Steps are looked up this share of the time later.
 */
#define TIMELINE_SLACK 0x1p-23

/* How many keys stand at or before `time`: of several at one time all or none. 0 for NaN. */
uint32_t timeline_count_until(const struct timeline *timeline, double time);

#endif
