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
    struct map root;
    struct map *globals; /* [answer->node_count] theirs */
    bool *has_global;
    int32_t *node_of;     /* [reference->node_count] theirs, or NO_INDEX */
    int32_t *place_of;    /* [answer->node_count] ours, of nodes without a name that are matched by place; NO_INDEX */
    int32_t *entry_of;    /* [reference->palette_count] */
    struct map *node_now; /* [reference->node_count] ours, as they have it */
    bool *has_node;
};

/* A matrix of the answer; false with the error set where it is none. */
bool normalising_matrix(struct normalising *work, const struct raw_matrix *raw, const char *what, const char *name,
                        struct map *out);

/* Solves the frame unless it is known; before it is, it is the identity. */
void normalising_solve(struct normalising *work, const struct map *theirs, const struct map *ours, uint32_t count,
                       struct frame *frame);

/* Theirs as ours. */
struct map frame_undo(const struct frame *frame, const struct map *theirs);

/* The last of that name among the first `before`, or NO_INDEX. */
int32_t normalising_find(const struct pose_snapshot *pose, const char *name, uint32_t before);

/* Each part of an answer; false with the error set. */
bool normalise_nodes(struct normalising *work);
bool normalise_palette(struct normalising *work);
void normalise_skin(struct normalising *work);

/* Where no palette is given, what the nodes make of it with the file's offsets. */
void normalise_derived_palette(struct normalising *work);

#endif
