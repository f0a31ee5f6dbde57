#include "animate/timeline.h"

#include <math.h>

/* Never decreases with time, rounding included: that is all the search relies on. For times[0] <= time. */
static uint32_t bucket_of(const struct timeline *timeline, double time)
{
    double bucket = (time - timeline->times[0]) * timeline->buckets_per_second;
    return bucket < timeline->last_bucket ? (uint32_t)bucket : timeline->last_bucket;
}

struct timeline timeline_create(const double *times, uint32_t count, struct arena *arena)
{
    struct timeline timeline = {.times = times, .count = count, .last_bucket = count - 1};
    double rate = count / (times[count - 1] - times[0]);
    timeline.buckets_per_second = isfinite(rate) ? rate : 0.0;
    timeline.bucket_start = ARENA_NEW(arena, uint32_t, (size_t)count + 1);
    uint32_t key = 0;
    for (uint32_t bucket = 0; bucket < count; bucket++) {
        while (key < count && bucket_of(&timeline, times[key]) < bucket)
            key++;
        timeline.bucket_start[bucket] = key;
    }
    timeline.bucket_start[count] = count;
    return timeline;
}

uint32_t timeline_count_until(const struct timeline *timeline, double time)
{
    if (!(time >= timeline->times[0]))
        return 0;
    if (time >= timeline->times[timeline->count - 1])
        return timeline->count;
    uint32_t bucket = bucket_of(timeline, time);
    uint32_t low = timeline->bucket_start[bucket], high = timeline->bucket_start[bucket + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
