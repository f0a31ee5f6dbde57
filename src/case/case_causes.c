/* Explains the numbers of a case that differ. */
#include <math.h>
#include <string.h>

#include "case/run_case.h"
#include "foreign/diagnosing.h"

/* A difference that follows from the import has its cause there, in the words of its findings. */
static bool has_unexplained(const struct case_result *result)
{
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        if (result->stages[s].state == STAGE_DIFFERS || result->stages[s].state == STAGE_UNVERIFIED)
            return true;
    return false;
}

static bool is_at_fault(const struct case_run *run, size_t at)
{
    const double *error = run->out.result->times[at].error;
    return !run->c->subject && run->samples[at].shaded &&
           !(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]) > run->c->tolerance.shell);
}

/* Returns the numbers that the reference's are to explain: the user's shader's, the golden's, or a subject's. NULL:
 * there are none. */
static const struct pose_snapshot *theirs_of(const struct case_run *run, size_t at)
{
    const struct sample *sample = &run->samples[at];
    return run->c->subject ? sample->theirs : is_at_fault(run, at) ? sample->shaded : sample->golden;
}

/* Normals may be all that is wrong, by which nothing is displaced. */
static bool has_turned(const struct case_run *run, size_t at)
{
    for (size_t i = 0; i < run->out.findings.count; i++) {
        const struct finding *finding = &run->out.findings.items[i];
        if (finding->code == CODE_SKIN_NORMAL && !(fabs(finding->time - run->samples[at].time) > 1e-6))
            return true;
    }
    return false;
}

/* Returns how far the numbers are apart at a time; 0 where there is nothing to explain. */
static double apart_at(const struct case_run *run, size_t at)
{
    const double *error = run->out.result->times[at].error;
    double largest = fmax(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]), run->c->subject ? error[STAGE_SKIN] : 0);
    if (is_at_fault(run, at))
        return fmax(error[STAGE_SKIN], run->c->tolerance.shell);
    if (run->c->subject && theirs_of(run, at) && has_turned(run, at))
        return fmax(largest, run->c->tolerance.shell);
    return theirs_of(run, at) && largest > run->c->tolerance.shell ? largest : 0; /* fmax() leaves NAN out */
}

/* Returns whether there are causes; a verdict stands without them. */
static bool diagnose_pose(const struct case_run *run, struct pipeline pipeline, const struct pose_snapshot *theirs,
                          double before, struct diagnosing *out)
{
    return strcmp(theirs->space, space_words[run->c->settings.space]) == 0 &&
           diagnosing_begin(out, &pipeline, theirs, before, run->c->tolerance.shell, ERROR_IGNORED);
}

static bool diagnose_at(struct case_run *run, size_t at, struct diagnosing *out)
{
    const struct pose_snapshot *theirs = theirs_of(run, at);
    double before = run->c->subject && at > 0 ? run->samples[at - 1].time : NAN; /* a subject is asked in this order */
    struct pipeline pipeline = run->pipeline;
    struct settings settings = *pipeline.settings;
    *out = (struct diagnosing){0};
    if (theirs == run->samples[at].shaded) { /* the weights are those that the shader was given */
        pipeline.scene = run->gpu.rounded ? run->gpu.rounded : pipeline.scene;
        pipeline.settings = &settings;
        settings.influences = 0;
        settings.import.repairs &= ~(uint32_t)REPAIR_NORMALISE_WEIGHTS;
    }
    return pipeline_pose(&pipeline, run->samples[at].time, ERROR_IGNORED) &&
           diagnose_pose(run, pipeline, theirs, before, out);
}

/* Asks a subject for one more pose, and keeps the causes that explain it too. False: it gives none. */
static bool keep_asked(struct case_run *run, struct pipeline *pipeline, double time, struct diagnosing *worst)
{
    struct diagnosing other = {0};
    const struct pose_snapshot *theirs = case_ask_more(run, pipeline, time);
    const bool good = theirs && diagnose_pose(run, *pipeline, theirs, NAN, &other);
    if (good)
        diagnosing_keep(worst, &other);
    diagnosing_end(&other);
    return good;
}

/* Plays another clip, or of an only one the rest pose. */
static void ask_elsewhere(struct case_run *run, struct diagnosing *worst)
{
    struct settings settings = *run->pipeline.settings;
    struct pipeline other;
    settings.clip = "rest";
    for (uint32_t i = 0; i < run->pipeline.scene->clip_count; i++)
        if (&run->pipeline.scene->clips[i] != run->pipeline.clip)
            settings.clip = arena_printf(run->arena, "%u", i);
    if (!pipeline_begin(&other, run->pipeline.scene, &settings, ERROR_IGNORED))
        return;
    keep_asked(run, &other, 0.37 * pipeline_duration(&other), worst);
    pipeline_end(&other);
}

/* A subject is asked for poses that the case has not: the time at which equal causes differ, else another clip; and one
 * that nobody has looked at, where a cause was found at one time alone. */
static void ask_more(struct case_run *run, size_t at, bool is_alone, struct diagnosing *worst)
{
    const double duration = pipeline_duration(&run->pipeline), tells = worst->diagnosis->tells;
    if (!run->theirs.asking || run->c->against_golden || run->c->truth || worst->diagnosis->full_count == 0)
        return;
    if (worst->diagnosis->full_count > 1 && isfinite(tells))
        is_alone = !keep_asked(run, &run->pipeline, tells, worst) && is_alone;
    if (is_alone && duration > 0 && worst->diagnosis->full_count > 0)
        keep_asked(run, &run->pipeline, fmod(run->samples[at].time + 0.382 * duration, duration), worst);
    if (worst->diagnosis->full_count > 1 && !run->c->subject->is_rigproof)
        ask_elsewhere(run, worst);
}

void case_find_causes(struct case_run *run)
{
    enum { MOST_TIMES = 3 }; /* besides the worst */
    struct diagnosing worst, other;
    size_t at = 0, more = 0;
    for (size_t i = 1; i < run->count; i++)
        at = apart_at(run, i) > apart_at(run, at) ? i : at;
    if (has_unexplained(run->out.result))
        run->out.result->explanation_count = 0; /* what pictures say counts only where the numbers before them agree */
    if (!has_unexplained(run->out.result) || run->c->agrees || run->count == 0 || !(apart_at(run, at) > 0))
        return;
    if (diagnose_at(run, at, &worst)) {
        for (size_t i = 0; i < run->count && worst.diagnosis->full_count > 0 && more < MOST_TIMES; i++) {
            if (i == at || !(apart_at(run, i) > 0))
                continue;
            if (diagnose_at(run, i, &other))
                diagnosing_keep(&worst, &other);
            diagnosing_end(&other);
            more++;
        }
        ask_more(run, at, more == 0, &worst);
        diagnosis_report(worst.diagnosis, run->arena, run->out.result);
        run->out.result->explains_golden = theirs_of(run, at) == run->samples[at].golden;
    }
    diagnosing_end(&worst);
}
