/* Finds which node of the golden is which of the actual, also where it goes by another name now; prefixes of names. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"
#include "data/record/matching.h"

/* Names that all begin in another way: "mixamorig:hips" is "mixamorig_hips", "hips" is "rig_hips". */
struct prefix_change {
    const char *was; /* "" for none */
    const char *now;
};

/* Gives what was before, and is before, the end that two names share. False when they share less than two letters. */
static bool prefix_change_of(const char *was, const char *now, struct arena *arena, struct prefix_change *out)
{
    size_t n = strlen(was), m = strlen(now), common = 0;
    while (common < n && common < m && was[n - 1 - common] == now[m - 1 - common])
        common++;
    if (common < 2)
        return false;
    out->was = arena_printf(arena, "%.*s", (int)(n - common), was);
    out->now = arena_printf(arena, "%.*s", (int)(m - common), now);
    return true;
}

/* The name with the new prefix; NULL when it does not begin with the old one. */
static const char *prefix_apply(const struct prefix_change *change, const char *name, struct arena *arena)
{
    size_t n = strlen(change->was);
    return strncmp(name, change->was, n) == 0 ? arena_printf(arena, "%s%s", change->now, name + n) : NULL;
}

/* Names of one side that the other has not; at most `most`. */
static struct match_list only_here(const struct match_list *list, const struct name_index *others, size_t most,
                                   struct arena *arena)
{
    struct match_list out = match_list_create(list->count < most ? list->count : most, arena);
    size_t count = 0;
    for (size_t i = 0; i < list->count && count < out.count; i++)
        if (name_find(others, list->keys[i].name) == NO_INDEX)
            out.keys[count++] = list->keys[i];
    out.count = count;
    return out;
}

/* The change of prefix that explains most names which only the golden has: at least three, and more than half of
 * them. */
static bool find_prefix_change(const struct match_list *golden, const struct match_list *actual,
                               const struct name_index *actual_names, struct arena *arena, struct prefix_change *out)
{
    enum { MOST_NAMES = 256, MOST_TRIED = 64, MOST_GONE_TRIED = 4, FEWEST = 3 };
    struct name_index golden_names = name_index_create(golden, arena);
    struct match_list gone = only_here(golden, actual_names, MOST_NAMES, arena);
    struct match_list added = only_here(actual, &golden_names, MOST_TRIED, arena);
    size_t best = 0;
    for (size_t g = 0; g < gone.count && g < MOST_GONE_TRIED; g++)
        for (size_t a = 0; a < added.count; a++) {
            struct prefix_change change;
            size_t explained = 0;
            if (!prefix_change_of(gone.keys[g].name, added.keys[a].name, arena, &change))
                continue;
            for (size_t i = 0; i < gone.count; i++) {
                const char *now = prefix_apply(&change, gone.keys[i].name, arena);
                explained += now && name_find(actual_names, now) != NO_INDEX;
            }
            if (explained > best) {
                best = explained;
                *out = change;
            }
        }
    return best >= FEWEST && 2 * best > gone.count;
}

/* The golden's names as they would be with another prefix, where the actual has such names. */
static struct match_list change_prefixes(const struct import_context *c, const struct match_list *golden,
                                         const struct match_list *actual)
{
    struct prefix_change change = {"", ""};
    struct name_index names = name_index_create(actual, c->arena);
    if (!find_prefix_change(golden, actual, &names, c->arena, &change))
        return *golden;
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
        list.keys[i] = (struct match_key){now[0], now[1], NULL};
    }
    return list;
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

struct node_search {
    const struct import_context *c;
    const size_t *golden_children, *actual_children; /* how many each node has */
};

static bool are_alike(const void *context, size_t golden, size_t actual)
{
    const struct node_search *search = context;
    const struct node_snapshot *g = &search->c->golden->nodes[golden], *a = &search->c->actual->nodes[actual];
    if (g->is_bone != a->is_bone || search->golden_children[golden] != search->actual_children[actual])
        return false;
    struct affine_d was = affine_d_from(g->local_to_parent), now = affine_d_from(a->local_to_parent);
    double length = 1e-4 * fmax(vector_distance(was.column[3], (double[]){0, 0, 0}), 1e-30);
    return affine_d_near(&was, &now, 1e-4, length);
}

static size_t *count_children(const struct import_context *c, const struct skeleton *skeleton)
{
    size_t *counts = ARENA_NEW(c->arena, size_t, skeleton->count);
    for (size_t i = 0; i < skeleton->count; i++)
        if (skeleton->parents[i] != NO_INDEX)
            counts[skeleton->parents[i]]++;
    return counts;
}

struct matching import_match_nodes(struct import_context *c)
{
    const struct match_list *golden = &c->was[NOUN_NODE], *actual = &c->now[NOUN_NODE];
    struct match_list names = change_prefixes(c, golden, actual);
    const struct node_list golden_nodes = {&names, c->golden_nodes.parents};
    const struct node_list actual_nodes = {actual, c->actual_nodes.parents};
    struct node_search search = {c, count_children(c, &c->golden_nodes), count_children(c, &c->actual_nodes)};
    return match_nodes(&golden_nodes, &actual_nodes, &(struct pairing){are_alike, &search}, c->arena);
}

const char *text_at(const void *member)
{
    const char *text;
    memcpy(&text, member, sizeof text);
    return text;
}

struct matching import_match_by_node(struct import_context *c, const struct match_list *was,
                                     const struct match_list *now)
{
    struct match_list names = match_list_create(was->count, c->arena);
    for (size_t i = 0; i < was->count; i++)
        names.keys[i].name = renamed(&c->renames[NOUN_NODE], was->keys[i].name);
    return match_by_name(&names, now, MATCH_PREFER_CONTEXT, c->arena);
}
