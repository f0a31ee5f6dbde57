#ifndef RIGPROOF_IMPORT_FILE_READER_H
#define RIGPROOF_IMPORT_FILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A place in a file's bytes, for those who search them for signs. Needs memmem(): _GNU_SOURCE before the first include.
 * Reading past the end fails and moves nothing.
 */
struct reader {
    const unsigned char *data;
    size_t size;
    size_t at; /* <= size */
};

/* Moves behind the next occurrence of `pattern`. */
static inline bool reader_seek(struct reader *r, const char *pattern, size_t length)
{
    const unsigned char *found = r->at < r->size ? memmem(r->data + r->at, r->size - r->at, pattern, length) : NULL;
    if (!found)
        return false;
    r->at = (size_t)(found - r->data) + length;
    return true;
}

/* Little-endian. */
static inline bool reader_u32(struct reader *r, uint32_t *value)
{
    if (r->size - r->at < 4)
        return false;
    const unsigned char *p = r->data + r->at;
    *value = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    r->at += 4;
    return true;
}

static inline bool reader_byte(struct reader *r, unsigned char expected)
{
    return r->at < r->size && r->data[r->at++] == expected;
}

#endif
