#ifndef RIGPROOF_RUN_ROUND_H
#define RIGPROOF_RUN_ROUND_H

#include "suite/suite_file.h"

/*
 * The results of all cases after some of them ran again: `now` where it has the case, else `before` (NULL: none), in the
 * suite's order. A copy, which needs nothing of the suite; both are freed, also where NULL is returned with err set.
 */
struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err);

#endif
