/* check and accept: a suite is read, cases are chosen and run; then the results are reported, or become the goldens. */
#define _XOPEN_SOURCE 700 /* sysconf, lstat, isatty */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/log.h"
#include "cli/command.h"
#include "import/import.h"
#include "report/escape.h"
#include "report/report.h"
#include "suite/file/suite_paths.h"
#include "suite/golden/golden.h"
#include "suite/run/publish.h"
#include "suite/run/run_suite.h"
#include "suite/shard/shard.h"

enum { RESULTS_LIMIT = 1 << 30 };

static const char default_output[] = "out/check";

/* What the options set, and what is made of it; most goes into the run as it is. */
static struct {
    const char *goldens; /* in place of the suite's */
    const char *repair;  /* in place of every case's */
    const char *backend;
    struct option_list filters;
    const char *shard, *balance;
    unsigned stages; /* in place of every case's; 0: none were named */
    bool rerun_failed, allow_outside, allow_subjects, strict, list, json;
    const char *subject; /* all cases on it: of the suite, or a command */
    const char *against; /* the same: another rigproof */
    struct suite *suite;
    bool *chosen;
    struct selection selection;
    struct text arguments; /* overrides, for commands to copy */
    struct results *last;  /* of the last run, for --rerun-failed */
    struct results *balance_by;
    struct suite_run run;
} command = {.run = {.timeout = 120, .memory_mib = 4096, .options = {.output = default_output, .rigproof = RIGPROOF_VERSION}}};

static void init(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    command.run.jobs = cores > 0 ? (unsigned)cores : 1;
}

/* ---- the suite and its cases -------------------------------------------------------------------------------------- */

/* NULL with err set. */
static struct results *read_results(const char *path, struct error *err)
{
    struct blob file = {0};
    struct results *results = NULL;
    if (file_read(path, RESULTS_LIMIT, &file, err))
        results = results_read(file.data, file.size, path, err);
    blob_release(&file);
    return results;
}

/* Which shard, and by what the cases are spread. */
static bool choose_shard(struct selection *selection, struct error *err)
{
    const char *from = NULL;
    if (command.balance && !command.shard)
        return error_set(err, "--balance spreads the cases over shards: add --shard I/N or --shard auto");
    if (!command.shard)
        return true;
    if (strcmp(command.shard, "auto") != 0 ? !shard_parse(command.shard, &selection->shard, &selection->shard_count, err)
                                           : !shard_find(&selection->shard, &selection->shard_count, &from, err))
        return false;
    if (from)
        log_note("shard %u of %u, by %s", selection->shard, selection->shard_count, from);
    if (command.balance && !(command.balance_by = read_results(command.balance, err)))
        return error_prefix(err, "--balance");
    selection->balance = command.balance_by;
    selection->shard_of = ARENA_NEW(command.suite->arena, uint32_t, command.suite->case_count);
    return true;
}

static bool choose(struct error *err)
{
    struct selection *selection = &command.selection;
    selection->filters = command.filters.items;
    selection->filter_count = command.filters.count;
    if (!choose_shard(selection, err))
        return false;
    if (command.rerun_failed) {
        struct text path = {0};
        text_addf(&path, "%s/results.json", command.run.options.output);
        command.last = read_results(text_string(&path), err);
        text_release(&path);
        if (!command.last)
            return error_prefix(err, "--rerun-failed");
        const char **names = ARENA_NEW(command.last->arena, const char *, command.last->case_count);
        for (size_t i = 0; i < command.last->case_count; i++)
            if (case_status_fails(command.last->cases[i].status, command.strict))
                names[selection->only_count++] = command.last->cases[i].name;
        selection->only = names;
        if (selection->only_count == 0)
            return error_set(err, "--rerun-failed: nothing failed in the last run");
    }
    command.chosen = ARENA_NEW(command.suite->arena, bool, command.suite->case_count);
    command.run.chosen = command.chosen;
    command.run.complete = suite_select(command.suite, selection, command.chosen, err) == command.suite->case_count &&
                           !command.subject && !command.against;
    return !error_is_set(err);
}

static bool use_subject(struct suite *suite, struct error *err)
{
    const char *name = command.subject ? command.subject : command.against;
    if (command.subject && command.against)
        return error_set(err, "--subject and --against exclude each other");
    for (size_t i = 0; command.strict && i < suite->subject_count; i++)
        suite->subjects[i].is_strict = true;
    return !name || suite_use_subject(suite, name, command.against != NULL, command.strict, err);
}

/* What a suite names may have come with a pull request: its programs run when the person who types the command says so. */
static bool check_consent(const struct suite *suite, struct error *err)
{
    if (command.subject || command.against || command.allow_subjects || command.list)
        return true;
    for (size_t i = 0; i < suite->case_count; i++)
        if (command.chosen[i] && suite->cases[i].subject && !suite->cases[i].skip)
            return error_set(err, "case %s runs the program %s, which nobody has agreed to: --allow-subjects does, --filter '!*@*' leaves "
                             "such cases out", suite->cases[i].name, suite->cases[i].subject->command[0]);
    return true;
}

/* Candidates must never be written over what they are compared with. Neither folder need exist yet. */
static bool check_folders(struct error *err)
{
    const struct suite *suite = command.suite;
    struct text output = {0}, goldens = {0};
    folder_locate(command.run.options.output, &output);
    folder_locate(suite->goldens, &goldens);
    const char *below = folder_below(text_string(&output), text_string(&goldens));
    size_t length = below ? strcspn(below, "/") : 0;
    bool is_golden = below && (*below == '\0' ||
                               (length == strlen(SHARED_IMPORTS) && strncmp(below, SHARED_IMPORTS, length) == 0));
    for (size_t i = 0; below && !is_golden && i < suite->case_count; i++)
        is_golden = strlen(suite->cases[i].name) == length && strncmp(suite->cases[i].name, below, length) == 0;
    text_release(&output);
    text_release(&goldens);
    return !is_golden || error_set(err, "-o %s is where goldens are: choose another folder", command.run.options.output);
}

/* Nobody named the default folder: a link in its place came with the repository, and must not lead out of it. */
static bool check_default_output(struct error *err)
{
    struct stat st;
    bool is_link = (lstat("out", &st) == 0 && S_ISLNK(st.st_mode)) || (lstat(default_output, &st) == 0 && S_ISLNK(st.st_mode));
    if (command.run.options.output != default_output || command.allow_outside || !is_link)
        return true;
    struct suite_paths paths;
    struct text real = {0};
    folder_locate(command.run.options.output, &real);
    bool good = suite_paths_open(&paths, command.run.options.suite_argument, false, command.suite->arena, err) &&
                suite_paths_folder(&paths, text_string(&real), command.suite->arena, err);
    text_release(&real);
    return good || error_prefix(err, "cannot write results to %s, which is a link (-o names another folder)", command.run.options.output);
}

static bool open_suite(const char *path, struct error *err)
{
    struct suite *suite = suite_read(path, command.allow_outside, err);
    struct settings given;
    const struct {
        const char *name, *value;
    } overrides[] = {{"--goldens", command.goldens}, {"--repair", command.repair}, {"--backend", command.backend},
                   {"--subject", command.subject}, {"--against", command.against}};
    command.run.options.suite_argument = path;
    command.run.suite = command.suite = suite;
    settings_init(&given);
    if (!suite || (command.backend && !settings_set(&given, "backend", command.backend, err)) ||
        (command.repair && !settings_set(&given, "repair", command.repair, err)))
        return false;
    if (command.goldens)
        suite->goldens = command.goldens;
    command.run.options.backend = given.backend;
    for (size_t i = 0; command.repair && i < suite->case_count; i++)
        suite->cases[i].settings.import.repairs = given.import.repairs;
    for (size_t i = 0; command.stages && i < suite->case_count; i++)
        suite->cases[i].stages = command.stages | (suite->cases[i].agrees ? 1u << STAGE_SKIN : 0);
    if (!use_subject(suite, err) || !check_folders(err) || !check_default_output(err) || !choose(err) ||
        !check_consent(suite, err))
        return false;
    suite->shares_imports = shared_imports_used(suite->goldens);
    for (size_t i = 0; i < sizeof overrides / sizeof overrides[0]; i++)
        if (overrides[i].value) { /* what a command needs to do the same again */
            text_addf(&command.arguments, " %s ", overrides[i].name);
            escape_shell(overrides[i].value, &command.arguments);
        }
    text_add(&command.arguments, command.stages ? " --stages " : "");
    suite_stages_write(command.stages, &command.arguments);
    text_add(&command.arguments, command.allow_outside ? " --allow-outside" : "");
    text_add(&command.arguments, command.allow_subjects ? " --allow-subjects" : "");
    command.run.options.arguments = text_string(&command.arguments);
    return true;
}

static void release(void)
{
    text_release(&command.arguments);
    results_free(command.last);
    results_free(command.balance_by);
    suite_free(command.suite);
}

/* Locks the output folder, for as long as the process lives, since reports are written under the lock too; runs the cases. */
static struct results *run_cases(int *interrupted, struct error *err)
{
    if (!folder_make(command.run.options.output, err)) {
        error_prefix(err, "cannot write results to %s (-o names another folder)", command.run.options.output);
        return NULL;
    }
    if (!run_may_clear(&command.run, err) || (command.run.lock = folder_lock(command.run.options.output, err)) < 0)
        return NULL;
    struct results *results = run_suite(&command.run, interrupted, err);
    if (results) {
        results->strict = command.strict;
        results->shard = command.selection.shard;
        results->shard_count = command.selection.shard_count;
        if (results->shard)
            shard_list(command.suite, command.selection.shard_of, results->shard_count, results);
    }
    return results;
}

/* Of both commands, whose help has them last. */
#define SUITE_OPTIONS \
    {"filter", "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)", 0, \
     &value_texts, VALUE_OF(command.filters), .letter = 'f'}, \
    {"jobs", "N", "worker processes (default the cores)", 0, \
     &value_count, VALUE_OF(command.run.jobs), .letter = 'j', .least = 1, .most = 100000}, \
    {"timeout", "S", "seconds a case may take (default 120; 0: no limit)", 0, \
     &value_number, VALUE_OF(command.run.timeout), .most = 1e6}, \
    {"memory", "MIB", "memory a worker process may take (default 4096; 0: no limit)", 0, \
     &value_number, VALUE_OF(command.run.memory_mib), .most = 1e6}, \
    {"goldens", "DIR", "goldens in place of the suite's", 0, &value_text, VALUE_OF(command.goldens)}, \
    {"repair", "all|none|NAME,...", "repairs in place of every case's", 0, &value_text, VALUE_OF(command.repair)}, \
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", 0, &value_text, VALUE_OF(command.backend)}, \
    {"stages", "STAGE,...", "compare these alone, in place of what the cases say: import, animate, palette, skin, draw", 0, \
     &value_bits, VALUE_OF(command.stages), .words = stage_names + 1, .word_count = STAGE_COUNT}, \
    {"allow-outside", NULL, "let the suite name files outside its repository, and goldens be links that lead there", 0, \
     &value_flag, VALUE_OF(command.allow_outside)}, \
    {"allow-subjects", NULL, "let the suite run the programs that it puts under test", 0, \
     &value_flag, VALUE_OF(command.allow_subjects)}

/* ---- check ------------------------------------------------------------------------------------------------------- */

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
    if (!show || show->terminal)
        log_progress(show ? "check" : "accept", done, total);
}

static const struct setting check_options[] = {
    {"output", "DIR", "reports, pictures and candidates (default out/check)", 0,
     &value_text, VALUE_OF(command.run.options.output), .letter = 'o'},
    {"list", NULL, "list the cases and run nothing", 0, &value_flag, VALUE_OF(command.list)},
    {"json", NULL, "with --list: a JSON document, with the models' clips and times resolved", 0,
     &value_flag, VALUE_OF(command.json)},
    {"shard", "I/N|auto", "the I-th of N parts of the suite; auto: by the job array or parallel job that this runs in", 0,
     &value_text, VALUE_OF(command.shard)},
    {"balance", "RESULTS.json", "make the shards by what the cases cost in an earlier run", 0,
     &value_text, VALUE_OF(command.balance)},
    {"rerun-failed", NULL, "run only the cases that failed in the last run into the same folder", 0,
     &value_flag, VALUE_OF(command.rerun_failed)},
    {"fail-fast", NULL, "start no more cases after the first failure", 0, &value_flag, VALUE_OF(command.run.fail_fast)},
    {"subject", "NAME|COMMAND", "run every case on that subject of the suite, or on that program, against rigproof's own answer", 0,
     &value_text, VALUE_OF(command.subject)},
    {"against", "RIGPROOF", "run every case on that rigproof too and compare both: no goldens", 0,
     &value_text, VALUE_OF(command.against)},
    {"strict", NULL, "a case that drifts fails: its numbers agree, its pixels differ a little. Units, axes and\n"
     "spaces that a subject does not declare fail, too", 0, &value_flag, VALUE_OF(command.strict)},
    SUITE_OPTIONS,
};

static enum exit_code run_check(const struct option_list *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    int interrupted = 0;
    struct text list = {0};
    struct show show = {.terminal = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)};
    show.colour = show.terminal && !getenv("NO_COLOR");
    command.run.finished = show_case;
    command.run.progress = show_progress;
    command.run.context = &show;
    const bool good = (!command.json || command.list || error_set(err, "--json is a form of --list: add --list")) &&
                      open_suite(operands->items[0], err);
    struct results *results = good && !command.list ? run_cases(&interrupted, err) : NULL;
    if (good && command.list) {
        if (command.json)
            suite_list_json(command.suite, command.chosen, &list);
        else
            suite_list(command.suite, command.chosen, &list);
        fputs(text_string(&list), stdout);
        text_release(&list);
    } else if (results) {
        const struct publish_options publishing = {.colour = show.colour, .has_lines = true};
        if (!publish(results, command.run.options.output, &publishing, err) || !results_good(results))
            code = EXIT_CODE_DIFFERS;
        if (results->not_run_count > 0)
            log_note("%zu case%s not run: %s", results->not_run_count, results->not_run_count == 1 ? "" : "s",
                     interrupted ? "the run was interrupted" : command.run.fail_fast ? "--fail-fast" : "no worker could be started");
        if (shared_imports_lack(command.suite))
            log_note("each case has an import.json of its own; `accept --migrate` keeps one per model and changes nothing else");
        results_free(results);
    } else if (good)
        code = EXIT_CODE_USAGE;
    release();
    return code;
}

const struct command command_check = {
    .name = "check", .operands = "SUITE.yaml",
    .summary = "run cases, compare every stage with its golden, report",
    .about = "Runs the cases of a suite, compares every stage with its golden and says which stage, bone and time moved.\n"
             "Never writes goldens: see rigproof accept. Writes results.json, report.html and junit.xml.",
    COMMAND_OPTIONS(check_options), .operand_least = 1, .operand_most = 1,
    .init = init, .run = run_check,
};

/* ---- accept ------------------------------------------------------------------------------------------------------ */

static struct accept_options accepting;
static bool force, migrate_only;

/* Without a run: the same goldens, one import.json for all cases of a model. */
static enum exit_code migrate(struct error *err)
{
    struct text out = {0};
    struct migration tally = {0};
    bool good = shared_imports_migrate(command.suite, command.chosen, accepting.dry_run, &out, &tally, err);
    fputs(text_string(&out), stdout);
    if (good)
        printf("%s the import.json of %zu case%s to %zu new file%s in " SHARED_IMPORTS "/\n",
               accepting.dry_run ? "would move" : "moved", tally.moved, tally.moved == 1 ? "" : "s", tally.files,
               tally.files == 1 ? "" : "s");
    text_release(&out);
    return good && tally.refused == 0 ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static enum exit_code accept(struct error *err)
{
    int interrupted = 0;
    struct text out = {0};
    struct accept_tally tally = {0};
    command.run.progress = show_progress;
    accepting.output = command.run.options.output;
    accepting.allow_outside = command.allow_outside;
    command.run.options.purpose = TO_ACCEPT;
    command.run.options.keep = accepting.all ? KEEP_ALL : KEEP_FAILED;
    struct results *results = run_cases(&interrupted, err);
    if (!results)
        return EXIT_CODE_USAGE;
    for (size_t i = 0; i < results->shader_warning_count; i++)
        log_warning("%s", results->shader_warnings[i]);
    bool good = !interrupted || error_set_code(err, EXIT_CODE_DIFFERS, "interrupted: nothing was accepted");
    good = good && accept_results(command.suite, results, &accepting, &out, &tally, err);
    if (good && tally.accepted + tally.same + tally.refused == 0)
        text_add(&out, "nothing to accept\n");
    else if (good) {
        text_addf(&out, "%s %zu case%s (%zu file%s)", accepting.dry_run ? "would accept" : "accepted", tally.accepted,
                  tally.accepted == 1 ? "" : "s", tally.files, tally.files == 1 ? "" : "s");
        if (tally.same > 0)
            text_addf(&out, ", %zu unchanged", tally.same);
        if (tally.refused > 0)
            text_addf(&out, ", %zu refused", tally.refused);
        text_add(&out, "\n");
    }
    fputs(text_string(&out), stdout);
    text_release(&out);
    good = good && tally.refused == 0 && results->not_run_count == 0;
    results_free(results);
    return good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static const struct setting accept_options[] = {
    {"output", "DIR", "where candidates are written before they are accepted (default out/check)", 0,
     &value_text, VALUE_OF(command.run.options.output), .letter = 'o'},
    {"dry-run", NULL, "say what would be rewritten, write no golden", 0,
     &value_flag, VALUE_OF(accepting.dry_run), .letter = 'n'},
    {"missing", NULL, "only cases that have no golden, not those that differ from it", 0,
     &value_flag, VALUE_OF(accepting.missing)},
    {"all", NULL, "also cases that pass (a new renderer's fingerprint, say)", 0, &value_flag, VALUE_OF(accepting.all)},
    {"prune", NULL, "delete goldens that no case uses", 0, &value_flag, VALUE_OF(accepting.prune)},
    {"migrate", NULL, "run nothing; replace the import.json of each case by one per model, as new goldens have", 0,
     &value_flag, VALUE_OF(migrate_only)},
    {"force", NULL, "write goldens even where CI is set", 0, &value_flag, VALUE_OF(force)},
    SUITE_OPTIONS,
};

static enum exit_code run_accept(const struct option_list *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    const char *ci = getenv("CI");
    const bool on_server = ci && *ci && strcmp(ci, "false") != 0 && strcmp(ci, "0") != 0;
    if (migrate_only && (accepting.missing || accepting.all || accepting.prune))
        error_set(err, "--migrate accepts nothing, so --missing, --all and --prune cannot be given with it");
    else if (accepting.missing && accepting.all)
        error_set(err, "--missing and --all exclude each other");
    else if (on_server && !force) /* goldens are a person's decision: who accepts his own results tests nothing */
        error_set(err, "accept writes no golden where CI is set (CI=%s), because a person should look at it first; --force writes it", ci);
    else if (open_suite(operands->items[0], err))
        code = migrate_only ? migrate(err) : accept(err);
    release();
    return code;
}

const struct command command_accept = {
    .name = "accept", .operands = "SUITE.yaml",
    .summary = "make the current results the goldens",
    .about = "Makes the current results of failed and missing cases the goldens, and says what was and what is.\n"
             "Check the report first: accept cannot know whether a result is right. Refused: where CI is set; another\n"
             "rasteriser than llvmpipe; cases that crashed, that test nothing or whose vertices the GPU puts elsewhere than\n"
             "the CPU; goldens that are links out of the goldens' folder.",
    COMMAND_OPTIONS(accept_options), .operand_least = 1, .operand_most = 1,
    .init = init, .run = run_accept,
};
