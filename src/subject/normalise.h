#ifndef RIGPROOF_SUBJECT_NORMALISE_H
#define RIGPROOF_SUBJECT_NORMALISE_H

#include "data/measure.h"
#include "subject/conventions.h"

/* One answer under way: what the files share that bring it into the reference's conventions. */

struct normalising {
    const struct subject *subject;
    const struct subject_answer *answer;
    const struct pose_snapshot *reference;
    const struct import_snapshot *import;
    struct subject_solution *solution;
    struct arena *arena;
    struct normalised *out;
    struct error *err;
    enum storage storage; /* of this answer */
    const char *strip;
    double extent;
    struct affine_d root;
    struct affine_d *globals; /* [answer->node_count] theirs */
    bool *has_global;
    const int32_t *node_of;    /* [reference->node_count] theirs, or NO_INDEX */
    const int32_t *ours_of;    /* [answer->node_count] ours, or NO_INDEX */
    int32_t *entry_of;         /* [reference->palette_count] */
    struct affine_d *node_now; /* [reference->node_count] ours, as they have it */
    bool *has_node;
};

/* A matrix of the answer; false with the error set where it is none. */
bool normalising_matrix(struct normalising *work, const struct raw_matrix *raw, const char *what, const char *name,
                        struct affine_d *out);

/* The frame as it is declared, else the identity; false: nothing is declared. */
bool normalising_declared(const struct normalising *work, bool is_palette, struct frame *frame);

/* As declared, else solved, unless it is known; before it is, it is the identity. False with the error set where what is
 * declared is not so. */
bool normalising_solve(struct normalising *work, const struct affine_d *theirs, const struct affine_d *ours,
                       uint32_t count, struct frame *frame);

/* Theirs as ours. */
struct affine_d frame_undo(const struct frame *frame, const struct affine_d *theirs);

/* The last of that name among the first `before`, or NO_INDEX. */
int32_t normalising_find(const struct pose_snapshot *pose, const char *name, uint32_t before);

/*
 * The frame that explains at least three quarters of the pairs to a ten-thousandth of `extent`, the distance from the
 * origin within which all is; the other one (NULL: none) first. Stays unknown where the pairs cannot tell it: fewer than
 * two, all ours alike.
 */
void frame_solve(const struct affine_d *theirs, const struct affine_d *ours, uint32_t count, double extent,
                 const struct affine_d *root, const struct frame *other, struct frame *frame);

/* The same of nodes' places alone, where each may be turned by itself (Blender's bones lie along y); and by what one is turned
 * in a frame: theirs = left * ours * inverse(right) * turn. False, and the identity, where it is not, or it is no rotation. */
void frame_solve_places(const struct affine_d *theirs, const struct affine_d *ours, uint32_t count, double extent,
                        struct frame *frame);
bool frame_turn(const struct frame *frame, const struct affine_d *theirs, const struct affine_d *ours, double extent,
                struct affine_d *turn);

/* A signed permutation, of 48, times a scale; a number to six digits. */
struct affine_d frame_axes(int which, double scale);
double frame_round(double value);

/* Of one frame: "nodes are placed: unit 0.01". */
void subject_tell_frame(const struct frame *frame, const char *of, struct text *out);

/* Each part of an answer; false with the error set. */
bool normalise_nodes(struct normalising *work);
bool normalise_palette(struct normalising *work);
bool normalise_skin(struct normalising *work);

/* Where no palette is given, what the nodes make of it with the file's offsets. */
void normalise_derived_palette(struct normalising *work);

#endif
