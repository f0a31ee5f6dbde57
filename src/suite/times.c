/* Which times of a clip are sampled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "suite/pipeline.h"
#include "suite/setting/clip_mix.h"

struct time_list {
    double *times;
    size_t count;
    size_t capacity;
};

static void append(struct time_list *list, double time)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        double *times = realloc(list->times, capacity * sizeof *times);
        if (!times)
            return; /* the list stays shorter; "auto" is a selection anyway */
        list->times = times;
        list->capacity = capacity;
    }
    list->times[list->count++] = time;
}

/* Times nearer than a microsecond are one: FBX key lists are unions with near-duplicates. */
static void sort_and_merge(struct time_list *list)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->times, list->count, sizeof *list->times, compare_doubles);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->times[i] - list->times[kept - 1] > 1e-6)
            list->times[kept++] = list->times[i];
    list->count = kept;
}

/* Those of them that play in one turn of the clip. */
static void add_times(const struct player *player, const struct player_clip_instance *clip_instance, double begins,
                      const struct keys *keys, struct time_list *list)
{
    for (uint32_t k = 0; k < keys->count; k++) {
        double time = begins + keys->times[k];
        bool is_played = keys->times[k] >= 0.0 && keys->times[k] <= clip_instance->clip->duration;
        if (is_played && time >= clip_instance->from && time <= clip_instance->to)
            append(list, player_seconds(player, time));
    }
}

/* The keys of one turn of the clip. */
static void add_turn(const struct player *player, const struct player_clip_instance *clip_instance, double begins,
                     struct time_list *list)
{
    const struct clip *clip = clip_instance->clip;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            add_times(player, clip_instance, begins, &clip->channels[i].keys[c], list);
    for (uint32_t i = 0; i < clip->morph_count; i++)
        add_times(player, clip_instance, begins, &clip->morphs[i].keys, list);
}

/* A clip that repeats very often plays at any time: its keys would fill the list and choose nothing. */
static void add_clip_instance(const struct player *player, const struct player_clip_instance *clip_instance,
                              enum wrap wrap, struct time_list *list)
{
    enum { MOST_TURNS = 64 };
    double duration = clip_instance->clip->duration;
    double first = 0.0, last = 0.0;
    append(list, player_seconds(player, clip_instance->from));
    append(list, player_seconds(player, clip_instance->to));
    if (wrap == WRAP_LOOP && duration > 0) {
        first = floor((clip_instance->from - clip_instance->begins) / duration);
        last = floor((clip_instance->to - clip_instance->begins) / duration);
    }
    for (double turn = first; turn <= last && last - first <= MOST_TURNS; turn++)
        add_turn(player, clip_instance, clip_instance->begins + turn * duration, list);
}

/* In seconds as they are asked for. */
static void add_keys(const struct pipeline *p, struct time_list *list)
{
    struct player_clip_instance clip_instance;
    append(list, 0.0);
    append(list, pipeline_duration(p));
    for (uint32_t i = 0; player_clip_instance(p->player, i, &clip_instance); i++)
        add_clip_instance(p->player, &clip_instance, p->settings->wrap, list);
}

static void add_midpoints(struct time_list *list)
{
    size_t keys = list->count;
    for (size_t i = 0; i + 1 < keys; i++)
        append(list, 0.5 * (list->times[i] + list->times[i + 1]));
}

/* First, last and evenly spread ones of the rest. */
static void thin_out(struct time_list *list, uint32_t most)
{
    if (list->count <= most)
        return;
    for (uint32_t i = 0; i < most; i++)
        list->times[i] = list->times[most > 1 ? (size_t)i * (list->count - 1) / (most - 1) : 0];
    list->count = most;
}

static double *auto_times(const struct pipeline *p, size_t *count)
{
    struct time_list list = {0};
    add_keys(p, &list);
    sort_and_merge(&list);
    add_midpoints(&list);
    sort_and_merge(&list);
    thin_out(&list, p->settings->samples ? p->settings->samples : DEFAULT_SAMPLES);
    *count = list.count;
    return list.times;
}

double pipeline_duration(const struct pipeline *p)
{
    return player_duration(p->player);
}

double pipeline_frame_rate(const struct pipeline *p)
{
    return clip_mix_frame_rate(p->settings, p->clip);
}

double pipeline_film_rate(const struct pipeline *p, size_t count)
{
    double rate = pipeline_frame_rate(p), seconds = pipeline_duration(p);
    bool plays = p->settings->time_choice == TIMES_PLAY && seconds > 0;
    return plays && fabs((double)count - rate * seconds) > 1e-6 * (double)count ? (double)count / seconds : rate;
}

/* The end is left out: it is the beginning of the next round. */
static double *play_times(const struct pipeline *p, size_t *count, struct error *err)
{
    enum { MOST = 100000 };
    double seconds = pipeline_duration(p), frames = fmax(1, round(seconds * pipeline_frame_rate(p)));
    if (!(seconds > 0))
        error_set(err, "--play, --film: nothing plays: there is no clip, or it has no duration; --time and --frames choose times without one");
    else if (frames > MOST)
        error_set(err, "--play: %.6g seconds would be %.0f frames, more than %d; use a lower --fps", seconds, frames, MOST);
    else if ((*count = (size_t)frames) > 0) {
        double *times = calloc(*count, sizeof *times);
        for (size_t i = 0; times && i < *count; i++)
            times[i] = (double)i * seconds / frames;
        return times;
    }
    return NULL;
}

static double *frame_times(const struct pipeline *p, size_t *count, struct error *err)
{
    const struct settings *s = p->settings;
    double rate = pipeline_frame_rate(p);
    *count = (size_t)(s->last_frame - s->first_frame) + 1;
    double *times = calloc(*count, sizeof *times);
    if (!times)
        error_set(err, "out of memory for %zu frames", *count);
    for (size_t i = 0; times && i < *count; i++)
        times[i] = (double)(s->first_frame + (long)i) / rate;
    return times;
}

static double *listed_times(const struct settings *s, size_t *count)
{
    *count = s->time_count ? s->time_count : 1;
    double *times = calloc(*count, sizeof *times);
    if (times && s->time_count)
        memcpy(times, s->times, s->time_count * sizeof *times);
    return times;
}

double *pipeline_times(const struct pipeline *p, size_t *count, long **frames, struct error *err)
{
    const struct settings *s = p->settings;
    double *times = NULL;
    if (s->time_choice == TIMES_FRAMES)
        times = frame_times(p, count, err);
    else if (s->time_choice == TIMES_PLAY)
        times = play_times(p, count, err);
    else if (s->time_choice == TIMES_AUTO && p->plays)
        times = auto_times(p, count);
    else
        times = listed_times(s, count);
    if (times && frames && (*frames = calloc(*count, sizeof **frames)))
        for (size_t i = 0; i < *count; i++)
            (*frames)[i] = s->time_choice == TIMES_FRAMES ? s->first_frame + (long)i : (long)i;
    if (!times || (frames && !*frames)) {
        error_set(err, "out of memory for the list of times");
        free(times);
        return NULL;
    }
    return times;
}
