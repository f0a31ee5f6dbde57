#ifndef RIGPROOF_TESTS_FUZZ_TARGET_JSON_H
#define RIGPROOF_TESTS_FUZZ_TARGET_JSON_H

#include "target.h"

/* Reads a file of ours and appends what is written of it. False when it was refused. */
typedef bool (*rewrite_function)(const void *data, size_t size, struct text *out);

/* What was written must read back, and be written the same. */
static inline int target_rewrite(rewrite_function rewrite, const uint8_t *data, size_t size)
{
    struct text first = {0}, second = {0};
    if (rewrite(data, size, &first))
        rewrite(first.data, first.size, &second);
    target_require_equal(&first, &second);
    return 0;
}

#endif
