/* init: the suite that a folder of models would have. */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "cli/command.h"
#include "report/escape.h"
#include "run/init/init.h"
#include "pipeline/pipeline.h"

static struct settings settings;
static struct init command = {.output = "suite.yaml", .settings = &settings};

static const struct setting options[] = {
    {"output", "SUITE.yaml", "the suite to write, which must not be there yet (default suite.yaml; -: stdout)", 0,
     &value_text, VALUE_OF(command.output), .letter = 'o'},
    {"times", "even:N|keys",
     "times of each clip: N from its beginning to its end (default even:5), or keys and midpoints", 0, &value_times, 0,
     sizeof(struct settings), NULL, .also = "keys"},
    {"size", "WxH", "size of the pictures (default 256x256)", 0, &value_size, VALUE_IN(struct settings, width),
     .least = 1, .most = FRAME_MAX_SIZE},
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
           error_set(
               err,
               "init: %s is there already, and init overwrites nothing; -o names another file, -o - prints the suite",
               command.output);
}

/* What to type next. */
static void add_steps(struct text *out)
{
    const char *outside = command.is_outside ? " --allow-outside" : "";
    struct text suite = {0}, folder = {0}, goldens = {0};
    escape_shell(strcmp(command.output, "-") == 0 ? "suite.yaml" : command.output, &suite);
    path_folder(command.output, &folder);
    path_join(text_string(&folder), init_goldens(&command), &goldens);
    text_addf(out, "next\n  rigproof accept %s --missing%s\n", text_string(&suite), outside);
    text_addf(out, "  look at the pictures, %s/*/*.png, before you commit them\n", text_string(&goldens));
    text_addf(out, "  rigproof check %s%s\n", text_string(&suite), outside);
    text_release(&suite);
    text_release(&folder);
    text_release(&goldens);
}

static bool write_suite(struct error *err)
{
    struct text suite = {0};
    const bool is_stdout = strcmp(command.output, "-") == 0;
    bool good = (is_stdout || file_make_parent(command.output, err)) && init_write(&command, &suite, err) &&
                is_free(err) && file_write(command.output, suite.data, suite.size, err);
    text_release(&suite);
    return good;
}

static enum exit_code run_init(const struct operands *operands, struct error *err)
{
    struct text *report = &command.report;
    if (!settings.time_choices)
        settings_set(&settings, "times", "even:5", err);
    if (settings.time_choice != TIMES_EVEN && settings.time_choice != TIMES_AUTO)
        error_set(err, "init: --times is even:N or keys; times in seconds can be written into the suite");
    command.arena = create_large_arena();
    bool good = !error_is_set(err) && is_free(err) && init_find(&command, operands->items, operands->count, err);
    if (good) {
        init_examine(&command);
        good = command.case_count > 0 ? write_suite(err)
                                      : error_set(err, "init: nothing to test was found, and no suite was written");
        if (good) {
            text_addf(report, "%s: %zu case%s\n\n", strcmp(command.output, "-") == 0 ? "suite" : command.output,
                      command.case_count, command.case_count == 1 ? "" : "s");
            add_steps(report);
        }
        fputs(text_string(report), strcmp(command.output, "-") == 0 ? stderr : stdout);
    }
    text_release(report);
    text_release(&command.left_out);
    arena_destroy(command.arena);
    return command.unreadable > 0 ? EXIT_CODE_DIFFERS : EXIT_CODE_GOOD;
}

const struct command command_init = {
    .name = "init",
    .operands = "MODEL...",
    .summary = "write a suite for models, folders of models and globs",
    .about =
        "Writes a suite with a case for each clip of the models: files, folders with all below, or globs in quotes\n"
        "(`**` is any number of folders). Of several files those without a model's extension are left out. A skeleton\n"
        "without clips is tested in its rest pose. Files that differ in their extension alone are compared: where their\n"
        "vertices are the same, only the first has goldens. Never overwrites a file. Exit code 1: the suite was\n"
        "written, but a model could not be read.",
    COMMAND_OPTIONS(options),
    .settings = &settings,
    .operand_least = 1,
    .operand_most = SIZE_MAX,
    .is_limited = true,
    .init = init_defaults,
    .run = run_init,
};
