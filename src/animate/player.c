#include "animate/player.h"

#include <math.h>
#include <string.h>

#include "animate/additive.h"
#include "animate/blend.h"
#include "animate/in_place.h"
#include "animate/mask.h"
#include "animate/morphs.h"

/* One use of a clip, with the pose it makes. */
struct voice {
    const struct clip *clip; /* NULL: `pose` stands still */
    struct tracks *tracks;   /* shared by all voices of the clip */
    double begins;           /* of the plan's time: where the clip is at 0 */
    struct pose pose;
};

struct layer {
    struct voice *voice;
    double weight;
    struct pose reference;
};

struct player {
    const struct scene *scene;
    enum wrap wrap;
    double rate;
    double duration; /* of the plan, before the rate */
    bool is_plain;   /* one clip and nothing else */

    uint32_t voice_count; /* parts, masks, layers: in this order */
    struct voice *voices;
    uint32_t part_count;
    struct blend_input *inputs; /* [part_count] the parts' poses */
    uint32_t transition_count;
    struct transition *transitions;
    uint32_t mask_count;
    int32_t *mask_owners; /* [node_count] */
    uint32_t layer_count;
    struct layer *layers;
    struct in_place in_place;
};

/* ---- sampling ------------------------------------------------------------------------------------------------ */

static void sample_into(const struct player *player, const struct voice *voice, double time, struct pose *pose)
{
    if (!voice->tracks)
        return;
    double at = wrap_time(time - voice->begins, voice->clip->duration, player->wrap);
    tracks_sample(voice->tracks, at, pose);
    morphs_sample(player->scene, voice->clip, at, pose);
}

static void sample_voice(const struct player *player, struct voice *voice, double time)
{
    sample_into(player, voice, time, &voice->pose);
}

static void weigh_fade(struct player *player, double time)
{
    struct fade fade = transition_at(player->transitions, player->transition_count, time);
    for (uint32_t i = 0; i < player->part_count; i++)
        player->inputs[i].weight = 0;
    player->inputs[fade.from].weight = 1 - fade.weight;
    player->inputs[fade.to].weight = fade.weight;
}

static void sample_parts(struct player *player, double time, struct pose *pose)
{
    if (player->transition_count > 0)
        weigh_fade(player, time);
    for (uint32_t i = 0; i < player->part_count; i++)
        if (player->inputs[i].weight > 0)
            sample_voice(player, &player->voices[i], time);
    blend_poses(player->inputs, player->part_count, pose);
}

static void sample_plan(struct player *player, double time, struct pose *pose)
{
    sample_parts(player, time, pose);
    for (uint32_t i = 0; i < player->mask_count; i++) {
        struct voice *voice = &player->voices[player->part_count + i];
        sample_voice(player, voice, time);
        mask_apply(player->mask_owners, (int32_t)i, &voice->pose, pose);
        mask_apply_morphs(player->mask_owners, (int32_t)i, player->scene, &voice->pose, pose);
    }
    for (uint32_t i = 0; i < player->layer_count; i++) {
        struct layer *layer = &player->layers[i];
        sample_voice(player, layer->voice, time);
        additive_pose(&layer->reference, &layer->voice->pose, layer->weight, pose);
    }
}

static double plan_time(const struct player *player, double seconds)
{
    return player->rate < 0 ? player->duration + seconds * player->rate : seconds * player->rate;
}

void player_sample(struct player *player, double seconds, struct pose *pose)
{
    double time = plan_time(player, seconds);
    if (player->is_plain) {
        sample_into(player, &player->voices[0], time, pose);
        return;
    }
    sample_plan(player, time, pose);
    in_place_hold(&player->in_place, player->scene, pose);
}

/* ---- making it ----------------------------------------------------------------------------------------------- */

static struct tracks *tracks_of(const struct player *player, const struct clip *clip, uint32_t made, struct arena *arena)
{
    for (uint32_t i = 0; i < made; i++)
        if (player->voices[i].clip == clip)
            return player->voices[i].tracks;
    return clip ? tracks_create(player->scene, clip, arena) : NULL;
}

/* NULL: the rest pose. */
static struct pose copy_pose(const struct player *player, const struct pose *pose, struct arena *arena)
{
    return pose ? pose_copy(pose, player->scene, arena) : pose_create(player->scene, arena);
}

static struct voice *add_voice(struct player *player, const struct clip *clip, const struct pose *still, double begins,
                               struct arena *arena)
{
    struct voice *voice = &player->voices[player->voice_count];
    voice->clip = clip;
    voice->tracks = tracks_of(player, clip, player->voice_count, arena);
    voice->begins = begins;
    voice->pose = copy_pose(player, still, arena);
    player->voice_count++;
    return voice;
}

static void add_parts(struct player *player, const struct plan *plan, struct arena *arena)
{
    player->part_count = plan->part_count;
    player->inputs = ARENA_NEW(arena, struct blend_input, plan->part_count);
    player->transition_count = plan->transition_count;
    player->transitions = ARENA_NEW(arena, struct transition, plan->transition_count);
    for (uint32_t i = 0; i < plan->transition_count; i++)
        player->transitions[i] = plan->transitions[i];
    for (uint32_t i = 0; i < plan->part_count; i++) {
        double begins = i > 0 && i <= plan->transition_count ? plan->transitions[i - 1].start : 0;
        struct voice *voice = add_voice(player, plan->parts[i].clip, plan->parts[i].still, begins, arena);
        player->inputs[i] = (struct blend_input){&voice->pose, plan->parts[i].weight};
    }
}

static void add_masks(struct player *player, const struct plan *plan, struct arena *arena)
{
    uint32_t *bones = ARENA_NEW(arena, uint32_t, plan->mask_count);
    player->mask_count = plan->mask_count;
    player->mask_owners = ARENA_NEW(arena, int32_t, player->scene->node_count);
    for (uint32_t i = 0; i < plan->mask_count; i++) {
        bones[i] = plan->masks[i].node;
        add_voice(player, plan->masks[i].clip, plan->masks[i].still, -plan->masks[i].offset, arena);
    }
    mask_owners(player->scene, bones, plan->mask_count, player->mask_owners);
}

static void add_layers(struct player *player, const struct plan *plan, struct arena *arena)
{
    player->layer_count = plan->layer_count;
    player->layers = ARENA_NEW(arena, struct layer, plan->layer_count);
    for (uint32_t i = 0; i < plan->layer_count; i++) {
        struct layer *layer = &player->layers[i];
        const struct plan_layer *from = &plan->layers[i];
        layer->voice = add_voice(player, from->clip, from->still, 0, arena);
        layer->weight = from->weight;
        layer->reference = copy_pose(player, from->is_to_pose ? from->reference : &layer->voice->pose, arena);
        if (!from->is_to_pose)
            sample_into(player, layer->voice, 0, &layer->reference);
    }
}

static double clip_duration(const struct clip *clip)
{
    return clip ? clip->duration : 0;
}

static double measure_plan(const struct player *player)
{
    double duration = 0;
    if (player->transition_count > 0)
        return transition_duration(player->transitions, player->transition_count,
                                   clip_duration(player->voices[player->part_count - 1].clip));
    for (uint32_t i = 0; i < player->part_count; i++)
        if (player->inputs[i].weight > 0)
            duration = fmax(duration, clip_duration(player->voices[i].clip));
    bool is_still = !(duration > 0);
    for (uint32_t i = player->part_count; i < player->voice_count && is_still; i++)
        duration = fmax(duration, clip_duration(player->voices[i].clip));
    return duration;
}

static void find_home(struct player *player, const struct plan *plan, struct arena *arena)
{
    const struct clip **clips = ARENA_NEW(arena, const struct clip *, player->voice_count);
    for (uint32_t i = 0; i < player->voice_count; i++)
        clips[i] = player->voices[i].clip;
    player->in_place.up_axis = plan->up_axis;
    player->in_place.root = in_place_root(player->scene, clips, player->voice_count, arena);
    if (player->in_place.root == NO_INDEX)
        return;
    struct pose pose = pose_create(player->scene, arena);
    sample_plan(player, 0, &pose);
    in_place_position(player->scene, &pose, (uint32_t)player->in_place.root, player->in_place.home);
}

struct player *player_create(const struct scene *scene, const struct plan *plan, struct arena *arena)
{
    struct player *player = ARENA_NEW(arena, struct player, 1);
    *player = (struct player){.scene = scene, .wrap = plan->wrap, .rate = plan->rate, .in_place.root = NO_INDEX};
    player->voices = ARENA_NEW(arena, struct voice, plan->part_count + plan->mask_count + plan->layer_count);
    add_parts(player, plan, arena);
    add_masks(player, plan, arena);
    add_layers(player, plan, arena);
    player->duration = measure_plan(player);
    player->is_plain = player->voice_count == 1 && !plan->is_in_place && !plan->parts[0].still;
    if (plan->is_in_place)
        find_home(player, plan, arena);
    return player;
}

/* ---- what it is ---------------------------------------------------------------------------------------------- */

double player_duration(const struct player *player)
{
    return player->duration / fabs(player->rate);
}

double player_seconds(const struct player *player, double plan_time)
{
    return player->rate < 0 ? (plan_time - player->duration) / player->rate : plan_time / player->rate;
}

/* A part of a timeline is heard from its own transition's start to the end of the next one. */
static void hear(const struct player *player, uint32_t index, struct player_voice *out)
{
    out->from = 0;
    out->to = player->duration;
    if (index >= player->part_count || player->transition_count == 0)
        return;
    if (index > 0)
        out->from = player->transitions[index - 1].start;
    if (index < player->transition_count)
        out->to = player->transitions[index].end;
}

bool player_voice(const struct player *player, uint32_t index, struct player_voice *out)
{
    for (uint32_t i = 0; i < player->voice_count; i++) {
        if (!player->voices[i].clip || index-- > 0)
            continue;
        *out = (struct player_voice){.clip = player->voices[i].clip, .begins = player->voices[i].begins};
        hear(player, i, out);
        return true;
    }
    return false;
}
