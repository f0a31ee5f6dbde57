#ifndef RIGPROOF_SUITE_BONE_TABLE_H
#define RIGPROOF_SUITE_BONE_TABLE_H

#include "compare/compare.h"

/* The worst bones of a case over all its times: the table and the heat map of the reports. */
struct bone_table {
    struct arena *arena;
    uint32_t time_count;
    size_t count;              /* rows, one for each node and palette entry of any time */
    size_t capacity;
    struct bone_result *rows;
};

/*
 * Takes the errors of the time with index `at` in. Rows are found by stage, bone and mesh; several of one name are told
 * apart by their order.
 */
void bone_table_add(struct bone_table *table, const struct pose_errors *errors, uint32_t at, double time);

/* The worst rows into the result, those that did not move left out. Sorts the table. */
void bone_table_report(struct bone_table *table, struct case_result *result);

#endif
