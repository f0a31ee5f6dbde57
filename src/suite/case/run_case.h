#ifndef RIGPROOF_SUITE_RUN_CASE_H
#define RIGPROOF_SUITE_RUN_CASE_H

#include "data/result/result.h"
#include "suite/case/model_cache.h"
#include "suite/file/suite_file.h"

/* When the candidates of a run are written to the output folder. */
enum keep { KEEP_FAILED, KEEP_ALL };

struct run_options {
    const char *output;        /* folder of results and candidates */
    const char *suite_argument;/* the suite's path as typed, for commands to copy */
    const char *arguments;     /* what goes into such a command besides, quoted: " --goldens out/a", or "" */
    enum keep keep;
    enum backend backend;
    const char *rigproof;      /* version */
};

/*
 * One case from model to verdict: import -> pose -> agree -> draw -> judge. Fills a result that points into `arena`, the
 * suite and the model cache. Files are written below options->output only.
 */
void run_case(const struct suite *suite, size_t index, const struct run_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result);

/* A result for a case that did not run to its end. */
void case_result_init(const struct suite_case *c, const struct run_options *options, struct arena *arena,
                      struct case_result *result);

/* "rigproof VERB SUITE OPTION VALUE ARGUMENTS", quoted for a shell: what repeats or accepts a case, or prunes. */
char *command_line(const struct run_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value);

/* Whether that entry of a case's fingerprints is of the case alone, and not of the run. */
bool case_owns(const char *name);

#endif
