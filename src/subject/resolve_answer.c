/* An answer in the reference's conventions. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/bounds.h"
#include "data/vector.h"
#include "subject/resolving.h"

static bool is_near(float value, float to)
{
    return fabsf(value - to) <= 1e-4f;
}

static void vote(const struct raw_matrix *raw, uint32_t votes[static STORAGE_COUNT])
{
    const float *n = raw->numbers;
    if (raw->count != 16 || !is_near(n[15], 1))
        return;
    const float row = fabsf(n[12]) + fabsf(n[13]) + fabsf(n[14]), column = fabsf(n[3]) + fabsf(n[7]) + fabsf(n[11]);
    votes[STORAGE_ROWS] += is_near(row, 0) && row < 1e-3f * column; /* a translation may be small, in a large unit */
    votes[STORAGE_COLUMNS] += is_near(column, 0) && column < 1e-3f * row;
}

enum storage raw_matrix_find_storage(const struct subject_answer *answer)
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

bool raw_matrix_read(const struct raw_matrix *raw, enum storage storage, struct affine_d *out)
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

bool resolving_matrix(struct resolving *work, const struct raw_matrix *raw, const struct affine_d *left,
                      const char *what, const char *name, struct affine_d *out)
{
    const bool declared = work->subject->hello.conventions.storage || work->answer->storage;
    if (raw_matrix_read(raw, work->storage, out) || (declared && work->subject->spec->is_file)) {
        *out = map_undo(left, out, &work->unit_and_axes);
        return true;
    }
    return error_set(work->err, "%s: %s of `%s` is no affine matrix %s %s%s: its last row is not 0 0 0 1",
                     work->subject->spec->name, what, name ? name : "(no name)",
                     declared ? "stored as" : "where others are stored as", storage_words[work->storage],
                     declared ? ", as declared" : "");
}

void resolving_keep_row(const struct resolving *work, const struct raw_matrix *raw, mat4 out)
{
    struct affine_d ignored;
    for (int k = 0; k < 4 && raw->count == 16 && !raw_matrix_read(raw, work->storage, &ignored); k++)
        out[k][3] = raw->numbers[work->storage == STORAGE_ROWS ? 12 + k : 4 * k + 3];
}

void resolving_note(const struct resolving *work, enum solution_note note, const char *format, ...)
{
    static const size_t sizes[SOLUTION_NOTES] = {200, 160, 160, 240, 160};
    va_list list;
    va_start(list, format);
    vsnprintf(work->solution->notes[note], sizes[note], format, list);
    va_end(list);
}

void resolving_leave_out(struct resolving *work, const char *what, const char *const *names, const int32_t *ours,
                         uint32_t count)
{
    SCOPED(text) some = {0};
    uint32_t strange = 0;
    for (uint32_t i = 0; i < count && work->subject->spec->is_file; i++)
        if (ours[i] == NO_INDEX && names[i] && strange++ < 3)
            text_addf(&some, "%s`%.60s`", some.size > 0 ? ", " : "", names[i]);
    if (strange > 0)
        resolving_note(work, NOTE_STRANGERS, "%u of %u %s are not the model's, and left out: %s%s", strange, count,
                       what, text_string(&some), strange > 3 ? ", ..." : "");
}

bool resolving_any(const int32_t *to_theirs, size_t count)
{
    bool is = false;
    for (size_t i = 0; i < count; i++)
        is = is || to_theirs[i] != NO_INDEX;
    return is;
}

bool resolving_known(struct resolving *work, const char *what, const struct match_list *ours, const int32_t *to_theirs,
                     uint32_t their_count, const char *first)
{
    return ours->count == 0 || (work->subject->spec->is_file && their_count == 0) ||
           resolving_any(to_theirs, ours->count) ||
           error_set(work->err,
                     "%s: none of its %u %s is called like one of the model's %zu (its first is `%.60s`, the model's "
                     "`%.60s`)",
                     work->subject->spec->name, their_count, what, ours->count, their_count > 0 && first ? first : "",
                     ours->keys[0].name);
}

struct affine_d map_undo(const struct affine_d *left, const struct affine_d *map, const struct affine_d *right)
{
    struct affine_d out;
    affine_d_inverse(left, &out);
    out = affine_d_mul(&out, map);
    return affine_d_mul(&out, right);
}

static void find_declared(struct resolving *work)
{
    const struct subject_conventions *c = &work->subject->hello.conventions;
    const bool ours_is_root = strcmp(work->reference->space, space_words[SPACE_ROOT]) == 0;
    work->unit_and_axes = c->has_axes ? affine_d_from(c->axes) : affine_d_identity;
    for (int k = 0; k < 9 && c->unit > 0; k++)
        work->unit_and_axes.column[k / 3][k % 3] *= c->unit;
    work->of_palette = work->unit_and_axes;
    if (c->has_space && !work->subject->spec->is_rigproof && /* which is told the case's */
        (c->space == SPACE_ROOT) != ours_is_root) {
        struct affine_d between = work->root;
        if (!ours_is_root)
            affine_d_inverse(&work->root, &between);
        work->of_palette = affine_d_mul(&work->of_palette, &between);
    }
}

/* Returns whether a frame that is left, where what is declared is undone, says otherwise than what is declared. */
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

struct frame_pairs resolving_pairs(const struct resolving *work, bool are_palette, uint32_t more)
{
    const struct frame_pairs *seen = &work->solution->seen[are_palette];
    struct frame_pairs out = {ARENA_NEW(work->arena, struct affine_d, seen->count + more),
                              ARENA_NEW(work->arena, struct affine_d, seen->count + more), 0, work->extent};
    while (out.count < seen->count)
        frame_pair(&out, &seen->theirs[out.count], &seen->ours[out.count]);
    return out;
}

void frame_pair(struct frame_pairs *pairs, const struct affine_d *theirs, const struct affine_d *ours)
{
    pairs->theirs[pairs->count] = *theirs;
    pairs->ours[pairs->count++] = *ours;
}

/* Appends a frame in words: "nodes are placed: unit 0.01". */
static void describe_frame(const struct frame *frame, const char *of, struct text *out)
{
    static const char letters[] = "xyz";
    const bool converts = memcmp(&frame->right, &affine_d_identity, sizeof affine_d_identity) != 0;
    const struct affine_d *map = converts ? &frame->right : &frame->left;
    char axes[3][3] = {"", "", ""};
    double size = 0.0;
    bool is_axes = true, is_plain = true;
    if (!frame->is_solved)
        return;
    text_addf(out, "%s%s ", out->size > 0 ? "; " : "", of);
    if (frame->is_root) {
        text_add(out, "are in the root's space");
        return;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (map->column[c][r] != 0.0) {
                const double value = map->column[c][r];
                is_axes = is_axes && axes[r][0] == '\0' && (size == 0.0 || fabs(fabs(value) - size) < 1e-5 * size);
                size = fabs(value);
                snprintf(axes[r], sizeof axes[r], "%s%c", value < 0 ? "-" : "", letters[c]);
                is_plain = is_plain && r == c && value > 0;
            }
    is_axes = is_axes && vec3d_length(map->column[3]) <= 0.0;
    if (!is_axes) {
        text_addf(out, "are placed by a constant matrix (to %.4g, %.4g, %.4g)", map->column[3][0], map->column[3][1],
                  map->column[3][2]);
        return;
    }
    text_add(out, converts ? "are converted: " : "are placed: ");
    if (fabs(size - 1.0) > 1e-6)
        text_addf(out, "unit %.6g%s", size, is_plain ? "" : ", ");
    if (!is_plain)
        text_addf(out, "axes %s, %s, %s", axes[0], axes[1], axes[2]);
}

bool resolving_solve(struct resolving *work, const struct frame_pairs *pairs, struct frame *frame)
{
    enum { SEEN_MOST = 4096 };
    const struct subject_conventions *c = &work->subject->hello.conventions;
    const bool is_palette = frame == &work->solution->palette, is_declared = c->unit > 0 || c->has_axes;
    struct frame_pairs *seen = &work->solution->seen[is_palette];
    struct frame solved = frame_identity;
    if (frame->is_known)
        return true;
    if (seen->count < SEEN_MOST)
        *seen = *pairs;
    if (!work->subject->spec->is_strict)
        frame_solve(seen, is_declared || (is_palette && c->has_space) ? NULL : &work->root,
                    is_palette && !is_declared ? &work->solution->nodes : NULL, &solved);
    if (solved.is_known && contradicts(c, is_palette, &solved)) {
        SCOPED(text) text = {0};
        describe_frame(&solved, is_palette ? "palette matrices" : "nodes", &text);
        error_set(work->err, "%s: the conventions that it declares do not fit: with these its %s",
                  work->subject->spec->name, text_string(&text));
        return false;
    }
    *frame = is_palette && !solved.is_solved && work->answer->has & SUBJECT_NODES ? work->solution->nodes : solved;
    frame->is_known = solved.is_known || work->subject->spec->is_strict ||
                      (c->unit > 0 && c->has_axes && (!is_palette || c->has_space));
    return true;
}

bool resolving_is_mistake(const struct resolving *work, const struct frame *frame, const char *of)
{
    const unsigned numbers = work->answer->has & (SUBJECT_NODES | SUBJECT_PALETTE | SUBJECT_SKIN);
    const bool is_alone = numbers == SUBJECT_PALETTE || numbers == SUBJECT_SKIN; /* in the root's space: ogldev's way */
    const struct affine_d factor = frame_placing(frame);
    const struct import_snapshot *import = work->import;
    const double extent = work->extent;
    struct affine_d *global = ARENA_NEW(work->arena, struct affine_d, import->node_count), back;
    if (is_alone && frame_is_axes(&factor, 1e-3, extent) && fabs(affine_d_scale(&factor) - 1) < 1e-3)
        return false; /* nothing tells it from an engine's own axes */
    for (uint32_t n = 0; n < import->node_count && n < work->reference->node_count; n++) {
        const int32_t parent = work->reference->nodes[n].parent_index;
        const struct affine_d local = affine_d_from(import->nodes[n].local_to_parent);
        global[n] = parent == NO_INDEX ? local : affine_d_mul(&global[parent], &local);
        affine_d_inverse(parent == NO_INDEX ? &affine_d_identity : &global[parent], &back);
        const struct affine_d maps[] = {local, global[n],
                                        affine_d_mul(&global[n], &back)}; /* the last: as seen from the scene */
        for (int i = import->nodes[n].is_bone && parent != NO_INDEX && import->nodes[parent].is_bone ? 6 : 0; i < 6;
             i++) {
            const struct affine_d *map = &maps[i / 2];
            if (!affine_d_inverse(map, &back) || affine_d_near(map, &affine_d_identity, 1e-4, 1e-4 * extent) ||
                (is_alone && i % 2 && parent == NO_INDEX))
                continue;
            const struct affine_d left = affine_d_mul(&factor, i % 2 ? map : &back);
            if (!(frame_is_axes(map, 1e-3, extent) ? affine_d_near(&left, &affine_d_identity, 1e-3, 1e-3 * extent)
                                                   : frame_is_axes(&left, 1e-3, extent)))
                continue;
            if (!work->solution->notes[NOTE_MISTAKE][0])
                resolving_note(work, NOTE_MISTAKE,
                               "its %s are off by the %stransform of `%.60s`, which is no convention unless it is "
                               "declared",
                               of, i % 2 ? "inverse " : "", import->nodes[n].name);
            return true;
        }
    }
    return false;
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

bool subject_resolve(const struct subject *subject, const struct subject_answer *answer,
                     const struct pose_snapshot *reference, const struct import_snapshot *import,
                     struct subject_solution *solution, struct arena *arena, struct resolved *out, struct error *err)
{
    const enum storage declared = answer->storage ? answer->storage : subject->hello.conventions.storage;
    struct resolving work = {
        .subject = subject,
        .answer = answer,
        .reference = reference,
        .import = import,
        .solution = solution,
        .arena = arena,
        .out = out,
        .err = err,
        .strip = subject->spec->strip ? subject->spec->strip : subject->hello.conventions.strip,
        .extent = find_extent(reference),
        .root = affine_d_identity,
        .entry_of = ARENA_NEW(arena, int32_t, reference->palette_count),
        .node_now = ARENA_NEW(arena, struct affine_d, reference->node_count),
        .has_node = ARENA_NEW(arena, bool, reference->node_count),
    };
    *out = (struct resolved){.pose = ARENA_NEW(arena, struct pose_snapshot, 1)};
    *out->pose = *reference;
    if (subject->spec->is_file) {
        *out->pose = answer->head;
        out->pose->left_out = POSE_STAGES;
    }
    if (import->node_count > 0) /* at rest, as the reference has it */
        work.root = affine_d_from(import->nodes[0].local_to_parent);
    find_declared(&work);
    if (declared == STORAGE_UNKNOWN && solution->storage == STORAGE_UNKNOWN) {
        solution->storage = raw_matrix_find_storage(answer);
        solution->storage_solved = solution->storage != STORAGE_UNKNOWN;
    }
    work.storage = declared != STORAGE_UNKNOWN ? declared : solution->storage;
    if ((answer->has & SUBJECT_NODES) && !resolve_nodes(&work))
        return false;
    const unsigned of_palette = SUBJECT_PALETTE | (subject->spec->is_file ? 0 : SUBJECT_NODES);
    if ((answer->has & of_palette) && !resolve_palette(&work))
        return false;
    if ((answer->has & SUBJECT_SKIN) && !resolve_skin(&work))
        return false;
    if (work.is_suspect && !work.is_vouched) { /* it is held against what the nodes say */
        resolving_is_mistake(&work, &solution->palette, "palette matrices");
        solution->palette = answer->has & SUBJECT_NODES ? solution->nodes : frame_converting(&solution->palette);
        solution->palette.is_known = true;
        if (!resolve_palette(&work))
            return false;
    }
    out->given |= answer->has & SUBJECT_PICTURE;
    out->reference = work.reference;
    return true;
}

void subject_describe_solution(const struct subject_solution *s, struct text *out)
{
    if (s->storage_solved)
        text_addf(out, "matrices are stored as %s", storage_words[s->storage]);
    describe_frame(&s->nodes, "nodes", out);
    if (s->turns)
        text_addf(out, "%s%u node%s axes of %s own", out->size > 0 ? "; " : "", s->turn_count,
                  s->turn_count == 1 ? " has" : "s have", s->turn_count == 1 ? "its" : "their");
    describe_frame(&s->palette, "palette matrices", out);
    if (!s->nodes.is_solved && !s->palette.is_solved)
        describe_frame(&s->skin, "vertices", out);
    for (int note = 0; note < SOLUTION_NOTES; note++)
        if (s->notes[note][0])
            text_addf(out, "%s%s", out->size > 0 ? "; " : "", s->notes[note]);
}
