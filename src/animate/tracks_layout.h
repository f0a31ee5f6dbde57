#pragma once

#include "animate/tracks.h"
#include "data/lanes.h"

/*
 * Says how the keys of a clip lie in memory. tracks_create.c builds it, tracks.c samples it.
 *
 * - Four animated nodes make a quad. The values of a component of all quads are one array of lanes-of-four: x y z (w)
 *   of the first quad, x y z (w) of the next. What never changes (a component without keys, with one key or with equal
 *   keys) is put there once.
 * - Curves with the same key times, interpolation and extrapolation make a group: one search serves all of them. A
 *   group's keys are rows; all values of one time stand side by side, so a sample streams two neighbouring rows.
 * - A block computes one component of one quad, or of a run of quads that are all in one group: a baked clip is three
 *   blocks. Shared: its curves are in one group, stored as lanes. Mixed: each lane has its own group, stored as one
 *   vector per curve, and is turned on the way.
 */

enum { QUAD = 4 };

/*
 * The times of a list of keys, with an index: the range of times is cut into as many equal buckets as there are keys,
 * and each bucket knows the first key in it. A search looks at one bucket, by halves. It remembers nothing, so it costs
 * the same at random times and in playback.
 */
struct timeline {
    const double *times; /* [count] ascending, equal ones allowed; not owned */
    uint32_t count;      /* at least 1 */
    uint32_t last_bucket;
    double buckets_per_second;
    uint32_t *bucket_start; /* [last_bucket + 2] */
};

struct timeline timeline_create(const double *times, uint32_t count, struct arena *arena);

/* Returns how many keys stand at or before `time`: of several at one time all or none. 0 for NaN. */
uint32_t timeline_count_until(const struct timeline *timeline, double time);

enum span {
    SPAN_HOLD,    /* at a key, or held: the value is `from` */
    SPAN_BETWEEN, /* between `from` and `to` */
    SPAN_BEYOND,  /* on the line through `from` and `to`, outside them */
};

struct group {
    struct timeline timeline;
    enum interpolation interpolation;
    enum extrapolation before;
    enum extrapolation after;
    uint32_t stride; /* f32x4 per row */
    f32x4 *rows;     /* [timeline.count * stride] */

    /* Says where the time of the current sample stands. */
    enum span span;
    const f32x4 *from;
    const f32x4 *to;
    double beyond;    /* for SPAN_BEYOND: 0 at `from`, 1 at `to` */
    float weights[4]; /* linear: u first; cubic: as curve_hermite() has them */
};

struct lane {
    uint32_t group;
    uint32_t offset; /* f32x4 into the row */
};

struct block {
    uint32_t quad;
    uint32_t quad_count;     /* 1 unless shared and full; the quads' keys stand side by side */
    enum component component;
    uint32_t key_vectors;    /* values of a key: 3 of a cubic curve, in-tangent, value, out-tangent; else 1 */
    bool is_shared;
    bool is_full;            /* all four lanes active */
    i32x4 active;            /* mask of the lanes the block computes */
    struct lane lanes[QUAD]; /* inactive lanes repeat an active one; a shared block has one group and offset */
};

struct quad {
    uint32_t nodes[QUAD];
    uint32_t count;
};

struct tracks {
    const struct scene *scene; /* for the morph channels, few and sampled as they are in the clip */
    const struct clip *clip;
    uint32_t group_count;
    struct group *groups;
    uint32_t block_count;
    struct block *blocks;
    uint32_t quad_count;
    struct quad *quads;
    f32x4 *values[COMPONENT_COUNT]; /* [quad_count * component_width] */
};
