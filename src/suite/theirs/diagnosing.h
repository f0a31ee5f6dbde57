#ifndef RIGPROOF_SUITE_DIAGNOSING_H
#define RIGPROOF_SUITE_DIAGNOSING_H

#include "data/result/result.h"
#include "diagnose/diagnose.h"
#include "suite/pipeline.h"

/* The diagnosis of a pose that is held against what a pipeline makes of a model. */
struct diagnosing {
    struct arena *arena;
    struct scene *whole; /* the model with all influences, where skinned vertices are given; NULL: the pipeline's does */
    struct pipeline pipeline;
    const struct diagnosis *diagnosis;
};

/*
 * `pipeline` stands at the time, in its own pose; `theirs` is in the scene's terms (pose_fill()); `tolerance` as in struct
 * diagnosis_input. False with err set: the model cannot be read again. To be ended in either case.
 */
bool diagnosing_begin(struct diagnosing *diagnosing, const struct pipeline *pipeline, const struct pose_snapshot *theirs,
                      double tolerance, struct error *err);
void diagnosing_end(struct diagnosing *diagnosing);

/* What it found as the case's causes, in the arena. Nothing where nothing explains all of it. */
void diagnosing_report(const struct diagnosing *diagnosing, struct arena *arena, struct case_result *result);

#endif
