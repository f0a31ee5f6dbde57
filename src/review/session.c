#include "review/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/report.h"

struct review_step {
    size_t action; /* steps of one number are taken back together */
    struct review_case *item;
    enum review_decision before;
    struct accept_undo undo; /* of one that accepts */
};

/* Accepts a case; the files that were written are appended to `said`. */
static bool accept_one(const struct review *review, size_t index, struct accept_options *options,
                       struct accept_tally *tally, struct text *said, struct error *err)
{
    FREED bool *chosen = memory_new(review->candidates->results->case_count, sizeof *chosen);
    chosen[index] = true;
    options->allow_outside = review->allow_outside;
    return candidates_accept(review->candidates, chosen, options, said, tally, err);
}

/* After an earlier review of the same run, say. */
static bool is_golden(const struct review *review, size_t index)
{
    struct accept_tally tally = {0};
    SCOPED(text) said = {0};
    struct error ignored = {0};
    const bool good = accept_one(review, index, &(struct accept_options){.dry_run = true}, &tally, &said, &ignored);
    return good && tally.same == 1;
}

void review_open(struct review *review, struct candidates *candidates, bool allow_outside)
{
    const struct results *results = candidates_show(candidates);
    *review = (struct review){.candidates = candidates, .allow_outside = allow_outside, .results = results};
    review->cases = memory_new(results->case_count, sizeof *review->cases);
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (!case_status_fails(result->status, results->strict))
            continue;
        struct review_case *item = &review->cases[review->count];
        *item = (struct review_case){.result = result, .index = i, .group = review->count};
        item->refusal = result->status == CASE_UNEXPECTED_PASS
                            ? "it passes although the suite expects it to fail: take `expect` out of the suite"
                            : candidates_refusal(candidates, &candidates->results->cases[i]);
        item->decision = !item->refusal && is_golden(review, i) ? REVIEW_ACCEPTED : REVIEW_OPEN;
        for (size_t k = 0; k < review->count; k++)
            if (review->cases[k].group == k && report_are_alike(review->cases[k].result, result)) {
                item->group = k;
                break;
            }
        review->count++;
    }
}

void review_close(struct review *review)
{
    for (size_t i = 0; i < review->step_count; i++)
        accept_undo_release(&review->steps[i].undo);
    free(review->cases);
    free(review->steps);
    *review = (struct review){0};
}

/* One that does not work leaves the golden as it was. */
static bool accept(const struct review *review, size_t index, struct accept_undo *undo, struct text *said,
                   struct error *err)
{
    struct accept_tally tally = {0};
    SCOPED(text) out = {0};
    bool good = accept_one(review, index, &(struct accept_options){.undo = undo}, &tally, &out, err);
    if (good && tally.accepted + tally.same != 1)
        good = error_set(err, "%.*s", (int)strcspn(text_string(&out), "\n"), text_string(&out));
    if (good) {
        text_add(said, text_string(&out));
    } else {
        accept_take_back(undo, ERROR_IGNORED);
        accept_undo_release(undo);
    }
    return good;
}

bool review_decide(struct review *review, enum review_decision decision, struct review_case *const *cases, size_t count,
                   struct review_outcome *outcome, struct text *said, struct error *err)
{
    bool good = true;
    *outcome = (struct review_outcome){0};
    review->actions++;
    for (size_t i = 0; good && i < count; i++) {
        struct review_case *item = cases[i];
        bool accepts = decision == REVIEW_ACCEPTED;
        if (item->decision == REVIEW_ACCEPTED || item->decision == decision)
            continue;
        if (accepts && item->refusal) {
            outcome->refused++;
        } else if (accepts && !item->seen) {
            outcome->unseen++;
        } else {
            struct review_step step = {review->actions, item, item->decision, {0}};
            good = !accepts || accept(review, item->index, &step.undo, said, err);
            if (!good)
                break;
            review->steps = memory_room(review->steps, review->step_count, sizeof *review->steps);
            review->steps[review->step_count++] = step;
            item->decision = decision;
            outcome->done++;
        }
    }
    return good;
}

void review_last_action(const struct review *review, struct text *out)
{
    if (review->step_count == 0)
        return;
    const struct review_step *last = &review->steps[review->step_count - 1], *first = last;
    while (first > review->steps && first[-1].action == last->action)
        first--;
    text_add(out, last->item->decision == REVIEW_ACCEPTED ? "accept " : "skip ");
    if (first == last)
        text_add_name(out, last->item->result->name);
    else
        text_addf(out, "%zu cases", (size_t)(last - first) + 1);
}

struct review_case *review_undo(struct review *review, struct error *err)
{
    struct review_case *first = NULL;
    size_t action = review->step_count > 0 ? review->steps[review->step_count - 1].action : 0;
    while (review->step_count > 0 && review->steps[review->step_count - 1].action == action) {
        struct review_step *step = &review->steps[review->step_count - 1];
        if (!accept_take_back(&step->undo, err))
            return NULL;
        accept_undo_release(&step->undo);
        first = step->item;
        first->decision = step->before;
        review->step_count--;
    }
    return first;
}

struct review_tally review_count(const struct review *review)
{
    struct review_tally tally = {0};
    for (size_t i = 0; i < review->count; i++) {
        enum review_decision decision = review->cases[i].decision;
        *(decision == REVIEW_ACCEPTED ? &tally.accepted : decision == REVIEW_SKIPPED ? &tally.skipped : &tally.left) +=
            1;
    }
    return tally;
}

void review_summary(const struct review *review, struct text *out)
{
    struct review_tally tally = review_count(review);
    text_addf(out, "accepted %zu of %zu case%s", tally.accepted, review->count, review->count == 1 ? "" : "s");
    if (tally.skipped > 0)
        text_addf(out, ", %zu skipped", tally.skipped);
    if (tally.left > 0)
        text_addf(out, ", %zu left", tally.left);
    text_add(out, "\n");
}

bool review_is_good(const struct review *review)
{
    const struct results *results = review->results;
    return review_count(review).accepted == review->count && results->not_run_count == 0 && results->missing_count == 0;
}
