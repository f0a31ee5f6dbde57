/* Lists of whose entry, offset or channel theirs has. */
#include "diagnose/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1500 };

/* Returns whether all stand equally far off in one of the lists, around its end too. `moved` counts those that are
 * another's. */
static bool list_shift(const int32_t *list, const struct evidence *e, const struct replay *replay, int64_t *shift,
                       uint32_t *moved)
{
    bool is_even = false;
    *moved = 0;
    for (uint32_t i = 0; i < e->entry_count; i++)
        *moved += list[e->entries[i].about] != NO_INDEX && list[e->entries[i].about] != (int32_t)e->entries[i].about;
    for (unsigned order = 0; order < LIST_COUNT && !is_even; order++) {
        uint32_t seen = 0;
        is_even = true;
        for (uint32_t i = 0; i < e->entry_count; i++) {
            uint32_t own = e->entries[i].about;
            if (list[own] == NO_INDEX)
                continue;
            int64_t count = replay_list_length(replay, order, own), from = replay_place(replay, order, own);
            int64_t steps = (int64_t)replay_place(replay, order, (uint32_t)list[own]) - from;
            if (from >= count || from + steps >= count) { /* what carries a rigid mesh is no bone, so in no list */
                is_even = is_even && steps == 0;
                continue;
            }
            steps = (steps % count + count) % count;
            steps -= 2 * steps > count ? count : 0;
            *shift = seen++ == 0 ? steps : *shift;
            is_even = is_even && steps == *shift;
        }
    }
    return is_even;
}

/* For each entry of theirs the binding whose entry, or whose offset, it has. Returns how many have none. */
static uint32_t find_list(const struct evidence *e, struct replay *replay, bool is_offset, int32_t *list)
{
    const struct scene *scene = e->input->scene;
    uint32_t strangers = 0;
    replay_set(replay, &(struct variant){.list = NULL});
    for (uint32_t i = 0; i < e->entry_count; i++) {
        uint32_t own = e->entries[i].about, count = scene->binding_count;
        struct matrix global = replay_global(replay, scene->bindings[own].node);
        double least = e->tolerance;
        for (uint32_t k = 0; k < count; k++) { /* its own first, then the next ones around */
            uint32_t other = (own + k) % count;
            struct matrix entry, offset = matrix_from(scene->bindings[other].mesh_to_bone);
            if (is_offset)
                entry = matrix_mul(&global, &offset);
            else if (!replay_entry(replay, other, &entry))
                continue;
            const double gap = evidence_entry_gap(e, i, &entry);
            if (!(gap <= least) || (list[own] != NO_INDEX && gap > 0.5 * least))
                continue;
            list[own] = (int32_t)other;
            least = gap;
            if (k == 0)
                break;
        }
        strangers += list[own] == NO_INDEX;
    }
    return strangers;
}

/* Returns how often another's is taken at most. */
static uint32_t most_used(const int32_t *list, uint32_t count, struct arena *arena)
{
    uint32_t *uses = ARENA_NEW(arena, uint32_t, count), most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (list[i] != NO_INDEX && list[i] != (int32_t)i)
            uses[list[i]]++;
    for (uint32_t i = 0; i < count; i++)
        most = uses[i] > most ? uses[i] : most;
    return most;
}

void fit_list(const struct evidence *e, struct replay *replay, bool is_offset, struct guess_list *list)
{
    uint32_t bindings = e->input->scene->binding_count, moved = 0;
    int32_t *found = ARENA_NEW(list->arena, int32_t, bindings);
    int64_t shift = 0;
    memset(found, 0xff, bindings * sizeof *found);
    if (e->entry_count < 3 || e->entry_count > LIST_MOST)
        return;
    const uint32_t strangers = find_list(e, replay, is_offset, found);
    bool is_shift = 8 * strangers <= e->entry_count && list_shift(found, e, replay, &shift, &moved);
    if (!is_shift && strangers > 0) /* what is shifted in at an end is nobody's */
        return;
    if (!is_shift && most_used(found, bindings, list->arena) > (moved > 4 ? moved / 2 : 2))
        return;                                             /* where many have one it is no order */
    for (uint32_t b = 0; b < bindings && e->is_solved; b++) /* what no vertex tells stays its own */
        found[b] = found[b] == NO_INDEX ? (int32_t)b : found[b];
    if (moved < 2 || (is_shift && shift == 0)) /* one wrong entry is no order; nor are others of the same bones */
        return;
    enum cause_index cause = is_offset ? CAUSE_OFFSET_OTHER : is_shift ? CAUSE_INDEX_SHIFT : CAUSE_INDEX_PERMUTED;
    const char *detail = is_shift ? arena_printf(list->arena, "%d place%s %s", abs((int)shift),
                                                 llabs(shift) > 1 ? "s" : "", shift < 0 ? "back" : "on")
                                  : arena_printf(list->arena, "%u of %u", moved, e->entry_count);
    struct guess *guess = guess_add(list, cause, detail, is_offset ? SWITCH_OFFSET_OF : SWITCH_INDEX,
                                    is_offset ? OFFSET_LIST : INDEX_LIST, 0);
    guess->variant.list = found;
    guess->is_loose = !is_shift;
    guess_set(guess, PARAMETER_COUNT, is_shift ? (double)shift : (double)moved);
}

void fit_solved(const struct evidence *e, struct replay *replay, bool of_vertices, struct guess_list *list)
{
    const struct evidence *solved = evidence_solve(e, replay, list->arena);
    fit_list(solved, replay, false, list);
    if (!of_vertices)
        fit_list(solved, replay, true, list);
}
