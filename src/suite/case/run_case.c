#include "suite/case/run_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "report/escape.h"

/* ---- commands to copy ---------------------------------------------------------------------------------------------- */

static char *command(const char *verb, const char *option, const char *value, const struct run_options *options,
                     struct arena *arena)
{
    struct text line = {0};
    text_addf(&line, "rigproof %s ", verb);
    escape_shell(options->suite_argument, &line);
    text_addf(&line, " %s%s%s", option, value, options->arguments);
    char *copy = arena_string(arena, text_string(&line));
    text_release(&line);
    return copy;
}

char *repeat_command(const struct suite_case *c, const struct run_options *options, struct arena *arena)
{
    return command("check", "--filter ", c->name, options, arena);
}

char *accept_command(const struct suite_case *c, const struct run_options *options, struct arena *arena)
{
    return command("accept", "--filter ", c->name, options, arena);
}

char *prune_command(const struct run_options *options, struct arena *arena)
{
    return command("accept", "--prune", "", options, arena);
}

void case_result_init(const struct suite_case *c, const struct run_options *options, struct arena *arena,
                      struct case_result *result)
{
    *result = (struct case_result){
        .name = c->name, .line = (uint32_t)c->line, .model = c->model, .tolerance = &c->tolerance, .tag_count = (uint32_t)c->tag_count, .tags = c->tags, .reason = c->reason,
        .stage = STAGE_NONE, .repeat = repeat_command(c, options, arena),
    };
}

/* ---- the run ------------------------------------------------------------------------------------------------------- */

static bool labels_differ(const struct case_run *run, struct error *err)
{
    const char **labels = ARENA_NEW(run->arena, const char *, run->count);
    for (size_t i = 0; i < run->count; i++)
        labels[i] = run->samples[i].label;
    qsort(labels, run->count, sizeof *labels, compare_strings);
    for (size_t i = 1; i < run->count; i++)
        if (strcmp(labels[i - 1], labels[i]) == 0)
            return error_set(err, "two of the times are both %s s", labels[i]);
    return true;
}

static bool plan_times(struct case_run *run, struct error *err)
{
    long *frames = NULL;
    double *times = pipeline_times(&run->pipeline, &run->count, &frames, err);
    struct text label = {0};
    if (!times)
        return false;
    run->samples = ARENA_NEW(run->arena, struct sample, run->count);
    run->result->times = ARENA_NEW(run->arena, struct time_result, run->count);
    run->result->time_count = (uint32_t)run->count;
    for (size_t i = 0; i < run->count; i++) {
        label.size = 0;
        text_add_seconds(&label, times[i]);
        run->samples[i].time = times[i];
        run->samples[i].frame = frames[i];
        run->samples[i].label = arena_string(run->arena, text_string(&label));
        run->result->times[i] = (struct time_result){.label = run->samples[i].label, .time = times[i]};
        for (int s = 0; s < STAGE_COUNT; s++)
            run->result->times[i].error[s] = NAN;
    }
    text_release(&label);
    free(frames);
    free(times);
    return labels_differ(run, err);
}

static bool open_model(struct case_run *run, struct error *err)
{
    if (!run->c->agrees && !golden_open(&run->golden, run->suite->goldens, run->c->name, run->arena, err))
        return false;
    run->model = model_cache_get(run->cache, run->c->model_path, &run->c->settings, err);
    run->stopped_in_import = !run->model;
    return run->model != NULL;
}

static bool open_clip(struct case_run *run, struct error *err)
{
    if (!renderer_shaders(run->renderer, run->c->settings.shaders, &run->shaders, err) ||
        !pipeline_begin(&run->pipeline, run->model->scene, &run->c->settings, err))
        return false;
    run->result->clip = run->pipeline.plays ? arena_string(run->arena, run->pipeline.plays) : NULL;
    run->result->golden = run->golden.recorded.fingerprint;
    run->result->actual = case_fingerprint(run);
    return plan_times(run, err);
}

/* The import is compared before a clip is asked for: one that is gone is the import's. */
static bool run_stages(struct case_run *run, struct error *err)
{
    return open_model(run, err) && case_compare_import(run, err) && open_clip(run, err) && case_pose(run, err) &&
           case_agree(run, err) && case_draw(run, err);
}

static bool is_to_be_written(const struct case_run *run)
{
    enum case_status status = run->result->status;
    if (run->c->agrees)
        return false;
    return run->options->keep == KEEP_ALL || status == CASE_FAIL || status == CASE_MISSING || status == CASE_XFAIL;
}

/* What accept may take over: it must be wanted, test something, and then pass. */
static void offer_accept(struct case_run *run)
{
    enum case_status status = run->result->status;
    bool is_worth = !run->result->vacuity && run->result->stage != STAGE_SKIN;
    if ((status == CASE_FAIL || status == CASE_MISSING) && is_worth && !run->c->agrees)
        run->result->accept = accept_command(run->c, run->options, run->arena);
}

static void judge(struct case_run *run)
{
    run->facts.expect_fail = run->c->expect_fail;
    run->facts.fingerprint_differs =
        run->golden.has_recorded && !fingerprint_equal(&run->golden.recorded.fingerprint, &run->result->actual);
    judge_case(&run->findings, &run->facts, run->result);
    offer_accept(run);
}

/*
 * An error of the run itself: the model could not be read, GL failed, a golden is damaged. What was found before it may
 * be its cause, and names the stage.
 */
static void end_with_error(struct case_run *run, const struct error *err)
{
    struct finding finding = finding_none;
    finding.stage = STAGE_IMPORT;
    if (run->stopped_in_import)
        findings_add(&run->findings, &finding, "%s", err->text);
    run->facts.error = arena_string(run->arena, err->text);
    judge(run);
}

static void close_case(struct case_run *run)
{
    if (run->pipeline.settings)
        pipeline_end(&run->pipeline);
    golden_close(&run->golden);
}

void run_case(const struct suite *suite, size_t index, const struct run_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result)
{
    struct error err = {0};
    struct case_run run = {
        .suite = suite, .c = &suite->cases[index], .options = options, .renderer = renderer, .cache = cache,
        .arena = arena, .result = result, .findings = {.arena = arena, .tolerance = &suite->cases[index].tolerance},
    };
    case_result_init(run.c, options, arena, result);
    if (run_stages(&run, &err)) {
        judge(&run);
        if (is_to_be_written(&run))
            case_write(&run, &err);
    }
    if (error_is_set(&err))
        end_with_error(&run, &err);
    case_print_options(&run);
    close_case(&run);
}
