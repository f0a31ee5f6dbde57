#define _XOPEN_SOURCE 700 /* sysconf, lstat */

#include "cli/command/suite_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "import/import.h"
#include "report/escape.h"
#include "suite/case/run_case.h"
#include "suite/file/suite_paths.h"
#include "suite/golden/golden.h"

enum { RESULTS_LIMIT = 1 << 30 };

static const char default_output[] = "out/check";

void suite_command_init(struct suite_command *command)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *command = (struct suite_command){.output = default_output, .jobs = cores > 0 ? cores : 1, .timeout = 120,
                                       .memory = 4096};
}

/* The names of the cases that failed in the last run's results. */
static bool choose_failed(struct suite_command *command, struct error *err)
{
    struct selection *selection = &command->selection;
    struct text path = {0};
    struct blob file = {0};
    text_addf(&path, "%s/results.json", command->output);
    if (file_read(text_string(&path), RESULTS_LIMIT, &file, err))
        command->last = results_read(file.data, file.size, text_string(&path), err);
    blob_release(&file);
    text_release(&path);
    if (!command->last)
        return error_prefix(err, "--rerun-failed");
    const char **names = ARENA_NEW(command->last->arena, const char *, command->last->case_count);
    for (size_t i = 0; i < command->last->case_count; i++)
        if (case_status_fails(command->last->cases[i].status, command->strict))
            names[selection->only_count++] = command->last->cases[i].name;
    selection->only = names;
    return selection->only_count > 0 || error_set(err, "--rerun-failed: nothing failed in the last run");
}

static bool choose(struct suite_command *command, struct error *err)
{
    struct selection *selection = &command->selection;
    selection->filters = command->filters.items;
    selection->filter_count = command->filters.count;
    if ((command->shard && !shard_parse(command->shard, &selection->shard, &selection->shard_count, err)) ||
        (command->rerun_failed && !choose_failed(command, err)))
        return false;
    command->chosen = ARENA_NEW(command->suite->arena, bool, command->suite->case_count);
    command->chosen_count = suite_select(command->suite, selection, command->chosen, err);
    return !error_is_set(err);
}

/* The options that a command needs to do the same again. */
static void collect_arguments(struct suite_command *command)
{
    const struct {
        const char *name, *value;
    } options[] = {
        {"--goldens", command->goldens}, {"--repair", command->repair}, {"--backend", command->backend},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].value) {
            text_addf(&command->arguments, " %s ", options[i].name);
            escape_shell(options[i].value, &command->arguments);
        }
    if (command->allow_outside)
        text_add(&command->arguments, " --allow-outside");
    command->run.options.arguments = text_string(&command->arguments);
}

static bool override(struct suite_command *command, struct error *err)
{
    struct suite *suite = command->suite;
    struct settings given;
    settings_init(&given);
    if (command->goldens)
        suite->goldens = command->goldens;
    if ((command->backend && !settings_set(&given, "backend", command->backend, err)) ||
        (command->repair && !settings_set(&given, "repair", command->repair, err)))
        return false;
    command->run.options.backend = given.backend;
    for (size_t i = 0; command->repair && i < suite->case_count; i++)
        suite->cases[i].settings.import.repairs = given.import.repairs;
    return true;
}

/* Candidates must never be written over what they are compared with. Neither folder need exist yet. */
static bool check_folders(const struct suite_command *command, struct error *err)
{
    const struct suite *suite = command->suite;
    struct text output = {0}, goldens = {0};
    folder_locate(command->output, &output);
    folder_locate(suite->goldens, &goldens);
    const char *below = folder_below(text_string(&output), text_string(&goldens));
    size_t length = below ? strcspn(below, "/") : 0;
    bool is_golden = below && (*below == '\0' ||
                               (length == strlen(SHARED_IMPORTS) && strncmp(below, SHARED_IMPORTS, length) == 0));
    for (size_t i = 0; below && !is_golden && i < suite->case_count; i++)
        is_golden = strlen(suite->cases[i].name) == length && strncmp(suite->cases[i].name, below, length) == 0;
    text_release(&output);
    text_release(&goldens);
    return !is_golden || error_set(err, "-o %s is where goldens are: choose another folder", command->output);
}

/* Nobody named the default folder: a link in its place came with the repository, and must not lead out of it. */
static bool check_default_output(const struct suite_command *command, struct error *err)
{
    struct stat out, check;
    bool is_link = (lstat("out", &out) == 0 && S_ISLNK(out.st_mode)) ||
                   (lstat(default_output, &check) == 0 && S_ISLNK(check.st_mode));
    if (command->output != default_output || command->allow_outside || !is_link)
        return true;
    struct suite_paths paths;
    struct text real = {0};
    folder_locate(command->output, &real);
    bool good = suite_paths_open(&paths, command->suite_path, false, command->suite->arena, err) &&
                suite_paths_folder(&paths, text_string(&real), command->suite->arena, err);
    text_release(&real);
    return good || error_prefix(err, "results go to %s, which is a link; -o is for another folder", command->output);
}

bool suite_command_open(struct suite_command *command, const char *suite_path, struct error *err)
{
    command->suite_path = suite_path;
    command->suite = suite_read(suite_path, command->allow_outside, err);
    if (!command->suite || !override(command, err) || !check_folders(command, err) ||
        !check_default_output(command, err) || !choose(command, err))
        return false;
    command->suite->shares_imports = shared_imports_used(command->suite->goldens);
    command->run.suite = command->suite;
    command->run.chosen = command->chosen;
    command->run.jobs = (unsigned)command->jobs;
    command->run.timeout = command->timeout;
    command->run.memory_mib = command->memory;
    command->run.fail_fast = command->fail_fast;
    command->run.complete = command->chosen_count == command->suite->case_count;
    command->run.options.output = command->output;
    command->run.options.suite_argument = suite_path;
    collect_arguments(command);
    command->run.options.rigproof = RIGPROOF_VERSION;
    return true;
}

void suite_command_release(struct suite_command *command)
{
    text_release(&command->arguments);
    results_free(command->last);
    suite_free(command->suite);
}

/* A run clears what an earlier one left of its cases: what is there must be of a run, and no suite's goldens. */
static bool is_of_a_run(const struct suite_command *command, struct error *err)
{
    struct text path = {0};
    const char *foreign = NULL;
    bool is_run = false;
    for (int i = 0; i < 2 && !is_run; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", command->output, i ? FOLDER_LOCK : "results.json");
        is_run = file_exists(text_string(&path));
    }
    for (size_t i = 0; !is_run && !foreign && i < command->suite->case_count; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s/recorded.json", command->output, command->suite->cases[i].name);
        if (command->chosen[i] && file_exists(text_string(&path)))
            foreign = command->suite->cases[i].name;
    }
    text_release(&path);
    return !foreign || error_set(err, "-o %s holds %s, which was not written by a run: choose another folder",
                                 command->output, foreign);
}

struct results *suite_command_run(struct suite_command *command, int *interrupted, struct error *err)
{
    if (!folder_make(command->output, err)) {
        error_prefix(err, "results go to %s, -o is for another folder", command->output);
        return NULL;
    }
    if (!is_of_a_run(command, err) ||
        (command->run.lock = folder_lock(command->output, err)) < 0)
        return NULL;
    struct results *results = run_suite(&command->run, interrupted, err);
    if (results) {
        results->strict = command->strict;
        results->shard = command->selection.shard;
        results->shard_count = command->selection.shard_count;
    }
    return results; /* the lock lives as long as the process: what is reported is written under it */
}
