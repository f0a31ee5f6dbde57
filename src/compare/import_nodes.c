/* Nodes: who is there, under whom, and with what transform at rest. */
#include <math.h>
#include <string.h>

#include "compare/import_context.h"
#include "compare/matrix_change.h"
#include "compare/node_matching.h"
#include "compare/phrase.h"
#include "compare/prefix.h"

static struct match_list list_nodes(const struct import_evidence *import, struct arena *arena)
{
    struct match_list list = match_list_create(import->node_count, arena);
    for (uint32_t i = 0; i < import->node_count; i++)
        list.keys[i] = (struct match_key){import->nodes[i].name, import->nodes[i].parent};
    return list;
}

/* ---- renames ---------------------------------------------------------------------------------------------------- */

struct rename_search {
    struct import_context *context;
    struct matching *nodes;
    struct children golden;
    struct children actual;
};

static size_t count_children(const struct children *c, int32_t node)
{
    size_t count = 0;
    for (int32_t child = c->first[node]; child != NO_INDEX; child = c->next[child])
        count++;
    return count;
}

static bool have_equal_transforms(const struct import_context *c, int32_t golden, int32_t actual)
{
    struct daffine was = daffine_from(c->golden->nodes[golden].local_to_parent);
    struct daffine now = daffine_from(c->actual->nodes[actual].local_to_parent);
    double length = 1e-4 * fmax(vector_distance(was.column[3], (double[]){0, 0, 0}), 1e-30);
    return daffine_near(&was, &now, 1e-4, length);
}

static bool are_alike(const struct rename_search *search, int32_t golden, int32_t actual)
{
    const struct import_context *c = search->context;
    return c->golden->nodes[golden].is_bone == c->actual->nodes[actual].is_bone &&
           count_children(&search->golden, golden) == count_children(&search->actual, actual) &&
           have_equal_transforms(c, golden, actual);
}

/* Unmatched nodes of one parent whose names the other side does not have at all; at most `most`. */
static size_t left_children(const struct children *c, size_t parent, const int32_t *matched,
                            const struct node_evidence *nodes, const struct name_index *others, int32_t *out,
                            size_t most)
{
    size_t count = 0;
    for (int32_t child = c->first[parent]; child != NO_INDEX && count < most; child = c->next[child])
        if (matched[child] == NO_INDEX && name_find(others, nodes[child].name) == NO_INDEX)
            out[count++] = child;
    return count;
}

/* Pairs nodes that are alike to nothing else among their siblings. */
static void pair_by_content(const struct rename_search *search, const int32_t *golden, size_t golden_count,
                            const int32_t *actual, size_t actual_count)
{
    struct matching *nodes = search->nodes;
    for (size_t g = 0; g < golden_count; g++) {
        size_t candidates = 0, rivals = 0, candidate = 0;
        for (size_t a = 0; a < actual_count; a++)
            if (nodes->to_golden[actual[a]] == NO_INDEX && are_alike(search, golden[g], actual[a])) {
                candidates++;
                candidate = a;
            }
        for (size_t other = 0; candidates == 1 && other < golden_count; other++)
            rivals += other != g && nodes->to_actual[golden[other]] == NO_INDEX &&
                      are_alike(search, golden[other], actual[candidate]);
        if (candidates == 1 && rivals == 0)
            match_pair(nodes, (size_t)golden[g], (size_t)actual[candidate]);
    }
}

/* Pairs siblings one to one in their order, when all that are left are alike in it. */
static void pair_by_place(const struct rename_search *search, const int32_t *golden, const int32_t *actual,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!are_alike(search, golden[i], actual[i]))
            return;
    for (size_t i = 0; i < count; i++)
        match_pair(search->nodes, (size_t)golden[i], (size_t)actual[i]);
}

/* Whether a child of the one has a namesake among those of the other. */
static bool share_a_child(const struct rename_search *search, int32_t golden, int32_t actual)
{
    enum { MOST = 16 };
    const struct import_context *c = search->context;
    int32_t g = search->golden.first[golden];
    for (int i = 0; g != NO_INDEX && i < MOST; i++, g = search->golden.next[g]) {
        int32_t a = search->actual.first[actual];
        for (int k = 0; a != NO_INDEX && k < MOST; k++, a = search->actual.next[a])
            if (strcmp(c->golden->nodes[g].name, c->actual->nodes[a].name) == 0)
                return true;
    }
    return false;
}

/* Nodes of one parent, on both sides, that may be each other under new names. */
enum { MOST_LEFT = 256 };

struct left_over {
    size_t golden_count;
    size_t actual_count;
    int32_t golden[MOST_LEFT];
    int32_t actual[MOST_LEFT];
};

static void find_left(const struct rename_search *search, size_t golden_parent, size_t actual_parent,
                      struct left_over *left)
{
    const struct import_context *c = search->context;
    left->golden_count = left_children(&search->golden, golden_parent, search->nodes->to_actual, c->golden->nodes,
                                       &c->actual_nodes.names, left->golden, MOST_LEFT);
    left->actual_count = left_children(&search->actual, actual_parent, search->nodes->to_golden, c->actual->nodes,
                                       &c->golden_nodes.names, left->actual, MOST_LEFT);
}

static void pair_renamed(void *context, struct matching *nodes, size_t golden_parent, size_t actual_parent)
{
    struct rename_search *search = context;
    struct left_over left;
    search->nodes = nodes;
    find_left(search, golden_parent, actual_parent, &left);
    if (left.golden_count == 0 || left.actual_count == 0 || left.golden_count == MOST_LEFT ||
        left.actual_count == MOST_LEFT)
        return;
    pair_by_content(search, left.golden, left.golden_count, left.actual, left.actual_count);
    find_left(search, golden_parent, actual_parent, &left);
    if (left.golden_count == left.actual_count)
        pair_by_place(search, left.golden, left.actual, left.golden_count);
    find_left(search, golden_parent, actual_parent, &left);
    if (left.golden_count != 1 || left.actual_count != 1)
        return;
    bool are_roots = golden_parent == search->golden.count;
    if (are_roots || share_a_child(search, left.golden[0], left.actual[0]))
        match_pair(nodes, (size_t)left.golden[0], (size_t)left.actual[0]);
}

/* The golden's names as they would be with another prefix, where the actual has such names. */
static struct match_list change_prefixes(const struct import_context *c, const struct match_list *golden,
                                         const struct match_list *actual)
{
    struct prefix_change change;
    if (!prefix_change_find(golden, actual, c->arena, &change))
        return *golden;
    struct name_index names = name_index_create(actual, c->arena);
    struct match_list list = match_list_create(golden->count, c->arena);
    for (size_t i = 0; i < list.count; i++) {
        const char *const was[2] = {golden->keys[i].name, golden->keys[i].context};
        const char *now[2];
        for (int k = 0; k < 2; k++) {
            bool stays = !was[k] || name_find(&names, was[k]) != NO_INDEX;
            now[k] = stays ? NULL : prefix_apply(&change, was[k], c->arena);
            if (!now[k] || name_find(&names, now[k]) == NO_INDEX)
                now[k] = was[k];
        }
        list.keys[i] = (struct match_key){now[0], now[1]};
    }
    return list;
}

void import_match_nodes(struct import_context *c)
{
    struct match_list golden = list_nodes(c->golden, c->arena), actual = list_nodes(c->actual, c->arena);
    struct match_list names = change_prefixes(c, &golden, &actual);
    const struct node_list golden_nodes = {&names, c->golden_nodes.parents};
    const struct node_list actual_nodes = {&actual, c->actual_nodes.parents};
    struct rename_search search = {.context = c,
                                   .golden = children_of(c->golden_nodes.parents, golden.count, c->arena),
                                   .actual = children_of(c->actual_nodes.parents, actual.count, c->arena)};
    c->nodes = match_nodes(&golden_nodes, &actual_nodes, &(struct pairing){pair_renamed, &search}, c->arena);
    c->node_names = renames_of(&c->nodes, &golden, &actual, c->arena);
}

/* ---- who is there ----------------------------------------------------------------------------------------------- */

/* Nodes that only one side has, told at the topmost: `below` counts those under it that share its fate. */
static void tell_one_sided(const struct import_context *c, const struct match_list *list, const int32_t *matched,
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
    struct fold fold =
        fold_begin(c->out, "",
                   all > tops ? arena_printf(c->arena, " nodes are %s, with %zu below them", state, all - tops)
                              : arena_printf(c->arena, " nodes are %s", state));
    for (size_t i = 0; i < list->count; i++) {
        int32_t parent = skeleton->parents[i];
        struct finding finding = import_finding(list->keys[i].name);
        if (matched[i] != NO_INDEX || (parent != NO_INDEX && matched[parent] == NO_INDEX))
            continue;
        if (below[i] == 0)
            fold_add(&fold, &finding, NULL, "node `%s` is %s", finding.subject, state);
        else
            fold_add(&fold, &finding, NULL, "node `%s` is %s, with %zu node%s below it", finding.subject, state,
                     below[i], phrase_plural(below[i]));
    }
    fold_end(&fold);
}

/* ---- transforms ------------------------------------------------------------------------------------------------- */

struct node_change {
    struct finding finding;
    struct daffine was;
    struct daffine now;
    double length; /* that counts as nothing in the parent's space */
    double ratio;  /* of translations, 0 when there is more to it */
    const char *detail;
    bool told;
};

/*
 * What a change from `was` to `now`, in the space that `around` takes to the scene, does to the points of node i's
 * shell. Fills the figures.
 */
static void measure_change(const struct import_context *c, size_t i, const struct daffine *around,
                           const struct daffine *was, const struct daffine *now, struct finding *finding)
{
    double points[6][3], zero[3] = {0, 0, 0};
    struct daffine before = daffine_mul(around, was), after = daffine_mul(around, now);
    skeleton_shell(&c->golden_nodes, i, points);
    finding->distance = 0;
    for (int p = 0; p < 6; p++)
        finding->distance = fmax(finding->distance, daffine_gap(&before, &after, points[p]));
    finding->displacement = finding->distance / c->radius;
    finding->degrees = daffine_degrees(was, now);
    finding->translation = daffine_gap(&before, &after, zero);
    finding->scale_percent = daffine_scale_percent(was, now);
}

static const char *describe(const struct import_context *c, size_t i, const char *axis, const struct finding *finding)
{
    struct text text = {0};
    change_describe(finding->degrees, axis, finding->translation, finding->scale_percent, c->golden_nodes.reach[i],
                    finding->distance, c->unit_meters, &text);
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

static struct node_change change_of(const struct import_context *c, size_t golden, size_t actual)
{
    int32_t parent = c->golden_nodes.parents[golden];
    const struct daffine *around = parent == NO_INDEX ? &daffine_identity : &c->golden_nodes.node_to_scene[parent];
    struct node_change change = {
        .finding = import_finding(c->golden->nodes[golden].name),
        .was = daffine_from(c->golden->nodes[golden].local_to_parent),
        .now = daffine_from(c->actual->nodes[actual].local_to_parent),
    };
    double scale = daffine_scale(around);
    change.length = 1e-4 * c->radius / (scale > 0 ? scale : 1.0);
    measure_change(c, golden, around, &change.was, &change.now, &change.finding);
    change.detail = describe(c, golden, change_axis(&change.was, &change.now), &change.finding);
    return change;
}

static void tell_pattern(const struct import_context *c, struct node_change *changes, unsigned *patterns, size_t count,
                         enum matrix_pattern pattern)
{
    struct fold fold = fold_begin(c->out, "local transforms of ",
                                  arena_printf(c->arena, " nodes %s", matrix_pattern_says(pattern, true)));
    for (size_t i = 0; i < count; i++) {
        struct node_change *change = &changes[i];
        if (!(patterns[i] >> pattern & 1u))
            continue;
        patterns[i] = 0;
        change->told = true;
        fold_add(&fold, &change->finding, NULL, "local transform of node `%s` %s", change->finding.subject,
                 matrix_pattern_says(pattern, false));
    }
    fold_end(&fold);
}

static void tell_patterns(const struct import_context *c, struct node_change *changes, size_t count)
{
    unsigned *patterns = ARENA_NEW(c->arena, unsigned, count);
    enum matrix_pattern pattern;
    for (size_t i = 0; i < count; i++)
        patterns[i] = matrix_patterns(&changes[i].was, &changes[i].now, changes[i].length);
    while ((pattern = matrix_pattern_of_most(patterns, count)) != MATRIX_PATTERN_COUNT)
        tell_pattern(c, changes, patterns, count, pattern);
}

/* What follows no pattern. */
static void tell_each(const struct import_context *c, const struct node_change *changes, size_t count)
{
    struct fold fold = fold_begin(c->out, "local transforms of ", " nodes differ");
    for (size_t i = 0; i < count; i++)
        if (!changes[i].told)
            fold_add(&fold, &changes[i].finding, changes[i].detail, "local transform of node `%s`: %s",
                     changes[i].finding.subject, changes[i].detail);
    fold_end(&fold);
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
static void tell_longer_translations(const struct import_context *c, struct node_change *changes, size_t count)
{
    double ratio = ratio_of_worst(changes, count);
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += ratio > 0 && fabs(changes[i].ratio - ratio) <= 1e-3 * ratio;
    if (alike < 2)
        return;
    const char *factor = arena_string(c->arena, phrase_factor(ratio, "longer", "shorter").text);
    struct fold fold = fold_begin(c->out, "translations of ", " nodes");
    fold.details_are_predicates = true;
    for (size_t i = 0; i < count; i++) {
        struct node_change *change = &changes[i];
        if (fabs(change->ratio - ratio) > 1e-3 * ratio)
            continue;
        change->told = true;
        fold_add(&fold, &change->finding, arena_printf(c->arena, "are %s", factor), "translation of node `%s` is %s",
                 change->finding.subject, factor);
    }
    fold_end(&fold);
}

static void tell_changes(const struct import_context *c, struct node_change *changes, size_t count)
{
    tell_patterns(c, changes, count);
    for (size_t i = 0; i < count; i++)
        if (!changes[i].told)
            changes[i].ratio = matrix_translation_ratio(&changes[i].was, &changes[i].now, changes[i].length);
    tell_longer_translations(c, changes, count);
    tell_each(c, changes, count);
}

/* ---- parents ---------------------------------------------------------------------------------------------------- */

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

static void add_parent_change(const struct import_context *c, size_t golden, size_t actual, struct fold *fold)
{
    struct finding finding = import_finding(c->golden->nodes[golden].name);
    measure_change(c, golden, &daffine_identity, &c->golden_nodes.node_to_scene[golden],
                   &c->actual_nodes.node_to_scene[actual], &finding);
    const char *parents = describe_parents(c, golden, actual);
    const char *off = arena_printf(c->arena, ": it is off by %s", describe(c, golden, "", &finding));
    bool stays = !(finding.displacement > c->tolerance->import);
    fold_add(fold, &finding, name_parents(c, golden, actual), "node `%s` %s%s", finding.subject, parents,
             stays ? ", but stands where it stood" : off);
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

/* The first sibling that stands before another one now; nodes that moved to another parent are told already. */
static void tell_order_of_siblings(const struct import_context *c)
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

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool have_equal_bytes(const struct import_context *c, size_t golden, size_t actual)
{
    return memcmp(c->golden->nodes[golden].local_to_parent, c->actual->nodes[actual].local_to_parent, sizeof(mat4)) ==
           0;
}

void import_compare_nodes(const struct import_context *c)
{
    struct match_list golden = list_nodes(c->golden, c->arena), actual = list_nodes(c->actual, c->arena);
    struct node_change *changes = ARENA_NEW(c->arena, struct node_change, golden.count);
    struct fold parents = fold_begin(c->out, "", " nodes have another parent");
    size_t count = 0;
    tell_one_sided(c, &golden, c->nodes.to_actual, &c->golden_nodes, "gone");
    tell_one_sided(c, &actual, c->nodes.to_golden, &c->actual_nodes, "new");
    tell_renames(c, &c->node_names, "node", "nodes");
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
    fold_end(&parents);
    tell_changes(c, changes, count);
    tell_order_of_siblings(c);
}
