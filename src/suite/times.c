/* Which times of a clip are sampled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite/pipeline.h"

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

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times nearer than a microsecond are one: FBX key lists are unions with near-duplicates. */
static void sort_and_merge(struct time_list *list)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->times, list->count, sizeof *list->times, ascending);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->times[i] - list->times[kept - 1] > 1e-6)
            list->times[kept++] = list->times[i];
    list->count = kept;
}

static void add_keys(const struct clip *clip, struct time_list *list)
{
    append(list, 0.0);
    append(list, clip->duration);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            const struct keys *keys = &clip->channels[i].keys[c];
            for (uint32_t k = 0; k < keys->count; k++)
                if (keys->times[k] >= 0.0 && keys->times[k] <= clip->duration)
                    append(list, keys->times[k]);
        }
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

static double *auto_times(const struct clip *clip, uint32_t samples, size_t *count)
{
    struct time_list list = {0};
    add_keys(clip, &list);
    sort_and_merge(&list);
    add_midpoints(&list);
    sort_and_merge(&list);
    thin_out(&list, samples);
    *count = list.count;
    return list.times;
}

double pipeline_duration(const struct pipeline *p)
{
    return p->clip ? p->clip->duration : 0.0;
}

double pipeline_frame_rate(const struct pipeline *p)
{
    if (p->settings->fps > 0)
        return p->settings->fps;
    double rate = p->clip ? p->clip->ticks_per_second : 0.0;
    return rate >= 10.0 && rate <= 240.0 ? rate : 24.0; /* glTF and COLLADA count in milliseconds: that is no frame rate */
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
        error_set(err, "--play: nothing plays: there is no clip, or it has no duration");
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
    else if (s->time_choice == TIMES_AUTO && p->clip)
        times = auto_times(p->clip, s->samples, count);
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
