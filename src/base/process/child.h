#ifndef RIGPROOF_BASE_CHILD_H
#define RIGPROOF_BASE_CHILD_H

#include <sys/types.h>

/* The first and the last thing that every forked child of ours does; for `process` and `pool`. */

/*
 * In the child, at once after the fork from `parent`: it dies when the parent does (Linux; elsewhere it goes on until
 * it notices), dumps no core, and fatal signals and SIGCHLD have their default action even under a sanitizer. A handler
 * for SIGHUP, SIGINT or SIGTERM goes too; where they are ignored they stay ignored.
 */
void child_begin(pid_t parent);

/* Ends the child without the parent's exit handlers, but with the counters of a coverage build written. */
_Noreturn void child_end(int status);

#endif
