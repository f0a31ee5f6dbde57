#pragma once

#include "golden/golden.h"
#include "report/publish.h"

/* The files as they were before they were accepted, in the order in which they were written. It begins as {0}; one
 * acceptance each. */
struct accept_undo {
    char *goldens; /* the folder */
    size_t count;
    struct undo_file *files;
};

/*
 * Makes the candidates that a run left in its output folder the goldens. Only this and accept_take_back() write
 * goldens, each through a file_batch: no file that has these bytes already, nor recorded.json for the fingerprint
 * alone, unless all cases are asked for. Of a case recorded.json with the hashes of the others comes first, then its
 * import, then the others; last the pictures and poses of times that it does not have any more go. So wherever this is
 * killed, `check` names what is not of its recorded.json. The goldens' folder is locked from the first file to the
 * last; another process's lock is waited for. When a file of a case cannot be written, its golden stays as it was.
 */

struct accept_options {
    const char *output; /* where the run left its candidates: they are moved from there */
    /* [case_count of the results] the same of each case, to be copied; NULL: `output` for all */
    const char *const *folders;
    struct accept_undo *undo; /* notes what was there; NULL */
    bool dry_run;       /* say what would be done */
    bool all;           /* also cases that passed */
    bool missing;       /* only cases that lack a golden or did not run, not those that differ from theirs */
    bool prune;         /* delete obsolete goldens */
    bool allow_outside; /* write also where a link leads out of the goldens' folder */
};

struct accept_tally {
    size_t accepted; /* cases of which something was (or would be) written */
    size_t same;     /* cases that are as their golden */
    size_t refused;  /* crashed, vacuous, skinned wrongly, a link to elsewhere */
    size_t files;
};

/* Returns whether a case is to be accepted, if it can be. */
bool accept_takes(const struct accept_options *options, const struct case_result *result);

/* Returns why no golden is made of such a result, with its detail in *detail; NULL: it can be one. */
const char *accept_refusal(const struct case_result *result, const char **detail);

/* Prints old -> new for each case to `out`. False with err set when a file cannot be written or the run was not on
 * llvmpipe. */
bool accept_results(const struct suite *suite, struct results *results, const struct accept_options *options,
                    struct text *out, struct accept_tally *tally, struct error *err);

/* Gives back what was there before. Of several acceptances the last is taken back first. False with err set. */
bool accept_take_back(const struct accept_undo *undo, struct error *err);
void accept_undo_release(struct accept_undo *undo);

/*
 * A run leaves this to become goldens: results.json and beside it a folder for each case, of this machine or of another
 * (a CI artifact). They become goldens without being drawn again, with the fingerprint of that run. results.json says
 * what suite and files the run had and hashes the recorded.json of each case, which hashes the rest: anything that is
 * not as the run left it is refused. All of it is hostile until it was checked.
 */

struct candidates_options {
    const char *suite;   /* NULL: the one that results.json names, from the working folder on */
    const char *goldens; /* as of --goldens and --repair: they must be those of the run; NULL */
    const char *repair;
    bool allow_outside;
};

struct candidates {
    struct suite *suite;
    struct results *results; /* of all runs, in the suite's order; pictures' paths from `from` on */
    const char *from;        /* what to show pictures from: the first of the folders, unpacked where it was a ZIP */
    const char **folders;    /* [results->case_count] of the run that a case is of */

    /* their own */
    char **unpacked; /* temporary folders */
    size_t unpacked_count;
    struct merge merge; /* the runs as read */
    struct model_cache *cache; /* models that were imported here */
};

/*
 * Opens output folders of runs, folders with such folders in them (artifacts as they were downloaded), and ZIPs of
 * either. Several runs are one, as for `rigproof report`: a case that several have is taken from the last. False with
 * err set: no results.json, of several suites, a suite that is not the run's, a hostile ZIP. To be released in either
 * case.
 */
bool candidates_open(struct candidates *candidates, const char *const *from, size_t count,
                     const struct candidates_options *options, struct error *err);
void candidates_release(struct candidates *candidates);

/*
 * Why what the run left of a case cannot become its golden, and what to do, in one line: a model that is not as it
 * was, a file that was changed, a case that passed. NULL: it can. Looks at the files anew each time, and imports the
 * model, once, to know what it opens. In the results' arena.
 */
const char *candidates_refusal(struct candidates *candidates, const struct case_result *result);

/*
 * The results for people, by the same indices: their pictures are the candidates and the goldens that are here,
 * measured here; of what cannot become a golden no file of the run is among them. Words and other numbers are the
 * run's. In the results' arena.
 */
const struct results *candidates_show(struct candidates *candidates);

/*
 * Makes those of the chosen cases (NULL: all) goldens, by accept_results(): options->output is not looked at. A case
 * with a refusal is refused, if there was something of it to accept. False with err set when a file cannot be written.
 */
bool candidates_accept(struct candidates *candidates, const bool *chosen, const struct accept_options *options,
                       struct text *out, struct accept_tally *tally, struct error *err);
