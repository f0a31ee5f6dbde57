/* Nodes: who is there, under whom, and with what transform at rest. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/match/matrix_change.h"
#include "compare/format_number.h"

/* ---- who is there ------------------------------------------------------------------------------------------------ */

/* ", above `rig` and 2 more": the children of a node that the other side has too. "" when there are none. */
static const char *name_matched_children(const struct import_context *c, const struct match_list *list,
                                         const int32_t *matched, const struct skeleton *skeleton, size_t node)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = node + 1; i < list->count; i++) {
        if (skeleton->parents[i] != (int32_t)node || matched[i] == NO_INDEX)
            continue;
        first = first ? first : list->keys[i].name;
        count++;
    }
    return count == 0   ? ""
           : count == 1 ? arena_printf(c->arena, ", above `%s`", first)
                        : arena_printf(c->arena, ", above `%s` and %zu more", first, count - 1);
}

/* Nodes that only one side has, told at the topmost: `below` counts those under it that share its fate. */
static void report_one_sided(const struct import_context *c, const struct match_list *list, const int32_t *matched,
                           const struct skeleton *skeleton, const char *state)
{
    size_t *below = ARENA_NEW(c->arena, size_t, list->count);
    size_t tops = 0, all = 0;
    for (size_t i = list->count; i-- > 0;) {
        int32_t parent = skeleton->parents[i];
        if (matched[i] != NO_INDEX)
            continue;
        all++;
        if (parent != NO_INDEX && matched[parent] == NO_INDEX)
            below[parent] += below[i] + 1;
        else
            tops++;
    }
    struct grouping grouping =
        grouping_begin(c->out, "",
                   all > tops ? arena_printf(c->arena, " nodes are %s, with %zu below them", state, all - tops)
                              : arena_printf(c->arena, " nodes are %s", state));
    for (size_t i = 0; i < list->count; i++) {
        int32_t parent = skeleton->parents[i];
        struct finding finding = import_finding(list->keys[i].name);
        if (matched[i] != NO_INDEX || (parent != NO_INDEX && matched[parent] == NO_INDEX))
            continue;
        if (below[i] == 0)
            grouping_add(&grouping, &finding, NULL, "node `%s` is %s%s", finding.subject, state,
                     name_matched_children(c, list, matched, skeleton, i));
        else
            grouping_add(&grouping, &finding, NULL, "node `%s` is %s, with %zu node%s below it", finding.subject, state,
                     below[i], format_plural(below[i]));
    }
    grouping_end(&grouping);
}

/* ---- transforms -------------------------------------------------------------------------------------------------- */

struct node_change {
    struct finding finding;
    struct affine_d was;
    struct affine_d now;
    double length; /* that counts as nothing in the parent's space */
    double ratio;  /* of translations, 0 when there is more to it */
    const char *detail;
    bool told;
};

/*
 * What a change from `was` to `now`, in the space that `around` takes to the scene, does to the points of node i's
 * shell. Fills the figures.
 */
static void measure_change(const struct import_context *c, size_t i, const struct affine_d *around,
                           const struct affine_d *was, const struct affine_d *now, struct finding *finding)
{
    double points[6][3], zero[3] = {0, 0, 0};
    struct affine_d before = affine_d_mul(around, was), after = affine_d_mul(around, now);
    skeleton_probe_points(&c->golden_nodes, i, points);
    finding->distance = 0;
    for (int p = 0; p < 6; p++)
        finding->distance = fmax(finding->distance, affine_d_gap(&before, &after, points[p]));
    finding->displacement = finding->distance / c->radius;
    finding->degrees = affine_d_degrees(was, now);
    finding->translation = affine_d_gap(&before, &after, zero);
    finding->scale_percent = affine_d_scale_percent(was, now);
}

static const char *describe(const struct import_context *c, size_t i, const char *axis, const struct finding *finding)
{
    struct text text = {0};
    change_describe(finding->degrees, axis, finding->translation, finding->scale_percent,
                    c->golden_nodes.influence_radius[i], finding->distance, c->unit_meters, &text);
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

static struct node_change change_of(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t parent = c->golden_nodes.parents[golden];
    const struct affine_d *around = parent == NO_INDEX ? &affine_d_identity : &c->golden_nodes.node_to_scene[parent];
    struct node_change change = {
        .finding = import_finding(c->golden->nodes[golden].name),
        .was = affine_d_from(c->golden->nodes[golden].local_to_parent),
        .now = affine_d_from(c->actual->nodes[actual].local_to_parent),
    };
    double scale = affine_d_scale(around);
    change.length = 1e-4 * c->radius / (scale > 0 ? scale : 1.0);
    measure_change(c, golden, around, &change.was, &change.now, &change.finding);
    change.detail = describe(c, golden, change_axis(&change.was, &change.now), &change.finding);
    return change;
}

static void report_pattern(const struct import_context *c, struct node_change *changes, unsigned *patterns,
                           size_t count, enum matrix_pattern pattern)
{
    struct grouping grouping = grouping_begin(c->out, "local transforms of ",
                                  arena_printf(c->arena, " nodes %s", matrix_pattern_says(pattern, true)));
    for (size_t i = 0; i < count; i++) {
        struct node_change *change = &changes[i];
        if (!(patterns[i] >> pattern & 1u))
            continue;
        patterns[i] = 0;
        change->told = true;
        grouping_add(&grouping, &change->finding, NULL, "local transform of node `%s` %s", change->finding.subject,
                 matrix_pattern_says(pattern, false));
    }
    grouping_end(&grouping);
}

static void report_patterns(const struct import_context *c, struct node_change *changes, size_t count)
{
    unsigned *patterns = ARENA_NEW(c->arena, unsigned, count);
    enum matrix_pattern pattern;
    for (size_t i = 0; i < count; i++)
        patterns[i] = matrix_patterns(&changes[i].was, &changes[i].now, changes[i].length);
    while ((pattern = matrix_pattern_of_most(patterns, count)) != MATRIX_PATTERN_COUNT)
        report_pattern(c, changes, patterns, count, pattern);
}

/* What follows no pattern. */
static void report_each(const struct import_context *c, const struct node_change *changes, size_t count)
{
    struct grouping grouping = grouping_begin(c->out, "local transforms of ", " nodes differ");
    for (size_t i = 0; i < count; i++)
        if (!changes[i].told)
            grouping_add(&grouping, &changes[i].finding, changes[i].detail, "local transform of node `%s`: %s",
                     changes[i].finding.subject, changes[i].detail);
    grouping_end(&grouping);
}

static double ratio_of_worst(const struct node_change *changes, size_t count)
{
    const struct node_change *worst = NULL;
    for (size_t i = 0; i < count; i++)
        if (changes[i].ratio > 0 && (!worst || changes[i].finding.displacement > worst->finding.displacement))
            worst = &changes[i];
    return worst ? worst->ratio : 0;
}

/* Translations that several nodes have so many times longer: another unit. */
static void report_longer_translations(const struct import_context *c, struct node_change *changes, size_t count)
{
    double ratio = ratio_of_worst(changes, count);
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += ratio > 0 && fabs(changes[i].ratio - ratio) <= 1e-3 * ratio;
    if (alike < 2)
        return;
    const char *factor = arena_string(c->arena, format_factor(ratio, "longer", "shorter").text);
    struct grouping grouping = grouping_begin(c->out, "translations of ", " nodes");
    grouping.details_are_predicates = true;
    for (size_t i = 0; i < count; i++) {
        struct node_change *change = &changes[i];
        if (fabs(change->ratio - ratio) > 1e-3 * ratio)
            continue;
        change->told = true;
        grouping_add(&grouping, &change->finding, arena_printf(c->arena, "are %s", factor),
                     "translation of node `%s` is %s", change->finding.subject, factor);
    }
    grouping_end(&grouping);
}

static void report_changes(const struct import_context *c, struct node_change *changes, size_t count)
{
    report_patterns(c, changes, count);
    for (size_t i = 0; i < count; i++)
        if (!changes[i].told)
            changes[i].ratio = matrix_translation_ratio(&changes[i].was, &changes[i].now, changes[i].length);
    report_longer_translations(c, changes, count);
    report_each(c, changes, count);
}

/* ---- parents ----------------------------------------------------------------------------------------------------- */

static int32_t expected_parent(const struct import_context *c, size_t golden)
{
    int32_t parent = c->golden_nodes.parents[golden];
    return parent == NO_INDEX ? NO_INDEX : c->nodes.to_actual[parent];
}

static bool has_other_parent(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t parent = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    if (parent == NO_INDEX || now == NO_INDEX)
        return parent != now;
    return expected_parent(c, golden) != now;
}

/* "lost its parent `rig` (now under `root`)". */
static const char *describe_parents(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t was = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    const char *now_name = now == NO_INDEX ? NULL : c->actual->nodes[now].name;
    const char *news = now != NO_INDEX && c->nodes.to_golden[now] == NO_INDEX ? ", which is new" : "";
    if (was == NO_INDEX)
        return arena_printf(c->arena, "had no parent and is under `%s` now%s", now_name, news);
    const char *was_name = c->golden->nodes[was].name;
    const char *gone = c->nodes.to_actual[was] == NO_INDEX ? ", which is gone" : "";
    if (now == NO_INDEX)
        return arena_printf(c->arena, "lost its parent `%s`%s (it has none now)", was_name, gone);
    return arena_printf(c->arena, "lost its parent `%s`%s (now under `%s`%s)", was_name, gone, now_name, news);
}

/* "`root`, not `rig`": for several that share it. */
static const char *name_parents(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t was = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    return arena_printf(c->arena, "%s%s%s, not %s%s%s", now == NO_INDEX ? "" : "`",
                        now == NO_INDEX ? "none" : c->actual->nodes[now].name, now == NO_INDEX ? "" : "`",
                        was == NO_INDEX ? "" : "`", was == NO_INDEX ? "none" : c->golden->nodes[was].name,
                        was == NO_INDEX ? "" : "`");
}

static void add_parent_change(const struct import_context *c, size_t golden, size_t actual, struct grouping *grouping)
{
    struct finding finding = import_finding(c->golden->nodes[golden].name);
    measure_change(c, golden, &affine_d_identity, &c->golden_nodes.node_to_scene[golden],
                   &c->actual_nodes.node_to_scene[actual], &finding);
    const char *parents = describe_parents(c, golden, actual);
    const char *off = arena_printf(c->arena, ": it is off by %s", describe(c, golden, "", &finding));
    bool stays = !(finding.displacement > c->tolerance->import);
    grouping_add(grouping, &finding, name_parents(c, golden, actual), "node `%s` %s%s", finding.subject, parents,
             stays ? ", but stands where it stood" : off);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* The first sibling that stands before another one now; nodes that moved to another parent are told already. */
static void report_order_of_siblings(const struct import_context *c)
{
    size_t count = c->nodes.golden_count;
    int32_t *last = ARENA_NEW(c->arena, int32_t, count + 1); /* golden index + 1 of the last sibling seen */
    for (size_t i = 0; i < count; i++) {
        int32_t actual = c->nodes.to_actual[i], parent = c->golden_nodes.parents[i];
        if (actual == NO_INDEX || has_other_parent(c, i, (size_t)actual))
            continue;
        int32_t *sibling = &last[parent == NO_INDEX ? count : (size_t)parent];
        if (*sibling > 0 && c->nodes.to_actual[*sibling - 1] > actual) {
            struct finding finding = import_finding(c->golden->nodes[i].name);
            finding.benign = true;
            findings_add(c->out, &finding, "nodes come in another order: `%s` before its sibling `%s`", finding.subject,
                         c->golden->nodes[*sibling - 1].name);
            return;
        }
        *sibling = (int32_t)i + 1;
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool have_equal_bytes(const struct import_context *c, size_t golden, size_t actual)
{
    return memcmp(c->golden->nodes[golden].local_to_parent, c->actual->nodes[actual].local_to_parent, sizeof(mat4)) ==
           0;
}

void import_compare_nodes(const struct import_context *c)
{
    struct match_list golden = import_list_nodes(c->golden, c->arena), actual = import_list_nodes(c->actual, c->arena);
    struct node_change *changes = ARENA_NEW(c->arena, struct node_change, golden.count);
    struct grouping parents = grouping_begin(c->out, "", " nodes have another parent");
    size_t count = 0;
    report_one_sided(c, &golden, c->nodes.to_actual, &c->golden_nodes, "gone");
    report_one_sided(c, &actual, c->nodes.to_golden, &c->actual_nodes, "new");
    report_renames(c, &c->node_names, "node", "nodes");
    for (size_t i = 0; i < golden.count; i++) {
        int32_t other = c->nodes.to_actual[i];
        if (other == NO_INDEX)
            continue;
        if (has_other_parent(c, i, (size_t)other)) {
            add_parent_change(c, i, (size_t)other, &parents);
        } else if (!have_equal_bytes(c, i, (size_t)other)) {
            changes[count] = change_of(c, i, (size_t)other);
            count += changes[count].finding.displacement > c->tolerance->import;
        }
    }
    grouping_end(&parents);
    report_changes(c, changes, count);
    report_order_of_siblings(c);
}
