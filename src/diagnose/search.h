#pragma once

#include "diagnose/fit.h"

/* What is tried, and what did best: the parts of diagnose() hand it to each other. */

enum { PARTS_MOST = 4, FULL_MOST = 24, FITTED_MOST = 2048 };

/* A form, or several at once, each everywhere or at some nodes. */
struct trial {
    uint32_t count;
    uint32_t forms[PARTS_MOST];
    const bool *nodes[PARTS_MOST]; /* [node_count] where the form acts; NULL: everywhere */
    struct score score;
};

struct search {
    const struct diagnosis_input *input;
    struct arena *arena;
    struct replay *replay;
    struct evidence *evidence;
    struct probes probes;
    struct form_list list;
    uint32_t known;                        /* forms that need nothing of theirs */
    bool *is_inert;                        /* [known + FITTED_MOST] changes nothing here */
    double worst;                          /* of the reference */
    struct trial full[FULL_MOST], partial; /* of `partial` count is 0: nothing helps */
    uint32_t full_count;                   /* what is named: explains all, or all but drift */
    struct trial mains[FULL_MOST];         /* single forms that leave little */
    uint32_t main_count;
};

/* What it leaves is little, a hundredth of the squares at most, and no unit is worse off: a cause, and something beside it. */
bool explains_main(const struct score *score);

/* The way of a trial, in the arena of the search where it needs memory; false where two of its forms turn one switch. */
bool trial_way(const struct search *search, const struct trial *trial, struct way *out);

/* Explains nodes one by one, each by what its parent's global is in theirs: mistakes that only some bones have, or several bones
 * have several of. Sets `full` to what explains all of them, or leaves it. */
void search_nodes(struct search *search);

/* What a way leaves, and which mistake that makes drift it looks like. */
struct drift find_drift(const struct search *search, const struct way *way, const struct score *score);
