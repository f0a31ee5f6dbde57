#ifndef RIGPROOF_RUN_SECRET_H
#define RIGPROOF_RUN_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A key of the user's, by which a cache knows what it has written itself: BLAKE2b of libsodium, keyed. It is RIGPROOF_CACHE_KEY, a
 * text of SECRET_LEAST characters or more, or $XDG_STATE_HOME/rigproof/cache-key, ~/.local/state by default: 32 random bytes,
 * made on first use, that nobody else may read.
 */
enum { SECRET_LEAST = 16, SECRET_BYTES = 32, SECRET_HASH = 2 * SECRET_BYTES };

struct secret {
    unsigned char bytes[SECRET_BYTES];
};

/* `inside`: a folder of the repository, from which no key is taken that a commit may have put there. False with err set. */
bool secret_find(struct secret *secret, const char *inside, struct error *err);

/* Of the data and the key, as hexadecimal digits. */
void secret_hash(const struct secret *secret, const void *data, size_t size, char out[static SECRET_HASH + 1]);

#endif
