#ifndef RIGPROOF_REPORT_TERMINAL_H
#define RIGPROOF_REPORT_TERMINAL_H

#include <stdbool.h>

#include "base/text.h"
#include "data/result/result.h"

/* Words and colours of the text report. */

enum style { STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_INFO, STYLE_DIM, STYLE_BOLD };

/* The text in a style, its harmful characters replaced; without colour just the text. */
void terminal_add(struct text *out, bool colour, enum style style, const char *value);

/* `before` as it is, the text made harmless, and the end of the line. */
void terminal_add_line(struct text *out, const char *before, const char *value);

/* "pass", "FAIL", "XPASS": short, and capitals where the case fails. */
struct status_look {
    const char *word;
    enum style style;
};
extern const struct status_look status_looks[CASE_STATUS_COUNT];

/* What differs between the fingerprints, a line each; nothing when they are equal or the golden has none. */
void terminal_add_fingerprint(const struct fingerprint *golden, const struct fingerprint *here, struct text *out);

#endif
