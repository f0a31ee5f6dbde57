/* Clips: which, how long, in which order; their channels are in import_channels.c. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

static struct match_list list_clips(const struct import_snapshot *import, struct arena *arena)
{
    struct match_list list = match_list_create(import->clip_count, arena);
    for (uint32_t i = 0; i < import->clip_count; i++)
        list.keys[i] = (struct match_key){import->clips[i].name, NULL};
    return list;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

/* A name without an exporter's prefix: "rig|walk" is "walk". */
static const char *base_of_name(const char *name)
{
    const char *bar = strrchr(name, '|');
    return bar ? bar + 1 : name;
}

static bool have_equal_base_names(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    return strcmp(base_of_name(c->golden->clips[golden].name), base_of_name(c->actual->clips[actual].name)) == 0;
}

static bool have_equal_content(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct clip_snapshot *g = &c->golden->clips[golden], *a = &c->actual->clips[actual];
    bool equal = g->channel_count == a->channel_count && g->morph_count == a->morph_count &&
                 fabs(g->duration - a->duration) <= 1e-4 * fmax(g->duration, a->duration);
    for (uint32_t i = 0; equal && i < g->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++)
            equal = equal && g->channels[i].keys[k].count == a->channels[i].keys[k].count;
    return equal;
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

static void compare_length(const struct import_context *c, const struct clip_snapshot *was,
                           const struct clip_snapshot *now, struct grouping *grouping)
{
    struct finding finding = import_finding(was->name);
    double before = was->duration, after = now->duration;
    if (fabs(after - before) <= c->tolerance->import * fmax(before, 1e-3))
        return;
    struct formatted_pair lasts = format_durations(after, before);
    double ratio = before > 0 && after > 0 ? after / before : 0;
    if (ratio > 0 && (ratio >= 1.5 || ratio <= 1.0 / 1.5)) {
        const char *factor = arena_string(c->arena, format_factor(ratio, "longer", "shorter").text);
        grouping_add(grouping, &finding, factor, "clip `%s` is %s (%s, was %s)", was->name, factor, lasts.now,
                     lasts.was);
    } else {
        grouping_add(grouping, &finding, arena_printf(c->arena, "%s, was %s", lasts.now, lasts.was),
                 "clip `%s` lasts %s, was %s", was->name, lasts.now, lasts.was);
    }
}

static void compare_ticks(const struct import_context *c, const struct clip_snapshot *was,
                          const struct clip_snapshot *now, struct grouping *grouping)
{
    struct finding finding = import_finding(was->name);
    double before = was->ticks_per_second, after = now->ticks_per_second;
    if (fabs(after - before) <= c->tolerance->import * fmax(fabs(before), 1e-3))
        return;
    struct formatted_pair ticks = format_numbers(after, before);
    grouping_add(grouping, &finding, arena_printf(c->arena, "%s, were %s", ticks.now, ticks.was),
             "clip `%s` has %s ticks per second, had %s", was->name, ticks.now, ticks.was);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Who names no clip gets the first. */
static bool report_first(const struct import_context *c)
{
    if (c->golden->clip_count == 0 || c->actual->clip_count == 0 || c->clips.to_actual[0] == 0)
        return false;
    struct finding finding = import_finding(c->golden->clips[0].name);
    finding.benign = true;
    findings_add(c->out, &finding, "the first clip is `%s` now, was `%s`: who names no clip gets another one",
                 c->actual->clips[0].name, finding.subject);
    return true;
}

void import_compare_clips(struct import_context *c)
{
    struct match_list golden = list_clips(c->golden, c->arena), actual = list_clips(c->actual, c->arena);
    struct grouping lengths = grouping_begin(c->out, "", " clips last longer or shorter");
    struct grouping ticks = grouping_begin(c->out, "ticks per second of ", " clips changed");
    c->clips = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    match_renamed(&c->clips, have_equal_base_names, c);
    match_renamed(&c->clips, have_equal_content, c);
    report_matching(c, &c->clips, &golden, &actual, "clip", "clips");
    for (size_t i = 0; i < golden.count; i++) {
        if (c->clips.to_actual[i] == NO_INDEX)
            continue;
        compare_length(c, &c->golden->clips[i], &c->actual->clips[c->clips.to_actual[i]], &lengths);
        compare_ticks(c, &c->golden->clips[i], &c->actual->clips[c->clips.to_actual[i]], &ticks);
    }
    grouping_end(&lengths);
    grouping_end(&ticks);
    for (size_t i = 0; i < golden.count; i++)
        if (c->clips.to_actual[i] != NO_INDEX)
            import_compare_channels(c, &c->golden->clips[i], &c->actual->clips[c->clips.to_actual[i]]);
    if (!report_first(c))
        report_order(c, &c->clips, &golden, "clips");
}
