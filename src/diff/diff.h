#ifndef RIGPROOF_DIFF_DIFF_H
#define RIGPROOF_DIFF_DIFF_H

#include "compare/compare.h"
#include "options/settings.h"
#include "foreign/theirs.h"

/*
 * Two files, two case folders or two trees of them, compared as `check` compares a run with its goldens, A in the role of
 * the golden. Nothing is imported, posed or drawn.
 *   two PNGs, two pose.json, two import.json: one case;  two folders with a recorded.json, an import.json or poses: one case;
 *   two folders of such folders: a case for each name that either has. One case is called after B.
 */

struct diff_options {
    struct tolerance tolerance;
    const char *output; /* folder for pictures of what differs; NULL: none are written */
    bool figures;       /* pixelmatch and FLIP of pictures that differ: results.json alone has them */
    const char *rigproof;
    struct settings *settings; /* of models: what is played, how it is drawn; the times become what is the default */
    bool has_settings;               /* they are not the defaults, which is an error with anything else */
};

/* The caller's (results_free). NULL with err set: unreadable, not of one kind, or the output among what is compared. `b` may
 * be a pose where `a` is a model: diff_theirs(). Of a raw palette it is NULL. */
struct results *diff_paths(const char *a, const char *b, const struct theirs_source *raw, const struct diff_options *options,
                           struct error *err);

/*
 * Two model files, A's imports, poses and pictures in the role of goldens: a case for each clip that both have, at A's times
 * by the settings, or for what the settings play; a clip of one of them is a missing case. Pictures are
 * drawn with A's camera. Files of different formats are compared as skinned points in metres, y up: nothing else of them is
 * comparable. False with err set: a model that cannot be read, no usable GL context.
 */
bool diff_models(const char *const paths[2], const struct diff_options *options, struct results *results, struct error *err);

/* A model and what another program makes of it, at one time: one case, with the causes of what differs. */
bool diff_theirs(const char *model, const struct theirs_source *source, const struct diff_options *options,
                 struct results *results, struct error *err);

/* What a case of a suite and one of `rigproof diff` have in common: poses and pictures into a case's result. */

/* The worst bones of a case over all its times: the table and the heat map of the reports. */
struct bone_table {
    struct arena *arena;
    uint32_t time_count;
    size_t count;              /* rows, one for each node and palette entry of any time */
    struct bone_result *rows;
};

/* Takes the errors of the time with index `at` in. Rows are found by stage, bone, mesh, and their order where these are equal. */
void bone_table_add(struct bone_table *table, const struct pose_errors *errors, uint32_t at, double time);

/* The worst rows into the result, those that did not move left out. Sorts the table. */
void bone_table_report(struct bone_table *table, struct case_result *result);

/* Room for so many times, none of which has been compared. */
void comparison_plan(struct case_result *result, uint32_t count, struct arena *arena);

/* Two poses of a case. Imports may be NULL; the actual's is where it equals the golden's. */
struct pose_pair {
    const struct pose_snapshot *golden, *actual;
    const struct import_snapshot *golden_import, *actual_import;
    bool is_dual; /* skinned by dual quaternions */
};

/* compare_pose() and compare_skinned() into the table and the time with index `at`, whose time is set; the stages that
 * were compared, and why others were not, into the facts. */
void comparison_pose(const struct pose_pair *pair, uint32_t at, struct findings *findings, struct bone_table *table,
                     struct judge_facts *facts, struct case_result *result);

/* compare_images(), where pixels differ, and judge_picture(). */
void comparison_picture(const struct image *golden, const struct image *actual, const uint8_t background[4],
                        const struct tolerance *tolerance, struct arena *arena, struct image_result *out);

/* Writes <output>/<stem><suffix>; *file becomes the name below the output. */
bool comparison_write_png(const struct text *png, const char *output, const char *stem, const char *suffix,
                          struct arena *arena, const char **file, struct error *err);
bool comparison_write(const struct image *image, const char *output, const char *stem, const char *suffix,
                      struct arena *arena, const char **file, struct error *err);

/* The figures of two pictures of one size, and unless output is NULL <output>/<stem>.difference.png and .heat.png. */
bool comparison_draw(const struct image *golden, const struct image *actual, const char *output, const char *stem,
                     struct arena *arena, struct image_result *out, struct error *err);

#endif
