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

/* Whose numbers are explained: a subject's that are held against ours, else the golden's. */
static const struct pose_snapshot *theirs_of(const struct case_run *run, const struct sample *sample)
{
    return run->c->subject && !run->c->against_golden ? sample->snapshot : run->c->subject ? NULL : sample->golden;
}

/* The time at which the numbers are farthest apart, of those that have theirs. */
static const struct sample *find_worst(const struct case_run *run)
{
    const struct sample *worst = NULL;
    double most = 0;
    for (size_t i = 0; i < run->count; i++) {
        const double *error = run->result->times[i].error;
        const double largest = fmax(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]), error[STAGE_SKIN]); /* fmax() leaves NAN out */
        if (theirs_of(run, &run->samples[i]) && largest > most) {
            most = largest;
            worst = &run->samples[i];
        }
    }
    return worst;
}

void case_find_causes(struct case_run *run)
{
    const struct sample *worst = differs(run->result) ? find_worst(run) : NULL;
    struct diagnosing diagnosing;
    struct error ignored = {0}; /* a verdict stands without its causes */
    const struct pose_snapshot *theirs = worst ? theirs_of(run, worst) : NULL;
    if (!theirs || run->c->agrees || !theirs->space || strcmp(theirs->space, space_words[run->c->settings.space]) != 0 ||
        !pipeline_pose(&run->pipeline, worst->time, &ignored))
        return;
    if (diagnosing_begin(&diagnosing, &run->pipeline, theirs, run->c->tolerance.shell, &ignored)) {
        diagnosing_report(&diagnosing, run->arena, run->result);
        run->result->explains_golden = !run->c->subject;
    }
    diagnosing_end(&diagnosing);
}
