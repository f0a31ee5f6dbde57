#pragma once

#include "data/affine_d.h"
#include "subject/subject.h"

/*
 * A subject's numbers are brought into the reference's conventions. What it does not declare is solved where an answer
 * shows it, at best one at the rest pose, and then kept for the model: a mistake that changes with time is never taken
 * for a convention.
 */

/* theirs = left * ours * inverse(right). */
struct frame {
    bool is_known;  /* before, it is the identity, or one of several that explain what was seen */
    bool is_solved; /* and not the identity */
    struct affine_d left, right;
    bool is_root; /* left is the inverse of the root's transform */
};
extern const struct frame frame_identity; /* not known */

/* Matrices of both, in the order of each other; within `extent` of the origin is everything. */
struct frame_pairs {
    struct affine_d *theirs, *ours;
    uint32_t count;
    double extent;
};

/* A solution says these besides frames, in this order. */
enum solution_note {
    NOTE_MISTAKE,   /* a factor that is no convention */
    NOTE_BONES,     /* how a palette's entries are listed, where that is not mesh by mesh */
    NOTE_VERTICES,  /* how vertices are compared where there are more or fewer */
    NOTE_STRANGERS, /* names of a file that mean nothing of the model */
    NOTE_NAMES,     /* how names were matched, where that is not as they are */
    SOLUTION_NOTES,
};

/* The conventions of one model. It is zero at first. */
struct subject_solution {
    enum storage storage;
    bool storage_solved;
    struct frame nodes, palette, skin; /* besides what is declared */
    struct frame_pairs seen[2];        /* nodes and palette, until their frame was known */
    bool is_in_order; /* the vertices of an answer were ours by number, turned or mirrored as a whole */
    bool turns_known;
    uint32_t turn_count; /* nodes that have axes of their own */
    struct affine_d
        *turns;          /* [nodes of the reference] by what each is turned, in the arena of the answer; NULL: none */
    char notes[SOLUTION_NOTES][240]; /* sentences; "": nothing to say */
};

/* An answer in the reference's conventions, which are those of `reference`, the pose that was asked for. */
struct resolved {
    struct pose_snapshot
        *pose; /* the reference's nodes, entries and meshes as the subject has them; what it lacks is left
                                 * out, and what it was not asked for or need not have is the reference's own */
    const struct pose_snapshot *reference; /* what it is compared with: meshes of one name are one where it has fewer */
    unsigned given;                        /* enum subject_part that can be compared */
    bool locals_derived;                   /* local transforms are made of globals */
};

/*
 * False with err set, one line, where the answer cannot be understood at all: matrices that are not affine, a palette
 * without names of no known order. `import` is the reference's. Positions of the reference's skin are needed where the
 * subject gives positions.
 */
bool subject_resolve(const struct subject *subject, const struct subject_answer *answer,
                     const struct pose_snapshot *reference, const struct import_snapshot *import,
                     struct subject_solution *solution, struct arena *arena, struct resolved *out, struct error *err);

/* Appends the conventions that were solved, in words: "matrices are column by column; unit 0.01 of the file's".
 * Nothing where nothing was. */
void subject_describe_solution(const struct subject_solution *solution, struct text *out);
