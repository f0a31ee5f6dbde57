#ifndef RIGPROOF_SUITE_OBSOLETE_H
#define RIGPROOF_SUITE_OBSOLETE_H

#include "data/result/result.h"
#include "suite/file/suite_file.h"

/*
 * Goldens that no case uses, as paths below the suite's goldens folder, sorted: folders that hold a recorded.json and
 * are no case's (or that of a case that has no golden of its own), in the folders of cases that ran the pictures and
 * poses of other times, and shared imports that no case of the suite names. Anything else there is left
 * alone, links too: it is not ours. False with err set when a folder cannot be read.
 */
bool obsolete_find(const struct suite *suite, struct results *results, struct error *err);

/* Deletes what is listed, the files of a golden only, and folders that are empty then. False with err set when something stays. */
bool obsolete_prune(const struct suite *suite, const struct results *results, struct error *err);

#endif
