/* check: the cases of a suite are run and reported. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/screen.h"
#include "cli/command/suite_command.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/publish.h"

static bool watch;
static double viewer_size = 1e-6 * VIEWER_BYTES;
static bool cache_strict; /* what scripts say, and is always so: run/cache.h */

static const struct setting check_options[] = {
    {"output", "DIR", "reports, pictures and candidates (default out/check)", 0, &value_text,
     VALUE_OF(suite_command.run.options.output), .letter = 'o'},
    SUITE_CHOICE_OPTIONS,
    {"list", NULL, "list the cases and run nothing", 0, &value_flag, VALUE_OF(suite_command.list)},
    {"watch", NULL,
     "go on: run again what a changed file concerns (models, shaders, goldens, the suite), until ctrl-C. The page\n"
     "of the report loads itself again", 0, &value_flag, VALUE_OF(watch)},
    {"rerun-failed", NULL, "run again what failed in the last run into this folder", 0, &value_flag,
     VALUE_OF(suite_command.rerun_failed)},
    {"fail-fast", NULL, "start no more cases after the first failure", 0, &value_flag,
     VALUE_OF(suite_command.run.fail_fast)},
    {"strict", NULL,
     "a case that drifts fails: its numbers agree, its pixels differ a little. Units, axes and\n"
     "spaces that a subject does not declare fail, too", 0, &value_flag, VALUE_OF(suite_command.strict)},
    {"subject", "NAME|COMMAND",
     "run every case on that subject of the suite, or on that program, against rigproof's own answer", 0, &value_text,
     VALUE_OF(suite_command.subject)},
    {"engine", "NAME",
     "run every case on that engine, against rigproof's own answer: three, babylon, blender (rigproof engine lists "
     "them)", 0, &value_text, VALUE_OF(suite_command.engine)},
    {"against", "RIGPROOF", "run every case on that rigproof too and compare both: no goldens", 0, &value_text,
     VALUE_OF(suite_command.against)},
    {"cache", "DIR", "remember good verdicts in this folder, and run only the cases of which something has changed", 0,
     &value_text, VALUE_OF(suite_command.run.cache)},
    {"pictures", "all|failing|none",
     "of which cases pictures are kept, for the report and for review (default failing); none: no\n"
     "candidates either, and accept draws again", 0, &value_word, VALUE_OF(suite_command.run.options.pictures),
     .words = pictures_names, .word_count = PICTURES_COUNT},
    {"shard", "I/N|auto", "the I-th of N parts of the suite; auto: by the job array or parallel job that this runs in",
     0, &value_text, VALUE_OF(suite_command.shard)},
    {"balance", "RESULTS.json", "make the shards by what the cases cost in an earlier run", 0, &value_text,
     VALUE_OF(suite_command.balance)},
    {"json", NULL, "with --list: a JSON document, with the models' clips and times resolved", 0, &value_flag,
     VALUE_OF(suite_command.json)},
    {"viewer-size", "MB",
     "of models in the report that can be turned around, of failing cases' first failing times (default 20; 0: none)",
     0, &value_number, VALUE_OF(viewer_size), .most = 1000},
    {"cache-strict", NULL, "with --cache: read every file, whatever its size and times; always so", 0, &value_flag,
     VALUE_OF(cache_strict)},
    SUITE_OPTIONS,
};

static void list(void)
{
    SCOPED(text) text = {0};
    (suite_command.json ? suite_list_json : suite_list)(suite_command.suite, suite_command.chosen, &text);
    if (suite_command.json)
        fputs(text_string(&text), stdout);
    else
        terminal_print(text_string(&text), stdout);
}

/* Says what to do with cases that a person may accept; not on a build server, where `review` does not start. */
static void say_review(const struct results *results)
{
    SCOPED(text) line = {0}, missing = {0};
    bool acceptable = false;
    for (size_t i = 0; i < results->case_count; i++)
        acceptable = acceptable || results->cases[i].accept;
    if (!acceptable || suite_command.run.options.pictures == PICTURES_NONE || log_is_quiet ||
        getenv("GITHUB_ACTIONS") || results->overrides.count > 0 ||
        !suite_command_may_accept("review", false, ERROR_IGNORED))
        return;
    text_add(&line, "review     rigproof review");
    if (strcmp(suite_command.run.options.output, RUN_FOLDER) != 0) {
        text_add(&line, " ");
        escape_shell(suite_command.run.options.output, &line);
    }
    text_add(&line, suite_command.allow_outside ? " --allow-outside" : "");
    text_add(&line, "\n");
    if (report_accept_missing(results, &missing))
        text_addf(&line, "accept     %s\n", text_string(&missing));
    terminal_print(text_string(&line), stdout);
}

static enum exit_code run_once(struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    int interrupted = 0;
    const bool is_live = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO); /* a line on stderr in place of one a case */
    struct show show = {.failing_only = is_live || log_is_quiet, .strict = suite_command.strict || !log_is_quiet,
                        .colour = is_live && !getenv("NO_COLOR")};
    size_t count = 0;
    for (size_t i = 0; i < suite_command.suite->case_count; i++)
        count += suite_command.chosen[i];
    show.failing_later = count == 1;
    suite_command.run.finished = suite_command_show;
    suite_command.run.progress = is_live ? "check" : NULL;
    suite_command.run.context = &show;
    struct results *results = suite_command_run(&interrupted, err);
    if (!results)
        return EXIT_CODE_USAGE;
    results->viewer_bytes = suite_command.run.options.viewer_bytes;
    const struct publish_options publishing = {.colour = show.colour, .has_lines = true,
                                              .quiet = log_is_quiet && results_good(results)};
    if (!publish(results, suite_command.run.options.output, &publishing, err) || !results_good(results))
        code = EXIT_CODE_DIFFERS;
    say_review(results);
    if (results->not_run_count > 0)
        log_note("%zu case%s not run: %s", results->not_run_count, results->not_run_count == 1 ? "" : "s",
                 interrupted                   ? "the run was interrupted"
                 : suite_command.run.fail_fast ? "--fail-fast"
                                               : "no worker could be started");
    results_free(results);
    return code;
}

static enum exit_code run_check(const struct operands *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    const char *suite = operands->count > 0 ? operands->items[0] : NULL;
    suite_command.run.options.viewer_bytes = (size_t)(1e6 * viewer_size);
    const bool good =
        (!suite_command.json || suite_command.list || error_set(err, "--json is a form of --list: add --list")) &&
        (!watch || (!suite_command.list && !suite_command.rerun_failed) ||
         error_set(err, "--watch cannot be given with --list or --rerun-failed")) &&
        (suite = suite_command_find("check", suite, err)) && suite_command_open(suite, err);
    if (good && suite_command.list)
        list();
    else if (good)
        code = watch ? check_watch(err) : run_once(err);
    suite_command_release();
    return code;
}

const struct command command_check = {
    .name = "check", .operands = "[SUITE.yaml]", .summary = "run cases, compare every stage with its golden, report",
    .about = "Runs the cases of a suite, compares every stage with its golden and says which stage, bone and time "
             "moved.\nNever writes goldens: see rigproof accept. Writes results.json, report.html and junit.xml. "
             "Without a SUITE it is\nsuite.yaml here.",
    COMMAND_OPTIONS(check_options), .operand_most = 1, .init = suite_command_init, .run = run_check,
};
