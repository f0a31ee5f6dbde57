#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

/* Says how a terminal is written to: lines that fit its width. */

struct terminal_size {
    unsigned columns, rows;
};

/* The size of the terminal that a stream is; without columns: it is none. */
struct terminal_size terminal_size(FILE *stream);

/*
 * Appends the text with lines of at most so many columns (0: as they are), broken at blanks. What goes on in the
 * next line stands below what it goes on from: below the value of a line with a label, `label    value`, else so
 * many columns, `hang`, to the right of the line's beginning. A command of rigproof, which ends without a full stop,
 * is for copying and stays on one line; escape sequences take no room.
 */
void text_add_wrapped(struct text *out, const char *text, unsigned columns, unsigned hang);

/* Writes the text to a stream, wrapped where that is a terminal. False with errno set. */
bool terminal_print(const char *text, FILE *stream);
