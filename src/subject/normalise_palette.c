/* The palette of an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subject/normalise.h"

/* Of a mesh that bones hold; and whether the bone holds any vertex of it. A mesh without bones has an entry that engines lack. */
static bool is_bound(const struct normalising *work, uint32_t entry, bool *holds)
{
    const struct palette_snapshot *ours = &work->reference->palette[entry];
    bool bound = false;
    *holds = false;
    for (uint32_t m = 0; m < work->import->mesh_count; m++) {
        const struct mesh_snapshot *mesh = &work->import->meshes[m];
        if (strcmp(mesh->name, ours->mesh) != 0)
            continue;
        for (uint32_t b = 0; b < mesh->bone_count; b++)
            if (strcmp(mesh->bones[b].bone, ours->bone) == 0) {
                bound = bound || !mesh->bones[b].follows_mesh_node;
                *holds = *holds || (mesh->bones[b].weights > 0 && !mesh->bones[b].follows_mesh_node);
            }
    }
    return bound;
}

/* Without names: all entries, all but those of rigid meshes, or each bone of the scene once, in the order of the file. */
static bool match_by_order(struct normalising *work, const bool *bound)
{
    const struct pose_snapshot *reference = work->reference;
    const uint32_t count = work->answer->entry_count, all = reference->palette_count;
    uint32_t skinned = 0, distinct = 0;
    int32_t *first = ARENA_NEW(work->arena, int32_t, all);
    for (uint32_t i = 0; i < all; i++) {
        first[i] = NO_INDEX;
        for (uint32_t k = 0; k < i && bound[i] && first[i] == NO_INDEX; k++)
            if (bound[k] && strcmp(reference->palette[k].bone, reference->palette[i].bone) == 0)
                first[i] = first[k];
        if (bound[i] && first[i] == NO_INDEX)
            first[i] = (int32_t)distinct++;
        skinned += bound[i];
    }
    if (count != all && count != skinned && count != distinct)
        return error_set(
            work->err,
            "%s: its palette has %u matrices without names; the model has %u bones, in all meshes together %u "
            "(`bones` names them)",
            work->subject->spec->name, count, distinct, skinned);
    for (uint32_t i = 0, next = 0; i < all; i++)
        if (count == all || bound[i])
            work->entry_of[i] = count == all || count == skinned ? (int32_t)next++ : first[i];
    if (count != all && count != skinned)
        snprintf(work->solution->bones, sizeof work->solution->bones,
                 "one list of %u bones for the scene, in the order of the file", distinct);
    return true;
}

/* Names, each once, in the order in which they come. */
struct name_set {
    const char **names;
    uint32_t count;
    int32_t *of; /* of each item; NO_INDEX without a name */
};

struct item_name {
    const char *name;
    uint32_t item;
};

static int by_item_name(const void *a, const void *b)
{
    const struct item_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->item > y->item) - (x->item < y->item);
}

static struct name_set make_set(const char *const *items, uint32_t count, struct arena *arena)
{
    struct name_set set = {ARENA_NEW(arena, const char *, count), 0, ARENA_NEW(arena, int32_t, count)};
    struct item_name *sorted = memory_new(count, sizeof *sorted);
    uint32_t named = 0, *first = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (items[i])
            sorted[named++] = (struct item_name){items[i], i};
    if (named > 1)
        qsort(sorted, named, sizeof *sorted, by_item_name);
    for (uint32_t i = 0; i < named; i++)
        first[sorted[i].item] =
            i > 0 && strcmp(sorted[i].name, sorted[i - 1].name) == 0 ? first[sorted[i - 1].item] : sorted[i].item;
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] && first[i] == i) {
            set.of[i] = (int32_t)set.count;
            set.names[set.count++] = items[i];
        } else {
            set.of[i] = items[i] ? set.of[first[i]] : NO_INDEX;
        }
    }
    free(sorted);
    return set;
}

/* Theirs as indices of our set: of[i] for each of their items. */
static void match_sets(struct normalising *work, const struct name_set *ours, struct name_set *theirs, uint32_t count,
                       const char *strip, bool is_told)
{
    int32_t *match = ARENA_NEW(work->arena, int32_t, ours->count),
            *back = ARENA_NEW(work->arena, int32_t, theirs->count);
    struct text how = {0};
    subject_match_names(ours->names, ours->count, theirs->names, theirs->count, strip, match, &how);
    for (uint32_t i = 0; i < theirs->count; i++)
        back[i] = NO_INDEX;
    for (uint32_t i = 0; i < ours->count; i++)
        if (match[i] != NO_INDEX)
            back[match[i]] = (int32_t)i;
    for (uint32_t i = 0; i < count; i++)
        theirs->of[i] = theirs->of[i] == NO_INDEX ? NO_INDEX : back[theirs->of[i]];
    if (is_told && how.size > 0)
        snprintf(work->solution->names, sizeof work->solution->names, "%s", text_string(&how));
    text_release(&how);
}

/* What ours is called, of a bone whose node was matched by place, and which alone is called so. */
static const char *placed_name(const struct normalising *work, const char *name)
{
    const char *found = name;
    for (uint32_t i = 0; name && i < work->answer->node_count; i++)
        if (work->place_of[i] != NO_INDEX && strcmp(work->answer->nodes[i].name, name) == 0) {
            if (found != name)
                return name;
            found = work->reference->nodes[work->place_of[i]].name;
        }
    return found;
}

/* By mesh and bone, each entry once; else by the bone alone: a list for the scene answers for every mesh that is bound to it. */
static void match_by_name(struct normalising *work, const bool *bound)
{
    const struct subject_answer *answer = work->answer;
    const uint32_t all = work->reference->palette_count, count = answer->entry_count;
    const char **names = ARENA_NEW(work->arena, const char *, all > count ? all : count);
    struct name_set sets[4]; /* our bones, our meshes, theirs */
    uint32_t shared = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t items = i < 2 ? all : count;
        for (uint32_t k = 0; k < items; k++)
            names[k] = i == 0   ? work->reference->palette[k].bone
                       : i == 1 ? work->reference->palette[k].mesh
                       : i == 2 ? placed_name(work, answer->entries[k].bone)
                                : answer->entries[k].mesh;
        sets[i] = make_set(names, items, work->arena);
    }
    match_sets(work, &sets[0], &sets[2], count, work->strip, true);
    match_sets(work, &sets[1], &sets[3], count, NULL, false);
    int32_t *first = ARENA_NEW(work->arena, int32_t, sets[0].count), *next = ARENA_NEW(work->arena, int32_t, count);
    bool *taken = ARENA_NEW(work->arena, bool, count);
    for (uint32_t i = 0; i < sets[0].count; i++)
        first[i] = NO_INDEX;
    for (uint32_t i = count; i-- > 0;) {
        const int32_t bone = sets[2].of[i];
        next[i] = bone == NO_INDEX ? NO_INDEX : first[bone];
        if (bone != NO_INDEX)
            first[bone] = (int32_t)i;
    }
    for (uint32_t i = 0; i < all; i++) {
        int32_t found = NO_INDEX;
        for (int32_t at = first[sets[0].of[i]]; at != NO_INDEX && found == NO_INDEX; at = next[at])
            found = !taken[at] && sets[3].of[at] == sets[1].of[i] ? at : NO_INDEX;
        for (int32_t at = first[sets[0].of[i]]; at != NO_INDEX && bound[i] && found == NO_INDEX; at = next[at])
            found = !taken[at] && sets[3].of[at] == NO_INDEX ? at : NO_INDEX;
        if (found == NO_INDEX && bound[i] && first[sets[0].of[i]] != NO_INDEX) {
            found = first[sets[0].of[i]];
            shared++;
        }
        work->entry_of[i] = found;
        if (found != NO_INDEX)
            taken[found] = true;
    }
    if (shared > 0)
        snprintf(work->solution->bones, sizeof work->solution->bones, "one list of %u bones for the scene", count);
}

static bool match_entries(struct normalising *work, const bool *bound)
{
    bool named = work->answer->entry_count == 0;
    for (uint32_t i = 0; i < work->answer->entry_count; i++)
        named = named || work->answer->entries[i].bone;
    for (uint32_t i = 0; i < work->reference->palette_count; i++)
        work->entry_of[i] = NO_INDEX;
    if (!named)
        return match_by_order(work, bound);
    match_by_name(work, bound);
    return true;
}

/* The entry as their node moves it: what the file's offset makes of it. */
static bool derive_entry(const struct normalising *work, struct palette_snapshot *entry)
{
    const struct pose_snapshot *reference = work->reference;
    const int32_t node = normalising_find(reference, entry->bone, reference->node_count);
    struct map back, was = map_from(entry->mesh_to_scene);
    if (node == NO_INDEX || !work->has_node[node] || strcmp(reference->space, space_words[SPACE_SCENE]) != 0)
        return false;
    struct map of = map_from(reference->nodes[node].node_to_scene);
    if (map_inverse(&of, &back)) {
        was = map_mul(&back, &was);
        was = map_mul(&work->node_now[node], &was);
        map_to(&was, entry->mesh_to_scene);
    }
    return true;
}

bool normalise_palette(struct normalising *work)
{
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    const uint32_t all = reference->palette_count;
    struct map *now = ARENA_NEW(work->arena, struct map, all);
    struct map *theirs = ARENA_NEW(work->arena, struct map, all), *ours = ARENA_NEW(work->arena, struct map, all);
    bool *bound = ARENA_NEW(work->arena, bool, all), *holds = ARENA_NEW(work->arena, bool, all);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all; i++)
        bound[i] = is_bound(work, i, &holds[i]);
    if (!match_entries(work, bound))
        return false;
    for (uint32_t i = 0; i < all; i++) {
        if (work->entry_of[i] == NO_INDEX)
            continue;
        const struct subject_entry *entry = &work->answer->entries[work->entry_of[i]];
        if (!normalising_matrix(work, &entry->matrix, "the palette's matrix", entry->bone, &now[i]))
            return false;
        theirs[count] = now[i];
        ours[count++] = map_from(reference->palette[i].mesh_to_scene);
    }
    if (count == 0 && all > 0 && work->answer->entry_count > 0)
        return error_set(work->err,
                         "%s: none of the %u bones of its palette is called like one of the model's (its first is "
                         "`%s`, the model's `%s`)",
                         work->subject->spec->name, work->answer->entry_count, work->answer->entries[0].bone,
                         reference->palette[0].bone);
    normalising_solve(work, theirs, ours, count, &work->solution->palette);
    pose->palette = ARENA_NEW(work->arena, struct palette_snapshot, all);
    pose->palette_count = 0;
    for (uint32_t i = 0; i < all; i++) {
        struct palette_snapshot entry = reference->palette[i];
        if (work->entry_of[i] != NO_INDEX) {
            struct map framed = frame_undo(&work->solution->palette, &now[i]);
            map_to(&framed, entry.mesh_to_scene);
        } else if (holds[i]) {
            continue; /* they lack it */
        } else {
            derive_entry(work, &entry); /* a rigid mesh: engines have no palette for these */
        }
        pose->palette[pose->palette_count++] = entry;
    }
    work->out->given |= SUBJECT_PALETTE;
    return true;
}

void normalise_derived_palette(struct normalising *work)
{
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    pose->palette = ARENA_NEW(work->arena, struct palette_snapshot, reference->palette_count);
    pose->palette_count = 0;
    for (uint32_t i = 0; i < reference->palette_count; i++) {
        struct palette_snapshot entry = reference->palette[i];
        if (derive_entry(work, &entry))
            pose->palette[pose->palette_count++] = entry;
    }
}
