#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Says which thing of the golden is which of the actual: by name, several of one name in their order. O(n log n). */

/* A name with what distinguishes duplicates: the parent's name, the mesh of a bone. NULL: nothing does. */
struct match_key {
    const char *name;
    const char *context;
    const char *label; /* what sentences call it; NULL: the name */
};

struct match_list {
    size_t count;
    struct match_key *keys;
};

struct matching {
    size_t golden_count;
    size_t actual_count;
    int32_t *to_actual; /* [golden_count] index in the other list, or NO_INDEX */
    int32_t *to_golden; /* [actual_count] */
};

enum match_rule {
    MATCH_PREFER_CONTEXT, /* same name and context first, then same name */
    MATCH_NEED_CONTEXT,   /* the context belongs to the name */
};

struct match_list match_list_create(size_t count, struct arena *arena);

/* The keys of structs that have their name, and their context, as members at these places (SIZE_MAX: none), or their
 * name alone, as the first member. */
#define MATCH_LIST(type, items, count, name, context, arena)                                                           \
    match_list_of(items, count, sizeof(type), offsetof(type, name), offsetof(type, context), arena)
#define MATCH_NAMES(items, count, arena) match_list_of(items, count, sizeof *(items), 0, SIZE_MAX, arena)
struct match_list match_list_of(const void *items, size_t count, size_t size, size_t name, size_t context,
                                struct arena *arena);

struct matching match_by_name(const struct match_list *golden, const struct match_list *actual, enum match_rule rule,
                              struct arena *arena);

/* Pairs what is left and `alike` to nothing else: an evident rename. Nothing where there are more than 2^20 pairs. */
void match_renamed(struct matching *matching, bool (*alike)(const void *context, size_t golden, size_t actual),
                   const void *context);

/* The first two neighbours among the golden's matched that stand the other way round in the actual; false: none. */
bool matching_out_of_order(const struct matching *matching, size_t *earlier, size_t *later);

struct name_index {
    size_t count;
    struct sorted_key *items;
};

struct name_index name_index_create(const struct match_list *list, struct arena *arena);

/* The first thing of that name, or NO_INDEX; the last one before `limit`, the first one after. */
int32_t name_find(const struct name_index *index, const char *name);
int32_t name_find_before(const struct name_index *index, const char *name, size_t limit);
int32_t name_find_after(const struct name_index *index, const char *name, size_t limit);

/* Nodes of one side: names, which are not unique, with the names of their parents; and the parents' indices, below
 * their own. */
struct node_list {
    const struct match_list *names;
    const int32_t *parents;
};

/* Returns whether two nodes may be one under two names, as far as they themselves tell. */
struct pairing {
    bool (*alike)(const void *context, size_t golden, size_t actual);
    const void *context;
};

/*
 * From the roots down, children of one pair by name, duplicates in their order; then what is left, by name wherever
 * it is, duplicates under a parent of the same name first. With `pairing`, children of a pair whose names no
 * unmatched node of the other side has are paired too: those alike to nothing else; then the rest in order, when all
 * are alike in it; then the last one of each side, when both are roots or share the name of a child.
 */
struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena);
