#pragma once

#include "animate/tracks.h"
#include "base/error.h"

/*
 * Plays a clip mix, in this order: a clip, several blended, or several that fade into each other; masks; additive
 * layers; in place. Where a clip is NULL a pose stands still: `still`, or the rest pose where that is NULL too. Every
 * clip runs on a clock of its own and is wrapped by its own duration.
 */

struct mix_part {
    const struct clip *clip;
    double weight; /* of a blend: >= 0, relative to the sum; not looked at where transitions lead from part to part */
    const struct pose *still;
};

/*
 * A timeline of clips that fade into each other: transition k leads from clip k to clip k + 1 between `start` and
 * `end`, in seconds of the timeline; in between the second's weight grows linearly. A clip's own time begins at the
 * start of the transition that brings it (clip 0's at 0). The timeline lasts as long as all clips together but for
 * their overlaps, d1 + d2 - (end - start), wherever these lie; where the last fade does not end before that, until the
 * last clip has been played once. WRAP_LOOP takes it round as a whole.
 */
struct transition {
    double start; /* >= 0 */
    double end;   /* >= start; equal: a cut, the second from `start` on */
};

/* Returns whether each is in order, and begins only when the one before has ended. */
bool transition_check(const struct transition *transitions, uint32_t count, struct error *err);

struct mix_mask {
    uint32_t node;           /* it and all below it */
    const struct clip *clip;
    double offset;           /* the clip is at time + offset */
    const struct pose *still;
};

struct mix_layer {
    const struct clip *clip;
    double weight;
    bool is_to_pose;              /* the difference is to `reference` instead of the clip's first frame (its time 0) */
    const struct pose *reference; /* NULL: the rest pose */
    const struct pose *still;
};

struct clip_mix {
    uint32_t part_count; /* at least 1 */
    const struct mix_part *parts;
    uint32_t transition_count;            /* 0, or part_count - 1: transition k leads from part k to part k + 1 */
    const struct transition *transitions; /* checked */
    uint32_t mask_count;
    const struct mix_mask *masks; /* no node twice */
    uint32_t layer_count;
    const struct mix_layer *layers;
    enum wrap wrap;
    double rate; /* not 0: the mix's time is seconds * rate; a negative one plays back from the duration */
    bool is_in_place;
    int up_axis; /* for in place */
};

struct player;

/* Made in the arena; the scene, its clips and the mix's arrays must outlive it. Each clip's keys are laid out once. */
struct player *player_create(const struct scene *scene, const struct clip_mix *clip_mix, struct arena *arena);

/* The local parts of `pose`, which was made by pose_create() and holds nothing but what this player put there, at
 * `seconds`. Allocates nothing; depends on mix and time alone, bit for bit. */
void player_sample(struct player *player, double seconds, struct pose *pose);

/*
 * Seconds until the mix has been played once: the clip's duration, the longest of a blend's, the end of a timeline;
 * where that is 0 the longest clip of masks and layers. Divided by the rate's magnitude.
 */
double player_duration(const struct player *player);

/* A clip of the mix, and when it plays: times of the mix, before the rate. */
struct player_clip_instance {
    const struct clip *clip; /* never NULL */
    double begins;           /* where the clip's own time 0 is */
    double from;
    double to;
};

/* False when there are no more; poses that stand still are left out. */
bool player_clip_instance(const struct player *player, uint32_t index, struct player_clip_instance *out);

/* When the mix's time is that. */
double player_seconds(const struct player *player, double mix_time);
