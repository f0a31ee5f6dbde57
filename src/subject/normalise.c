/* An answer in the reference's conventions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/bounds.h"
#include "subject/normalise.h"

static bool is_near(float value, float to)
{
    return fabsf(value - to) <= 1e-4f;
}

static void vote(const struct raw_matrix *raw, uint32_t votes[static STORAGE_COUNT])
{
    const float *n = raw->numbers;
    if (raw->count != 16 || !is_near(n[15], 1))
        return;
    const bool ends_row = is_near(n[12], 0) && is_near(n[13], 0) && is_near(n[14], 0);
    const bool ends_column = is_near(n[3], 0) && is_near(n[7], 0) && is_near(n[11], 0);
    votes[STORAGE_ROWS] += ends_row && !ends_column;
    votes[STORAGE_COLUMNS] += ends_column && !ends_row;
}

enum storage subject_find_storage(const struct subject_answer *answer)
{
    uint32_t votes[STORAGE_COUNT] = {0};
    for (uint32_t i = 0; i < answer->node_count; i++) {
        vote(&answer->nodes[i].local, votes);
        vote(&answer->nodes[i].global, votes);
    }
    for (uint32_t i = 0; i < answer->entry_count; i++)
        vote(&answer->entries[i].matrix, votes);
    enum storage best = STORAGE_UNKNOWN;
    for (int i = STORAGE_COLUMNS; i < STORAGE_COUNT; i++)
        if (votes[i] > votes[best])
            best = (enum storage)i;
    return best;
}

bool subject_read_matrix(const struct raw_matrix *raw, enum storage storage, struct map *out)
{
    const float *n = raw->numbers;
    const bool rows = storage == STORAGE_ROWS || raw->count == 12; /* 12 numbers are rows, whatever 16 are */
    if (storage == STORAGE_ROWS3X4 && raw->count != 12)
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out->m[r][c] = (double)(rows ? n[4 * r + c] : n[4 * c + r]);
    bool is_affine = raw->count == 12 || is_near(n[15], 1);
    for (int k = 0; k < 3 && raw->count == 16; k++)
        is_affine = is_affine && is_near(rows ? n[12 + k] : n[4 * k + 3], 0);
    return is_affine;
}

bool normalising_matrix(struct normalising *work, const struct raw_matrix *raw, const char *what, const char *name,
                        struct map *out)
{
    if (subject_read_matrix(raw, work->storage, out))
        return true;
    const bool declared = work->subject->hello.conventions.storage != STORAGE_UNKNOWN;
    return error_set(work->err, "%s: %s of `%s` is no affine matrix %s %s%s: its last row is not 0 0 0 1",
                     work->subject->spec->name, what, name ? name : "(no name)",
                     declared ? "stored as" : "where others are stored as", storage_words[work->storage],
                     declared ? ", as declared" : "");
}

struct map frame_undo(const struct frame *frame, const struct map *theirs)
{
    struct map left;
    map_inverse(&frame->left, &left);
    left = map_mul(&left, theirs);
    return map_mul(&left, &frame->right);
}

int32_t normalising_find(const struct pose_snapshot *pose, const char *name, uint32_t before)
{
    for (uint32_t i = before; name && i-- > 0;)
        if (strcmp(pose->nodes[i].name, name) == 0)
            return (int32_t)i;
    return NO_INDEX;
}

void normalising_solve(struct normalising *work, const struct map *theirs, const struct map *ours, uint32_t count,
                       struct frame *frame)
{
    const struct subject_conventions *c = &work->subject->hello.conventions;
    const bool has_space = c->has_space && !work->subject->spec->is_rigproof; /* which is told the case's */
    if (c->unit > 0 || c->has_axes || (has_space && frame == &work->solution->palette)) {
        struct map scale = map_identity, axes = c->has_axes ? map_from(c->axes) : map_identity;
        for (int k = 0; k < 3; k++)
            scale.m[k][k] = c->unit > 0 ? c->unit : 1.0;
        *frame = (struct frame){.is_known = true};
        frame->right = map_mul(&scale, &axes);
        frame->left = frame->right;
        const bool ours_is_root = strcmp(work->reference->space, space_words[SPACE_ROOT]) == 0;
        if (has_space && (c->space == SPACE_ROOT) != ours_is_root && frame == &work->solution->palette) {
            struct map between = work->root;
            if (!ours_is_root)
                map_inverse(&work->root, &between);
            frame->left = map_mul(&frame->left, &between);
        }
    }
    if (work->subject->spec->is_strict && !frame->is_known)
        *frame = (struct frame){.is_known = true, .left = map_identity, .right = map_identity};
    frame_solve(theirs, ours, count, work->extent, &work->root, frame);
    if (!frame->is_known)
        frame->left = frame->right = map_identity;
}

/* Within this of the origin is everything. */
static double find_extent(const struct pose_snapshot *pose)
{
    const struct bounds bounds = pose_snapshot_bounds(pose);
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += pow(fmax(fabs((double)bounds.min[k]), fabs((double)bounds.max[k])), 2);
    return square > 1e-18 && square < 1e60 ? sqrt(square) : 1.0;
}

bool subject_normalise(const struct subject *subject, const struct subject_answer *answer,
                       const struct pose_snapshot *reference, const struct import_snapshot *import,
                       struct subject_solution *solution, struct arena *arena, struct normalised *out,
                       struct error *err)
{
    const struct subject_conventions *c = &subject->hello.conventions;
    struct normalising work = {
        .subject = subject,
        .answer = answer,
        .reference = reference,
        .import = import,
        .solution = solution,
        .arena = arena,
        .out = out,
        .err = err,
        .strip = subject->spec->strip ? subject->spec->strip : c->strip,
        .extent = find_extent(reference),
        .root = map_identity,
        .node_of = ARENA_NEW(arena, int32_t, reference->node_count),
        .place_of = ARENA_NEW(arena, int32_t, answer->node_count),
        .entry_of = ARENA_NEW(arena, int32_t, reference->palette_count),
        .node_now = ARENA_NEW(arena, struct map, reference->node_count),
        .has_node = ARENA_NEW(arena, bool, reference->node_count),
    };
    *out = (struct normalised){.pose = ARENA_NEW(arena, struct pose_snapshot, 1)};
    *out->pose = *reference;
    for (uint32_t i = 0; i < answer->node_count; i++)
        work.place_of[i] = NO_INDEX;
    if (import->node_count > 0) /* at rest, as the reference has it */
        work.root = map_from(import->nodes[0].local_to_parent);
    if (c->storage == STORAGE_UNKNOWN && solution->storage == STORAGE_UNKNOWN) {
        solution->storage = subject_find_storage(answer);
        solution->storage_solved = solution->storage != STORAGE_UNKNOWN;
    }
    work.storage = c->storage != STORAGE_UNKNOWN ? c->storage : solution->storage;
    if ((answer->has & SUBJECT_NODES) && !normalise_nodes(&work))
        return false;
    if ((answer->has & SUBJECT_PALETTE) && !normalise_palette(&work))
        return false;
    if ((answer->has & SUBJECT_NODES) && !(answer->has & SUBJECT_PALETTE))
        normalise_derived_palette(&work);
    if (answer->has & SUBJECT_SKIN)
        normalise_skin(&work);
    out->given |= answer->has & SUBJECT_PICTURE;
    out->reference = work.reference;
    return true;
}
