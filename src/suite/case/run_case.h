#ifndef RIGPROOF_SUITE_RUN_CASE_H
#define RIGPROOF_SUITE_RUN_CASE_H

#include "suite/case/case_run.h"

/*
 * One case from model to verdict, on one screen: import -> pose -> agree -> draw -> judge. Fills a result whose memory
 * is in `arena`. Files are written below options->output only.
 */
void run_case(const struct suite *suite, size_t index, const struct run_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result);

/* The commands that repeat a case and accept its result, quoted for a shell. */
char *repeat_command(const struct suite_case *c, const struct run_options *options, struct arena *arena);
char *accept_command(const struct suite_case *c, const struct run_options *options, struct arena *arena);

/* The command that removes obsolete goldens. */
char *prune_command(const struct run_options *options, struct arena *arena);

/* A result for a case that did not run to its end. */
void case_result_init(const struct suite_case *c, const struct run_options *options, struct arena *arena,
                      struct case_result *result);

#endif
