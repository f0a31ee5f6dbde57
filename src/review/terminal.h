#ifndef RIGPROOF_REVIEW_TERMINAL_H
#define RIGPROOF_REVIEW_TERMINAL_H

#include <stdio.h>

#include "review/session.h"

/*
 * A review in lines of text, one case at a time, as `git add -p` asks: what it says is written to `out`, answers are lines of
 * `in`, whose end is the end of the review. `folder` is what pictures are seen from.
 */
void review_in_terminal(struct review *review, const char *folder, bool colour, FILE *in, FILE *out);

#endif
