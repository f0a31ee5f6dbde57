#ifndef RIGPROOF_ACCEPT_CANDIDATES_H
#define RIGPROOF_ACCEPT_CANDIDATES_H

#include "golden/golden.h"
#include "report/publish.h"

/*
 * What a run has left to become goldens: results.json and beside it a folder for each case, of this machine or of another
 * (a CI artifact). They become goldens without being drawn again, with the fingerprint of that run. results.json says what
 * suite and files the run had and hashes the recorded.json of each case, which hashes the rest: anything that is not as
 * the run left it is refused. All of it is hostile until it was checked.
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
 * Opens output folders of runs, folders with such folders in them (artifacts as they were downloaded), and ZIPs of either.
 * Several runs are one, as for `rigproof report`: a case that several have is taken from the last. False with err set: no
 * results.json, of several suites, a suite that is not the run's, a hostile ZIP. To be released in either case.
 */
bool candidates_open(struct candidates *candidates, const char *const *from, size_t count,
                     const struct candidates_options *options, struct error *err);
void candidates_release(struct candidates *candidates);

/*
 * Why what the run left of a case cannot become its golden, and what to do, in one line: a model that is not as it was, a
 * file that was changed, a case that passed. NULL: it can. Looks at the files anew each time, and imports the model, once, to
 * know what it opens. In the results' arena.
 */
const char *candidates_refusal(struct candidates *candidates, const struct case_result *result);

/*
 * The results for people, by the same indices: their pictures are the candidates and the goldens that are here, measured here; of
 * what cannot become a golden no file of the run is among them. Words and other numbers are the run's. In the results' arena.
 */
const struct results *candidates_show(struct candidates *candidates);

/*
 * Makes those of the chosen cases (NULL: all) goldens, by accept_results(): options->output is not looked at. A case with a
 * refusal is refused, if there was something of it to accept. False with err set when a file cannot be written.
 */
bool candidates_accept(struct candidates *candidates, const bool *chosen, const struct accept_options *options,
                       struct text *out, struct accept_tally *tally, struct error *err);

/*
 * The golden of a case as it is now, its shared import too, in memory: made before it is accepted, to take that back. Taken back
 * the other way round, the last first, all is as it was. False with err set.
 */
struct golden_backup;
struct golden_backup *golden_backup_make(const struct suite *suite, const struct suite_case *c, struct error *err);
bool golden_backup_restore(const struct golden_backup *backup, struct error *err);
void golden_backup_free(struct golden_backup *backup); /* NULL is fine */

#endif
