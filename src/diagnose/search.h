#pragma once

#include "diagnose/fit.h"

/* The trials of a search, and what did best: the parts of diagnose() hand it to each other. */

enum { PARTS_MOST = 4, FULL_MOST = 24, FITTED_MOST = 2048, FITS_MOST = 20 };

/* A guess, or several at once, each everywhere or at some nodes. */
struct trial {
    uint32_t count;
    uint32_t guesses[PARTS_MOST];
    const bool *nodes[PARTS_MOST]; /* [node_count] where the guess acts; NULL: everywhere */
    struct score score;
};

/* The evidence that a search explains. */
enum search_scope { SCOPE_ALL, SCOPE_STAGE, SCOPE_VERTICES };

struct search {
    enum search_scope scope;
    const struct diagnosis_input *input;
    struct arena *arena;
    struct replay *replay;
    struct evidence *evidence;
    struct probes probes;
    struct guess_list list;
    uint32_t known;                        /* guesses that need nothing of theirs */
    bool *is_inert;                        /* [known + FITTED_MOST] changes nothing here */
    double worst;                          /* of the reference */
    uint32_t origins;                      /* search_count_origins(); 0: not counted yet */
    struct trial full[FULL_MOST], partial; /* of `partial` count is 0: nothing helps */
    uint32_t full_count;                   /* what is named: explains all, or all but drift */
    struct trial mains[FULL_MOST];         /* single guesses that leave little */
    uint32_t main_count;
};

/* Says if a trial is a cause and something beside it: it leaves little, a hundredth of the squares at most, and no
 * unit is worse off. */
bool explains_main(const struct score *score);

/* Says if so many guesses were tried that one of them leaves as little of anything. */
bool search_is_chance(struct search *search, const struct trial *trial);

/* Counts bones that differ by more than their parents do; 1 where that is not to be seen. */
uint32_t search_count_origins(struct search *search);

/* 0..1 of the sum of squares, below 1. */
double score_explains(const struct score *score);

/* Theirs to rounding. */
bool explains_all(const struct search *search, const struct score *score);

/* One mistake everywhere; then mistakes of some bones, or one mistake and drift; then two at once. Each adds to
 * `full`, and leaves it empty where it explains nothing. */
void search_singles(struct search *search);
void search_rest(struct search *search);
void search_pairs(struct search *search);

/* Takes out of `full` those that miss by much more than the best. */
void search_drop_worse(struct search *search);

/* Puts a trial into words, in the arena of the search; `is_full`: it is one of `full`. */
struct explanation search_explain(const struct search *search, const struct trial *trial, bool is_full);

/* The variant of a trial, in the arena of the search where it needs memory; false where two of its guesses turn one
 * switch. */
bool trial_variant(const struct search *search, const struct trial *trial, struct variant *out);

/* Explains nodes one by one, each by what its parent's global is in theirs: mistakes that only some bones have, or
 * several bones have several of. Sets `full` to what explains all of them, or leaves it. */
void search_nodes(struct search *search);

/*
 * Explains the stages one after another, each from what theirs has of the stage before: locals, globals, palette
 * entries. So mistakes of several stages are found one by one. Returns how many explanations there are, each of all
 * stages; 0: a stage stays without a cause, or there is one stage only.
 */
uint32_t search_stages(struct search *search, struct explanation out[FULL_MOST]);

/* A cause that the explanation has already counts once. */
void explanation_add(struct explanation *explanation, const struct cause *cause);

/* Finds what a variant leaves, and which mistake that makes drift it looks like. */
struct drift find_drift(const struct search *search, const struct variant *variant, const struct score *score);
