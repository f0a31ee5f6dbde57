#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A part of somebody's text, not ended by a NUL. `data` is NULL where there is none. */
struct slice {
    const char *data;
    size_t length;
};

static inline struct slice slice_of(const char *text)
{
    return (struct slice){text, strlen(text)};
}

/* For sorting, by bytes. */
static inline int slice_order(struct slice a, struct slice b)
{
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static inline bool slices_are_one(struct slice a, struct slice b)
{
    return slice_order(a, b) == 0;
}

static inline bool slice_is(struct slice slice, const char *expected)
{
    return slices_are_one(slice, slice_of(expected));
}
