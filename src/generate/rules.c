#include "generate/rules.h"

#include <string.h>

static const struct rule_group *const groups[RULE_GROUPS] = {
    &rules_of_nodes, &rules_of_skins, &rules_of_attributes, &rules_of_samplers, &rules_of_channels, &rules_of_morphs};

uint32_t rule_count(void)
{
    uint32_t count = 0;
    for (int i = 0; i < RULE_GROUPS; i++)
        count += groups[i]->count;
    return count;
}

const struct rule *rule_at(uint32_t index)
{
    int group = 0;
    while (index >= groups[group]->count)
        index -= groups[group++]->count;
    return &groups[group]->rules[index];
}

const struct rule *rule_find(const char *name)
{
    for (uint32_t i = 0; i < rule_count(); i++)
        if (strcmp(rule_at(i)->name, name) == 0)
            return rule_at(i);
    return NULL;
}

void rule_describe(const struct rule *rule, struct arena *arena, struct rig *out)
{
    rig_begin(out, rule->name, arena);
    for (const struct step *step = rule->steps; step->apply; step++)
        step->apply(out, step);
    rig_settle(out);
}
