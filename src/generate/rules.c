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

/* The smallest rig in which the mistake shows. */
static const char *const broken_by[][2] = {
    {"offset-missing", "skins-rest-is-not-bind"}, {"offset-transposed", "skins-sheared-inverse-binds"},
    {"offset-inverted", "skins-scaled-inverse-binds"}, {"offset-of-other-bone", "skins-joint-order"},
    {"offset-first-of-scene", "skins-two-on-one-skeleton"}, {"offset-last-of-scene", "skins-two-on-one-skeleton"},
    {"rest-for-bind", "skins-rest-is-not-bind"}, {"bones-cut", "skins-300-joints"},
    {"joints-by-name", "nodes-same-names"}, {"channel-of-other-bone", "nodes-same-names"},
    {"weights-first-four", "attributes-five-influences"}, {"weights-small-dropped", "attributes-small-weights"},
    {"influence-dropped", "attributes-four-influences"}, {"byte-weights-not-divided", "attributes-weights-u8"},
    {"ids-as-floats", "attributes-joints-u16"}, {"time-from-first-key", "samplers-late-keys"},
    {"before-first-key", "samplers-late-keys"}, {"after-last-key", "samplers-after-last"},
    {"loop-rule", "samplers-at-end"}, {"other-clip", "samplers-second-clip"},
    {"step-as-linear", "samplers-step-rotation"}, {"linear-as-step", "samplers-linear-translation"},
    {"cubic-as-linear", "samplers-cubic-translation"}, {"cubic-as-step", "samplers-cubic-translation"},
    {"tangents-wrong", "samplers-cubic-uneven"}, {"nlerp", "samplers-slerp-90"},
    {"euler-interpolated", "samplers-slerp-90"}, {"matrix-interpolated", "samplers-slerp-90"},
    {"long-way", "samplers-slerp-negated"}, {"quaternion-not-normalised", "samplers-cubic-rotation"},
    {"missing-component-identity", "channels-only-rotation"}, {"missing-component-zero", "channels-only-rotation"},
    {"single-key-ignored", "samplers-one-key"}, {"tsr-order", "channels-all-three"}, {"scale-dropped", "nodes-trs"},
    {"translation-dropped", "nodes-trs"}, {"rotation-dropped", "nodes-trs"},
    {"scale-compensated", "nodes-uneven-scale"}, {"parent-order", "nodes-trs"},
    {"stale-parent", "nodes-children-first"}, {"mesh-node-extra", "skins-mesh-node"},
    {"only-animated-nodes", "channels-no-joint-between"}, {"index-shift", "skins-joint-order"},
    {"index-permuted", "skins-joint-order"}, {"not-skinned", "skins-rest-is-not-bind"},
    {"normal-by-position-matrix", "attributes-normals"}, {"normal-not-skinned", "attributes-normals-skinned"},
    {"morph-after-bones", "morphs-before-skin"}, {"morph-dropped", "morphs-positions"},
};

const struct rule *rule_of_cause(const char *cause)
{
    for (size_t i = 0; i < sizeof broken_by / sizeof broken_by[0]; i++)
        if (strcmp(broken_by[i][0], cause) == 0)
            return rule_find(broken_by[i][1]);
    return NULL;
}

void rule_describe(const struct rule *rule, struct arena *arena, struct rig *out)
{
    rig_begin(out, rule->name, arena);
    for (const struct step *step = rule->steps; step->apply; step++)
        step->apply(out, step);
    rig_settle(out);
}
