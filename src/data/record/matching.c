#include "data/record/matching.h"

#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "data/scene/scene.h"

struct match_list match_list_create(size_t count, struct arena *arena)
{
    return (struct match_list){count, ARENA_NEW(arena, struct match_key, count)};
}

struct match_list match_list_of(const void *items, size_t count, size_t size, size_t name, size_t context,
                                struct arena *arena)
{
    struct match_list list = match_list_create(count, arena);
    for (size_t i = 0; i < count; i++) {
        memcpy(&list.keys[i].name, (const char *)items + i * size + name, sizeof(char *));
        if (context != SIZE_MAX)
            memcpy(&list.keys[i].context, (const char *)items + i * size + context, sizeof(char *));
    }
    return list;
}

struct sorted_key {
    const char *name, *context;
    size_t index;
};

/* By what they are matched by; a text that is NULL is one that is empty. */
static int compare_names(const char *name_a, const char *context_a, const char *name_b, const char *context_b)
{
    int order = name_a == name_b ? 0 : strcmp(name_a ? name_a : "", name_b ? name_b : "");
    if (order != 0 || context_a == context_b)
        return order;
    return strcmp(context_a ? context_a : "", context_b ? context_b : "");
}

/* Duplicate names in the order of their list. */
static int compare_keys(const void *a, const void *b)
{
    const struct sorted_key *x = a, *y = b;
    int order = compare_names(x->name, x->context, y->name, y->context);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Sorts the keys that are unmatched yet. */
static size_t sort_unmatched(const struct match_list *list, const int32_t *matched, bool with_context,
                        struct sorted_key *out)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (matched[i] == NO_INDEX)
            out[count++] = (struct sorted_key){list->keys[i].name, with_context ? list->keys[i].context : NULL, i};
    sort_items(out, count, sizeof *out, compare_keys);
    return count;
}

static struct matching matching_create(size_t golden_count, size_t actual_count, struct arena *arena)
{
    struct matching matching = {golden_count, actual_count, ARENA_NEW(arena, int32_t, golden_count),
                                ARENA_NEW(arena, int32_t, actual_count)};
    for (size_t i = 0; i < golden_count; i++)
        matching.to_actual[i] = NO_INDEX;
    for (size_t i = 0; i < actual_count; i++)
        matching.to_golden[i] = NO_INDEX;
    return matching;
}

static void match_pair(struct matching *matching, size_t golden, size_t actual)
{
    matching->to_actual[golden] = (int32_t)actual;
    matching->to_golden[actual] = (int32_t)golden;
}

/* Each with that at its place, when all names and contexts are the same; else false. */
static bool match_in_place(struct matching *matching, const struct match_list *golden, const struct match_list *actual)
{
    if (golden->count != actual->count)
        return false;
    for (size_t i = 0; i < golden->count; i++)
        if (compare_names(golden->keys[i].name, golden->keys[i].context, actual->keys[i].name,
                          actual->keys[i].context) != 0)
            return false;
    for (size_t i = 0; i < golden->count; i++)
        match_pair(matching, i, i);
    return true;
}

struct matching match_by_name(const struct match_list *golden, const struct match_list *actual, enum match_rule rule,
                              struct arena *arena)
{
    struct matching matching = matching_create(golden->count, actual->count, arena);
    if (match_in_place(&matching, golden, actual))
        return matching;
    struct sorted_key *was = ARENA_NEW(arena, struct sorted_key, golden->count);
    struct sorted_key *now = ARENA_NEW(arena, struct sorted_key, actual->count);
    for (int with_context = 1; with_context >= (rule == MATCH_NEED_CONTEXT); with_context--) {
        size_t golden_left = sort_unmatched(golden, matching.to_actual, with_context, was);
        size_t actual_left = sort_unmatched(actual, matching.to_golden, with_context, now);
        for (size_t g = 0, a = 0; g < golden_left && a < actual_left;) {
            int order = compare_names(was[g].name, was[g].context, now[a].name, now[a].context);
            if (order == 0)
                match_pair(&matching, was[g].index, now[a].index);
            g += order <= 0;
            a += order >= 0;
        }
    }
    return matching;
}

static size_t count_unmatched(const int32_t *matched, size_t count)
{
    size_t unmatched = 0;
    for (size_t i = 0; i < count; i++)
        unmatched += matched[i] == NO_INDEX;
    return unmatched;
}

void match_renamed(struct matching *matching, bool (*alike)(const void *context, size_t golden, size_t actual),
                   const void *context)
{
    enum { MOST_PAIRS = 1 << 20 };
    size_t golden_left = count_unmatched(matching->to_actual, matching->golden_count);
    size_t actual_left = count_unmatched(matching->to_golden, matching->actual_count);
    if (golden_left == 0 || actual_left == 0 || golden_left > MOST_PAIRS / actual_left)
        return;
    /* A pair that is made was alike to nobody else, so who is paired does not depend on the order of the lists. */
    for (size_t g = 0; g < matching->golden_count; g++) {
        size_t candidates = 0, rivals = 0, candidate = 0;
        for (size_t a = 0; matching->to_actual[g] == NO_INDEX && a < matching->actual_count; a++)
            if (matching->to_golden[a] == NO_INDEX && alike(context, g, a)) {
                candidates++;
                candidate = a;
            }
        for (size_t other = 0; candidates == 1 && other < matching->golden_count; other++)
            rivals += other != g && matching->to_actual[other] == NO_INDEX && alike(context, other, candidate);
        if (candidates == 1 && rivals == 0)
            match_pair(matching, g, candidate);
    }
}

bool matching_out_of_order(const struct matching *matching, size_t *earlier, size_t *later)
{
    int32_t last = NO_INDEX;
    for (size_t i = 0; i < matching->golden_count; i++) {
        int32_t place = matching->to_actual[i];
        if (place == NO_INDEX)
            continue;
        if (place < last) {
            *later = i;
            return true;
        }
        last = place;
        *earlier = i;
    }
    return false;
}

struct name_index name_index_create(const struct match_list *list, struct arena *arena)
{
    struct name_index index = {list->count, ARENA_NEW(arena, struct sorted_key, list->count)};
    for (size_t i = 0; i < list->count; i++)
        index.items[i] = (struct sorted_key){list->keys[i].name, NULL, i};
    sort_items(index.items, index.count, sizeof *index.items, compare_keys);
    return index;
}

/* The first item that is not before (name, limit). */
static size_t place_of(const struct name_index *index, const char *name, size_t limit)
{
    const struct sorted_key wanted = {name, NULL, limit};
    return lower_bound(&wanted, index->items, index->count, sizeof wanted, compare_keys);
}

static int32_t index_at(const struct name_index *index, size_t place, const char *name)
{
    bool is_it = place < index->count && strcmp(index->items[place].name, name) == 0;
    return is_it ? (int32_t)index->items[place].index : NO_INDEX;
}

int32_t name_find(const struct name_index *index, const char *name)
{
    return name ? index_at(index, place_of(index, name, 0), name) : NO_INDEX;
}

int32_t name_find_before(const struct name_index *index, const char *name, size_t limit)
{
    size_t place = name ? place_of(index, name, limit) : 0;
    return place > 0 ? index_at(index, place - 1, name) : NO_INDEX;
}

int32_t name_find_after(const struct name_index *index, const char *name, size_t limit)
{
    return name ? index_at(index, place_of(index, name, limit + 1), name) : NO_INDEX;
}

/* One side with the children of every node as linked lists, in order; those without a parent hang on the node
 * `count`. */
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

enum { MOST_SEARCHED = 1000 }; /* nodes of one name */

/* Returns whether a node of that name is not matched yet: another one of the name may be, and is somebody else. */
static bool has_free(const struct side *side, const char *name)
{
    int32_t node = name_find(&side->index, name);
    for (int k = 0; node != NO_INDEX && side->matched[node] != NO_INDEX && k < MOST_SEARCHED; k++)
        node = name_find_after(&side->index, name, (size_t)node);
    return node != NO_INDEX;
}

/* Unmatched children of a node, as a list and which nodes they are; with `others` only those whose names it has not. */
struct children {
    struct match_list list;
    int32_t *nodes;
};

static struct children children_of(const struct search *s, const struct side *side, size_t parent,
                                   const struct side *others)
{
    size_t count = 0;
    for (int32_t child = side->first[parent]; child != NO_INDEX; child = side->next[child])
        count++;
    struct children out = {match_list_create(count, s->arena), ARENA_NEW(s->arena, int32_t, count)};
    out.list.count = 0;
    for (int32_t child = side->first[parent]; child != NO_INDEX; child = side->next[child]) {
        const char *name = side->names->keys[child].name;
        if (side->matched[child] != NO_INDEX || (others && has_free(others, name)))
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

/* Returns whether a child of the one has the name of one of the other. */
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
    return (struct left){s->pairing, children_of(s, &s->golden, golden_parent, &s->actual),
                         children_of(s, &s->actual, actual_parent, &s->golden)};
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

struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena)
{
    struct search s = {.pairing = pairing, .arena = arena};
    s.matching = matching_create(golden->names->count, actual->names->count, arena);
    size_t count = golden->names->count;
    if (count == actual->names->count &&
        memcmp(golden->parents, actual->parents, count * sizeof *golden->parents) == 0 &&
        match_in_place(&s.matching, golden->names, actual->names))
        return s.matching;
    s.golden = side_of(golden, s.matching.to_actual, arena);
    s.actual = side_of(actual, s.matching.to_golden, arena);
    match_children(&s, s.golden.count, s.actual.count);
    for (size_t i = 0; i < s.matching.golden_count; i++)
        if (s.matching.to_actual[i] != NO_INDEX)
            match_children(&s, i, (size_t)s.matching.to_actual[i]);
    /* The first of the name elsewhere, under a parent of the same name if there is one; then its children there. */
    for (size_t i = 0; i < s.matching.golden_count; i++) {
        const struct match_key *key = &golden->names->keys[i];
        int32_t other = NO_INDEX,
                candidate = s.matching.to_actual[i] == NO_INDEX ? name_find(&s.actual.index, key->name) : NO_INDEX;
        for (int k = 0; candidate != NO_INDEX && k < MOST_SEARCHED; k++) {
            bool is_free = s.matching.to_golden[candidate] == NO_INDEX;
            bool is_under = names_equal(key->context, actual->names->keys[candidate].context);
            if (is_free && (is_under || other == NO_INDEX))
                other = candidate;
            if (is_free && is_under)
                break;
            candidate = name_find_after(&s.actual.index, key->name, (size_t)candidate);
        }
        if (other == NO_INDEX)
            continue;
        match_pair(&s.matching, i, (size_t)other);
        match_children(&s, i, (size_t)other);
    }
    return s.matching;
}
