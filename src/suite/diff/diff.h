#ifndef RIGPROOF_SUITE_DIFF_H
#define RIGPROOF_SUITE_DIFF_H

#include "data/result/result.h"

/*
 * Two files, two case folders or two trees of them, compared as `check` compares a run with its goldens, A in the role of
 * the golden. Nothing is imported, posed or drawn.
 *   two PNGs, two pose.json, two import.json: one case;  two folders with a recorded.json or import.json: one case;
 *   two folders of such folders: a case for each name that either has.
 */

struct diff_options {
    struct tolerance tolerance;
    const char *output; /* folder for pictures of what differs; NULL: none are written */
    const char *rigproof;
};

/* The results are the caller's (results_free). NULL with err set (exit code 2): unreadable, not of one kind, or
 * the output among what is compared. */
struct results *diff_paths(const char *a, const char *b, const struct diff_options *options, struct error *err);

#endif
