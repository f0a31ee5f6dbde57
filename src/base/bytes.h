#pragma once

#include <stdint.h>

#include "base/text.h"

/* An unsigned number of `count` bytes, the lowest first. */
static inline uint64_t little_endian(const unsigned char *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* Writes one, or appends one. */
static inline void put_little_endian(void *to, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ((unsigned char *)to)[i] = (unsigned char)(value >> 8 * i);
}

static inline void add_little_endian(struct text *out, uint64_t value, unsigned count)
{
    unsigned char bytes[sizeof value];
    put_little_endian(bytes, value, count);
    text_add_bytes(out, bytes, count);
}
