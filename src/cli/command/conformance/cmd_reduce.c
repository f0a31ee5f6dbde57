/* reduce: the smallest glTF file that still shows the same. */
#include <math.h>
#include <stdio.h>

#include "cli/command.h"
#include "reduce/reduce.h"

static struct reduce_options options = {.time = NAN, .budget = 60, .answer_timeout = 5, .rigproof = RIGPROOF_VERSION};

static const struct setting reduce_rows[] = {
    {"output", "FILE", "the reduced .gltf, with a report beside it as .md", 0, &value_text, VALUE_OF(options.output),
     .letter = 'o'},
    {"subject", "COMMAND", "a program whose answers differ from rigproof's", 0, &value_text, VALUE_OF(options.subject)},
    {"against", "RIGPROOF", "another rigproof, whose answers differ", 0, &value_text, VALUE_OF(options.against)},
    {"test", "COMMAND", "a command with {} for the file, which exits with 0 where it still shows what is looked for", 0,
     &value_text, VALUE_OF(options.test)},
    {"clip", "NAME|INDEX", "the clip that shows it (default the first; none: the rest pose)", 0, &value_text,
     VALUE_OF(options.clip)},
    {"time", "T", "the time in seconds that shows it (default the worst of the clip's)", 0, &value_number,
     VALUE_OF(options.time), .most = 1e6},
    {"budget", "S", "seconds to look for smaller files (default 60)", 0, &value_number, VALUE_OF(options.budget),
     .least = 0.1, .most = 1e6},
    {"answer-timeout", "S", "seconds an answer may take (default 5)", 0, &value_number,
     VALUE_OF(options.answer_timeout), .least = 0.001, .most = 86400},
    COMMAND_QUIET_OPTION,
};

static enum exit_code run_reduce(const struct operands *operands, struct error *err)
{
    struct reduce_result result;
    options.model = operands->items[0];
    if ((options.subject != NULL) + (options.against != NULL) + (options.test != NULL) != 1)
        return error_set(err, "reduce: exactly one of --subject, --against and --test says what is to be shown"),
               EXIT_CODE_USAGE;
    if (!options.output)
        return error_set(err, "reduce: -o OUT.gltf is missing"), EXIT_CODE_USAGE;
    if (!reduce_run(&options, &result, err))
        return EXIT_CODE_USAGE;
    if (!log_is_quiet)
        printf("%s: %zu bytes of %zu, after %u candidates%s\n", options.output, result.size_after, result.size_before,
               result.tried, result.was_stopped ? "; stopped before nothing more could be left out" : "");
    return EXIT_CODE_GOOD;
}

const struct command command_reduce = {
    .name = "reduce", .operands = "MODEL -o OUT.gltf",
    .summary = "the smallest glTF that still shows what differs, and a report",
    .about = "Leaves out of a glTF or GLB whatever can go while a program still differs from rigproof at the same "
             "stage by the same\ncause, or a command still exits with 0. ctrl-C leaves the smallest file so far.",
    COMMAND_OPTIONS(reduce_rows), .operand_least = 1, .operand_most = 1, .run = run_reduce,
};
