#ifndef RIGPROOF_BASE_CLOCK_H
#define RIGPROOF_BASE_CLOCK_H

/* Time for limits. Nothing that is written out may depend on it. */

/* Seconds since some fixed time; never goes back. */
double clock_seconds(void);

/* What poll(2) is to wait until clock_seconds() is `deadline`, at least 0 ms and at most an hour: ask again then. */
int clock_poll_timeout(double deadline);

#endif
