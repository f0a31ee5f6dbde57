#include "review/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/report.h"

struct review_step {
    size_t action; /* steps of one number are taken back together */
    struct review_case *item;
    enum review_decision before;
};

void review_open(struct review *review, const struct results *results, const struct review_store *store)
{
    *review = (struct review){.results = results, .store = *store};
    review->cases = memory_new(results->case_count, sizeof *review->cases);
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (!case_status_fails(result->status, results->strict))
            continue;
        struct review_case *item = &review->cases[review->count];
        *item = (struct review_case){.result = result, .index = i, .group = review->count};
        item->refusal = store->refusal(store->context, i);
        item->decision = !item->refusal && store->is_golden(store->context, i) ? REVIEW_ACCEPTED : REVIEW_OPEN;
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
    free(review->cases);
    free(review->steps);
    *review = (struct review){0};
}

static void note_step(struct review *review, struct review_case *item, enum review_decision decision)
{
    if (review->step_count == review->step_capacity) {
        review->step_capacity = review->step_capacity ? 2 * review->step_capacity : 64;
        review->steps = memory_grow(review->steps, review->step_capacity, sizeof *review->steps);
    }
    review->steps[review->step_count++] = (struct review_step){review->actions, item, item->decision};
    item->decision = decision;
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
            good = !accepts || review->store.accept(review->store.context, item->index, said, err);
            if (good)
                note_step(review, item, decision);
            outcome->done += good;
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
        const struct review_step *step = &review->steps[review->step_count - 1];
        if (step->item->decision == REVIEW_ACCEPTED && !review->store.undo(review->store.context, step->item->index, err))
            return NULL;
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
        *(decision == REVIEW_ACCEPTED ? &tally.accepted : decision == REVIEW_SKIPPED ? &tally.skipped : &tally.left) += 1;
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
