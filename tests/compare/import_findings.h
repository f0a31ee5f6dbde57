#pragma once

/* Asks compare_import() about two rigs. */
#include "compare/compare.h"
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"
#include "report/sentences.h"

/* Two equal rigs, new for each test and after each FINDS(): a test changes one of them and says what is found. */
static struct two_imports two;
static void (*prepare)(void); /* what they get before that, or NULL */

static inline void begin_again(void)
{
    arena_destroy(two.arena);
    two = two_rigs();
    if (prepare)
        prepare();
}

/* To the end of the test. */
static inline void begin_with(void (*preparation)(void))
{
    prepare = preparation;
    begin_again();
}

static inline int set_up(void **state)
{
    begin_with(NULL);
    return 0;
}

#define IMPORT_TEST(name) TEST_WITH(name, set_up, NULL)

static inline void say_them(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        findings->items[i].text = finding_sentence(&findings->items[i], NULL, 0, findings->arena);
}

/* How much is found. */
static inline size_t compare_them(void)
{
    compare_import(two.golden, two.actual, NULL, &tolerance_defaults, &two.findings);
    findings_sort(&two.findings);
    say_them(&two.findings);
    return two.findings.count;
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
