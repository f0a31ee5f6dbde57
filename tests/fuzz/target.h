#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/*
 * A target reads any bytes as one of our readers does. It may refuse them; it must not crash, leak, hang, take memory out of
 * proportion or, where it writes what it read and reads that again, find something else.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An arena as the program gives it to readers, destroyed by the target. */
struct arena *target_arena(void);

/* Writes the bytes as a file of this process's own folder, which is the working folder from the first call on, until the process ends. */
void target_file(const char *name, const void *data, size_t size);

/* The bytes as a string of the heap's. */
char *target_string(const uint8_t *data, size_t size);

/* Ends the process with both texts when they differ. Releases them. */
void target_require_equal(struct text *a, struct text *b);

/* Where to go on when an arena is exhausted, for a target whose input decides how much of it is used; else that is a finding. */
extern jmp_buf *target_exhausted;
