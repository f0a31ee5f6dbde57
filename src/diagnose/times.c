/* Says which other times an engine samples at. */
#include <math.h>

#include "diagnose/causes.h"

const char *time_detail(double seconds, double reference, const char *why, struct arena *arena)
{
    double apart = seconds - reference;
    if (why)
        return arena_printf(arena, "yours is ours at %.4f s: %s", seconds, why);
    return arena_printf(arena, "yours is ours at %.4f s: %.4f s %s", seconds, fabs(apart),
                        apart < 0 ? "late" : "early");
}

struct times {
    const struct diagnosis_input *input;
    struct guess_list *list;
    double reference, duration, ticks;
};

static void add(const struct times *t, enum cause_index cause, double seconds, enum parameter_kind kind,
                double parameter, const char *why)
{
    const char *detail = time_detail(seconds, t->reference, why, t->list->arena);
    guess_set(guess_add(t->list, cause, detail, SWITCH_TIME, AT_SECONDS, seconds), kind,
              kind == PARAMETER_SECONDS ? seconds : parameter);
}

static double looped(const struct times *t, double seconds)
{
    return wrap_time(seconds, t->duration, WRAP_LOOP);
}

static double held(const struct times *t, double seconds)
{
    return wrap_time(seconds, t->duration, WRAP_HOLD);
}

static void add_rules(const struct times *t)
{
    double asked = t->input->time, frame = 1 / t->ticks, there = fmod(asked, 2 * t->duration);
    double remainder = fmod(asked, t->duration);
    bool is_end = fabs(asked - t->duration) <= fmax(1e-6 * t->duration, 5e-7);
    there = there < 0 ? there + 2 * t->duration : there;
    add(t, CAUSE_LOOP_RULE, is_end ? 0 : remainder, PARAMETER_SECONDS, 0, "time = duration shows the first frame");
    add(t, CAUSE_LOOP_RULE, held(t, asked), PARAMETER_SECONDS, 0, "time beyond the clip is held at its end");
    add(t, CAUSE_LOOP_RULE, looped(t, asked), PARAMETER_SECONDS, 0, "time beyond the clip is wrapped");
    add(t, CAUSE_LOOP_RULE, fmod(asked, t->duration + frame), PARAMETER_SECONDS, 0, "a loop is one frame longer");
    add(t, CAUSE_LOOP_RULE, t->duration > frame ? fmod(asked, t->duration - frame) : 0, PARAMETER_SECONDS, 0,
        "a loop is one frame shorter");
    add(t, CAUSE_LOOP_RULE, there > t->duration ? 2 * t->duration - there : there, PARAMETER_SECONDS, 0,
        "the clip plays there and back");
}

static void add_shifts(const struct times *t)
{
    static const double steps[] = {-1, 1, -2, 2, -0.5, 0.5, -3, 3};
    const double rates[] = {t->ticks, 24, 25, 30, 60};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            double shifted = t->reference + steps[s] / rates[r];
            const char *why = arena_printf(t->list->arena, "%g frame%s %s (%.6g a second)", fabs(steps[s]),
                                           fabs(steps[s]) > 1 ? "s" : "", steps[s] < 0 ? "late" : "early", rates[r]);
            add(t, CAUSE_TIME_SHIFT, looped(t, shifted), PARAMETER_SECONDS, 0, why);
            add(t, CAUSE_TIME_SHIFT, held(t, shifted), PARAMETER_SECONDS, 0, why);
        }
}

/* A clip whose first key is not at 0. */
static void add_start(const struct times *t)
{
    double first = INFINITY;
    for (uint32_t i = 0; i < t->input->clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            if (t->input->clip->channels[i].keys[c].count > 0)
                first = fmin(first, t->input->clip->channels[i].keys[c].times[0]);
    first = isfinite(first) ? first : 0;
    add(t, CAUSE_FIRST_KEY, looped(t, t->reference + first), PARAMETER_SECONDS, 0, "the first key is shown at 0");
    add(t, CAUSE_FIRST_KEY, first + wrap_time(t->input->time, fmax(t->duration - first, 1e-9), WRAP_LOOP),
        PARAMETER_SECONDS, 0, "the first key is shown at 0, and the clip is as long as its keys");
    add(t, CAUSE_FIRST_KEY, looped(t, t->reference - first), PARAMETER_SECONDS, 0, "the first key's time is taken off");
}

static void add_roundings(const struct times *t)
{
    const double rates[] = {t->ticks, 24, 25, 30, 60, 15};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        double frames = t->reference * rates[r];
        const double rounded[] = {floor(frames + 1e-9), ceil(frames - 1e-9), floor(frames + 0.5)};
        static const char *const how[] = {"down", "up", "to the nearest"};
        for (int i = 0; i < 3; i++)
            add(t, CAUSE_TIME_ROUNDED, held(t, rounded[i] / rates[r]), PARAMETER_RATE, rates[r],
                arena_printf(t->list->arena, "%s, %.6g frames a second", how[i], rates[r]));
    }
}

static void add_scale(const struct times *t, double factor, const char *why)
{
    double asked = t->input->time;
    add(t, CAUSE_TIME_SCALE, looped(t, asked * factor), PARAMETER_FACTOR, factor, why);
    add(t, CAUSE_TIME_SCALE, held(t, asked * factor), PARAMETER_FACTOR, factor, why);
    add(t, CAUSE_TIME_SCALE, fmod(asked * factor, t->duration), PARAMETER_FACTOR, factor, why);
}

static void add_rates(const struct times *t)
{
    static const double rates[] = {24, 25, 30, 60, 1000, 48, 4800, 1};
    struct arena *arena = t->list->arena;
    double whole = floor(t->ticks);
    if (whole != t->ticks && whole > 0)
        add_scale(t, whole / t->ticks, arena_printf(arena, "%.6g ticks a second are cut to %g", t->ticks, whole));
    add_scale(t, 1 / t->ticks, arena_printf(arena, "seconds are taken for ticks (%.6g a second)", t->ticks));
    add_scale(t, t->ticks, arena_printf(arena, "ticks are taken for seconds (%.6g a second)", t->ticks));
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (rates[i] != t->ticks)
            add_scale(t, rates[i] / t->ticks,
                      arena_printf(arena, "%g ticks a second where the file has %.6g", rates[i], t->ticks));
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t k = 0; k < 4; k++)
            if (i != k && rates[i] != 1)
                add_scale(t, rates[i] / rates[k], arena_printf(arena, "%.6g times as fast", rates[i] / rates[k]));
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        add_scale(t, rates[i], arena_printf(arena, "%.6g times as fast", rates[i]));
        add_scale(t, 1 / rates[i], arena_printf(arena, "%.6g times as fast", 1 / rates[i]));
    }
    add_scale(t, 2, "twice as fast");
    add_scale(t, 0.5, "half as fast");
}

void guesses_add_times(const struct diagnosis_input *input, struct guess_list *list)
{
    struct times t = {.input = input, .list = list, .duration = input->clip->duration};
    t.ticks = input->clip->ticks_per_second;
    t.ticks = t.ticks > 0 && isfinite(t.ticks) ? t.ticks : 25;
    t.reference = wrap_time(input->time, t.duration, input->wrap);
    if (!(t.duration > 0))
        return;
    add_rules(&t);
    add_shifts(&t);
    add_start(&t);
    add_rates(&t);
    add_roundings(&t);
    add(&t, CAUSE_TIME_SHIFT, 0, PARAMETER_SECONDS, 0, "the first frame");
    add(&t, CAUSE_TIME_SHIFT, t.duration, PARAMETER_SECONDS, 0, "the last frame");
    add(&t, CAUSE_BACKWARDS, t.duration - t.reference, PARAMETER_SECONDS, 0, "the duration less the time");
}

void guesses_add_numbers(const struct diagnosis_input *input, struct guess_list *list)
{
    static const double rates[] = {15, 24, 25, 30, 60, 12, 10, 20, 50, 5};
    double ticks = input->clip && input->clip->ticks_per_second > 0 ? input->clip->ticks_per_second : 25;
    for (size_t i = 0; i < sizeof rates / sizeof *rates && input->clip; i++) {
        const char *detail = arena_printf(list->arena, "at %g a second", rates[i]);
        guess_set(guess_add(list, CAUSE_RESAMPLED, detail, SWITCH_RESAMPLE, AT_RATE, rates[i]), PARAMETER_RATE,
                  rates[i]);
    }
    const double frames[] = {1 / ticks, 1.0 / 24, 1.0 / 25, 1.0 / 30, 1.0 / 60};
    double now = input->clip ? wrap_time(input->time, input->clip->duration, input->wrap) : 0;
    double before = input->clip && isfinite(input->previous_time)
                        ? wrap_time(input->previous_time, input->clip->duration, input->wrap)
                        : NAN;
    for (size_t i = 0; i < sizeof frames / sizeof *frames && input->clip; i++) {
        const char *detail = arena_printf(list->arena, "%.4g s before", frames[i]);
        guess_add(list, CAUSE_STALE_PARENT, detail, SWITCH_STALE, STALE_TIME, now - frames[i]);
        detail = arena_printf(list->arena, "of palette entries, %.4g s before", frames[i]);
        guess_set(guess_add(list, CAUSE_TIME_SHIFT, detail, SWITCH_STALE, STALE_ENTRY, fmax(now - frames[i], 0)),
                  PARAMETER_SECONDS, fmax(now - frames[i], 0));
        detail = arena_printf(list->arena, "%.4g s before, a generation", frames[i]);
        guess_add(list, CAUSE_STALE_PARENT, detail, SWITCH_STALE, STALE_EACH, frames[i]);
    }
    if (isfinite(before)) {
        guess_add(list, CAUSE_STALE_PARENT, "that of the time asked for before", SWITCH_STALE, STALE_TIME, before);
        guess_set(guess_add(list, CAUSE_TIME_SHIFT, "of palette entries, the time asked for before", SWITCH_STALE,
                            STALE_ENTRY, before),
                  PARAMETER_SECONDS, before);
        guess_add(list, CAUSE_STALE_PARENT, "a time asked for before, a generation", SWITCH_STALE, STALE_EACH,
                  now - before);
        guess_add(list, CAUSE_STALE_PARENT, "that of the time asked for before, with none above it", SWITCH_STALE,
                  STALE_TWO, before);
    }
    for (uint32_t c = 0; c < input->scene->clip_count && c < 64; c++)
        if (&input->scene->clips[c] != input->clip) {
            const char *detail = arena_printf(list->arena, "`%s`", input->scene->clips[c].name);
            guess_add(list, CAUSE_OTHER_CLIP, detail, SWITCH_CLIP, CLIP_NUMBER, c);
        }
}
