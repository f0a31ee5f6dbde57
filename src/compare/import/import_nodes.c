/* Nodes: who is there, under whom, and with what transform at rest. */
#include <math.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/import/import_compare.h"
#include "compare/match/matrix_change.h"

/* Nodes that only one side has, told at the topmost: `below` counts those under it that share its fate. */
static void find_one_sided(struct import_context *c, const struct match_list *list, const int32_t *matched,
                           const struct skeleton *skeleton, enum finding_code kind)
{
    size_t *below = ARENA_NEW(c->arena, size_t, list->count), all_below = 0;
    for (size_t i = list->count; i-- > 0;) {
        int32_t parent = skeleton->parents[i];
        if (matched[i] == NO_INDEX && parent != NO_INDEX && matched[parent] == NO_INDEX) {
            below[parent] += below[i] + 1;
            all_below++;
        }
    }
    c->scope.extra = all_below > 0 ? arena_printf(c->arena, ", with %zu below them", all_below) : NULL;
    for (size_t i = 0; i < list->count; i++) {
        int32_t parent = skeleton->parents[i];
        struct finding finding = import_finding(list->keys[i].name, NULL);
        if (matched[i] != NO_INDEX || (parent != NO_INDEX && matched[parent] == NO_INDEX))
            continue;
        const char *child = NULL, *says = NULL; /* a child that the other side has too */
        size_t more = 0;
        for (size_t k = i + 1; k < list->count && below[i] == 0; k++)
            if (skeleton->parents[k] == (int32_t)i && matched[k] != NO_INDEX) {
                more += child != NULL;
                child = child ? child : list->keys[k].name;
            }
        if (below[i] > 0)
            says = arena_printf(c->arena, ", with %zu node%s below it", below[i], format_plural(below[i]));
        else if (child && more > 0)
            says = arena_printf(c->arena, ", above `%s` and %zu more", child, more);
        else if (child)
            says = arena_printf(c->arena, ", above `%s`", child);
        import_change(c, kind, &finding, says, NULL);
    }
    c->scope.extra = NULL;
}

/*
 * What a change from `was` to `now`, in the space that `around` takes to the scene, does to node i's probe points.
 * Fills the figures; whether it is beyond the tolerance.
 */
static bool measure_change(struct import_context *c, size_t i, const struct affine_d *around,
                           const struct affine_d *was, const struct affine_d *now, struct finding *finding)
{
    double points[6][3], zero[3] = {0, 0, 0}, distance = 0;
    struct affine_d before = affine_d_mul(around, was), after = affine_d_mul(around, now);
    skeleton_probe_points(&c->golden_nodes, i, points);
    for (int p = 0; p < 6; p++)
        distance = worse(distance, affine_d_gap(&before, &after, points[p]));
    finding->degrees = affine_d_degrees(was, now);
    finding->translation = affine_d_gap(&before, &after, zero);
    finding->scale_percent = affine_d_scale_percent(was, now);
    return import_displaced(c, finding, distance);
}

static bool has_other_parent(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t parent = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    if (parent == NO_INDEX || now == NO_INDEX)
        return parent != now;
    return c->matched[NOUN_NODE].to_actual[parent] != now;
}

/* "lost its parent `rig` (now under `root`): it is off by 3 cm". */
static void find_parent(struct import_context *c, size_t golden, size_t actual)
{
    struct finding finding = import_finding(c->golden->nodes[golden].name, NULL);
    int32_t was = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    const char *was_name = was == NO_INDEX ? "none" : arena_printf(c->arena, "`%s`", c->golden->nodes[was].name);
    const char *now_name = now == NO_INDEX ? "none" : arena_printf(c->arena, "`%s`", c->actual->nodes[now].name);
    const char *news = now != NO_INDEX && c->matched[NOUN_NODE].to_golden[now] == NO_INDEX ? ", which is new" : "";
    const char *gone = was != NO_INDEX && c->matched[NOUN_NODE].to_actual[was] == NO_INDEX ? ", which is gone" : "";
    const char *off = ", but stands where it stood";
    if (measure_change(c, golden, &affine_d_identity, &c->golden_nodes.node_to_scene[golden],
                       &c->actual_nodes.node_to_scene[actual], &finding)) {
        struct text text = {0};
        text_add(&text, ": it is off by ");
        change_describe(finding.degrees, "", finding.translation, finding.scale_percent,
                        c->golden_nodes.influence_radius[golden], finding.distance, c->unit_meters, &text);
        off = import_text(c, &text);
    }
    import_beyond(c, &finding, INFINITY);
    const char *says =
        was == NO_INDEX ? arena_printf(c->arena, "had no parent and is under %s now%s%s", now_name, news, off)
        : now == NO_INDEX
            ? arena_printf(c->arena, "lost its parent %s%s (it has none now)%s", was_name, gone, off)
            : arena_printf(c->arena, "lost its parent %s%s (now under %s%s)%s", was_name, gone, now_name, news, off);
    import_change(c, CODE_NODE_PARENT, &finding, says, arena_printf(c->arena, "%s, not %s", now_name, was_name));
}

/* The first sibling that stands before another one now; nodes that moved to another parent are told already. */
static void find_order_of_siblings(struct import_context *c)
{
    const struct matching *nodes = &c->matched[NOUN_NODE];
    size_t count = nodes->golden_count;
    int32_t *last = ARENA_NEW(c->arena, int32_t, count + 1); /* golden index + 1 of the last sibling seen */
    for (size_t i = 0; i < count; i++) {
        int32_t actual = nodes->to_actual[i], parent = c->golden_nodes.parents[i];
        if (actual == NO_INDEX || has_other_parent(c, i, (size_t)actual))
            continue;
        int32_t *sibling = &last[parent == NO_INDEX ? count : (size_t)parent];
        if (*sibling > 0 && nodes->to_actual[*sibling - 1] > actual) {
            struct finding finding = import_finding(c->golden->nodes[i].name, NULL);
            import_change(c, CODE_ORDER, &finding,
                          arena_printf(c->arena, "`%s` before its sibling `%s`", finding.subject,
                                       c->golden->nodes[*sibling - 1].name),
                          NULL);
            return;
        }
        *sibling = (int32_t)i + 1;
    }
}

/* Bones are told by name, so only the nodes themselves say which of several is the bone. */
static void find_bone(struct import_context *c, size_t golden, size_t actual)
{
    const struct node_snapshot *was = &c->golden->nodes[golden], *other = NULL;
    const struct matching *nodes = &c->matched[NOUN_NODE];
    if (!was->is_bone || c->actual->nodes[actual].is_bone)
        return;
    for (size_t i = 0; i < nodes->golden_count && !other; i++) {
        const struct node_snapshot *node = &c->golden->nodes[i];
        int32_t now = nodes->to_actual[i];
        if (now != NO_INDEX && !node->is_bone && c->actual->nodes[now].is_bone && strcmp(node->name, was->name) == 0)
            other = &c->actual->nodes[now];
    }
    if (!other)
        return; /* the mesh has lost the bone, which is told there */
    struct finding finding = import_finding(was->name, NULL);
    const char *place = other->parent ? arena_printf(c->arena, "under `%s`", other->parent) : "at the root";
    const char *before = was->parent ? arena_printf(c->arena, "under `%s`", was->parent) : "at the root";
    const char *says = strcmp(place, before) == 0
                           ? arena_printf(c->arena, "another node of its name now: there are several %s", place)
                           : arena_printf(c->arena, "the node %s now, was the one %s", place, before);
    import_change(c, CODE_NODE_BONE, &finding, says, NULL);
}

void import_compare_nodes(struct import_context *c)
{
    const struct matching *nodes = &c->matched[NOUN_NODE];
    const struct skeleton *skeleton = &c->golden_nodes;
    struct matrix_changes changes = {.kind = CODE_NODE_LOCAL,
                                     .items = ARENA_NEW(c->arena, struct matrix_change, nodes->golden_count)};
    find_one_sided(c, &c->was[NOUN_NODE], nodes->to_actual, skeleton, CODE_GONE);
    find_one_sided(c, &c->now[NOUN_NODE], nodes->to_golden, &c->actual_nodes, CODE_NEW);
    for (size_t i = 0; i < nodes->golden_count; i++) {
        if (nodes->to_actual[i] == NO_INDEX)
            continue;
        size_t other = (size_t)nodes->to_actual[i];
        const struct node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[other];
        int32_t parent = skeleton->parents[i];
        const struct affine_d *around = parent == NO_INDEX ? &affine_d_identity : &skeleton->node_to_scene[parent];
        double scale = affine_d_scale(around);
        if (has_other_parent(c, i, other)) {
            find_parent(c, i, other);
        } else if (memcmp(was->local_to_parent, now->local_to_parent, sizeof(mat4)) != 0) {
            struct matrix_change *change = &changes.items[changes.count];
            *change = (struct matrix_change){.finding = import_finding(was->name, NULL),
                                             .was = affine_d_from(was->local_to_parent),
                                             .now = affine_d_from(now->local_to_parent),
                                             .length = 1e-4 * c->radius / (scale > 0 ? scale : 1.0),
                                             .influence_radius = skeleton->influence_radius[i]};
            changes.count += measure_change(c, i, around, &change->was, &change->now, &change->finding);
        }
        find_bone(c, i, other);
    }
    import_say_matrices(c, &changes);
    find_order_of_siblings(c);
}
