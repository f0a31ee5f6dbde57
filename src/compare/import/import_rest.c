/* Axes, unit, cameras, notes; and the order in which an import is compared. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/import/import_context.h"
#include "compare/format_number.h"

/* ---- axes and unit ----------------------------------------------------------------------------------------------- */

static void compare_head(const struct import_context *c)
{
    const struct import_snapshot *was = c->golden, *now = c->actual;
    struct finding finding = import_finding(NULL);
    if (strcmp(was->up, now->up) != 0)
        findings_add(c->out, &finding, "the up axis is %s, was %s", now->up, was->up);
    bool stated = was->unit_meters > 0, states = now->unit_meters > 0;
    if (stated && states && fabs(now->unit_meters / was->unit_meters - 1.0) > c->tolerance->import) {
        struct formatted_pair unit = format_numbers(now->unit_meters, was->unit_meters);
        findings_add(c->out, &finding, "one unit is %s m, was %s m", unit.now, unit.was);
    } else if (stated != states) {
        struct formatted_pair unit = format_numbers(now->unit_meters, was->unit_meters);
        findings_add(c->out, &finding,
                     stated ? "the file's unit is not known any more, was %s m" : "the file's unit is known now: %s m",
                     stated ? unit.was : unit.now);
    }
}

/* ---- cameras ----------------------------------------------------------------------------------------------------- */

static struct match_list list_cameras(const struct import_snapshot *import, struct arena *arena)
{
    struct match_list list = match_list_create(import->camera_count, arena);
    for (uint32_t i = 0; i < import->camera_count; i++)
        list.keys[i] = (struct match_key){import->cameras[i].name, NULL};
    return list;
}

static bool are_alike_cameras(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct camera_snapshot *g = &c->golden->cameras[golden], *a = &c->actual->cameras[actual];
    return same_name(&c->node_names, g->node, a->node) && fabs((double)g->fov_y - (double)a->fov_y) <= 1e-4 &&
           fabs((double)g->ortho_height - (double)a->ortho_height) <= 1e-4 * fabs((double)g->ortho_height);
}

static void compare_camera(const struct import_context *c, const struct camera_snapshot *was,
                           const struct camera_snapshot *now)
{
    const double to_degrees = 180.0 / acos(-1.0);
    struct finding finding = import_finding(was->name);
    if (!same_name(&c->node_names, was->node, now->node))
        findings_add(c->out, &finding, "camera `%s` hangs on %s now, was on %s", was->name,
                     now->node ? arena_printf(c->arena, "`%s`", now->node) : "no node",
                     was->node ? arena_printf(c->arena, "`%s`", was->node) : "no node");
    if (fabs((double)now->fov_y - (double)was->fov_y) > c->tolerance->import) {
        struct formatted_pair fov = format_numbers(to_degrees * (double)now->fov_y, to_degrees * (double)was->fov_y);
        findings_add(c->out, &finding, "camera `%s` sees %s° of height, was %s°", was->name, fov.now, fov.was);
    }
    double before = (double)was->ortho_height, after = (double)now->ortho_height;
    if (fabs(after - before) > c->tolerance->import * fmax(fabs(before), 1e-3)) {
        struct formatted_pair height = format_numbers(2.0 * after, 2.0 * before);
        findings_add(c->out, &finding, "camera `%s` is %s units high, was %s", was->name, height.now, height.was);
    }
}

void import_compare_cameras(const struct import_context *c)
{
    struct match_list golden = list_cameras(c->golden, c->arena), actual = list_cameras(c->actual, c->arena);
    struct matching cameras = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    match_renamed(&cameras, are_alike_cameras, c);
    report_matching(c, &cameras, &golden, &actual, "camera", "cameras");
    for (size_t i = 0; i < golden.count; i++)
        if (cameras.to_actual[i] != NO_INDEX)
            compare_camera(c, &c->golden->cameras[i], &c->actual->cameras[cameras.to_actual[i]]);
    report_order(c, &cameras, &golden, "cameras");
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static struct match_list list_notes(const struct note_snapshot *notes, uint32_t count, struct arena *arena)
{
    struct match_list list = match_list_create(count, arena);
    for (uint32_t i = 0; i < count; i++)
        list.keys[i] = (struct match_key){notes[i].id, notes[i].text};
    return list;
}

/* One kind of note on both sides. */
struct note_lists {
    const char *noun;
    const char *gone; /* "is gone", of one */
    const char *gone_many;
    const struct note_snapshot *was, *now;
    uint32_t was_count, now_count;
    enum finding_kind kind; /* of one that only one side has */
};

/* Repairs and warnings explain what changed; they are no change of their own. */
static void compare_notes(const struct import_context *c, const struct note_lists *notes)
{
    const char *noun = notes->noun;
    struct match_list golden = list_notes(notes->was, notes->was_count, c->arena);
    struct match_list actual = list_notes(notes->now, notes->now_count, c->arena);
    struct matching matching = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    struct grouping gones = grouping_begin(c->out, "", arena_printf(c->arena, " %ss %s", noun, notes->gone_many));
    struct grouping news = grouping_begin(c->out, "", arena_printf(c->arena, " %ss are new", noun));
    struct grouping texts = grouping_begin(c->out, "", arena_printf(c->arena, " %ss say something else", noun));
    for (size_t i = 0; i < golden.count; i++) {
        int32_t other = matching.to_actual[i];
        const struct note_snapshot *was = &notes->was[i];
        struct finding finding = import_finding(was->id);
        finding.benign = true;
        finding.kind = other == NO_INDEX ? notes->kind : FINDING_DIFFERENCE;
        if (other == NO_INDEX)
            grouping_add(&gones, &finding, NULL, "%s `%s` %s; it said: %s", noun, was->id, notes->gone, was->text);
        else if (strcmp(was->text, notes->now[other].text) != 0)
            grouping_add(&texts, &finding, NULL, "%s `%s` says: %s; it said: %s", noun, was->id, notes->now[other].text,
                     was->text);
    }
    for (size_t i = 0; i < actual.count; i++) {
        struct finding finding = import_finding(notes->now[i].id);
        finding.benign = true;
        finding.kind = notes->kind;
        if (matching.to_golden[i] == NO_INDEX)
            grouping_add(&news, &finding, NULL, "%s `%s` is new: %s", noun, notes->now[i].id, notes->now[i].text);
    }
    grouping_end(&news);
    grouping_end(&gones);
    grouping_end(&texts);
}

void import_compare_notes(const struct import_context *c)
{
    const struct import_snapshot *was = c->golden, *now = c->actual;
    const struct note_lists repairs = {
        "repair",     "was not needed any more", "were not needed any more", was->repairs,
        now->repairs, was->repair_count,         now->repair_count,        FINDING_REPAIR};
    const struct note_lists warnings = {"warning",     "is gone",          "are gone",        was->warnings,
                                        now->warnings, was->warning_count, now->warning_count,
                                        FINDING_DIFFERENCE};
    compare_notes(c, &repairs);
    compare_notes(c, &warnings);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void compare_import(const struct import_snapshot *golden, const struct import_snapshot *actual,
                    const struct tolerance *tolerance, struct findings *out)
{
    struct import_context c = import_context_create(golden, actual, tolerance, out);
    compare_head(&c);
    import_match_nodes(&c);
    import_match_materials(&c);
    import_match_meshes(&c);
    import_compare_nodes(&c);
    import_compare_duplicates(&c);
    import_compare_clips(&c);
    import_compare_meshes(&c);
    import_compare_bones(&c);
    import_compare_attributes(&c);
    import_compare_targets(&c);
    import_compare_materials(&c);
    import_compare_cameras(&c);
    import_compare_notes(&c);
}
