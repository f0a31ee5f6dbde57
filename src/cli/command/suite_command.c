#include "cli/command/suite_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/screen.h"
#include "report/escape.h"
#include "report/report.h"
#include "options/suite_paths.h"
#include "suite/shard.h"
#include "suite/suite_expand.h"

enum { RESULTS_LIMIT = 1 << 30 };

struct suite_command suite_command = {
    .run = {.timeout = 120, .memory_mib = 4096, .options = {.output = RUN_FOLDER, .rigproof = RIGPROOF_VERSION}}};

static struct suite_run *const run = &suite_command.run;

void suite_command_init(void)
{
    run->jobs = run_cores();
}

static const char *fail_no_suite(const char *command, const char *named, struct error *err)
{
    SCOPED(text) near = {0};
    if (file_exists(named) && suite_is_model(named))
        error_set(err, "%s: %s is a model, and a suite is wanted: `rigproof init %s` writes one", command, named,
                  named);
    else if (!file_exists(named) && folder_suggest(named, &near))
        error_set(err, "%s: there is no suite %s; did you mean %s?", command, named, text_string(&near));
    return error_is_set(err) ? NULL : named; /* who reads it says what is wrong with it */
}

const char *suite_command_find(const char *command, const char *named, struct error *err)
{
    static const char usual[] = "suite.yaml";
    static struct text path;
    struct stat st;
    const bool is_folder = named && stat(named, &st) == 0 && S_ISDIR(st.st_mode);
    if (named && !is_folder)
        return fail_no_suite(command, named, err);
    path.size = 0;
    path_join(named ? named : ".", usual, &path);
    if (file_exists(text_string(&path))) {
        log_note("suite: %s", text_string(&path));
        return text_string(&path);
    }
    error_set(err, "%s: there is no %s %s%s: name a suite, or let `rigproof init MODEL...` write one", command, usual,
              named ? "in " : "here", named ? named : "");
    return NULL;
}

/* Reads results, or the costs of the cases alone. NULL with err set. */
static struct results *read_results(const char *path, bool costs_alone, struct error *err)
{
    SCOPED(blob) file = {0};
    const bool good = file_read(path, RESULTS_LIMIT, &file, err);
    return !good         ? NULL
           : costs_alone ? results_read_costs(file.data, file.size, err)
                         : results_read(file.data, file.size, path, err);
}

/* Reads those of the last run into the output folder. */
static struct results *read_last(bool costs_alone, struct error *err)
{
    SCOPED(text) path = {0};
    text_addf(&path, "%s/results.json", run->options.output);
    return read_results(text_string(&path), costs_alone, err);
}

/* Chooses the shard, and by what the cases are spread. */
static bool choose_shard(struct selection *selection, struct error *err)
{
    const char *shard = suite_command.shard, *from = NULL;
    if (suite_command.balance && !shard)
        return error_set(err, "--balance spreads the cases over shards: add --shard I/N or --shard auto");
    if (!shard)
        return true;
    if (strcmp(shard, "auto") != 0 ? !shard_parse(shard, &selection->shard, &selection->shard_count, err)
                                   : !shard_find(&selection->shard, &selection->shard_count, &from, err))
        return false;
    if (from)
        log_note("shard %u of %u, by %s", selection->shard, selection->shard_count, from);
    if (suite_command.balance && !(suite_command.balance_by = read_results(suite_command.balance, false, err)))
        return error_prefix(err, "--balance");
    selection->balance = suite_command.balance_by;
    selection->shard_of = ARENA_NEW(suite_command.suite->arena, uint32_t, suite_command.suite->case_count);
    return true;
}

/* Says whether the command line puts a program under test with every case. */
static bool runs_elsewhere(void)
{
    return suite_command.subject || suite_command.engine || suite_command.against;
}

static bool choose(struct error *err)
{
    struct selection *selection = &suite_command.selection;
    if (!choose_shard(selection, err))
        return false;
    if (suite_command.rerun_failed) {
        suite_command.last = read_last(false, err);
        if (!suite_command.last)
            return error_prefix(err, "--rerun-failed");
        const char **names = ARENA_NEW(suite_command.last->arena, const char *, suite_command.last->case_count);
        for (size_t i = 0; i < suite_command.last->case_count; i++)
            if (case_status_fails(suite_command.last->cases[i].status, suite_command.strict))
                names[selection->only_count++] = suite_command.last->cases[i].name;
        selection->only = names;
        if (selection->only_count == 0)
            return error_set(err, "--rerun-failed: nothing failed in the last run");
    }
    suite_command.chosen = ARENA_NEW(suite_command.suite->arena, bool, suite_command.suite->case_count);
    run->chosen = suite_command.chosen;
    const size_t count = suite_select(suite_command.suite, selection, suite_command.chosen, err);
    run->complete = count == suite_command.suite->case_count && !runs_elsewhere();
    return !error_is_set(err);
}

static bool use_subject(struct suite *suite, struct error *err)
{
    const char *name = suite_command.subject ? suite_command.subject : suite_command.against;
    if ((suite_command.subject != NULL) + (suite_command.against != NULL) + (suite_command.engine != NULL) > 1)
        return error_set(err, "--subject, --engine and --against exclude each other");
    if (suite_command.engine) {
        const struct subject_spec *engine = engine_find(suite_command.engine, suite->arena, err);
        if (!engine)
            return false;
        suite_add_subject(suite, engine);
        name = engine->name;
    }
    for (size_t i = 0; i < suite_command.programs.count; i++) {
        if (!suite_set_program(suite, suite_command.programs.items[i], err))
            return false;
        text_add(&suite_command.arguments, " --program ");
        escape_shell(suite_command.programs.items[i], &suite_command.arguments);
    }
    for (size_t i = 0; suite_command.strict && i < suite->subject_count; i++)
        suite->subjects[i].is_strict = true;
    return !name || suite_use_subject(suite, name, suite_command.against != NULL, suite_command.strict, err);
}

/* A suite may have come with a pull request: its programs run when the person who types the command says so. */
static bool check_consent(const struct suite *suite, struct error *err)
{
    if (runs_elsewhere() || suite_command.allow_subjects || suite_command.list)
        return true;
    for (size_t i = 0; i < suite->case_count; i++)
        if (suite_command.chosen[i] && suite->cases[i].subject && !suite->cases[i].skip)
            return error_set(err,
                             "case %s runs the program %s, which nobody has agreed to: --allow-subjects does, --filter "
                             "'!*@*' leaves such cases out",
                             suite->cases[i].name, suite->cases[i].subject->command[0]);
    return true;
}

/* Candidates must never be written over what they are compared with. Neither folder need exist yet. */
static bool check_folders(struct error *err)
{
    const struct suite *suite = suite_command.suite;
    SCOPED(text) output = {0}, goldens = {0};
    folder_locate(run->options.output, &output);
    folder_locate(suite->goldens, &goldens);
    const char *below = folder_below(text_string(&output), text_string(&goldens));
    size_t length = below ? strcspn(below, "/") : 0;
    bool is_golden = below && (*below == '\0' ||
                               (length == strlen(SHARED_IMPORTS) && strncmp(below, SHARED_IMPORTS, length) == 0));
    for (size_t i = 0; below && !is_golden && i < suite->case_count; i++)
        is_golden = strlen(suite->cases[i].name) == length && strncmp(suite->cases[i].name, below, length) == 0;
    return !is_golden || error_set(err, "-o %s is where goldens are: choose another folder", run->options.output);
}

/* Files that came with a pull request, say, must not lead output elsewhere, nor be believed as a cache. */
static bool check_repository(const struct suite *suite, struct error *err)
{
    SCOPED(text) shaders = {0};
    const char *output = run->options.output, *cache = run->cache;
    return (suite_command.allow_outside || suite_paths_are_own(suite->folder, output, false, err) ||
            error_prefix(err, "cannot write results to %s (-o names another folder)", output)) &&
           (!cache || suite_paths_are_own(suite->folder, cache, true, err) ||
            error_prefix(err, "--cache %s", cache)) &&
           (!shader_cache_folder(&shaders) || suite_paths_are_own(suite->folder, shaders.data, true, err) ||
            error_prefix(err, "Mesa's cache %s (MESA_SHADER_CACHE_DIR)", shaders.data));
}

bool suite_command_open(const char *path, struct error *err)
{
    suite_command.selection = (struct selection){0};
    suite_command.arguments = (struct text){0};
    suite_command.last = NULL;
    suite_command.selection.filters = suite_command.filters.items;
    suite_command.selection.filter_count = suite_command.filters.count;
    const struct suite_reading reading = {suite_command.allow_outside, suite_command.goldens, runs_elsewhere(),
                                          &suite_command.selection};
    struct suite *suite = suite_open(path, &reading, err);
    struct settings given;
    const struct {
        const char *name, *value;
    } overrides[] = {{"--goldens", suite_command.goldens}, {"--repair", suite_command.repair},
                     {"--backend", suite_command.backend}, {"--subject", suite_command.subject},
                     {"--engine", suite_command.engine},   {"--against", suite_command.against}};
    run->options.suite_argument = path;
    run->suite = suite_command.suite = suite;
    settings_init(&given);
    if (!suite || (suite_command.backend && !settings_set(&given, "backend", suite_command.backend, err)) ||
        !suite_override(suite, suite_command.goldens, suite_command.repair, &run->overrides, err))
        return false;
    run->options.backend = given.backend;
    for (size_t i = 0; suite_command.stages && i < suite->case_count; i++)
        suite->cases[i].stages = suite_command.stages | (suite->cases[i].agrees ? 1u << STAGE_SKIN : 0);
    if (!use_subject(suite, err) || !check_folders(err) || !check_repository(suite, err) || !choose(err) ||
        !check_consent(suite, err))
        return false;
    for (size_t i = 0; i < sizeof overrides / sizeof overrides[0]; i++)
        if (overrides[i].value) { /* what a command needs to do the same again */
            text_addf(&suite_command.arguments, " %s ", overrides[i].name);
            escape_shell(overrides[i].value, &suite_command.arguments);
        }
    text_add(&suite_command.arguments, suite_command.stages ? " --stages " : "");
    suite_stages_write(suite_command.stages, &suite_command.arguments);
    text_add(&suite_command.arguments, suite_command.allow_outside ? " --allow-outside" : "");
    text_add(&suite_command.arguments, suite_command.allow_subjects ? " --allow-subjects" : "");
    run->options.arguments = text_string(&suite_command.arguments);
    return true;
}

bool suite_command_may_accept(const char *name, bool force, struct error *err)
{
    const char *ci = getenv("CI");
    const bool on_server = ci && *ci && strcmp(ci, "false") != 0 && strcmp(ci, "0") != 0;
    return force || !on_server ||
           error_set(err,
                     "%s writes no golden where CI is set (CI=%s), because a person should look at it first; --force "
                     "writes it",
                     name, ci);
}

void suite_command_show(void *context, const struct case_result *result)
{
    const struct show *show = context;
    SCOPED(text) line = {0};
    const bool fails = case_status_fails(result->status, show->strict);
    if (fails ? show->failing_later : show->failing_only)
        return;
    report_case_line(result, show->colour, &line);
    if (show->causes)
        report_causes(result, "           ", &line);
    log_progress_clear();
    terminal_print(text_string(&line), stdout);
}

void suite_command_release(void)
{
    text_release(&suite_command.arguments);
    results_free(suite_command.last);
    results_free(suite_command.balance_by);
    suite_free(suite_command.suite);
}

struct results *suite_command_run(int *interrupted, struct error *err)
{
    if (!folder_make(run->options.output, err)) {
        error_prefix(err, "cannot write results to %s (-o names another folder)", run->options.output);
        return NULL;
    }
    if (run->lock <= 0 && (!run_may_clear(run, err) || (run->lock = folder_lock(run->options.output, err)) < 0))
        return NULL;
    /* without earlier costs cases are ordered by their sizes */
    struct results *costs = run->earlier ? NULL : read_last(true, ERROR_IGNORED);
    if (costs)
        run->earlier = costs;
    struct results *results = run_suite(run, interrupted, err);
    if (costs) { /* the next round has its own */
        run->earlier = NULL;
        results_free(costs);
    }
    if (results) {
        results->strict = suite_command.strict;
        results->shard = suite_command.selection.shard;
        results->shard_count = suite_command.selection.shard_count;
        if (results->shard)
            shard_list(suite_command.suite, suite_command.selection.shard_of, results->shard_count, results);
    }
    return results;
}
