#ifndef RIGPROOF_REVIEW_STORE_H
#define RIGPROOF_REVIEW_STORE_H

#include "review/session.h"
#include "accept/candidates.h"

/* Candidates of a run as a review's store: accepts with candidates_accept(), keeps what was there before in memory. */
struct candidate_store {
    struct candidates *candidates; /* not owned */
    bool allow_outside;
    size_t count;
    struct golden_backup **backups; /* [count] of what was accepted, the last one last */
};

struct review_store candidate_store_open(struct candidate_store *store);
void candidate_store_release(struct candidate_store *store);

#endif
