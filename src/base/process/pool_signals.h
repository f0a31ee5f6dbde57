#ifndef RIGPROOF_BASE_POOL_SIGNALS_H
#define RIGPROOF_BASE_POOL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Signals as something poll(2) can wait for: the part of `pool` that is one per process. */

struct pool_signals {
    int wake[2]; /* a pipe: wake[0] is readable after a signal */
    struct sigaction before[3];
};

/* Catches SIGCHLD, and SIGINT and SIGTERM unless they are ignored. False with errno set when there is no pipe. */
bool pool_signals_catch(struct pool_signals *signals);

/* Empties the pipe; whether a child may have ended since the last call. */
bool pool_signals_child_ended(struct pool_signals *signals);

/* The first of SIGINT and SIGTERM that came, or 0. */
int pool_signals_stop(void);

/* Puts the handlers back that were there. */
void pool_signals_release(struct pool_signals *signals);

#endif
