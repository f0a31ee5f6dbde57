#include "base/arena.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* 32: what cglm wants of a mat4 when built with AVX; 16 would do for the baseline build. */
enum { ALIGNMENT = 32 };

/* AddressSanitizer sees what is read or written behind an allocation, as with the heap's. */
#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { GUARD = ALIGNMENT };
#else
#define ASAN_POISON_MEMORY_REGION(place, size)
#define ASAN_UNPOISON_MEMORY_REGION(place, size)
enum { GUARD = 0 };
#endif

struct arena *arena_create(size_t capacity, struct error *err)
{
    void *base = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        error_set(err, "cannot reserve %zu MiB of memory: %s", capacity >> 20, strerror(errno));
        return NULL;
    }
    struct arena *arena = base;
    arena->capacity = capacity;
    arena->used = (sizeof *arena + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return arena;
}

struct arena *arena_require(size_t capacity)
{
    struct error err = {0};
    struct arena *arena = arena_create(capacity, &err);
    if (!arena)
        memory_exhausted("%s", err.text);
    return arena;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    ASAN_UNPOISON_MEMORY_REGION(arena, arena->used);
    munmap(arena, arena->capacity);
}

void arena_destroy_at(struct arena **arena)
{
    arena_destroy(*arena);
}

bool arena_fits(const struct arena *arena, size_t count, size_t size)
{
    size_t free_bytes = arena->capacity > arena->used ? arena->capacity - arena->used : 0;
    return size == 0 || count <= (free_bytes > ALIGNMENT + GUARD ? free_bytes - ALIGNMENT - GUARD : 0) / size;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    if (!arena_fits(arena, count, size))
        memory_exhausted("%zu MiB are used up", arena->capacity >> 20);
    void *place = (char *)arena + arena->used;
    size_t taken = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GUARD;
    ASAN_POISON_MEMORY_REGION((char *)place + count * size, taken - count * size);
    arena->used += taken;
    return place; /* fresh pages of an anonymous mapping are zero, and nothing is ever handed out twice */
}

void arena_rewind(struct arena *arena, size_t used)
{
    ASAN_UNPOISON_MEMORY_REGION((char *)arena + used, arena->used - used);
    memset((char *)arena + used, 0, arena->used - used);
    arena->used = used;
}

void *arena_room(struct arena *arena, void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) /* neither none nor a power of two, at which there is as much room again */
        return items;
    void *room = arena_alloc(arena, 2 * count + 1, size);
    return count > 0 ? memcpy(room, items, count * size) : room;
}

void *arena_copy(struct arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(arena, count, size);
    return count > 0 ? memcpy(copy, items, count * size) : copy;
}

char *arena_string(struct arena *arena, const char *text)
{
    return arena_copy(arena, text ? text : "", text ? strlen(text) + 1 : 1, 1);
}

char *arena_text(struct arena *arena, struct text *text)
{
    char *copy = arena_string(arena, text_string(text));
    text_release(text);
    return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    char *text = arena_alloc(arena, (size_t)n + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}
