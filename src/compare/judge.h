#ifndef RIGPROOF_COMPARE_JUDGE_H
#define RIGPROOF_COMPARE_JUDGE_H

#include "compare/compare.h"

/*
 * The judge: what was measured in the stages and tolerances -> one verdict. The first stage that differs is the culprit, later
 * ones are explained by it. What a verdict needs is in the result, so that it can be judged again under other tolerances.
 */

/*
 * Fills status, stage, stages, headline, findings, measured, facts and passes_from of the result from what was found;
 * result->times must have their images' states, and result->tolerance is what it is judged by. Where the import is the
 * culprit, the repairs that only one side needed are said behind the worst finding: what they repair may be its reason.
 * Texts are in findings->arena.
 */
void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result);

/*
 * The state of a picture that compare_images() measured; `changed` and `share` with it. The first rung that holds:
 *   no channel differs                             IMAGE_SAME
 *   no channel differs by more than 2              IMAGE_NOISE, whatever the tolerance
 *   few pixels differ by more than pixel_delta     IMAGE_TOLERATED
 *   else                                           IMAGE_DIFFERS
 * Few is `pixel_share` of the foreground, and 4 pixels where that is less; with a share of 0 it is none. Pictures of
 * different sizes, missing ones and those that were not drawn stay as they are.
 */
void judge_picture(const struct tolerance *tolerance, struct image_result *image);

/*
 * A frame that differs as a finding of the draw stage: "0.250: 3.2 % of the foreground differs (412 of 12,900 px, by up to
 * 120 levels) in 40x60 at 120,88; bones `hand.L`, `forearm.L`". Of the golden the size counts: where it is another, that is
 * what is said. `golden` NULL: of the same size.
 */
void judge_image(const struct time_result *frame, const struct image *golden, struct findings *findings);

/* Whether the result holds what judge_again() needs: those of earlier versions do not. */
bool judge_can_repeat(const struct case_result *result);

/*
 * Judges a result again as a run under these tolerances would have judged it: same status, same culprit. What is beyond them and
 * was within those of the run is one finding for each tolerance, with the worst bone as far as it is known. A case that was
 * not judged (a crash, a skipped one) stays as it is. Texts are in the arena; `tolerance` must outlive the result.
 */
void judge_again(struct case_result *result, const struct tolerance *tolerance, struct arena *arena);

#endif
