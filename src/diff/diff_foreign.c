/* A model against what another program makes of it: the model's own pose in the role of the golden. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/comparison.h"
#include "golden/golden.h"
#include "diff/diff.h"
#include "foreign/diagnosing.h"

static bool differs(const struct case_result *result)
{
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        if (result->stages[s].state != STAGE_PASSED && result->stages[s].state != STAGE_NOT_COMPARED)
            return true;
    return false;
}

static void add_conventions(const struct foreign *foreign, struct findings *findings)
{
    struct finding finding = finding_of(CODE_CONVENTIONS);
    while (finding.stage < STAGE_DRAW && (findings->not_asked >> finding.stage & 1))
        finding.stage++;
    if (foreign->conventions && foreign->pose == foreign->converted)
        findings_add(findings, &finding, "conventions of %s: %s", path_base(foreign->name), foreign->conventions);
}

static bool compare(struct foreign *foreign, struct pipeline *p, double time, const struct diff_options *options,
                    struct results *results, struct error *err)
{
    struct arena *arena = foreign->arena;
    struct diagnosing diagnosing = {0};
    struct comparison out;
    struct case_result result = {
        .name = arena_printf(arena, "%s against %s", path_base(foreign->name), path_base(p->scene->path)),
        .model = p->scene->path,
        .clip = p->plays,
        .stage = STAGE_NONE,
        .tolerance = &options->tolerance};
    if (!pipeline_pose(p, time, err) || !foreign_resolve(foreign, p, err) ||
        !diagnosing_file(&diagnosing, p, foreign, options->tolerance.shell, err)) {
        diagnosing_end(&diagnosing);
        return false;
    }
    comparison_begin(&out, &result, &options->tolerance, options->output, arena);
    comparison_plan(&out, 1);
    result.times[0].time = time;
    result.times[0].label = snapshot_label(time, arena);
    result.radius = (double)pose_snapshot_radius(foreign->reference);
    comparison_pose(&out, &(struct pose_pair){foreign->held, foreign->pose, import_snapshot_gather(p->scene, arena)},
                    0);
    add_conventions(foreign, &out.findings);
    comparison_judge(&out, diff_nothing);
    if (differs(&result))
        diagnosing_report(&diagnosing, arena, &result);
    diagnosing_end(&diagnosing);
    results->cases = case_result_copy(&result, results->arena);
    results->case_count = 1;
    return true;
}

bool diff_foreign(const char *model, const struct foreign_source *source, const struct diff_options *options,
                  struct results *results, struct error *err)
{
    struct foreign foreign;
    struct pipeline pipeline;
    size_t count;
    if (!foreign_open(&foreign, source, err))
        return false;
    if (foreign_suggest(&foreign, options->settings, err) && settings_check_times(options->settings, false, err) &&
        pipeline_open(&pipeline, model, options->settings, err)) {
        double *times = pipeline_times(&pipeline, &count, NULL, err);
        if (times && count > 1)
            error_set(err, "diff: %s is of one time, and %zu are asked for", foreign.name, count);
        else if (times)
            compare(&foreign, &pipeline, times[0], options, results, err);
        free(times);
        pipeline_close(&pipeline);
    }
    foreign_close(&foreign);
    return !error_is_set(err);
}
