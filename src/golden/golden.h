#pragma once

#include "base/file/file.h"
#include "data/record/snapshot.h"
#include "data/result/recorded.h"
#include "suite/suite_file.h"

/*
 * The golden folder of a case, as far as it is there:
 *   <label>.pose.json   <label>.png   <label>_1.png ...   recorded.json
 * where a label is a time with 3 to 6 decimals. Its import.json is a file in <goldens>/imports that all cases of its
 * model and import settings share, named by `import_file` of their recorded.json. Read-only here: goldens are written
 * by accept_results() alone.
 */

#define SHARED_IMPORTS "imports"

enum { GOLDEN_FILE_LIMIT = 1 << 30 };

/* All of it in the arena. */
struct golden {
    struct arena *arena;
    const char *folder;
    bool exists;
    const char *import; /* path of its import.json; NULL without a recorded.json */
    bool has_recorded;
    struct recorded recorded;
};

/* Looks at `<goldens>/<name>`. False with err set when its recorded.json is not one. */
bool golden_open(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err);

/* The same of a folder, beside which the shared imports are. */
bool golden_open_folder(struct golden *golden, const char *folder, struct arena *arena, struct error *err);

/* The same, where of recorded.json only `import_file` is needed. */
bool golden_peek(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err);

/* The path of a file of it: <folder>/<label><suffix>, or the shared one for "import". */
const char *golden_path(const struct golden *golden, const char *label, const char *suffix);

enum golden_part { GOLDEN_READ, GOLDEN_ABSENT, GOLDEN_UNREADABLE };

/* Reads one file whole. What is there and cannot be read is GOLDEN_UNREADABLE, with err set. */
enum golden_part golden_read(const struct golden *golden, const char *label, const char *suffix, struct blob *out,
                             struct error *err);

/* Pictures and poses in the folder of a case that are of no time of the result; none where it did not get to its
 * times, or the folder is a link. Names are in the arena. False with err set when the folder cannot be read. */
bool golden_find_superseded(const char *folder, const struct case_result *result, struct arena *arena,
                            const char ***names, size_t *count, struct error *err);

/* The case of that name that has a golden of its own, or NULL. */
const struct suite_case *golden_find_case(const struct suite *suite, const char *name);

/* A file that a case names, as seen from the suite's folder: the same from whatever folder the suite is run. */
const char *golden_path_of(const struct suite *suite, const char *path, struct arena *arena);

/* "walker.glb-0123456789abcdef.import.json": the base name, and a hash of the model as the suite writes it and its
 * import's settings. */
const char *shared_import_name(const struct suite *suite, const struct suite_case *c, struct arena *arena);

/*
 * Goldens that no case uses, as paths below the suite's goldens folder, sorted: folders that hold a recorded.json and
 * are no case's (or that of a case that has no golden of its own), in the folders of cases that ran the pictures and
 * poses of other times, and shared imports that no case names. Anything else is not ours, links too.
 */
bool obsolete_find(const struct suite *suite, struct results *results, struct error *err);

/* The label of a time. */
const char *snapshot_label(double time, struct arena *arena);

/* Files in a case's folder: length of the time that a name begins with ("-0.250", "12.041667"), or 0. */
size_t snapshot_label_length(const char *name);

/* Returns whether a golden has files of that name: recorded.json, 0.250.pose.json, 0.250.png, 0.250_2.png. */
bool snapshot_is_golden(const char *name);

/* Deletes what a killed process has left of writing such files, or a report ("0.250.png.new-a1B2c3"); of the whole
 * also the files, pictures of differences too, and the folder, when it is empty then. True also, as the next, when
 * there is none. */
enum snapshot_removal { SNAPSHOT_TEMPORARIES, SNAPSHOT_WHOLE };
bool snapshot_remove(const char *folder, enum snapshot_removal what, struct error *err);
bool snapshot_remove_file(const char *path, struct error *err);

/*
 * Waits for the lock of the goldens' folder, which every writer holds, and removes the temporaries of a writer that was
 * killed. -1 with err set. Freed by folder_unlock().
 */
int goldens_lock(const char *goldens, struct error *err);

/* Returns whether the name itself stands for a link: what it leads to may be somebody else's, or the golden of a
 * case. */
bool snapshot_is_link(const char *path);
