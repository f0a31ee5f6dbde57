/* init: the suite that a folder of models would have. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/names.h"
#include "base/screen.h"
#include "cli/command/suite_command.h"
#include "report/escape.h"
#include "run/init/init.h"
#include "pipeline/pipeline.h"

static struct settings settings;
static bool adds;
static struct init command = {.settings = &settings};
static const char *named; /* the suite; NULL: suite.yaml */

static const struct setting options[] = {
    {"output", "SUITE.yaml", "the suite to write, which must not be there yet (default suite.yaml; -: stdout)", 0,
     &value_text, VALUE_OF(named), .letter = 'o'},
    {"times", "even:N|keys",
     "times of each clip: N from its beginning to its end (default even:5), or keys and midpoints", 0, &value_times, 0,
     sizeof(struct settings), NULL, .also = "keys"},
    {"size", "WxH", "size of the pictures (default 256x256)", 0, &value_size, VALUE_IN(struct settings, width),
     .least = 1, .most = FRAME_MAX_SIZE},
    {"add", NULL, "add cases to the suite that is there (-o, default suite.yaml), at the times that its defaults say",
     0, &value_flag, VALUE_OF(adds)},
    {"compare", "exact|rig|visible",
     "how strict the cases are: every stage to rounding (default); what skeleton and skin do; skin and pixels", 0,
     &value_word, VALUE_OF(command.compare), .words = compare_names, .word_count = COMPARE_COUNT},
    {"static", NULL, "also models without bones and clips, in their rest pose", 0, &value_flag,
     VALUE_OF(command.with_static)},
    COMMAND_LIMIT_OPTIONS,
};

static void init_defaults(void)
{
    settings.width = settings.height = 256;
}

static bool is_free(struct error *err)
{
    struct stat st;
    return strcmp(command.output, "-") == 0 || lstat(command.output, &st) != 0 ||
           error_set(err,
                     "init: %s is there already, and init overwrites nothing; --add adds to it, -o names another file, "
                     "-o - prints the suite",
                     command.output);
}

/* Adds what to type next. */
static void add_steps(struct text *out)
{
    const char *outside = command.is_outside ? " --allow-outside" : "";
    SCOPED(text) suite = {0}, folder = {0}, goldens = {0};
    escape_shell(strcmp(command.output, "-") == 0 ? "suite.yaml" : command.output, &suite);
    path_folder(command.output, &folder);
    path_join(text_string(&folder), init_goldens(&command), &goldens);
    text_addf(out, "next\n  rigproof accept %s --missing%s\n", text_string(&suite), outside);
    text_addf(out, "  look at the pictures, %s/*/*.png, before you commit them\n", text_string(&goldens));
    text_addf(out, "  rigproof check %s%s\n", text_string(&suite), outside);
}

/* Returns whether a .gitignore leaves out the folder of reports. */
static bool ignores_output(const char *path)
{
    static const char *const lines[] = {"out", "out/", "/out", "/out/"};
    SCOPED(blob) file = {0};
    bool found = false;
    if (!file_exists(path) || !file_read(path, 1 << 20, &file, ERROR_IGNORED))
        return false;
    for (char *line = strtok((char *)file.data, "\r\n"); line; line = strtok(NULL, "\r\n"))
        found = found || NAMED(lines, sizeof lines / sizeof lines[0], line);
    return found;
}

/* Reports are no source: in a repository a new .gitignore says so, unless there is one. */
static void ignore_output(struct text *report, struct error *err)
{
    SCOPED(text) folder = {0}, path = {0};
    bool in_repository = false, is_ignored = false;
    folder_locate(".", &folder);
    for (char *slash = folder.data; slash && !in_repository;) {
        path.size = 0;
        path_join(text_string(&folder), ".gitignore", &path);
        is_ignored = is_ignored || ignores_output(text_string(&path));
        path.size = 0;
        path_join(text_string(&folder), ".git", &path);
        in_repository = access(text_string(&path), F_OK) == 0;
        slash = strrchr(folder.data, '/');
        if (slash)
            *slash = '\0';
        if (folder.data[0] == '\0')
            break;
    }
    if (in_repository && !is_ignored && access(".gitignore", F_OK) == 0)
        text_add(report, "  echo out/ >>.gitignore    # reports and pictures are no source\n");
    else if (in_repository && !is_ignored && file_write(".gitignore", "out/\n", 5, err))
        text_add(report, "  (.gitignore leaves out/ out, where reports are written)\n");
}

static bool write_suite(struct error *err)
{
    SCOPED(text) suite = {0};
    const bool is_stdout = strcmp(command.output, "-") == 0;
    bool good = adds ? init_append(&command, &suite, err)
                     : (is_stdout || file_make_parent(command.output, err)) && init_write(&command, &suite, err) &&
                           is_free(err);
    if (!good && adds)
        fputs(text_string(&suite), stdout);
    return good && file_write(command.output, suite.data, suite.size, err);
}

/* Checks the options before any model is read. */
static bool check(struct error *err)
{
    if (adds &&
        (settings.time_choices || settings.width != 256 || settings.height != 256 || command.compare != COMPARE_EXACT))
        return error_set(err,
                         "init: with --add the suite's defaults say times, size and compare: leave these options out");
    if (adds)
        return (command.output = suite_command_find("init --add", named, err)) &&
               init_open(&command, command.output, &settings, err);
    if (!settings.time_choices)
        settings_set(&settings, "times", "even:5", err);
    if (settings.time_choice != TIMES_EVEN && settings.time_choice != TIMES_AUTO)
        error_set(err, "init: --times is even:N or keys; times in seconds can be written into the suite");
    return !error_is_set(err) && is_free(err);
}

static enum exit_code run_init(const struct operands *operands, struct error *err)
{
    struct text *report = &command.report;
    command.output = named ? named : "suite.yaml";
    command.arena = create_large_arena();
    static const char *const here[] = {"."};
    const bool is_named = operands->count > 0;
    bool good =
        check(err) && init_find(&command, is_named ? operands->items : here, is_named ? operands->count : 1, err);
    if (good && adds)
        init_drop_known(&command);
    if (good) {
        const bool is_stdout = strcmp(command.output, "-") == 0;
        init_examine(&command);
        if (command.case_count > 0)
            good = write_suite(err);
        else if (adds && command.model_count == 0)
            good = error_set(err, "init: there is nothing to add: %s has these models already", command.output);
        else
            good = error_set(err, "init: nothing to test was found, and no suite was written");
        if (good) {
            text_addf(report, "%s: %zu %scase%s\n\n", is_stdout ? "suite" : command.output, command.case_count,
                      adds ? "more " : "", command.case_count == 1 ? "" : "s");
            add_steps(report);
        }
        if (good && !is_stdout)
            ignore_output(report, err);
        terminal_print(text_string(report), is_stdout ? stderr : stdout);
    }
    text_release(report);
    text_release(&command.left_out);
    free(command.names);
    suite_free((struct suite *)command.suite);
    arena_destroy(command.arena);
    return command.unreadable > 0 ? EXIT_CODE_DIFFERS : EXIT_CODE_GOOD;
}

const struct command command_init = {
    .name = "init", .operands = "[MODEL...]", .summary = "write a suite for models, folders of models and globs",
    .about = "Writes a suite with a case for each clip of the models: files, folders with all below (without any, the "
             "folder\nhere), or globs in quotes (`**` is any number of folders). Of several files those without a "
             "model's extension\nare left out. A skeleton without clips is tested in its rest pose. Files that differ "
             "in their extension alone are\ncompared: where their vertices are the same, only the first has goldens. "
             "With --add the cases are added to a suite.\nOverwrites nothing else. Exit code 1: the suite was written, "
             "but a model could not be read.",
    COMMAND_OPTIONS(options), .settings = &settings, .operand_most = SIZE_MAX, .is_limited = true,
    .init = init_defaults, .run = run_init,
};
