#pragma once

#include "pipeline/pipeline.h"

/*
 * What moves by the keys of what plays, and at all chosen times is where it is at the first: a case at these times
 * never sees it move. Asked at every key and between each two. Less than 1e-4 is rounding of files; of a motion a
 * hundredth must be seen.
 */
struct unseen {
    size_t count;
    double time;      /* when the first of them is farthest from where it begins */
    struct text what; /* "rotation of `jaw`, `smile` of `face` and 3 more" */
};

/* Leaves the pipeline at the last of the times. False with err set where one cannot be posed. `out->what` is the
 * caller's. */
bool pipeline_unseen(struct pipeline *pipeline, const double *times, size_t count, struct unseen *out,
                     struct error *err);
