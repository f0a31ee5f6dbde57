#ifndef RIGPROOF_REVIEW_SESSION_H
#define RIGPROOF_REVIEW_SESSION_H

#include "accept/candidates.h"

/*
 * A review of the failing cases of a run: which of them somebody looked at, what was decided, what that wrote, and the way back.
 * The page and the terminal are two ways to use one session. Only what was looked at is accepted.
 */

enum review_decision { REVIEW_OPEN, REVIEW_ACCEPTED, REVIEW_SKIPPED };

struct review_case {
    const struct case_result *result;
    size_t index;         /* in results->cases */
    size_t group;         /* of those that say the same: the number of the first of them */
    const char *refusal;  /* NULL: it can be accepted */
    bool seen;
    enum review_decision decision;
};

struct review_step; /* one case of an action */

struct review {
    struct candidates *candidates; /* not owned */
    bool allow_outside;            /* as in struct accept_options */
    const struct results *results; /* as candidates_show() gives them */
    size_t count;              /* cases that fail, in the suite's order */
    struct review_case *cases;
    size_t step_count;
    struct review_step *steps; /* what can be taken back, the last one last */
    size_t actions;
};

/* All that fail are to be decided but those whose golden is what the run left. */
void review_open(struct review *review, struct candidates *candidates, bool allow_outside);
void review_close(struct review *review);

/* What became of the cases of a decision. */
struct review_outcome {
    size_t done;
    size_t unseen;  /* nobody looked at them: not accepted */
    size_t refused; /* they cannot be accepted */
};

/*
 * Decides for some cases at once, which are taken back at once, too. What is accepted already stays so. False with err set
 * where a golden could not be written: what was done before stays and can be taken back.
 */
bool review_decide(struct review *review, enum review_decision decision, struct review_case *const *cases, size_t count,
                   struct review_outcome *outcome, struct text *said, struct error *err);

/* What review_undo() would take back: "accept walker-walk", "skip 4 cases"; nothing when there is nothing. */
void review_last_action(const struct review *review, struct text *out);

/* Takes back the last action. Returns the first of its cases; NULL: there is none, or with err set it did not work. */
struct review_case *review_undo(struct review *review, struct error *err);

struct review_tally {
    size_t accepted, skipped, left;
};
struct review_tally review_count(const struct review *review);

/* "accepted 3 of 5 cases, 1 skipped, 1 left" with a line break. */
void review_summary(const struct review *review, struct text *out);

/* Whether the run is good now: all cases ran, and all that failed are accepted. */
bool review_is_good(const struct review *review);

#endif
