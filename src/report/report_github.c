/* GitHub Actions: workflow commands in the log, and a page of Markdown for the summary of the step. */
#include <math.h>

#include "report/escape.h"
#include "report/report.h"

/* GitHub shows ten annotations of a kind for a step, and a summary of 1 MiB. */
enum { MOST_ANNOTATIONS = 10, MOST_ROWS = 200, MOST_DETAILS = 20, MOST_SUMMARY_BYTES = 900 << 10 };

/*
 * The failing cases in the order in which they are worth reading: those that differ or broke before those that lack a
 * golden. Call it with *at at 0 until it gives NULL.
 */
static const struct case_result *next_failing(const struct results *results, size_t *at)
{
    while (*at < 2 * results->case_count) {
        const struct case_result *result = &results->cases[*at % results->case_count];
        bool is_second_round = (*at)++ >= results->case_count;
        if (case_status_fails(result->status, results->strict) && (result->status == CASE_MISSING) == is_second_round)
            return result;
    }
    return NULL;
}

/* Adds a command about the suite; `line` 0: about all of it. */
static void annotate(const char *command, const char *suite, uint32_t line, const char *title, const char *message,
                     struct text *out)
{
    text_addf(out, "::%s file=", command);
    escape_workflow_property(suite, out);
    if (line > 0)
        text_addf(out, ",line=%u", line);
    text_add(out, ",title=");
    escape_workflow_property(title, out);
    text_add(out, "::");
    escape_workflow_data(message, out);
    text_add(out, "\n");
}

static void annotate_case(const struct case_result *result, const char *suite, struct text *out)
{
    SCOPED(text) title = {0}, message = {0};
    text_addf(&title, "%s: %s", result->name, case_status_names[result->status]);
    report_case_stages(result, " at ", &title);
    if (result->subject)
        text_addf(&title, " (%s)", result->subject);
    report_case_sentence(result, &message);
    if (result->explanation_count > 0) {
        text_add(&message, message.size > 0 ? "\n" : "");
        report_causes(result, "", &message);
        message.size--; /* the last line's end */
    }
    if (result->repeat)
        text_addf(&message, "%srepeat: %s", message.size > 0 ? "\n" : "", result->repeat);
    if (result->accept)
        text_addf(&message, "%saccept: %s", message.size > 0 ? "\n" : "", result->accept);
    annotate("error", suite, result->line, text_string(&title), text_string(message.size > 0 ? &message : &title), out);
}

void report_github_annotations(const struct results *results, const char *suite, struct text *out)
{
    size_t counts[CASE_STATUS_COUNT], failing = results_count_failing(results), at = 0;
    size_t most = failing > MOST_ANNOTATIONS ? MOST_ANNOTATIONS - 1 : failing;
    SCOPED(text) text = {0};
    results_tally(results, counts);
    for (size_t i = 0; i < most; i++)
        annotate_case(next_failing(results, &at), suite, out);
    text_addf(&text, "%zu more cases fail; all are in the summary of the step and in report.html", failing - most);
    if (failing > most)
        annotate("error", suite, 0, "rigproof", text_string(&text), out);
    for (size_t i = 0; i < results->missing_count; i++) {
        text.size = 0;
        text_addf(&text, "%s: its results are missing", results->missing[i]);
        annotate("error", suite, 0, "rigproof", text_string(&text), out);
    }
    text.size = 0;
    report_not_run(results, MOST_ROWS, &text);
    if (results->not_run_count > 0)
        annotate("error", suite, 0, "rigproof: cases that were not run", text_string(&text), out);
    text.size = 0;
    text_addf(&text, "%zu of %zu cases: the numbers agree, pixels differ a little, and the goldens were recorded with "
                     "another setup", counts[CASE_DRIFT], results->case_count);
    if (counts[CASE_DRIFT] > 0 && !results->strict)
        annotate("notice", suite, 0, "rigproof: drift", text_string(&text), out);
    for (size_t i = 0; i < results->shader_warning_count && i < MOST_ANNOTATIONS; i++)
        annotate("warning", suite, 0, "rigproof: shaders", results->shader_warnings[i], out);
    text.size = 0;
    text_addf(&text, "no case uses %zu of the goldens; accept --prune removes them", results->obsolete_count);
    if (results->obsolete_count > 0)
        annotate("notice", suite, 0, "rigproof: obsolete goldens", text_string(&text), out);
}

/*
 * The page is HTML inside Markdown: in a block that begins with <table> or <pre> nothing of Markdown applies, so
 * escaping what HTML reads is enough. A <table> ends at an empty line: line breaks become blanks.
 */
static void add_row(const struct case_result *result, struct text *out)
{
    /* The bone or node that moves farthest at the culprit, else at what the culprit explains. */
    double limit = result->tolerance ? result->tolerance->shell : 0.0;
    const struct bone_result *bone =
        result->bone_count > 0 && result->bones[0].displacement > limit ? &result->bones[0] : NULL;
    for (uint32_t i = result->bone_count; i-- > 0;)
        if (result->bones[i].stage == result->stage)
            bone = &result->bones[i];
    SCOPED(text) sentence = {0}, time = {0}, stages = {0}, name = {0};
    text_add(&name, result->name);
    if (result->subject)
        text_addf(&name, " (%s)", result->subject);
    report_case_sentence(result, &sentence);
    report_case_stages(result, "", &stages);
    if (bone && !isnan(bone->time))
        text_addf(&time, "%.3f s", bone->time);
    const char *const cells[] = {text_string(&name), case_status_names[result->status],
                                 text_string(&stages), bone ? bone->bone : "",
                                 text_string(&time), text_string(&sentence)};
    text_add(out, "<tr>");
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        text_add(out, "<td>");
        escape_markup_line(cells[i], out);
        text_add(out, "</td>");
    }
    text_add(out, "</tr>\n");
}

/* Appends how this run's candidates become goldens, where something can. */
static void add_accept(const struct results *results, const char *accept, struct text *out)
{
    bool can_accept = false;
    for (size_t i = 0; i < results->case_count; i++)
        can_accept = can_accept || results->cases[i].accept;
    if (!accept || !can_accept)
        return;
    text_add(out, "<p>To make what this run got the goldens, once you have looked at it:</p>\n\n<pre>");
    escape_markup_line(accept, out);
    text_add(out, "</pre>\n\n");
}

void report_github_summary(const struct results *results, const char *folder, const char *accept, struct text *out)
{
    size_t failing = results_count_failing(results), rows = 0, at = 0;
    const struct case_result *result;
    SCOPED(text) tally = {0};
    report_tally(results, false, &tally);
    text_add(out, "<h3>rigproof: ");
    escape_markup_line(results->suite, out);
    if (results->shard > 0)
        text_addf(out, ", shard %u of %u", results->shard, results->shard_count);
    text_add(out, "</h3>\n\n<p>");
    escape_markup(text_string(&tally), out);
    text_add(out, "</p>\n\n");
    text_release(&tally);
    if (results->judged) {
        text_add(out, "<p>Judged again ");
        escape_markup_line(results->judged, out);
        text_add(out, "</p>\n\n");
    }
    report_not_run(results, MOST_ROWS, &tally);
    report_partial(results, false, false, &tally);
    if (tally.size > 0) {
        text_add(out, "<pre>");
        escape_markup(text_string(&tally), out);
        text_add(out, "</pre>\n\n");
    }
    if (failing == 0)
        return;
    add_accept(results, accept, out);
    text_add(out, "<table>\n<tr><th>case</th><th>status</th><th>diverges at</th><th>worst bone</th><th>time</th>"
                  "<th>what</th></tr>\n");
    for (; rows < MOST_ROWS && (result = next_failing(results, &at)) != NULL; rows++)
        add_row(result, out);
    if (failing > rows)
        text_addf(out, "<tr><td colspan=\"6\">and %zu more</td></tr>\n", failing - rows);
    text_add(out, "</table>\n\n");
    at = 0;
    for (size_t i = 0; i < MOST_DETAILS && out->size < MOST_SUMMARY_BYTES; i++) {
        SCOPED(text) full = {0};
        if ((result = next_failing(results, &at)) == NULL)
            return;
        report_case_text(result, folder, false, &full);
        text_add(out, "<details><summary>");
        escape_markup_line(result->name, out);
        text_add(out, "</summary>\n\n<pre>");
        escape_markup(text_string(&full), out);
        text_add(out, "</pre>\n\n</details>\n\n");
    }
}
