#pragma once

#include "data/result/result.h"

/*
 * Reports say what a run found, for people and for machines. Every function appends to a text; none looks at a clock, a
 * terminal or the environment, so the same results give the same bytes. Names that come from models and suites may hold
 * anything: each format escapes them, and no line begins with one.
 *
 * Pictures are named relative to the folder of results.json; `folder` is that folder as seen by the reader of the
 * report, and is put before them ("" for none).
 */

/* The text in a style, its harmful characters replaced; without colour just the text. */
enum style { STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_INFO, STYLE_DIM, STYLE_BOLD };
void terminal_add(struct text *out, bool colour, enum style style, const char *value);

/* "pass", "FAIL", "XPASS": short, and capitals where the case fails. */
struct status_look {
    const char *word;
    enum style style;
};
extern const struct status_look status_looks[CASE_STATUS_COUNT];
enum { STATUS_COLUMN = 9 }; /* what stands behind it begins here */

/* Adds the differences between two fingerprints, a line each; nothing when they are equal or the golden has none. */
void terminal_add_fingerprint(const struct fingerprint *golden, const struct fingerprint *here, struct text *out);

struct report_text_options {
    const char *folder;
    bool colour;
    bool has_lines; /* report_case_line() of every failing case was printed before */
    size_t details; /* failing cases shown in full, the others with a line; 0: all in full */
};

/* Returns whether a case that passes was compared at some stages and not at others; `has_reason`: although they were
 * asked for and one side has them, so that the result says why not. */
bool report_is_partial(const struct case_result *result, bool has_reason);

/* "subject my-engine 1.4; conventions of my-engine: nodes are converted: unit 0.01", appended; nothing without a
 * subject. */
void report_subject(const struct case_result *result, struct text *out);

/* Says a case in one sentence, without its name and not escaped; nothing for most that pass. */
void report_case_sentence(const struct case_result *result, struct text *out);

/* The stages that do, such as "import and draw", behind `before`; nothing where none does. */
void report_case_stages(const struct case_result *result, const char *before, struct text *out);

/* Returns whether one of the cases says what the other does: mostly for one reason, such as an import that they
 * share. */
bool report_are_alike(const struct case_result *a, const struct case_result *b);

/* One case in one line, while a run is going: "FAIL     walker-walk-fbx  palette: bone `hand.L` ...". */
void report_case_line(const struct case_result *result, bool colour, struct text *out);

/* One case in full: headline, stages, worst bones, pictures, what differs in the fingerprint, commands. */
void report_case_text(const struct case_result *result, const char *folder, bool colour, struct text *out);

/* Headline, stages and pictures: as much as fits a screen. */
void report_case_brief(const struct case_result *result, const char *folder, bool colour, struct text *out);

/* report_case_text() without its first line. */
void report_case_body(const struct case_result *result, const char *folder, bool colour, struct text *out);

/*
 * "cause      parent-order (palette): the parent is multiplied on the wrong side", with its remedy and how much it
 * explains in lines below, each behind `indent`. Two that do it together are joined by "and", what explains it as well
 * begins with "or". Of what turns this run into its golden there is no remedy. Nothing without a cause.
 */
void report_causes(const struct case_result *result, const char *indent, struct text *out);

/*
 * The failing cases, more than three that say the same together and the first of them in full; those that lack a
 * golden together after the others; notes on drift, expected failures, skipped cases and obsolete goldens; the tally.
 */
void report_text(const struct results *results, const struct report_text_options *options, struct text *out);

/* The command that makes goldens for all cases that have none, appended; false: there is no such case that can be
 * accepted. */
bool report_accept_missing(const struct results *results, struct text *out);

/* The names of the cases that were not run, in lines, at most so many; nothing where all were. */
void report_not_run(const struct results *results, size_t most, struct text *out);

/* The last line of it alone: "7 of 10 cases fail: ...", "2 of 10 cases not run: ..." or "10 cases, all good: ...". */
/* The cases that report_is_partial(), those with the same sentence together, a line each; nothing when none is. */
void report_partial(const struct results *results, bool has_reason, bool colour, struct text *out);

void report_tally(const struct results *results, bool colour, struct text *out);

/* JUnit XML: a test case per case. Without times, which would differ from run to run. */
void report_junit(const struct results *results, const char *folder, struct text *out);

/*
 * GitHub's workflow commands, a line each, for stdout: failing cases as errors (nine and the rest in a tenth: GitHub
 * shows no more), drift and obsolete goldens as a notice. `suite` is the suite's path as GitHub knows it, relative to
 * the repository.
 */
void report_github_annotations(const struct results *results, const char *suite, struct text *out);

/* Markdown for the summary of the step. `accept` is the command that makes this run's candidates goldens; NULL: not
 * known. */
void report_github_summary(const struct results *results, const char *folder, const char *accept, struct text *out);

/* Says who hands out a page's pictures, by number, as "picture/3". */
struct page_service {
    const char *policy; /* its Content-Security-Policy */
    const char *nonce;  /* of the scripts and styles that the policy lets in */
    const char *style, *script; /* more of them; the script runs once the page has started */
    size_t picture_count;
    char **pictures;    /* [picture_count] paths, filled by report_html(): page_service_release() */
};
void page_service_release(struct page_service *service);

/*
 * The page. With `service` NULL it is one HTML file that needs nothing else: results and pictures are in it. Pictures
 * of frames that differ or have no golden, and all pictures of failing cases, are read from `folder`; one that cannot
 * be read is a note in the page. Else pictures stay files.
 */
void report_html(const struct results *results, const char *folder, struct page_service *service, struct text *out);
