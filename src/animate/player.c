#include "animate/player.h"

#include <math.h>

#include "animate/mix.h"

/* One use of a clip, with the pose it makes. */
struct clip_instance {
    const struct clip *clip; /* NULL: `pose` stands still */
    struct tracks *tracks;   /* shared by all instances of the clip */
    double begins;           /* of the mix's time: where the clip is at 0 */
    struct pose pose;
};

struct player {
    const struct scene *scene;
    struct clip_mix mix;
    double duration;            /* of the mix, before the rate */
    bool is_plain;              /* one clip and nothing else */
    uint32_t instance_count;    /* parts, masks, layers: in this order */
    struct clip_instance *instances;
    struct blend_input *inputs; /* [part_count] the parts' poses */
    int32_t *mask_owners;       /* [node_count] */
    struct pose *references;    /* [layer_count] */
    struct in_place in_place;
};

bool transition_check(const struct transition *transitions, uint32_t count, struct error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct transition *t = &transitions[i];
        if (!(t->start >= 0))
            return error_set(err, "a transition at %g s begins before the timeline", t->start);
        if (!(t->end >= t->start))
            return error_set(err, "a transition from %g to %g s ends before it begins", t->start, t->end);
        if (i > 0 && !(t->start >= t[-1].end))
            return error_set(err, "a transition begins at %g s, but the previous one ends at %g s; list them in order",
                             t->start, t[-1].end);
    }
    return true;
}

static void sample_into(const struct player *player, const struct clip_instance *instance, double time,
                        struct pose *pose)
{
    if (instance->tracks)
        tracks_sample(instance->tracks,
                      wrap_time(time - instance->begins, instance->clip->duration, player->mix.wrap), pose);
}

static const struct pose *sample_instance(const struct player *player, uint32_t index, double time)
{
    struct clip_instance *instance = &player->instances[index];
    sample_into(player, instance, time, &instance->pose);
    return &instance->pose;
}

static void sample_mix(struct player *player, double time, struct pose *pose)
{
    const struct clip_mix *mix = &player->mix;
    uint32_t index = 0;
    double at = time; /* of the parts: a timeline goes round as a whole */
    if (mix->transition_count >
        0) { /* at `start` all is still the first clip, at `end` all is the second: both exactly */
        uint32_t begun = 0;
        at = mix->wrap == WRAP_LOOP ? wrap_time(time, player->duration, WRAP_LOOP) : time;
        while (begun < mix->transition_count && at >= mix->transitions[begun].start)
            begun++;
        for (uint32_t i = 0; i < mix->part_count; i++)
            player->inputs[i].weight = i == begun;
        const struct transition *t = begun > 0 ? &mix->transitions[begun - 1] : NULL;
        if (t && at < t->end) {
            double weight = (at - t->start) / (t->end - t->start);
            player->inputs[begun - 1].weight = 1 - weight;
            player->inputs[begun].weight = weight;
        }
    }
    for (; index < mix->part_count; index++)
        if (player->inputs[index].weight > 0)
            sample_instance(player, index, at);
    blend_poses(player->inputs, mix->part_count, pose);
    for (uint32_t i = 0; i < mix->mask_count; i++)
        mask_apply(player->scene, player->mask_owners, (int32_t)i, sample_instance(player, index++, time), pose);
    for (uint32_t i = 0; i < mix->layer_count; i++)
        additive_pose(&player->references[i], sample_instance(player, index++, time), mix->layers[i].weight, pose);
}

void player_sample(struct player *player, double seconds, struct pose *pose)
{
    double rate = player->mix.rate, time = rate < 0 ? player->duration + seconds * rate : seconds * rate;
    if (player->is_plain) {
        sample_into(player, &player->instances[0], time, pose);
        return;
    }
    sample_mix(player, time, pose);
    in_place_hold(&player->in_place, player->scene, pose);
}

/* NULL: the rest pose. */
static struct pose copy_pose(const struct player *player, const struct pose *pose, struct arena *arena)
{
    return pose ? pose_copy(pose, player->scene, arena) : pose_create(player->scene, arena);
}

static const struct clip_instance *add_clip_instance(struct player *player, const struct clip *clip,
                                                     const struct pose *still, double begins, struct arena *arena)
{
    struct clip_instance *instance = &player->instances[player->instance_count];
    *instance = (struct clip_instance){.clip = clip, .begins = begins, .pose = copy_pose(player, still, arena)};
    for (uint32_t i = 0; i < player->instance_count && !instance->tracks; i++)
        if (player->instances[i].clip == clip)
            instance->tracks = player->instances[i].tracks;
    if (clip && !instance->tracks)
        instance->tracks = tracks_create(player->scene, clip, arena);
    player->instance_count++;
    return instance;
}

static void add_clip_instances(struct player *player, struct arena *arena)
{
    const struct clip_mix *mix = &player->mix;
    for (uint32_t i = 0; i < mix->part_count; i++) {
        const struct mix_part *part = &mix->parts[i];
        double begins = i > 0 && i <= mix->transition_count ? mix->transitions[i - 1].start : 0;
        const struct clip_instance *instance = add_clip_instance(player, part->clip, part->still, begins, arena);
        player->inputs[i] = (struct blend_input){&instance->pose, part->weight};
    }
    for (uint32_t n = 0; n < player->scene->node_count; n++)
        player->mask_owners[n] = NO_INDEX;
    for (uint32_t i = 0; i < mix->mask_count; i++) {
        const struct mix_mask *mask = &mix->masks[i];
        add_clip_instance(player, mask->clip, mask->still, -mask->offset, arena);
        player->mask_owners[mask->node] = (int32_t)i;
    }
    mask_spread(player->scene, player->mask_owners);
    for (uint32_t i = 0; i < mix->layer_count; i++) {
        const struct mix_layer *layer = &mix->layers[i];
        const struct clip_instance *instance = add_clip_instance(player, layer->clip, layer->still, 0, arena);
        player->references[i] = copy_pose(player, layer->is_to_pose ? layer->reference : &instance->pose, arena);
        if (!layer->is_to_pose)
            sample_into(player, instance, 0, &player->references[i]);
    }
}

static double clip_duration(const struct player *player, uint32_t index)
{
    return player->instances[index].clip ? player->instances[index].clip->duration : 0;
}

struct player *player_create(const struct scene *scene, const struct clip_mix *clip_mix, struct arena *arena)
{
    struct player *player = ARENA_NEW(arena, struct player, 1);
    uint32_t instance_count = clip_mix->part_count + clip_mix->mask_count + clip_mix->layer_count;
    *player = (struct player){
        .scene = scene,
        .mix = *clip_mix,
        .instances = ARENA_NEW(arena, struct clip_instance, instance_count),
        .inputs = ARENA_NEW(arena, struct blend_input, clip_mix->part_count),
        .mask_owners = ARENA_NEW(arena, int32_t, scene->node_count),
        .references = ARENA_NEW(arena, struct pose, clip_mix->layer_count),
        .in_place.root = NO_INDEX,
    };
    add_clip_instances(player, arena);
    if (clip_mix->transition_count > 0) { /* all clips but for where they overlap */
        const struct transition *last = &clip_mix->transitions[clip_mix->transition_count - 1];
        for (uint32_t i = 0; i < clip_mix->part_count; i++)
            player->duration += clip_duration(player, i);
        for (uint32_t i = 0; i < clip_mix->transition_count; i++)
            player->duration -= clip_mix->transitions[i].end - clip_mix->transitions[i].start;
        if (player->duration <= last->end) /* one before goes round until it fades; then until the last played once */
            player->duration = fmax(last->start + clip_duration(player, clip_mix->part_count - 1), last->end);
    } else {
        for (uint32_t i = 0; i < clip_mix->part_count; i++)
            if (player->inputs[i].weight > 0)
                player->duration = fmax(player->duration, clip_duration(player, i));
        bool is_still = !(player->duration > 0);
        for (uint32_t i = clip_mix->part_count; i < instance_count && is_still; i++)
            player->duration = fmax(player->duration, clip_duration(player, i));
    }
    player->is_plain = instance_count == 1 && !clip_mix->is_in_place && !clip_mix->parts[0].still;
    if (clip_mix->is_in_place) {
        const struct clip **clips = ARENA_NEW(arena, const struct clip *, instance_count);
        for (uint32_t i = 0; i < instance_count; i++)
            clips[i] = player->instances[i].clip;
        player->in_place.up_axis = clip_mix->up_axis;
        player->in_place.root = in_place_root(scene, clips, instance_count, arena);
    }
    if (player->in_place.root != NO_INDEX) {
        struct pose pose = pose_create(scene, arena);
        sample_mix(player, 0, &pose);
        in_place_position(scene, &pose, (uint32_t)player->in_place.root, player->in_place.home);
    }
    return player;
}

double player_duration(const struct player *player)
{
    return player->duration / fabs(player->mix.rate);
}

double player_seconds(const struct player *player, double mix_time)
{
    double rate = player->mix.rate;
    return rate < 0 ? (mix_time - player->duration) / rate : mix_time / rate;
}

bool player_clip_instance(const struct player *player, uint32_t index, struct player_clip_instance *out)
{
    uint32_t i = 0, transitions = player->mix.transition_count;
    while (i < player->instance_count && (!player->instances[i].clip || index-- > 0))
        i++;
    if (i == player->instance_count)
        return false;
    *out = (struct player_clip_instance){player->instances[i].clip, player->instances[i].begins, 0, player->duration};
    if (transitions > 0 && i < player->mix.part_count) { /* from its own transition's start to the next one's end */
        out->from = i > 0 ? player->mix.transitions[i - 1].start : 0;
        out->to = i < transitions ? player->mix.transitions[i].end : player->duration;
    }
    return true;
}
