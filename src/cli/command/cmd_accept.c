/* accept: results become the goldens, those of a run now or of one whose output is at hand. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/screen.h"
#include "cli/command/suite_command.h"
#include "accept/candidates.h"

static struct accept_options accepting;
static bool force;
static struct option_list from;

static void add_tally(const struct accept_tally *tally, struct text *out)
{
    if (tally->accepted + tally->same + tally->refused == 0) {
        text_add(out, "nothing to accept\n");
        return;
    }
    text_addf(out, "%s %zu case%s (%zu file%s)", accepting.dry_run ? "would accept" : "accepted", tally->accepted,
              tally->accepted == 1 ? "" : "s", tally->files, tally->files == 1 ? "" : "s");
    if (tally->same > 0)
        text_addf(out, ", %zu unchanged", tally->same);
    if (tally->refused > 0)
        text_addf(out, ", %zu refused: mend %s or leave %s out, and accept again", tally->refused,
                  tally->refused == 1 ? "that case" : "those cases", tally->refused == 1 ? "it" : "them");
    text_add(out, "\n");
}

/* Says what was done. */
static enum exit_code end(bool good, struct text *out, const struct accept_tally *tally)
{
    if (good)
        add_tally(tally, out);
    if (!log_is_quiet || !good || tally->refused > 0)
        terminal_print(text_string(out), stdout);
    return good && tally->refused == 0 ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static enum exit_code accept(struct error *err)
{
    int interrupted = 0;
    SCOPED(text) out = {0};
    struct accept_tally tally = {0};
    suite_command.run.progress = "accept";
    accepting.output = suite_command.run.options.output;
    accepting.allow_outside = suite_command.allow_outside;
    suite_command.run.options.purpose = TO_ACCEPT;
    suite_command.run.options.keep = accepting.all ? KEEP_ALL : KEEP_FAILED;
    struct results *results = suite_command_run(&interrupted, err);
    if (!results)
        return EXIT_CODE_USAGE;
    for (size_t i = 0; i < results->shader_warning_count; i++)
        log_warning("%s", results->shader_warnings[i]);
    bool good = !interrupted || error_set_code(err, EXIT_CODE_DIFFERS, "interrupted: nothing was accepted");
    good = good && accept_results(suite_command.suite, results, &accepting, &out, &tally, err);
    const enum exit_code code = end(good, &out, &tally);
    const bool all_ran = results->not_run_count == 0;
    results_free(results);
    return all_ran ? code : EXIT_CODE_DIFFERS;
}

/* Nothing is run, and no model is read. */
static enum exit_code accept_from(const char *suite, struct error *err)
{
    SCOPED(candidates) candidates;
    SCOPED(text) out = {0};
    struct accept_tally tally = {0};
    const struct candidates_options options = {.suite = suite, .goldens = suite_command.goldens,
                                               .repair = suite_command.repair,
                                               .allow_outside = suite_command.allow_outside};
    const struct selection selection = {.filters = suite_command.filters.items,
                                        .filter_count = suite_command.filters.count};
    accepting.allow_outside = suite_command.allow_outside;
    bool opened = candidates_open(&candidates, from.items, from.count, &options, err), good = opened;
    if (opened) {
        const struct results *results = candidates.results;
        bool *chosen = ARENA_NEW(candidates.suite->arena, bool, candidates.suite->case_count),
             *taken = ARENA_NEW(results->arena, bool, results->case_count);
        good = suite_select(candidates.suite, &selection, chosen, err) > 0;
        for (size_t i = 0; i < results->case_count; i++) {
            const struct suite_case *c = suite_find_case(candidates.suite, results->cases[i].name);
            taken[i] = c && chosen[c - candidates.suite->cases];
        }
        good = good && candidates_accept(&candidates, taken, &accepting, &out, &tally, err);
    }
    const enum exit_code code = end(good, &out, &tally);
    return opened ? code : EXIT_CODE_USAGE;
}

static const struct setting accept_options[] = {
    {"from", "DIR|ZIP",
     "run nothing: take what a run has left there, such as the artifact of a CI job as it was downloaded, or\n"
     "its ZIP (repeatable). Suite and models must be those of the run", 0, &value_texts, VALUE_OF(from)},
    {"output", "DIR", "where candidates are written, to be moved from there (default out/check)", 0, &value_text,
     VALUE_OF(suite_command.run.options.output), .letter = 'o'},
    SUITE_CHOICE_OPTIONS,
    {"dry-run", NULL, "say what would be rewritten, write no golden", 0, &value_flag, VALUE_OF(accepting.dry_run),
     .letter = 'n'},
    {"missing", NULL, "only cases that have no golden, not those that differ from it", 0, &value_flag,
     VALUE_OF(accepting.missing)},
    {"all", NULL, "also cases that pass (a new renderer's fingerprint, say)", 0, &value_flag, VALUE_OF(accepting.all)},
    {"prune", NULL, "delete goldens that no case uses", 0, &value_flag, VALUE_OF(accepting.prune)},
    {"force", NULL, "write goldens even where CI is set", 0, &value_flag, VALUE_OF(force)},
    SUITE_OPTIONS,
};

static enum exit_code run_accept(const struct operands *operands, struct error *err)
{
    enum exit_code code = EXIT_CODE_GOOD;
    const char *suite = operands->count > 0 ? operands->items[0] : NULL;
    if (accepting.missing && accepting.all)
        error_set(err, "--missing and --all exclude each other");
    else if (suite_command_may_accept("accept", force, err) && from.count > 0)
        code = accept_from(suite, err);
    else if (!error_is_set(err) && (suite = suite_command_find("accept", suite, err)) && suite_command_open(suite, err))
        code = accept(err);
    suite_command_release();
    return code;
}

const struct command command_accept = {
    .name = "accept", .operands = "[SUITE.yaml]", .summary = "make the current results the goldens",
    .about = "Makes the current results of failed and missing cases the goldens, and says what was and what is. "
             "Without a SUITE\nit is suite.yaml here, or with --from that of the run.\nCheck the report first: accept "
             "cannot know whether a result is right. Refused: where CI is set; another\nrasteriser than llvmpipe; "
             "cases that crashed, that test nothing or whose vertices the GPU puts elsewhere than\nthe CPU; goldens "
             "that are links out of the goldens' folder.",
    COMMAND_OPTIONS(accept_options), .operand_most = 1, .init = suite_command_init, .run = run_accept,
};
