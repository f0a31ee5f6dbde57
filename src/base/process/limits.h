#ifndef RIGPROOF_BASE_LIMITS_H
#define RIGPROOF_BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Limits of time and memory on the process itself, for what runs in it and cannot be trusted to end: the GL driver with a
 * user's shaders (300 bytes of nested macros fill 25 GB), pictures, JSON.
 *
 * A thread compares what the process has, resident and swapped out, with the limit, 50 times a second. The system's own
 * limits do not serve: RLIMIT_AS counts what is reserved (16 GiB for a case, more for a sanitizer's shadow), and with
 * RLIMIT_DATA the driver dies of a NULL at any place, which cannot be told from a fault of its own. Between two looks
 * a process can take some 100 MiB more. Memory is known on Linux only; elsewhere that limit does nothing.
 */
struct limits {
    double seconds;    /* wall clock, from limits_watch() on; 0: none */
    double memory_mib; /* of this process, without those it starts; 0: none */
};

enum limit { LIMIT_TIME, LIMIT_MEMORY };

/*
 * Begins to watch; once in a process, before or after other threads, again in a child. At the limit the temporaries are
 * removed, then `reached` is called, in the watching thread as a rule, and is to end the process by _exit(). False with err set when the
 * thread cannot be started.
 */
bool limits_watch(const struct limits *limits, void (*reached)(enum limit limit), struct error *err);

#endif
