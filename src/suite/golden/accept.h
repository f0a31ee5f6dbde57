#ifndef RIGPROOF_SUITE_ACCEPT_H
#define RIGPROOF_SUITE_ACCEPT_H

#include "data/result/result.h"
#include "suite/file/suite_file.h"

/*
 * Makes the candidates that a run left in its output folder the goldens. The only code that writes goldens: file by file,
 * each whole or not at all, recorded.json with the hashes of the others first, and none whose bytes are there already;
 * recorded.json not for the fingerprint alone, unless all cases are asked for. A shared import (golden.h) is one file: no
 * hash of it is in recorded.json, so that cases which share it need not be written again. A
 * signal that would end the process waits until the golden of a case is complete. The goldens' folder is locked from the first
 * file to the last; another process's lock is waited for. A case whose golden is a link to somewhere else is refused.
 */

struct accept_options {
    const char *output; /* where the run left its candidates */
    bool dry_run;       /* say what would be done */
    bool all;           /* also cases that passed */
    bool missing;       /* only cases that lack a golden, not those that differ from theirs */
    bool prune;         /* delete obsolete goldens */
    bool allow_outside; /* write also where a link leads out of the goldens' folder */
};

struct accept_tally {
    size_t accepted; /* cases of which something was (or would be) written */
    size_t same;     /* cases that are as their golden */
    size_t refused;  /* crashed, vacuous, skinned wrongly, a link to elsewhere */
    size_t files;
};

/* Prints old -> new for each case to `out`. False with err set when a file cannot be written or the run was not on llvmpipe. */
bool accept_results(const struct suite *suite, struct results *results, const struct accept_options *options,
                    struct text *out, struct accept_tally *tally, struct error *err);

#endif
