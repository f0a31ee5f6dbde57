#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/command/suite_command.h"
#include "suite/golden/accept.h"
#include "suite/golden/golden.h"

/* Goldens are a person's decision: a build server that accepts its own results tests nothing. */
static bool may_accept(const struct accept_options *options, bool migrates, bool ci_too, struct error *err)
{
    const char *ci = getenv("CI");
    if (migrates && (options->missing || options->all || options->prune))
        return error_set(err, "--migrate accepts nothing: --missing, --all and --prune are for another run");
    if (options->missing && options->all)
        return error_set(err, "--missing and --all exclude each other");
    if (ci_too || !ci || !*ci || strcmp(ci, "false") == 0 || strcmp(ci, "0") == 0)
        return true;
    return error_set(err, "CI=%s: a build server does not decide what is right; --force if this one does", ci);
}

static void show_progress(void *context, size_t done, size_t total)
{
    (void)context;
    log_progress("accept", done, total);
}

static void print_tally(const struct accept_tally *tally, const struct accept_options *options)
{
    printf("%s %zu case%s (%zu file%s)", options->dry_run ? "would accept" : "accepted", tally->accepted,
           tally->accepted == 1 ? "" : "s", tally->files, tally->files == 1 ? "" : "s");
    if (tally->same > 0)
        printf(", %zu unchanged", tally->same);
    if (tally->refused > 0)
        printf(", %zu refused", tally->refused);
    printf("\n");
}

/* Without a run: the same goldens, one import.json for all cases of a model. */
static enum exit_code migrate(const struct suite_command *command, bool dry_run, struct error *err)
{
    struct text out = {0};
    struct migration tally = {0};
    bool good = shared_imports_migrate(command->suite, command->chosen, dry_run, &out, &tally, err);
    fputs(text_string(&out), stdout);
    if (good)
        printf("%s the import.json of %zu case%s to %zu new file%s in " SHARED_IMPORTS "/\n", dry_run ? "would move" : "moved",
               tally.moved, tally.moved == 1 ? "" : "s", tally.files, tally.files == 1 ? "" : "s");
    text_release(&out);
    return good && tally.refused == 0 ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static enum exit_code accept(struct suite_command *command, struct accept_options *options, struct error *err)
{
    int interrupted = 0;
    struct text out = {0};
    struct accept_tally tally = {0};
    command->run.progress = show_progress;
    options->output = command->output;
    options->allow_outside = command->allow_outside;
    command->run.options.keep = options->all ? KEEP_ALL : KEEP_FAILED;
    struct results *results = suite_command_run(command, &interrupted, err);
    if (!results)
        return EXIT_CODE_USAGE;
    bool good = !interrupted || error_set_code(err, EXIT_CODE_DIFFERS, "interrupted: nothing was accepted");
    good = good && accept_results(command->suite, results, options, &out, &tally, err);
    fputs(text_string(&out), stdout);
    if (good)
        print_tally(&tally, options);
    text_release(&out);
    good = good && tally.refused == 0 && results->not_run_count == 0;
    results_free(results);
    return good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static struct suite_command command;
static struct accept_options accepting;
static bool force, migrate_only;

static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, &command.output, "DIR", "where candidates are written before they are accepted (default out/check)"},
    {"filter", 'f', OPTION_LIST, &command.filters, "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)"},
    {"dry-run", 'n', OPTION_FLAG, &accepting.dry_run, NULL, "say what would be rewritten, write no golden"},
    {"missing", '\0', OPTION_FLAG, &accepting.missing, NULL, "only cases that lack a golden, not those that differ from theirs"},
    {"all", '\0', OPTION_FLAG, &accepting.all, NULL, "also cases that pass (a new renderer's fingerprint, say)"},
    {"prune", '\0', OPTION_FLAG, &accepting.prune, NULL, "delete goldens that no case uses"},
    {"migrate", '\0', OPTION_FLAG, &migrate_only, NULL, "run nothing: one import.json for all cases of a model, as new goldens have"},
    {"force", '\0', OPTION_FLAG, &force, NULL, "also where CI is set"},
    {"jobs", 'j', OPTION_COUNT, &command.jobs, "N", "worker processes (default the cores)"},
    {"timeout", '\0', OPTION_NUMBER, &command.timeout, "S", "seconds a case may take (default 120; 0: any)"},
    {"memory", '\0', OPTION_NUMBER, &command.memory, "MIB", "memory a worker process may take (default 4096; 0: any)"},
    {"goldens", '\0', OPTION_TEXT, &command.goldens, "DIR", "goldens in place of the suite's"},
    {"repair", '\0', OPTION_TEXT, &command.repair, "all|none|NAME,...", "repairs in place of every case's"},
    {"backend", '\0', OPTION_TEXT, &command.backend, "auto|osmesa|egl", "how to get a GL context (default auto)"},
    {"allow-outside", '\0', OPTION_FLAG, &command.allow_outside, NULL, "let the suite name files outside its repository, and links lead there"},
};

static enum exit_code run_accept(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    suite_command_init(&command);
    enum exit_code code = EXIT_CODE_GOOD;
    if (options_parse(&command_accept, argc, argv, &operands, err) == PARSE_GO && may_accept(&accepting, migrate_only, force, err) &&
        suite_command_open(&command, operands.items[0], err))
        code = migrate_only ? migrate(&command, accepting.dry_run, err) : accept(&command, &accepting, err);
    suite_command_release(&command);
    return code;
}

const struct command command_accept = {
    .name = "accept", .operands = "SUITE.yaml",
    .summary = "make the current results the goldens",
    .about = "Makes the current results of failed and missing cases the goldens, and says what was and what is.\n"
             "Check the report first: accept cannot know whether a result is right. Refused: where CI is set; another\n"
             "rasteriser than llvmpipe; cases that crashed, that test nothing or whose vertices the GPU puts elsewhere than\n"
             "the CPU; goldens that are links out of the goldens' folder.",
    .options = options, .option_count = sizeof options / sizeof options[0], .operand_least = 1, .operand_most = 1,
    .run = run_accept,
};
