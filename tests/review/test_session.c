/* What is decided, what it takes, and the way back; with a store that writes down what it is asked for. */
#define _POSIX_C_SOURCE 200809L /* fmemopen, open_memstream */

#include "cmocka_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "review/answers.h"
#include "review/session.h"
#include "review/terminal.h"
#include "run_binary.h"

/* Two that say the same, one that does not, one that passes, one that cannot be accepted, and one that is accepted already. */
static struct case_result cases[] = {
    {.name = "walk", .model = "", .status = CASE_FAIL, .stage = STAGE_PALETTE, .headline = "bone `hand` is off"},
    {.name = "idle", .model = "", .status = CASE_PASS},
    {.name = "run", .model = "", .status = CASE_FAIL, .stage = STAGE_PALETTE, .headline = "bone `hand` is off"},
    {.name = "fall", .model = "", .status = CASE_CRASH, .headline = "SIGSEGV"},
    {.name = "jump", .model = "", .status = CASE_MISSING, .headline = "no golden"},
    {.name = "sit", .model = "", .status = CASE_FAIL, .stage = STAGE_PALETTE, .headline = "bone `foot` is off"},
};
enum { WALK, IDLE, RUN, FALL, JUMP, SIT };
static const struct results results = {.suite = "s.yaml", .case_count = 6, .cases = cases};

static struct text journal; /* "+walk -walk": accepted, taken back */
static const char *broken;  /* the case whose golden cannot be written */

static const char *refusal(void *context, size_t index)
{
    return index == FALL ? "it did not run to its end" : NULL;
}

static bool is_golden(void *context, size_t index)
{
    return index == SIT;
}

static bool accept_it(void *context, size_t index, struct text *said, struct error *err)
{
    if (broken && strcmp(broken, cases[index].name) == 0)
        return error_set(err, "the disk is full");
    text_addf(&journal, "+%s ", cases[index].name);
    text_addf(said, "%s: written\n", cases[index].name);
    return true;
}

static bool undo_it(void *context, size_t index, struct error *err)
{
    if (broken && strcmp(broken, cases[index].name) == 0)
        return error_set(err, "the disk is full");
    text_addf(&journal, "-%s ", cases[index].name);
    return true;
}

static const struct review_store store = {.refusal = refusal, .is_golden = is_golden, .accept = accept_it, .undo = undo_it};

static int enter(void **state)
{
    static struct review review;
    text_release(&journal);
    broken = NULL;
    review_open(&review, &results, &store);
    *state = &review;
    return 0;
}

static int leave(void **state)
{
    review_close(*state);
    text_release(&journal);
    return 0;
}

/* The case with that index in the results; NULL: there is none, or it does not fail. */
static struct review_case *find_case(const struct review *review, size_t index)
{
    for (size_t i = 0; i < review->count; i++)
        if (review->cases[i].index == index)
            return &review->cases[i];
    return NULL;
}

/* Decides for the cases with these indices in the results. */
static struct review_outcome decide(struct review *review, enum review_decision decision, size_t count, const size_t *indices)
{
    struct review_case *chosen[8];
    struct review_outcome outcome;
    struct text said = {0};
    struct error err = {0};
    for (size_t i = 0; i < count; i++)
        chosen[i] = find_case(review, indices[i]);
    bool good = review_decide(review, decision, chosen, count, &outcome, &said, &err);
    assert_int_equal(good, !error_is_set(&err));
    text_release(&said);
    return outcome;
}
#define decide(review, decision, ...) \
    decide(review, decision, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]){__VA_ARGS__})

static void look_at_all(struct review *review)
{
    for (size_t i = 0; i < review->count; i++)
        review->cases[i].seen = true;
}

static void failing_cases_are_reviewed(void **state)
{
    struct review *review = *state;
    assert_int_equal(review->count, 5);
    assert_null(find_case(review, IDLE));
    assert_int_equal(find_case(review, WALK)->group, find_case(review, RUN)->group);
    assert_int_not_equal(find_case(review, WALK)->group, find_case(review, SIT)->group);
    assert_string_equal(find_case(review, FALL)->refusal, "it did not run to its end");
    assert_int_equal(find_case(review, SIT)->decision, REVIEW_ACCEPTED);
    assert_int_equal(review_count(review).left, 4);
}

static void only_what_was_looked_at_is_accepted(void **state)
{
    struct review *review = *state;
    find_case(review, RUN)->seen = true;
    struct review_outcome outcome = decide(review, REVIEW_ACCEPTED, WALK, RUN, JUMP, FALL);
    assert_int_equal(outcome.done, 1);
    assert_int_equal(outcome.unseen, 2);
    assert_int_equal(outcome.refused, 1);
    assert_string_equal(text_string(&journal), "+run ");
    assert_int_equal(find_case(review, WALK)->decision, REVIEW_OPEN);
}

static void what_cannot_be_accepted_can_be_skipped(void **state)
{
    struct review *review = *state;
    look_at_all(review);
    assert_int_equal(decide(review, REVIEW_ACCEPTED, FALL).refused, 1);
    assert_int_equal(decide(review, REVIEW_SKIPPED, FALL).done, 1);
    assert_int_equal(find_case(review, FALL)->decision, REVIEW_SKIPPED);
    assert_string_equal(text_string(&journal), "");
}

/* The last first, all of one action together; a case that was skipped before it was accepted is skipped again. */
static void actions_are_taken_back(void **state)
{
    struct review *review = *state;
    struct error err = {0};
    struct text last = {0};
    look_at_all(review);
    decide(review, REVIEW_SKIPPED, JUMP);
    decide(review, REVIEW_ACCEPTED, WALK, RUN, JUMP);
    review_last_action(review, &last);
    assert_string_equal(text_string(&last), "accept 3 cases");
    assert_ptr_equal(review_undo(review, &err), find_case(review, WALK));
    assert_string_equal(text_string(&journal), "+walk +run +jump -jump -run -walk ");
    assert_int_equal(find_case(review, JUMP)->decision, REVIEW_SKIPPED);
    assert_int_equal(find_case(review, WALK)->decision, REVIEW_OPEN);
    last.size = 0;
    review_last_action(review, &last);
    assert_string_equal(text_string(&last), "skip jump");
    assert_non_null(review_undo(review, &err));
    assert_null(review_undo(review, &err));
    assert_int_equal(find_case(review, SIT)->decision, REVIEW_ACCEPTED);
    assert_false(error_is_set(&err));
    text_release(&last);
}

static void what_is_accepted_is_not_accepted_again_nor_skipped(void **state)
{
    struct review *review = *state;
    look_at_all(review);
    decide(review, REVIEW_ACCEPTED, WALK);
    assert_int_equal(decide(review, REVIEW_ACCEPTED, WALK, SIT).done, 0);
    assert_int_equal(decide(review, REVIEW_SKIPPED, WALK).done, 0);
    assert_string_equal(text_string(&journal), "+walk ");
}

/* What was written before a failure is known and can be taken back; an undo that fails can be repeated. */
static void a_failure_keeps_what_is_true(void **state)
{
    struct review *review = *state;
    struct error err = {0};
    look_at_all(review);
    broken = "run";
    struct review_case *chosen[] = {find_case(review, WALK), find_case(review, RUN), find_case(review, JUMP)};
    struct review_outcome outcome;
    struct text said = {0};
    assert_false(review_decide(review, REVIEW_ACCEPTED, chosen, 3, &outcome, &said, &err));
    assert_string_equal(text_string(&said), "walk: written\n");
    assert_int_equal(outcome.done, 1);
    assert_int_equal(chosen[1]->decision, REVIEW_OPEN);
    assert_int_equal(chosen[2]->decision, REVIEW_OPEN);
    broken = "walk";
    assert_null(review_undo(review, &err));
    assert_int_equal(chosen[0]->decision, REVIEW_ACCEPTED);
    broken = NULL;
    assert_ptr_equal(review_undo(review, &err), chosen[0]);
    assert_string_equal(text_string(&journal), "+walk -walk ");
    text_release(&said);
}

static void all_accepted_is_good(void **state)
{
    struct review *review = *state;
    struct text summary = {0};
    look_at_all(review);
    decide(review, REVIEW_ACCEPTED, WALK, RUN, JUMP);
    assert_false(review_is_good(review));
    decide(review, REVIEW_SKIPPED, FALL);
    assert_false(review_is_good(review));
    review_summary(review, &summary);
    assert_string_equal(text_string(&summary), "accepted 4 of 5 cases, 1 skipped\n");
    find_case(review, FALL)->decision = REVIEW_ACCEPTED;
    assert_true(review_is_good(review));
    struct results part = results;
    part.not_run_count = 1;
    review->results = &part;
    assert_false(review_is_good(review));
    text_release(&summary);
}

/* Numbers of cases, and nothing that a client may think of besides. */
static void bodies_are_lists_of_numbers(void **state)
{
    static const char *const wrong[] = {"5", "-1", " 0", "0,", ",0", "0,,1", "0 1", "walk", "../walk", "0x1", "1e0", "99999999999",
                                        "0,0,0,0,0,0", "\xff"};
    struct review *review = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct text answer = {0}, said = {0};
        struct error err = {0};
        if (review_act(review, ACTION_LOOK, wrong[i], &answer, &said, &err))
            fail_msg("`%s` was taken", wrong[i]);
        assert_int_equal(answer.size, 0);
    }
    for (size_t i = 0; i < review->count; i++)
        assert_false(review->cases[i].seen);
    struct text answer = {0}, said = {0};
    struct error err = {0};
    assert_true(review_act(review, ACTION_LOOK, "0,3", &answer, &said, &err));
    assert_contains(text_string(&answer), "\"marks\": \"v--va\"");
    answer.size = 0;
    assert_true(review_act(review, ACTION_ACCEPT, "0,1,2,3", &answer, &said, &err));
    assert_contains(text_string(&answer), "\"marks\": \"a--aa\"");
    assert_contains(text_string(&answer), "\"words\": \"accepted 2 cases; 1 not looked at yet, so not accepted; 1 cannot be accepted\"");
    assert_contains(text_string(&answer), "\"undo\": \"accept 2 cases\"");
    text_release(&answer);
    text_release(&said);
}

static char *in_terminal(struct review *review, const char *lines)
{
    char *printed = NULL;
    size_t size;
    FILE *in = fmemopen((void *)lines, strlen(lines), "r"), *out = open_memstream(&printed, &size);
    review_in_terminal(review, "out", false, in, out);
    fclose(in);
    fclose(out);
    return printed;
}

static void terminal_asks_case_by_case(void **state)
{
    struct review *review = *state;
    char *printed = in_terminal(review, "x\na\ns\nu\na\nj\nk\na\nd\ns\na\nq\n");
    /* walk: help, accepted; run skipped, undone, accepted; fall left for jump, back, refused, details, skipped; jump accepted */
    assert_string_equal(text_string(&journal), "+walk +run +jump ");
    assert_contains(printed, "a  accept");
    assert_contains(printed, "1/5 FAIL     walk: bone `hand` is off\n");
    assert_contains(printed, "  1 other says the same\n");
    assert_contains(printed, "skip run: undone\n");
    assert_contains(printed, "  cannot be accepted: it did not run to its end\n");
    assert_contains(printed, "not accepted: it did not run to its end\n");
    assert_contains(printed, "All are decided.");
    assert_int_equal(review_count(review).left, 0);
    free(printed);
}

/* The end of the input leaves the rest; keys that are more than a key are none. */
static void terminal_takes_single_keys(void **state)
{
    struct review *review = *state;
    free(in_terminal(review, "all\naccept\n\n"));
    assert_string_equal(text_string(&journal), "");
    free(in_terminal(review, "a"));
    assert_string_equal(text_string(&journal), "+walk ");
    free(in_terminal(review, ""));
    assert_int_equal(review_count(review).left, 3);
}

#define session_test(function) cmocka_unit_test_setup_teardown(function, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        session_test(failing_cases_are_reviewed),
        session_test(only_what_was_looked_at_is_accepted),
        session_test(what_cannot_be_accepted_can_be_skipped),
        session_test(actions_are_taken_back),
        session_test(what_is_accepted_is_not_accepted_again_nor_skipped),
        session_test(a_failure_keeps_what_is_true),
        session_test(all_accepted_is_good),
        session_test(bodies_are_lists_of_numbers),
        session_test(terminal_asks_case_by_case),
        session_test(terminal_takes_single_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
