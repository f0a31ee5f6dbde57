#ifndef RIGPROOF_SUITE_SHARED_IMPORT_H
#define RIGPROOF_SUITE_SHARED_IMPORT_H

#include "base/text.h"
#include "suite/file/suite_file.h"

/*
 * The golden import.json that all cases of one model and the same import settings share: a file in <goldens>/imports,
 * named by the `import_file` of their recorded.json. A tree of an earlier build has an import.json in each case's folder instead.
 */

#define SHARED_IMPORTS "imports"

/*
 * Appends a case's: "walker.glb-0123456789abcdef.import.json", the model's base name and a hash of what the import
 * depends on: the model as the suite writes it and those settings that are not the defaults.
 */
void shared_import_name(const struct suite *suite, const struct suite_case *c, struct text *out);

/* The path of a shared file, freed by the caller. */
char *shared_import_path(const char *goldens, const char *name);

/* Whether what is accepted into a tree shares its imports: one is there already, or the tree has no golden yet. */
bool shared_imports_used(const char *goldens);

/* Whether one of the suite's cases has an import.json of its own: `accept --migrate` would move it. */
bool shared_imports_lack(const struct suite *suite);

struct migration {
    size_t moved;   /* cases */
    size_t files;   /* shared files written */
    size_t refused; /* a golden of two runs, a link, an import that is not that of the other cases; `out` says which */
};

/*
 * Moves the import.json of the chosen cases to the shared place, byte by byte, and names it in recorded.json; runs nothing.
 * Wherever it is killed, each case has its golden. `out` gets a line for each case that stays as it is. False with err set when a
 * file cannot be read or written.
 */
bool shared_imports_migrate(const struct suite *suite, const bool *chosen, bool dry_run, struct text *out,
                            struct migration *tally, struct error *err);

#endif
