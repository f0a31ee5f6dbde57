#include "compare/match/prefix.h"

#include <string.h>

#include "data/scene/scene.h"

bool prefix_change_of(const char *was, const char *now, struct arena *arena, struct prefix_change *out)
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

const char *prefix_apply(const struct prefix_change *change, const char *name, struct arena *arena)
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

/* How many of these names are in the actual once their prefix is changed. */
static size_t count_explained(const struct prefix_change *change, const struct match_list *names,
                              const struct name_index *actual, struct arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        const char *now = prefix_apply(change, names->keys[i].name, arena);
        count += now && name_find(actual, now) != NO_INDEX;
    }
    return count;
}

bool prefix_change_find(const struct match_list *golden, const struct match_list *actual, struct arena *arena,
                        struct prefix_change *out)
{
    enum { MOST_NAMES = 256, MOST_TRIED = 64, MOST_GONE_TRIED = 4, FEWEST = 3 };
    struct name_index golden_names = name_index_create(golden, arena), actual_names = name_index_create(actual, arena);
    struct match_list gone = only_here(golden, &actual_names, MOST_NAMES, arena);
    struct match_list added = only_here(actual, &golden_names, MOST_TRIED, arena);
    size_t best = 0;
    for (size_t g = 0; g < gone.count && g < MOST_GONE_TRIED; g++)
        for (size_t a = 0; a < added.count; a++) {
            struct prefix_change change;
            size_t explained = 0;
            if (prefix_change_of(gone.keys[g].name, added.keys[a].name, arena, &change))
                explained = count_explained(&change, &gone, &actual_names, arena);
            if (explained > best) {
                best = explained;
                *out = change;
            }
        }
    return best >= FEWEST && 2 * best > gone.count;
}
