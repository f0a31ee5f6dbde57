#ifndef RIGPROOF_BASE_MEMORY_H
#define RIGPROOF_BASE_MEMORY_H

#include <stddef.h>

/*
 * Memory has no NULL to check: when there is none to be had (the heap, an arena that is full), the process removes its
 * temporaries, prints one line on stderr and ends with MEMORY_EXHAUSTED. In a child (an import, a worker of a suite)
 * that is an error of its model, and the parent reports it with the limit that was met.
 */

enum { MEMORY_EXHAUSTED = 86 }; /* exit code */

/* "error: out of memory: WHAT" */
_Noreturn void memory_exhausted(const char *what, ...) __attribute__((format(printf, 1, 2)));

/* `count` zeroed elements of `size` bytes, freed by free(); count 0 gives a valid pointer to nothing. */
void *memory_new(size_t count, size_t size);

/* realloc(): what is new is not zeroed. */
void *memory_grow(void *memory, size_t count, size_t size);

/* A copy, freed by free(). */
char *memory_string(const char *string);

#endif
