#ifndef RIGPROOF_SUITE_GOLDEN_H
#define RIGPROOF_SUITE_GOLDEN_H

#include "base/file/file.h"
#include "data/record/snapshot.h"
#include "data/result/recorded.h"

/*
 * The golden folder of a case, as far as it is there:
 *   import.json   <label>.pose.json   <label>.png   <label>_1.png ...   recorded.json
 * and, where recorded.json names one, the import.json that it shares with other cases (shared_import.h) for its own;
 * where a label is a time with 3 to 6 decimals. Read-only here: goldens are written by accept.h alone.
 */
struct golden {
    char *folder;
    bool exists;
    char *shared_import; /* path; NULL: import.json is in the folder */
    bool has_recorded;
    struct recorded recorded; /* in the arena given to golden_open() */
};

/* Looks at `<goldens>/<name>`. False with err set when its recorded.json is not one. */
bool golden_open(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err);
void golden_close(struct golden *golden);

/* The path of a file of it: <folder>/<label><suffix>, or the shared one for "import"; freed by the caller. */
char *golden_path(const struct golden *golden, const char *label, const char *suffix);

enum golden_part { GOLDEN_READ, GOLDEN_ABSENT, GOLDEN_UNREADABLE };

/* Reads one file whole. What is there and cannot be read is GOLDEN_UNREADABLE, with err set. */
enum golden_part golden_read(const struct golden *golden, const char *label, const char *suffix, struct blob *out,
                             struct error *err);

#endif
