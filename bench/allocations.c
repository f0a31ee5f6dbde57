#include "allocations.h"

#include <stddef.h>

static unsigned long count;

/* Names that the linker's --wrap gives. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *place, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *place, size_t size);

unsigned long allocation_count(void)
{
    return count;
}

void *__wrap_malloc(size_t size)
{
    count++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    count++;
    return __real_calloc(number, size);
}

void *__wrap_realloc(void *place, size_t size)
{
    count++;
    return __real_realloc(place, size);
}
