#include "compare/match/node_matching.h"

#include <string.h>

#include "data/scene/scene.h"

/* One side with the children of every node as linked lists, in order; those without a parent hang on the node `count`. */
struct side {
    const struct match_list *names;
    size_t count;
    const int32_t *parents;
    int32_t *first; /* [count + 1] NO_INDEX: none */
    int32_t *next;  /* [count] */
    struct name_index index;
    const int32_t *matched;
};

struct search {
    const struct pairing *pairing;
    struct arena *arena;
    struct side golden, actual;
    struct matching matching;
};

static struct side side_of(const struct node_list *list, const int32_t *matched, struct arena *arena)
{
    size_t count = list->names->count;
    struct side side = {.names = list->names,
                        .count = count,
                        .parents = list->parents,
                        .first = ARENA_NEW(arena, int32_t, count + 1),
                        .next = ARENA_NEW(arena, int32_t, count),
                        .index = name_index_create(list->names, arena),
                        .matched = matched};
    for (size_t i = 0; i <= count; i++)
        side.first[i] = NO_INDEX;
    for (size_t i = count; i-- > 0;) {
        size_t parent = list->parents[i] == NO_INDEX ? count : (size_t)list->parents[i];
        side.next[i] = side.first[parent];
        side.first[parent] = (int32_t)i;
    }
    return side;
}

/* Unmatched children of a node, as a list and which nodes they are; with `others` only those whose names it has not. */
struct children {
    struct match_list list;
    int32_t *nodes;
};

static struct children children_of(const struct search *s, const struct side *side, size_t parent,
                                   const struct name_index *others)
{
    size_t count = 0;
    for (int32_t child = side->first[parent]; child != NO_INDEX; child = side->next[child])
        count++;
    struct children out = {match_list_create(count, s->arena), ARENA_NEW(s->arena, int32_t, count)};
    out.list.count = 0;
    for (int32_t child = side->first[parent]; child != NO_INDEX; child = side->next[child]) {
        const char *name = side->names->keys[child].name;
        if (side->matched[child] != NO_INDEX || (others && name_find(others, name) != NO_INDEX))
            continue;
        out.nodes[out.list.count] = child;
        out.list.keys[out.list.count++].name = name;
    }
    return out;
}

struct left {
    const struct pairing *pairing;
    struct children golden, actual;
};

static bool are_left_alike(const void *context, size_t golden, size_t actual)
{
    const struct left *left = context;
    return left->pairing->alike(left->pairing->context, (size_t)left->golden.nodes[golden],
                                (size_t)left->actual.nodes[actual]);
}

/* Whether a child of the one has the name of one of the other. */
static bool share_a_child(const struct search *s, int32_t golden, int32_t actual)
{
    enum { MOST = 16 };
    int32_t g = s->golden.first[golden];
    for (int i = 0; g != NO_INDEX && i < MOST; i++, g = s->golden.next[g]) {
        int32_t a = s->actual.first[actual];
        for (int k = 0; a != NO_INDEX && k < MOST; k++, a = s->actual.next[a])
            if (strcmp(s->golden.names->keys[g].name, s->actual.names->keys[a].name) == 0)
                return true;
    }
    return false;
}

static struct left find_left(const struct search *s, size_t golden_parent, size_t actual_parent)
{
    return (struct left){s->pairing, children_of(s, &s->golden, golden_parent, &s->actual.index),
                         children_of(s, &s->actual, actual_parent, &s->golden.index)};
}

static void pair_renamed(struct search *s, size_t golden_parent, size_t actual_parent)
{
    enum { MOST = 256 };
    struct left left = find_left(s, golden_parent, actual_parent);
    size_t count = left.golden.list.count;
    if (count == 0 || left.actual.list.count == 0 || count >= MOST || left.actual.list.count >= MOST)
        return;
    struct matching found = matching_create(count, left.actual.list.count, s->arena);
    match_renamed(&found, are_left_alike, &left);
    for (size_t i = 0; i < count; i++)
        if (found.to_actual[i] != NO_INDEX)
            match_pair(&s->matching, (size_t)left.golden.nodes[i], (size_t)left.actual.nodes[found.to_actual[i]]);
    left = find_left(s, golden_parent, actual_parent);
    count = left.golden.list.count;
    bool are_alike = count == left.actual.list.count;
    for (size_t i = 0; i < count && are_alike; i++)
        are_alike = are_left_alike(&left, i, i);
    if (count == 1 && left.actual.list.count == 1)
        are_alike = are_alike || golden_parent == s->golden.count ||
                    share_a_child(s, left.golden.nodes[0], left.actual.nodes[0]);
    for (size_t i = 0; i < count && are_alike; i++)
        match_pair(&s->matching, (size_t)left.golden.nodes[i], (size_t)left.actual.nodes[i]);
}

static void match_children(struct search *s, size_t golden_parent, size_t actual_parent)
{
    if (s->golden.first[golden_parent] == NO_INDEX || s->actual.first[actual_parent] == NO_INDEX)
        return;
    struct children golden = children_of(s, &s->golden, golden_parent, NULL);
    struct children actual = children_of(s, &s->actual, actual_parent, NULL);
    struct matching found = match_by_name(&golden.list, &actual.list, MATCH_PREFER_CONTEXT, s->arena);
    for (size_t i = 0; i < golden.list.count; i++)
        if (found.to_actual[i] != NO_INDEX)
            match_pair(&s->matching, (size_t)golden.nodes[i], (size_t)actual.nodes[found.to_actual[i]]);
    if (s->pairing)
        pair_renamed(s, golden_parent, actual_parent);
}

/* The first unmatched node of this name, under a parent of the same name if there is one. */
static int32_t find_moved(const struct search *s, size_t golden)
{
    enum { MOST_SEARCHED = 1000 };
    const struct match_key *key = &s->golden.names->keys[golden];
    int32_t found = NO_INDEX, candidate = name_find(&s->actual.index, key->name);
    for (int i = 0; candidate != NO_INDEX && i < MOST_SEARCHED; i++) {
        const char *context = s->actual.names->keys[candidate].context;
        if (s->matching.to_golden[candidate] == NO_INDEX) {
            if (key->context && context ? strcmp(key->context, context) == 0 : key->context == context)
                return candidate;
            found = found == NO_INDEX ? candidate : found;
        }
        candidate = name_find_after(&s->actual.index, key->name, (size_t)candidate);
    }
    return found;
}

struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena)
{
    struct search s = {.pairing = pairing, .arena = arena};
    s.matching = matching_create(golden->names->count, actual->names->count, arena);
    size_t count = golden->names->count;
    if (count == actual->names->count && memcmp(golden->parents, actual->parents, count * sizeof *golden->parents) == 0 &&
        match_in_place(&s.matching, golden->names, actual->names))
        return s.matching;
    s.golden = side_of(golden, s.matching.to_actual, arena);
    s.actual = side_of(actual, s.matching.to_golden, arena);
    match_children(&s, s.golden.count, s.actual.count);
    for (size_t i = 0; i < s.matching.golden_count; i++)
        if (s.matching.to_actual[i] != NO_INDEX)
            match_children(&s, i, (size_t)s.matching.to_actual[i]);
    /* Children of a node that was found elsewhere are looked for there before they are anywhere. */
    for (size_t i = 0; i < s.matching.golden_count; i++) {
        int32_t other = s.matching.to_actual[i] == NO_INDEX ? find_moved(&s, i) : NO_INDEX;
        if (other == NO_INDEX)
            continue;
        match_pair(&s.matching, i, (size_t)other);
        match_children(&s, i, (size_t)other);
    }
    return s.matching;
}
