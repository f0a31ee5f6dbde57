/* Which node of the golden is which of the actual, also where it goes by another name now. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"
#include "compare/match/node_matching.h"
#include "compare/match/prefix.h"

/* ---- renames ----------------------------------------------------------------------------------------------------- */

struct rename_search {
    const struct import_context *context;
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
    struct affine_d was = affine_d_from(c->golden->nodes[golden].local_to_parent);
    struct affine_d now = affine_d_from(c->actual->nodes[actual].local_to_parent);
    double length = 1e-4 * fmax(vector_distance(was.column[3], (double[]){0, 0, 0}), 1e-30);
    return affine_d_near(&was, &now, 1e-4, length);
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
                            const struct node_snapshot *nodes, const struct name_index *others, int32_t *out,
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

/* Whether a child of the one has the name of one of the other. */
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

struct matching import_match_nodes(struct import_context *c)
{
    const struct match_list *golden = &c->was[NOUN_NODE], *actual = &c->now[NOUN_NODE];
    struct match_list names = change_prefixes(c, golden, actual);
    const struct node_list golden_nodes = {&names, c->golden_nodes.parents};
    const struct node_list actual_nodes = {actual, c->actual_nodes.parents};
    struct rename_search search = {.context = c,
                                   .golden = children_of(c->golden_nodes.parents, golden->count, c->arena),
                                   .actual = children_of(c->actual_nodes.parents, actual->count, c->arena)};
    return match_nodes(&golden_nodes, &actual_nodes, &(struct pairing){pair_renamed, &search}, c->arena);
}

struct matching import_match_by_node(struct import_context *c, const void *was, size_t was_count, const void *now,
                                     size_t now_count, size_t size)
{
    struct match_list golden = match_list_create(was_count, c->arena), actual = match_list_create(now_count, c->arena);
    const char *name;
    for (size_t i = 0; i < was_count; i++) {
        memcpy(&name, (const char *)was + i * size, sizeof name);
        golden.keys[i].name = renamed(&c->renames[NOUN_NODE], name);
    }
    for (size_t i = 0; i < now_count; i++)
        memcpy(&actual.keys[i].name, (const char *)now + i * size, sizeof name);
    return match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
}

const char *import_describe_prefixes(const struct renames *renames, struct arena *arena)
{
    struct prefix_change change;
    if (renames->count < 3 || !prefix_change_of(renames->items[0].was, renames->items[0].now, arena, &change))
        return NULL;
    for (size_t i = 1; i < renames->count; i++) {
        const char *expected = prefix_apply(&change, renames->items[i].was, arena);
        if (!expected || strcmp(expected, renames->items[i].now) != 0)
            return NULL;
    }
    if (!*change.was)
        return arena_printf(arena, "gained the prefix `%s`", change.now);
    if (!*change.now)
        return arena_printf(arena, "lost the prefix `%s`", change.was);
    return arena_printf(arena, "begin with `%s` now, not with `%s`", change.now, change.was);
}
