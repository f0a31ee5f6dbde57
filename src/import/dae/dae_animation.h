#pragma once

#include "data/scene/scene.h"
#include "import/dae/dae_file.h"
#include "import/motion/motion.h"

/* The meaning of COLLADA's <channel>s. */

/* A channel and what it means. Elements of the file. */
struct dae_move {
    uint32_t channel, sampler; /* 0: not in the file */
    uint32_t target;           /* a transform of a node, or a <source> of morph weights; else it is not played */
    uint32_t node;             /* the transform's; 0: none */
    struct slice member;       /* ".ANGLE", "(3)(0)", or empty: all numbers */
};

/*
 * The keys of a node's transform from the `count` moves of it. They follow the curves where `follows`, else they are
 * joined by lines; `counts` says what was done. False, with no keys: nothing could be read, or nothing moves.
 */
bool dae_channel_make(const struct dae_file *file, const struct dae_move *moves, size_t count, double start,
                      bool follows, struct arena *arena, struct channel *out, struct follow_counts *counts);
