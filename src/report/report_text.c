/* What a run found, on a terminal: what fails in full, then notes, and at the end the tally. */
#include <stdio.h>
#include <string.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/terminal.h"

/* ---- tally ----------------------------------------------------------------------------------------------------- */

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
    size_t failing = results_count_failing(results), count = results->case_count, not_run = results->not_run_count;
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
        text_add_name(out, results->obsolete[i]);
        text_add(out, "\n");
    }
    struct text command = {0};
    text_add(&command, "rigproof accept ");
    escape_shell(results->suite, &command);
    text_add(&command, " --prune");
    text_add(out, "  remove     ");
    text_add_name(out, results->prune ? results->prune : text_string(&command));
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

/* ---- cases that fail ------------------------------------------------------------------------------------------- */

static bool is_missing(const struct case_result *result)
{
    return result->status == CASE_MISSING;
}

/* Whether it fails, and is to be shown: cases without a golden are shown apart where they are many. */
static bool is_shown(const struct results *results, size_t index, bool missing_apart)
{
    const struct case_result *result = &results->cases[index];
    return case_status_fails(result->status, results->strict) && !(missing_apart && is_missing(result));
}

static void add_failing(const struct results *results, const struct report_text_options *options, bool missing_apart,
                        struct text *out)
{
    size_t shown = 0, rest = 0;
    for (size_t i = 0; i < results->case_count; i++) {
        if (!is_shown(results, i, missing_apart))
            continue;
        if (options->details == 0 || shown < options->details) {
            report_case_text(&results->cases[i], options->folder, options->colour, out);
            text_add(out, "\n");
            shown++;
            continue;
        }
        if (!options->has_lines)
            report_case_line(&results->cases[i], options->colour, out);
        rest++;
    }
    if (rest > 0 && options->has_lines)
        text_addf(out, "%zu more fail: a line for each is above, all of them are in the report\n", rest);
    if (rest > 0)
        text_add(out, "\n");
}

/* ---- cases that lack a golden ---------------------------------------------------------------------------------- */

static bool same_words(const struct case_result *a, const struct case_result *b)
{
    return strcmp(a->headline ? a->headline : "", b->headline ? b->headline : "") == 0;
}

/* Whether a case before this one is missing in the same words. */
static bool is_told(const struct results *results, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (is_missing(&results->cases[i]) && same_words(&results->cases[i], &results->cases[index]))
            return true;
    return false;
}

static bool is_missing_like(const struct results *results, size_t index, size_t first)
{
    return is_missing(&results->cases[index]) && same_words(&results->cases[index], &results->cases[first]);
}

static size_t count_missing_like(const struct results *results, size_t first)
{
    size_t count = 0;
    for (size_t i = first; i < results->case_count; i++)
        count += is_missing_like(results, i, first);
    return count;
}

/* The names of those that are missing as this one is, in lines of a terminal's width. */
static void add_names(const struct results *results, size_t first, size_t most, struct text *out)
{
    enum { COLUMNS = 100 };
    size_t column = 0, added = 0;
    for (size_t i = first; i < results->case_count && added < most; i++) {
        struct text name = {0};
        if (!is_missing_like(results, i, first))
            continue;
        text_add_name(&name, results->cases[i].name);
        bool breaks = added++ == 0 || column + 2 + name.size > COLUMNS;
        text_addf(out, "%s%s%s", column == 0 ? "" : breaks ? ",\n" : ",", breaks ? "  - " : " ", text_string(&name));
        column = (breaks ? 4 : column + 2) + name.size;
        text_release(&name);
    }
}

/* All that are missing as this one is. A few names are enough where each has had its line. */
static void add_missing_like(const struct results *results, size_t first, const struct report_text_options *options,
                             struct text *out)
{
    enum { ENOUGH = 40 };
    const char *words = results->cases[first].headline ? results->cases[first].headline : "";
    size_t count = count_missing_like(results, first), most = options->has_lines && count > ENOUGH ? ENOUGH : count;
    terminal_add(out, options->colour, terminal_status_style(CASE_MISSING), terminal_status(CASE_MISSING));
    text_addf(out, "  %zu case%s: ", count, count == 1 ? "" : "s");
    text_add_name(out, words);
    text_add(out, "\n");
    add_names(results, first, most, out);
    if (count > most)
        text_addf(out, "\n    and %zu more", count - most);
    text_add(out, "\n");
}

/* A case's own command knows the run's overrides; it is for all of them with another word in place of its name. */
static void add_accept_missing(const struct case_result *result, bool colour, struct text *out)
{
    struct text own = {0}, command = {0};
    text_addf(&own, " --filter %s", result->name);
    const char *at = result->accept ? strstr(result->accept, text_string(&own)) : NULL;
    if (at) {
        text_add_bytes(&command, result->accept, (size_t)(at - result->accept));
        text_addf(&command, " --missing%s", at + own.size);
        text_add(out, "  accept     ");
        terminal_add(out, colour, STYLE_INFO, text_string(&command));
        text_add(out, "\n");
    }
    text_release(&own);
    text_release(&command);
}

static void add_missing(const struct results *results, const struct report_text_options *options, struct text *out)
{
    const struct case_result *acceptable = NULL;
    for (size_t i = 0; i < results->case_count; i++) {
        if (!is_missing(&results->cases[i]))
            continue;
        if (results->cases[i].accept && !acceptable)
            acceptable = &results->cases[i];
        if (!is_told(results, i))
            add_missing_like(results, i, options, out);
    }
    if (acceptable)
        add_accept_missing(acceptable, options->colour, out);
    text_add(out, "\n");
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

void report_text(const struct results *results, const struct report_text_options *options, struct text *out)
{
    enum { FEW = 3 };
    size_t counts[CASE_STATUS_COUNT];
    results_tally(results, counts);
    bool missing_apart = counts[CASE_MISSING] > FEW;
    if (options->has_lines && results_count_failing(results) > 0)
        text_add(out, "\n");
    add_failing(results, options, missing_apart, out);
    if (missing_apart)
        add_missing(results, options, out);
    add_notes(results, options->colour, out);
    add_stages(results, out);
    if (results->judged) {
        text_add(out, "Judged again ");
        text_add_name(out, results->judged);
        text_add(out, "\n");
    }
    report_tally(results, options->colour, out);
}
