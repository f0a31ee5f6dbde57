#include "compare/match/matching.h"

#include <stdlib.h>
#include <string.h>

#include "data/scene/scene.h"

struct match_list match_list_create(size_t count, struct arena *arena)
{
    return (struct match_list){count, ARENA_NEW(arena, struct match_key, count)};
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

/* What is unmatched yet, sorted. */
static size_t sort_rest(const struct match_list *list, const int32_t *matched, bool with_context,
                        struct sorted_key *out)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (matched[i] == NO_INDEX)
            out[count++] = (struct sorted_key){list->keys[i].name, with_context ? list->keys[i].context : NULL, i};
    qsort(out, count, sizeof *out, compare_keys);
    return count;
}

struct matching matching_create(size_t golden_count, size_t actual_count, struct arena *arena)
{
    struct matching matching = {golden_count, actual_count, ARENA_NEW(arena, int32_t, golden_count),
                                ARENA_NEW(arena, int32_t, actual_count)};
    for (size_t i = 0; i < golden_count; i++)
        matching.to_actual[i] = NO_INDEX;
    for (size_t i = 0; i < actual_count; i++)
        matching.to_golden[i] = NO_INDEX;
    return matching;
}

bool match_in_place(struct matching *matching, const struct match_list *golden, const struct match_list *actual)
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
        size_t golden_rest = sort_rest(golden, matching.to_actual, with_context, was);
        size_t actual_rest = sort_rest(actual, matching.to_golden, with_context, now);
        for (size_t g = 0, a = 0; g < golden_rest && a < actual_rest;) {
            int order = compare_names(was[g].name, was[g].context, now[a].name, now[a].context);
            if (order == 0)
                match_pair(&matching, was[g].index, now[a].index);
            g += order <= 0;
            a += order >= 0;
        }
    }
    return matching;
}

void match_pair(struct matching *matching, size_t golden, size_t actual)
{
    matching->to_actual[golden] = (int32_t)actual;
    matching->to_golden[actual] = (int32_t)golden;
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
    size_t golden_rest = count_unmatched(matching->to_actual, matching->golden_count);
    size_t actual_rest = count_unmatched(matching->to_golden, matching->actual_count);
    if (golden_rest == 0 || actual_rest == 0 || golden_rest > MOST_PAIRS / actual_rest)
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
    qsort(index.items, index.count, sizeof *index.items, compare_keys);
    return index;
}

/* The first item that is not before (name, limit). */
static size_t lower_bound(const struct name_index *index, const char *name, size_t limit)
{
    const struct sorted_key wanted = {name, NULL, limit};
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_keys(&index->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t index_at(const struct name_index *index, size_t place, const char *name)
{
    bool is_it = place < index->count && strcmp(index->items[place].name, name) == 0;
    return is_it ? (int32_t)index->items[place].index : NO_INDEX;
}

int32_t name_find(const struct name_index *index, const char *name)
{
    return name ? index_at(index, lower_bound(index, name, 0), name) : NO_INDEX;
}

int32_t name_find_before(const struct name_index *index, const char *name, size_t limit)
{
    size_t place = name ? lower_bound(index, name, limit) : 0;
    return place > 0 ? index_at(index, place - 1, name) : NO_INDEX;
}

int32_t name_find_after(const struct name_index *index, const char *name, size_t limit)
{
    return name ? index_at(index, lower_bound(index, name, limit + 1), name) : NO_INDEX;
}
