#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "case/run_case.h"

/* Labels of times, sorted. */
struct labels {
    const char **items;
    size_t count;
};

static struct labels recorded_labels(const struct case_run *run)
{
    struct labels labels = {ARENA_NEW(run->arena, const char *, run->golden.recorded.frame_count), 0};
    for (uint32_t i = 0; i < run->golden.recorded.frame_count; i++)
        labels.items[i] = run->golden.recorded.frames[i].label;
    labels.count = sort_once(labels.items, run->golden.recorded.frame_count);
    return labels;
}

static struct labels labels_of(const double *times, size_t count, struct arena *arena)
{
    struct labels labels = {ARENA_NEW(arena, const char *, count), 0};
    for (size_t i = 0; i < count; i++)
        labels.items[i] = snapshot_label(times[i], arena);
    labels.count = sort_once(labels.items, count);
    return labels;
}

/* "0.250 s, 0.500 s and 3 more": those that `other` has not, by number. Returns how many. */
static size_t list_missing(const struct labels *labels, const struct labels *other, struct text *out)
{
    enum { MOST = 8 };
    size_t count = 0;
    for (size_t i = 0; i < labels->count; i++)
        if (!bsearch(&labels->items[i], other->items, other->count, sizeof *other->items, compare_strings) &&
            count++ < MOST)
            text_addf(out, "%s%s s", count > 1 ? ", " : "", labels->items[i]);
    if (count > MOST)
        text_addf(out, " and %zu more", count - MOST);
    return count;
}

/* Returns whether the clip is as long, and its ticks, as the golden's import has them: frames and plays of it are
 * chosen by these. */
static bool clip_changed(const struct case_run *run)
{
    const struct import_snapshot *golden = run->golden_import, *actual = run->model->snapshot;
    if (!golden || golden == actual || !run->pipeline.clip)
        return false;
    const struct clip_snapshot *now = &actual->clips[run->pipeline.clip - run->pipeline.scene->clips];
    const struct clip_snapshot *was = NAMED(golden->clips, golden->clip_count, now->name);
    return !was || was->duration < now->duration || was->duration > now->duration ||
           was->ticks_per_second < now->ticks_per_second || was->ticks_per_second > now->ticks_per_second;
}

/*
 * Says if the golden's times are sampled. `auto` is resolved when a golden is accepted; what follows from the clip's
 * length or the file's frame rate keeps the golden's times while these change. What the suite says itself is taken at
 * its word.
 */
static bool keeps_times(const struct case_run *run, size_t count)
{
    const struct settings *s = &run->c->settings;
    const uint32_t recorded = run->golden.recorded.frame_count;
    if (run->chooses_times || !suite_has_golden(run->c) || !run->golden.has_recorded || recorded == 0)
        return false;
    bool is_counted = s->time_choice == TIMES_EVEN || (s->time_choice == TIMES_FRAMES && !(s->fps > 0));
    bool follows = s->time_choice == TIMES_PLAY || (is_counted && count == recorded);
    return s->time_choice == TIMES_AUTO || (follows && clip_changed(run));
}

/* Says which times the settings would choose now, where these are other times than the golden's. */
static void tell_moved(struct case_run *run, const double *times, size_t count)
{
    static const char *const choices[] = {
        [TIMES_AUTO] = "times: auto", [TIMES_FRAMES] = "frames", [TIMES_PLAY] = "play", [TIMES_EVEN] = "times: even"};
    const struct labels now = labels_of(times, count, run->arena), was = recorded_labels(run);
    SCOPED(text) appear = {0}, go = {0};
    struct finding finding = finding_of(CODE_TIMES_MOVED);
    size_t more = list_missing(&now, &was, &appear), fewer = list_missing(&was, &now, &go);
    finding.benign = true;
    run->times_moved = more > 0 || fewer > 0;
    if (more > 0)
        text_add(&appear, more > 1 ? " appear" : " appears");
    if (fewer > 0)
        text_add(&go, fewer > 1 ? " go" : " goes");
    if (run->times_moved)
        findings_add(&run->out.findings, &finding,
                     "`%s` would now choose other times: %s%s%s; the golden's were compared",
                     choices[run->c->settings.time_choice], text_string(&appear), more > 0 && fewer > 0 ? ", " : "",
                     text_string(&go));
}

static void tell_outside(struct case_run *run, const double *times)
{
    struct finding finding = finding_of(CODE_TIMES_OUTSIDE);
    SCOPED(text) says = {0};
    finding.benign = true;
    pipeline_tell_outside(&run->pipeline, times, run->count, &says);
    if (says.size > 0)
        findings_add(&run->out.findings, &finding, "%s", text_string(&says));
}

bool case_times(struct case_run *run, struct error *err)
{
    const struct recorded *recorded = &run->golden.recorded;
    FREED double *times = pipeline_times(&run->pipeline, &run->count, err);
    if (!times)
        return false;
    bool kept = keeps_times(run, run->count);
    if (kept) {
        tell_moved(run, times, run->count);
        run->count = recorded->frame_count;
        times = memory_grow(times, run->count, sizeof *times);
    }
    const char **sorted = ARENA_NEW(run->arena, const char *, run->count);
    const long first = pipeline_frame_number(&run->pipeline, 0);
    run->samples = ARENA_NEW(run->arena, struct sample, run->count);
    comparison_plan(&run->out, (uint32_t)run->count);
    for (size_t i = 0; i < run->count; i++) {
        struct sample *sample = &run->samples[i];
        sample->time = kept ? recorded->frames[i].time : times[i];
        sample->frame = kept ? first + (long)i : pipeline_frame_number(&run->pipeline, i);
        sample->label = run->out.result->times[i].label = snapshot_label(sample->time, run->arena);
        run->out.result->times[i].time = times[i] = sample->time;
        sorted[i] = sample->label;
    }
    tell_outside(run, times);
    sort_items(sorted, run->count, sizeof *sorted, compare_strings);
    for (size_t i = 1; i < run->count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return error_set(err, "two of the times are both %s s", sorted[i]);
    return true;
}

void case_check_times(struct case_run *run)
{
    struct judge_facts *facts = &run->out.facts;
    struct labels sampled = {ARENA_NEW(run->arena, const char *, run->count), 0};
    struct labels compared = {ARENA_NEW(run->arena, const char *, run->count), 0};
    const struct labels recorded = recorded_labels(run);
    SCOPED(text) lacks = {0}, left_out = {0};
    bool has_poses = true;
    if (!suite_has_golden(run->c) || !run->golden.exists)
        return;
    for (size_t i = 0; i < run->count; i++) {
        const struct sample *sample = &run->samples[i];
        bool has_picture = run->out.result->times[i].image.state != IMAGE_MISSING;
        sampled.items[sampled.count++] = sample->label;
        if (sample->golden && has_picture)
            compared.items[compared.count++] = sample->label;
        has_poses = has_poses && sample->golden;
    }
    sampled.count = sort_once(sampled.items, sampled.count);
    compared.count = sort_once(compared.items, compared.count);
    size_t missing = list_missing(&sampled, &compared, &lacks), surplus = list_missing(&recorded, &sampled, &left_out);
    if (missing > 0) {
        const char *what =
            arena_printf(run->arena, "no golden%s for %s", has_poses ? " picture" : "", text_string(&lacks));
        if (run->count > 1)
            what = arena_printf(run->arena, "compared at %zu of %zu times: %s", compared.count, run->count, what);
        facts->missing_what =
            facts->missing_what ? arena_printf(run->arena, "%s; %s", facts->missing_what, what) : what;
    }
    if (surplus > 0)
        facts->not_sampled = arena_printf(run->arena, "%s of the golden %s not among the times of the case",
                                          text_string(&left_out), surplus > 1 ? "are" : "is");
}
