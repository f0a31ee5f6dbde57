/* What a run found, on a terminal: what fails in full, then notes, and at the end the tally. */
#include <stdio.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/terminal.h"

/* ---- tally ----------------------------------------------------------------------------------------------------- */

static size_t count_failing(const struct results *results)
{
    size_t failing = 0;
    for (size_t i = 0; i < results->case_count; i++)
        failing += case_status_fails(results->cases[i].status, results->strict);
    return failing;
}

static void add_count(size_t count, enum case_status status, bool colour, const char *before, struct text *out)
{
    char words[64];
    snprintf(words, sizeof words, "%zu %s", count, case_status_name(status));
    text_add(out, before);
    terminal_add(out, colour, terminal_status_style(status), words);
}

/* "2 fail, 1 missing; 7 pass" */
static void add_counts(const struct results *results, bool colour, struct text *out)
{
    size_t counts[CASE_STATUS_COUNT];
    const char *before = "";
    results_tally(results, counts);
    for (int i = 0; i < CASE_STATUS_COUNT; i++)
        if (counts[i] > 0 && case_status_fails((enum case_status)i, results->strict)) {
            add_count(counts[i], (enum case_status)i, colour, before, out);
            before = ", ";
        }
    before = *before ? "; " : "";
    for (int i = 0; i < CASE_STATUS_COUNT; i++)
        if (counts[i] > 0 && !case_status_fails((enum case_status)i, results->strict)) {
            add_count(counts[i], (enum case_status)i, colour, before, out);
            before = ", ";
        }
}

/* "2 of 9 cases fail", "2 of 9 cases fail, 3 not run", "3 of 9 cases not run", "9 cases, all good". */
static void add_verdict(size_t failing, size_t not_run, size_t count, struct text *out)
{
    const char *s = count == 1 ? "" : "s";
    if (failing > 0)
        text_addf(out, "%zu of %zu case%s fail%s", failing, count, s, failing == 1 ? "s" : "");
    else if (not_run > 0)
        text_addf(out, "%zu of %zu case%s not run", not_run, count, s);
    else
        text_addf(out, "%zu case%s, all good", count, s);
    if (failing > 0 && not_run > 0)
        text_addf(out, ", %zu not run", not_run);
}

void report_tally(const struct results *results, bool colour, struct text *out)
{
    struct text words = {0};
    size_t failing = count_failing(results), count = results->case_count, not_run = results->not_run_count;
    add_verdict(failing, not_run, count + not_run, &words);
    terminal_add(out, colour, failing + not_run > 0 ? STYLE_BAD : STYLE_GOOD, text_string(&words));
    text_release(&words);
    if (count > 0)
        text_add(out, ": ");
    add_counts(results, colour, out);
    text_add(out, "\n");
}

/* Where several fail there is often one reason: "they diverge first at import (12), palette (1)". */
static void add_stages(const struct results *results, struct text *out)
{
    size_t counts[STAGE_COUNT] = {0}, sum = 0;
    for (size_t i = 0; i < results->case_count; i++)
        if (case_status_fails(results->cases[i].status, results->strict) && results->cases[i].stage != STAGE_NONE) {
            counts[results->cases[i].stage]++;
            sum++;
        }
    if (sum < 2)
        return;
    const char *before = "They diverge first at ";
    for (int i = 0; i < STAGE_COUNT; i++)
        if (counts[i] > 0) {
            text_addf(out, "%s%s (%zu)", before, stage_name((enum stage)i), counts[i]);
            before = ", ";
        }
    text_add(out, "\n");
}

/* ---- notes ----------------------------------------------------------------------------------------------------- */

/* The cases of one status under a title, a line each. */
static const struct case_result *add_list(const struct results *results, enum case_status status, const char *title,
                                          bool colour, struct text *out)
{
    const struct case_result *first = NULL;
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (result->status != status)
            continue;
        if (!first)
            text_addf(out, "%s\n", title);
        first = first ? first : result;
        text_add(out, "  ");
        report_case_line(result, colour, out);
    }
    return first;
}

static void add_obsolete(const struct results *results, struct text *out)
{
    if (results->obsolete_count == 0)
        return;
    text_add(out, "No case uses these goldens:\n");
    for (size_t i = 0; i < results->obsolete_count; i++) {
        text_add(out, "  - ");
        escape_plain(results->obsolete[i], out);
        text_add(out, "\n");
    }
    struct text command = {0};
    text_add(&command, "rigproof accept ");
    escape_shell(results->suite, &command);
    text_add(&command, " --prune");
    text_add(out, "  remove     ");
    escape_plain(results->prune ? results->prune : text_string(&command), out);
    text_add(out, "\n\n");
    text_release(&command);
}

static void add_notes(const struct results *results, bool colour, struct text *out)
{
    if (!results->strict) {
        const struct case_result *drift =
            add_list(results, CASE_DRIFT,
                     "The numbers agree and pixels differ a little (--strict makes it a failure):", colour, out);
        if (drift) {
            terminal_add_fingerprint(&drift->golden, &drift->actual, out);
            text_add(out, "\n");
        }
    }
    if (add_list(results, CASE_XFAIL, "Known failures:", colour, out))
        text_add(out, "\n");
    if (add_list(results, CASE_SKIP, "Skipped:", colour, out))
        text_add(out, "\n");
    add_obsolete(results, out);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static void add_failing(const struct results *results, const struct report_text_options *options, struct text *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (!case_status_fails(result->status, results->strict))
            continue;
        if (options->details == 0 || shown < options->details) {
            report_case_text(result, options->folder, options->colour, out);
            text_add(out, "\n");
        } else
            report_case_line(result, options->colour, out);
        shown++;
    }
    if (options->details > 0 && shown > options->details)
        text_add(out, "\n");
}

void report_text(const struct results *results, const struct report_text_options *options, struct text *out)
{
    add_failing(results, options, out);
    add_notes(results, options->colour, out);
    add_stages(results, out);
    report_tally(results, options->colour, out);
}
