#ifndef RIGPROOF_COMPARE_JUDGE_H
#define RIGPROOF_COMPARE_JUDGE_H

#include "compare/compare.h"

/*
 * The judge: what was found in the stages -> one verdict. The first stage that differs is the culprit, later ones are
 * explained by it.
 */

struct judge_facts {
    bool compared[STAGE_COUNT]; /* whether there was something to compare the stage with */
    bool missing;               /* a golden, or a part of it, is not there */
    const char *missing_what;   /* "no golden", "no golden for 0.250 s" */
    const char *mismatch;       /* a file of the golden that is not the one its recorded.json names; NULL */
    bool fingerprint_differs;   /* from the recorded one */
    bool expect_fail;
};

/*
 * Fills status, stage, stages, headline and findings of the result from what was found; result->times must have their
 * images' states. Where the import is the culprit, the repairs that only one side needed are said behind the worst
 * finding: what they repair may be its reason. Texts are in findings->arena.
 */
void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result);

/*
 * A frame that differs as a finding of the draw stage: "0.250: 3.2 % of the foreground differs (412 of 12,900 px, by up to
 * 120 levels) in 40x60 at 120,88; bones `hand.L`, `forearm.L`". Of the golden the size counts: where it is another, that is what is said.
 */
void judge_image(const struct time_result *frame, const struct image *golden, struct findings *findings);

#endif
