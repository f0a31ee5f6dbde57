#ifndef RIGPROOF_REPORT_TERMINAL_H
#define RIGPROOF_REPORT_TERMINAL_H

#include <stdbool.h>

#include "base/text.h"
#include "data/result/result.h"

/* Words, figures and colours of the text report. */

enum style { STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_INFO, STYLE_DIM, STYLE_BOLD };

/* The text in a style, its harmful characters replaced; without colour just the text. */
void terminal_add(struct text *out, bool colour, enum style style, const char *value);

/* "pass", "FAIL", "XPASS": short, and capitals where the case fails. */
const char *terminal_status(enum case_status status);
enum style terminal_status_style(enum case_status status);

/* "3.41 %", "-" for NAN; the unit follows the number as it is. */
void terminal_add_figure(struct text *out, double value, const char *unit);

/* What differs between the fingerprints, a line each; nothing when they are equal or the golden has none. */
void terminal_add_fingerprint(const struct fingerprint *golden, const struct fingerprint *here, struct text *out);

#endif
