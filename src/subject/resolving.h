#pragma once

#include "data/measure.h"
#include "data/record/matching.h"
#include "subject/resolve_answer.h"

/* One answer under way: what the files share that bring it into the reference's conventions. */

struct resolving {
    const struct subject *subject;
    const struct subject_answer *answer;
    const struct pose_snapshot *reference;
    const struct import_snapshot *import;
    struct subject_solution *solution;
    struct arena *arena;
    struct resolved *out;
    struct error *err;
    enum storage storage; /* of this answer */
    const char *strip;
    double extent;
    struct affine_d root;
    struct affine_d unit_and_axes,
        of_palette;           /* as declared; and with the palette's space: theirs = of_palette ours unit_and_axes^-1 */
    struct affine_d *globals; /* [answer->node_count] theirs */
    bool *has_global;
    struct name_index nodes;   /* of the answer, as it calls them */
    const int32_t *node_of;    /* [reference->node_count] theirs, or NO_INDEX */
    const int32_t *ours_of;    /* [answer->node_count] ours, or NO_INDEX */
    int32_t *entry_of;         /* [reference->palette_count] */
    struct affine_d *node_now; /* [reference->node_count] ours, as they have it */
    bool *has_node;
    bool is_suspect; /* the palette's frame is not the nodes', or a matrix of the file */
    bool is_vouched; /* vertices are where they belong, as nodes or what is declared have it */
};

/* A matrix of the answer, what is declared undone; false with the error set where it is none. */
bool resolving_matrix(struct resolving *work, const struct raw_matrix *raw, const struct affine_d *left,
                      const char *what, const char *name, struct affine_d *out);

/* A matrix that is not affine, and was declared to be stored so, keeps the last row that it came with. */
void resolving_keep_row(const struct resolving *work, const struct raw_matrix *raw, mat4 out);

/* Puts a sentence into the solution. */
void resolving_note(const struct resolving *work, enum solution_note note, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says which of a file's names (NULL: it has none) mean nothing of the model. */
void resolving_leave_out(struct resolving *work, const char *what, const char *const *names, const int32_t *ours,
                         uint32_t count);

/* Says whether one of them is matched. */
bool resolving_any(const int32_t *to_theirs, size_t count);

/* False with the error set where none of our names is matched and there is something to match: a file may lack all
 * of it. `first` is the first name of theirs. */
bool resolving_known(struct resolving *work, const char *what, const struct match_list *ours, const int32_t *to_theirs,
                     uint32_t their_count, const char *first);

/*
 * Puts our names in place of theirs that mean the same. Of those that only one side has: with []./: dropped and blanks
 * as _; of bones without what their subject declares; without a namespace; without what most of them begin or end
 * with. How bones are called is noted. No name is NULL.
 */
void resolving_rename(struct resolving *work, const struct match_list *ours, struct match_list *theirs, bool are_bones);

/* False where it is no affine matrix in that storage; of an unknown one of 16 numbers columns are tried. */
bool raw_matrix_read(const struct raw_matrix *raw, enum storage storage, struct affine_d *out);

/* The storage that the matrices of an answer show, or unknown. */
enum storage raw_matrix_find_storage(const struct subject_answer *answer);

/* The pairs of the nodes or the palette that were seen before, with room for so many more. */
struct frame_pairs resolving_pairs(const struct resolving *work, bool are_palette, uint32_t more);

/* Solved, unless it is known; before it is, it is the identity, or a guess that explains what was seen. False with
 * the error set where what is declared is not so. */
bool resolving_solve(struct resolving *work, const struct frame_pairs *pairs, struct frame *frame);

/*
 * Says if what is left of a frame without axes and unit is a matrix of the file: of a node that is no bone or of a
 * topmost bone, or what leaving it out or applying it twice does; but for the root's inverse, and axes, where the
 * answer has nothing else. `of` is for the solution, which says it then.
 */
bool resolving_is_mistake(const struct resolving *work, const struct frame *frame, const char *of);

/* left^-1 map right: theirs as ours, by a frame's factors or declared ones. */
struct affine_d map_undo(const struct affine_d *left, const struct affine_d *map, const struct affine_d *right);

/*
 * The frame that explains at least three quarters of the pairs to a ten-thousandth of their extent; the other one
 * (NULL: none) first. Stays unknown where the pairs cannot tell it: fewer than two, all ours alike; and where several
 * explain them, which what is seen later may tell apart.
 */
void frame_solve(const struct frame_pairs *seen, const struct affine_d *root, const struct frame *other,
                 struct frame *frame);

/* Adds a pair; there must be room. */
void frame_pair(struct frame_pairs *pairs, const struct affine_d *theirs, const struct affine_d *ours);

/* Returns whether it explains three quarters of them. */
bool frame_holds(const struct frame_pairs *seen, const struct frame *frame);

/* Returns whether it puts nodes elsewhere while some, which it does not explain, are where they are in the file: a bone
 * above the others has moved then, and the file has not. Axes and a unit may be of bones alone. */
bool frame_leaves_some(const struct frame_pairs *nodes, const struct frame *frame);

/* The same of nodes' places alone, where each may be turned by itself (Blender's bones lie along y); and by what one
 * is turned in a frame: theirs = left * ours * inverse(right) * turn. False, and the identity, where it is not, or
 * it is no rotation. */
void frame_solve_places(const struct frame_pairs *nodes, struct frame *frame);
bool frame_turn(const struct frame *frame, const struct affine_d *theirs, const struct affine_d *ours, double extent,
                struct affine_d *turn);

/* The frame without what is left of it, known. */
struct frame frame_converting(const struct frame *frame);

/* right^-1 left: what is left of a frame without axes and unit. Whether a map is a signed permutation times a scale. */
struct affine_d frame_placing(const struct frame *frame);
bool frame_is_axes(const struct affine_d *map, double epsilon, double extent);

/* A signed permutation, of 48, times a scale. */
struct affine_d frame_axes(int which, double scale);

/* The power of ten that a unit is to `epsilon`, else the unit to six digits. */
double frame_unit(double size, double epsilon);

/* Each part of an answer; false with the error set. Where no palette is given, it is what the nodes make of it with the
 * file's offsets. */
bool resolve_nodes(struct resolving *work);
bool resolve_palette(struct resolving *work);
bool resolve_skin(struct resolving *work);
