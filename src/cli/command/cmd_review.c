#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command/suite_command.h"
#include "review/review.h"

static struct {
    struct candidates_options from;
    struct review_service service;
    bool terminal, force;
} wish = {.service = {.timeout = 600}};

static const struct setting options[] = {
    {"terminal", NULL, "ask in the terminal, case by case, in place of the page", 0, &value_flag,
     VALUE_OF(wish.terminal)},
    {"open", NULL, "open the page in the browser (xdg-open)", 0, &value_flag, VALUE_OF(wish.service.opens_browser)},
    {"port", "N", "port of the page on 127.0.0.1 (default any that is free)", 0, &value_count,
     VALUE_OF(wish.service.port), .most = 65535},
    {"timeout", "S", "seconds after which the page's server ends when nobody uses it (default 600)", 0, &value_number,
     VALUE_OF(wish.service.timeout), .most = 1e6},
    {"suite", "FILE", "the run's suite (default as results.json names it, from this folder on)", 0, &value_text,
     VALUE_OF(wish.from.suite)},
    {"goldens", "DIR", "goldens in place of the suite's: as the run had them", 0, &value_text,
     VALUE_OF(wish.from.goldens)},
    {"repair", "all|none|NAME,...", "repairs in place of every case's: as the run had them", 0, &value_text,
     VALUE_OF(wish.from.repair)},
    {"allow-outside", NULL, "let the suite name files outside its repository, and goldens be links that lead there", 0,
     &value_flag, VALUE_OF(wish.from.allow_outside)},
    {"force", NULL, "write goldens even where CI is set", 0, &value_flag, VALUE_OF(wish.force)},
};

static bool review_run(struct candidates *candidates, struct error *err)
{
    struct review review;
    SCOPED(text) summary = {0};
    bool good = true;
    review_open(&review, candidates, wish.from.allow_outside);
    const struct results *results = review.results;
    if (review_count(&review).left == 0)
        puts("nothing to review");
    else if (wish.terminal)
        review_in_terminal(&review, candidates->from, log_has_colour(), stdin, stdout);
    else
        good = review_serve(&review, candidates->from, &wish.service, err);
    review_summary(&review, &summary);
    fputs(good ? text_string(&summary) : "", stdout);
    if (results->not_run_count > 0 || results->missing_count > 0)
        log_note("the run is not complete: %zu case%s not run, %zu shard%s missing", results->not_run_count,
                 results->not_run_count == 1 ? "" : "s", results->missing_count,
                 results->missing_count == 1 ? "" : "s");
    good = good && review_is_good(&review);
    review_close(&review);
    return good;
}

static enum exit_code run_review(const struct operands *operands, struct error *err)
{
    const char *const usual[] = {RUN_FOLDER};
    const bool is_named = operands->count > 0;
    SCOPED(candidates) candidates = {0};
    enum exit_code code = EXIT_CODE_DIFFERS;
    if (!is_named && access(usual[0], F_OK) != 0)
        error_set(err,
                  "there is no run in %s here: `rigproof check SUITE.yaml` first, or name its output folder or ZIP",
                  usual[0]);
    else if (suite_command_may_accept("review", wish.force, err) &&
             candidates_open(&candidates, is_named ? operands->items : usual, is_named ? operands->count : 1,
                             &wish.from, err) &&
             review_run(&candidates, err))
        code = EXIT_CODE_GOOD;
    return code;
}

const struct command command_review = {
    .name = "review", .operands = "[DIR|ZIP...]", .summary = "look at failing cases, accept or skip each",
    .about = "Shows the failing cases of a run in a page of your browser (or with --terminal here) and makes those "
             "that you\naccept goldens, as accept does, without running them again. Only what was looked at is "
             "accepted; all can be\nundone. DIR is the output folder of check (default out/check), a shard of several, "
             "or an artifact of CI.\nThe page is served on 127.0.0.1 to who has the address that is printed, and ends "
             "by itself.\nThe exit code is 0 when all failing cases are accepted, 1 when some were skipped or are "
             "left.",
    COMMAND_OPTIONS(options), .operand_most = SIZE_MAX, .run = run_review,
};
