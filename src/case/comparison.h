#ifndef RIGPROOF_CASE_COMPARISON_H
#define RIGPROOF_CASE_COMPARISON_H

#include "compare/compare.h"

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
