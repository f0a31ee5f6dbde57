#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t own_process;
static int own_code;
static void (*clean_up_first)(void);

void memory_exit_with(int code)
{
    own_process = getpid();
    own_code = code;
}

void memory_clean_up_by(void (*clean_up)(void))
{
    clean_up_first = clean_up;
}

void memory_exhausted(const char *what, ...)
{
    va_list args;
    if (clean_up_first)
        clean_up_first();
    fputs("error: out of memory: ", stderr);
    va_start(args, what);
    vfprintf(stderr, what, args);
    va_end(args);
    fputc('\n', stderr);
    _exit(getpid() == own_process ? own_code : MEMORY_EXHAUSTED);
}

static void *require(void *memory, size_t count, size_t size)
{
    if (!memory)
        memory_exhausted("%zu times %zu bytes", count, size);
    return memory;
}

void *memory_new(size_t count, size_t size)
{
    return require(calloc(count + (count == 0), size), count, size);
}

void *memory_unset(size_t size)
{
    return require(malloc(size + (size == 0)), size, 1);
}

void *memory_grow(void *memory, size_t count, size_t size)
{
    return require(reallocarray(memory, count, size), count, size);
}

void *memory_room(void *memory, size_t count, size_t size)
{
    const bool is_full = (count & (count - 1)) == 0; /* none, or a power of two: as much room again */
    return is_full ? memory_grow(memory, 2 * count + 1, size) : memory;
}

void memory_free_at(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

char *memory_string(const char *string)
{
    return require(strdup(string), strlen(string) + 1, 1);
}
