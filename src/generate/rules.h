#pragma once

#include "generate/steps.h"

enum { MOST_STEPS = 14 };

/* A sentence that a player of glTF must obey, its place in the specification (glTF 2.0), and the smallest rig that
 * shows it. */
struct rule {
    const char *name; /* "skins-two-on-one-mesh": group, "-", what it is about */
    const char *sentence;
    const char *place;
    struct step steps[MOST_STEPS]; /* of an empty rig; times are set where the usual ones do not show it */
};

/* Rules of one group; the order of the groups is that of all rules. */
struct rule_group {
    const struct rule *rules;
    uint32_t count;
};
enum { RULE_GROUPS = 6 };
extern const struct rule_group rules_of_nodes, rules_of_skins, rules_of_attributes, rules_of_samplers,
    rules_of_channels, rules_of_morphs;

uint32_t rule_count(void);
const struct rule *rule_at(uint32_t index);

/* NULL: there is none of that name. */
const struct rule *rule_find(const char *name);

/* The rule that a mistake of that id (docs/causes.md) breaks; NULL: none speaks of it. */
const struct rule *rule_of_cause(const char *cause);

/* The settled rig of a rule, in the arena. */
void rule_describe(const struct rule *rule, struct arena *arena, struct rig *out);
