#pragma once

#include "base/error.h"
#include "generate/random.h"
#include "generate/rules.h"

/* Says which rigs are written, and where. */
struct generate_options {
    /* "GLOB,GLOB" on the names of rules; of random rigs what they may mix is that of the rules' groups, and nothing
     * with "none" */
    const char *const *rules;
    size_t rule_count;        /* 0: all */
    bool has_rules;    /* the rules' own rigs are written */
    uint32_t count;    /* of random rigs besides */
    uint64_t seed;
    enum rig_size size;
    bool is_binary;
    const char *folder; /* made when it is missing */
};

/* Returns whether the globs name a rule; the second is false with err set where one of them names none at all. */
bool generate_chooses(const struct generate_options *options, const struct rule *rule);
bool generate_check(const struct generate_options *options, struct error *err);

/*
 * Writes each rig as NAME.gltf (or .glb) with NAME.truth.json beside it, and suite.yaml, which checks them all on a
 * subject. Returns how many rigs there are; 0 with err set.
 */
uint32_t generate_write(const struct generate_options *options, struct error *err);
