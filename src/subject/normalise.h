#ifndef RIGPROOF_SUBJECT_NORMALISE_H
#define RIGPROOF_SUBJECT_NORMALISE_H

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

/* Each part of an answer; false with the error set. */
bool normalise_nodes(struct normalising *work);
bool normalise_palette(struct normalising *work);
bool normalise_skin(struct normalising *work);

/* Where no palette is given, what the nodes make of it with the file's offsets. */
void normalise_derived_palette(struct normalising *work);

#endif
