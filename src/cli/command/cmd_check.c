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

static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, &command.output, "DIR", "reports, pictures and candidates (default out/check)"},
    {"filter", 'f', OPTION_LIST, &command.filters, "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)"},
    {"list", '\0', OPTION_FLAG, &list, NULL, "list the cases and run nothing"},
    {"jobs", 'j', OPTION_COUNT, &command.jobs, "N", "worker processes (default the cores)"},
    {"timeout", '\0', OPTION_NUMBER, &command.timeout, "S", "seconds a case may take (default 120; 0: any)"},
    {"memory", '\0', OPTION_NUMBER, &command.memory, "MIB", "memory a worker process may take (default 4096; 0: any)"},
    {"shard", '\0', OPTION_TEXT, &command.shard, "I/N", "the I-th of N parts of the suite"},
    {"rerun-failed", '\0', OPTION_FLAG, &command.rerun_failed, NULL, "only what failed in the last run into the same folder"},
    {"fail-fast", '\0', OPTION_FLAG, &command.fail_fast, NULL, "begin no more cases after the first failure"},
    {"strict", '\0', OPTION_FLAG, &command.strict, NULL, "drift fails too"},
    {"goldens", '\0', OPTION_TEXT, &command.goldens, "DIR", "goldens in place of the suite's"},
    {"repair", '\0', OPTION_TEXT, &command.repair, "all|none|NAME,...", "repairs in place of every case's"},
    {"backend", '\0', OPTION_TEXT, &command.backend, "auto|osmesa|egl", "how to get a GL context (default auto)"},
    {"allow-outside", '\0', OPTION_FLAG, &command.allow_outside, NULL, "let the suite name files outside its repository"},
};

static enum exit_code run_check(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    suite_command_init(&command);
    enum exit_code code = EXIT_CODE_GOOD;
    if (options_parse(&command_check, argc, argv, &operands, err) == PARSE_GO &&
        suite_command_open(&command, operands.items[0], err)) {
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
    .options = options, .option_count = sizeof options / sizeof options[0], .operand_least = 1, .operand_most = 1,
    .run = run_check,
};
