#ifndef RIGPROOF_SUBJECT_CONVENTIONS_H
#define RIGPROOF_SUBJECT_CONVENTIONS_H

#include "subject/subject.h"

/*
 * What a subject's numbers mean, and the same in the reference's conventions. What it does not declare is solved where an
 * answer shows it, at best one at the rest pose, and then kept for the model: a mistake that changes with time is never
 * taken for a convention.
 */

/* An affine map in doubles: three rows. */
struct map {
    double m[3][4];
};

extern const struct map map_identity;
struct map map_from(const mat4 from);
void map_to(const struct map *from, mat4 to);
struct map map_mul(const struct map *a, const struct map *b);
bool map_inverse(const struct map *from, struct map *out);

/* theirs = left * ours * inverse(right). */
struct frame {
    bool is_known;  /* solved or declared; before, it is the identity */
    bool is_solved; /* and not the identity */
    struct map left, right;
    bool is_root; /* left is the inverse of the root's transform */
};

/* Of one model. Zero at first. */
struct subject_solution {
    enum storage storage;
    bool storage_solved;
    struct frame nodes, palette, skin;
    char names[160]; /* how names were matched; "": as they are */
    char bones[160]; /* how a palette's entries were; "": mesh by mesh */
};

/* An answer in the reference's conventions, which are those of `reference`, the pose that was asked for. */
struct normalised {
    struct pose_snapshot
        *pose;           /* the reference's nodes, entries and meshes as the subject has them; what it lacks is left
                                 * out, and what it was not asked for or need not have is the reference's own */
    unsigned given;      /* enum subject_part that can be compared */
    bool locals_derived; /* local transforms are made of globals */
};

/*
 * False with err set, one line, where the answer cannot be understood at all: matrices that are not affine, a palette
 * without names of no known order. `import` is the reference's. Positions of the reference's skin are needed where the
 * subject gives positions.
 */
bool subject_normalise(const struct subject *subject, const struct subject_answer *answer,
                       const struct pose_snapshot *reference, const struct import_snapshot *import,
                       struct subject_solution *solution, struct arena *arena, struct normalised *out,
                       struct error *err);

/* What was solved, in words, appended: "matrices are column by column; unit 0.01 of the file's". Nothing where nothing was. */
void subject_tell_solution(const struct subject_solution *solution, struct text *out);

/* The storage that the matrices of an answer show, or unknown. */
enum storage subject_find_storage(const struct subject_answer *answer);

/* False where it is no affine matrix in that storage; of an unknown one of 16 numbers columns are tried. */
bool subject_read_matrix(const struct raw_matrix *raw, enum storage storage, struct map *out);

/*
 * The frame that explains at least three quarters of the pairs to a ten-thousandth of `extent`, the distance from the
 * origin within which all is. Stays unknown where the pairs cannot tell it (fewer than two, all ours alike).
 */
void frame_solve(const struct map *theirs, const struct map *ours, uint32_t count, double extent,
                 const struct map *root, struct frame *frame);

/*
 * match[i], for each of our names: the index of theirs, each once, or NO_INDEX. As they are; with []./: dropped and blanks
 * as _; without `strip` (NULL: nothing); without a namespace; without what most of them begin or end with. How, unless as
 * they are, is appended to `how`.
 */
void subject_match_names(const char *const *ours, uint32_t our_count, const char *const *theirs, uint32_t their_count,
                         const char *strip, int32_t *match, struct text *how);

#endif
