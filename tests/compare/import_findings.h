#pragma once

/* What compare_import() says of two rigs. */
#include "compare/compare.h"
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"
#include "report/sentences.h"

/* Two equal rigs, new for each test and after each FINDS(): a test changes one of them and says what is found. */
static struct two_imports two;

static inline int set_up(void **state)
{
    two = two_rigs();
    return 0;
}

static inline int tear_down(void **state)
{
    arena_destroy(two.arena);
    return 0;
}

#define IMPORT_TEST(name) TEST_WITH(name, set_up, tear_down)

static inline void begin_again(void)
{
    arena_destroy(two.arena);
    two = two_rigs();
}

static inline void say_them(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        findings->items[i].text = finding_sentence(&findings->items[i], NULL, 0, findings->arena);
}

static inline void compare_them(void)
{
    compare_import(two.golden, two.actual, NULL, &tolerance_defaults, &two.findings);
    findings_sort(&two.findings);
    say_them(&two.findings);
}

/* The findings are these, "~" before those that are benign. */
static inline void finds(size_t count, const char *const *texts)
{
    compare_them();
    require_findings(&two.findings, STAGE_IMPORT, count, texts);
    begin_again();
}

#define FINDS(...)                                                                                                     \
    finds(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})
#define FINDS_NOTHING() finds(0, NULL)
