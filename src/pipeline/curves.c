#include "pipeline/curves.h"

#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/log.h"
#include "data/affine.h"
#include "pipeline/pipeline_ask.h"

static bool has_space(const struct curve_channel *channels, size_t count, enum curve_space space)
{
    for (size_t i = 0; i < count; i++)
        if (channels[i].space == space)
            return true;
    return false;
}

static void list_targets(struct curve_source *source, const bool *chosen, const struct curve_channel *channels,
                         size_t channel_count)
{
    const struct scene *scene = source->pipeline->scene;
    struct arena *arena = source->pipeline->arena;
    source->targets = ARENA_NEW(arena, struct curve_target, 2 * (size_t)scene->node_count + scene->binding_count);
    for (int space = CURVE_LOCAL; space <= CURVE_GLOBAL; space++)
        for (uint32_t n = 0; n < scene->node_count && has_space(channels, channel_count, (enum curve_space)space); n++)
            if (chosen[n])
                source->targets[source->target_count++] =
                    (struct curve_target){.space = (enum curve_space)space, .index = n, .bone = scene->nodes[n].name};
    for (uint32_t b = 0; b < scene->binding_count && has_space(channels, channel_count, CURVE_PALETTE); b++)
        if (chosen[scene->bindings[b].node])
            source->targets[source->target_count++] = (struct curve_target){
                .space = CURVE_PALETTE, .index = b, .bone = scene->nodes[scene->bindings[b].node].name,
                .mesh = scene->meshes[scene->instances[scene->bindings[b].instance].mesh].label};
}

/* The one clip that plays as it is, or NULL: of clips that are mixed nobody can say where a key is. */
static const struct clip *plain_clip(const struct pipeline *p)
{
    const struct settings *s = p->settings;
    return p->is_still || s->mix_count > 0 || s->rate < 1 || s->rate > 1 ? NULL : p->clip;
}

static const struct channel *channel_of(const struct clip *clip, uint32_t node)
{
    for (uint32_t i = 0; clip && i < clip->channel_count; i++)
        if (clip->channels[i].node == (int32_t)node)
            return &clip->channels[i];
    return NULL;
}

/* 60 a second, the end, and every key of the bones as far as there are not too many. In the arena. */
static void spread_times(struct curve_source *source, const bool *chosen)
{
    enum { RATE = 60, MOST_EVEN = 4000 };
    const struct pipeline *p = source->pipeline;
    const struct clip *clip = plain_clip(p);
    const double seconds = pipeline_duration(p);
    const size_t steps = (size_t)fmin(MOST_EVEN, fmax(1, ceil(seconds * RATE)));
    size_t most = steps + 1, count = 0;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            most += clip->channels[i].keys[c].count;
    double *times = source->times = ARENA_NEW(p->arena, double, most);
    for (size_t i = 0; i <= steps; i++)
        times[count++] = seconds * (double)i / (double)steps;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        for (int c = 0; c < COMPONENT_COUNT && channel->node != NO_INDEX && chosen[channel->node]; c++)
            for (uint32_t k = 0; k < channel->keys[c].count && count < CURVE_MOST_TIMES; k++)
                if (channel->keys[c].times[k] > 0 && channel->keys[c].times[k] < seconds)
                    times[count++] = channel->keys[c].times[k];
    }
    source->count = count;
}

static bool choose_times(struct curve_source *source, const bool *chosen, struct error *err)
{
    struct pipeline *p = source->pipeline;
    if (p->settings->time_choices) {
        FREED double *times = pipeline_times(p, &source->count, err);
        if (!times)
            return false;
        source->times = ARENA_NEW(p->arena, double, source->count);
        memcpy(source->times, times, source->count * sizeof *times);
    } else {
        spread_times(source, chosen);
    }
    if (source->count > CURVE_MOST_TIMES)
        return error_set(err, "plot: %zu times; %d at most", source->count, CURVE_MOST_TIMES);
    source->count = times_merge(source->times, source->count); /* nearly one would make a velocity of rounding */
    return true;
}

static void take_answer(const struct curve_source *source, size_t i, const struct pose_snapshot *pose)
{
    static const struct transform unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (size_t t = 0; t < source->target_count; t++) {
        struct curve_target *target = &source->targets[t];
        const bool is_entry = target->space == CURVE_PALETTE;
        const unsigned stage = is_entry ? POSE_PALETTE : target->space == CURVE_LOCAL ? POSE_LOCAL : POSE_GLOBAL;
        target->poses[i] = unknown;
        const int32_t at = pose->left_out & stage ? NO_INDEX
                           : is_entry             ? snapshot_find_entry(pose, target->index, target->mesh, target->bone)
                                                  : snapshot_find_node(pose, target->index, target->bone);
        if (at == NO_INDEX)
            continue;
        const struct pose_node_snapshot *node = is_entry ? NULL : &pose->nodes[at];
        if (is_entry)
            affine_to_transform(pose->palette[at].mesh_to_scene, &target->poses[i]);
        else if (!(node->left_out & stage) && target->space == CURVE_LOCAL)
            target->poses[i] = node->local;
        else if (!(node->left_out & stage))
            affine_to_transform(node->node_to_scene, &target->poses[i]);
    }
}

/* The poses as the source's subject answers, in our conventions. */
static bool sample_subject(struct curve_source *source, struct error *err)
{
    struct pipeline *p = source->pipeline;
    const struct import_snapshot *import = import_snapshot_gather(p->scene, p->arena);
    struct subject_solution solution = {0};
    struct subject_request request;
    SCOPED(text) conventions = {0};
    if (!subject_greet(source->subject, err))
        return false;
    request = pipeline_request(p, source->subject, p->scene->path, NULL, p->arena);
    request.wants &= SUBJECT_NODES | SUBJECT_PALETTE;
    if (!request.wants)
        return error_set(err, "%s gives neither nodes nor a palette: there is nothing to plot",
                         source->subject->hello.name);
    bool good = pipeline_ask_rest(p, source->subject, &request, import, &solution, p->arena, err);
    for (size_t i = 0; good && i < source->count; i++) {
        struct arena *arena = create_large_arena();
        struct subject_answer answer;
        struct resolved resolved;
        request.time = source->times[i];
        good = pipeline_pose(p, request.time, err) && subject_ask(source->subject, &request, arena, &answer, err) &&
               subject_resolve(source->subject, &answer, pipeline_gather(p, false, arena), import, &solution, p->arena,
                               &resolved, err);
        if (good)
            take_answer(source, i, resolved.pose);
        else
            error_prefix(err, "at %g s", source->times[i]);
        arena_destroy(arena);
    }
    subject_describe_solution(&solution, &conventions);
    if (good && conventions.size > 0)
        log_note("conventions of %s: %s", source->name, text_string(&conventions));
    return good;
}

bool curve_sample(struct curve_source *source, const char *const *globs, size_t glob_count,
                  const struct curve_channel *channels, size_t channel_count, struct error *err)
{
    struct pipeline *p = source->pipeline;
    FREED bool *chosen = scene_match_nodes(p->scene, globs, glob_count, err);
    bool good = chosen && choose_times(source, chosen, err);
    if (good)
        list_targets(source, chosen, channels, channel_count);
    if (good && source->target_count == 0)
        good = error_set(err, "--channel palette: %s has no palette entry of these bones: no vertex follows them",
                         path_base(p->scene->path));
    for (size_t t = 0; good && t < source->target_count; t++)
        source->targets[t].poses = ARENA_NEW(p->arena, struct transform, source->count);
    if (good && source->subject)
        return sample_subject(source, err);
    for (size_t i = 0; good && i < source->count; i++) {
        good = pipeline_pose(p, source->times[i], err);
        for (size_t t = 0; good && t < source->target_count; t++) {
            struct curve_target *target = &source->targets[t];
            if (target->space == CURVE_LOCAL)
                target->poses[i] = p->pose.local[target->index];
            else
                affine_to_transform(target->space == CURVE_GLOBAL ? p->pose.node_to_scene[target->index]
                                                                  : p->palette.mesh_to_scene[target->index],
                                    &target->poses[i]);
        }
    }
    return good;
}

/* The keys of the bone that move the channel, with the curve's values there. */
static void find_keys(const struct curve_source *source, const struct curve_target *target, enum curve_kind kind,
                      struct arena *arena, struct plot_series *series)
{
    static const enum component of[CURVE_KINDS] = {
        [CURVE_ROTATION] = COMPONENT_ROTATION, [CURVE_EULER] = COMPONENT_ROTATION, [CURVE_TURN] = COMPONENT_ROTATION,
        [CURVE_ANGULAR] = COMPONENT_ROTATION,  [CURVE_SCALE] = COMPONENT_SCALE};
    const struct scene *scene = source->pipeline->scene;
    const uint32_t node = target->space == CURVE_PALETTE ? scene->bindings[target->index].node : target->index;
    const struct channel *channel = source->subject ? NULL : channel_of(plain_clip(source->pipeline), node);
    if (!channel)
        return;
    const struct keys *keys = &channel->keys[of[kind]];
    struct plot_key *out = ARENA_NEW(arena, struct plot_key, keys->count);
    size_t i = 0;
    for (uint32_t k = 0; k < keys->count; k++) {
        const double time = keys->times[k];
        while (i + 1 < series->count && series->times[i + 1] < time)
            i++;
        if (series->count == 0 || time < series->times[0] - 1e-6 || time > series->times[series->count - 1] + 1e-6)
            continue;
        const double from = series->values[i], to = i + 1 < series->count ? series->values[i + 1] : from;
        const double span = i + 1 < series->count ? series->times[i + 1] - series->times[i] : 1;
        const double share = fmin(1, fmax(0, (time - series->times[i]) / span));
        out[series->key_count++] = (struct plot_key){time, share > 0 ? from + share * (to - from) : from};
    }
    series->keys = out;
}

/* Curves of one bone and channel have one colour, in whichever source. */
static uint32_t find_colour(const struct plot_panel *panel, const struct plot_series *series, uint32_t *next)
{
    for (size_t i = 0; i < panel->series_count; i++) {
        const struct plot_series *other = &panel->series[i];
        if (strcmp(other->bone, series->bone) == 0 && strcmp(other->channel, series->channel) == 0 &&
            strcmp(other->mesh ? other->mesh : "", series->mesh ? series->mesh : "") == 0)
            return other->colour;
    }
    return (*next)++;
}

static void add_channel(const struct curve_source *sources, size_t source_count, const struct curve_channel *channel,
                          struct arena *arena, struct plot_panel *panel, uint32_t *next)
{
    for (uint32_t s = 0; s < source_count; s++)
        for (size_t t = 0; t < sources[s].target_count; t++) {
            const struct curve_source *source = &sources[s];
            const struct curve_target *target = &source->targets[t];
            if (target->space != channel->space)
                continue;
            double *values = ARENA_NEW(arena, double, source->count);
            curve_values(channel, source->times, target->poses, source->count, values);
            struct plot_series series = {.source = source_count > 1 ? source->name : "",
                                         .bone = target->bone,
                                         .mesh = target->mesh,
                                         .channel = channel->name,
                                         .dash = s,
                                         .count = source->count,
                                         .times = source->times,
                                         .values = values};
            series.colour = find_colour(panel, &series, next);
            find_keys(source, target, channel->kind, arena, &series);
            panel->series[panel->series_count++] = series;
        }
}

bool curve_plot(const struct curve_source *sources, size_t source_count, const struct curve_channel *channels,
                size_t channel_count, struct arena *arena, struct plot *out, struct error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < channel_count; i++)
        for (size_t s = 0; s < source_count; s++)
            for (size_t t = 0; t < sources[s].target_count; t++)
                total += sources[s].targets[t].space == channels[i].space;
    if (total > CURVE_MOST)
        return error_set(err, "plot: these would be %zu curves, more than %d: name fewer bones or channels", total,
                         CURVE_MOST);
    out->panels = ARENA_NEW(arena, struct plot_panel, channel_count);
    for (size_t i = 0; i < channel_count; i++) {
        bool is_first = true; /* of its panel */
        for (size_t k = 0; k < i; k++)
            is_first = is_first && !(channels[k].space == channels[i].space && channels[k].kind == channels[i].kind);
        if (!is_first)
            continue;
        struct plot_panel *panel = &out->panels[out->panel_count++];
        uint32_t next = 0;
        *panel = curve_panel(&channels[i], arena);
        panel->series = ARENA_NEW(arena, struct plot_series, total);
        for (size_t k = i; k < channel_count; k++)
            if (channels[k].space == channels[i].space && channels[k].kind == channels[i].kind)
                add_channel(sources, source_count, &channels[k], arena, panel, &next);
        bool is_one = true;
        for (size_t s = 1; s < panel->series_count; s++)
            is_one = is_one && strcmp(panel->series[s].channel, panel->series[0].channel) == 0;
        if (is_one && panel->series_count > 0)
            panel->title = panel->series[0].channel;
        /* one bone: its sources are told apart by colour, too */
        for (size_t s = 0; next == 1 && s < panel->series_count; s++)
            panel->series[s].colour = panel->series[s].dash;
    }
    return true;
}
