#pragma once

#include "compare/compare.h"

/*
 * One case, whatever its two sources are: a golden and a run, two folders, two files, a model and another program's
 * numbers. It holds what was found, and the result that becomes of it.
 */

/* The worst bones of a case over all its times: the table and the heat map of the reports. */
struct bone_table {
    struct arena *arena;
    uint32_t time_count;
    size_t count;              /* rows, one for each node and palette entry of any time */
    struct bone_result *rows;
};

struct blob; /* base/file/file.h */

struct comparison {
    struct arena *arena;
    struct findings findings;
    struct judge_facts facts;
    struct bone_table bones;
    struct case_result *result;
    const char *output;        /* pictures are written to its folder `name`; NULL: none are */
    const char *name;
    const uint8_t *background; /* RGBA; NULL: the corner of the golden's picture is */
};

/* The result is to have its name. */
void comparison_begin(struct comparison *c, struct case_result *result, const struct tolerance *tolerance,
                      const char *output, struct arena *arena);

/* They say why a stage is absent that one side alone has. */
extern const char not_in_theirs[], not_in_golden[];

/* Makes room for so many times, none of which has been compared. */
void comparison_plan(struct comparison *c, uint32_t count);

/* A golden, or a part of it, that is not there; the first is what the verdict says. */
void comparison_miss(struct comparison *c, const char *what);

/* Takes the errors of the time with index `at` in. Rows are found by stage, bone, mesh, and their order where these
 * are equal. */
void bone_table_add(struct bone_table *table, const struct pose_errors *errors, uint32_t at, double time);

/* The worst rows into the result, those that did not move left out. Sorts the table. */
void bone_table_report(struct bone_table *table, struct case_result *result);

/* Says how the numbers of another program were understood, with the first stage that it gives. */
void comparison_tell_conventions(struct comparison *c, const char *program, const char *conventions);

/* Two poses of a case. Imports may be NULL; the actual's is where it equals the golden's. */
struct pose_pair {
    const struct pose_snapshot *golden, *actual;
    const struct import_snapshot *golden_import, *actual_import;
    bool is_dual; /* skinned by dual quaternions */
};

/* compare_pose() and compare_skinned() into the time with index `at`, whose time is set; the stages that were compared,
 * and why others were not, into the facts. */
void comparison_pose(struct comparison *c, const struct pose_pair *pair, uint32_t at);

/* compare_images(), where pixels differ, and judge_picture(). */
void comparison_picture(struct comparison *c, const struct image *golden, const struct image *actual,
                        struct image_result *out);

/* The same of the pictures of a time, into its result. */
void comparison_frame(struct comparison *c, uint32_t at, const struct image *golden, const struct image *actual);

/* A file of the time: `<output>/<name>/<label><suffix>`; *file becomes its name below the output. */
bool comparison_write_png(const struct comparison *c, uint32_t at, const char *suffix, const struct blob *png,
                          const char **file, struct error *err);
bool comparison_write(const struct comparison *c, uint32_t at, const char *suffix, const struct image *image,
                      const char **file, struct error *err);

/* The figures of two pictures of one size that differ, and with an output the pictures of their difference. */
bool comparison_draw(struct comparison *c, uint32_t at, const struct image *golden, const struct image *actual,
                     struct error *err);

/* Makes the finding of two pictures that differ, and what makes one of the other; `actual` is NULL where nobody asks
 * that. */
void comparison_judge_picture(struct comparison *c, uint32_t at, const struct image *golden,
                              const struct image *actual);

/* The verdict of all that was compared. Where that is nothing, `nothing` is what is missing. */
void comparison_judge(struct comparison *c, const char *nothing);
