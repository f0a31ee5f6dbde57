#pragma once

#include "case/run_case.h"

/*
 * A suite on several worker processes, each with a GL context of its own: the cases of one model go to one worker,
 * which imports it once, the longest cases first. A worker that crashes or takes too long is the end of its case alone.
 * Results come in the suite's order whatever the timing.
 */
struct suite_run {
    const struct suite *suite;
    const bool *chosen;          /* [suite->case_count] */
    struct case_options options;
    struct fingerprint overrides; /* of the suite, for its results */
    unsigned jobs;               /* workers */
    double timeout;              /* seconds a case may take, where the suite does not say; 0: no limit */
    double memory_mib;           /* a worker may take, the model it keeps included; 0: no limit */
    const char *cache;           /* folder of verdicts that are remembered: run/cache.h; NULL: none */
    const struct results *earlier; /* by whose costs cases are ordered; NULL: by sizes */
    bool fail_fast;              /* begin no more cases after the first that fails */
    int lock;                    /* of the output folder: workers close it, so that it ends with the run; 0: none */
    struct model_cache *models;  /* that workers have from their beginning, without anything of GL; NULL: none */
    bool complete;               /* every case of the suite is chosen: what no case uses is obsolete */

    const char *progress;        /* the word before the bar, on a terminal; NULL: no bar */
    /* Called for each finished case, in the suite's order; may be NULL. */
    void (*finished)(void *context, const struct case_result *result);
    void *context;
};

/* The workers that there are by default: as many as the machine has cores. */
unsigned run_cores(void);

/*
 * Runs the chosen cases. The results are the caller's (results_free); the suite must outlive them. Workers write
 * theirs into the same memory. Cases that were not begun, because of fail_fast or a signal, are its not_run;
 * *interrupted is the signal or 0. NULL with err set when nothing could be run: no usable GL context (exit code 3), no
 * process.
 */
struct results *run_suite(const struct suite_run *run, int *interrupted, struct error *err);

/* LP_NUM_THREADS of each of so many workers, where the user has not set it: threads that Mesa rasterises with. 0, its
 * own thread alone, where a worker has less than two cores. */
unsigned run_threads(long cores, size_t workers);

/* Returns how many of its seconds (0: no limit) a case waits for the first one's shaders: it is to end in the rest. */
double run_patience(double seconds);

/* A run clears what an earlier one left of its cases: what is there must be of a run, and no suite's goldens. To be
 * asked before the folder is locked. False with err set. */
bool run_may_clear(const struct suite_run *run, struct error *err);
