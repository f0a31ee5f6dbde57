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

/* The time at which the numbers are farthest apart, of those that have a golden. */
static const struct sample *find_worst(const struct case_run *run)
{
    const struct sample *worst = NULL;
    double most = 0;
    for (size_t i = 0; i < run->count; i++) {
        const double *error = run->result->times[i].error;
        const double largest = fmax(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]), run->c->subject ? error[STAGE_SKIN] : 0); /* fmax() leaves NAN out */
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
    if (!worst || run->c->agrees || strcmp(theirs_of(run, worst)->space, space_words[run->c->settings.space]) != 0 ||
        !pipeline_pose(&run->pipeline, worst->time, &ignored))
        return;
    if (diagnosing_begin(&diagnosing, &run->pipeline, theirs_of(run, worst), run->c->tolerance.shell, &ignored)) {
        diagnosing_report(&diagnosing, run->arena, run->result);
        run->result->explains_golden = !run->c->subject;
    }
    diagnosing_end(&diagnosing);
}
