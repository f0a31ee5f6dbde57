#include "generate/rules.h"

#include <string.h>

const struct rule_group *const rule_groups[RULE_GROUPS] = {
    &rules_of_nodes, &rules_of_skins, &rules_of_attributes, &rules_of_samplers, &rules_of_channels, &rules_of_morphs};

uint32_t rule_count(void)
{
    uint32_t count = 0;
    for (int i = 0; i < RULE_GROUPS; i++)
        count += rule_groups[i]->count;
    return count;
}

const struct rule *rule_at(uint32_t index)
{
    int group = 0;
    while (index >= rule_groups[group]->count)
        index -= rule_groups[group++]->count;
    return &rule_groups[group]->rules[index];
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

static void set_member(void *owner, const struct step *step)
{
    const bool is = step->value;
    memcpy((char *)owner + step->offset, step->size == sizeof is ? (const void *)&is : &step->value, step->size);
}

static void add_skin(struct rig *rig, const struct step *step)
{
    struct rig_skin *skin = rig_add_skin(rig, 0, step->count);
    for (uint32_t i = 0; i < step->count; i++)
        skin->joints[i] = (uint32_t)step->values[i];
    rig_bind(rig, skin);
}

static void add_keys(struct rig *rig, const struct step *step)
{
    const struct rig_mesh *mesh = step->path == RIG_WEIGHTS ? &rig->meshes[rig->nodes[step->at].mesh] : NULL;
    rig_add_channel(rig, (uint32_t)rig->shown_clip, step->at, step->path, step->curve, step->count, step->times,
                    step->values, mesh ? mesh->target_count : 0);
}

static void apply(struct rig *rig, const struct step *s)
{
    struct rig_node *nodes = rig->nodes;
    const double *v = s->v;
    switch (s->what) {
    case STEP_NONE: break;
    case STEP_CALL: s->call(rig, s); break;
    case STEP_ARM: rig_add_arm(rig); break;
    case STEP_NODE: rig_add_node(rig, s->text, s->at, v[0], v[1], v[2]); break;
    case STEP_PLACE: memcpy(nodes[s->at].translation, v, sizeof nodes->translation); break;
    case STEP_TURN: rig_turn(rig, (uint32_t)s->at, v[0], v[1], v[2], v[3]); break;
    case STEP_SCALE: memcpy(nodes[s->at].scale, v, sizeof nodes->scale); break;
    case STEP_NAME: nodes[s->at].name = s->text; break;
    case STEP_SOLID: nodes[s->at].mesh = (int32_t)rig_add_solid(rig, s->text); break;
    case STEP_SKIN: add_skin(rig, s); break;
    case STEP_TUBE: rig_add_tube(rig, s->text, rig->skin_count - 1, RIG_NONE); break;
    case STEP_TARGETS: rig_add_targets(rig, 0, (uint32_t)s->at, s->value); break;
    case STEP_CLIP: rig->shown_clip = (int32_t)rig_add_clip(rig, s->text); break;
    case STEP_MOTION:
        rig_add_turn(rig, (uint32_t)rig->shown_clip, (uint32_t)s->at, v[0], v[1], v[2], v[3]); break;
    case STEP_KEYS: add_keys(rig, s); break;
    case STEP_TIMES: rig_set_times(rig, s->count, s->values); break;
    case STEP_OF_RIG: set_member(rig, s); break;
    case STEP_OF_NODE: set_member(&nodes[s->at], s); break;
    case STEP_OF_MESH: set_member(rig->meshes, s); break;
    case STEP_OF_SKIN: set_member(rig->skins, s); break;
    case STEP_OF_CHANNEL: set_member(&rig->channels[rig->channel_count - 1], s); break;
    }
}

void rule_describe(const struct rule *rule, struct arena *arena, struct rig *out)
{
    rig_begin(out, rule->name, arena);
    for (const struct step *step = rule->steps; step->what != STEP_NONE; step++)
        apply(out, step);
    rig_settle(out);
}
