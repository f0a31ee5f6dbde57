#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/command/suite_command.h"
#include "report/report.h"
#include "suite/golden/golden.h"
#include "suite/run/publish.h"

/* How a run is shown while it goes on. */
struct show {
    bool terminal; /* a live line on stderr; else a line a case on stdout */
    bool colour;
};

static void show_case(void *context, const struct case_result *result)
{
    const struct show *show = context;
    struct text line = {0};
    if (show->terminal && !case_status_fails(result->status, true))
        return;
    report_case_line(result, show->colour, &line);
    log_progress_clear();
    fputs(text_string(&line), stdout);
    fflush(stdout);
    text_release(&line);
}

static void show_progress(void *context, size_t done, size_t total)
{
    const struct show *show = context;
    if (show->terminal)
        log_progress("check", done, total);
}

static void list_cases(const struct suite_command *command)
{
    struct text list = {0};
    suite_list(command->suite, command->chosen, &list);
    fputs(text_string(&list), stdout);
    text_release(&list);
}

static enum exit_code check(struct suite_command *command, struct error *err)
{
    int interrupted = 0;
    struct show show = {.terminal = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)};
    show.colour = show.terminal && !getenv("NO_COLOR");
    command->run.finished = show_case;
    command->run.progress = show_progress;
    command->run.context = &show;
    struct results *results = suite_command_run(command, &interrupted, err);
    if (!results)
        return EXIT_CODE_USAGE;
    const struct publish_options publishing = {.colour = show.colour, .has_lines = true};
    bool good = publish(results, command->output, &publishing, err) && results_good(results);
    if (results->not_run_count > 0)
        log_note("%zu case%s not run: %s", results->not_run_count, results->not_run_count == 1 ? "" : "s",
                 interrupted ? "the run was interrupted" : command->fail_fast ? "--fail-fast" : "no worker could be started");
    if (shared_imports_lack(command->suite))
        log_note("the goldens have an import.json a case; `accept --migrate` makes it one a model, nothing else changes");
    results_free(results);
    return good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static struct suite_command command;
static bool list;

static const struct setting options[] = {
    {"output", "DIR", "reports, pictures and candidates (default out/check)", 0,
     &value_text, VALUE_OF(command.output), .letter = 'o'},
    {"filter", "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)", 0,
     &value_texts, VALUE_OF(command.filters), .letter = 'f'},
    {"list", NULL, "list the cases and run nothing", 0, &value_flag, VALUE_OF(list)},
    {"jobs", "N", "worker processes (default the cores)", 0,
     &value_count, VALUE_OF(command.jobs), .letter = 'j', .least = 1, .most = 100000},
    {"timeout", "S", "seconds a case may take (default 120; 0: any)", 0,
     &value_number, VALUE_OF(command.timeout), .most = 1e6},
    {"memory", "MIB", "memory a worker process may take (default 4096; 0: any)", 0,
     &value_number, VALUE_OF(command.memory), .most = 1e6},
    {"shard", "I/N", "the I-th of N parts of the suite", 0, &value_text, VALUE_OF(command.shard)},
    {"rerun-failed", NULL, "only what failed in the last run into the same folder", 0,
     &value_flag, VALUE_OF(command.rerun_failed)},
    {"fail-fast", NULL, "begin no more cases after the first failure", 0, &value_flag, VALUE_OF(command.fail_fast)},
    {"strict", NULL, "drift fails too", 0, &value_flag, VALUE_OF(command.strict)},
    {"goldens", "DIR", "goldens in place of the suite's", 0, &value_text, VALUE_OF(command.goldens)},
    {"repair", "all|none|NAME,...", "repairs in place of every case's", 0, &value_text, VALUE_OF(command.repair)},
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", 0, &value_text, VALUE_OF(command.backend)},
    {"allow-outside", NULL, "let the suite name files outside its repository", 0,
     &value_flag, VALUE_OF(command.allow_outside)},
};

static void init_check(void)
{
    suite_command_init(&command);
}

static enum exit_code run_check(const struct option_list *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    if (suite_command_open(&command, operands->items[0], err)) {
        if (list)
            list_cases(&command);
        else
            code = check(&command, err);
    }
    suite_command_release(&command);
    return code;
}

const struct command command_check = {
    .name = "check", .operands = "SUITE.yaml",
    .summary = "run cases, compare every stage with its golden, report",
    .about = "Runs the cases of a suite, compares every stage with its golden and says which stage, bone and time moved.\n"
             "Never writes goldens: see rigproof accept. Writes results.json, report.html and junit.xml.",
    COMMAND_OPTIONS(options), .operand_least = 1, .operand_most = 1,
    .init = init_check, .run = run_check,
};
