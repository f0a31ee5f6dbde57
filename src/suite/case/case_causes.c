/* What explains the numbers of a case that differ. */
#include <math.h>
#include <string.h>

#include "suite/case/run_case.h"
#include "suite/theirs/diagnosing.h"

static bool differs(const struct case_result *result)
{
    for (int s = STAGE_ANIMATE; s <= STAGE_SKIN; s++)
        if (result->stages[s].state != STAGE_PASSED && result->stages[s].state != STAGE_NOT_COMPARED)
            return true;
    return false;
}

/* Whose numbers are to be explained by the reference's: the golden's, or a subject's. NULL: nobody's. */
static const struct pose_snapshot *theirs_of(const struct case_run *run, const struct sample *sample)
{
    return run->c->subject ? sample->theirs : sample->golden;
}

/* How far the numbers are apart at a time; 0 where there is nothing to explain. */
static double apart_at(const struct case_run *run, size_t at)
{
    const double *error = run->result->times[at].error;
    double largest = fmax(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]), run->c->subject ? error[STAGE_SKIN] : 0);
    return theirs_of(run, &run->samples[at]) && largest > run->c->tolerance.shell ? largest : 0; /* fmax() leaves NAN out */
}

static bool diagnose_at(struct case_run *run, size_t at, struct diagnosing *out)
{
    struct error ignored = {0}; /* a verdict stands without its causes */
    const struct pose_snapshot *theirs = theirs_of(run, &run->samples[at]);
    double before = run->c->subject && at > 0 ? run->samples[at - 1].time : NAN; /* a subject is asked in this order */
    *out = (struct diagnosing){0};
    return strcmp(theirs->space, space_words[run->c->settings.space]) == 0 &&
           pipeline_pose(&run->pipeline, run->samples[at].time, &ignored) &&
           diagnosing_begin(out, &run->pipeline, theirs, before, run->c->tolerance.shell, &ignored);
}

void case_find_causes(struct case_run *run)
{
    enum { MOST_TIMES = 3 }; /* besides the worst */
    struct diagnosing worst, other;
    size_t at = 0, more = 0;
    for (size_t i = 1; i < run->count; i++)
        at = apart_at(run, i) > apart_at(run, at) ? i : at;
    if (differs(run->result))
        run->result->explanation_count = 0; /* what pictures say counts only where the numbers before them agree */
    if (!differs(run->result) || run->c->agrees || run->count == 0 || !(apart_at(run, at) > 0))
        return;
    if (diagnose_at(run, at, &worst)) {
        for (size_t i = 0; i < run->count && worst.diagnosis->full_count > 1 && more < MOST_TIMES; i++) {
            if (i == at || !(apart_at(run, i) > 0))
                continue;
            if (diagnose_at(run, i, &other))
                diagnosing_keep(&worst, &other);
            diagnosing_end(&other);
            more++;
        }
        diagnosing_report(&worst, run->arena, run->result);
        run->result->explains_golden = !run->c->subject;
    }
    diagnosing_end(&worst);
}
