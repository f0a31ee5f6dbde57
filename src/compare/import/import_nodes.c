/* Nodes: who is there, under whom, and with what transform at rest. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "compare/import/import_compare.h"

/* Fills the figures of what a node's own transform does to what is below it; false where it leaves all in place. */
static bool measure_own(const struct import_context *c, const struct affine_d *local, double scale,
                        struct finding *finding)
{
    enum { PARTS = 10000 };
    const struct affine_d *none = &affine_d_identity;
    const double zero[3] = {0, 0, 0}, degrees = affine_d_degrees(none, local),
                 translation = scale * affine_d_gap(none, local, zero), percent = affine_d_scale_percent(none, local);
    finding->degrees = PARTS * degrees > 1 ? degrees : 0;
    finding->translation = PARTS * translation > c->radius ? translation : 0;
    finding->scale_percent = PARTS * fabs(percent) > 1 ? percent : 0;
    return finding->degrees > 0 || finding->translation > 0 || finding->scale_percent != 0;
}

/* Nodes that only one side has, said at the topmost: `below` counts those under it that share its fate. */
static void find_one_sided(struct import_context *c, const struct match_list *list, const int32_t *matched,
                           const struct skeleton *skeleton, enum finding_code code)
{
    size_t *below = ARENA_NEW(c->arena, size_t, list->count), all_below = 0;
    const struct node_snapshot *nodes = code == CODE_NEW ? c->actual->nodes : c->golden->nodes;
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
        const char *child = NULL; /* that the other side has too */
        size_t more = 0;
        for (size_t k = i + 1; k < list->count && below[i] == 0; k++)
            if (skeleton->parents[k] == (int32_t)i && matched[k] != NO_INDEX) {
                more += child != NULL;
                child = child ? child : list->keys[k].name;
            }
        const char *phrase = below[i] > 0        ? ", with {now} node{s} below it"
                             : child && more > 0 ? ", above {now} and {was} more"
                             : child             ? ", above {now}"
                                                 : "";
        const struct affine_d local = affine_d_from(nodes[i].local_to_parent);
        const double scale = parent == NO_INDEX ? 1.0 : affine_d_scale(&skeleton->node_to_scene[parent]);
        if (child && measure_own(c, &local, scale, &finding))
            phrase = arena_printf(c->arena, "%s: {figures}", phrase);
        import_change(c, code, &finding, phrase, child ? value_name(child) : value_count(below[i]), value_count(more));
    }
    c->scope.extra = NULL;
}

/*
 * Measures what a change from `was` to `now`, in the space that `around` takes to the scene, does to node i's probe
 * points. Fills the figures; whether it is beyond the tolerance.
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

/* "`rig`, which is gone"; the name of a node, or "none". */
static struct value value_of_node(const struct import_context *c, const struct node_snapshot *nodes, int32_t node,
                                  const int32_t *matched, const char *if_unmatched)
{
    if (node == NO_INDEX)
        return value_words("none");
    return value_words(
        arena_printf(c->arena, "`%s`%s", nodes[node].name, matched[node] == NO_INDEX ? if_unmatched : ""));
}

/* "lost its parent `rig` (now under `root`): it is off by 3 cm". */
static void find_parent(struct import_context *c, size_t golden, size_t actual)
{
    struct finding finding = import_finding(c->golden->nodes[golden].name, NULL);
    const struct matching *nodes = &c->matched[NOUN_NODE];
    int32_t was = c->golden_nodes.parents[golden], now = c->actual_nodes.parents[actual];
    bool is_off = measure_change(c, golden, &affine_d_identity, &c->golden_nodes.node_to_scene[golden],
                                 &c->actual_nodes.node_to_scene[actual], &finding);
    const char *phrase = was == NO_INDEX   ? "had no parent and is now under {now}"
                         : now == NO_INDEX ? "lost its parent {was} (it has none now)"
                                           : "lost its parent {was} (now under {now})";
    const char *place = is_off ? ": it is off by {figures}" : ", but stands where it stood";
    import_beyond(c, &finding, INFINITY);
    struct change *change = import_change(c, CODE_NODE_PARENT, &finding, arena_printf(c->arena, "%s%s", phrase, place),
                                          value_of_node(c, c->actual->nodes, now, nodes->to_golden, ", which is new"),
                                          value_of_node(c, c->golden->nodes, was, nodes->to_actual, ", which is gone"));
    change->says.detail = "{now}, not {was}";
    change->says.influence_radius = c->golden_nodes.influence_radius[golden];
}

/* The first sibling that stands before another one now; nodes that moved to another parent are said already. */
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
            const char *before = arena_printf(c->arena, "its sibling `%s`", c->golden->nodes[*sibling - 1].name);
            import_note(c, CODE_ORDER, c->golden->nodes[i].name, NULL, "", value_words(before), no_value);
            return;
        }
        *sibling = (int32_t)i + 1;
    }
}

static struct value value_of_place(const struct import_context *c, const struct node_snapshot *node)
{
    return value_words(node->parent ? arena_printf(c->arena, "under `%s`", node->parent) : "at the root");
}

/* Bones are known by name, so only the nodes themselves say which of several is the bone. */
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
        return; /* the mesh has lost the bone, which is said there */
    import_note(c, CODE_NODE_BONE, was->name, NULL,
                names_equal(other->parent, was->parent)
                    ? "another node of its name now: there are several {now}"
                    : "the node {now} now, was the one {was}",
                value_of_place(c, other), value_of_place(c, was));
}

void import_compare_nodes(struct import_context *c)
{
    const struct matching *nodes = &c->matched[NOUN_NODE];
    const struct skeleton *skeleton = &c->golden_nodes;
    struct matrix_changes changes = {.code = CODE_NODE_LOCAL,
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
