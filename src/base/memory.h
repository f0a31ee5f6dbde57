#pragma once

#include <stddef.h>

/* ADDRESS_SANITIZER: this build has it. Compilers say so in two ways. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

/*
 * Memory has no NULL to check: when there is none to be had (the heap, an arena that is full), the process removes its
 * temporaries, prints one line on stderr and ends with MEMORY_EXHAUSTED. In a child (an import, a worker of a suite)
 * that is an error of its model, and the parent reports it with the limit that was met.
 */

enum { MEMORY_EXHAUSTED = 86 }; /* exit code */

/* The calling process, not its children, ends with another one. */
void memory_exit_with(int code);

/* A process without memory calls this before it ends, so that it leaves no temporaries. */
void memory_clean_up_by(void (*clean_up)(void));

/* "error: out of memory: WHAT" */
_Noreturn void memory_exhausted(const char *what, ...) __attribute__((format(printf, 1, 2)));

/* SCOPED(text) line = {0}: text_release() frees it where its block ends, by whatever way. */
#define SCOPED(type) __attribute__((cleanup(type##_release))) struct type

/* FREED char *line = NULL: free() takes what it points at where its block ends. */
#define FREED __attribute__((cleanup(memory_free_at)))
void memory_free_at(void *pointer);

/* `count` zeroed elements of `size` bytes, freed by free(); count 0 gives a valid pointer to nothing. */
void *memory_new(size_t count, size_t size);

/* `size` bytes that are not zeroed, freed by free(). */
void *memory_unset(size_t size);

/* realloc(): what is new is not zeroed. */
void *memory_grow(void *memory, size_t count, size_t size);

/* The same memory, or more of it: with room for one behind `count` elements, all of which were added like this. */
void *memory_room(void *memory, size_t count, size_t size);

/* A copy, freed by free(). */
char *memory_string(const char *string);
