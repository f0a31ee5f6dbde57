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

/* The storage that the matrices of an answer show, or unknown. */
static enum storage find_storage(const struct subject_answer *answer)
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

/* False where it is no affine matrix in that storage; of an unknown one of 16 numbers columns are tried. */
static bool read_matrix(const struct raw_matrix *raw, enum storage storage, struct affine_d *out)
{
    const float *n = raw->numbers;
    const bool rows = storage == STORAGE_ROWS || raw->count == 12; /* 12 numbers are rows, whatever 16 are */
    if (storage == STORAGE_ROWS3X4 && raw->count != 12)
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out->column[c][r] = (double)(rows ? n[4 * r + c] : n[4 * c + r]);
    bool is_affine = raw->count == 12 || is_near(n[15], 1);
    for (int k = 0; k < 3 && raw->count == 16; k++)
        is_affine = is_affine && is_near(rows ? n[12 + k] : n[4 * k + 3], 0);
    return is_affine;
}

bool normalising_matrix(struct normalising *work, const struct raw_matrix *raw, const char *what, const char *name,
                        struct affine_d *out)
{
    if (read_matrix(raw, work->storage, out))
        return true;
    const bool declared = work->subject->hello.conventions.storage != STORAGE_UNKNOWN;
    return error_set(work->err, "%s: %s of `%s` is no affine matrix %s %s%s: its last row is not 0 0 0 1",
                     work->subject->spec->name, what, name ? name : "(no name)",
                     declared ? "stored as" : "where others are stored as", storage_words[work->storage],
                     declared ? ", as declared" : "");
}

struct affine_d frame_undo(const struct frame *frame, const struct affine_d *theirs)
{
    struct affine_d left;
    affine_d_inverse(&frame->left, &left);
    left = affine_d_mul(&left, theirs);
    return affine_d_mul(&left, &frame->right);
}

int32_t normalising_find(const struct pose_snapshot *pose, const char *name, uint32_t before)
{
    for (uint32_t i = before; name && i-- > 0;)
        if (strcmp(pose->nodes[i].name, name) == 0)
            return (int32_t)i;
    return NO_INDEX;
}

bool normalising_declared(const struct normalising *work, bool is_palette, struct frame *frame)
{
    const struct subject_conventions *c = &work->subject->hello.conventions;
    const bool ours_is_root = strcmp(work->reference->space, space_words[SPACE_ROOT]) == 0;
    const bool has_space =
        is_palette && c->has_space && !work->subject->spec->is_rigproof; /* which is told the case's */
    *frame = frame_identity;
    frame->is_known = c->unit > 0 || c->has_axes || has_space;
    if (c->has_axes)
        frame->right = affine_d_from(c->axes);
    for (int k = 0; k < 9 && c->unit > 0; k++)
        frame->right.column[k / 3][k % 3] *= c->unit;
    frame->left = frame->right;
    if (has_space && (c->space == SPACE_ROOT) != ours_is_root) {
        struct affine_d between = work->root;
        if (!ours_is_root)
            affine_d_inverse(&work->root, &between);
        frame->left = affine_d_mul(&frame->left, &between);
    }
    return frame->is_known;
}

/* Whether a frame that is left, where what is declared is undone, says otherwise than what is declared. */
static bool contradicts(const struct subject_conventions *c, bool is_palette, const struct frame *left)
{
    const double size = affine_d_scale(&left->left);
    double turn = 0;
    for (int k = 0; k < 9; k++)
        turn = worse(turn, fabs(left->left.column[k / 3][k % 3] / size - (k % 4 == 0)));
    const bool is_placed = memcmp(&left->right, &affine_d_identity, sizeof left->right) == 0;
    return left->is_solved && ((c->unit > 0 && fabs(size - 1) > 1e-4) || (c->has_axes && turn > 1e-4) ||
                               (is_palette && c->has_space && is_placed));
}

bool normalising_solve(struct normalising *work, const struct affine_d *theirs, const struct affine_d *ours,
                       uint32_t count, struct frame *frame)
{
    const struct subject_conventions *c = &work->subject->hello.conventions;
    const bool is_palette = frame == &work->solution->palette,
               is_all = c->unit > 0 && c->has_axes && (!is_palette || c->has_space);
    const struct frame *other = is_palette ? &work->solution->nodes : NULL;
    struct frame declared, solved = {0};
    if (frame->is_known)
        return true;
    const bool is_declared = normalising_declared(work, is_palette, &declared);
    struct affine_d back, *as_declared = ARENA_NEW(work->arena, struct affine_d, count);
    affine_d_inverse(&declared.right, &back);
    for (uint32_t i = 0; i < count; i++) {
        as_declared[i] = affine_d_mul(&declared.left, &ours[i]);
        as_declared[i] = affine_d_mul(&as_declared[i], &back);
    }
    if (!work->subject->spec->is_strict)
        frame_solve(theirs, as_declared, count, work->extent * affine_d_scale(&declared.left),
                    is_declared ? NULL : &work->root, c->unit > 0 || c->has_axes ? NULL : other, &solved);
    if (contradicts(c, is_palette, &solved)) {
        struct text text = {0};
        subject_tell_frame(&solved, is_palette ? "palette matrices" : "nodes", &text);
        error_set(work->err, "%s: the conventions that it declares do not fit: with these its %s",
                  work->subject->spec->name, text_string(&text));
        text_release(&text);
        return false;
    }
    *frame = declared;
    frame->is_known = is_all || solved.is_known || work->subject->spec->is_strict;
    if (solved.is_solved) {
        frame->left = affine_d_mul(&solved.left, &declared.left);
        frame->right = affine_d_mul(&solved.right, &declared.right);
        frame->is_solved = true;
        frame->is_root = solved.is_root;
    }
    return true;
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
        .root = affine_d_identity,
        .entry_of = ARENA_NEW(arena, int32_t, reference->palette_count),
        .node_now = ARENA_NEW(arena, struct affine_d, reference->node_count),
        .has_node = ARENA_NEW(arena, bool, reference->node_count),
    };
    *out = (struct normalised){.pose = ARENA_NEW(arena, struct pose_snapshot, 1)};
    *out->pose = *reference;
    if (import->node_count > 0) /* at rest, as the reference has it */
        work.root = affine_d_from(import->nodes[0].local_to_parent);
    if (c->storage == STORAGE_UNKNOWN && solution->storage == STORAGE_UNKNOWN) {
        solution->storage = find_storage(answer);
        solution->storage_solved = solution->storage != STORAGE_UNKNOWN;
    }
    work.storage = c->storage != STORAGE_UNKNOWN ? c->storage : solution->storage;
    if ((answer->has & SUBJECT_NODES) && !normalise_nodes(&work))
        return false;
    if ((answer->has & SUBJECT_PALETTE) && !normalise_palette(&work))
        return false;
    if ((answer->has & SUBJECT_NODES) && !(answer->has & SUBJECT_PALETTE))
        normalise_derived_palette(&work);
    if ((answer->has & SUBJECT_SKIN) && !normalise_skin(&work))
        return false;
    out->given |= answer->has & SUBJECT_PICTURE;
    out->reference = work.reference;
    return true;
}
