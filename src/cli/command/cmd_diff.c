#define _POSIX_C_SOURCE 200809L /* isatty */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/command_limits.h"
#include "cli/options.h"
#include "report/report.h"
#include "suite/diff/diff.h"
#include "suite/run/publish.h"

struct diff_command {
    struct diff_options options;
    double delta;
    bool json;
};

static enum exit_code show(const struct diff_command *command, const struct results *results, struct error *err)
{
    const struct publish_options publishing = {
        .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), .quiet = command->json, .local = true};
    struct text text = {0};
    if (command->options.output)
        publish(results, command->options.output, &publishing, err);
    if (command->json)
        results_write(results, &text);
    else if (!command->options.output)
        report_text(results, &(struct report_text_options){.folder = "", .colour = publishing.colour}, &text);
    fputs(text_string(&text), stdout);
    text_release(&text);
    return results_good(results) ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static enum exit_code diff(struct diff_command *command, const char *a, const char *b, struct error *err)
{
    command->options.tolerance.pixel_delta = (int)command->delta;
    struct results *results = diff_paths(a, b, &command->options, err);
    if (!results)
        return EXIT_CODE_USAGE;
    enum exit_code code = show(command, results, err);
    results_free(results);
    return code;
}

static struct diff_command command = {.options = {.rigproof = RIGPROOF_VERSION}};

static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, &command.options.output, "DIR", "write report.html, results.json, junit.xml and pictures of what differs"},
    {"json", '\0', OPTION_FLAG, &command.json, NULL, "results.json on stdout"},
    {"import", '\0', OPTION_NUMBER, &command.options.tolerance.import, "D", "tolerance of the importer's numbers (default 1e-5)", 0, 1},
    {"shell", '\0', OPTION_NUMBER, &command.options.tolerance.shell, "D", "largest displacement of a vertex that the bone can influence, as a share of the model's radius (default 1e-5)", 0, 1},
    {"delta", '\0', OPTION_NUMBER, &command.delta, "LEVELS", "difference of a channel that does not count (default 8)", 0, 255},
    {"share", '\0', OPTION_NUMBER, &command.options.tolerance.pixel_share, "S", "share of the foreground that may differ by more (default 0.0002)", 0, 1},
    COMMAND_LIMIT_OPTIONS,
};

static enum exit_code run_diff(int argc, char **argv, struct error *err)
{
    struct option_list operands = {0};
    command.options.tolerance = tolerance_defaults;
    command.delta = tolerance_defaults.pixel_delta;
    if (options_parse(&command_diff, argc, argv, &operands, err) != PARSE_GO || !command_limit("diff", err))
        return EXIT_CODE_GOOD;
    return diff(&command, operands.items[0], operands.items[1], err);
}

const struct command command_diff = {
    .name = "diff", .operands = "A B",
    .summary = "two PNGs, two pose files, two case folders or two trees of goldens",
    .about = "Compares two PNGs, two pose.json, two import.json, two case folders or two trees of goldens, and says\n"
             "which stage moved first. A is taken as the golden.",
    .options = options, .option_count = sizeof options / sizeof options[0], .operand_least = 2, .operand_most = 2,
    .run = run_diff,
};
