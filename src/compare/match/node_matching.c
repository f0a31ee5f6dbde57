#include "compare/match/node_matching.h"

#include <string.h>

#include "data/scene/scene.h"

struct children children_of(const int32_t *parents, size_t count, struct arena *arena)
{
    struct children c = {count, ARENA_NEW(arena, int32_t, count + 1), ARENA_NEW(arena, int32_t, count)};
    for (size_t i = 0; i <= count; i++)
        c.first[i] = NO_INDEX;
    for (size_t i = count; i-- > 0;) {
        size_t parent = parents[i] == NO_INDEX ? count : (size_t)parents[i];
        c.next[i] = c.first[parent];
        c.first[parent] = (int32_t)i;
    }
    return c;
}

struct search {
    const struct node_list *golden;
    const struct node_list *actual;
    const struct pairing *pairing;
    struct arena *arena;
    struct children golden_children;
    struct children actual_children;
    struct matching matching;
};

/* ---- from the roots down ----------------------------------------------------------------------------------------- */

/* The unmatched children of a node as a list, and which nodes they are. */
static struct match_list list_children(const struct search *s, const struct node_list *side, const struct children *c,
                                       size_t parent, const int32_t *matched, int32_t **nodes)
{
    size_t count = 0;
    for (int32_t child = c->first[parent]; child != NO_INDEX; child = c->next[child])
        count += matched[child] == NO_INDEX;
    struct match_list list = match_list_create(count, s->arena);
    *nodes = ARENA_NEW(s->arena, int32_t, count);
    size_t i = 0;
    for (int32_t child = c->first[parent]; child != NO_INDEX; child = c->next[child])
        if (matched[child] == NO_INDEX) {
            list.keys[i].name = side->names->keys[child].name;
            (*nodes)[i++] = child;
        }
    return list;
}

static void match_children(struct search *s, size_t golden_parent, size_t actual_parent)
{
    int32_t *golden_nodes, *actual_nodes;
    if (s->golden_children.first[golden_parent] == NO_INDEX || s->actual_children.first[actual_parent] == NO_INDEX)
        return;
    struct match_list golden =
        list_children(s, s->golden, &s->golden_children, golden_parent, s->matching.to_actual, &golden_nodes);
    struct match_list actual =
        list_children(s, s->actual, &s->actual_children, actual_parent, s->matching.to_golden, &actual_nodes);
    struct matching found = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, s->arena);
    for (size_t i = 0; i < golden.count; i++)
        if (found.to_actual[i] != NO_INDEX)
            match_pair(&s->matching, (size_t)golden_nodes[i], (size_t)actual_nodes[found.to_actual[i]]);
    if (s->pairing)
        s->pairing->pair_rest(s->pairing->context, &s->matching, golden_parent, actual_parent);
}

static void match_down(struct search *s)
{
    match_children(s, s->golden_children.count, s->actual_children.count);
    for (size_t i = 0; i < s->matching.golden_count; i++)
        if (s->matching.to_actual[i] != NO_INDEX)
            match_children(s, i, (size_t)s->matching.to_actual[i]);
}

/* ---- what moved -------------------------------------------------------------------------------------------------- */

static bool same_context(const struct search *s, size_t golden, size_t actual)
{
    const char *a = s->golden->names->keys[golden].context, *b = s->actual->names->keys[actual].context;
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The first unmatched node of this name, under a parent of the same name if there is one. */
static int32_t find_moved(const struct search *s, const struct name_index *index, size_t golden)
{
    enum { MOST_SEARCHED = 1000 };
    const char *name = s->golden->names->keys[golden].name;
    int32_t found = NO_INDEX, candidate = name_find(index, name);
    for (int i = 0; candidate != NO_INDEX && i < MOST_SEARCHED; i++) {
        if (s->matching.to_golden[candidate] == NO_INDEX) {
            if (same_context(s, golden, (size_t)candidate))
                return candidate;
            found = found == NO_INDEX ? candidate : found;
        }
        candidate = name_find_after(index, name, (size_t)candidate);
    }
    return found;
}

/* Children of a node that was found elsewhere are looked for there before they are anywhere. */
static void match_rest(struct search *s)
{
    struct name_index index = name_index_create(s->actual->names, s->arena);
    for (size_t i = 0; i < s->matching.golden_count; i++) {
        int32_t other = s->matching.to_actual[i] == NO_INDEX ? find_moved(s, &index, i) : NO_INDEX;
        if (other == NO_INDEX)
            continue;
        match_pair(&s->matching, i, (size_t)other);
        match_children(s, i, (size_t)other);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool are_alike(const struct node_list *golden, const struct node_list *actual)
{
    if (golden->names->count != actual->names->count)
        return false;
    for (size_t i = 0; i < golden->names->count; i++) {
        const char *a = golden->names->keys[i].name, *b = actual->names->keys[i].name;
        if (golden->parents[i] != actual->parents[i] || (a != b && strcmp(a, b) != 0))
            return false;
    }
    return true;
}

struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena)
{
    struct search s = {.golden = golden, .actual = actual, .pairing = pairing, .arena = arena};
    s.matching = matching_create(golden->names->count, actual->names->count, arena);
    if (are_alike(golden, actual)) {
        for (size_t i = 0; i < s.matching.golden_count; i++)
            match_pair(&s.matching, i, i);
        return s.matching;
    }
    s.golden_children = children_of(golden->parents, golden->names->count, arena);
    s.actual_children = children_of(actual->parents, actual->names->count, arena);
    match_down(&s);
    match_rest(&s);
    return s.matching;
}
