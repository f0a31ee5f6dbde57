/* Other programs call bones as they like: three.js drops dots, exporters put a namespace before. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sort.h"
#include "subject/conventions.h"
#include "suite/theirs/theirs.h"

static int find_name(const char *const *sorted, uint32_t count, const char *name)
{
    const char *const *found = count > 0 ? bsearch(&name, sorted, count, sizeof *sorted, compare_strings) : NULL;
    return found ? (int)(found - sorted) : NO_INDEX;
}

/* Each once, sorted. */
static const char **sort_names(const char *const *names, uint32_t *count, struct arena *arena)
{
    const char **sorted = ARENA_NEW(arena, const char *, *count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        sorted[i] = names[i] ? names[i] : "";
    qsort(sorted, *count, sizeof *sorted, compare_strings);
    for (uint32_t i = 0; i < *count; i++)
        if (kept == 0 || strcmp(sorted[kept - 1], sorted[i]) != 0)
            sorted[kept++] = sorted[i];
    *count = kept;
    return sorted;
}

void theirs_match_names(const struct theirs *theirs, const char **names, uint32_t count)
{
    const struct pose_snapshot *reference = theirs->reference;
    struct text how = {0};
    uint32_t our_count = reference->node_count, their_count = count, strange = 0;
    const char **ours = ARENA_NEW(theirs->arena, const char *, our_count);
    for (uint32_t i = 0; i < our_count; i++)
        ours[i] = reference->nodes[i].name;
    const char **sorted = sort_names(ours, &our_count, theirs->arena), **given = sort_names(names, &their_count, theirs->arena);
    for (uint32_t i = 0; i < their_count; i++)
        strange += *given[i] && find_name(sorted, our_count, given[i]) == NO_INDEX;
    if (strange == 0)
        return;
    int32_t *match = ARENA_NEW(theirs->arena, int32_t, our_count);
    const char **meant = ARENA_NEW(theirs->arena, const char *, their_count);
    subject_match_names(sorted, our_count, given, their_count, NULL, match, &how);
    for (uint32_t i = 0; i < our_count; i++)
        if (match[i] != NO_INDEX)
            meant[match[i]] = sorted[i];
    for (uint32_t i = 0; i < count; i++) {
        const int k = names[i] ? find_name(given, their_count, names[i]) : NO_INDEX;
        names[i] = k != NO_INDEX && meant[k] ? meant[k] : names[i];
    }
    if (how.size > 0)
        log_note("%s: %s", theirs->source->bones ? theirs->source->bones : theirs->name, text_string(&how));
    text_release(&how);
}

void theirs_match_pose(const struct theirs *theirs, const struct pose_snapshot *pose)
{
    const uint32_t nodes = pose->node_count, count = 2 * nodes + pose->palette_count;
    const char **names = ARENA_NEW(theirs->arena, const char *, count);
    for (uint32_t i = 0; i < nodes; i++) {
        names[i] = pose->nodes[i].name;
        names[nodes + i] = pose->nodes[i].parent;
    }
    for (uint32_t i = 0; i < pose->palette_count; i++)
        names[2 * nodes + i] = pose->palette[i].bone;
    theirs_match_names(theirs, names, count);
    for (uint32_t i = 0; i < nodes; i++) {
        pose->nodes[i].name = names[i];
        pose->nodes[i].parent = names[nodes + i];
    }
    for (uint32_t i = 0; i < pose->palette_count; i++)
        pose->palette[i].bone = names[2 * nodes + i];
}
