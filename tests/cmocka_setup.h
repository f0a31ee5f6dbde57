#pragma once

/* cmocka wants these before it, in this order (1.1 and 2.0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Nearly every test wants these. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

#ifdef NDEBUG
#error "tests are not built with NDEBUG: asserts in the code under test are part of the test"
#endif

/* What cmocka and others call has parameters that most of these functions do not look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Ends a test that cannot be made here, and says why. */
#define skip_because(...)                                                                                              \
    do {                                                                                                               \
        print_message("skipped: " __VA_ARGS__);                                                                        \
        print_message("\n");                                                                                           \
        skip();                                                                                                        \
    } while (0)

/* Calls what is handed `err`, and fails with its message where nothing comes back. */
#define assert_good(call)                                                                                              \
    ({                                                                                                                 \
        struct error err_ = {0}, *err = &err_;                                                                         \
        __typeof__(call) good_ = (call);                                                                               \
        if (!good_)                                                                                                    \
            fail_msg("%s: %s", #call, err_.text);                                                                      \
        good_;                                                                                                         \
    })

/* For a call whose error nobody looks at. */
#define ANY_ERROR (&(struct error){0})

/* Pointers whose release runs where their block ends, as SCOPED() of base/memory.h has it of values:
 * SCENE *scene = tiny_scene(); */
#define POINTER_RELEASED_BY(type, release)                                                                             \
    struct type;                                                                                                       \
    void release(struct type *);                                                                                       \
    static inline void drop_##type##_at(struct type **it) { release(*it); }
POINTER_RELEASED_BY(scene, scene_free)
POINTER_RELEASED_BY(suite, suite_free)
POINTER_RELEASED_BY(results, results_free)
#define RELEASED_BY(function) __attribute__((cleanup(function)))
#define SCENE RELEASED_BY(drop_scene_at) struct scene
#define READ_SUITE RELEASED_BY(drop_suite_at) struct suite
#define RESULTS RELEASED_BY(drop_results_at) struct results

/*
 * TEST(name) { ... } is a test of the program that holds it; TEST_WITH() has a setup and a teardown, or NULL. They run in
 * the order of their lines, between what GROUP() names. main() is in listed_tests.c.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                                               \
    static void name(void **state);                                                                                    \
    AT_START(list_##name) { list_test(&(struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__); }           \
    static void name(void **state)
#define GROUP(setup, teardown) AT_START(name_group) { list_group(setup, teardown); }

/* A program's `name`, which all its tests share; `open` makes it, and NULL fails them. */
#define GROUP_VALUE(type, name, open, close)                                                                           \
    static type *name;                                                                                                 \
    static int open_##name(void **state) { return (name = (open)) ? 0 : -1; }                                          \
    static int close_##name(void **state) { return close(name), 0; }                                                   \
    GROUP(open_##name, close_##name)

/* A program's `arena`, of that many bytes. */
#define GROUP_ARENA(size) GROUP_VALUE(struct arena, arena, arena_require(size), arena_destroy)

/* A function that runs before main(). */
#define AT_START(name) __attribute__((constructor)) static void name(void)

void list_test(const struct CMUnitTest *test, int line);
void list_group(CMFixtureFunction setup, CMFixtureFunction teardown);

/* The listed tests: all, or of `I/N` every N-th from the I-th, each a group of its own. main() where a program has none. */
int run_listed(int argc, char **argv);
