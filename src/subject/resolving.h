#pragma once

#include "data/measure.h"
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

/* Says which of a file's names mean nothing of the model. */
void resolving_leave_out(struct resolving *work, const char *what, const char *const *names, const int32_t *ours,
                         uint32_t count);

/* False where it is no affine matrix in that storage; of an unknown one of 16 numbers columns are tried. */
bool raw_matrix_read(const struct raw_matrix *raw, enum storage storage, struct affine_d *out);

/* The storage that the matrices of an answer show, or unknown. */
enum storage raw_matrix_find_storage(const struct subject_answer *answer);

/* Solved, unless it is known; before it is, it is the identity, or a guess that explains what was seen. False with
 * the error set where what is declared is not so. */
bool resolving_solve(struct resolving *work, const struct frame_pairs *now, struct frame *frame);

/*
 * Whether what is left of a frame without axes and unit is a matrix of the file: of a node that is no bone or of a
 * topmost bone, or what leaving it out or applying it twice does; but for the root's inverse, and axes, where the
 * answer has nothing else. `of` is for the solution, which says it then.
 */
bool resolving_is_mistake(const struct resolving *work, const struct frame *frame, const char *of);

/* Theirs as ours. */
struct affine_d frame_undo(const struct frame *frame, const struct affine_d *theirs);

/*
 * The frame that explains at least three quarters of the pairs to a ten-thousandth of their extent; the other one
 * (NULL: none) first. Stays unknown where the pairs cannot tell it: fewer than two, all ours alike; and where several
 * explain them, which what is seen later may tell apart.
 */
void frame_solve(const struct frame_pairs *seen, const struct affine_d *root, const struct frame *other,
                 struct frame *frame);

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

/* A signed permutation, of 48, times a scale; a number to six digits. */
struct affine_d frame_axes(int which, double scale);
double frame_round(double value);

/* Appends a frame in words: "nodes are placed: unit 0.01". */
void subject_describe_frame(const struct frame *frame, const char *of, struct text *out);

/* Each part of an answer; false with the error set. */
bool resolve_nodes(struct resolving *work);
bool resolve_palette(struct resolving *work);
bool resolve_skin(struct resolving *work);

/* Where no palette is given, what the nodes make of it with the file's offsets. */
void resolve_derived_palette(struct resolving *work);
