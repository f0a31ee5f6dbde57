#ifndef RIGPROOF_SUITE_SNAPSHOT_FILES_H
#define RIGPROOF_SUITE_SNAPSHOT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The names of the files in a case's folder, golden or of a run: only what has such a name is ours to delete. */

/* Length of the time that a name begins with ("-0.250", "12.041667"), or 0. */
size_t snapshot_label_length(const char *name);

/* Whether a golden has files of that name: import.json, recorded.json, 0.250.pose.json, 0.250.png, 0.250_2.png. */
bool snapshot_is_golden(const char *name);

/*
 * Deletes a golden's files from a folder, pictures of differences, and temporaries of both; then the folder, when nothing
 * else is in it.
 * True also when there is no such folder.
 */
bool snapshot_remove(const char *folder, struct error *err);

/*
 * Deletes what a killed process has left of writing such files, or a report, in a folder: "0.250.png.new-a1B2c3",
 * which file_write() would have put over 0.250.png. True also when there is no such folder.
 */
bool snapshot_remove_temporaries(const char *folder, struct error *err);

/* Deletes one file; true also when it is not there. */
bool snapshot_remove_file(const char *path, struct error *err);

/* Whether the name itself stands for a link: what it leads to may be somebody else's, or the golden of a case. */
bool snapshot_is_link(const char *path);

#endif
