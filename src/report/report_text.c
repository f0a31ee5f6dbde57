/* The results of a run on a terminal: what fails comes first and in full, then notes, and at the end the tally. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "report/escape.h"
#include "report/report.h"

/*
 * "2 of 9 cases fail, 3 not run", "3 of 9 cases not run" or "9 cases, all good", "4 remembered", and the counts: ": 1
 * fail, 1 missing; 4 pass". Not those that say it again: "1 of 1 case fails: 1 fail".
 */
void report_tally(const struct results *results, bool colour, struct text *out)
{
    SCOPED(text) words = {0};
    size_t failing = results_count_failing(results), not_run = results->not_run_count;
    size_t count = results->case_count + not_run, remembered = 0;
    const char *s = count == 1 ? "" : "s", *how = "";
    for (size_t i = 0; i < results->case_count; i++) {
        how = report_is_partial(&results->cases[i], true) ? " as far as compared" : how;
        remembered += results->cases[i].remembered;
    }
    if (failing > 0)
        text_addf(&words, "%zu of %zu case%s fail%s", failing, count, s, failing == 1 ? "s" : "");
    else if (not_run > 0)
        text_addf(&words, "%zu of %zu case%s not run", not_run, count, s);
    else
        text_addf(&words, "%zu case%s%s%s", count, s, results->missing_count > 0 ? "" : ", all good", how);
    if (failing > 0 && not_run > 0)
        text_addf(&words, ", %zu not run", not_run);
    if (remembered > 0)
        text_addf(&words, ", %zu remembered", remembered);
    for (size_t i = 0; i < results->missing_count; i++)
        text_addf(&words, "%s%s%s", i == 0 ? ", " : " and ", results->missing[i],
                  i + 1 < results->missing_count ? "" : i > 0 ? " are missing" : " is missing");
    terminal_add(out, colour, results_good(results) ? STYLE_GOOD : STYLE_BAD, text_string(&words));
    size_t counts[CASE_STATUS_COUNT];
    results_tally(results, counts);
    counts[CASE_FAIL] = counts[CASE_FAIL] == failing ? 0 : counts[CASE_FAIL];
    counts[CASE_PASS] = counts[CASE_PASS] == count ? 0 : counts[CASE_PASS];
    for (int good = 0; good < 2; good++) {
        const char *before = good && failing + not_run > 0 ? "; " : ": ";
        for (int i = 0; i < CASE_STATUS_COUNT; i++) {
            char number[64];
            if (counts[i] == 0 || case_status_fails((enum case_status)i, results->strict) == good)
                continue;
            snprintf(number, sizeof number, "%zu %s", counts[i], case_status_names[i]);
            text_add(out, before);
            terminal_add(out, colour, status_looks[i].style, number);
            before = ", ";
        }
    }
    text_add(out, "\n");
}

/* Where several fail there is often one reason: "import 12, palette 1". */
static void add_stages(const struct results *results, struct text *out)
{
    size_t counts[STAGE_COUNT] = {0}, sum = 0;
    const char *before = "Cases by the first stage that differs: ";
    for (size_t i = 0; i < results->case_count; i++)
        if (case_status_fails(results->cases[i].status, results->strict) && results->cases[i].stage != STAGE_NONE) {
            counts[results->cases[i].stage]++;
            sum++;
        }
    for (int i = 0; sum > 1 && i < STAGE_COUNT; i++)
        if (counts[i] > 0) {
            text_addf(out, "%s%s %zu", before, stage_name((enum stage)i), counts[i]);
            before = ", ";
        }
    text_add(out, sum > 1 ? "\n" : "");
}

/* The cases of one status under a title, a line each. */
static void add_list(const struct results *results, enum case_status status, const char *title, bool colour,
                     struct text *out)
{
    const struct case_result *first = NULL;
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (result->status != status)
            continue;
        text_addf(out, "%s%s  ", first ? "" : title, first ? "" : "\n");
        first = first ? first : result;
        report_case_line(result, colour, out);
    }
    if (first && status == CASE_DRIFT)
        terminal_add_fingerprint(&first->golden, &first->actual, out);
    text_add(out, first ? "\n" : "");
}

void report_partial(const struct results *results, bool has_reason, bool colour, struct text *out)
{
    enum { ENOUGH = 8 };
    /* empty: it was compared at every stage */
    FREED struct text *sentences = memory_new(results->case_count, sizeof *sentences);
    const char *title = "Not every stage was compared:\n";
    for (size_t i = 0; i < results->case_count; i++)
        if (report_is_partial(&results->cases[i], has_reason)) {
            report_case_sentence(&results->cases[i], &sentences[i]);
            text_add(&sentences[i], results->cases[i].subject ? "; " : "");
            report_subject(&results->cases[i], &sentences[i]);
        }
    for (size_t i = 0; i < results->case_count; i++) {
        SCOPED(text) sentence = sentences[i], names = {0};
        size_t count = 0;
        sentences[i] = (struct text){0};
        if (sentence.size == 0)
            continue;
        text_add_name(&names, results->cases[i].name);
        for (size_t k = i + 1; k < results->case_count; k++)
            if (strcmp(text_string(&sentences[k]), text_string(&sentence)) == 0) {
                text_release(&sentences[k]);
                if (++count < ENOUGH)
                    text_add_named(&names, ", %s", results->cases[k].name);
            }
        if (count >= ENOUGH)
            text_addf(&names, " and %zu more", count - ENOUGH + 1);
        text_addf(out, "%s  %s: ", title, text_string(&names));
        terminal_add(out, colour, STYLE_WARN, text_string(&sentence));
        text_add(out, "\n");
        title = "";
    }
    text_add(out, *title ? "" : "\n");
}

static void add_obsolete(const struct results *results, struct text *out)
{
    SCOPED(text) command = {0};
    if (results->obsolete_count == 0)
        return;
    text_add(out, "No case uses these goldens:\n");
    for (size_t i = 0; i < results->obsolete_count; i++)
        text_add_named(out, "  - %s\n", results->obsolete[i]);
    text_add(&command, "rigproof accept ");
    escape_shell(results->suite, &command);
    text_add(&command, " --prune");
    text_add_named(out, "  remove     %s\n\n", results->prune ? results->prune : text_string(&command));
}

static void add_shader_warnings(const struct results *results, struct text *out)
{
    for (size_t i = 0; i < results->shader_warning_count; i++)
        text_add_named(out, i == 0 ? "Your shaders:\n  - %s\n" : "  - %s\n", results->shader_warnings[i]);
    text_add(out, results->shader_warning_count > 0 ? "\n" : "");
}

static const char *words_of(const struct case_result *result)
{
    return result->headline ? result->headline : "";
}

bool report_are_alike(const struct case_result *a, const struct case_result *b)
{
    return a->status == b->status && a->stage == b->stage && strcmp(words_of(a), words_of(b)) == 0;
}

static int by_words(const void *a, const void *b)
{
    const struct case_result *x = *(const struct case_result *const *)a, *y = *(const struct case_result *const *)b;
    int order = x->status != y->status ? (x->status > y->status ? 1 : -1)
                : x->stage != y->stage ? (x->stage > y->stage ? 1 : -1)
                                       : strcmp(words_of(x), words_of(y));
    return order ? order : (x > y) - (x < y);
}

/* [case_count], the caller's: how many are like each case; negative where an earlier one is. */
static long *count_alike(const struct results *results)
{
    const size_t count = results->case_count;
    long *alike = memory_new(count, sizeof *alike);
    FREED const struct case_result **sorted = memory_new(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &results->cases[i];
    sort_items(sorted, count, sizeof *sorted, by_words);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && report_are_alike(sorted[i], sorted[end]);)
            end++;
        for (size_t k = i; k < end; k++)
            alike[sorted[k] - results->cases] = k == i ? (long)(end - i) : -(long)(end - i);
    }
    return alike;
}

/* One more name of a list in lines of a terminal's width, `count` from 1 on. */
static void add_name(const char *text, size_t count, size_t *column, struct text *names)
{
    enum { COLUMNS = 100 };
    SCOPED(text) name = {0};
    text_add_name(&name, text);
    bool breaks = count == 1 || *column + 2 + name.size > COLUMNS;
    text_addf(names, "%s%s%s", count == 1 ? "" : breaks ? ",\n" : ",", breaks ? "  - " : " ", text_string(&name));
    *column = (breaks ? 4 : *column + 2) + name.size;
}

/* All that are like the first of them, in lines of a terminal's width. A few names are enough where each has had its
 * line. */
static void add_alike(const struct results *results, const struct case_result *first,
                      const struct report_text_options *options, struct text *out)
{
    enum { ENOUGH = 40 };
    SCOPED(text) names = {0};
    size_t count = 0, column = 0;
    for (size_t i = 0; i < results->case_count; i++)
        if (report_are_alike(&results->cases[i], first) && !(count++ >= ENOUGH && options->has_lines))
            add_name(results->cases[i].name, count, &column, &names);
    if (count > ENOUGH && options->has_lines)
        text_addf(&names, "\n    and %zu more", count - ENOUGH);
    const struct status_look *look = &status_looks[first->status];
    terminal_add(out, options->colour, look->style, look->word);
    text_addf(out, "%*s%zu case%s", STATUS_COLUMN - (int)strlen(look->word), "", count, count == 1 ? "" : "s");
    text_add_named(out, ": %s\n", words_of(first));
    text_addf(out, "%s\n", text_string(&names));
}

enum { FEW = 3 }; /* that are listed one by one */
enum { FEW_NOT_RUN = 40 }; /* of a run that somebody has just stopped */

/* Many that fail in the same words are said together, the first of them in full. */
static void add_failing(const struct results *results, const struct report_text_options *options, bool missing_apart,
                        struct text *out)
{
    size_t shown = 0, rest = 0;
    FREED long *alike = count_alike(results);
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        if (!case_status_fails(result->status, results->strict) || (missing_apart && result->status == CASE_MISSING))
            continue;
        bool is_full = options->details == 0 || shown < options->details;
        bool is_group = labs(alike[i]) > FEW && result->headline;
        if (is_group && alike[i] < 0)
            continue;
        if (is_group && (is_full || !options->has_lines))
            add_alike(results, result, options, out);
        if (is_full && is_group) {
            text_add_named(out, "  %s, in full:\n", result->name);
            report_case_body(result, options->folder, options->colour, out);
        } else if (is_full) {
            report_case_text(result, options->folder, options->colour, out);
        } else if (!is_group && !options->has_lines) {
            report_case_line(result, options->colour, out);
        }
        text_add(out, is_full ? "\n" : "");
        shown += is_full;
        rest += is_full ? 0 : is_group ? (size_t)alike[i] : 1;
    }
    if (rest > 0 && options->has_lines)
        text_addf(out, "%zu more fail: a line for each is above, all of them are in the report\n", rest);
    if (rest > 0)
        text_add(out, "\n");
}

bool report_accept_missing(const struct results *results, struct text *out)
{
    SCOPED(text) own = {0};
    const char *at = NULL;
    for (size_t i = 0; i < results->case_count && !at; i++) {
        const struct case_result *result = &results->cases[i];
        own.size = 0;
        text_addf(&own, " --filter %s", result->name);
        at = result->status == CASE_MISSING && result->accept ? strstr(result->accept, text_string(&own)) : NULL;
        if (at) { /* its own command knows the run's overrides: it is for all with another word in place of its name */
            text_add_bytes(out, result->accept, (size_t)(at - result->accept));
            text_addf(out, " --missing%s", at + own.size);
        }
    }
    return at != NULL;
}

static void add_missing(const struct results *results, const struct report_text_options *options, struct text *out)
{
    SCOPED(text) command = {0};
    FREED long *alike = count_alike(results);
    for (size_t i = 0; i < results->case_count; i++)
        if (results->cases[i].status == CASE_MISSING && alike[i] > 0)
            add_alike(results, &results->cases[i], options, out);
    if (report_accept_missing(results, &command)) {
        text_add(out, "  accept     ");
        terminal_add(out, options->colour, STYLE_INFO, text_string(&command));
        text_add(out, "\n");
    }
    text_add(out, "\n");
}

void report_not_run(const struct results *results, size_t most, struct text *out)
{
    size_t column = 0, count = 0;
    text_add(out, results->not_run_count > 0 ? "Not run:\n" : "");
    while (count < results->not_run_count && count < most) {
        count++;
        add_name(results->not_run[count - 1], count, &column, out);
    }
    if (count < results->not_run_count)
        text_addf(out, "\n    and %zu more", results->not_run_count - count);
    text_add(out, count > 0 ? "\n\n" : "");
}

/* Appends how many cases --cache keeps no verdict of, by reason. */
static void add_not_remembered(const struct results *results, struct text *out)
{
    const char *before = "";
    for (size_t i = 0; i < results->case_count; i++) {
        const char *why = results->cases[i].not_remembered;
        size_t count = 0;
        for (size_t k = 0; why && k < results->case_count; k++) {
            const char *other = results->cases[k].not_remembered;
            bool same = other && strcmp(other, why) == 0;
            if (same && k < i)
                break;
            count += same;
        }
        if (count == 0)
            continue;
        text_addf(out, "%s%zu case%s", *before ? before : "Not remembered: ", count, count == 1 ? "" : "s");
        text_add_named(out, ", %s", why);
        before = "; ";
    }
    text_add(out, *before ? "\n" : "");
}

void report_text(const struct results *results, const struct report_text_options *options, struct text *out)
{
    bool colour = options->colour;
    size_t counts[CASE_STATUS_COUNT];
    results_tally(results, counts);
    bool missing_apart = counts[CASE_MISSING] > FEW;
    if (options->has_lines && results_count_failing(results) > 0)
        text_add(out, "\n");
    add_failing(results, options, missing_apart, out);
    if (missing_apart)
        add_missing(results, options, out);
    if (!results->strict)
        add_list(results, CASE_DRIFT,
                 "The numbers agree and pixels differ a little (--strict makes it a failure):", colour, out);
    add_list(results, CASE_XFAIL, "Known failures:", colour, out);
    add_list(results, CASE_SKIP, "Skipped:", colour, out);
    add_shader_warnings(results, out);
    report_partial(results, options->has_lines, colour, out);
    add_obsolete(results, out);
    report_not_run(results, options->has_lines ? FEW_NOT_RUN : SIZE_MAX, out);
    add_stages(results, out);
    if (results->judged)
        text_add_named(out, "Judged again %s\n", results->judged);
    add_not_remembered(results, out);
    report_tally(results, colour, out);
}
