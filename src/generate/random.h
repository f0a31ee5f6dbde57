#pragma once

#include "generate/rig.h"

enum rig_size { RIG_SMALL, RIG_MEDIUM, RIG_LARGE, RIG_SIZES };
extern const char *const rig_size_words[RIG_SIZES];

/* The features that a random rig may mix: bits of the groups of rules. Skins and plain clips are always there. */
enum rig_mix {
    RIG_MIX_NODES = 1 << 0,
    RIG_MIX_SKINS = 1 << 1,
    RIG_MIX_ATTRIBUTES = 1 << 2,
    RIG_MIX_SAMPLERS = 1 << 3,
    RIG_MIX_CHANNELS = 1 << 4,
    RIG_MIX_MORPHS = 1 << 5,
    RIG_MIX_ALL = (1 << 6) - 1,
};

/* The settled rig of a number of a seed, the same everywhere. */
void rig_random(const char *name, uint64_t seed, uint32_t number, enum rig_size size, unsigned mix, struct arena *arena,
                struct rig *out);
