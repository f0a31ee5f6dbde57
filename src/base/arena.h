#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

/*
 * A bump allocator in one reserved mapping, whose pages are only used once touched. The mapping is shared and
 * anonymous, this header in it: an arena made before fork() can be filled by the child and read by the parent at the
 * same addresses. An arena that is full ends the process: see base/memory.h.
 */

struct arena {
    size_t used;     /* bytes handed out, this header included */
    size_t capacity; /* bytes reserved */
};

/* Reserves `capacity` bytes. When the system refuses: NULL with err set; for who cannot say it, memory_exhausted(). */
struct arena *arena_create(size_t capacity, struct error *err);
struct arena *arena_require(size_t capacity);

/* Unmaps everything. NULL is fine. */
void arena_destroy(struct arena *arena);

/* SCOPED_ARENA scratch = arena_require(...): it is destroyed where its block ends. */
#define SCOPED_ARENA __attribute__((cleanup(arena_destroy_at))) struct arena *
void arena_destroy_at(struct arena **arena);

/* `count` zeroed elements of `size` bytes, aligned to 32 bytes. Overflow of the product counts as exhausted.
 * Never NULL; count 0 gives a valid pointer to nothing. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* As memory_room(): elements move, and where they were stays taken. */
void *arena_room(struct arena *arena, void *items, size_t count, size_t size);

/* Takes back all that was allocated since `used` was the arena's: it is zero again. */
void arena_rewind(struct arena *arena, size_t used);

/* Typed form of arena_alloc(). */
#define ARENA_NEW(arena, type, count) ((type *)arena_alloc((arena), (count), sizeof(type)))

/* A copy of a struct, and of several things; of none `source` may be NULL. */
#define ARENA_COPY(arena, type, source) ARENA_COPIES(arena, type, source, 1)
#define ARENA_COPIES(arena, type, source, count) ((type *)arena_copy((arena), (source), (count), sizeof(type)))
void *arena_copy(struct arena *arena, const void *items, size_t count, size_t size);

/* A copy of the string (NULL gives ""). */
char *arena_string(struct arena *arena, const char *text);

/* A copy of the text, which is released. */
struct text;
char *arena_text(struct arena *arena, struct text *text);

/* A printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says whether `count` elements of `size` bytes still fit: for counts that come out of a file. */
bool arena_fits(const struct arena *arena, size_t count, size_t size);
