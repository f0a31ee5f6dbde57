/* A model against what another program makes of it: the model's own pose in the role of the golden. */

#include "case/comparison.h"
#include "diff/diff.h"
#include "golden/golden.h"

bool foreign_hold(const char *command, const char *model, const struct foreign_source *source,
                  struct settings *settings, double tolerance, foreign_found *found, void *context, struct error *err)
{
    struct foreign foreign;
    struct pipeline pipeline;
    struct diagnosing diagnosing = {0};
    size_t count;
    if (!foreign_open(&foreign, source, err))
        return false;
    if (foreign_suggest(&foreign, settings, err) && settings_check_times(settings, false, err) &&
        pipeline_open(&pipeline, model, settings, err)) {
        FREED double *times = pipeline_times(&pipeline, &count, err);
        if (times && count > 1)
            error_set(err, "%s: %s is of one time, and %zu are asked for", command, foreign.name, count);
        else if (times && pipeline_pose(&pipeline, times[0], err) && foreign_resolve(&foreign, &pipeline, err) &&
                 diagnosing_file(&diagnosing, &pipeline, &foreign, tolerance, err))
            found(context, &foreign, &pipeline, &diagnosing, err);
        diagnosing_end(&diagnosing);
        pipeline_close(&pipeline);
    }
    foreign_close(&foreign);
    return !error_is_set(err);
}

static bool differs(const struct case_result *result)
{
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        if (result->stages[s].state != STAGE_PASSED && result->stages[s].state != STAGE_NOT_COMPARED)
            return true;
    return false;
}

struct held {
    const struct diff_options *options;
    struct results *results;
};

static void compare(void *context, const struct foreign *foreign, const struct pipeline *p,
                    const struct diagnosing *diagnosing, struct error *err)
{
    const struct held *held = context;
    const struct diff_options *options = held->options;
    struct arena *arena = foreign->arena;
    struct comparison out;
    struct case_result result = {
        .name = arena_printf(arena, "%s against %s", path_base(foreign->name), path_base(p->scene->path)),
        .model = p->scene->path, .clip = p->plays, .stage = STAGE_NONE, .tolerance = &options->tolerance};
    (void)err;
    comparison_begin(&out, &result, &options->tolerance, options->output, arena);
    comparison_plan(&out, 1);
    result.times[0].time = p->time;
    result.times[0].label = snapshot_label(p->time, arena);
    result.radius = (double)pose_snapshot_radius(foreign->reference);
    comparison_pose(&out, &(struct pose_pair){foreign->held, foreign->pose, import_snapshot_gather(p->scene, arena)},
                    0);
    if (foreign->pose == foreign->converted.pose)
        comparison_tell_conventions(&out, path_base(foreign->name), foreign->converted.how);
    comparison_judge(&out, diff_nothing);
    if (differs(&result))
        diagnosis_report(diagnosing->diagnosis, arena, &result);
    held->results->cases = case_result_copy(&result, held->results->arena);
    held->results->case_count = 1;
}

bool diff_foreign(const char *model, const struct foreign_source *source, const struct diff_options *options,
                  struct results *results, struct error *err)
{
    return foreign_hold("diff", model, source, options->settings, options->tolerance.shell, compare,
                        &(struct held){options, results}, err);
}
