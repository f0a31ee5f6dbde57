/* The palette of an answer. */
#include <stdio.h>
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

/* Of what is left, by the bone alone: a list for the scene answers for every mesh. */
static void match_scene_list(struct normalising *work, const char *const *ours, const char *const *theirs)
{
    const uint32_t all = work->reference->palette_count;
    uint32_t shared = 0;
    const char **names = ARENA_NEW(work->arena, const char *, all);
    uint32_t *of = ARENA_NEW(work->arena, uint32_t, all), distinct = 0;
    struct text how = {0};
    for (uint32_t i = 0; i < all; i++) {
        of[i] = distinct;
        for (uint32_t k = 0; k < distinct; k++)
            of[i] = strcmp(names[k], ours[i]) == 0 ? k : of[i];
        if (of[i] == distinct)
            names[distinct++] = ours[i];
    }
    int32_t *match = ARENA_NEW(work->arena, int32_t, distinct);
    subject_match_names(names, distinct, theirs, work->answer->entry_count, work->strip, match, &how);
    for (uint32_t i = 0; i < all; i++)
        if (work->entry_of[i] == NO_INDEX && match[of[i]] != NO_INDEX) {
            work->entry_of[i] = match[of[i]];
            shared++;
        }
    if (how.size > 0)
        snprintf(work->solution->names, sizeof work->solution->names, "%s", text_string(&how));
    if (shared > 0 && distinct < all)
        snprintf(work->solution->bones, sizeof work->solution->bones, "one list of %u bones for the scene",
                 work->answer->entry_count);
    text_release(&how);
}

static bool match_entries(struct normalising *work, const bool *bound)
{
    const struct subject_answer *answer = work->answer;
    const uint32_t all = work->reference->palette_count;
    const char **ours = ARENA_NEW(work->arena, const char *, all),
               **theirs = ARENA_NEW(work->arena, const char *, answer->entry_count);
    const char **pairs = ARENA_NEW(work->arena, const char *, all);
    bool named = answer->entry_count == 0, with_mesh = answer->entry_count > 0;
    for (uint32_t i = 0; i < answer->entry_count; i++) {
        named = named || answer->entries[i].bone;
        with_mesh = with_mesh && answer->entries[i].mesh;
    }
    for (uint32_t i = 0; i < all; i++)
        work->entry_of[i] = NO_INDEX;
    if (!named)
        return match_by_order(work, bound);
    for (uint32_t i = 0; i < all; i++) {
        ours[i] = work->reference->palette[i].bone;
        pairs[i] = arena_printf(work->arena, "%s\n%s", work->reference->palette[i].mesh, ours[i]);
    }
    for (uint32_t i = 0; i < answer->entry_count && with_mesh; i++)
        theirs[i] = arena_printf(work->arena, "%s\n%s", answer->entries[i].mesh, answer->entries[i].bone);
    struct text ignored = {0};
    if (with_mesh)
        subject_match_names(pairs, all, theirs, answer->entry_count, NULL, work->entry_of, &ignored);
    text_release(&ignored);
    for (uint32_t i = 0; i < answer->entry_count; i++)
        theirs[i] = answer->entries[i].bone;
    match_scene_list(work, ours, theirs);
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
    if (strcmp(reference->space, space_words[SPACE_SCENE]) != 0)
        return;
    for (uint32_t i = 0; i < reference->palette_count; i++) {
        struct palette_snapshot entry = reference->palette[i];
        const int32_t node = normalising_find(reference, entry.bone, reference->node_count);
        struct map back, was = map_from(entry.mesh_to_scene);
        if (node == NO_INDEX || !work->has_node[node])
            continue;
        struct map of = map_from(reference->nodes[node].node_to_scene);
        if (map_inverse(&of, &back)) {
            was = map_mul(&back, &was);
            was = map_mul(&work->node_now[node], &was);
            map_to(&was, entry.mesh_to_scene);
        }
        pose->palette[pose->palette_count++] = entry;
    }
}
