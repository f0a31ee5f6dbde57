#ifndef RIGPROOF_TESTS_COMPARE_IMPORT_FINDINGS_H
#define RIGPROOF_TESTS_COMPARE_IMPORT_FINDINGS_H

/* What compare_import() says of two rigs. */
#include "compare/compare.h"
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"

static inline void compare_them(struct two_imports *two)
{
    compare_import(two->golden, two->actual, &tolerance_defaults, &two->findings);
    findings_sort(&two->findings);
}

/* Ends a test: the findings are these, "~" before those that are benign. */
static inline void finds(struct two_imports *two, size_t count, const char *const *texts)
{
    compare_them(two);
    require_findings(&two->findings, STAGE_IMPORT, count, texts);
    arena_destroy(two->arena);
}

#define FINDS(two, ...)                                                                                                \
    finds((two), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})
#define FINDS_NOTHING(two) finds((two), 0, NULL)

#endif
