#include "generate/steps.h"

#include <string.h>

#define STEP(name) void name(struct rig *rig, __attribute__((unused)) const struct step *step)

STEP(apply_arm)
{
    rig_add_arm(rig);
}

STEP(apply_still_arm)
{
    rig_add_still_arm(rig);
}

STEP(apply_node)
{
    rig_add_node(rig, step->text, step->at, step->v[0], step->v[1], step->v[2]);
}

STEP(apply_place)
{
    memcpy(rig->nodes[step->at].translation, step->v, sizeof rig->nodes->translation);
}

STEP(apply_turn)
{
    rig_turn(rig, (uint32_t)step->at, step->v[0], step->v[1], step->v[2], step->v[3]);
}

STEP(apply_scale)
{
    rig_scale(rig, (uint32_t)step->at, step->v[0], step->v[1], step->v[2]);
}

STEP(apply_name)
{
    rig->nodes[step->at].name = step->text;
}

STEP(apply_solid)
{
    rig->nodes[step->at].mesh = (int32_t)rig_add_solid(rig, step->text);
}

STEP(apply_skin)
{
    struct rig_skin *skin = rig_add_skin(rig, 0, step->count);
    for (uint32_t i = 0; i < step->count; i++)
        skin->joints[i] = (uint32_t)step->values[i];
    rig_bind(rig, skin);
}

STEP(apply_tube)
{
    rig_add_tube(rig, step->text, rig->skin_count - 1, RIG_NONE);
}

STEP(apply_targets)
{
    rig_add_targets(rig, 0, (uint32_t)step->at, step->value);
}

STEP(apply_clip)
{
    rig->shown_clip = (int32_t)rig_add_clip(rig, step->text);
}

STEP(apply_motion)
{
    rig_add_turn(rig, (uint32_t)rig->shown_clip, (uint32_t)step->at, step->v[0], step->v[1], step->v[2], step->v[3]);
}

STEP(apply_keys)
{
    const struct rig_mesh *mesh = step->path == RIG_WEIGHTS ? &rig->meshes[rig->nodes[step->at].mesh] : NULL;
    rig_add_channel(rig, (uint32_t)rig->shown_clip, step->at, step->path, step->curve, step->count, step->times,
                    step->values, mesh ? mesh->target_count : 0);
}

STEP(apply_times)
{
    rig_set_times(rig, step->count, step->values);
}

static void set_member(void *owner, const struct step *step)
{
    const bool is = step->value;
    memcpy((char *)owner + step->offset, step->size == sizeof is ? (const void *)&is : &step->value, step->size);
}

STEP(apply_rig_member)
{
    set_member(rig, step);
}

STEP(apply_node_member)
{
    set_member(&rig->nodes[step->at], step);
}

STEP(apply_mesh_member)
{
    set_member(&rig->meshes[0], step);
}

STEP(apply_channel_member)
{
    set_member(&rig->channels[rig->channel_count - 1], step);
}
