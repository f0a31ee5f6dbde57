#ifndef RIGPROOF_SUITE_PUBLISH_H
#define RIGPROOF_SUITE_PUBLISH_H

#include "data/result/result.h"

/* All reports of a run, where they belong: what `check` and `report` end with. */

struct publish_options {
    bool colour;    /* of the text on stdout */
    bool has_lines; /* a line of each failing case was printed while it ran */
    bool quiet;     /* no text on stdout; annotations all the same */
    bool local;     /* no annotations and no summary, even where GitHub runs it */
};

/*
 * Writes results.json, report.html and junit.xml into a folder, which is made when it is missing; `folder` NULL: none. Then
 * prints the text; where GITHUB_ACTIONS is `true` workflow commands follow, and the summary is appended to the file that
 * GITHUB_STEP_SUMMARY names. False with err set (exit code 2) when something cannot be written.
 */
bool publish(const struct results *results, const char *folder, const struct publish_options *options,
             struct error *err);

enum publish_format { PUBLISH_JSON, PUBLISH_HTML, PUBLISH_JUNIT, PUBLISH_COUNT };

/*
 * The same, one format: "-" is stdout, NULL its name in `folder`. The folder of the file is made. `folder` is what the
 * pictures are relative to, as seen from the working folder.
 */
bool publish_file(const struct results *results, enum publish_format format, const char *folder, const char *path,
                  struct error *err);

#endif
