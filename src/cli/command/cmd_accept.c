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

static const struct setting options[] = {
    {"output", "DIR", "where candidates are written before they are accepted (default out/check)", 0,
     &value_text, VALUE_OF(command.output), .letter = 'o'},
    {"filter", "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)", 0,
     &value_texts, VALUE_OF(command.filters), .letter = 'f'},
    {"dry-run", NULL, "say what would be rewritten, write no golden", 0,
     &value_flag, VALUE_OF(accepting.dry_run), .letter = 'n'},
    {"missing", NULL, "only cases that lack a golden, not those that differ from theirs", 0,
     &value_flag, VALUE_OF(accepting.missing)},
    {"all", NULL, "also cases that pass (a new renderer's fingerprint, say)", 0, &value_flag, VALUE_OF(accepting.all)},
    {"prune", NULL, "delete goldens that no case uses", 0, &value_flag, VALUE_OF(accepting.prune)},
    {"migrate", NULL, "run nothing: one import.json for all cases of a model, as new goldens have", 0,
     &value_flag, VALUE_OF(migrate_only)},
    {"force", NULL, "also where CI is set", 0, &value_flag, VALUE_OF(force)},
    {"jobs", "N", "worker processes (default the cores)", 0,
     &value_count, VALUE_OF(command.jobs), .letter = 'j', .least = 1, .most = 100000},
    {"timeout", "S", "seconds a case may take (default 120; 0: any)", 0,
     &value_number, VALUE_OF(command.timeout), .most = 1e6},
    {"memory", "MIB", "memory a worker process may take (default 4096; 0: any)", 0,
     &value_number, VALUE_OF(command.memory), .most = 1e6},
    {"goldens", "DIR", "goldens in place of the suite's", 0, &value_text, VALUE_OF(command.goldens)},
    {"repair", "all|none|NAME,...", "repairs in place of every case's", 0, &value_text, VALUE_OF(command.repair)},
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", 0, &value_text, VALUE_OF(command.backend)},
    {"allow-outside", NULL, "let the suite name files outside its repository, and links lead there", 0,
     &value_flag, VALUE_OF(command.allow_outside)},
};

static void init_accept(void)
{
    suite_command_init(&command);
}

static enum exit_code run_accept(const struct option_list *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    if (may_accept(&accepting, migrate_only, force, err) && suite_command_open(&command, operands->items[0], err))
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
    COMMAND_OPTIONS(options), .operand_least = 1, .operand_most = 1,
    .init = init_accept, .run = run_accept,
};
