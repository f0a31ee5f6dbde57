/* A model against what another program makes of it: the model's own pose in the role of the golden. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/comparison.h"
#include "golden/golden.h"
#include "diff/diff.h"
#include "foreign/diagnosing.h"

/* Only now that something differs: what explains it. */
static bool find_causes(const struct foreign *theirs, const struct pipeline *p, struct case_result *result, struct error *err)
{
    struct diagnosing diagnosing;
    bool differs = false;
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        differs = differs || (result->stages[s].state != STAGE_PASSED && result->stages[s].state != STAGE_NOT_COMPARED);
    if (!differs)
        return true;
    bool good = diagnosing_begin(&diagnosing, p, theirs->pose, NAN, result->tolerance->shell, err);
    if (good)
        diagnosing_report(&diagnosing, theirs->arena, result);
    diagnosing_end(&diagnosing);
    return good;
}

static bool compare(struct foreign *theirs, struct pipeline *p, double time, const struct diff_options *options,
                    struct results *results, struct error *err)
{
    struct arena *arena = theirs->arena;
    struct comparison out;
    struct case_result result = {
        .name = arena_printf(arena, "%s against %s", path_base(theirs->name), path_base(p->scene->path)),
        .model = p->scene->path, .clip = p->plays, .stage = STAGE_NONE, .tolerance = &options->tolerance};
    if (!pipeline_pose(p, time, err) || !foreign_resolve(theirs, p, err))
        return false;
    comparison_begin(&out, &result, &options->tolerance, options->output, arena);
    comparison_plan(&out, 1);
    result.times[0].time = time;
    result.times[0].label = snapshot_label(time, arena);
    result.radius = (double)pose_snapshot_radius(theirs->reference);
    comparison_pose(&out, &(struct pose_pair){theirs->reference, theirs->pose, import_snapshot_gather(p->scene, arena)},
                    0);
    comparison_judge(&out, diff_nothing);
    if (!find_causes(theirs, p, &result, err))
        return false;
    results->cases = case_result_copy(&result, results->arena);
    results->case_count = 1;
    return true;
}

bool diff_foreign(const char *model, const struct foreign_source *source, const struct diff_options *options,
                 struct results *results, struct error *err)
{
    struct foreign theirs;
    struct pipeline pipeline;
    size_t count;
    if (!foreign_open(&theirs, source, err))
        return false;
    if (foreign_suggest(&theirs, options->settings, err) && settings_check_times(options->settings, false, err) &&
        pipeline_open(&pipeline, model, options->settings, err)) {
        double *times = pipeline_times(&pipeline, &count, NULL, err);
        if (times && count > 1)
            error_set(err, "diff: %s is of one time, and %zu are asked for", theirs.name, count);
        else if (times)
            compare(&theirs, &pipeline, times[0], options, results, err);
        free(times);
        pipeline_close(&pipeline);
    }
    foreign_close(&theirs);
    return !error_is_set(err);
}
