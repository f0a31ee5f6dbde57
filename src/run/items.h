#ifndef RIGPROOF_RUN_ITEMS_H
#define RIGPROOF_RUN_ITEMS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <xxhash.h>

#include "base/error.h"
#include "base/text.h"
#include "run/secret.h"
#include "case/case_inputs.h"

/*
 * Hashes of what is in files, each read again only when its stamp says that it may have changed: size, inode, times of
 * the last change of content and of inode. As in git's index, a file that was changed after the run began has no stamp
 * that counts.
 */

enum item_state { ITEM_ABSENT, ITEM_KNOWN, ITEM_UNKNOWN /* it is there, but cannot be read whole */ };

struct item {
    XXH128_hash_t place;   /* of kind and path */
    XXH128_hash_t stamp;
    XXH128_hash_t content; /* of a file its hash as 16 hexadecimal digits */
    uint32_t day;          /* when it was last asked for */
    uint32_t state;
    uint32_t round;        /* of items_look(); 0: it is as the index has it */
    uint32_t is_recent;     /* changed since the run began: what was read of it may be of two versions */
};

struct items {
    const char *folder;      /* where the index is */
    const struct secret *secret;
    struct text working_folder; /* that relative paths start from */
    struct timespec started;
    uint32_t today;
    uint32_t pruned;         /* the day on which old entries were last removed */
    uint32_t round;          /* what was looked at in this round is not looked at again */
    struct item *table;      /* [capacity], a power of 2; empty where `place` is 0 */
    size_t capacity, count;
    bool is_changed;
};

/* Reads the folder's index; one that is not there, torn, of another build or not of this key is empty. Strict: no stamp of an
 * earlier run is believed, and all is read again. The secret must outlive the items. */
void items_open(struct items *items, const char *folder, const struct secret *secret, bool is_strict);

struct item items_look(struct items *items, enum input_kind kind, const char *path);

/* Writes the index, without those that nobody has asked for in `days`, if it is another one now. */
bool items_save(const struct items *items, uint32_t days, struct error *err);
void items_release(struct items *items);

#endif
