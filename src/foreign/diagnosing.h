#pragma once

#include "data/result/result.h"
#include "diagnose/diagnose.h"
#include "foreign/foreign_files.h"
#include "pipeline/pipeline.h"

/* The diagnosis of a pose that is held against what a pipeline makes of a model. */
struct diagnosing {
    struct arena *arena;
    /* the model with all influences, where skinned vertices are given; NULL: the pipeline's does */
    struct scene *whole;
    struct pipeline pipeline;
    struct diagnosis *diagnosis;
    struct diagnosis_input input; /* of nodes and palette */
    double time, duration; /* seconds; of the clip, 0 without one */
};

/*
 * `pipeline` stands at the time, in its own pose; `theirs` is in the scene's terms (pose_fill()); `previous_time`
 * (NaN: not known) and `tolerance` as in struct diagnosis_input. False with err set: the model cannot be read again.
 * To be ended in either case.
 */
bool diagnosing_begin(struct diagnosing *diagnosing, const struct pipeline *pipeline,
                      const struct pose_snapshot *theirs, double previous_time, double tolerance, struct error *err);
void diagnosing_end(struct diagnosing *diagnosing);

/*
 * The same of a file that is resolved. Where no single mistake explains it as it stands, it is converted
 * (foreign_convert()) if that makes it agree, or shows what mistake is left: unit, axes and space are then
 * conventions, as a program's that is asked. A unit that is all that is wrong is a mistake.
 */
bool diagnosing_file(struct diagnosing *diagnosing, const struct pipeline *pipeline, struct foreign *foreign,
                     double tolerance, struct error *err);

/*
 * Those explanations stay that explain another pose of the same case too: by the same factor, or the same shift of
 * time. All stay where others explain that one, or it drifts; none where nothing explains it; where it agrees, those
 * that leave it right.
 */
void diagnosing_keep(struct diagnosing *diagnosing, const struct diagnosing *other);

/*
 * Names what makes `theirs` of `ours`, pictures of one of the case's times, whose image.state says that it differs. At
 * several times it is what all of them show; nothing is named where numbers differ before.
 */
void diagnosing_picture(const struct image *ours, const struct image *theirs, struct arena *arena,
                        struct case_result *result);

/* Reports what was found as the case's causes, in the arena. Nothing where nothing explains all of it. */
void diagnosis_report(const struct diagnosis *diagnosis, struct arena *arena, struct case_result *result);
