#include "review/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/names.h"

enum review_action review_action_find(const char *name)
{
    static const char *const names[] = {
        [ACTION_LOOK] = "look", [ACTION_ACCEPT] = "accept", [ACTION_SKIP] = "skip",    [ACTION_UNDO] = "undo",
        [ACTION_BEAT] = "beat", [ACTION_LEAVE] = "leave",   [ACTION_FINISH] = "finish"};
    const char *const *found = NAMED(names, sizeof names / sizeof names[0], name);
    return found ? (enum review_action)(found - names) : ACTION_NONE;
}

void review_describe(const struct review *review, double grace, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_double(&json, "grace", grace);
    json_open_array(&json, "cases", JSON_LINES);
    for (size_t i = 0; i < review->count; i++) {
        const struct review_case *item = &review->cases[i];
        json_open_object(&json, NULL, JSON_INLINE);
        json_add_int(&json, "index", (long long)item->index);
        json_add_int(&json, "group", (long long)item->group);
        json_add_string(&json, "refusal", item->refusal);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
}

/* "0,3,4": digits and commas alone. Each case once: a list is never longer than the session. */
static bool read_cases(const struct review *review, const char *body, struct review_case **cases, size_t *count,
                       struct error *err)
{
    for (const char *at = body; *at;) {
        size_t length = strspn(at, "0123456789");
        size_t number = length > 0 && length < 10 ? strtoul(at, NULL, 10) : review->count;
        if (number >= review->count || *count == review->count ||
            (at[length] && (at[length] != ',' || !at[length + 1])))
            return error_set(err, "the body is no list of numbers of cases below %zu, such as 0,3,4", review->count);
        cases[(*count)++] = &review->cases[number];
        at += length + (at[length] == ',');
    }
    return true;
}

static void write_answer(const struct review *review, const char *words, const struct text *said,
                         const struct error *failed, struct text *answer)
{
    struct json_writer json = {.text = answer};
    SCOPED(text) marks = {0}, last = {0};
    for (size_t i = 0; i < review->count; i++) {
        const struct review_case *item = &review->cases[i];
        text_add(&marks, item->decision == REVIEW_ACCEPTED  ? "a"
                         : item->decision == REVIEW_SKIPPED ? "s"
                         : item->seen                       ? "v"
                                                            : "-");
    }
    review_last_action(review, &last);
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "marks", text_string(&marks));
    json_add_string(&json, "undo", last.size > 0 ? text_string(&last) : NULL);
    json_add_string(&json, "words", words);
    json_add_string(&json, "said", text_string(said));
    json_add_string(&json, "failed", error_is_set(failed) ? failed->text : NULL);
    json_close(&json);
}

/* "accepted 3 cases; 2 not looked at; 1 cannot be accepted" */
static void describe(const char *verb, const struct review_outcome *outcome, struct text *words)
{
    if (outcome->done > 0)
        text_addf(words, "%s %zu case%s", verb, outcome->done, outcome->done == 1 ? "" : "s");
    if (outcome->unseen > 0)
        text_addf(words, "%s%zu not looked at yet, so not accepted", words->size > 0 ? "; " : "", outcome->unseen);
    if (outcome->refused > 0)
        text_addf(words, "%s%zu cannot be accepted", words->size > 0 ? "; " : "", outcome->refused);
}

bool review_act(struct review *review, enum review_action action, const char *body, struct text *answer,
                struct text *said, struct error *err)
{
    FREED struct review_case **cases = memory_new(review->count, sizeof *cases);
    struct review_outcome outcome = {0};
    SCOPED(text) words = {0};
    struct error failed = {0};
    size_t count = 0;
    bool good = read_cases(review, body, cases, &count, err);
    if (good && action == ACTION_LOOK) {
        for (size_t i = 0; i < count; i++)
            cases[i]->seen = true;
    } else if (good && (action == ACTION_ACCEPT || action == ACTION_SKIP)) {
        bool accepts = action == ACTION_ACCEPT;
        review_decide(review, accepts ? REVIEW_ACCEPTED : REVIEW_SKIPPED, cases, count, &outcome, said, &failed);
        describe(accepts ? "accepted" : "skipped", &outcome, &words);
    } else if (good && action == ACTION_UNDO) {
        review_last_action(review, &words);
        bool undone = review_undo(review, &failed) != NULL;
        text_add(&words, undone ? ": undone" : words.size > 0 ? ": not undone" : "there is nothing to undo");
    }
    if (good)
        write_answer(review, text_string(&words), said, &failed, answer);
    if (good && action == ACTION_UNDO)
        text_addf(said, "%s\n", text_string(&words));
    return good;
}
