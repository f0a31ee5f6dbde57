#include "animate/player.h"

#include <math.h>
#include <string.h>

#include "animate/additive.h"
#include "animate/blend.h"
#include "animate/in_place.h"
#include "animate/mask.h"
#include "animate/morphs.h"

/* One use of a clip, with the pose it makes. */
struct clip_instance {
    const struct clip *clip; /* NULL: `pose` stands still */
    struct tracks *tracks;   /* shared by all instances of the clip */
    double begins;           /* of the mix's time: where the clip is at 0 */
    struct pose pose;
};

struct layer {
    struct clip_instance *clip_instance;
    double weight;
    struct pose reference;
};

struct player {
    const struct scene *scene;
    enum wrap wrap;
    double rate;
    double duration; /* of the mix, before the rate */
    bool is_plain;   /* one clip and nothing else */

    uint32_t clip_instance_count; /* parts, masks, layers: in this order */
    struct clip_instance *clip_instances;
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

static void sample_into(const struct player *player, const struct clip_instance *clip_instance, double time,
                        struct pose *pose)
{
    if (!clip_instance->tracks)
        return;
    double at = wrap_time(time - clip_instance->begins, clip_instance->clip->duration, player->wrap);
    tracks_sample(clip_instance->tracks, at, pose);
    morphs_sample(player->scene, clip_instance->clip, at, pose);
}

static void sample_clip_instance(const struct player *player, struct clip_instance *clip_instance, double time)
{
    sample_into(player, clip_instance, time, &clip_instance->pose);
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
            sample_clip_instance(player, &player->clip_instances[i], time);
    blend_poses(player->inputs, player->part_count, pose);
}

static void sample_mix(struct player *player, double time, struct pose *pose)
{
    sample_parts(player, time, pose);
    for (uint32_t i = 0; i < player->mask_count; i++) {
        struct clip_instance *clip_instance = &player->clip_instances[player->part_count + i];
        sample_clip_instance(player, clip_instance, time);
        mask_apply(player->mask_owners, (int32_t)i, &clip_instance->pose, pose);
        mask_apply_morphs(player->mask_owners, (int32_t)i, player->scene, &clip_instance->pose, pose);
    }
    for (uint32_t i = 0; i < player->layer_count; i++) {
        struct layer *layer = &player->layers[i];
        sample_clip_instance(player, layer->clip_instance, time);
        additive_pose(&layer->reference, &layer->clip_instance->pose, layer->weight, pose);
    }
}

static double mix_time(const struct player *player, double seconds)
{
    return player->rate < 0 ? player->duration + seconds * player->rate : seconds * player->rate;
}

void player_sample(struct player *player, double seconds, struct pose *pose)
{
    double time = mix_time(player, seconds);
    if (player->is_plain) {
        sample_into(player, &player->clip_instances[0], time, pose);
        return;
    }
    sample_mix(player, time, pose);
    in_place_hold(&player->in_place, player->scene, pose);
}

/* ---- making it ----------------------------------------------------------------------------------------------- */

static struct tracks *tracks_of(const struct player *player, const struct clip *clip, uint32_t made, struct arena *arena)
{
    for (uint32_t i = 0; i < made; i++)
        if (player->clip_instances[i].clip == clip)
            return player->clip_instances[i].tracks;
    return clip ? tracks_create(player->scene, clip, arena) : NULL;
}

/* NULL: the rest pose. */
static struct pose copy_pose(const struct player *player, const struct pose *pose, struct arena *arena)
{
    return pose ? pose_copy(pose, player->scene, arena) : pose_create(player->scene, arena);
}

static struct clip_instance *add_clip_instance(struct player *player, const struct clip *clip, const struct pose *still,
                                               double begins, struct arena *arena)
{
    struct clip_instance *clip_instance = &player->clip_instances[player->clip_instance_count];
    clip_instance->clip = clip;
    clip_instance->tracks = tracks_of(player, clip, player->clip_instance_count, arena);
    clip_instance->begins = begins;
    clip_instance->pose = copy_pose(player, still, arena);
    player->clip_instance_count++;
    return clip_instance;
}

static void add_parts(struct player *player, const struct clip_mix *clip_mix, struct arena *arena)
{
    player->part_count = clip_mix->part_count;
    player->inputs = ARENA_NEW(arena, struct blend_input, clip_mix->part_count);
    player->transition_count = clip_mix->transition_count;
    player->transitions = ARENA_NEW(arena, struct transition, clip_mix->transition_count);
    for (uint32_t i = 0; i < clip_mix->transition_count; i++)
        player->transitions[i] = clip_mix->transitions[i];
    for (uint32_t i = 0; i < clip_mix->part_count; i++) {
        double begins = i > 0 && i <= clip_mix->transition_count ? clip_mix->transitions[i - 1].start : 0;
        struct clip_instance *clip_instance =
            add_clip_instance(player, clip_mix->parts[i].clip, clip_mix->parts[i].still, begins, arena);
        player->inputs[i] = (struct blend_input){&clip_instance->pose, clip_mix->parts[i].weight};
    }
}

static void add_masks(struct player *player, const struct clip_mix *clip_mix, struct arena *arena)
{
    uint32_t *bones = ARENA_NEW(arena, uint32_t, clip_mix->mask_count);
    player->mask_count = clip_mix->mask_count;
    player->mask_owners = ARENA_NEW(arena, int32_t, player->scene->node_count);
    for (uint32_t i = 0; i < clip_mix->mask_count; i++) {
        bones[i] = clip_mix->masks[i].node;
        add_clip_instance(player, clip_mix->masks[i].clip, clip_mix->masks[i].still, -clip_mix->masks[i].offset, arena);
    }
    mask_owners(player->scene, bones, clip_mix->mask_count, player->mask_owners);
}

static void add_layers(struct player *player, const struct clip_mix *clip_mix, struct arena *arena)
{
    player->layer_count = clip_mix->layer_count;
    player->layers = ARENA_NEW(arena, struct layer, clip_mix->layer_count);
    for (uint32_t i = 0; i < clip_mix->layer_count; i++) {
        struct layer *layer = &player->layers[i];
        const struct mix_layer *from = &clip_mix->layers[i];
        layer->clip_instance = add_clip_instance(player, from->clip, from->still, 0, arena);
        layer->weight = from->weight;
        layer->reference = copy_pose(player, from->is_to_pose ? from->reference : &layer->clip_instance->pose, arena);
        if (!from->is_to_pose)
            sample_into(player, layer->clip_instance, 0, &layer->reference);
    }
}

static double clip_duration(const struct clip *clip)
{
    return clip ? clip->duration : 0;
}

static double measure_mix(const struct player *player)
{
    double duration = 0;
    if (player->transition_count > 0)
        return transition_duration(player->transitions, player->transition_count,
                                   clip_duration(player->clip_instances[player->part_count - 1].clip));
    for (uint32_t i = 0; i < player->part_count; i++)
        if (player->inputs[i].weight > 0)
            duration = fmax(duration, clip_duration(player->clip_instances[i].clip));
    bool is_still = !(duration > 0);
    for (uint32_t i = player->part_count; i < player->clip_instance_count && is_still; i++)
        duration = fmax(duration, clip_duration(player->clip_instances[i].clip));
    return duration;
}

static void find_home(struct player *player, const struct clip_mix *clip_mix, struct arena *arena)
{
    const struct clip **clips = ARENA_NEW(arena, const struct clip *, player->clip_instance_count);
    for (uint32_t i = 0; i < player->clip_instance_count; i++)
        clips[i] = player->clip_instances[i].clip;
    player->in_place.up_axis = clip_mix->up_axis;
    player->in_place.root = in_place_root(player->scene, clips, player->clip_instance_count, arena);
    if (player->in_place.root == NO_INDEX)
        return;
    struct pose pose = pose_create(player->scene, arena);
    sample_mix(player, 0, &pose);
    in_place_position(player->scene, &pose, (uint32_t)player->in_place.root, player->in_place.home);
}

struct player *player_create(const struct scene *scene, const struct clip_mix *clip_mix, struct arena *arena)
{
    struct player *player = ARENA_NEW(arena, struct player, 1);
    *player =
        (struct player){.scene = scene, .wrap = clip_mix->wrap, .rate = clip_mix->rate, .in_place.root = NO_INDEX};
    player->clip_instances =
        ARENA_NEW(arena, struct clip_instance, clip_mix->part_count + clip_mix->mask_count + clip_mix->layer_count);
    add_parts(player, clip_mix, arena);
    add_masks(player, clip_mix, arena);
    add_layers(player, clip_mix, arena);
    player->duration = measure_mix(player);
    player->is_plain = player->clip_instance_count == 1 && !clip_mix->is_in_place && !clip_mix->parts[0].still;
    if (clip_mix->is_in_place)
        find_home(player, clip_mix, arena);
    return player;
}

/* ---- what it is ---------------------------------------------------------------------------------------------- */

double player_duration(const struct player *player)
{
    return player->duration / fabs(player->rate);
}

double player_seconds(const struct player *player, double mix_time)
{
    return player->rate < 0 ? (mix_time - player->duration) / player->rate : mix_time / player->rate;
}

/* A part of a timeline plays from its own transition's start to the end of the next one. */
static void describe_clip_instance(const struct player *player, uint32_t index, struct player_clip_instance *out)
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

bool player_clip_instance(const struct player *player, uint32_t index, struct player_clip_instance *out)
{
    for (uint32_t i = 0; i < player->clip_instance_count; i++) {
        if (!player->clip_instances[i].clip || index-- > 0)
            continue;
        *out = (struct player_clip_instance){.clip = player->clip_instances[i].clip,
                                             .begins = player->clip_instances[i].begins};
        describe_clip_instance(player, i, out);
        return true;
    }
    return false;
}
