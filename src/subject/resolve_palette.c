/* The palette of an answer. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "subject/resolving.h"

/* Says how an engine may list bones, the likelier first. */
static const struct listing {
    int bones;     /* an entry of each bone for each mesh, each skin, or once */
    bool is_rigid; /* and one of each mesh without bones */
    bool is_whole; /* and one of each bone that an importer has added to a mesh with bones */
    bool are_used; /* of bones that hold a vertex alone */
} listings[] = {{.bones = BONES_PER_MESH, .is_rigid = true, .is_whole = true},
                {.bones = BONES_PER_MESH, .is_whole = true},
                {.bones = BONES_PER_MESH},
                {.bones = BONES_PER_MESH, .are_used = true},
                {.bones = BONES_PER_SKIN},
                {.bones = BONES_OF_SCENE}};
enum { MISFITS_ALL = 1000000 };
enum { LISTINGS = sizeof listings / sizeof listings[0], LISTING_OF_FILE = 2 };

/* The facts about an entry of the reference. */
struct entry_facts {
    bool is_bound;    /* a bone of the file for this mesh; others have an entry that engines lack */
    bool is_added;    /* none, and its mesh has bones */
    bool is_used;     /* holds a vertex */
    const char *skin; /* the first mesh with the same bones and offsets */
};

static bool same_skin(const struct mesh_snapshot *a, const struct mesh_snapshot *b)
{
    bool same = a->bone_count == b->bone_count;
    for (uint32_t i = 0; i < a->bone_count && same; i++)
        same = strcmp(a->bones[i].bone, b->bones[i].bone) == 0 &&
               memcmp(a->bones[i].mesh_to_bone, b->bones[i].mesh_to_bone, sizeof(mat4)) == 0;
    return same;
}

static const char *skin_of_mesh(const struct import_snapshot *import, const char *name)
{
    const struct mesh_snapshot *mesh = NULL;
    for (uint32_t m = 0; m < import->mesh_count && name && !mesh; m++)
        mesh = strcmp(import->meshes[m].name, name) == 0 ? &import->meshes[m] : NULL;
    for (uint32_t m = 0; m < import->mesh_count && mesh; m++)
        if (same_skin(&import->meshes[m], mesh))
            return import->meshes[m].name;
    return name;
}

/* Returns the facts of each entry of the reference. */
static const struct entry_facts *find_facts(const struct resolving *work)
{
    const struct palette_snapshot *ours = work->reference->palette;
    struct entry_facts *all = ARENA_NEW(work->arena, struct entry_facts, work->reference->palette_count);
    for (uint32_t i = 0; i < work->reference->palette_count; i++) {
        struct entry_facts *facts = &all[i];
        const bool is_same = i > 0 && strcmp(ours[i].mesh, ours[i - 1].mesh) == 0;
        facts->skin = is_same ? all[i - 1].skin : skin_of_mesh(work->import, ours[i].mesh);
        for (uint32_t m = 0; m < work->import->mesh_count; m++) {
            const struct mesh_snapshot *mesh = &work->import->meshes[m];
            if (strcmp(mesh->name, ours[i].mesh) != 0)
                continue;
            facts->is_added = facts->is_added || !ours[i].is_rigid;
            for (uint32_t b = 0; b < mesh->bone_count; b++)
                if (!mesh->bones[b].follows_mesh_node && strcmp(mesh->bones[b].bone, ours[i].bone) == 0) {
                    facts->is_bound = true;
                    facts->is_used = facts->is_used || mesh->bones[b].weights > 0;
                }
        }
        facts->is_added = facts->is_added && !facts->is_bound;
    }
    return all;
}

/* The reference's entries under a listing, and which of theirs is which. */
struct candidate {
    const struct listing *listing;
    struct match_list slots; /* bone and mesh */
    int32_t *slot_of;        /* [reference->palette_count] or NO_INDEX */
    const int32_t *theirs;   /* [slots.count] or NO_INDEX */
    uint32_t misfit;         /* slots without an entry and entries without a slot, of bones that both have */
    uint32_t dropped;        /* entries of the reference's bones that no slot takes: given, and not compared */
};

static void list_slots(const struct resolving *work, const struct entry_facts *facts, struct candidate *c)
{
    const struct pose_snapshot *reference = work->reference;
    const struct listing *l = c->listing;
    struct match_list all = match_list_create(reference->palette_count, work->arena);
    for (uint32_t i = 0; i < all.count; i++) {
        const struct palette_snapshot *entry = &reference->palette[i];
        all.keys[i] = (struct match_key){entry->bone,
                                         l->bones == BONES_PER_MESH   ? entry->mesh
                                         : l->bones == BONES_PER_SKIN ? facts[i].skin
                                                                      : NULL,
                                         NULL};
    }
    const struct name_index index = name_index_create(&all, work->arena);
    c->slots = match_list_create(all.count, work->arena);
    c->slots.count = 0;
    c->slot_of = ARENA_NEW(work->arena, int32_t, all.count);
    for (uint32_t i = 0; i < all.count; i++) {
        int32_t same = l->bones == BONES_PER_MESH ? NO_INDEX : name_find(&index, all.keys[i].name);
        c->slot_of[i] = NO_INDEX;
        if ((!facts[i].is_bound && !(facts[i].is_added ? l->is_whole : l->is_rigid)) ||
            (!facts[i].is_used && l->are_used))
            continue;
        while (same != NO_INDEX && same < (int32_t)i &&
               (c->slot_of[same] == NO_INDEX || all.keys[same].context != all.keys[i].context))
            same = name_find_after(&index, all.keys[i].name, (size_t)same);
        if (same != NO_INDEX && same < (int32_t)i) {
            c->slot_of[i] = c->slot_of[same];
        } else {
            c->slot_of[i] = (int32_t)c->slots.count;
            c->slots.keys[c->slots.count++] = all.keys[i];
        }
    }
}

/* Recognises the matrices that an array of a fixed size has where no bone is. */
static bool is_spare(const struct raw_matrix *matrix)
{
    bool is_zero = true, is_identity = true;
    for (uint32_t k = 0; k < matrix->count; k++) {
        const float value = matrix->numbers[k];
        is_zero = is_zero && (fabsf(value) <= 0 || k == 15);
        is_identity = is_identity && fabsf(value - (k % 5 == 0 ? 1.0f : 0.0f)) <= 0;
    }
    return is_zero || is_identity;
}

/* In order, where they are without names; spare ones may come behind them. */
static void match_in_order(const struct resolving *work, uint32_t used, struct candidate *c)
{
    const uint32_t count = work->answer->entry_count;
    int32_t *theirs = ARENA_NEW(work->arena, int32_t, c->slots.count);
    for (uint32_t i = 0; i < c->slots.count; i++)
        theirs[i] = i < count ? (int32_t)i : NO_INDEX;
    c->theirs = theirs;
    c->misfit = c->slots.count == count                                                  ? 0
                : c->slots.count > 0 && c->slots.count < count && c->slots.count >= used ? 1
                                                                                         : MISFITS_ALL;
}

static uint32_t count_misfits(const struct match_list *list, const int32_t *matched, const struct match_list *others,
                              struct arena *arena)
{
    const struct name_index index = name_index_create(others, arena);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += matched[i] == NO_INDEX && name_find(&index, list->keys[i].name) != NO_INDEX;
    return count;
}

static void match_names(const struct resolving *work, const struct match_list *names, struct candidate *c)
{
    struct match_list theirs = match_list_create(names->count, work->arena);
    for (uint32_t i = 0; i < names->count; i++) {
        theirs.keys[i] = names->keys[i];
        if (c->listing->bones != BONES_PER_MESH)
            theirs.keys[i].context =
                c->listing->bones == BONES_PER_SKIN ? skin_of_mesh(work->import, names->keys[i].context) : NULL;
    }
    const struct matching found = match_by_name(&c->slots, &theirs, MATCH_PREFER_CONTEXT, work->arena);
    c->theirs = found.to_actual;
    c->misfit = count_misfits(&c->slots, found.to_actual, &theirs, work->arena) +
                count_misfits(&theirs, found.to_golden, &c->slots, work->arena);
    for (uint32_t i = 0; i < theirs.count; i++)
        c->dropped += found.to_golden[i] == NO_INDEX && *theirs.keys[i].name;
}

/* Given numbers count more than missing ones: half a palette is no shorter list of bones. */
static bool fits_better(const struct candidate *a, const struct candidate *b)
{
    return !b || a->dropped < b->dropped || (a->dropped == b->dropped && a->misfit < b->misfit);
}

/* Their bones and meshes as the reference calls them; what it does not know is "" or NULL. False where none of the
 * bones is known. */
static bool read_names(struct resolving *work, struct match_list *out)
{
    const struct pose_snapshot *reference = work->reference;
    bool is_known = false;
    for (int are_bones = 1; are_bones >= 0; are_bones--) {
        struct match_list ours = pose_names(reference, POSE_PALETTE, work->arena),
                          theirs = match_list_create(out->count, work->arena);
        for (uint32_t i = 0; i < ours.count && !are_bones; i++)
            ours.keys[i].name = ours.keys[i].context;
        for (uint32_t i = 0; i < out->count; i++) {
            const struct subject_entry *entry = &work->answer->entries[i];
            const char *name = are_bones ? entry->bone : entry->mesh;
            const int32_t node = are_bones ? name_find(&work->nodes, name) : NO_INDEX;
            theirs.keys[i].name = node != NO_INDEX && work->ours_of[node] != NO_INDEX /* as the nodes were matched */
                                      ? reference->nodes[work->ours_of[node]].name
                                  : name ? name
                                         : "";
        }
        resolving_rename(work, &ours, &theirs, are_bones);
        const struct name_index index = name_index_create(&ours, work->arena);
        for (uint32_t i = 0; i < out->count; i++) {
            const char *name = name_find(&index, theirs.keys[i].name) != NO_INDEX ? theirs.keys[i].name : NULL;
            is_known = is_known || (are_bones && name);
            if (are_bones)
                out->keys[i].name = name ? name : "";
            else
                out->keys[i].context = name;
        }
    }
    return is_known;
}

static bool refuse(const struct resolving *work, const struct candidate *lists, bool is_named, bool is_known)
{
    const struct subject *subject = work->subject;
    const uint32_t count = work->answer->entry_count, all = work->reference->palette_count;
    if (is_known)
        return error_set(work->err, "%s: it declares `bones: %s`, which its palette of %u matrices is not",
                         subject->spec->name, bones_words[subject->hello.conventions.bones], count);
    if (is_named) {
        const char **ours = ARENA_NEW(work->arena, const char *, all), *first = work->answer->entries[0].bone;
        for (uint32_t i = 0; i < all; i++)
            ours[i] = work->reference->palette[i].bone;
        const char *near = name_nearest(first ? first : "", ours, all);
        return error_set(work->err,
                         "%s: none of the %u bones of its palette is called like one of the model's (its first is "
                         "`%.60s`, the model's `%.60s`%s%.60s%s)",
                         subject->spec->name, count, first ? first : "", all > 0 ? ours[0] : "",
                         near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
    return error_set(
        work->err,
        "%s: its palette has %u matrices without names; the model has %zu bones, in all meshes together %zu "
        "(`bones` names them)",
        subject->spec->name, count, lists[LISTINGS - 1].slots.count, lists[LISTING_OF_FILE].slots.count);
}

static void note_bones(struct resolving *work, const struct candidate *lists, const struct candidate *best,
                       bool in_order)
{
    const char *order = in_order ? ", in the order of the file" : "";
    const size_t count = best->slots.count;
    if (count >= lists[LISTING_OF_FILE].slots.count || work->subject->hello.conventions.bones)
        return;
    if (best->listing->bones == BONES_OF_SCENE)
        resolving_note(work, NOTE_BONES, "the palette is one list of %zu bones for the scene%s", count, order);
    else if (best->listing->bones == BONES_PER_SKIN)
        resolving_note(work, NOTE_BONES, "the palette is a list for each skin, %zu bones%s", count, order);
    else if (in_order)
        resolving_note(work, NOTE_BONES, "the palette is of the %zu bones that hold vertices%s", count, order);
}

static void note_strangers(struct resolving *work, const struct candidate *best, const struct match_list *names,
                           bool is_known)
{
    const uint32_t count = work->answer->entry_count;
    int32_t *known = ARENA_NEW(work->arena, int32_t, count);
    const char **bones = ARENA_NEW(work->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        bones[i] = work->answer->entries[i].bone;
        known[i] = is_known && *names->keys[i].name ? 0 : NO_INDEX;
    }
    if (is_known)
        resolving_leave_out(work, "bones of the palette", bones, known, count);
    else if (best->misfit == 1)
        resolving_note(work, NOTE_STRANGERS, "%zu more matrices are the identity or zero, and left out",
                       count - best->slots.count);
}

/* Finds which of theirs each of our entries is: the listing that fits best, of those that are declared. */
static bool match_entries(struct resolving *work, const struct entry_facts *facts)
{
    const uint32_t count = work->answer->entry_count;
    const int declared = work->subject->hello.conventions.bones;
    struct candidate lists[LISTINGS], *best = NULL, *other = NULL;
    struct match_list names = match_list_create(count, work->arena);
    uint32_t used = count;
    bool is_named = false;
    for (uint32_t i = 0; i < count; i++)
        is_named = is_named || work->answer->entries[i].bone;
    while (used > 0 && is_spare(&work->answer->entries[used - 1].matrix))
        used--;
    const bool is_known = is_named && read_names(work, &names), in_order = !is_known && count > 0;
    for (int i = 0; i < LISTINGS; i++) {
        struct candidate *c = &lists[i];
        *c = (struct candidate){.listing = &listings[i]};
        list_slots(work, facts, c);
        if (in_order)
            match_in_order(work, used, c);
        else
            match_names(work, &names, c);
        if ((!declared || c->listing->bones == declared) && fits_better(c, best))
            best = c;
        other = !other || c->misfit < other->misfit ? c : other;
    }
    if (in_order ? best->misfit == MISFITS_ALL : declared && other->misfit < best->misfit)
        return refuse(work, lists, is_named, is_known);
    note_strangers(work, best, &names, is_known);
    note_bones(work, lists, best, in_order);
    if (in_order && is_named)
        resolving_note(work, NOTE_NAMES, "bones are matched by their order in the file");
    for (uint32_t i = 0; i < work->reference->palette_count; i++)
        work->entry_of[i] = best->slot_of[i] == NO_INDEX ? NO_INDEX : best->theirs[best->slot_of[i]];
    return true;
}

/* The entry as their node moves it: what the file's offset makes of it. */
static bool derive_entry(const struct resolving *work, struct palette_snapshot *entry)
{
    const struct pose_snapshot *reference = work->reference;
    const uint32_t node = entry->node;
    struct affine_d back, was = affine_d_from(entry->mesh_to_scene);
    if (!work->has_node[node] || strcmp(reference->space, space_words[SPACE_SCENE]) != 0)
        return false;
    const struct affine_d of = affine_d_from(reference->nodes[node].node_to_scene);
    if (affine_d_inverse(&of, &back)) {
        was = affine_d_mul(&back, &was);
        was = affine_d_mul(&work->node_now[node], &was);
        affine_d_to(&was, entry->mesh_to_scene);
    }
    return true;
}

/* A frame that was solved is the palette's own, not the answer's: the nodes do not have it, or it is a matrix of the
 * file. */
static bool is_suspect(const struct resolving *work)
{
    const struct frame *frame = &work->solution->palette;
    const bool has_nodes = work->answer->has & SUBJECT_NODES;
    if (!frame->is_solved ||
        (has_nodes && affine_d_near(&frame->left, &work->solution->nodes.left, 1e-4, 1e-4 * work->extent)))
        return false;
    const struct frame_pairs *nodes = &work->solution->seen[0];
    return (has_nodes && (!frame_holds(nodes, frame) || frame_leaves_some(nodes, frame))) ||
           resolving_is_mistake(work, frame, "palette matrices");
}

/* Ours, with what they have of them. A rigid mesh, of which engines have no entry, follows its node, as all entries do
 * where no palette is given: then `now` and `facts` are NULL. */
static void fill_palette(struct resolving *work, const struct affine_d *now, const struct entry_facts *facts)
{
    const struct pose_snapshot *reference = work->reference;
    const struct frame *frame = &work->solution->palette;
    struct pose_snapshot *pose = work->out->pose;
    pose->palette = ARENA_NEW(work->arena, struct palette_snapshot, reference->palette_count);
    pose->palette_count = 0;
    for (uint32_t i = 0; i < reference->palette_count; i++) {
        struct palette_snapshot entry = reference->palette[i];
        bool has = facts && !facts[i].is_used && !work->subject->spec->is_file;
        if (now && work->entry_of[i] != NO_INDEX) {
            const struct affine_d framed = map_undo(&frame->left, &now[i], &frame->right);
            affine_d_to(&framed, entry.mesh_to_scene);
            resolving_keep_row(work, &work->answer->entries[work->entry_of[i]].matrix, entry.mesh_to_scene);
            has = true;
        } else if (has || !facts) {
            entry.is_ours = !derive_entry(work, &entry);
            has = has || !entry.is_ours;
        }
        if (has)
            pose->palette[pose->palette_count++] = entry;
    }
}

bool resolve_palette(struct resolving *work)
{
    const struct pose_snapshot *reference = work->reference;
    const uint32_t all = reference->palette_count;
    if (!(work->answer->has & SUBJECT_PALETTE)) {
        fill_palette(work, NULL, NULL);
        return true;
    }
    struct affine_d *now = ARENA_NEW(work->arena, struct affine_d, all);
    struct frame_pairs pairs = resolving_pairs(work, true, all);
    const struct entry_facts *facts = find_facts(work);
    for (uint32_t i = 0; i < all && work->answer->entry_count == 0 && !work->subject->spec->is_file; i++)
        if (facts[i].is_used)
            return error_set(work->err, "%s: its palette is empty, and bones hold the model's vertices",
                             work->subject->spec->name);
    if (!match_entries(work, facts))
        return false;
    for (uint32_t i = 0; i < all; i++) {
        if (work->entry_of[i] == NO_INDEX)
            continue;
        const struct subject_entry *entry = &work->answer->entries[work->entry_of[i]];
        const struct affine_d ours = affine_d_from(reference->palette[i].mesh_to_scene);
        if (!resolving_matrix(work, &entry->matrix, &work->of_palette, "the palette's matrix", entry->bone, &now[i]))
            return false;
        frame_pair(&pairs, &now[i], &ours);
    }
    if (!resolving_solve(work, &pairs, &work->solution->palette))
        return false;
    work->is_suspect = is_suspect(work);
    fill_palette(work, now, facts);
    work->out->pose->left_out &= ~(unsigned)POSE_PALETTE;
    work->out->given |= SUBJECT_PALETTE;
    return true;
}
