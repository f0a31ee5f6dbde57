#ifndef RIGPROOF_IMPORT_DAE_ANIMATION_H
#define RIGPROOF_IMPORT_DAE_ANIMATION_H

#include "data/scene/scene.h"
#include "import/dae/dae_file.h"
#include "import/motion/motion.h"

/* What COLLADA's <channel>s do. */

/* A channel and what it means. Elements of the file. */
struct dae_move {
    uint32_t channel, sampler; /* 0: not in the file */
    uint32_t target;           /* a transform of a node, or a <source> of morph weights; else it is not played */
    uint32_t node;             /* the transform's; 0: none */
    struct slice member;       /* ".ANGLE", "(3)(0)", or empty: all numbers */
};

/*
 * The curves of a sampler whose values have `width` numbers, from curves[0] on, to be freed by the caller in any case; the
 * file's time `start` becomes 0. False: it cannot be read. `*partly`: lines stand for segments that are something else.
 */
bool dae_sampler_read(const struct dae_file *file, uint32_t sampler, size_t width, double start,
                      struct bezier_curve *curves, bool *partly);

/* The times of all keys of `count` curves, ascending and each once; the caller frees them. */
double *dae_key_times(const struct bezier_curve *curves, size_t count, uint32_t *time_count);

/*
 * The keys of a node's transform from the `count` moves of it. They follow the curves where `follows`, else they are joined
 * by lines; `counts` says what was done. False, with no keys: nothing could be read, or nothing moves.
 */
bool dae_channel_make(const struct dae_file *file, const struct dae_move *moves, size_t count, double start,
                      bool follows, struct arena *arena, struct channel *out, struct follow_counts *counts);

#endif
