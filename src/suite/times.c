/* Which times of a clip are sampled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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
        list->times = memory_grow(list->times, capacity, sizeof *list->times);
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

/* Those of a list of keys that play in one turn of the clip. */
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

/* A clip that repeats very often plays at any time: its keys would fill the list and choose nothing. */
static void add_clip_instance(const struct player *player, const struct player_clip_instance *clip_instance,
                              enum wrap wrap, struct time_list *list)
{
    enum { MOST_TURNS = 64 };
    const struct clip *clip = clip_instance->clip;
    double first = 0.0, last = 0.0;
    append(list, player_seconds(player, clip_instance->from));
    append(list, player_seconds(player, clip_instance->to));
    if (wrap == WRAP_LOOP && clip->duration > 0) {
        first = floor((clip_instance->from - clip_instance->begins) / clip->duration);
        last = floor((clip_instance->to - clip_instance->begins) / clip->duration);
    }
    for (double turn = first; turn <= last && last - first <= MOST_TURNS; turn++) {
        double begins = clip_instance->begins + turn * clip->duration;
        for (uint32_t i = 0; i < clip->channel_count; i++)
            for (int c = 0; c < COMPONENT_COUNT; c++)
                add_times(player, clip_instance, begins, &clip->channels[i].keys[c], list);
        for (uint32_t i = 0; i < clip->morph_count; i++)
            add_times(player, clip_instance, begins, &clip->morphs[i].keys, list);
    }
}

/* Keys and the middle between two; where these are too many the first, the last and evenly spread ones of the rest. */
static double *auto_times(const struct pipeline *p, size_t *count)
{
    struct time_list list = {0};
    struct player_clip_instance clip_instance;
    const uint32_t most = p->settings->samples ? p->settings->samples : DEFAULT_SAMPLES;
    append(&list, 0.0);
    append(&list, pipeline_duration(p));
    for (uint32_t i = 0; player_clip_instance(p->player, i, &clip_instance); i++)
        add_clip_instance(p->player, &clip_instance, p->settings->wrap, &list);
    sort_and_merge(&list);
    for (size_t i = 0, keys = list.count; i + 1 < keys; i++)
        append(&list, 0.5 * (list.times[i] + list.times[i + 1]));
    sort_and_merge(&list);
    for (uint32_t i = 0; i < most && list.count > most; i++)
        list.times[i] = list.times[most > 1 ? (size_t)i * (list.count - 1) / (most - 1) : 0];
    *count = list.count < most ? list.count : most;
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
        double *times = memory_new(*count, sizeof *times);
        for (size_t i = 0; i < *count; i++)
            times[i] = (double)i * seconds / frames;
        return times;
    }
    return NULL;
}

/* Times of frames, or those given, else 0. */
static double *listed_times(const struct pipeline *p, size_t *count)
{
    const struct settings *s = p->settings;
    bool is_frames = s->time_choice == TIMES_FRAMES;
    double rate = pipeline_frame_rate(p);
    *count = is_frames ? (size_t)(s->last_frame - s->first_frame) + 1 : s->time_count ? s->time_count : 1;
    double *times = memory_new(*count, sizeof *times);
    for (size_t i = 0; is_frames && i < *count; i++)
        times[i] = (double)(s->first_frame + (long)i) / rate;
    if (!is_frames && s->time_count)
        memcpy(times, s->times, s->time_count * sizeof *times);
    return times;
}

double *pipeline_times(const struct pipeline *p, size_t *count, long **frames, struct error *err)
{
    const struct settings *s = p->settings;
    double *times = NULL;
    if (s->time_choice == TIMES_PLAY)
        times = play_times(p, count, err);
    else if (s->time_choice == TIMES_AUTO && p->plays)
        times = auto_times(p, count);
    else
        times = listed_times(p, count);
    if (times && frames) {
        *frames = memory_new(*count, sizeof **frames);
        for (size_t i = 0; i < *count; i++)
            (*frames)[i] = s->time_choice == TIMES_FRAMES ? s->first_frame + (long)i : (long)i;
    }
    return times;
}
