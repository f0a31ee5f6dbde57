#pragma once

#include "run/run_suite.h"

/*
 * `check --cache DIR`: verdicts of earlier runs, each in a file named by a hash of all that it depends on:
 * identity_find(), what the suite and the command line say of the case, the content of its model, clip files, shaders
 * and golden, and the same of the case it agrees with. The file is the case's part of results.json, whose `sources` are
 * what the import and the shaders opened, or looked for in vain, besides: they are held against the files of today.
 * Only what passes or drifts is kept. An entry that is torn, of another version, of another key or not written by this
 * user (struct secret) is a miss.
 *
 * XXH3, which names entries and compares files, is no cryptographic hash: two files of one hash can be made.
 */
struct cache;

enum { CACHE_DAYS = 30 /* after which an entry that no run has used is removed */ };

/* The folder is made; the run must outlive the cache. NULL with err set where it cannot be used. */
struct cache *cache_open(const char *folder, const struct suite_run *run, struct error *err);

/* The verdict on a case as of today's files, in the arena; NULL: none is known. */
struct case_result *cache_find(struct cache *cache, size_t index, struct arena *arena);

/* Keeps what the run found in cases that cache_find() was asked for in vain, where none of their files was changed
 * since the cache was opened. Notes in results whose verdict is good why it is never kept. */
void cache_store(struct cache *cache, struct results *results);

/* Removes what nobody has asked for in CACHE_DAYS. NULL is fine. */
void cache_close(struct cache *cache);

/*
 * A key of the user's, by which a cache knows what it has written itself: BLAKE2b of libsodium, keyed. It is
 * RIGPROOF_CACHE_KEY, a text of SECRET_LEAST characters or more, or $XDG_STATE_HOME/rigproof/cache-key, ~/.local/state
 * by default: 32 random bytes, made on first use, that nobody else may read.
 */
enum { SECRET_LEAST = 16, SECRET_BYTES = 32, SECRET_HASH = 2 * SECRET_BYTES };

struct secret {
    unsigned char bytes[SECRET_BYTES];
};

/* No key is taken from the repository of the folder `inside`: a commit may have put it there. False with err set. */
bool secret_find(struct secret *secret, const char *inside, struct error *err);

/* Hashes the data and the key, as hexadecimal digits. */
void secret_hash(const struct secret *secret, const void *data, size_t size, char out[static SECRET_HASH + 1]);

/*
 * Appends what decides a verdict besides the suite and its files, a line each: the build of rigproof, of Assimp, Mesa
 * and every other library that is loaded once a context is open; the fingerprint of the renderer; the variables that
 * Mesa and glibc are given; the CPU, by which LLVM and libm choose their code. Found out in a child, which opens a
 * context as a worker does. Appended; false with err set where something of it cannot be told.
 */
bool identity_find(enum backend backend, struct text *out, struct error *err);
